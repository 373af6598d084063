//! Verdicts, which hold only with evidence that has been validated.

use lapidary_model::{Execution, Proof};
use lapidary_solver::Stop;

/// The answer to a verification task.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The error location cannot be reached, as the proof shows.
    Safe(Proof),
    /// The error location is reached by this execution.
    Unsafe(Execution),
    /// No answer, and why.
    Unknown(Unknown),
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unknown {
    /// A limit, the solver, or interpolation.
    #[error("{0}")]
    Stop(#[from] Stop),
    /// The same abstract counterexample came back under the same precision.
    #[error("no progress: refinement finds nothing new about a counterexample of {length} steps")]
    NoProgress {
        /// The number of steps of the counterexample.
        length: usize,
    },
    /// A bounded search has seen all runs, and no error.
    #[error(
        "no run is longer than {depth} steps and none reaches the error, which is no proof yet"
    )]
    Exhausted {
        /// The number of steps of the longest runs.
        depth: usize,
    },
    /// Concrete runs have met no error, and more of them would be the same.
    #[error("no error in {runs} concrete runs, which is no proof")]
    NoErrorMet {
        /// The number of runs.
        runs: u64,
    },
    /// A Horn solver says that the error can be reached.
    #[error("the Horn clauses have no solution, and the solver has no run to show")]
    NoSolution,
    /// IC3 takes systems of truth values only.
    #[error("the input is not a transition system of bits, which IC3 needs")]
    NoBits,
    /// Something that the model does not cover can be reached; the text says what and where.
    #[error("unsupported: {0}")]
    Unsupported(String),
    /// Evidence that validation rejects: a bug of this program.
    #[error("internal error: {0}")]
    Internal(String),
}
