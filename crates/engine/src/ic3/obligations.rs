//! Proof obligations: cubes from which a bad state can be reached, to be blocked at a level.
//!
//! The lowest level comes first, then the smallest depth (Eén, Mishchenko & Brayton, FMCAD 2011, section III): an
//! obligation that is blocked comes back one level higher, so counterexamples longer than the number of frames are
//! found.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::cube::Cube;

/// A cube from which inputs lead to a bad state.
pub(super) struct Obligation {
    pub(super) cube: Cube,
    /// The input values of the step to the next cube, or of a bad frame.
    pub(super) open: Vec<bool>,
    /// The obligation that a step leads to; none if the states are bad.
    pub(super) next: Option<usize>,
    /// How many steps lead to a bad state.
    pub(super) depth: usize,
    /// How often it has been looked at, recent times counting more.
    pub(super) activity: f64,
}

#[derive(Default)]
pub(super) struct Obligations {
    all: Vec<Obligation>,
    /// Level, depth and number of those that are not blocked yet.
    queue: BinaryHeap<Reverse<(usize, usize, usize)>>,
}

impl Obligations {
    pub(super) fn push(&mut self, obligation: Obligation, level: usize) {
        let number = self.all.len();
        self.all.push(obligation);
        self.queue_again(number, level);
    }

    pub(super) fn queue_again(&mut self, number: usize, level: usize) {
        self.queue.push(Reverse((level, self.all[number].depth, number)));
    }

    /// The next obligation and its level, if that is not above `last`.
    pub(super) fn pop(&mut self, last: usize) -> Option<(usize, usize)> {
        let Reverse((level, _, number)) = *self.queue.peek()?;
        if level > last {
            return None;
        }
        self.queue.pop();
        Some((number, level))
    }

    pub(super) fn get(&self, number: usize) -> &Obligation {
        &self.all[number]
    }

    pub(super) fn activity_mut(&mut self, number: usize) -> &mut f64 {
        &mut self.all[number].activity
    }

    /// The obligation and all that follow it to a bad state.
    pub(super) fn chain(&self, first: usize) -> impl Iterator<Item = &Obligation> {
        std::iter::successors(Some(&self.all[first]), |it| it.next.map(|next| &self.all[next]))
    }
}
