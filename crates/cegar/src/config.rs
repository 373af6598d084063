//! The configuration: independent axes, each with one spelling everywhere.
//!
//! A value of an axis has the same name as option of the command line, in a configuration line, in JSON, in
//! tables and in the manual. [`AXES`] is the one list of them: the command line, its help, the tests that run
//! all combinations and the documentation are made from it or checked against it. The papers' own names are
//! accepted as aliases.

mod newton;
mod refinement;

use std::fmt;

use lapidary_solver::interpolate::Engine;

use crate::checker::{Checker, NewtonOptions};
pub use crate::domain::DomainKind;
use crate::domain::combined::ExplicitVars;
use crate::domain::explicit::MaxEnum;
use crate::domain::predicate::{Abstraction, PredSplit};
use crate::encoding::Encoding;
use crate::initial::InitialPrecision;
use crate::passes::Passes;
use crate::precision::Granularity;
use crate::refinement::{Prune, Refine, Select};
use crate::search::Search;

/// How to verify.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// The abstract domain.
    pub domain: DomainKind,
    /// What predicate states are.
    pub abstraction: Abstraction,
    /// How many successors the explicit domain enumerates.
    pub max_enum: MaxEnum,
    /// Which variables of the combined domain are explicit.
    pub explicit_vars: ExplicitVars,
    /// How formulas become predicates.
    pub pred_split: PredSplit,
    /// Whether locations share the precision.
    pub precision: Granularity,
    /// What makes the automaton smaller first.
    pub passes: Passes,
    /// What an edge stands for.
    pub encoding: Encoding,
    /// What is tracked from the start.
    pub initial_precision: InitialPrecision,
    /// The order of exploration.
    pub search: Search,
    /// The trace checker.
    pub checker: Checker,
    /// The options of the trace checker `newton`.
    pub newton: NewtonOptions,
    /// How many counterexamples to refine at once.
    pub refine: Refine,
    /// Which refinement of a counterexample to take.
    pub select: Select,
    /// The interpolation engine.
    pub interpolation: Engine,
    /// How much a refinement removes.
    pub prune: Prune,
}

/// One axis of the configuration.
pub struct Axis {
    /// The name: option `--name`, key of a configuration line, column of a table.
    pub name: &'static str,
    /// The values to try in a product of all axes. Others may exist, such as further numbers.
    pub values: &'static [&'static str],
    /// Other spellings of values, as the papers have them; some settle another axis, too.
    pub aliases: &'static [(&'static str, &'static str)],
    /// One line for people.
    pub help: &'static str,
    /// The current value.
    pub get: fn(&Config) -> String,
    /// Sets a value; whether there is such a value.
    pub set: fn(&mut Config, &str) -> bool,
    /// Whether the axis has any effect in a configuration.
    pub applies: fn(&Config) -> bool,
}

/// Assigns what a text means, if it means something.
fn assign<T: std::str::FromStr>(slot: &mut T, text: &str) -> bool {
    text.parse().map(|value| *slot = value).is_ok()
}

