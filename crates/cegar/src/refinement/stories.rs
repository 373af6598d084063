//! What refinement has to tell about counterexamples.

use super::novelty::Novelty;
use crate::Refutation;
use crate::observer::Story;

/// The stories since somebody last asked.
#[derive(Default)]
pub(super) struct Stories {
    pub(super) list: Vec<Story>,
    /// Whether they say what enters the precision.
    pub(super) in_full: bool,
    novelty: Novelty,
}

impl Stories {
    /// Begins the story of a counterexample; its number.
    pub(super) fn begin(&mut self, refutation: &Refutation, length: usize) -> usize {
        let is_novel = self.novelty.see(&refutation.reasons);
        self.list.push(Story::new(refutation, length, is_novel));
        self.list.len() - 1
    }
}
