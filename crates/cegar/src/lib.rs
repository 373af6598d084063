//! Counterexample-guided abstraction refinement.
//!
//! The loop is Algorithm 3 of Hajdu & Micskei, *Efficient Strategies for CEGAR-based Model Checking* (JAR
//! 2019), in [`mod@cegar`]; [`abstraction`] is its Algorithm 1 and [`refinement`] its Algorithm 2. What these
//! are generic in are the traits of this module: a [`Domain`] says what abstract states are, a
//! [`TraceChecker`] decides abstract counterexamples and explains spurious ones.
//!
//! [`verify()`] puts a [`Config`] together, runs the loop on the reduced automaton, brings the evidence back
//! to the automaton that was given, and lets [`validate`] check it there. Nothing in this crate prints, reads
//! files or looks at the clock; an [`Observer`] hears what happens.

pub mod abstraction;
pub mod arg;
mod axis;
pub mod cegar;
pub mod checker;
pub mod config;
pub mod domain;
pub mod observer;
pub mod precision;
pub mod refinement;
pub mod search;
pub mod validate;
mod verify;

use std::fmt::Debug;

use lapidary_expr::{Term, Valuation, VarSet};
use lapidary_model::{Execution, Proof, Stmt};
pub use lapidary_solver::{Result, Stop};

pub use arg::{CoverIndex, NodeId};
pub use config::Config;
pub use observer::{Event, Observer};
pub use verify::{verify, verify_with_judge};

/// An abstract domain `(S, ⊑, expr)` with its precisions `Π` and transfer function `T` (first paper,
/// Definition 2). Bottom is not a state: `post` yields no successor instead.
pub trait Domain {
    /// `S`: what is known at a point of the program.
    type State: Clone + Debug;
    /// `Π`: what is worth knowing.
    type Prec: Precision;
    /// How the states that may cover a state are found.
    type Index: CoverIndex<Self::State>;

    /// Nothing is known.
    fn top(&self) -> Self::State;

    /// `s ⊑ t`: every concrete state of `s` is one of `t`.
    fn leq(&mut self, s: &Self::State, t: &Self::State) -> Result<bool>;

    /// `T(s, op, π)`: states that together hold every successor of `s` by `stmt`. `given` is what else is
    /// known about the step, over `x` and `x'`: in a product, what the other side knows before and after.
    fn post(
        &mut self,
        s: &Self::State,
        given: Term,
        stmt: &Stmt,
        prec: &Self::Prec,
    ) -> Result<Vec<Self::State>>;

    /// The meaning of a state.
    fn expr(&self, s: &Self::State) -> Term;

    /// What the reason why a counterexample is spurious adds to `prec`, the precision at `at` so far.
    fn learn(&mut self, at: &Self::State, reason: &Reason, prec: &Self::Prec) -> Self::Prec;
}

/// A precision: what a domain keeps track of.
pub trait Precision: Clone + Default + Debug {
    /// Adds what `other` has; whether that was new.
    fn join(&mut self, other: &Self) -> bool;

    /// The number of things tracked, for reports.
    fn size(&self) -> usize;
}

/// An abstract counterexample: states and the statements between them.
#[derive(Clone, Debug)]
pub struct Trace<'a> {
    /// The meaning of each abstract state, from the entry to the error.
    pub states: Vec<Term>,
    /// The statement after each state but the last.
    pub stmts: Vec<&'a Stmt>,
}

/// Why a counterexample cannot go on as it does after some state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// This holds there, and what follows contradicts it. `true` and `false` say nothing about the state.
    Holds(Term),
    /// The values of these variables there contradict what follows.
    Tracks(VarSet),
}

impl Reason {
    /// Whether there is nothing to learn from it.
    pub fn is_trivial(&self) -> bool {
        match self {
            Reason::Holds(term) => term.is_true() || term.is_false(),
            Reason::Tracks(vars) => vars.is_empty(),
        }
    }
}

/// Whether an abstract counterexample is a real one.
#[derive(Clone, Debug)]
pub enum Feasibility {
    /// It is: a model of the path's formulas.
    Feasible(Valuation),
    /// It is not: a reason for each state of the trace.
    Infeasible(Vec<Reason>),
}

/// Decides abstract counterexamples.
pub trait TraceChecker {
    /// Whether a concrete path follows the trace, and if not, why.
    fn check(&mut self, trace: &Trace<'_>) -> Result<Feasibility>;
}

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
    /// Something that the model does not cover can be reached; the text says what and where.
    #[error("unsupported: {0}")]
    Unsupported(String),
    /// Evidence that validation rejects: a bug of this program.
    #[error("internal error: {0}")]
    Internal(String),
}
