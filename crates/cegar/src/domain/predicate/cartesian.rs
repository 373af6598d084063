//! Cartesian abstraction: a state is a conjunction of predicates or their negations.
//!
//! It is the strongest such conjunction,
//! `⋀ { p ∈ π | s ∧ op ⇒ p' } ∧ ⋀ { ¬p | s ∧ op ⇒ ¬p' }`. The paper asks two questions for each predicate. Here
//! a model of `s ∧ op` tells which of the two can still be true, and every further model rules out more
//! candidates at once: at most one question per predicate, and often none. Predicates that the operation
//! neither writes nor, for lack of an assumption, learns about are carried over unasked, both those that hold
//! and those that were asked about before and hold neither way.

use std::collections::BTreeSet;
use std::sync::Arc;

use lapidary_expr::{Term, VarSet, Versions};
use lapidary_model::{Stmt, encode};
use lapidary_solver::{Backend, UnsatCore};

use super::{AllNodes, Meaning, PredSplit, Predicates, is_total};
use crate::domain::memo::Memo;
use crate::{Domain, Reason, Result};

/// A conjunction of literals: predicates and negated predicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literals {
    known: Arc<BTreeSet<Term>>,
    formula: Term,
    /// Predicates that were asked about and hold neither way.
    open: Arc<BTreeSet<Term>>,
}

impl Literals {
    /// The conjunction of these formulas.
    pub fn new(literals: impl IntoIterator<Item = Term>) -> Self {
        let literals: BTreeSet<Term> = literals.into_iter().collect();
        let formula = Term::and(literals.iter().copied());
        Literals { known: Arc::new(literals), formula, open: Arc::default() }
    }

    fn with_open(mut self, open: impl IntoIterator<Item = Term>) -> Self {
        self.open = Arc::new(open.into_iter().collect());
        self
    }

    /// Whether it is known without asking that `literal` does not follow.
    fn lacks(&self, literal: Term) -> bool {
        self.known.contains(&literal.not()) || self.open.contains(&literal.positive())
    }

    /// The literals.
    pub(super) fn known(&self) -> &BTreeSet<Term> {
        &self.known
    }

    /// The conjunction.
    pub fn formula(&self) -> Term {
        self.formula
    }
}

/// Cartesian predicate abstraction.
pub struct Cartesian {
    solver: Box<dyn UnsatCore>,
    split: PredSplit,
    /// `s ⊑ t`, where syntax did not tell.
    order: Memo<(Term, Term), bool>,
    /// Successors by source formula, step formula and candidate literals after the step.
    posts: Memo<(Term, Vec<Term>), Option<Vec<bool>>>,
}

impl Cartesian {
    /// The domain, which takes predicates from formulas as `split` says.
    pub fn new(backend: &dyn Backend, split: PredSplit) -> Self {
        Cartesian {
            solver: backend.solver(),
            split,
            order: Memo::default(),
            posts: Memo::default(),
        }
    }

    /// For each candidate, whether `premise` implies it; none if the premise is a contradiction.
    ///
    /// Candidates come in pairs, a predicate and its negation.
    fn implied(&mut self, premise: Term, candidates: &[Term]) -> Result<Option<Vec<bool>>> {
        let key = (premise, candidates.to_vec());
        if let Some(known) = self.posts.get(&key) {
            return Ok(known);
        }
        self.solver.push();
        self.solver.assert(premise);
        let answer = self.surviving(candidates);
        self.solver.pop();
        Ok(self.posts.keep(key, answer?))
    }

    fn surviving(&mut self, candidates: &[Term]) -> Result<Option<Vec<bool>>> {
        let vars: VarSet = candidates.iter().flat_map(|term| term.vars()).copied().collect();
        let Some(model) = self.solver.model(&vars)? else { return Ok(None) };
        let mut holds: Vec<bool> =
            candidates.iter().map(|term| term.holds(&model) != Some(false)).collect();
        for i in 0..candidates.len() {
            if !holds[i] {
                continue;
            }
            self.solver.push();
            self.solver.assert(candidates[i].not());
            let model = self.solver.model(&vars);
            self.solver.pop();
            if let Some(model) = model? {
                holds[i] = false;
                let refuted = candidates.iter().map(|term| term.holds(&model) == Some(false));
                holds.iter_mut().zip(refuted).for_each(|(holds, refuted)| *holds &= !refuted);
            }
        }
        Ok(Some(holds))
    }
}

impl Domain for Cartesian {
    type State = Literals;
    type Prec = Predicates;
    type Index = AllNodes;

    fn top(&self) -> Literals {
        Literals::new([])
    }

    fn leq(&mut self, s: &Literals, t: &Literals) -> Result<bool> {
        if t.known.is_subset(&s.known) {
            return Ok(true);
        }
        if t.known.iter().any(|literal| s.lacks(*literal)) {
            return Ok(false);
        }
        let key = (s.formula, t.formula);
        if let Some(known) = self.order.get(&key) {
            return Ok(known);
        }
        let leq = self.solver.entails(s.formula, t.formula)?;
        Ok(self.order.keep(key, leq))
    }

    fn post(
        &mut self,
        s: &Literals,
        given: Term,
        stmt: &Stmt,
        prec: &Predicates,
    ) -> Result<Vec<Literals>> {
        let (written, total) = (stmt.written(), is_total(stmt) && given.is_true());
        let mut versions = Versions::new();
        let step = encode(stmt, &mut versions);
        let mut carried = Vec::new();
        let mut candidates = Vec::new();
        let mut open: Vec<Term> = Vec::new();
        for predicate in prec.iter() {
            let untouched = !predicate.vars().iter().any(|var| written.contains(var));
            let literals = [predicate, predicate.not()];
            match literals.into_iter().find(|literal| s.known.contains(literal)) {
                Some(literal) if untouched => carried.push(literal),
                None if untouched && total && s.open.contains(&predicate) => open.push(predicate),
                _ => candidates.extend(literals),
            }
        }
        if candidates.is_empty() && total {
            return Ok(vec![Literals::new(carried).with_open(open)]);
        }
        let premise = Term::and([s.formula, step, Versions::new().step(&versions, given)]);
        let after: Vec<Term> =
            candidates.iter().map(|candidate| versions.now(*candidate)).collect();
        let Some(holds) = self.implied(premise, &after)? else { return Ok(Vec::new()) };
        for (pair, holds) in candidates.chunks(2).zip(holds.chunks(2)) {
            if holds == [false, false] {
                open.push(pair[0]);
            }
        }
        let implied = candidates
            .into_iter()
            .zip(holds)
            .filter(|(_, holds)| *holds)
            .map(|(literal, _)| literal);
        Ok(vec![Literals::new(carried.into_iter().chain(implied)).with_open(open)])
    }

    fn expr(&self, s: &Literals) -> Term {
        s.formula
    }

    fn learn(&mut self, _at: &Literals, reason: &Reason, _prec: &Predicates) -> Predicates {
        self.split.learn(reason)
    }
}

impl Meaning for Literals {
    fn meaning(&self) -> Term {
        self.formula
    }
}
