//! The integer twin of a bit-vector path: the same formulas over integers, and integer formulas back as bits.
//!
//! Linear reasoning finds relations between whole words that reasoning about bits does not. So every
//! bit-vector variable `x` of width `w` gets an integer variable, its *twin*, that is in `0..2^w` (or in
//! `-2^(w-1)..2^(w-1)` where most comparisons are signed), and every operator that is linear is written in
//! integers:
//!
//! - A bit-vector term is first translated to any integer that is *congruent* to it modulo `2^w`; sums,
//!   differences, products with constants, `bvnot`, `extract` and left shifts need no more than that. It is
//!   wrapped to an interval only where its value matters: in comparisons, divisions, extensions.
//! - Interval arithmetic tells how often a term can wrap: never (nothing is written), once in a direction (a
//!   case distinction), or more often (`mod`). So wrap-around is exact, and visible only where it can happen.
//! - What is not linear (products of variables, most bitwise operators, elements of arrays, functions) is
//!   *opaque*: it becomes an integer variable of its own, the same one for the same term.
//!
//! Under the values that a bit-vector valuation gives to twins and opaque terms, a part holds if and only if its
//! twin does. Hence a contradiction of the twin is one of the path. The twin is weaker only in that opaque
//! terms are unrelated: contradictions that need more about them are lost.
//!
//! Integer formulas about twins go back exactly: in comparisons of sums, the bit-vectors are extended by as many
//! bits as it takes that nothing wraps, and congruences modulo powers of two are plain bit-vector arithmetic.
//! An interpolant of the twin, written back, therefore is one of the path: it speaks of the same variables,
//! since a part mentions the twin of what the part mentions.

mod back;
mod forward;
mod range;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use lapidary_expr::{Term, Var};
use rustc_hash::FxHashSet;

use forward::Forward;
use range::Reading;

/// Bit-vectors beyond this width are nobody's integers; the limit keeps powers of two small.
const WIDEST: u32 = 4096;

/// A path over bit-vectors as a path over integers.
pub(super) struct Twin {
    parts: Vec<Term>,
    reading: Reading,
    /// What each of the new integer variables stands for: a bit-vector variable or an opaque term.
    originals: BTreeMap<Var, Term>,
}

impl Twin {
    /// The integer twin of `parts`; none if no bit-vectors occur.
    pub(super) fn of(parts: &[Term]) -> Option<Twin> {
        let mut forward = Forward::new(parts)?;
        let parts = parts.iter().map(|part| forward.part(*part)).collect();
        Some(Twin { parts, reading: forward.reading, originals: forward.originals })
    }

    /// The parts over integers. The interval of a variable is said in the first part with that variable.
    pub(super) fn parts(&self) -> &[Term] {
        &self.parts
    }

    /// The bit-vector formula that says the same as an integer formula about the twin's variables; none if
    /// there is none that is small.
    pub(super) fn back(&self, formula: Term) -> Option<Term> {
        back::Back::new(self).formula(formula)
    }
}

/// The terms below and including `roots`, each once and after its arguments. Only the arguments of terms that
/// `enter` accepts are looked at. Terms of programs nest deeper than a thread's stack, so this keeps its own.
fn bottom_up(roots: &[Term], enter: impl Fn(Term) -> bool) -> Vec<Term> {
    let (mut order, mut seen) = (Vec::new(), FxHashSet::default());
    let mut pending: Vec<(Term, bool)> = roots.iter().rev().map(|root| (*root, false)).collect();
    while let Some((term, is_entered)) = pending.pop() {
        if is_entered {
            order.push(term);
        } else if seen.insert(term) {
            pending.push((term, true));
            if enter(term) {
                pending.extend(term.args().iter().rev().map(|arg| (*arg, false)));
            }
        }
    }
    order
}
