//! Implications that the look of the formulas shows.

use lapidary_expr::{Op, Term};
use rustc_hash::FxHashSet;

/// Conclusions that have more nodes than this are not looked at.
const LARGE: u32 = 2000;

/// Formulas that hold.
#[derive(Clone)]
pub(crate) struct Facts(FxHashSet<Term>);

impl Facts {
    /// The conjuncts of the formulas.
    pub(crate) fn new(formulas: impl IntoIterator<Item = Term>) -> Self {
        Facts(formulas.into_iter().flat_map(Term::conjuncts).collect())
    }

    /// Whether the facts imply `goal` for reasons of form: a conjunction if they imply each conjunct, a
    /// disjunction if they imply a disjunct where all disjuncts are false, anything else if it is a fact.
    pub(crate) fn imply(&self, goal: Term) -> bool {
        if goal.is_true() || self.0.contains(&goal) || self.0.contains(&false.into()) {
            return true;
        }
        if goal.size() > LARGE {
            return false;
        }
        match goal.op() {
            Op::And => goal.args().iter().all(|conjunct| self.imply(*conjunct)),
            Op::Or => {
                let mut facts = self.clone();
                facts.0.extend(goal.args().iter().flat_map(|disjunct| disjunct.not().conjuncts()));
                goal.args().iter().any(|disjunct| facts.imply(*disjunct))
            }
            _ => false,
        }
    }
}
