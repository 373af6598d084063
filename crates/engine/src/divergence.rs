//! Divergence: a loop that is unrolled instead of understood.
//!
//! Counterexamples get longer, and what is learned from them differs in constants only: `x = 0`, `x = 2`, `x = 4`, ….
//! Nothing is wrong with that as long as it ends, as it does where a loop has few turns. A stage that goes on like this for
//! long ends before its budget does.

use lapidary_cegar::Tracked;
use lapidary_solver::limits::Watch;

use crate::observer::{Event, Observer, Story};

/// How many such counterexamples in a row are a sign. On the C programs of the collection, runs that come to an end
/// have up to 7, and those that do not often have any number of them.
const PATIENCE: u32 = 10;

/// Ends a stage that diverges, and passes everything on.
pub(crate) struct Divergence<'a> {
    inner: &'a mut dyn Observer,
    budget: Option<&'a Watch>,
    longest: usize,
    in_a_row: u32,
}

impl<'a> Divergence<'a> {
    /// Looks at the counterexamples of a stage with this budget, if they are to be looked at.
    pub(crate) fn new(inner: &'a mut dyn Observer, budget: Option<&'a Watch>) -> Self {
        Divergence { inner, budget, longest: 0, in_a_row: 0 }
    }

    /// Whether the stage was ended.
    pub(crate) fn is_noticed(&self) -> bool {
        self.budget.is_some() && self.in_a_row >= PATIENCE
    }
}

impl Observer for Divergence<'_> {
    fn event(&mut self, event: &Event) {
        self.inner.event(event);
    }

    fn refuted(&mut self, story: &Story) {
        self.inner.refuted(story);
        let is_same = !story.is_novel && story.length >= self.longest;
        self.longest = self.longest.max(story.length);
        self.in_a_row = if is_same { self.in_a_row + 1 } else { 0 };
        if self.in_a_row == PATIENCE
            && let Some(budget) = self.budget
        {
            self.inner.event(&Event::Diverging { length: story.length });
            budget.use_up();
        }
    }

    fn is_curious(&self) -> bool {
        self.inner.is_curious()
    }

    fn graph(&mut self, dot: &dyn Fn() -> String) {
        self.inner.graph(dot);
    }

    fn precision(&mut self, tracked: &dyn Fn() -> Vec<Tracked>) {
        self.inner.precision(tracked);
    }
}