/// All axes.
pub const AXES: &[Axis] = &[
    Axis {
        name: "domain",
        values: DomainKind::NAMES,
        aliases: &[
            ("EXPL", "explicit"),
            ("PRED_CART", "predicate abstraction=cartesian"),
            ("PRED_BOOL", "predicate abstraction=boolean"),
            ("PRED_SPLIT", "predicate abstraction=split"),
            ("PROD", "product"),
        ],
        help: "what abstract states are: values of variables, predicates over them, or both",
        get: |config| config.domain.to_string(),
        set: |config, value| assign(&mut config.domain, value),
        applies: |_| true,
    },
    Axis {
        name: "abstraction",
        values: Abstraction::NAMES,
        aliases: &[],
        help: "predicate: a conjunction of predicates, any combination, or one state per cube",
        get: |config| config.abstraction.to_string(),
        set: |config, value| assign(&mut config.abstraction, value),
        applies: |config| config.domain != DomainKind::Explicit && !config.splits_states(),
    },
    Axis {
        name: "max-enum",
        values: &["1*", "1", "4", "auto"],
        aliases: &[],
        help: "explicit: how many successors to enumerate (0 = all, 1* = one, without the solver)",
        get: |config| config.max_enum.to_string(),
        set: |config, value| assign(&mut config.max_enum, value),
        applies: |config| config.domain != DomainKind::Predicate,
    },
    Axis {
        name: "explicit-vars",
        values: &["auto"],
        aliases: &[],
        help: "combined: names of the explicit variables, or those compared with many constants",
        get: |config| config.explicit_vars.to_string(),
        set: |config, value| assign(&mut config.explicit_vars, value),
        applies: |config| config.domain == DomainKind::Combined,
    },
    Axis {
        name: "pred-split",
        values: PredSplit::NAMES,
        aliases: &[("WHOLE", "whole"), ("CONJUNCTS", "conjuncts"), ("ATOMS", "atoms")],
        help: "predicate: how an interpolant becomes predicates",
        get: |config| config.pred_split.to_string(),
        set: |config, value| assign(&mut config.pred_split, value),
        applies: |config| config.domain != DomainKind::Explicit && !config.splits_states(),
    },
    Axis {
        name: "precision",
        values: Granularity::NAMES,
        aliases: &[("GLOBAL", "global"), ("LOCAL", "local")],
        help: "what is learned counts everywhere, at its location only, or for single states",
        get: |config| config.precision.to_string(),
        set: |config, value| assign(&mut config.precision, value),
        applies: |_| true,
    },
    Axis {
        name: "passes",
        values: Passes::NAMES,
        aliases: &[],
        help: "what makes the automaton smaller first; also names: unreachable,constants,slice,cone,invariants; `wraps` runs unless `,no-wraps` follows",
        get: |config| config.passes.to_string(),
        set: |config, value| assign(&mut config.passes, value),
        applies: |_| true,
    },
    Axis {
        name: "encoding",
        values: Encoding::NAMES,
        aliases: &[("SBE", "sbe"), ("LBE", "lbe")],
        help: "what one formula describes: an edge, a linear chain, a loop-free block",
        get: |config| config.encoding.to_string(),
        set: |config, value| assign(&mut config.encoding, value),
        applies: |_| true,
    },
    Axis {
        name: "initial-precision",
        values: InitialPrecision::NAMES,
        aliases: &[],
        help: "what is tracked from the start, besides what a file says",
        get: |config| config.initial_precision.to_string(),
        set: |config, value| assign(&mut config.initial_precision, value),
        applies: |_| true,
    },
    Axis {
        name: "search",
        values: Search::NAMES,
        aliases: &[
            ("BFS", "bfs"),
            ("DFS", "dfs"),
            ("ERR", "err"),
            ("DFS_ERR", "dfs-err"),
            ("ERR_DFS", "err-dfs"),
        ],
        help: "order of exploration by depth and distance to the error, or their weights wD,wE",
        get: |config| config.search.to_string(),
        set: |config, value| assign(&mut config.search, value),
        applies: |_| true,
    },
    CHECKER,
    newton::POST,
    newton::CORE,
    newton::LIVE,
    newton::LEVEL,
    newton::FALLBACK,
    newton::DER,
    newton::UPD,
    newton::QE,
    newton::APPROX,
    refinement::REFINE,
    refinement::SELECT,
    Axis {
        name: "interpolation",
        values: Engine::NAMES,
        aliases: &[],
        help: "the engine that computes interpolants",
        get: |config| config.interpolation.to_string(),
        set: |config, value| assign(&mut config.interpolation, value),
        applies: |_| true,
    },
    Axis {
        name: "prune",
        values: Prune::NAMES,
        aliases: &[("LAZY", "lazy"), ("FULL", "full")],
        help: "what a refinement removes: the refined subtree, or everything",
        get: |config| config.prune.to_string(),
        set: |config, value| assign(&mut config.prune, value),
        applies: |config| config.domain != DomainKind::Explicit || !config.splits_states(),
    },
];

/// The trace checker. An alias may set options of the checker, too.
const CHECKER: Axis = Axis {
    name: "checker",
    values: Checker::NAMES,
    aliases: &[
        ("SEQ_ITP", "sequence"),
        ("FW_BIN_ITP", "forward"),
        ("BW_BIN_ITP", "backward"),
        ("MULTI_SEQ", "sequence refine=all"),
        ("UNSAT_CORE", "unsat-core"),
        ("NWT_SP", "newton post=sp core=off live=off"),
        ("NWT_WP", "newton post=wp core=off live=off"),
        ("NWT_SP_LV", "newton post=sp core=off live=on"),
        ("NWT_WP_LV", "newton post=wp core=off live=on"),
        ("NWT_IT_SP", "newton post=sp core=on live=off"),
        ("NWT_IT_WP", "newton post=wp core=on live=off"),
        ("NWT_IT_SP_LV", "newton post=sp core=on live=on"),
        ("NWT_IT_WP_LV", "newton post=wp core=on live=on"),
    ],
    help: "how a spurious counterexample is explained",
    get: |config| config.checker.to_string(),
    set: |config, value| assign(&mut config.checker, value),
    applies: CHECKER_APPLIES,
};

const CHECKER_APPLIES: fn(&Config) -> bool = |config| !config.select.brings_checkers();

