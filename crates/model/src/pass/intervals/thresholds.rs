//! Where widening stops: the numbers that a variable is compared with or that are assigned to it.

use lapidary_expr::{Op, Sort, Term, Value};
use rustc_hash::FxHashSet;

use super::transfer::Transfer;
use crate::cfa::Cfa;
use crate::stmt::Stmt;

/// A variable has at most this many, those of the smallest size.
const MOST: usize = 40;

/// For each variable that is followed its thresholds, sorted.
pub(in crate::pass) fn thresholds(cfa: &Cfa, transfer: &Transfer) -> Vec<Vec<i128>> {
    let mut found = vec![FxHashSet::default(); transfer.vars.len()];
    let mut seen = FxHashSet::default();
    let mut note = |term: Term, var: Option<usize>| {
        let numbers = numbers(term);
        let vars = term.vars().iter().filter_map(|v| transfer.index(v.base())).chain(var);
        if !numbers.is_empty() {
            vars.for_each(|var| found[var].extend(&numbers));
        }
    };
    for (_, edge) in cfa.edges() {
        collect(&edge.stmt, &mut |term, var| {
            if seen.insert((term, var)) {
                note(term, var.and_then(|var| transfer.index(var)));
            }
        });
    }
    let sorted = |numbers: FxHashSet<i128>| {
        let mut numbers: Vec<i128> = numbers.into_iter().collect();
        numbers.sort_unstable_by_key(|n| (n.abs(), *n));
        numbers.truncate(MOST);
        numbers.sort_unstable();
        numbers
    };
    found.into_iter().map(sorted).collect()
}

/// Visits the atoms of conditions, and the assigned terms with their variables.
fn collect(stmt: &Stmt, visit: &mut dyn FnMut(Term, Option<lapidary_expr::Var>)) {
    match stmt {
        Stmt::Assume(term) | Stmt::Relation { formula: term, .. } => {
            term.atoms().into_iter().for_each(|atom| visit(atom, None));
        }
        Stmt::Assign(assignments) => {
            assignments.iter().for_each(|(var, term)| visit(*term, Some(*var)));
        }
        Stmt::Havoc(_) => {}
        Stmt::Seq(parts) | Stmt::Choice(parts) => {
            parts.iter().for_each(|part| collect(part, visit));
        }
    }
}

/// The numbers in a small term, and their neighbours.
fn numbers(term: Term) -> Vec<i128> {
    let (mut numbers, mut pending) = (Vec::new(), vec![term]);
    if term.size() > 100 || matches!(term.sort(), Sort::Array(_)) {
        return numbers;
    }
    let mut add = |n: i128| numbers.extend([n - 1, n, n + 1, -n]);
    while let Some(term) = pending.pop() {
        match term.op() {
            Op::Lit(Value::Int(n)) => i128::try_from(n).ok().into_iter().for_each(&mut add),
            Op::Lit(Value::Bv(bits)) if bits.width() <= 64 => {
                i128::try_from(bits.unsigned()).ok().into_iter().for_each(&mut add);
                i128::try_from(&bits.signed()).ok().into_iter().for_each(&mut add);
            }
            _ => pending.extend(term.args()),
        }
    }
    numbers
}
