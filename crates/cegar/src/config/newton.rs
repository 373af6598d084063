//! The axes of the trace checker `newton`: one for each of its options.

use super::{Axis, Config, assign};
use crate::checker::Checker;
use crate::checker::newton::{Level, Post, Qe, Switch};

fn applies(config: &Config) -> bool {
    config.checker == Checker::Newton && super::CHECKER_APPLIES(config)
}

/// An axis for a field of the options.
macro_rules! newton_axis {
    ($axis:ident = $name:literal, $field:ident: $values:ty, $help:literal) => {
        pub(super) const $axis: Axis = Axis {
            name: $name,
            values: <$values>::NAMES,
            aliases: &[],
            help: concat!("newton: ", $help),
            get: |config| config.newton.$field.to_string(),
            set: |config, value| assign(&mut config.newton.$field, value),
            applies,
        };
    };
}

newton_axis!(POST = "post", post: Post, "strongest postconditions, or weakest preconditions");
newton_axis!(CORE = "core", core: Switch, "abstract the trace to an infeasible core first");
newton_axis!(LIVE = "live", live: Switch, "assert something about live variables only");
newton_axis!(LEVEL = "level", level: Level, "a step is a statement, or a whole edge");
newton_axis!(FALLBACK = "fallback", fallback: Switch, "interpolate where assertions are too weak");
newton_axis!(DER = "der", der: Switch, "eliminate variables by equalities");
newton_axis!(UPD = "upd", upd: Switch, "drop satisfiable parts that nothing else is connected to");
newton_axis!(QE = "qe", qe: Qe, "how much effort elimination may take beyond these");
newton_axis!(APPROX = "approx", approx: Switch, "drop conjuncts whose variables cannot be eliminated");
