//! Quantifier elimination by model-based projection.
//!
//! `∃x. φ` is the disjunction of the projections of φ along its models: take a model, let Z3 project φ along
//! it, exclude the result, and go on until no model is left. Each step is a query of bounded cost, which the
//! `qe` tactics are not; the number of steps is the limit, so that the outcome does not depend on the clock.

use lapidary_expr::{Term, VarSet};
use z3::ast::Ast;
use z3::SatResult;
use z3::quantifier_elimination::QuantifierElimination;

use super::Z3;
use crate::{Eliminate, Result};

/// More projections than this do not make a formula worth having.
const MOST_PROJECTIONS: usize = 24;

/// Eliminates quantifiers with Z3.
#[derive(Debug)]
pub(super) struct Projection {
    z3: Z3,
    solver: z3::Solver,
}

impl Projection {
    pub(super) fn new(z3: &Z3) -> Self {
        Projection { z3: z3.clone(), solver: z3::Solver::new() }
    }

    fn disjuncts(&self, vars: &VarSet, formula: Term) -> Result<Option<Vec<Term>>> {
        let body = self.z3.bool(formula);
        let constants: Vec<_> = vars.iter().map(|var| self.z3.constant(*var)).collect();
        let constants: Vec<&dyn Ast> = constants.iter().map(|constant| constant as &dyn Ast).collect();
        self.solver.assert(&body);
        let mut disjuncts = Vec::new();
        for _ in 0..MOST_PROJECTIONS {
            self.z3.watch.check()?;
            match self.solver.check() {
                SatResult::Unsat => return Ok(Some(disjuncts)),
                SatResult::Unknown => return Err(self.z3.unknown(self.solver.get_reason_unknown())),
                SatResult::Sat => {}
            }
            let Some(model) = self.solver.get_model() else { return Ok(None) };
            let projected = QuantifierElimination::model_project(&model, &constants, &body);
            let Ok(disjunct) = self.z3.translator.borrow().back(&projected) else { return Ok(None) };
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
        self.solver.push();
        let disjuncts = self.disjuncts(vars, formula);
        self.solver.pop(1);
        disjuncts.map(|disjuncts| disjuncts.map(Term::or))
    }
}
