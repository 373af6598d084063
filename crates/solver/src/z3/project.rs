//! Quantifier elimination by model-based projection.
//!
//! `∃x. φ` is the disjunction of the projections of φ along its models: take a model, let Z3 project φ along
//! it, exclude the result, and go on until no model is left. Each step is a query of bounded cost, which the
//! `qe` tactics are not; the number of steps is the limit, so that the outcome does not depend on the clock.
//!
//! That φ implies the disjunction is what the last query says. That each projection implies `∃x. φ` is Z3's
//! promise.

use lapidary_expr::{Term, VarSet};
use z3::Params;
use z3::SatResult;
use z3::ast::Ast;
use z3::quantifier_elimination::QuantifierElimination;

use super::Z3;
use crate::panics::caught;
use crate::{Eliminate, Result};

/// More projections than this do not make a formula worth having.
const MOST_PROJECTIONS: usize = 24;

/// The effort for one model, in Z3's own deterministic unit.
const EFFORT: u32 = 2_000_000;

/// Eliminates quantifiers with Z3.
#[derive(Debug)]
pub(super) struct Projection {
    z3: Z3,
    solver: z3::Solver,
}

impl Projection {
    pub(super) fn new(z3: &Z3) -> Self {
        let solver = z3::Solver::new();
        let mut params = Params::new();
        params.set_u32("rlimit", EFFORT);
        solver.set_params(&params);
        Projection { z3: z3.clone(), solver }
    }

    fn disjuncts(&self, vars: &VarSet, formula: Term) -> Result<Option<Vec<Term>>> {
        let body = self.z3.bool(formula);
        let constants: Vec<_> = vars.iter().map(|var| self.z3.constant(*var)).collect();
        let constants: Vec<&dyn Ast> =
            constants.iter().map(|constant| constant as &dyn Ast).collect();
        self.solver.assert(&body);
        let mut disjuncts = Vec::new();
        for _ in 0..MOST_PROJECTIONS {
            self.z3.watch.check()?;
            match self.solver.check() {
                SatResult::Unsat => return Ok(Some(disjuncts)),
                SatResult::Unknown => return Ok(None),
                SatResult::Sat => {}
            }
            let Some(model) = self.solver.get_model() else { return Ok(None) };
            let projected = QuantifierElimination::model_project(&model, &constants, &body);
            let Ok(disjunct) = self.z3.translator.borrow().back(&projected) else {
                return Ok(None);
            };
            if vars.iter().any(|var| disjunct.mentions(*var)) {
                return Ok(None);
            }
            self.solver.assert(projected.not());
            disjuncts.push(disjunct);
        }
        Ok(None)
    }
}

impl Eliminate for Projection {
    fn eliminate(&mut self, vars: &VarSet, formula: Term) -> Result<Option<Term>> {
        self.z3.watch.check()?;
        self.solver.push();
        // The bindings panic when the projection is interrupted.
        let disjuncts = caught(|| self.disjuncts(vars, formula)).unwrap_or(Ok(None));
        self.solver.pop(1);
        self.z3.watch.check()?;
        disjuncts.map(|disjuncts| disjuncts.map(Term::or))
    }
}
