//! An abstract interpretation without a solver: the interval and the congruence of each variable at each location.
//!
//! The passes `wraps` and `invariants` use its results. Both state what they used in the proof, so the validator checks it.

mod abs;
mod fixpoint;
mod operators;
mod restrict;
mod rewrite;
mod state;
#[cfg(test)]
mod tests;
mod thresholds;
mod transfer;

pub(super) use abs::Abs;
pub(super) use fixpoint::{States, analyze, is_inductive, reverse_postorder};
pub(super) use state::State;
pub(super) use transfer::Transfer;
