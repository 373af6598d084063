//! The axes that say how many counterexamples are refined at once, and which refinement of one is taken.

use super::{Axis, assign};
use crate::refinement::Select;

pub(super) const REFINE: Axis = Axis {
    name: "refine",
    values: &["first", "all", "3"],
    aliases: &[],
    help: "how many counterexamples to look for before refining: the first, all, or a number",
    get: |config| config.refine.to_string(),
    set: |config, value| assign(&mut config.refine, value),
    applies: |_| true,
};

pub(super) const SELECT: Axis = Axis {
    name: "select",
    values: Select::NAMES,
    aliases: &[("MIN_PRUNE", "min-prune"), ("MAX_PRUNE", "max-prune")],
    help: "which refinement of a counterexample to take, by prune index or of its sliced prefixes (a list: the first that differs)",
    get: |config| config.select.to_string(),
    set: |config, value| assign(&mut config.select, value),
    applies: |_| true,
};
