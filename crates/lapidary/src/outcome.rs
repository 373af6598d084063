//! What a run ended with, as reports need it.

use std::time::Duration;

use lapidary_engine::{Stage, Unknown};
use lapidary_frontend::Task;
use lapidary_model::{Execution, Proof};

use crate::progress::Snapshot;
use crate::trace::Trace;

/// What a verification came to.
#[derive(Debug)]
pub struct Found {
    /// What decides the verdict.
    pub finding: Finding,
    /// The number of the property that decides.
    pub property: usize,
    /// The stage that decided.
    pub stage: Option<Stage>,
    /// What was found about each property, if the input names them.
    pub properties: Vec<Property>,
    /// What the verdict rests on.
    pub notes: Vec<String>,
}

impl Found {
    /// The outcome, with what it cost.
    pub fn with(self, costs: Costs) -> Outcome {
        let Found { finding, properties, notes, .. } = self;
        Outcome { finding, properties, notes, costs }
    }
}

impl From<Unknown> for Found {
    fn from(unknown: Unknown) -> Found {
        Found {
            finding: Finding::Unknown(unknown),
            property: 0,
            stage: None,
            properties: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// A verdict and what it cost. It owns all that it holds.
#[derive(Debug)]
pub struct Outcome {
    /// What decides the verdict.
    pub finding: Finding,
    /// What was found about each property, if the input names them.
    pub properties: Vec<Property>,
    /// What the verdict rests on.
    pub notes: Vec<String>,
    /// What the run did and used.
    pub costs: Costs,
}

/// A property and its verdict.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// `safe`, `unsafe` or `unknown`.
    pub verdict: &'static str,
    /// Why it is unknown.
    pub reason: Option<String>,
}

/// A verdict with its evidence.
#[derive(Debug)]
pub enum Finding {
    /// The error location cannot be reached.
    Safe {
        /// What was verified.
        task: Task,
        /// The proof, about the automaton of the task.
        proof: Proof,
    },
    /// It can, by this execution, of which the trace is shown.
    Unsafe {
        /// What was verified.
        task: Task,
        /// The execution, of the automaton of the task.
        execution: Execution,
        /// The values along it.
        trace: Trace,
    },
    /// No answer.
    Unknown(Unknown),
    /// No answer, as the program may leave what the model covers by this execution, and no violation was found that does
    /// not.
    Outside {
        /// What was verified.
        task: Task,
        /// The execution up to where it leaves the model.
        execution: Execution,
        /// The values along it.
        trace: Trace,
        /// Why and where.
        what: String,
    },
}

/// What a run did and used.
#[derive(Clone, Debug, Default)]
pub struct Costs {
    /// What it did.
    pub counts: Snapshot,
    /// CPU time of the process.
    pub cpu: Duration,
    /// Time that passed.
    pub wall: Duration,
    /// The most memory that the process had, in bytes, where the system tells.
    pub peak_memory: Option<u64>,
}

impl Finding {
    /// The property that the execution violates, if there is one and the input tells properties apart.
    pub fn violated(&self) -> Option<&lapidary_model::Property> {
        let Finding::Unsafe { task, execution, .. } = self else { return None };
        let ends = task.model.ends()?;
        ends.violated(execution).map(|property| ends.get(property))
    }

    /// `safe`, `unsafe` or `unknown`.
    pub fn verdict(&self) -> &'static str {
        match self {
            Finding::Safe { .. } => "safe",
            Finding::Unsafe { .. } => "unsafe",
            Finding::Unknown(_) | Finding::Outside { .. } => "unknown",
        }
    }

    /// Why the verdict is `unknown`, on one line.
    pub fn reason(&self) -> Option<String> {
        let reason = match self {
            Finding::Unknown(unknown) => unknown.to_string(),
            Finding::Outside { what, .. } => Unknown::Unsupported(what.clone()).to_string(),
            Finding::Safe { .. } | Finding::Unsafe { .. } => return None,
        };
        Some(reason.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}
