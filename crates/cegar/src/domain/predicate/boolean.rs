//! Boolean abstraction: a state is the strongest combination of predicates that the step entails.
//!
//! The paper enumerates the truth values of all predicates at once. Here a step falls into parts that share no
//! variable ([`parts`](super::parts)), and each is enumerated by itself: what n independent predicates can be
//! takes 2n models instead of 2ⁿ. A part that the step does not touch is carried over as it is, and so is what is
//! known for certain about a predicate that the step does not write.

use lapidary_expr::{Term, Versions};
use lapidary_model::{Stmt, encode};
use lapidary_solver::Backend;

use super::allsat::AllSat;
use super::combination::{Combination, Factor, Row};
use super::parts::{Part, parts};
use super::{AllNodes, Meaning, PredSplit, Predicates, is_total};
use crate::{Domain, Reason, Result};

/// Boolean predicate abstraction.
pub struct Boolean {
    all_sat: AllSat,
    split: PredSplit,
}

impl Boolean {
    /// The domain, which takes predicates from formulas as `split` says.
    pub fn new(backend: &dyn Backend, split: PredSplit) -> Self {
        Boolean { all_sat: AllSat::new(backend), split }
    }

    /// What the predicates can be after a step from a conjunction of factors; none if there is no way.
    pub(super) fn successor(
        &mut self,
        state: &[Factor],
        given: Term,
        stmt: &Stmt,
        prec: &Predicates,
    ) -> Result<Option<Vec<Factor>>> {
        let mut versions = Versions::new();
        let step = encode(stmt, &mut versions);
        let given = Versions::new().step(&versions, given);
        let free = is_total(stmt) && given.is_true();
        let mut conjuncts = step.conjuncts();
        conjuncts.extend(given.conjuncts());
        let predicates: Vec<(Term, Term)> = prec.iter().map(|p| (p, versions.now(p))).collect();
        let mut factors = Vec::new();
        for part in parts(state, &conjuncts, &predicates) {
            // Assignments alone can always be made, and what a state says can be true.
            if part.predicates.is_empty() && (free || part.conjuncts.is_empty()) {
                continue;
            }
            match self.factor(&part)? {
                Some(factor) if factor.predicates().is_empty() => {}
                Some(factor) => factors.push(factor),
                None => return Ok(None),
            }
        }
        Ok(Some(factors))
    }

    /// What the predicates of a part can be.
    fn factor(&mut self, part: &Part<'_>) -> Result<Option<Factor>> {
        let predicates: Vec<Term> =
            part.predicates.iter().map(|(predicate, _)| *predicate).collect();
        if let ([known], true) = (&part.factors[..], part.conjuncts.is_empty())
            && part.predicates.iter().all(|(p, after)| p == after && known.predicates().contains(p))
        {
            return Ok(Some(known.project(&predicates)));
        }
        // Certain before and not written: certain after.
        let certain = |(predicate, after): &(Term, Term)| match predicate == after {
            true => part.factors.iter().find_map(|factor| factor.constant(*predicate)),
            false => None,
        };
        let certain: Vec<Option<bool>> = part.predicates.iter().map(certain).collect();
        let asked: Vec<Term> = part
            .predicates
            .iter()
            .zip(&certain)
            .filter(|(_, certain)| certain.is_none())
            .map(|((_, after), _)| *after)
            .collect();
        let known = part.factors.iter().map(|factor| factor.formula());
        let premise = Term::and(known.chain(part.conjuncts.iter().copied()));
        let rows = self.all_sat.rows(premise, &asked)?;
        let complete = |row: &Row| {
            let mut answers = row.iter();
            certain
                .iter()
                .map(|value| value.or_else(|| answers.next().copied()) == Some(true))
                .collect()
        };
        Ok((!rows.is_empty()).then(|| Factor::new(predicates, rows.iter().map(complete).collect())))
    }
}

impl Domain for Boolean {
    type State = Combination;
    type Prec = Predicates;
    type Index = AllNodes;

    fn top(&self) -> Combination {
        Combination::new([])
    }

    fn leq(&mut self, s: &Combination, t: &Combination) -> Result<bool> {
        match s.implies(t) {
            Some(answer) => Ok(answer),
            None => self.all_sat.entails(s.meaning(), t.meaning()),
        }
    }

    fn post(
        &mut self,
        s: &Combination,
        given: Term,
        stmt: &Stmt,
        prec: &Predicates,
    ) -> Result<Vec<Combination>> {
        let factors = self.successor(s.factors(), given, stmt, prec)?;
        Ok(factors.map(Combination::new).into_iter().collect())
    }

    fn expr(&self, s: &Combination) -> Term {
        s.meaning()
    }

    fn learn(&mut self, _at: &Combination, reason: &Reason, _prec: &Predicates) -> Predicates {
        self.split.learn(reason)
    }
}
