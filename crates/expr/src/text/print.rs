//! Terms as SMT-LIB text.

use std::fmt;

use rustc_hash::FxHashMap;

use crate::op::Op;
use crate::term::Term;

/// Parts at least this large get a `let` when they occur more than once.
const SHARED: u32 = 8;

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.size() <= SHARED {
            return write(*self, &FxHashMap::default(), f);
        }
        let shared = shared_parts(*self);
        let mut names: FxHashMap<Term, usize> = FxHashMap::default();
        for (number, part) in shared.iter().enumerate() {
            write!(f, "(let ((?{number} ")?;
            write(*part, &names, f)?;
            f.write_str(")) ")?;
            names.insert(*part, number);
        }
        write(*self, &names, f)?;
        f.write_str(&")".repeat(shared.len()))
    }
}

fn write(term: Term, names: &FxHashMap<Term, usize>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if let Some(number) = names.get(&term) {
        return write!(f, "?{number}");
    }
    if term.args().is_empty() {
        return write!(f, "{}", term.op());
    }
    write!(f, "({}", term.op())?;
    for arg in term.args() {
        f.write_str(" ")?;
        write(*arg, names, f)?;
    }
    f.write_str(")")
}

/// The parts that occur more than once, each after its own parts.
fn shared_parts(root: Term) -> Vec<Term> {
    let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
    let mut order = Vec::new();
    visit(root, &mut uses, &mut order);
    order.retain(|term| uses[term] > 1);
    order
}

fn visit(term: Term, uses: &mut FxHashMap<Term, u32>, order: &mut Vec<Term>) {
    if term.size() < SHARED || matches!(term.op(), Op::Lit(_) | Op::Var(_)) {
        return;
    }
    let count = uses.entry(term).or_insert(0);
    *count += 1;
    if *count == 1 {
        term.args().iter().for_each(|arg| visit(*arg, uses, order));
        order.push(term);
    }
}
