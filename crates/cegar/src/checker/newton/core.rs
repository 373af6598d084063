//! Infeasible cores (fifth paper, §3.1): which elements of a trace are enough to make it infeasible.

use lapidary_expr::{Sort, Term, Var};
use lapidary_model::{Path, Stmt};
use lapidary_solver::{Result, UnsatCore};

use super::super::unsat_core::minimal_core;
use super::Level;

/// The number of elements of a trace: assumptions, assigned variables and relations, or edges.
pub(super) fn elements(stmts: &[&Stmt], level: Level) -> usize {
    match level {
        Level::Edge => stmts.iter().map(|stmt| count(stmt)).sum(),
        Level::Block => stmts.len(),
    }
}

fn count(stmt: &Stmt) -> usize {
    match stmt {
        Stmt::Assume(_) | Stmt::Relation { .. } => 1,
        Stmt::Assign(assignments) => assignments.len(),
        Stmt::Havoc(_) => 0,
        Stmt::Seq(parts) | Stmt::Choice(parts) => parts.iter().map(count).sum(),
    }
}

/// For each element whether it is needed; none if the trace is feasible.
pub(super) fn infeasible_core(
    solver: &mut dyn UnsatCore,
    stmts: &[&Stmt],
    level: Level,
) -> Result<Option<Vec<bool>>> {
    let number = elements(stmts, level);
    let core = match level {
        Level::Block => minimal_core(solver, &Path::new(stmts.iter().copied()).formulas)?,
        Level::Edge => {
            let literals: Vec<Var> =
                (0..number).map(|i| Var::new(&format!("core {i}"), Sort::Bool)).collect();
            let mut next = literals.iter().copied();
            let guarded: Vec<Stmt> = stmts.iter().map(|stmt| guard(stmt, &mut next)).collect();
            solver.push();
            Path::new(&guarded).formulas.into_iter().for_each(|formula| solver.assert(formula));
            let assumptions: Vec<Term> = literals.iter().map(|var| Term::var(*var)).collect();
            let core = minimal_core(solver, &assumptions);
            solver.pop();
            core?
        }
    };
    Ok(core.map(|core| (0..number).map(|i| core.contains(&i)).collect()))
}

/// The statement with each of its elements in force only if the next literal is true.
fn guard(stmt: &Stmt, literals: &mut dyn Iterator<Item = Var>) -> Stmt {
    let mut literal = || Term::var(literals.next().expect("one literal for each element"));
    match stmt {
        Stmt::Assume(term) => Stmt::Assume(literal().implies(*term)),
        Stmt::Assign(assignments) => Stmt::Relation {
            formula: Term::and(
                assignments
                    .iter()
                    .map(|(var, term)| literal().implies(Term::var(var.primed()).equals(*term))),
            ),
            written: assignments.iter().map(|(var, _)| *var).collect(),
        },
        Stmt::Havoc(_) => stmt.clone(),
        Stmt::Seq(parts) => Stmt::Seq(parts.iter().map(|part| guard(part, literals)).collect()),
        Stmt::Choice(parts) => {
            Stmt::Choice(parts.iter().map(|part| guard(part, literals)).collect())
        }
        Stmt::Relation { formula, written } => {
            Stmt::Relation { formula: literal().implies(*formula), written: written.clone() }
        }
    }
}

/// The trace without the elements that are not needed: what they write takes any value.
pub(super) fn abstracted(stmts: &[&Stmt], core: &[bool], level: Level) -> Vec<Stmt> {
    match level {
        Level::Edge => {
            let mut needed = core.iter().copied();
            stmts.iter().map(|stmt| abstract_one(stmt, &mut needed)).collect()
        }
        Level::Block => stmts
            .iter()
            .zip(core)
            .map(|(stmt, needed)| match needed {
                true => (*stmt).clone(),
                false => havoc(stmt.written()),
            })
            .collect(),
    }
}

fn havoc(vars: impl IntoIterator<Item = Var>) -> Stmt {
    let vars: Vec<Var> = vars.into_iter().collect();
    if vars.is_empty() { Stmt::skip() } else { Stmt::Havoc(vars) }
}

fn abstract_one(stmt: &Stmt, needed: &mut dyn Iterator<Item = bool>) -> Stmt {
    let mut is_needed = || needed.next().unwrap_or(true);
    match stmt {
        Stmt::Assume(_) => {
            if is_needed() {
                stmt.clone()
            } else {
                Stmt::skip()
            }
        }
        Stmt::Assign(assignments) => {
            let (kept, dropped): (Vec<_>, Vec<_>) =
                assignments.iter().copied().partition(|_| is_needed());
            let kept = if kept.is_empty() { Stmt::skip() } else { Stmt::Assign(kept) };
            // After what is kept, which reads the old values.
            Stmt::seq([kept, havoc(dropped.into_iter().map(|(var, _)| var))])
        }
        Stmt::Havoc(_) => stmt.clone(),
        Stmt::Seq(parts) => Stmt::seq(parts.iter().map(|part| abstract_one(part, needed))),
        Stmt::Choice(parts) => {
            Stmt::Choice(parts.iter().map(|part| abstract_one(part, needed)).collect())
        }
        Stmt::Relation { written, .. } => {
            if is_needed() {
                stmt.clone()
            } else {
                havoc(written.iter().copied())
            }
        }
    }
}
