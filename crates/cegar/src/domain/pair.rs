//! Values and predicates side by side: what the product of the third paper and the combination of the second share.
//!
//! Each side's transfer sees the other's state. The explicit side goes first; the predicate side runs once for each
//! explicit successor and knows its values, those before the step over `x` and those after it over `x'`.

use std::sync::Arc;

use lapidary_expr::{Term, Var, VarSet};
use lapidary_model::Stmt;

use super::explicit::{Explicit, ValueIndex, Values};
use super::predicate::Predicates;
use crate::arg::{CoverIndex, NodeId};
use crate::{Domain, Result};

/// What is known of values and of predicates.
#[derive(Clone, Debug)]
pub struct Pair<P> {
    pub(super) values: Values,
    pub(super) predicates: P,
    /// The variables whose values were looked for when the state was made.
    pub(super) tracked: Arc<VarSet>,
    /// Those of them that have no value because they depend on variables that were not tracked.
    pub(super) waiting: Arc<VarSet>,
}

/// The two sides.
pub(super) struct Sides<P> {
    pub(super) values: Explicit,
    pub(super) predicates: P,
}

fn primed(term: Term) -> Term {
    term.map_vars(&|var| Some(var.primed().into()))
}

impl<P: Domain<Prec = Predicates>> Sides<P> {
    pub(super) fn top(&self) -> Pair<P::State> {
        let (values, predicates) = (self.values.top(), self.predicates.top());
        Pair { values, predicates, tracked: Arc::default(), waiting: Arc::default() }
    }

    pub(super) fn leq(&mut self, s: &Pair<P::State>, t: &Pair<P::State>) -> Result<bool> {
        Ok(self.values.leq(&s.values, &t.values)?
            && self.predicates.leq(&s.predicates, &t.predicates)?)
    }

    pub(super) fn expr(&self, s: &Pair<P::State>) -> Term {
        Term::and([self.values.expr(&s.values), self.predicates.expr(&s.predicates)])
    }

    /// The pairs for explicit successors of `s`. If it is `certain` that there is a way to each of them, and
    /// predicates have nothing to say, nothing is asked.
    pub(super) fn pairs(
        &mut self,
        s: &Pair<P::State>,
        (given, stmt): (Term, &Stmt),
        (states, certain): (Vec<Values>, bool),
        tracked: &Arc<VarSet>,
        prec: &Predicates,
    ) -> Result<Vec<Pair<P::State>>> {
        let before = self.predicates.expr(&s.predicates);
        let idle = certain && prec.is_empty() && before.is_true() && given.is_true();
        let relevant = if idle { VarSet::new() } else { relevant(before, stmt, prec) };
        let is_relevant = |var: Var| relevant.contains(&var);
        let mut pairs = Vec::with_capacity(states.len());
        for values in states {
            let next = match idle {
                true => vec![self.predicates.top()],
                false => {
                    let known = s.values.to_term(is_relevant);
                    let given = Term::and([given, known, primed(values.to_term(is_relevant))]);
                    self.predicates.post(&s.predicates, given, stmt, prec)?
                }
            };
            pairs.extend(next.into_iter().map(|predicates| Pair {
                values: values.clone(),
                predicates,
                tracked: Arc::clone(tracked),
                waiting: Arc::default(),
            }));
        }
        Ok(pairs)
    }
}

/// The variables whose values may matter to the predicates. The others would only make equal questions differ.
fn relevant(before: Term, stmt: &Stmt, prec: &Predicates) -> VarSet {
    let mut vars = stmt.read();
    vars.extend(stmt.written());
    vars.extend(before.vars());
    prec.iter().for_each(|predicate| vars.extend(predicate.vars()));
    vars
}

/// A pair is covered at most where its values are.
#[derive(Debug, Default)]
pub struct PairIndex(ValueIndex);

impl<P> CoverIndex<Pair<P>> for PairIndex {
    fn insert(&mut self, node: NodeId, state: &Pair<P>) {
        self.0.insert(node, &state.values);
    }

    fn remove(&mut self, node: NodeId, state: &Pair<P>) {
        self.0.remove(node, &state.values);
    }

    fn candidates(&self, state: &Pair<P>) -> Vec<NodeId> {
        self.0.candidates(&state.values)
    }
}
