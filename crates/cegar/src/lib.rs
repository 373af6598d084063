//! Counterexample-guided abstraction refinement.
//!
//! The loop is Algorithm 3 of Hajdu & Micskei, *Efficient Strategies for CEGAR-based Model Checking* (JAR
//! 2019), in [`mod@cegar`]; [`abstraction`] is its Algorithm 1 and [`refinement`] its Algorithm 2. What these
//! are generic in are the traits of this module: a [`Domain`] says what abstract states are, a
//! [`TraceChecker`] decides abstract counterexamples and explains spurious ones.
//!
//! [`Configured`] puts together what a [`Config`] asks for, and runs the loop with it. Nothing in this crate prints, reads
//! files, looks at the clock or validates; an [`Observer`] hears what happens.

pub mod abstraction;
pub mod arg;
mod axis;
pub mod cegar;
pub mod checker;
pub mod config;
mod configured;
pub mod domain;
pub mod encoding;
pub mod initial;
pub mod observer;
pub mod passes;
pub mod precision;
pub mod refinement;
pub mod search;
mod trace;

use std::fmt::Debug;

use lapidary_expr::Term;
use lapidary_model::Stmt;
pub use lapidary_solver::{Result, Stop};

pub use arg::{CoverIndex, NodeId};
pub use config::Config;
pub use configured::{Configured, trace_checker};
pub use observer::Observer;
pub use precision::{Fact, Tracked};
pub use trace::{Choice, Feasibility, Reason, Refutation, Trace, TraceChecker};

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

    /// Whether `s` is no state under `prec` any more, because refinement has split it: its parts replace it.
    fn is_split(&self, _s: &Self::State, _prec: &Self::Prec) -> bool {
        false
    }

    /// Whether a state is one of many that a statement leads to, so that a path is chosen by its states.
    fn chooses(&self) -> bool {
        false
    }

    /// What the reason why a counterexample is spurious adds to `prec`, the precision at `at` so far.
    fn learn(&mut self, at: &Self::State, reason: &Reason, prec: &Self::Prec) -> Self::Prec;

    /// What the reasons along a counterexample add to the precisions at their states, one for each.
    fn learn_along(&mut self, path: &[Lesson<'_, Self>]) -> Vec<Self::Prec>
    where
        Self: Sized,
    {
        path.iter().map(|it| self.learn(it.at, it.reason, it.prec)).collect()
    }
}

/// A state of a spurious counterexample with the reason at it, and the precision so far.
#[derive(Debug)]
pub struct Lesson<'a, D: Domain> {
    /// The state.
    pub at: &'a D::State,
    /// Why no execution goes on from here to the error.
    pub reason: &'a Reason,
    /// The precision at the state.
    pub prec: &'a D::Prec,
}

/// A precision: what a domain keeps track of.
pub trait Precision: Clone + Default + Debug {
    /// Adds what `other` has; whether that was new.
    fn join(&mut self, other: &Self) -> bool;

    /// The number of things tracked, for reports.
    fn size(&self) -> usize;

    /// What is tracked, in a fixed order; whoever has nothing to tell cannot be written to a file.
    fn facts(&self) -> Vec<Fact> {
        Vec::new()
    }

    /// Adds what another precision, perhaps of another domain, told.
    fn adopt(&mut self, _fact: &Fact) {}

    /// The things tracked, as people read them.
    fn items(&self) -> Vec<String> {
        self.facts().iter().map(ToString::to_string).collect()
    }
}
