//! Forward binary interpolation (first paper, §2.2.2): `A = s₁ ∧ op₁ ∧ … ∧ sᵢ` is the longest feasible prefix,
//! `B = opᵢ ∧ sᵢ₊₁` what contradicts it.
//!
//! The interpolant follows from the concrete prefix, not from the abstract state before it, so that Cartesian
//! abstraction may fail to use it: on `x := 0; x := x + 1; [x = 3]` it makes no progress.

use lapidary_expr::Term;
use lapidary_solver::interpolate::Cascade;
use lapidary_solver::{Interpolants, Interpolator, Stop, UnsatCore};

use super::{Formulas, longest_feasible, model_of};
use crate::{Feasibility, Refutation, Result, Trace, TraceChecker};

/// Explains a counterexample at the last state that can be reached.
pub struct Forward {
    pub(super) interpolator: Cascade,
    pub(super) solver: Box<dyn UnsatCore>,
}

impl TraceChecker for Forward {
    fn check(&mut self, trace: &Trace<'_>) -> Result<Feasibility> {
        let formulas = Formulas::of(trace);
        let parts = formulas.parts();
        let feasible = longest_feasible(&mut *self.solver, &parts)?;
        if feasible == parts.len() {
            return model_of(&mut self.interpolator, &parts);
        }
        // An entry state that is unsatisfiable by itself is cut off from its successor.
        let split = feasible.max(1);
        let prefix = Term::and(parts[..split].iter().copied());
        match self.interpolator.interpolate(&[prefix, parts[split]])? {
            Interpolants::Unsat(itps) if itps.len() == 1 => {
                let reasons = formulas.binary(split - 1, itps[0]);
                Ok(Feasibility::Infeasible(Refutation::new("forward", reasons)))
            }
            _ => Err(Stop::Solver("contradicts itself about a path".into())),
        }
    }
}
