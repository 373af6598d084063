//! Sequence interpolation: `A₁ = s₁`, `Aᵢ₊₁ = opᵢ ∧ sᵢ₊₁` (first paper, Definition 5).

use lapidary_solver::interpolate::Cascade;
use lapidary_solver::{Interpolants, Interpolator};

use super::Formulas;
use crate::{Feasibility, Reason, Refutation, Result, Trace, TraceChecker};

/// Explains a counterexample at every state at once.
pub struct Sequence {
    pub(super) interpolator: Cascade,
}

impl TraceChecker for Sequence {
    fn check(&mut self, trace: &Trace<'_>) -> Result<Feasibility> {
        let formulas = Formulas::of(trace);
        match self.interpolator.interpolate(&formulas.parts())? {
            Interpolants::Sat(model) => Ok(Feasibility::Feasible(model)),
            Interpolants::Unsat(itps) => {
                let inner = itps.iter().enumerate().map(|(i, itp)| formulas.reason(i, *itp));
                let reasons = inner.chain([Reason::Holds(false.into())]).collect();
                Ok(Feasibility::Infeasible(Refutation::new("sequence", reasons)))
            }
        }
    }
}
