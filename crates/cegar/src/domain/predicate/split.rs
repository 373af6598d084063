//! Splitting of formulas into predicates (first paper, §3.1.3).

use lapidary_expr::{Op, Sort, Term};

use crate::axis::axis;

axis! {
    /// How a formula becomes predicates.
    pub enum PredSplit {
        /// One predicate.
        Whole = "whole",
        /// One per conjunct.
        #[default]
        Conjuncts = "conjuncts",
        /// One per atom.
        Atoms = "atoms",
        /// One per atom, and two for an equality of numbers (footnote 9): `x = 0` is `x <= 0` and `x >= 0`.
        Bounds = "bounds",
    }
}

impl PredSplit {
    /// The predicates of a formula.
    pub fn split(self, formula: Term) -> Vec<Term> {
        match self {
            PredSplit::Whole => vec![formula],
            PredSplit::Conjuncts => formula.conjuncts(),
            PredSplit::Atoms => formula.atoms(),
            PredSplit::Bounds => formula.atoms().into_iter().flat_map(bounds).collect(),
        }
    }
}

/// `a <= b` and `b <= a` for `a = b`.
fn bounds(atom: Term) -> Vec<Term> {
    match (atom.op(), atom.args()) {
        (Op::Eq, [left, right]) if matches!(left.sort(), Sort::Int | Sort::Rat) => {
            vec![left.at_most(*right), right.at_most(*left)]
        }
        _ => vec![atom],
    }
}
