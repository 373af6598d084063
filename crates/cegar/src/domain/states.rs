//! Abstract states that are split one by one (second paper, §4.1 and §4.4): `precision=state`.
//!
//! An abstract state is a full cube: the values of the explicit variables, if there are any, and on each predicate that
//! divides it from the others the side it is on. Refinement replaces the states that it has something to say about by
//! their two parts, `ŝ ∪ {I}` and `ŝ ∪ {¬I}`, and leaves all others as they are, so that the precision is a decision
//! tree ([`Splits`]) whose leaves are the states. States are disjoint: one covers another only if they are the same, or
//! if the one was split after the other's making.
//!
//! Interpolants are taken whole. The atoms of an unsatisfiable core come in one by one: a split for each combination of
//! them would be exponential, and what is missing is found when the next counterexample comes.

mod splits;

use std::sync::Arc;

use lapidary_expr::{Term, Valuation, VarSet, Versions};
use lapidary_model::{Stmt, encode};
use lapidary_solver::{Backend, UnsatCore};
use rustc_hash::FxHashMap;

use super::explicit::{Explicit, MaxEnum, Successors, Values};
use crate::arg::{CoverIndex, NodeId};
use crate::{Domain, Reason, Result};
pub use splits::Splits;
use splits::Tree;

/// A leaf of the decision tree.
#[derive(Clone, Debug)]
pub struct Leaf {
    values: Values,
    /// The literals on the way to it, those of the values and of the common predicates first.
    path: Arc<[Term]>,
    /// The number of these.
    root: usize,
    formula: Term,
}

impl Leaf {
    fn new(values: Values, path: Vec<Term>, root: usize) -> Self {
        let formula = Term::and(path.iter().copied());
        Leaf { values, path: path.into(), root, formula }
    }

    fn decides(&self, predicate: Term) -> bool {
        self.path.iter().any(|literal| literal.positive() == predicate.positive())
    }
}

/// Predicates, and explicit values of chosen variables.
pub struct States {
    values: Explicit,
    explicit: VarSet,
    solver: Box<dyn UnsatCore>,
}

/// A model of a step, which leads down the tree for as long as it knows the way.
struct Guide<'a> {
    model: Option<Valuation>,
    versions: &'a Versions,
}

impl States {
    /// The domain whose states have the values of the `explicit` variables; without any, predicates alone.
    pub fn new(backend: &dyn Backend, max_enum: MaxEnum, explicit: VarSet) -> Self {
        States { values: Explicit::new(backend, max_enum), explicit, solver: backend.solver() }
    }

    /// The explicit successors; those with more values than the limit allows stay unknown.
    fn values_after(&mut self, s: &Leaf, given: Term, stmt: &Stmt) -> Result<Vec<Values>> {
        if self.explicit.is_empty() {
            return Ok(vec![Values::default()]);
        }
        let known = Term::and([given, s.formula]);
        Ok(match self.values.successors(&s.values, known, stmt, &self.explicit)? {
            Successors::All { states, .. } => states,
            Successors::TooMany(_, state) => vec![state],
        })
    }

    /// The leaves with these values that a solution of what is asserted lies in: each model shows one of them.
    fn leaves(&mut self, values: &Values, versions: &Versions, prec: &Splits) -> Result<Vec<Leaf>> {
        let start: Vec<Term> =
            values.iter().map(|(var, value)| Term::var(var).equals(Term::lit(value))).collect();
        let asked: VarSet = prec.vars.iter().map(|var| versions.current(*var)).collect();
        self.solver.assert(versions.now(Term::and(start.iter().copied())));
        let mut leaves = Vec::new();
        while let Some(model) = self.solver.model(&asked)? {
            let mut guide = Guide { model: Some(model), versions };
            let leaf = self.descend(values, start.clone(), &mut guide, prec)?;
            let chosen = Term::and(leaf.path[start.len()..].iter().copied());
            leaves.push(leaf);
            if chosen.is_true() {
                break;
            }
            self.solver.assert(versions.now(chosen).not());
        }
        Ok(leaves)
    }

