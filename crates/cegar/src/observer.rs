//! Who hears what the loop does: progress displays, logs, statistics.

mod text;

use std::time::Duration;

use crate::abstraction::Exploration;
use crate::checker::Eliminations;
use crate::precision::Tracked;
use crate::strategy::Stage;
use crate::{Choice, Refutation};

/// A step of the loop. It has a text form, which is one line.
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
    /// Whether the stage was ended because it diverged.
    pub has_diverged: bool,
}

impl Observer for Statistics {
    fn refuted(&mut self, story: &Story) {
        self.counterexamples += 1;
        self.eliminations.add(&story.eliminations);
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::Explored { nodes, explored, .. } => {
                self.iterations += 1;
                self.explored += explored;
                self.nodes = *nodes;
            }
            Event::Refined { precision, nodes, .. } => {
                self.refinements += 1;
                self.nodes = *nodes;
                self.precision = *precision;
            }
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