/// Why a text is no configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// There is no such axis.
    #[error("there is no option `{0}`; the options are {names}", names = axis_names())]
    Axis(String),
    /// The axis has no such value.
    #[error("`{value}` is no value of `{axis}`; its values are {values}", values = axis_values(axis))]
    Value {
        /// The axis.
        axis: &'static str,
        /// What was given.
        value: String,
    },
    /// Not of the form `axis=value`.
    #[error("`{0}` is not of the form `option=value`")]
    Form(String),
    /// The option has no effect with the others.
    #[error("`{axis}` has no effect with `{why}`")]
    Ineffective {
        /// The axis.
        axis: &'static str,
        /// The setting that makes it ineffective.
        why: String,
    },
    /// Two settings exclude each other.
    #[error("`{0}` and `precision=state` exclude each other: {1}")]
    Conflict(String, &'static str),
}

const FULL_CUBES: &str = "its states are full cubes, as those of `abstraction=split` are";
const NO_FLAGS: &str = "a split of single states knows no flagged variables";

fn axis_names() -> String {
    AXES.iter().map(|axis| axis.name).collect::<Vec<_>>().join(", ")
}

fn axis_values(name: &str) -> String {
    AXES.iter()
        .filter(|axis| axis.name == name)
        .flat_map(|axis| axis.values)
        .copied()
        .collect::<Vec<_>>()
        .join(", ")
}

impl Config {
    /// Sets one axis by name.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ConfigError> {
        let axis = AXES
            .iter()
            .find(|axis| axis.name == name)
            .ok_or_else(|| ConfigError::Axis(name.into()))?;
        let value = axis
            .aliases
            .iter()
            .find(|(alias, _)| *alias == value)
            .map_or(value, |(_, value)| value);
        // An alias may be followed by settings of other axes.
        let (value, others) = value.split_once(' ').unwrap_or((value, ""));
        if !(axis.set)(self, value) {
            return Err(ConfigError::Value { axis: axis.name, value: value.into() });
        }
        self.set_line(others).map(|_| ())
    }

    /// Sets the axes of a line such as `domain=explicit search=err`; returns those that were set.
    pub fn set_line(&mut self, line: &str) -> Result<Vec<String>, ConfigError> {
        let mut set = Vec::new();
        for word in line.split_whitespace() {
            let (name, value) =
                word.split_once('=').ok_or_else(|| ConfigError::Form(word.into()))?;
            self.set(name, value)?;
            set.push(name.to_string());
        }
        Ok(set)
    }

    /// Whether abstract states are split one by one.
    fn splits_states(&self) -> bool {
        self.precision == Granularity::State
    }

    /// Two settings that exclude each other, whatever was chosen. With predicates and `precision=state`, the
    /// abstraction is not looked at.
    pub fn conflict(&self) -> Option<ConfigError> {
        let excluded = self.splits_states() && self.domain == DomainKind::Product;
        excluded.then(|| ConfigError::Conflict("domain=product".into(), NO_FLAGS))
    }

    /// An error if one of the axes that were chosen has no effect with the others, or excludes another.
    pub fn check_effective(&self, chosen: &[String]) -> Result<(), ConfigError> {
        let is_chosen = |name: &str| chosen.iter().any(|chosen| chosen == name);
        if let Some(conflict) = self.conflict() {
            return Err(conflict);
        }
        let cubes = self.splits_states() && self.domain != DomainKind::Explicit;
        if cubes && is_chosen("abstraction") && self.abstraction != Abstraction::Split {
            let abstraction = format!("abstraction={}", self.abstraction);
            return Err(ConfigError::Conflict(abstraction, FULL_CUBES));
        }
        let is_idle = |axis: &Axis| !((axis.applies)(self) || cubes && axis.name == "abstraction");
        let idle = AXES.iter().find(|axis| is_chosen(axis.name) && is_idle(axis));
        match idle {
            Some(axis) => {
                Err(ConfigError::Ineffective { axis: axis.name, why: self.why_idle(axis) })
            }
            None => Ok(()),
        }
    }
}

impl Config {
    /// The setting that makes an axis ineffective.
    fn why_idle(&self, idle: &Axis) -> String {
        let checks = |axis: &Axis| {
            let mut other = *self;
            let helps = |value: &&str| (axis.set)(&mut other, value) && (idle.applies)(&other);
            axis.values.iter().any(helps).then(|| format!("{}={}", axis.name, (axis.get)(self)))
        };
        AXES.iter().filter(|axis| axis.name != idle.name).find_map(checks).unwrap_or_default()
    }
}

/// The line that reproduces the configuration: every axis that has an effect.
impl fmt::Display for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = AXES
            .iter()
            .filter(|axis| (axis.applies)(self))
            .map(|axis| format!("{}={}", axis.name, (axis.get)(self)))
            .collect();
        f.write_str(&words.join(" "))
    }
}
