//! Forward: strongest postconditions, weakened to what is needed.
//!
//! `P₀ = ∃. parts₀` and `Pᵢ = ∃. Pᵢ₋₁ ∧ partsᵢ`, with what the later parts do not know quantified away. Of the
//! conjuncts of each `Pᵢ` only those stay that contradict the rest of the parts.

use lapidary_expr::{Term, VarSet};

use super::{Sequence, shared_variables};
use crate::eliminate::Elimination;
use crate::{Result, UnsatCore};

pub(super) struct Sp {
    pub(super) solver: Box<dyn UnsatCore>,
    pub(super) elimination: Elimination,
}

impl Sequence for Sp {
    fn name(&self) -> &'static str {
        "sp"
    }

    fn sequence(&mut self, parts: &[Term]) -> Result<Option<Vec<Term>>> {
        let shared = shared_variables(parts);
        let mut post: Term = true.into();
        let mut itps = Vec::new();
        for (i, known) in shared.iter().enumerate() {
            let body = Term::and([post, parts[i]]);
            let vars: VarSet =
                body.vars().iter().copied().filter(|var| !known.contains(var)).collect();
            let Some(strongest) = self.elimination.exactly(&vars, body)? else {
                return Ok(None);
            };
            match self.needed(strongest, &parts[i + 1..])? {
                Some(needed) => post = needed,
                None => return Ok(None),
            }
            itps.push(post);
        }
        Ok(Some(itps))
    }
}

impl Sp {
    /// The conjuncts of `post` that contradict the rest; none if they do not.
    fn needed(&mut self, post: Term, rest: &[Term]) -> Result<Option<Term>> {
        let conjuncts = post.conjuncts();
        let assumptions: Vec<Term> = conjuncts.iter().chain(rest).copied().collect();
        let Some(core) = self.solver.core(&assumptions)? else { return Ok(None) };
        Ok(Some(Term::and(core.into_iter().filter_map(|i| conjuncts.get(i).copied()))))
    }
}
