//! Backward: weakest preconditions.
//!
//! Let `Jᵢ` describe from where `partsᵢ₊₁ ∧ … ∧ partsₙ` can be satisfied: `Jₙ₋₁ = ∃. partsₙ` and
//! `Jᵢ₋₁ = ∃. partsᵢ ∧ Jᵢ`, with what the earlier parts do not know quantified away. For an assignment the
//! elimination is the substitution of `wp`. The interpolants are the negations `¬Jᵢ`. They are the weakest
//! there are for the given parts; the parts are an unsatisfiable core, which makes them general.

use lapidary_expr::{Term, VarSet};

use super::{Sequence, shared_variables};
use crate::Result;
use crate::eliminate::Elimination;

pub(super) struct Wp {
    pub(super) elimination: Elimination,
}

impl Sequence for Wp {
    fn name(&self) -> &'static str {
        "wp"
    }

    fn sequence(&mut self, parts: &[Term]) -> Result<Option<Vec<Term>>> {
        let shared = shared_variables(parts);
        let mut feasible: Term = true.into();
        let mut itps = Vec::new();
        for (part, known) in parts[1..].iter().zip(&shared).rev() {
            let body = Term::and([*part, feasible]);
            let vars: VarSet =
                body.vars().iter().copied().filter(|var| !known.contains(var)).collect();
            match self.elimination.exactly(&vars, body)? {
                Some(formula) => feasible = formula,
                None => return Ok(None),
            }
            itps.push(feasible.not());
        }
        itps.reverse();
        Ok(Some(itps))
    }
}
