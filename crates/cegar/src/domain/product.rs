//! The product of values and predicates with limited enumeration (third paper).
//!
//! Values come first. If a variable has more than `k` different values among the successors of one state, it leaves the
//! explicit precision and is flagged, and enumeration restarts without it. Refinement sends the predicates about
//! flagged variables to the predicate side, and everything else to the explicit side.
//!
//! Differences: the paper's transfer functions are independent; here each side sees the other's state, and neither
//! asks where the values alone decide. A plain `havoc` gives ⊤ rather than an enumeration that must fail. Flags
//! are global. A variable that is asked for although it was tracked, in a state that has no value for it, is
//! flagged as well: without this, refinement would stop at values that no limit ever saw. But first what a value depends
//! on is tracked: a variable that is unknown because of variables that are neither tracked nor flagged stays unknown and
//! is not flagged, and a counterexample that asks for another variable flags nothing either. In the paper's `ssh` programs,
//! `state := new_state; [state ≠ 3]` would flag `state` before `new_state` is tracked.

use std::sync::Arc;

use lapidary_expr::{Term, Var, VarSet};
use lapidary_model::Stmt;
use lapidary_solver::Backend;

use super::explicit::{Explicit, MaxEnum, Successors};
use super::pair::{Pair, PairIndex, Sides};
use super::predicate::Predicates;
use crate::{Domain, Fact, Lesson, Precision, Reason, Result};

/// What both sides track. Flags travel with the precision.
#[derive(Clone, Debug, Default)]
pub struct ProductPrec {
    /// The variables whose values are worth knowing, flagged ones included.
    pub tracked: VarSet,
    /// The predicates.
    pub predicates: Predicates,
    /// The variables that are left to the predicates.
    pub flagged: VarSet,
}

impl Precision for ProductPrec {
    fn join(&mut self, other: &Self) -> bool {
        // All three grow, whichever comes first.
        let grown = [
            self.tracked.join(&other.tracked),
            self.predicates.join(&other.predicates),
            self.flagged.join(&other.flagged),
        ];
        grown.contains(&true)
    }

    fn size(&self) -> usize {
        self.tracked.difference(&self.flagged).count() + self.predicates.size()
    }

    fn facts(&self) -> Vec<Fact> {
        let mut facts = self.tracked.facts();
        facts.extend(self.flagged.iter().copied().map(Fact::Flagged));
        facts.extend(self.predicates.facts());
        facts
    }

    fn adopt(&mut self, fact: &Fact) {
        match fact {
            Fact::Variable(var) => drop(self.tracked.insert(*var)),
            Fact::Flagged(var) => drop(self.flagged.insert(*var)),
            Fact::Predicate(_) => self.predicates.adopt(fact),
        }
    }
}

/// The product domain over a predicate domain.
pub struct Product<P> {
    sides: Sides<P>,
    max_enum: MaxEnum,
    flagged: VarSet,
    /// The explicit precision of the last step: steps share it.
    tracked: Arc<VarSet>,
}

impl<P: Domain<Prec = Predicates>> Product<P> {
    /// The product with `predicates`, which flags variables with more than `max_enum` values.
    pub fn new(backend: &dyn Backend, max_enum: MaxEnum, predicates: P) -> Self {
        let values = Explicit::counting_values(backend, max_enum);
        let sides = Sides { values, predicates };
        Product { sides, max_enum, flagged: VarSet::new(), tracked: Arc::default() }
    }

    /// The variables that have been flagged so far.
    pub fn flagged(&self) -> &VarSet {
        &self.flagged
    }

    /// The effective explicit precision: tracked and not flagged.
    fn effective(&mut self, prec: &ProductPrec) -> Arc<VarSet> {
        let is_free = |var: &&Var| !self.flagged.contains(*var) && !prec.flagged.contains(*var);
        if !prec.tracked.iter().filter(is_free).eq(self.tracked.iter()) {
            self.tracked = Arc::new(prec.tracked.iter().filter(is_free).copied().collect());
        }
        Arc::clone(&self.tracked)
    }
}

impl<P: Domain<Prec = Predicates>> Domain for Product<P> {
    type State = Pair<P::State>;
    type Prec = ProductPrec;
    type Index = PairIndex;

    fn top(&self) -> Self::State {
        self.sides.top()
    }

    fn leq(&mut self, s: &Self::State, t: &Self::State) -> Result<bool> {
        self.sides.leq(s, t)
    }

