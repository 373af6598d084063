//! Who hears what the engines do: progress displays, logs, statistics.

use std::time::Duration;

use lapidary_cegar::Tracked;
use lapidary_cegar::observer::Observer as LoopObserver;
pub use lapidary_cegar::observer::{Statistics, Step, Story};

use crate::stage::Stage;

/// A step of a run. It has a text form, which is one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A stage of the strategy begins.
    Stage(Stage),
    /// Several stages run at once, and what follows is about this one.
    Turn {
        /// How many stages began before it.
        stage: usize,
        /// The CPU time that it has used so far.
        cpu: Duration,
    },
    /// A bounded search goes so many edges deep.
    Unrolled {
        /// The number of edges.
        depth: usize,
    },
    /// Concrete runs have so many steps now.
    Running {
        /// The number of steps at most.
        length: u64,
    },
    /// Abstraction and refinement did a part of an iteration.
    Loop(Step),
    /// Counterexamples get longer and teach nothing but other constants: the stage ends.
    Diverging {
        /// The number of steps of the last one.
        length: usize,
    },
    /// The verdict is being validated.
    Validating,
    /// An execution did not survive the way back through slicing: everything starts again without that.
    Repeated,
}

/// Hears the steps of a run.
pub trait Observer {
    /// Something happened.
    fn event(&mut self, event: &Event);

    /// A counterexample was refuted; the iteration may have several.
    fn refuted(&mut self, _story: &Story) {}

    /// Whether stories are to say what entered the precision, which takes time to write down.
    fn is_curious(&self) -> bool {
        false
    }

    /// The graph at the end of the run, as a drawing that is made when asked for.
    fn graph(&mut self, _dot: &dyn Fn() -> String) {}

    /// The precision at the end of the run, taken apart when asked for.
    fn precision(&mut self, _tracked: &dyn Fn() -> Vec<Tracked>) {}
}

/// Hears nothing.
impl Observer for () {
    fn event(&mut self, _event: &Event) {}
}

/// Counts what happens in the stage that began last; whoever hears of several at once has one for each.
impl Observer for Statistics {
    fn refuted(&mut self, story: &Story) {
        LoopObserver::refuted(self, story);
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::Loop(step) => self.step(step),
            Event::Stage(_) => *self = Statistics::default(),
            Event::Diverging { .. } => self.has_diverged = true,
            Event::Turn { .. }
            | Event::Unrolled { .. }
            | Event::Running { .. }
            | Event::Validating
            | Event::Repeated => {}
        }
    }
}
