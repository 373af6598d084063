//! Why there is no answer.

use thiserror::Error;

/// A result, or the reason why there is none.
pub type Result<T> = std::result::Result<T, Stop>;

/// What keeps a computation from its answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Stop {
    /// A limit was reached.
    #[error("{0}")]
    Limit(Limit),
    /// The solver gave up or failed.
    #[error("solver: {0}")]
    Solver(String),
    /// No interpolation engine could explain the contradiction.
    #[error("no interpolants: {0}")]
    Interpolation(String),
}

/// A limit of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Limit {
    /// CPU time.
    #[error("time limit reached")]
    Time,
    /// Time that passed.
    #[error("wall time limit reached")]
    Wall,
    /// Memory.
    #[error("memory limit reached")]
    Memory,
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupt,
    /// The budget of work for a part of a run.
    #[error("budget of work used up")]
    Work,
}
