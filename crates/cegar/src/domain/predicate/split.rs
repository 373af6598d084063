//! Splitting of formulas into predicates (first paper, §3.1.3).

use lapidary_expr::Term;

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
    }
}

impl PredSplit {
    /// The predicates of a formula.
    pub fn split(self, formula: Term) -> Vec<Term> {
        match self {
            PredSplit::Whole => vec![formula],
            PredSplit::Conjuncts => formula.conjuncts(),
            PredSplit::Atoms => formula.atoms(),
        }
    }
}
