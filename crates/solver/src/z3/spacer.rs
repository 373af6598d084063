//! Sequence interpolants from Spacer, Z3's Horn clause engine.
//!
//! The parts become a recursion-free chain of Horn clauses, `Rᵢ₋₁(x) ∧ partsᵢ → Rᵢ(x')`, with one relation
//! over the variables that both sides of a cut share. If the chain cannot reach its end, the solution for
//! `Rᵢ` is an interpolant at that cut. Slow, but the predicates are good.

use lapidary_expr::{Term, Var, VarSet};

use super::Z3;
use super::horn::Spacer;
use crate::horn::{Atom, Clause, Horn, System};
use crate::interpolate::shared_variables;
use crate::{Interpolants, Interpolator, Result, Stop};

/// Spacer's effort for one sequence, in Z3's own deterministic unit.
const EFFORT: u32 = 8_000_000;

/// The solver of such chains.
pub(super) fn interpolator(z3: &Z3) -> Spacer {
    Spacer::for_paths(z3, EFFORT)
}

/// The chain, if there are parts.
fn chain(parts: &[Term]) -> Option<System> {
    let cuts = shared_variables(parts).into_iter().chain([VarSet::new()]);
    let relations: Vec<Vec<Var>> = cuts.map(|vars| vars.into_iter().collect()).collect();
    let atom = |relation: usize| Atom { relation, args: relations[relation].clone() };
    let clause = |(i, part): (usize, &Term)| Clause {
        from: i.checked_sub(1).map(atom).into_iter().collect(),
        by: *part,
        to: atom(i),
    };
    let clauses = parts.iter().enumerate().map(clause).collect();
    let goal = atom(parts.len().checked_sub(1)?);
    Some(System { relations, clauses, goal })
}

impl Interpolator for Spacer {
    fn interpolate(&mut self, parts: &[Term]) -> Result<Interpolants> {
        let Some(chain) = chain(parts) else { return Ok(Interpolants::Unsat(Vec::new())) };
        match self.solve(&chain)? {
            Some(mut itps) => {
                itps.pop();
                Ok(Interpolants::Unsat(itps))
            }
            None => Err(Stop::Interpolation("the parts are no contradiction".into())),
        }
    }
}
