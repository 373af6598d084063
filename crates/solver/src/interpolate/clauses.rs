//! Interpolants of propositional formulas, clause by clause.
//!
//! As in Chockler, Ivrii & Matsliah, *Computing Interpolants without Proofs* (HVC 2012): a model of what follows is
//! contradicted by what came before; a small part of it that is contradicted already, negated, is a clause of the
//! interpolant. When what follows has no model any more, the interpolant is complete. The cases of a circuit are too many
//! to go through them; this asks only as many questions as the interpolant has literals.
//!
//! A model says more than matters to what follows, and a contradiction with that part of it holds by accident, at this
//! depth only. So it is *lifted* first, as in A. Bradley, *SAT-Based Model Checking without Unrolling* (VMCAI 2011) and its
//! successors: step by step from the end, to those literals with which the inputs of the model lead on in any case.

use lapidary_expr::{Term, Valuation, Value, Var, VarSet};

use super::{Sequence, is_propositional, shared_variables};
use crate::{Result, UnsatCore};

/// An interpolant of more clauses than this is of no use.
const MOST: usize = 400;

/// Over more steps than this models are not lifted, as each of them costs questions.
const LIFTED: usize = 32;

pub(super) struct Clauses {
    /// Knows what came before a cut.
    pub(super) before: Box<dyn UnsatCore>,
    /// Knows what follows it.
    pub(super) after: Box<dyn UnsatCore>,
    /// Knows a step of it, to lift models.
    pub(super) step: Box<dyn UnsatCore>,
}

/// What follows a cut.
struct Rest<'a> {
    parts: &'a [Term],
    /// What is known on both sides of the cut, and of each later one.
    cuts: &'a [VarSet],
}

impl Rest<'_> {
    fn vars(&self) -> VarSet {
        self.parts.iter().flat_map(|part| part.vars()).chain(&self.cuts[0]).copied().collect()
    }
}

impl Clauses {
    /// The interpolant between a formula and what follows it; none if it has too many clauses, or if there is no
    /// contradiction.
    fn between(&mut self, first: Term, rest: &Rest<'_>) -> Result<Option<Term>> {
        self.before.push();
        self.after.push();
        self.before.assert(first);
        rest.parts.iter().for_each(|part| self.after.assert(*part));
        let clauses = self.clauses(rest);
        self.before.pop();
        self.after.pop();
        Ok(clauses?.map(Term::and))
    }

    fn clauses(&mut self, rest: &Rest<'_>) -> Result<Option<Vec<Term>>> {
        let mut clauses = Vec::new();
        self.after.push();
        let is_complete = self.collect(rest, &mut clauses);
        self.after.pop();
        // Clauses that were found late may do without those before: the fewer, the more general.
        if is_complete? { minimal_core(&mut *self.after, &clauses) } else { Ok(None) }
    }

    /// Collects clauses until what follows has no model; whether that is so in the end.
    fn collect(&mut self, rest: &Rest<'_>, clauses: &mut Vec<Term>) -> Result<bool> {
        let vars = rest.vars();
        while let Some(model) = self.after.model(&vars)? {
            let Some(cube) = self.contradicted(rest, &model)? else { return Ok(false) };
            if clauses.len() == MOST {
                return Ok(false);
            }
            let clause = Term::and(cube).not();
            self.after.assert(clause);
            clauses.push(clause);
        }
        Ok(true)
    }

    /// A small part of a model of what follows that is contradicted by what came before, if there is one.
    fn contradicted(&mut self, rest: &Rest<'_>, model: &Valuation) -> Result<Option<Vec<Term>>> {
        if rest.parts.len() <= LIFTED
            && let Some(lifted) = self.lifted(rest, model)?
            && let Some(cube) = ordered_core(&mut *self.before, &lifted)?
        {
            return Ok(Some(cube));
        }
        minimal_core(&mut *self.before, &literals(model, &rest.cuts[0]))
    }

    /// Literals at the cut with which the inputs of a model lead on, whatever else holds there; none if a step may
    /// lead elsewhere.
    fn lifted(&mut self, rest: &Rest<'_>, model: &Valuation) -> Result<Option<Vec<Term>>> {
        let mut lifted = Vec::new();
        for (i, part) in rest.parts.iter().enumerate().rev() {
            let strays = match rest.cuts.get(i + 1) {
                Some(_) => Term::and([*part, Term::and(lifted).not()]),
                None => part.not(),
            };
            let is_input = |var: &Var| rest.cuts[i..].iter().take(2).all(|cut| !cut.contains(var));
            let inputs = part.vars().iter().copied().filter(is_input).collect();
            self.step.push();
            self.step.assert(strays);
            literals(model, &inputs).into_iter().for_each(|input| self.step.assert(input));
            let core = minimal_core(&mut *self.step, &literals(model, &rest.cuts[i]));
            self.step.pop();
            let Some(core) = core? else { return Ok(None) };
            lifted = core;
        }
        Ok(Some(lifted))
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

/// The same, by leaving out the first that can be: no matter which contradiction the solver finds, the same variables
/// remain at every depth.
fn ordered_core(solver: &mut dyn UnsatCore, formulas: &[Term]) -> Result<Option<Vec<Term>>> {
    if solver.core(formulas)?.is_none() {
        return Ok(None);
    }
    let mut formulas = formulas.to_vec();
    let mut needed = 0;
    while needed < formulas.len() {
        let mut fewer = formulas.clone();
        fewer.remove(needed);
        match solver.core(&fewer)? {
            Some(_) => formulas = fewer,
            None => needed += 1,
        }
    }
    Ok(Some(formulas))
}

/// What a model says of some variables.
fn literals(model: &Valuation, vars: &VarSet) -> Vec<Term> {
    let literal = |(var, value): (Var, &Value)| Term::var(var).equals(Term::lit(value.clone()));
    model.iter().filter(|(var, _)| vars.contains(var)).map(literal).collect()
}

impl Sequence for Clauses {
    fn name(&self) -> &'static str {
        "clauses"
    }

    fn suits(&self, parts: &[Term]) -> bool {
        is_propositional(parts)
    }

    fn selects(&self) -> bool {
        true
    }

    fn sequence(&mut self, parts: &[Term]) -> Result<Option<Vec<Term>>> {
        if !self.suits(parts) {
            return Ok(None);
        }
        let mut itps = Vec::new();
        let mut so_far: Term = true.into();
        let shared = shared_variables(parts);
        for cut in 0..shared.len() {
            let first = Term::and([so_far, parts[cut]]);
            let rest = Rest { parts: &parts[cut + 1..], cuts: &shared[cut..] };
            let Some(itp) = self.between(first, &rest)? else { return Ok(None) };
            so_far = itp;
            itps.push(itp);
        }
        Ok(Some(itps))
    }
}

#[cfg(test)]
mod tests;
