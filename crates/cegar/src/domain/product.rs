//! The product of values and predicates with limited enumeration (third paper).
//!
//! Values come first. If a variable has more than `k` different values among the successors of one state, it leaves the
//! explicit precision and is flagged, and enumeration restarts without it. Refinement sends the predicates about
//! flagged variables to the predicate side, and everything else to the explicit side.
//!
//! Differences: the paper's transfer functions are independent; here each side sees the other's state, and neither
//! asks where the values alone decide. A plain `havoc` gives ⊤ rather than an enumeration that must fail. Flags
//! are global. A variable that is asked for although it was tracked, in a state that has no value for it, is
//! flagged as well: without this, refinement would stop at values that no limit ever saw.

use std::sync::Arc;

use lapidary_expr::{Term, VarSet};
use lapidary_model::Stmt;
use lapidary_solver::Backend;

use super::explicit::{Explicit, MaxEnum, Successors};
use super::pair::{Pair, PairIndex, Sides};
use super::predicate::Predicates;
use crate::{Domain, Fact, Precision, Reason, Result};

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
        let is_free = |var: &&lapidary_expr::Var| {
            !self.flagged.contains(*var) && !prec.flagged.contains(*var)
        };
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
            match self.sides.values.successors(&s.values, known, stmt, &tracked)? {
                Successors::TooMany(vars, _) => self.flagged.extend(vars),
                Successors::All { states, certain } => {
                    let successors = (states, certain);
                    return self.sides.pairs(
                        s,
                        (given, stmt),
                        successors,
                        &tracked,
                        &prec.predicates,
                    );
                }
            }
        }
    }

    fn expr(&self, s: &Self::State) -> Term {
        self.sides.expr(s)
    }

    fn learn(&mut self, at: &Self::State, reason: &Reason, prec: &ProductPrec) -> ProductPrec {
        let wanted = self.sides.values.learn(&at.values, reason, &prec.tracked);
        // Without the solver, even a value may have been of no use.
        let in_vain = |var: &&lapidary_expr::Var| {
            at.tracked.contains(*var)
                && (self.max_enum == MaxEnum::Evaluate || at.values.get(**var).is_none())
        };
        let again: Vec<_> = wanted.iter().filter(in_vain).copied().collect();
        self.flagged.extend(again);
        self.flagged.extend(&prec.flagged);
        let learned = self.sides.predicates.learn(&at.predicates, reason, &prec.predicates);
        let is_flagged =
            |predicate: &Term| predicate.vars().iter().any(|var| self.flagged.contains(var));
        let predicates = Predicates::new(learned.iter().filter(is_flagged));
        ProductPrec { tracked: wanted, predicates, flagged: self.flagged.clone() }
    }
}
