//! Which variables the analysis has to follow.

use lapidary_expr::{Var, VarSet};
use rustc_hash::FxHashMap;

use super::simplify::Simplifier;
use crate::cfa::Cfa;
use crate::stmt::Stmt;

/// The variables to follow.
pub(super) struct Relevant {
    /// Those that occur where something may be removed, and all from which their values may follow.
    pub(super) all: Vec<Var>,
    /// Only the former.
    pub(super) direct: Vec<Var>,
}

/// The variables to follow; none if there is nothing to remove.
pub(super) fn relevant(cfa: &Cfa, simplifier: &Simplifier) -> Option<Relevant> {
    let mut direct = VarSet::new();
    let mut sources: FxHashMap<Var, VarSet> = FxHashMap::default();
    let mut is_candidate = false;
    for (_, edge) in cfa.edges() {
        let is_error = Some(edge.target) == cfa.error();
        visit(&edge.stmt, &mut |stmt| match stmt {
            Stmt::Assume(term) => {
                let is_simplified = simplifier.has_candidate(*term);
                is_candidate |= is_simplified || is_error;
                if is_simplified || is_error {
                    direct.extend(term.vars());
                }
                for atom in term.atoms() {
                    for var in atom.vars() {
                        sources.entry(*var).or_default().extend(atom.vars());
                    }
                }
            }
            Stmt::Assign(assignments) => {
                for (var, term) in assignments {
                    if simplifier.has_candidate(*term) {
                        is_candidate = true;
                        direct.extend(term.vars());
                    }
                    sources.entry(*var).or_default().extend(term.vars());
                }
            }
            _ => {}
        });
    }
    if !is_candidate {
        return None;
    }
    let mut all = VarSet::new();
    let mut open: Vec<Var> = direct.iter().copied().collect();
    while let Some(var) = open.pop() {
        if all.insert(var) {
            open.extend(sources.get(&var).into_iter().flatten());
        }
    }
    let in_order =
        |vars: &VarSet| cfa.vars().iter().filter(|var| vars.contains(var)).copied().collect();
    Some(Relevant { all: in_order(&all), direct: in_order(&direct) })
}

/// Visits the statements that are no sequences or choices.
fn visit(stmt: &Stmt, on: &mut dyn FnMut(&Stmt)) {
    match stmt {
        Stmt::Seq(parts) | Stmt::Choice(parts) => parts.iter().for_each(|part| visit(part, on)),
        _ => on(stmt),
    }
}
