//! Which formulas about words are hard to reason about: those with shifts by unknown distances, and with products and
//! quotients of unknown numbers. Floating-point numbers are made of these.

use lapidary_expr::{Op, Term};
use rustc_hash::FxHashSet;

/// The number of hard operators in a formula.
pub(crate) fn n_hard(formula: Term) -> usize {
    let (mut n, mut seen, mut open) = (0, FxHashSet::default(), vec![formula]);
    while let Some(term) = open.pop() {
        if seen.insert(term) {
            n += usize::from(is_hard(term));
            open.extend(term.args());
        }
    }
    n
}

fn is_hard(term: Term) -> bool {
    let is_known = |term: &Term| term.as_lit().is_some();
    match term.op() {
        Op::BvMul | Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem => {
            !term.args().iter().any(is_known)
        }
        Op::BvShl | Op::BvLshr | Op::BvAshr => !is_known(&term.args()[1]),
        _ => false,
    }
}
