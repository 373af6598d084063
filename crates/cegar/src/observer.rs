//! Who hears what the loop does: progress displays, logs, statistics.

use crate::abstraction::Exploration;

/// A step of the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Exploration ended.
    Explored {
        /// The size of the graph.
        nodes: usize,
        /// What it found.
        result: Exploration,
    },
    /// A spurious counterexample was ruled out.
    Refined {
        /// Its number of steps.
        length: usize,
        /// The size of the precision now.
        precision: usize,
        /// The size of the graph after pruning.
        nodes: usize,
    },
    /// The verdict is being validated.
    Validating,
}

/// Hears the steps of a run.
pub trait Observer {
    /// Something happened.
    fn event(&mut self, event: &Event);

    /// The graph at the end of the run, as a drawing that is made when asked for.
    fn graph(&mut self, _dot: &dyn Fn() -> String) {}
}

/// Hears nothing.
impl Observer for () {
    fn event(&mut self, _event: &Event) {}
}

/// Counts what happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Rounds of the loop, the last one included.
    pub iterations: usize,
    /// Counterexamples that were ruled out.
    pub refinements: usize,
    /// The size of the graph at the end.
    pub nodes: usize,
    /// The nodes that were explored, summed over the iterations (`#S` in the second paper).
    pub explored: usize,
    /// The size of the precision at the end.
    pub precision: usize,
}

impl Observer for Statistics {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Explored { nodes, .. } => {
                self.iterations += 1;
                // What the last refinement left was explored before.
                self.explored += nodes.saturating_sub(self.nodes);
                self.nodes = *nodes;
            }
            Event::Refined { precision, nodes, .. } => {
                self.refinements += 1;
                self.nodes = *nodes;
                self.precision = *precision;
            }
            Event::Validating => {}
        }
    }
}