    fn descend(
        &mut self,
        values: &Values,
        mut path: Vec<Term>,
        guide: &mut Guide<'_>,
        prec: &Splits,
    ) -> Result<Leaf> {
        for predicate in &prec.common {
            let literal = self.literal(*predicate, &path, guide)?;
            path.push(literal);
        }
        let root = path.len();
        let mut tree = prec.tree(&path);
        while let Tree::Split(predicate, branches) = tree {
            let literal = self.literal(*predicate, &path, guide)?;
            path.push(literal);
            tree = &branches[splits::side(literal)];
        }
        Ok(Leaf::new(values.clone(), path, root))
    }

    /// The side of a predicate that the model is on. Where it does not tell, the solver does, and from then on:
    /// its solution may be another one.
    fn literal(&mut self, predicate: Term, path: &[Term], guide: &mut Guide<'_>) -> Result<Term> {
        let after = guide.versions.now(predicate);
        let told = guide.model.as_ref().and_then(|model| after.holds(model));
        let holds = match told {
            Some(holds) => holds,
            None => {
                guide.model = None;
                self.solver.push();
                let path = Term::and(path.iter().copied());
                self.solver.assert(Term::and([guide.versions.now(path), after]));
                let answer = self.solver.is_sat();
                self.solver.pop();
                answer?
            }
        };
        Ok(if holds { predicate } else { predicate.not() })
    }
}

impl Domain for States {
    type State = Leaf;
    type Prec = Splits;
    type Index = LeafIndex;

    fn top(&self) -> Leaf {
        Leaf::new(Values::default(), Vec::new(), 0)
    }

    fn leq(&mut self, s: &Leaf, t: &Leaf) -> Result<bool> {
        Ok(s.path.starts_with(&t.path))
    }

    fn post(&mut self, s: &Leaf, given: Term, stmt: &Stmt, prec: &Splits) -> Result<Vec<Leaf>> {
        let successors = self.values_after(s, given, stmt)?;
        let mut versions = Versions::new();
        let step = encode(stmt, &mut versions);
        let premise = Term::and([s.formula, step, Versions::new().step(&versions, given)]);
        let mut leaves = Vec::new();
        for values in successors {
            self.solver.push();
            self.solver.assert(premise);
            let found = self.leaves(&values, &versions, prec);
            self.solver.pop();
            leaves.extend(found?);
        }
        Ok(leaves)
    }

    fn expr(&self, s: &Leaf) -> Term {
        s.formula
    }

    fn is_split(&self, s: &Leaf, prec: &Splits) -> bool {
        prec.is_split(&s.path, s.root)
    }

    fn chooses(&self) -> bool {
        true
    }

    fn learn(&mut self, at: &Leaf, reason: &Reason, _prec: &Splits) -> Splits {
        let predicate = match reason {
            Reason::Holds(term) => Some(*term).filter(|term| !at.decides(*term)),
            Reason::Core { atoms, .. } => atoms.iter().copied().find(|atom| !at.decides(*atom)),
            Reason::Tracks(_) => None,
        };
        match predicate {
            Some(predicate) => Splits::splitting(&at.path, at.root, predicate),
            None => Splits::default(),
        }
    }
}

/// Leaves by their path: what covers a leaf is a beginning of it.
#[derive(Debug, Default)]
pub struct LeafIndex(FxHashMap<Arc<[Term]>, Vec<NodeId>>);

impl CoverIndex<Leaf> for LeafIndex {
    fn insert(&mut self, node: NodeId, state: &Leaf) {
        self.0.entry(Arc::clone(&state.path)).or_default().push(node);
    }

    fn remove(&mut self, node: NodeId, state: &Leaf) {
        if let Some(nodes) = self.0.get_mut(&state.path) {
            nodes.retain(|other| *other != node);
            if nodes.is_empty() {
                self.0.remove(&state.path);
            }
        }
    }

    fn candidates(&self, state: &Leaf) -> Vec<NodeId> {
        let beginnings = (0..=state.path.len()).filter_map(|n| self.0.get(&state.path[..n]));
        let mut found: Vec<NodeId> = beginnings.flatten().copied().collect();
        found.sort_unstable();
        found
    }
}
