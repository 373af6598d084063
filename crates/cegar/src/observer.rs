//! Who hears what the loop does: progress displays, logs, statistics.

use crate::abstraction::Exploration;
use crate::checker::Eliminations;
use crate::precision::Tracked;
use crate::{Choice, Refutation};

/// A step of the loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Exploration ended.
    Explored {
        /// The size of the graph.
        nodes: usize,
        /// The nodes that were expanded, having been neither covered nor expanded before.
        explored: usize,
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
}

/// How a counterexample was refuted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// Its number of steps.
    pub length: usize,
    /// Who explained it.
    pub checker: &'static str,
    /// How the explanation was chosen, if there were several.
    pub choice: Option<Choice>,
    /// The first state that there is something to learn about.
    pub prune_index: Option<usize>,
    /// What entered the precision, and where; empty unless the observer is curious.
    pub learned: Vec<(String, String)>,
    /// Which methods eliminated quantifiers.
    pub eliminations: Eliminations,
    /// Whether the explanation differs from all before it in more than constants.
    pub is_novel: bool,
}

impl Story {
    pub(crate) fn new(refutation: &Refutation, length: usize, is_novel: bool) -> Self {
        Story {
            length,
            is_novel,
            checker: refutation.checker,
            choice: refutation.choice.clone(),
            prune_index: refutation.prune_index(),
            learned: Vec::new(),
            eliminations: refutation.eliminations,
        }
    }
}

/// Hears the steps of the loop.
pub trait Observer {
    /// A part of an iteration is done.
    fn step(&mut self, step: &Step);

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
    fn step(&mut self, _step: &Step) {}
}

/// Counts what happens in one run of the loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Rounds of the loop, the last one included.
    pub iterations: usize,
    /// Iterations whose counterexamples were ruled out.
    pub refinements: usize,
    /// The size of the graph at the end.
    pub nodes: usize,
    /// The nodes that were expanded, summed over the iterations (`#S` in the second paper).
    pub explored: usize,
    /// The size of the precision at the end.
    pub precision: usize,
    /// Counterexamples that were explained; several in one refinement, if several are looked for.
    pub counterexamples: usize,
    /// How quantifiers were eliminated.
    pub eliminations: Eliminations,
    /// Whether it was ended because it diverged.
    pub has_diverged: bool,
}

impl Observer for Statistics {
    fn refuted(&mut self, story: &Story) {
        self.counterexamples += 1;
        self.eliminations.add(&story.eliminations);
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Explored { nodes, explored, .. } => {
                self.iterations += 1;
                self.explored += explored;
                self.nodes = *nodes;
            }
            Step::Refined { precision, nodes, .. } => {
                self.refinements += 1;
                self.nodes = *nodes;
                self.precision = *precision;
            }
        }
    }
}
