//! What of Horn clauses has to be solved: relations that can contain something, and from which the goal can be derived.
//!
//! Spacer drops the others, and then has no solution for them.

use lapidary_expr::Term;
use lapidary_solver::horn::System;

/// For each relation its formula, if that is known without a solver.
pub(super) fn known(system: &System) -> Vec<Option<Term>> {
    let n = system.relations.len();
    let mut may_contain = vec![false; n];
    let mut is_changed = true;
    while std::mem::replace(&mut is_changed, false) {
        for clause in &system.clauses {
            let to = clause.to.relation;
            let is_fed = clause.from.iter().all(|atom| may_contain[atom.relation]);
            is_changed |= is_fed && !std::mem::replace(&mut may_contain[to], is_fed);
        }
    }
    let mut leads = vec![false; n];
    leads[system.goal.relation] = may_contain[system.goal.relation];
    let mut open: Vec<usize> = vec![system.goal.relation];
    while let Some(relation) = open.pop() {
        for clause in system.clauses.iter().filter(|clause| clause.to.relation == relation) {
            let from = || clause.from.iter().map(|atom| atom.relation);
            if from().all(|relation| may_contain[relation]) {
                for relation in from() {
                    if !std::mem::replace(&mut leads[relation], true) {
                        open.push(relation);
                    }
                }
            }
        }
    }
    let of = |i: usize| match (may_contain[i], leads[i]) {
        (false, _) => Some(false.into()),
        (true, false) => Some(true.into()),
        (true, true) => None,
    };
    (0..n).map(of).collect()
}

/// The clauses that are about relations that are not known.
pub(super) fn pruned(system: &System, known: &[Option<Term>]) -> System {
    let mut smaller = system.clone();
    smaller.clauses.retain(|clause| {
        let is_open = |relation: usize| known[relation].is_none();
        is_open(clause.to.relation) && clause.from.iter().all(|atom| is_open(atom.relation))
    });
    smaller
}
