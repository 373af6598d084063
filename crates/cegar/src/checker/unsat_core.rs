//! Unsatisfiable cores: what of the path's formulas contradicts itself, without interpolation.
//!
//! A variable is worth knowing at a state if the core has it on both sides of the state; an atom of the core, if
//! it speaks of such variables only. For explicit values the variables are always enough: whatever an interpolant
//! of the core could say there is said by their values. For predicates the atoms may not be, and then there is
//! no progress.
//!
//! The statements alone are looked at. The labels of the states follow from them.

use std::collections::BTreeSet;

use lapidary_expr::{Term, Var, VarSet};
use lapidary_model::Path;
use lapidary_solver::{Result, Stop, UnsatCore};

use super::Formulas;
use crate::{Feasibility, Reason, Refutation, Trace, TraceChecker};

/// Cores beyond this size are used as the solver gives them.
const MINIMIZED: usize = 48;

/// Explains a counterexample by the variables and atoms of a core.
pub struct CoreVariables {
    pub(super) solver: Box<dyn UnsatCore>,
}

impl TraceChecker for CoreVariables {
    fn check(&mut self, trace: &Trace<'_>) -> Result<Feasibility> {
        let formulas = Formulas::of(trace);
        let labelled: Vec<(usize, Term)> = formulas
            .steps
            .iter()
            .enumerate()
            .flat_map(|(i, step)| step.conjuncts().into_iter().map(move |part| (i, part)))
            .collect();
        let assumptions: Vec<Term> = labelled.iter().map(|(_, part)| *part).collect();
        let Some(core) = minimal_core(&mut *self.solver, &assumptions)? else {
            return formulas.model(&mut *self.solver).map(Feasibility::Feasible);
        };
        let core: Vec<(usize, Term)> = core.into_iter().map(|i| labelled[i]).collect();
        let reasons = (0..formulas.states.len()).map(|at| reason(&core, at, &formulas.path));
        Ok(Feasibility::Infeasible(Refutation::new("unsat-core", reasons.collect())))
    }
}

/// What the core has at hand between the steps before `at` and the others.
fn reason(core: &[(usize, Term)], at: usize, path: &Path) -> Reason {
    let vars_of = |parts: &mut dyn Iterator<Item = &(usize, Term)>| -> BTreeSet<Var> {
        parts.flat_map(|(_, part)| part.vars().iter().copied()).collect()
    };
    let before = vars_of(&mut core.iter().filter(|(step, _)| *step < at));
    let after = vars_of(&mut core.iter().filter(|(step, _)| *step >= at));
    let shared: VarSet = before.intersection(&after).copied().collect();
    let mut atoms: Vec<Term> = Vec::new();
    for atom in core.iter().flat_map(|(_, part)| part.atoms()) {
        let speaks = !atom.vars().is_empty() && atom.vars().iter().all(|var| shared.contains(var));
        let atom = path.versions[at].forget(atom);
        if speaks && !atoms.contains(&atom) {
            atoms.push(atom);
        }
    }
    Reason::Core { vars: shared.iter().map(|var| var.base()).collect(), atoms }
}

/// Positions of assumptions that contradict each other, none of which can be left out; none if there is no
/// contradiction. A question that the solver cannot answer leaves its member in.
pub(super) fn minimal_core(
    solver: &mut dyn UnsatCore,
    assumptions: &[Term],
) -> Result<Option<Vec<usize>>> {
    let Some(mut core) = solver.core(assumptions)? else { return Ok(None) };
    core.sort_unstable();
    let mut next = 0;
    while next < core.len() && core.len() <= MINIMIZED {
        let mut candidate = core.clone();
        candidate.remove(next);
        let formulas: Vec<Term> = candidate.iter().map(|i| assumptions[*i]).collect();
        match solver.core(&formulas) {
            Ok(Some(smaller)) => {
                // Members before `next` are needed, so they are still there.
                core = smaller.into_iter().map(|i| candidate[i]).collect();
                core.sort_unstable();
            }
            Err(stop @ Stop::Limit(_)) => return Err(stop),
            Ok(None) | Err(_) => next += 1,
        }
    }
    Ok(Some(core))
}
