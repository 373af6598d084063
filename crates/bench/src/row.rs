//! One row per run: the variables of the first paper's Table 2, and what the run cost.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// What a tool says, and what is known to be right.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The error cannot be reached.
    Safe,
    /// It can.
    Unsafe,
    /// Nothing is known.
    Unknown,
}

impl Verdict {
    /// The verdict that a word means; all other words mean that nothing is known.
    pub fn of(word: &str) -> Verdict {
        match word {
            "safe" => Verdict::Safe,
            "unsafe" => Verdict::Unsafe,
            _ => Verdict::Unknown,
        }
    }

    /// The word.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Safe => "safe",
            Verdict::Unsafe => "unsafe",
            Verdict::Unknown => "unknown",
        }
    }

    /// Whether it is an answer.
    pub fn is_decided(self) -> bool {
        self != Verdict::Unknown
    }
}

/// Why a run ended. The first paper's `Termination`, with wrong answers apart.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
pub enum Termination {
    /// With an answer that is not known to be wrong.
    Success,
    /// With a wrong answer.
    Wrong,
    /// At the limit of CPU time or of time that passes.
    Time,
    /// At the limit of memory.
    Memory,
    /// In any other way.
    Exception,
}

impl Termination {
    /// The word.
    pub fn name(self) -> &'static str {
        match self {
            Termination::Success => "success",
            Termination::Wrong => "wrong",
            Termination::Time => "time",
            Termination::Memory => "memory",
            Termination::Exception => "exception",
        }
    }
}

/// What tells runs of an experiment apart.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The name of the task.
    pub task: String,
    /// The name of the configuration.
    pub configuration: String,
    /// The number of the repetition, from 1.
    pub repetition: u32,
}

/// What the tool says about its run, where it says something.
#[derive(Clone, Debug, Default, Deserialize, Serialize, PartialEq)]
#[serde(default)]
pub struct Statistics {
    /// Rounds of abstraction and refinement.
    pub iterations: Option<u64>,
    /// Nodes of the last graph.
    pub nodes: Option<u64>,
    /// Abstract states explored over all iterations (the second paper's `#S`).
    pub explored: Option<u64>,
    /// What is tracked at the end.
    pub precision_size: Option<u64>,
    /// Counterexamples ruled out (the second paper's `#R`).
    pub refinements: Option<u64>,
    /// Queries.
    pub solver_calls: Option<u64>,
    /// Time in queries.
    pub solver_seconds: Option<f64>,
}

/// A run.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct Row {
    /// Which run.
    #[serde(flatten)]
    pub key: Key,
    /// The category of the task.
    pub category: String,
    /// What is known to be right.
    pub expected: Verdict,
    /// Each axis of the configuration: as the tool reports it, or else as it was told.
    pub axes: IndexMap<String, String>,
    /// Why the run ended.
    pub termination: Termination,
    /// What the tool said.
    pub result: Verdict,
    /// CPU time of the process and its children.
    pub cpu_seconds: f64,
    /// Time that passed.
    pub wall_seconds: f64,
    /// The most memory that the process and its children had.
    pub memory_bytes: u64,
    /// What the tool says about its run.
    #[serde(flatten)]
    pub statistics: Statistics,
    /// How the process ended: `exit 0`, `signal 9`.
    pub exit: String,
    /// Why there is no answer, for people.
    pub reason: String,
    /// How time and memory were measured.
    pub metered: String,
}

impl Row {
    /// The first paper's `Succ`.
    pub fn is_success(&self) -> bool {
        self.termination == Termination::Success
    }

    /// Whether it contradicts what is known.
    pub fn is_wrong(&self) -> bool {
        self.termination == Termination::Wrong
    }
}
