//! How far a verification is: what displays show meanwhile, and reports at the end.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lapidary_engine::Stage;
use lapidary_engine::observer::Statistics;
use lapidary_model::Cfa;

/// A snapshot that another thread may look at while the verification goes on; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<Mutex<Snapshot>>);

impl Progress {
    /// How far it is now.
    pub fn snapshot(&self) -> Snapshot {
        self.update(|snapshot| snapshot.clone())
    }

    pub(crate) fn update<T>(&self, change: impl FnOnce(&mut Snapshot) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// How far the engine is. It may be asked for at any time.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The automaton, once it has been read.
    pub size: Option<Size>,
    /// How the numbers of a C program are written.
    pub arith: Option<&'static str>,
    /// Where and why the program may leave the model, if that is known and the search goes on for other violations.
    pub outside: Option<String>,
    /// The stages of the strategy so far, if there are any; the last one is under way, or was last heard of.
    pub stages: Vec<StageCost>,
    /// The stage that the verdict is from, once there is one. Later stages may be about other properties.
    pub decided: Option<Stage>,
    /// What the stage under way has done.
    pub statistics: Statistics,
    /// Calls of solvers.
    pub solver_calls: u64,
    /// The time in them.
    pub solver_time: Duration,
}

impl Snapshot {
    /// The stage that decided or, without a verdict, the last one.
    pub fn deciding(&self) -> Option<Stage> {
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
pub struct StageCost {
    /// How many stages of the same property began before it.
    pub number: usize,
    /// The stage.
    pub stage: Stage,
    /// The CPU time of the run at its beginning.
    pub begin: Duration,
    /// The CPU time of its thread, if several stages run at once; otherwise it ends where the next one begins.
    pub own: Option<Duration>,
    /// What it had done when another one was heard of.
    pub statistics: Statistics,
}

/// The size of an automaton.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Locations.
    pub locations: usize,
    /// Edges.
    pub edges: usize,
    /// Variables.
    pub variables: usize,
}

impl Size {
    /// The size of `cfa`.
    pub fn of(cfa: &Cfa) -> Size {
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

/// `1 node`, `2 nodes`.
fn number(n: usize, what: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {what}{plural}")
}
