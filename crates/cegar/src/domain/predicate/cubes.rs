//! Splitting abstraction (first paper, §3.1.3): one state for each cube of Boolean abstraction.
//!
//! A cube decides every predicate of the precision that it was made with. Precisions grow, so the cubes at a
//! location have few sets of predicates, and a cube is covered by those it extends: they are found by lookup.

use lapidary_expr::Term;
use lapidary_model::Stmt;
use lapidary_solver::Backend;
use rustc_hash::FxHashMap;

use super::combination::Factor;
use super::{Boolean, Literals, PredSplit, Predicates};
use crate::arg::{CoverIndex, NodeId};
use crate::{Domain, Reason, Result};

/// Splitting abstraction.
pub struct Split(Boolean);

impl Split {
    /// The domain, which takes predicates from formulas as `split` says.
    pub fn new(backend: &dyn Backend, split: PredSplit) -> Self {
        Split(Boolean::new(backend, split))
    }
}

/// Every choice of one row from each factor.
fn cubes(factors: &[Factor]) -> Vec<Vec<Term>> {
    let mut cubes = vec![Vec::new()];
    for factor in factors {
        let with = |cube: &[Term], row: &[bool]| {
            let literal = |(p, value): (&Term, &bool)| if *value { *p } else { p.not() };
            let literals = factor.predicates().iter().zip(row).map(literal);
            cube.iter().copied().chain(literals).collect::<Vec<Term>>()
        };
        cubes = cubes
            .iter()
            .flat_map(|cube| factor.rows().iter().map(move |row| with(cube, row)))
            .collect();
    }
    cubes
}

impl Domain for Split {
    type State = Literals;
    type Prec = Predicates;
    type Index = CubeIndex;

    fn top(&self) -> Literals {
        Literals::new([])
    }

    /// By syntax alone: at one location a cube of a later precision decides all that an earlier one does.
    fn leq(&mut self, s: &Literals, t: &Literals) -> Result<bool> {
        Ok(t.known().is_subset(s.known()))
    }

    fn post(
        &mut self,
        s: &Literals,
        given: Term,
        stmt: &Stmt,
        prec: &Predicates,
    ) -> Result<Vec<Literals>> {
        let known: Vec<Factor> =
            s.known().iter().map(|literal| Factor::literal(*literal)).collect();
        let factors = self.0.successor(&known, given, stmt, prec)?;
        Ok(factors
            .map(|factors| cubes(&factors))
            .into_iter()
            .flatten()
            .map(Literals::new)
            .collect())
    }

    fn expr(&self, s: &Literals) -> Term {
        s.formula()
    }

    fn learn(&mut self, _at: &Literals, reason: &Reason, prec: &Predicates) -> Predicates {
        let top = self.0.top();
        self.0.learn(&top, reason, prec)
    }
}

/// Cubes by their predicates and truth values.
#[derive(Debug, Default)]
pub struct CubeIndex {
    groups: Vec<Group>,
}

#[derive(Debug)]
struct Group {
    predicates: Vec<Term>,
    nodes: FxHashMap<Vec<bool>, Vec<NodeId>>,
}

/// The predicates of a cube with their truth values, sorted.
fn columns(state: &Literals) -> (Vec<Term>, Vec<bool>) {
    let mut columns: Vec<(Term, bool)> = state
        .known()
        .iter()
        .map(|literal| (literal.positive(), literal.positive() == *literal))
        .collect();
    columns.sort_unstable();
    columns.into_iter().unzip()
}

impl CoverIndex<Literals> for CubeIndex {
    fn insert(&mut self, node: NodeId, state: &Literals) {
        let (predicates, values) = columns(state);
        let group = match self.groups.iter().position(|group| group.predicates == predicates) {
            Some(position) => position,
            None => {
                self.groups.push(Group { predicates, nodes: FxHashMap::default() });
                self.groups.len() - 1
            }
        };
        self.groups[group].nodes.entry(values).or_default().push(node);
    }

    fn remove(&mut self, node: NodeId, state: &Literals) {
        let (predicates, values) = columns(state);
        if let Some(group) = self.groups.iter_mut().find(|group| group.predicates == predicates)
            && let Some(nodes) = group.nodes.get_mut(&values)
        {
            nodes.retain(|other| *other != node);
            if nodes.is_empty() {
                group.nodes.remove(&values);
            }
        }
        self.groups.retain(|group| !group.nodes.is_empty());
    }

    fn candidates(&self, state: &Literals) -> Vec<NodeId> {
        let (predicates, values) = columns(state);
        let value = |p: &Term| predicates.binary_search(p).ok().map(|i| values[i]);
        let mut found = Vec::new();
        for group in &self.groups {
            let key: Option<Vec<bool>> = group.predicates.iter().map(value).collect();
            found.extend(key.and_then(|key| group.nodes.get(&key)).into_iter().flatten());
        }
        found.sort_unstable();
        found
    }
}
