//! Satisfiability, models, unsatisfiable cores, quantifier elimination and interpolation.
//!
//! A back end implements the small traits of this module, and as many as it can: [`Solver`],
//! [`UnsatCore`], [`Eliminate`]. The engine in process is Z3 ([`z3`]); any other solver can run as a process
//! that speaks SMT-LIB 2 ([`smtlib`]). What is done around a back end (counting, checking, recording, caching)
//! is a wrapper ([`wrap`]). [`interpolate`] holds the interpolation engines, which need cores and elimination
//! only, so that they work over any back end.
//!
//! Answers are two-valued: whatever keeps a solver from an answer (a limit, `unknown`, a failure) is an
//! [`Err(Stop)`](Stop) and travels by `?`.

mod children;
pub mod eliminate;
mod hard;
pub mod horn;
pub mod interpolate;
pub mod limits;
mod linear;
mod panics;
pub mod smtlib;
mod stop;
pub mod wrap;
pub mod z3;

use lapidary_expr::{Term, Valuation, VarSet};

pub use children::end_all as end_solver_processes;
pub use stop::{Limit, Result, Stop};

/// Decides formulas incrementally.
pub trait Solver {
    /// Opens a scope.
    fn push(&mut self);

    /// Closes the innermost scope: what was asserted in it is gone.
    fn pop(&mut self);

    /// Adds a formula to the innermost scope.
    fn assert(&mut self, formula: Term);

    /// Whether the assertions are satisfiable.
    fn is_sat(&mut self) -> Result<bool>;

    /// A model of the assertions with a value for each of `vars`; none if there is no model.
    fn model(&mut self, vars: &VarSet) -> Result<Option<Valuation>>;

    /// Whether the assertions and `premise` together imply `conclusion`.
    fn entails(&mut self, premise: Term, conclusion: Term) -> Result<bool> {
        if premise == conclusion || conclusion.is_true() || premise.is_false() {
            return Ok(true);
        }
        self.push();
        self.assert(premise);
        self.assert(conclusion.not());
        let sat = self.is_sat();
        self.pop();
        sat.map(|sat| !sat)
    }
}

/// Explains contradictions.
pub trait UnsatCore: Solver {
    /// Positions of assumptions that contradict the assertions; none if all of them are satisfiable
    /// together.
    fn core(&mut self, assumptions: &[Term]) -> Result<Option<Vec<usize>>>;
}

/// Eliminates quantifiers.
pub trait Eliminate {
    /// A quantifier-free formula equivalent to `∃ vars. formula`; none if this is too hard.
    fn eliminate(&mut self, vars: &VarSet, formula: Term) -> Result<Option<Term>>;
}

/// What interpolation found.
#[derive(Clone, Debug)]
pub enum Interpolants {
    /// The parts are satisfiable together, as this model of all their variables shows.
    Sat(Valuation),
    /// `itps[i]` separates `parts[..=i]` from `parts[i + 1..]`: the former imply it, it contradicts the
    /// latter, it speaks of what both know, and with `parts[i + 1]` it implies `itps[i + 1]`.
    Unsat(Vec<Term>),
}

/// Computes sequence interpolants (first paper, Definition 5).
pub trait Interpolator {
    /// Interpolants between the parts of a contradiction, or a model if it is none.
    fn interpolate(&mut self, parts: &[Term]) -> Result<Interpolants>;
}

/// Makes solvers; one long-lived solver per use is far cheaper than one per query.
pub trait Backend {
    /// A new solver without assertions.
    fn solver(&self) -> Box<dyn UnsatCore>;

    /// A quantifier eliminator, if the back end has one.
    fn eliminator(&self) -> Option<Box<dyn Eliminate>>;

    /// An interpolator of the back end's own, if it has one.
    fn interpolator(&self) -> Option<Box<dyn Interpolator>>;

    /// A solver of Horn clauses, if the back end has one.
    fn horn(&self) -> Option<Box<dyn horn::Horn>>;

    /// An error once the run has to end. Queries look at this by themselves; whoever works long without
    /// one asks here.
    fn check(&self) -> Result<()>;

    /// Takes work from the budget that was not done by a solver of this back end.
    fn spend(&self, work: u64);
}

/// So that wrappers can be chosen at run time.
impl Backend for Box<dyn Backend> {
    fn solver(&self) -> Box<dyn UnsatCore> {
        (**self).solver()
    }

    fn eliminator(&self) -> Option<Box<dyn Eliminate>> {
        (**self).eliminator()
    }

    fn interpolator(&self) -> Option<Box<dyn Interpolator>> {
        (**self).interpolator()
    }

    fn horn(&self) -> Option<Box<dyn horn::Horn>> {
        (**self).horn()
    }

    fn check(&self) -> Result<()> {
        (**self).check()
    }

    fn spend(&self, work: u64) {
        (**self).spend(work);
    }
}

/// The examples of the manual are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/interpolation.md")]
struct Manual;