    fn post(
        &mut self,
        s: &Self::State,
        given: Term,
        stmt: &Stmt,
        prec: &ProductPrec,
    ) -> Result<Vec<Self::State>> {
        let known = Term::and([given, self.sides.predicates.expr(&s.predicates)]);
        loop {
            let tracked = self.effective(prec);
            let successors = match self.sides.values.successors(&s.values, known, stmt, &tracked)? {
                Successors::TooMany(_, state) if self.is_waiting(s, stmt, &tracked) => {
                    (vec![state], false)
                }
                Successors::TooMany(vars, _) => {
                    self.flagged.extend(vars);
                    continue;
                }
                Successors::All { states, certain } => (states, certain),
            };
            let (step, prec) = ((given, stmt), &prec.predicates);
            let mut pairs = self.sides.pairs(s, step, successors, &tracked, prec)?;
            for pair in &mut pairs {
                pair.waiting = self.waiting(s, stmt, pair);
            }
            return Ok(pairs);
        }
    }

    fn expr(&self, s: &Self::State) -> Term {
        self.sides.expr(s)
    }

    fn learn(&mut self, at: &Self::State, reason: &Reason, prec: &ProductPrec) -> ProductPrec {
        self.learn_along(&[Lesson { at, reason, prec }]).pop().unwrap_or_default()
    }

    fn learn_along(&mut self, path: &[Lesson<'_, Self>]) -> Vec<ProductPrec> {
        let values = &mut self.sides.values;
        let wanted: Vec<VarSet> = path
            .iter()
            .map(|it| values.learn(&it.at.values, it.reason, &it.prec.tracked))
            .collect();
        path.iter().for_each(|it| self.flagged.extend(&it.prec.flagged));
        let is_new = |(it, wanted): (&Lesson<'_, Self>, &VarSet)| {
            wanted.iter().any(|var| !it.prec.tracked.contains(var) && !self.flagged.contains(var))
        };
        if !path.iter().zip(&wanted).any(is_new) {
            let lacking =
                path.iter().zip(&wanted).flat_map(|(it, wanted)| self.lacking(it, wanted));
            let lacking: Vec<Var> = lacking.collect();
            self.flagged.extend(lacking);
        }
        path.iter().zip(wanted).map(|(it, wanted)| self.learned(it, wanted)).collect()
    }
}

impl<P: Domain<Prec = Predicates>> Product<P> {
    /// Whether a step reads a variable that might have a value if more were tracked.
    fn is_waiting(&self, s: &Pair<P::State>, stmt: &Stmt, tracked: &VarSet) -> bool {
        stmt.read().iter().filter(|var| s.values.get(**var).is_none()).any(|var| {
            s.waiting.contains(var) || !tracked.contains(var) && !self.flagged.contains(var)
        })
    }

    /// The tracked variables without a value after a step from `s` that might have one if more were tracked.
    fn waiting(&self, s: &Pair<P::State>, stmt: &Stmt, after: &Pair<P::State>) -> Arc<VarSet> {
        let unknown = after.tracked.iter().filter(|var| after.values.get(**var).is_none());
        let unknown: Vec<Var> = unknown.copied().collect();
        if unknown.is_empty() {
            return Arc::default();
        }
        let (written, computed) = (stmt.written(), self.is_waiting(s, stmt, &after.tracked));
        let is_waiting =
            |var: &Var| if written.contains(var) { computed } else { s.waiting.contains(var) };
        Arc::new(unknown.into_iter().filter(is_waiting).collect())
    }

    /// The variables that are asked for at a state although they are tracked there: values do not help.
    fn lacking<'a>(
        &'a self,
        lesson: &'a Lesson<'_, Self>,
        wanted: &'a VarSet,
    ) -> impl Iterator<Item = Var> + 'a {
        let at = lesson.at;
        // Without the solver, even a value may have been of no use.
        let is_useless =
            |var: &&Var| self.max_enum == MaxEnum::Evaluate || at.values.get(**var).is_none();
        wanted.iter().filter(|var| at.tracked.contains(*var)).filter(is_useless).copied()
    }

    /// What is tracked if these variables are wanted: those that are flagged by predicates.
    fn learned(&mut self, lesson: &Lesson<'_, Self>, tracked: VarSet) -> ProductPrec {
        let Lesson { at, reason, prec } = lesson;
        let learned = self.sides.predicates.learn(&at.predicates, reason, &prec.predicates);
        let is_flagged =
            |predicate: &Term| predicate.vars().iter().any(|var| self.flagged.contains(var));
        let predicates = Predicates::new(learned.iter().filter(is_flagged));
        ProductPrec { tracked, predicates, flagged: self.flagged.clone() }
    }
}
