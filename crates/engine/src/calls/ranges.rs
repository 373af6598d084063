//! The ranges of variables in Horn clauses: what types say is told to the solver before it looks for more.
//!
//! An operation that may leave the range of its type is written with its wrap-around, and a Horn solver has a hard time to find out
//! that ranges are kept. That they are is checked clause by clause: a range that a clause does not keep is dropped, until all
//! that are left keep each other.

use lapidary_expr::{Term, Var};
use lapidary_solver::horn::{Atom, System};
use lapidary_solver::{Backend, Result};
use rustc_hash::FxHashMap;

/// For each relation the ranges of its parameters that are kept.
pub(super) fn kept(
    system: &System,
    range: &dyn Fn(Var) -> Option<Term>,
    backend: &dyn Backend,
) -> Result<Vec<Term>> {
    let mut ranges: Vec<Vec<Option<Term>>> =
        system.relations.iter().map(|vars| vars.iter().map(|var| range(*var)).collect()).collect();
    let mut solver = backend.solver();
    let mut is_changed = true;
    while std::mem::replace(&mut is_changed, false) {
        for clause in &system.clauses {
            backend.check()?;
            let known: Vec<Term> =
                clause.from.iter().flat_map(|atom| of(system, &ranges, atom)).flatten().collect();
            let asked = of(system, &ranges, &clause.to);
            let asked = asked.into_iter().enumerate().filter_map(|(i, range)| Some((i, range?)));
            let asked: Vec<(usize, Term)> =
                asked.filter(|(_, range)| !known.contains(range)).collect();
            if asked.is_empty() {
                continue;
            }
            solver.push();
            known.iter().chain([&clause.by]).for_each(|term| solver.assert(*term));
            let mut lost = Vec::new();
            for (i, range) in asked {
                solver.push();
                solver.assert(range.not());
                let is_lost = solver.is_sat();
                solver.pop();
                lost.extend(is_lost?.then_some(i));
            }
            solver.pop();
            is_changed |= !lost.is_empty();
            lost.into_iter().for_each(|i| ranges[clause.to.relation][i] = None);
        }
    }
    Ok(ranges.into_iter().map(|ranges| Term::and(ranges.into_iter().flatten())).collect())
}

/// The ranges of the arguments of an atom.
fn of(system: &System, ranges: &[Vec<Option<Term>>], atom: &Atom) -> Vec<Option<Term>> {
    let parameters = &system.relations[atom.relation];
    let places = parameters.iter().zip(&atom.args).zip(&ranges[atom.relation]);
    let renamed = places.map(|((parameter, arg), range)| {
        range.map(|range| range.map_vars(&|var| (var == *parameter).then(|| Term::var(*arg))))
    });
    renamed.collect()
}

/// The system with what is known about each relation.
pub(super) fn strengthened(system: &System, known: &[Term]) -> System {
    let mut stronger = system.clone();
    for clause in &mut stronger.clauses {
        let facts = clause.from.iter().map(|atom| {
            let parameters = system.relations[atom.relation].iter().copied();
            let args: FxHashMap<Var, Var> = parameters.zip(atom.args.iter().copied()).collect();
            known[atom.relation].map_vars(&|var| args.get(&var).map(|arg| Term::var(*arg)))
        });
        clause.by = Term::and(facts.collect::<Vec<_>>().into_iter().chain([clause.by]));
    }
    stronger
}
