//! Interpolants of propositional formulas, clause by clause.
//!
//! As in Chockler, Ivrii & Matsliah, *Computing Interpolants without Proofs* (HVC 2012): a model of what follows is
//! contradicted by what came before; a small part of it that is contradicted already, negated, is a clause of the
//! interpolant. When what follows has no model any more, the interpolant is complete. The cases of a circuit are too many
//! to go through them; this asks only as many questions as the interpolant has literals.

use lapidary_expr::{Term, Value, Var, VarSet};

use super::{Sequence, is_propositional, shared_variables};
use crate::{Result, UnsatCore};

/// An interpolant of more clauses than this is of no use.
const MOST: usize = 400;

pub(super) struct Clauses {
    /// Knows what came before a cut.
    pub(super) before: Box<dyn UnsatCore>,
    /// Knows what follows it.
    pub(super) after: Box<dyn UnsatCore>,
}

impl Clauses {
    /// The interpolant between a formula and the parts after it; none if it has too many clauses, or if there is no
    /// contradiction.
    fn between(&mut self, first: Term, rest: &[Term], shared: &VarSet) -> Result<Option<Term>> {
        self.before.push();
        self.after.push();
        self.before.assert(first);
        rest.iter().for_each(|part| self.after.assert(*part));
        let clauses = self.clauses(shared);
        self.before.pop();
        self.after.pop();
        Ok(clauses?.map(Term::and))
    }

    fn clauses(&mut self, shared: &VarSet) -> Result<Option<Vec<Term>>> {
        let mut clauses = Vec::new();
        self.after.push();
        let is_complete = self.collect(shared, &mut clauses);
        self.after.pop();
        // Clauses that were found late may do without those before: the fewer, the more general.
        if is_complete? { minimal_core(&mut *self.after, &clauses) } else { Ok(None) }
    }

    /// Collects clauses until what follows has no model; whether that is so in the end.
    fn collect(&mut self, shared: &VarSet, clauses: &mut Vec<Term>) -> Result<bool> {
        while let Some(model) = self.after.model(shared)? {
            let literals: Vec<Term> =
                model.iter().map(|(var, value)| literal(var, value)).collect();
            let Some(cube) = minimal_core(&mut *self.before, &literals)? else { return Ok(false) };
            if clauses.len() == MOST {
                return Ok(false);
            }
            let clause = Term::and(cube).not();
            self.after.assert(clause);
            clauses.push(clause);
        }
        Ok(true)
    }
}

/// Those of the formulas that contradict what is asserted, and of which none can be left out; none if they do not.
fn minimal_core(solver: &mut dyn UnsatCore, formulas: &[Term]) -> Result<Option<Vec<Term>>> {
    let part = |of: &[Term], core: Vec<usize>| core.into_iter().map(|i| of[i]).collect();
    let Some(core) = solver.core(formulas)? else { return Ok(None) };
    let mut formulas: Vec<Term> = part(formulas, core);
    let mut needed = 0;
    while needed < formulas.len() {
        let mut fewer = formulas.clone();
        fewer.remove(needed);
        match solver.core(&fewer)? {
            // What is needed of more is needed of less, so the formulas before this one stay.
            Some(core) => formulas = part(&fewer, core),
            None => needed += 1,
        }
    }
    Ok(Some(formulas))
}

fn literal(var: Var, value: &Value) -> Term {
    Term::var(var).equals(Term::lit(value.clone()))
}

impl Sequence for Clauses {
    fn name(&self) -> &'static str {
        "clauses"
    }

    fn suits(&self, parts: &[Term]) -> bool {
        is_propositional(parts)
    }

    fn sequence(&mut self, parts: &[Term]) -> Result<Option<Vec<Term>>> {
        if !self.suits(parts) {
            return Ok(None);
        }
        let mut itps = Vec::new();
        let mut so_far: Term = true.into();
        for (cut, shared) in shared_variables(parts).iter().enumerate() {
            let first = Term::and([so_far, parts[cut]]);
            let Some(itp) = self.between(first, &parts[cut + 1..], shared)? else {
                return Ok(None);
            };
            so_far = itp;
            itps.push(itp);
        }
        Ok(Some(itps))
    }
}
