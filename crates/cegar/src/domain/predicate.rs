//! Predicate abstraction (first paper, §2.2.1): an abstract state says which predicates of the precision hold.
//!
//! Three transfer functions: [`Cartesian`] keeps the strongest conjunction of literals, [`Boolean`] the strongest
//! combination of predicates, and [`Split`] (§3.1.3) has a state for each cube of that combination.

mod allsat;
mod boolean;
mod cartesian;
mod combination;
mod cubes;
mod parts;
mod split;

use std::collections::BTreeSet;

use lapidary_expr::Term;
use lapidary_model::Stmt;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::arg::{CoverIndex, NodeId};
use crate::axis::axis;
use crate::{Fact, Precision, Reason};
pub use boolean::Boolean;
pub use cartesian::{Cartesian, Literals};
pub use combination::Combination;
pub use cubes::{CubeIndex, Split};
pub use split::PredSplit;

axis! {
    /// What an abstract state makes of the predicates.
    pub enum Abstraction {
        /// The strongest conjunction of predicates and negated predicates.
        #[default]
        Cartesian = "cartesian",
        /// The strongest combination of predicates.
        Boolean = "boolean",
        /// One state per cube of the strongest combination.
        Split = "split",
    }
}

/// A set of predicates, each standing for itself and its negation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Predicates(BTreeSet<Term>);

impl Predicates {
    /// The predicates, each in its [`positive`](Term::positive) form.
    pub fn new(predicates: impl IntoIterator<Item = Term>) -> Self {
        let proper = |term: &Term| !term.is_true() && !term.is_false();
        Predicates(predicates.into_iter().map(Term::positive).filter(proper).collect())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The predicates in a fixed order.
    pub fn iter(&self) -> impl Iterator<Item = Term> {
        self.0.iter().copied()
    }
}

impl Precision for Predicates {
    fn join(&mut self, other: &Self) -> bool {
        let before = self.0.len();
        self.0.extend(&other.0);
        self.0.len() > before
    }

    fn size(&self) -> usize {
        self.0.len()
    }

    fn facts(&self) -> Vec<Fact> {
        self.iter().map(Fact::Predicate).collect()
    }

    fn adopt(&mut self, fact: &Fact) {
        if let Fact::Predicate(term) = fact {
            self.join(&Predicates::new([*term]));
        }
    }
}

impl PredSplit {
    /// Formulas become predicates (first paper, Algorithm 2, line 5); variables alone tell nothing.
    fn learn(self, reason: &Reason) -> Predicates {
        match reason {
            Reason::Holds(term) => Predicates::new(self.split(*term)),
            Reason::Core { atoms, .. } => Predicates::new(atoms.iter().copied()),
            Reason::Tracks(_) => Predicates::default(),
        }
    }
}

/// Whether the statement can only go on, so that it says nothing about what it does not write.
fn is_total(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Assume(term) => term.is_true(),
        Stmt::Assign(_) | Stmt::Havoc(_) => true,
        Stmt::Seq(parts) => parts.iter().all(is_total),
        Stmt::Choice(_) | Stmt::Relation { .. } => false,
    }
}

/// A state that is a formula.
pub trait Meaning {
    /// The formula.
    fn meaning(&self) -> Term;
}

/// Any node may cover any state of its location: implication has no key to look up.
#[derive(Debug, Default)]
pub struct AllNodes {
    nodes: BTreeSet<NodeId>,
    /// States by formula: equal ones first, since they cover for sure.
    equal: FxHashMap<Term, FxHashSet<NodeId>>,
}

impl<S: Meaning> CoverIndex<S> for AllNodes {
    fn insert(&mut self, node: NodeId, state: &S) {
        self.nodes.insert(node);
        self.equal.entry(state.meaning()).or_default().insert(node);
    }

    fn remove(&mut self, node: NodeId, state: &S) {
        self.nodes.remove(&node);
        if let Some(nodes) = self.equal.get_mut(&state.meaning()) {
            nodes.remove(&node);
        }
    }

    fn candidates(&self, state: &S) -> Vec<NodeId> {
        let equal = self.equal.get(&state.meaning());
        let is_equal = |node: &NodeId| equal.is_some_and(|nodes| nodes.contains(node));
        let (mut first, rest): (Vec<NodeId>, Vec<NodeId>) =
            self.nodes.iter().partition(|node| is_equal(node));
        first.extend(rest);
        first
    }
}
