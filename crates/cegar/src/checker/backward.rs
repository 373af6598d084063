//! Backward binary interpolation (first paper, §3.2.1): `A = sᵢ ∧ opᵢ ∧ … ∧ sₙ` is the longest feasible suffix,
//! `B = sᵢ₋₁ ∧ opᵢ₋₁` the step before it, which contradicts it.
//!
//! Difference: the paper's interpolant is implied by the suffix. Here its negation is computed, which is
//! implied by the step and contradicts the suffix; as a predicate both are the same.

use lapidary_expr::Term;
use lapidary_solver::interpolate::Cascade;
use lapidary_solver::{Interpolants, Interpolator, Stop, UnsatCore};

use super::{Formulas, longest_feasible, model_of};
use crate::{Feasibility, Refutation, Result, Trace, TraceChecker};

/// Explains a counterexample at the first state from which the error can be reached.
pub struct Backward {
    pub(super) interpolator: Cascade,
    pub(super) solver: Box<dyn UnsatCore>,
}

impl TraceChecker for Backward {
    fn check(&mut self, trace: &Trace<'_>) -> Result<Feasibility> {
        let formulas = Formulas::of(trace);
        let last = formulas.steps.len();
        // parts[k] belongs to the suffix that starts at state last - k.
        let earlier = (0..last).rev().map(|i| Term::and([formulas.states[i], formulas.steps[i]]));
        let parts: Vec<Term> = std::iter::once(formulas.states[last]).chain(earlier).collect();
        let feasible = longest_feasible(&mut *self.solver, &parts)?;
        if feasible == parts.len() {
            return model_of(&mut self.interpolator, &parts);
        }
        // An error state that is unsatisfiable by itself is cut off from its predecessor.
        let split = feasible.max(1);
        let suffix = Term::and(parts[..split].iter().copied());
        match self.interpolator.interpolate(&[parts[split], suffix])? {
            Interpolants::Unsat(itps) if itps.len() == 1 => {
                let reasons = formulas.binary(last + 1 - split, itps[0]);
                Ok(Feasibility::Infeasible(Refutation::new("backward", reasons)))
            }
            _ => Err(Stop::Solver("contradicts itself about a path".into())),
        }
    }
}
