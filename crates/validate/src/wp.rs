//! What must hold before edges so that covers hold at the next cut points, going backward over edges in
//! [passive form](crate::passive); the rules are in the [crate](crate).
//!
//! A formula that has become large gets a name, of which is known that it holds if the formula does.

use lapidary_expr::{Sort, Term, Var, VarSet};
use lapidary_model::{EdgeId, Loc, StateId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::{Graph, Kind};
use crate::passive::{Passive, valued};

/// Formulas that have more nodes than this are named.
const LARGE: u32 = 250;

/// The preconditions along the edges of an automaton for some choice of covers.
pub(crate) struct Preconditions<'a> {
    graph: &'a Graph<'a>,
    passive: &'a Passive,
    /// The states that make up the covers, where there are some at a location; all states elsewhere.
    hints: &'a [StateId],
    /// What must hold at the locations between cut points.
    locs: FxHashMap<Loc, Term>,
    /// What the names of large formulas stand for.
    definitions: FxHashMap<Var, Term>,
}

impl<'a> Preconditions<'a> {
    pub(crate) fn new(graph: &'a Graph<'a>, passive: &'a Passive, hints: &'a [StateId]) -> Self {
        let (locs, definitions) = (FxHashMap::default(), FxHashMap::default());
        Preconditions { graph, passive, hints, locs, definitions }
    }

    /// What must hold before an edge so that covers hold at the next cut points.
    pub(crate) fn edge(&mut self, id: EdgeId) -> Term {
        let target = self.graph.cfa.edge(id).target;
        if self.graph.kind(target) == Kind::Between && !self.graph.is_retreating(id) {
            self.find(target);
        }
        self.before(id)
    }

    /// What is to be known of the names in `formula`, and of those that this speaks of: that they hold if what they stand
    /// for does. A formula asks for its names to hold, so that the other direction would add nothing; and solvers
    /// would replace names by what is equal to them.
    pub(crate) fn definitions(&self, formula: Term) -> Vec<Term> {
        let mut found = VarSet::new();
        let mut definitions = Vec::new();
        let mut pending = vec![formula];
        while let Some(term) = pending.pop() {
            for name in term.vars() {
                if let Some(body) = self.definitions.get(name)
                    && found.insert(*name)
                {
                    definitions.push(body.implies(Term::var(*name)));
                    pending.push(*body);
                }
            }
        }
        definitions
    }

    /// What must hold at a location; without recursion, as there may be many between cut points.
    fn find(&mut self, root: Loc) {
        let mut open = vec![root];
        while let Some(loc) = open.last().copied() {
            let missing = |edge: &EdgeId| {
                let target = self.graph.cfa.edge(*edge).target;
                let is_missing = self.is_missing(target) && !self.graph.is_retreating(*edge);
                is_missing.then_some(target)
            };
            if !self.is_missing(loc) {
                open.pop();
            } else if let Some(target) = self.graph.outgoing(loc).iter().find_map(missing) {
                open.push(target);
            } else {
                let edges = self.graph.outgoing(loc).iter();
                let all = merged(edges.map(|edge| self.before(*edge)).collect());
                let named = self.named(all);
                self.locs.insert(loc, named);
            }
        }
    }

    fn is_missing(&self, loc: Loc) -> bool {
        self.graph.kind(loc) == Kind::Between && !self.locs.contains_key(&loc)
    }

    /// What must hold before an edge whose target is not missing.
    fn before(&self, id: EdgeId) -> Term {
        let step = self.passive.step(id);
        let target = self.graph.cfa.edge(id).target;
        let after = match self.graph.kind(target) {
            Kind::Harmless => true.into(),
            Kind::Error => false.into(),
            Kind::Cut => valued(self.cover(target), &step.values),
            // Round and round.
            Kind::Between if self.graph.is_retreating(id) => false.into(),
            Kind::Between => self.locs[&target],
        };
        Term::or(step.premises.iter().map(|premise| premise.not()).chain([after]))
    }

    fn cover(&self, loc: Loc) -> Term {
        match self.graph.hinted(loc, self.hints).next() {
            Some(_) => Term::or(self.graph.hinted(loc, self.hints)),
            None => self.graph.cover(loc),
        }
    }

    /// The formula, or its name if it is large.
    fn named(&mut self, formula: Term) -> Term {
        if formula.size() <= LARGE {
            return formula;
        }
        let number = self.passive.end() + self.definitions.len() as u32;
        let name = Var::new("wp", Sort::Bool).at(number);
        self.definitions.insert(name, formula);
        name.into()
    }
}

/// The conjunction. Of two conjuncts `c ∨ Q` and `¬c ∨ Q`, `Q` is left: where a branch makes no difference, its condition
/// does not, either.
fn merged(conjuncts: Vec<Term>) -> Term {
    let [one, other] = conjuncts[..] else { return Term::and(conjuncts) };
    let [in_one, in_other] = [one, other].map(|term| FxHashSet::from_iter(term.disjuncts()));
    let only_one = Term::or(one.disjuncts().into_iter().filter(|term| !in_other.contains(term)));
    let only_other = Term::or(other.disjuncts().into_iter().filter(|term| !in_one.contains(term)));
    match only_one == only_other.not() {
        true => Term::or(one.disjuncts().into_iter().filter(|term| in_other.contains(term))),
        false => Term::and(conjuncts),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(name: &str) -> (Var, Term) {
        let var = Var::new(name, Sort::Int);
        (var, var.into())
    }

    #[test]
    fn a_branch_that_makes_no_difference_goes() {
        let ((_, x), (_, y)) = (int("x"), int("y"));
        let (condition, after) = (x.less(y), x.equals(Term::int(3)));
        let both = |one: Term, other: Term| {
            merged(vec![Term::or([condition.not(), one]), Term::or([condition, other])])
        };
        assert_eq!(both(after, after), after);
        assert_eq!(both(false.into(), false.into()), false.into());
        let different = both(after, y.equals(x));
        assert_eq!(different.conjuncts().len(), 2);
        // The same condition twice is no choice.
        assert_eq!(merged(vec![condition, condition]), condition);
        let compound = Term::and([condition, after]);
        let parts = [compound.not(), compound].map(|part| Term::or([part, y.equals(x)]));
        assert_eq!(merged(parts.to_vec()), y.equals(x));
    }
}
