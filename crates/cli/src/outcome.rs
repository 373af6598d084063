//! What a run ended with, as reports need it.

use std::time::Duration;

use lapidary_engine::observer::Statistics;
use lapidary_engine::{Stage, Unknown};
use lapidary_frontend::Task;
use lapidary_model::{Cfa, Execution, Proof};

use crate::failure::{Failure, INTERNAL, SAFE, UNKNOWN, UNSAFE};
use crate::report::number;
use crate::trace::Trace;

/// What the engine came to.
#[derive(Debug)]
pub(crate) struct Found {
    /// What decides the verdict.
    pub(crate) finding: Finding,
    /// What was found about each property, if the input names them.
    pub(crate) properties: Vec<Property>,
    /// What the verdict rests on.
    pub(crate) notes: Vec<String>,
    /// Why a file could not be written, if one could not. The verdict holds all the same.
    pub(crate) unwritten: Option<Failure>,
}

impl From<Unknown> for Found {
    fn from(unknown: Unknown) -> Found {
        Found {
            finding: Finding::Unknown(unknown),
            properties: Vec::new(),
            notes: Vec::new(),
            unwritten: None,
        }
    }
}

/// A verdict and what it cost.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) finding: Finding,
    /// What was found about each property, if the input names them.
    pub(crate) properties: Vec<Property>,
    /// What the verdict rests on.
    pub(crate) notes: Vec<String>,
    pub(crate) costs: Costs,
}

/// A property and its verdict.
#[derive(Clone, Debug)]
pub(crate) struct Property {
    pub(crate) name: String,
    pub(crate) verdict: &'static str,
    pub(crate) reason: Option<String>,
}

/// A verdict with its evidence.
#[derive(Debug)]
pub(crate) enum Finding {
    /// The error location cannot be reached.
    Safe { task: Task, proof: Proof },
    /// It can, by this execution, of which the trace is shown.
    Unsafe { task: Task, execution: Execution, trace: Trace },
    /// No answer.
    Unknown(Unknown),
    /// No answer, as the program may leave what the model covers by this execution, and no violation was found that does
    /// not.
    Outside { task: Task, execution: Execution, trace: Trace, what: String },
}

/// What a run did and used.
#[derive(Clone, Debug, Default)]
pub(crate) struct Costs {
    pub(crate) counts: Snapshot,
    pub(crate) cpu: Duration,
    pub(crate) wall: Duration,
    /// In bytes, where the system tells.
    pub(crate) peak_memory: Option<u64>,
}

/// How far the engine is. It may be asked for at any time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Snapshot {
    /// The automaton, once it has been read.
    pub(crate) size: Option<Size>,
    /// How the numbers of a C program are written.
    pub(crate) arith: Option<&'static str>,
    /// Where and why the program may leave the model, if that is known and the search goes on for other violations.
    pub(crate) outside: Option<String>,
    /// The stages of the strategy so far, if there are any; the last one is under way, or was last heard of.
    pub(crate) stages: Vec<StageCost>,
    /// The stage that the verdict is from, once there is one. Later stages may be about other properties.
    pub(crate) decided: Option<Stage>,
    pub(crate) statistics: Statistics,
    pub(crate) solver_calls: u64,
    pub(crate) solver_time: Duration,
}

impl Snapshot {
    /// The stage that decided or, without a verdict, the last one.
    pub(crate) fn deciding(&self) -> Option<Stage> {
        self.decided.or(self.stages.last().map(|last| last.stage))
    }

    /// A stage begins.
    pub(crate) fn begin(&mut self, number: usize, stage: Stage, begin: Duration) {
        self.leave();
        self.statistics = Statistics::default();
        let statistics = self.statistics;
        self.stages.push(StageCost { number, stage, begin, own: None, statistics });
    }

    /// Another of the stages that run at once is heard of: it becomes the last, and the statistics are its own.
    pub(crate) fn turn_to(&mut self, number: usize, cpu: Duration) {
        let Some(place) = self.stages.iter().rposition(|other| other.number == number) else {
            return;
        };
        self.leave();
        self.stages[place..].rotate_left(1);
        if let Some(last) = self.stages.last_mut() {
            last.own = Some(cpu);
            self.statistics = last.statistics;
        }
    }

    fn leave(&mut self) {
        if let Some(last) = self.stages.last_mut() {
            last.statistics = self.statistics;
        }
    }
}

/// A stage, and what it cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StageCost {
    /// How many stages of the same property began before it.
    pub(crate) number: usize,
    pub(crate) stage: Stage,
    /// The CPU time of the run at its beginning.
    pub(crate) begin: Duration,
    /// The CPU time of its thread, if several stages run at once; otherwise it ends where the next one begins.
    pub(crate) own: Option<Duration>,
    /// What it had done when another one was heard of.
    pub(crate) statistics: Statistics,
}

/// The size of an automaton.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) locations: usize,
    pub(crate) edges: usize,
    pub(crate) variables: usize,
}

impl Size {
    pub(crate) fn of(cfa: &Cfa) -> Size {
        Size { locations: cfa.n_locs(), edges: cfa.n_edges(), variables: cfa.vars().len() }
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Size { locations, edges, variables } = *self;
        write!(
            f,
            "{}, {}, {}",
            number(locations, "location"),
            number(edges, "edge"),
            number(variables, "variable")
        )
    }
}

impl Outcome {
    pub(crate) fn exit_status(&self) -> i32 {
        match &self.finding {
            Finding::Safe { .. } => SAFE,
            Finding::Unsafe { .. } => UNSAFE,
            Finding::Unknown(Unknown::Internal(_)) => INTERNAL,
            Finding::Unknown(_) | Finding::Outside { .. } => UNKNOWN,
        }
    }
}

impl Finding {
    /// `safe`, `unsafe` or `unknown`.
    pub(crate) fn verdict(&self) -> &'static str {
        match self {
            Finding::Safe { .. } => "safe",
            Finding::Unsafe { .. } => "unsafe",
            Finding::Unknown(_) | Finding::Outside { .. } => "unknown",
        }
    }

    /// Why the verdict is `unknown`, on one line.
    pub(crate) fn reason(&self) -> Option<String> {
        let reason = match self {
            Finding::Unknown(unknown) => unknown.to_string(),
            Finding::Outside { what, .. } => Unknown::Unsupported(what.clone()).to_string(),
            Finding::Safe { .. } | Finding::Unsafe { .. } => return None,
        };
        Some(reason.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}
