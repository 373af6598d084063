//! Splitting of formulas into predicates (first paper, §3.1.3).

use std::fmt;
use std::str::FromStr;

use lapidary_expr::Term;

/// How a formula becomes predicates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PredSplit {
    /// One predicate.
    Whole,
    /// One per conjunct.
    #[default]
    Conjuncts,
    /// One per atom.
    Atoms,
}

impl PredSplit {
    /// All ways.
    pub const ALL: [PredSplit; 3] = [PredSplit::Whole, PredSplit::Conjuncts, PredSplit::Atoms];

    /// The name, the same everywhere.
    pub fn name(self) -> &'static str {
        match self {
            PredSplit::Whole => "whole",
            PredSplit::Conjuncts => "conjuncts",
            PredSplit::Atoms => "atoms",
        }
    }

    /// The predicates of a formula.
    pub fn split(self, formula: Term) -> Vec<Term> {
        match self {
            PredSplit::Whole => vec![formula],
            PredSplit::Conjuncts => formula.conjuncts(),
            PredSplit::Atoms => formula.atoms(),
        }
    }
}

impl fmt::Display for PredSplit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for PredSplit {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        PredSplit::ALL
            .into_iter()
            .find(|value| value.name() == name)
            .ok_or_else(|| name.to_string())
    }
}
