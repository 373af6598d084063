//! What a verification is to do: everything that decides its course.

use std::path::PathBuf;

use lapidary_cegar::Config;
use lapidary_engine::Stage;
use lapidary_solver::limits::Limits;

/// How to verify an input that has been read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The property to verify: its name or its number; none is all there are.
    pub property: Option<String>,
    /// Which engines search.
    pub strategy: Strategy,
    /// The precision to start from, as [`Learned::precision`](crate::Learned) has it.
    pub start: Option<SavedPrecision>,
    /// The command of an SMT-LIB 2 solver; none is Z3 in process.
    pub solver: Option<String>,
    /// The folder for recordings of the solver's sessions.
    pub record: Option<PathBuf>,
    /// Whether to keep a drawing of the graph of abstract states.
    pub keeps_graph: bool,
    /// Whether to keep the precision at the end.
    pub keeps_precision: bool,
    /// The limits of time and memory. They are those of the process.
    pub limits: Limits,
}

/// Which engines search.
#[derive(Clone, Debug)]
pub enum Strategy {
    /// The default: stages in turn, each with a budget.
    Auto {
        /// The ingredients to do without: see [`INGREDIENTS`](lapidary_engine::strategy::INGREDIENTS).
        without: Vec<String>,
        /// How many stages run at once.
        jobs: usize,
        /// What becomes of calls.
        calls: Calls,
    },
    /// One engine alone.
    Alone(Stage),
    /// Abstraction and refinement with this configuration.
    Plain(Config),
}

/// What becomes of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// They are inlined; where not all can be, procedures are summed up as well.
    Auto,
    /// They are inlined.
    Inline,
    /// Procedures are summed up.
    Summaries,
}

impl Default for Strategy {
    fn default() -> Self {
        Strategy::Auto { without: Vec::new(), jobs: 1, calls: Calls::Auto }
    }
}

impl Strategy {
    /// The configuration, if there is one for the whole run.
    pub fn config(&self) -> Option<Config> {
        match self {
            Strategy::Auto { .. } => None,
            Strategy::Alone(stage) => stage.config(),
            Strategy::Plain(config) => Some(*config),
        }
    }
}

/// A precision as text.
#[derive(Clone, Debug)]
pub struct SavedPrecision {
    /// Where it is from, for messages.
    pub name: String,
    /// Its text form.
    pub text: String,
}
