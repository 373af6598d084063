//! Explicit values × predicates, with flagged variables.

use lapidary_cegar::domain::explicit::{MaxEnum, ValueIndex, Values};
use lapidary_cegar::domain::predicate::{Literals, PredSplit, Predicates};
use lapidary_cegar::domain::{Cartesian, Explicit};
use lapidary_cegar::{CoverIndex, Domain, NodeId, Precision, Reason, Result};
use lapidary_expr::{Term, VarSet};
use lapidary_model::Stmt;
use lapidary_solver::z3::Z3;

/// What both sides track. Flags travel with the precision.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prec {
    tracked: VarSet,
    predicates: Predicates,
    flagged: VarSet,
}

impl Precision for Prec {
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
        self.tracked.len() + self.predicates.size()
    }
}

pub(crate) struct Product {
    values: Explicit,
    predicates: Cartesian,
}

impl Product {
    pub(crate) fn new(z3: &Z3) -> Self {
        Product {
            values: Explicit::new(z3, MaxEnum::Limit(1)),
            predicates: Cartesian::new(z3, PredSplit::Conjuncts),
        }
    }
}

fn primed(term: Term) -> Term {
    term.map_vars(&|var| Some(var.primed().into()))
}

impl Domain for Product {
    type State = (Values, Literals);
    type Prec = Prec;
    type Index = LeftIndex;

    fn top(&self) -> Self::State {
        (self.values.top(), self.predicates.top())
    }

    fn leq(&mut self, s: &Self::State, t: &Self::State) -> Result<bool> {
        Ok(self.values.leq(&s.0, &t.0)? && self.predicates.leq(&s.1, &t.1)?)
    }

    fn post(
        &mut self,
        s: &Self::State,
        given: Term,
        stmt: &Stmt,
        prec: &Prec,
    ) -> Result<Vec<Self::State>> {
        // The effective explicit precision: tracked and not flagged.
        let tracked = prec.tracked.difference(&prec.flagged).copied().collect();
        let mut successors = Vec::new();
        for value in self.values.post(
            &s.0,
            Term::and([given, self.predicates.expr(&s.1)]),
            stmt,
            &tracked,
        )? {
            // Once per explicit successor, which is known to the predicates over x'.
            let known =
                Term::and([given, self.values.expr(&s.0), primed(self.values.expr(&value))]);
            let after = self.predicates.post(&s.1, known, stmt, &prec.predicates)?;
            successors.extend(after.into_iter().map(|literals| (value.clone(), literals)));
        }
        Ok(successors)
    }

    fn expr(&self, s: &Self::State) -> Term {
        Term::and([self.values.expr(&s.0), self.predicates.expr(&s.1)])
    }

    /// A variable that is tracked and asked for again is for predicates from now on.
    fn learn(&mut self, at: &Self::State, reason: &Reason, prec: &Prec) -> Prec {
        let wanted = self.values.learn(&at.0, reason, &prec.tracked);
        let again = wanted.intersection(&prec.tracked).copied();
        let flagged: VarSet = again.chain(prec.flagged.iter().copied()).collect();
        let concerns = wanted.iter().any(|var| flagged.contains(var));
        let predicates = match concerns {
            true => self.predicates.learn(&at.1, reason, &prec.predicates),
            false => Predicates::default(),
        };
        Prec { tracked: wanted, predicates, flagged }
    }
}

/// A pair is covered at most where its values are.
#[derive(Debug, Default)]
pub(crate) struct LeftIndex(ValueIndex);

impl CoverIndex<(Values, Literals)> for LeftIndex {
    fn insert(&mut self, node: NodeId, state: &(Values, Literals)) {
        self.0.insert(node, &state.0);
    }

    fn remove(&mut self, node: NodeId, state: &(Values, Literals)) {
        self.0.remove(node, &state.0);
    }

    fn candidates(&self, state: &(Values, Literals)) -> Vec<NodeId> {
        self.0.candidates(&state.0)
    }
}
