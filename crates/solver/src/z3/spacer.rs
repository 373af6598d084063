//! Sequence interpolants from Spacer, Z3's Horn clause engine.
//!
//! The parts become a recursion-free chain of Horn clauses, `Rᵢ₋₁(x) ∧ partsᵢ → Rᵢ(x')`, with one relation
//! over the variables that both sides of a cut share. If the chain cannot reach its end, the solution for
//! `Rᵢ` is an interpolant at that cut. Slow, but the predicates are good.

use lapidary_expr::{Term, VarSet};
use z3::ast::{Ast, Bool, Dynamic, forall_const};
use z3::{Fixedpoint, FuncDecl, Params, SatResult};

use super::Z3;
use crate::interpolate::shared_variables;
use crate::panics::{Refused, caught};
use crate::{Interpolants, Interpolator, Result, Stop};

/// Spacer's effort for one sequence, in Z3's own deterministic unit.
const EFFORT: u32 = 8_000_000;

#[derive(Debug)]
pub(super) struct Spacer {
    z3: Z3,
}

struct Cut {
    vars: VarSet,
    relation: FuncDecl,
}

impl Spacer {
    pub(super) fn new(z3: &Z3) -> Self {
        Spacer { z3: z3.clone() }
    }

    fn cut(&self, number: usize, vars: VarSet) -> Cut {
        let sorts: Vec<z3::Sort> =
            vars.iter().map(|var| self.z3.constant(*var).get_sort()).collect();
        let sorts: Vec<&z3::Sort> = sorts.iter().collect();
        Cut { vars, relation: FuncDecl::new(format!("cut!{number}"), &sorts, &z3::Sort::bool()) }
    }

    fn holds(&self, cut: &Cut) -> Bool {
        let args: Vec<Dynamic> = cut.vars.iter().map(|var| self.z3.constant(*var)).collect();
        let args: Vec<&dyn Ast> = args.iter().map(|arg| arg as &dyn Ast).collect();
        cut.relation.apply(&args).as_bool().expect("relations are formulas")
    }

    /// `premise ∧ part → conclusion`, for all values of the variables.
    fn rule(&self, premise: Option<&Cut>, part: Term, conclusion: &Cut) -> Bool {
        let mut body = vec![self.z3.bool(part)];
        body.extend(premise.map(|cut| self.holds(cut)));
        let rule = Bool::and(&body).implies(self.holds(conclusion));
        let mut vars: VarSet = part.vars().iter().copied().collect();
        vars.extend(&conclusion.vars);
        vars.extend(premise.iter().flat_map(|cut| &cut.vars));
        let bound: Vec<Dynamic> = vars.iter().map(|var| self.z3.constant(*var)).collect();
        let bound: Vec<&dyn Ast> = bound.iter().map(|constant| constant as &dyn Ast).collect();
        if bound.is_empty() { rule } else { forall_const(&bound, &[], &rule) }
    }

    fn solve(&self, parts: &[Term]) -> Result<Vec<Term>> {
        let fixedpoint = Fixedpoint::new();
        fixedpoint.set_params(&params());
        let shared = shared_variables(parts).into_iter().chain([VarSet::new()]);
        let cuts: Vec<Cut> =
            shared.enumerate().map(|(number, vars)| self.cut(number, vars)).collect();
        for (i, (cut, part)) in cuts.iter().zip(parts).enumerate() {
            fixedpoint.register_relation(&cut.relation);
            let premise = i.checked_sub(1).map(|before| &cuts[before]);
            fixedpoint.add_rule(&self.rule(premise, *part, cut), None);
        }
        let Some((end, inner)) = cuts.split_last() else { return Ok(Vec::new()) };
        match fixedpoint.query(&self.holds(end)) {
            SatResult::Unsat => inner.iter().map(|cut| self.solution(&fixedpoint, cut)).collect(),
            SatResult::Sat => Err(Stop::Interpolation("the parts are no contradiction".into())),
            SatResult::Unknown => Err(Z3::unknown(fixedpoint.get_reason_unknown())),
        }
    }

    /// Spacer writes the arguments of a relation as `(:var 0)`, `(:var 1)`, ….
    fn solution(&self, fixedpoint: &Fixedpoint, cut: &Cut) -> Result<Term> {
        let cover = fixedpoint
            .get_cover_delta(-1, &cut.relation)
            .ok_or_else(|| Stop::Solver("spacer has no solution to show".into()))?;
        let mut text = cover.to_string();
        for (number, var) in cut.vars.iter().enumerate() {
            // No name contains a parenthesis: the translator sees to that.
            text = text.replace(&format!("(:var {number})"), &self.z3.constant(*var).to_string());
        }
        self.z3.translator.borrow().parse(&text)
    }
}

fn params() -> Params {
    let mut params = Params::new();
    params.set_symbol("engine", "spacer");
    params.set_u32("rlimit", EFFORT);
    // These would merge the relations that the interpolants are read from.
    params.set_bool("xform.slice", false);
    params.set_bool("xform.inline_linear", false);
    params.set_bool("xform.inline_eager", false);
    params
}

impl Interpolator for Spacer {
    fn interpolate(&mut self, parts: &[Term]) -> Result<Interpolants> {
        self.z3.watch.check()?;
        let itps = caught(|| self.solve(parts))
            .unwrap_or_else(|Refused| Err(Stop::Solver("no memory".into())));
        self.z3.watch.check()?;
        itps.map(Interpolants::Unsat)
    }
}
