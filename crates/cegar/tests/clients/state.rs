//! The precision as a decision tree: each leaf is one abstract state, and refinement splits a single leaf.

use lapidary_cegar::domain::predicate::{AllNodes, Literals};
use lapidary_cegar::{Domain, Precision, Reason, Result};
use lapidary_expr::{Term, Versions};
use lapidary_model::{Stmt, encode};
use lapidary_solver::z3::Z3;
use lapidary_solver::{Backend, UnsatCore};

/// A state is a leaf: the decisions on the way to it.
pub(crate) type Cube = Vec<Term>;

#[derive(Clone, Debug, Default)]
pub(crate) enum Tree {
    #[default]
    Leaf,
    Split(Term, Box<[Tree; 2]>),
}

impl Tree {
    /// The tree that splits the leaf `cube` by `predicate`, and says nothing else.
    fn splitting(cube: &[Term], predicate: Term) -> Tree {
        match cube {
            [] => Tree::Split(predicate, Box::default()),
            [first, rest @ ..] => {
                let below = Tree::splitting(rest, predicate);
                let positive = first.positive() == *first;
                let branches = if positive { [below, Tree::Leaf] } else { [Tree::Leaf, below] };
                Tree::Split(first.positive(), Box::new(branches))
            }
        }
    }

    fn leaves(&self, path: &Cube, out: &mut Vec<Cube>) {
        match self {
            Tree::Leaf => out.push(path.clone()),
            Tree::Split(predicate, branches) => {
                for (literal, branch) in
                    [*predicate, predicate.not()].into_iter().zip(branches.iter())
                {
                    let mut path = path.clone();
                    path.push(literal);
                    branch.leaves(&path, out);
                }
            }
        }
    }
}

impl Precision for Tree {
    fn join(&mut self, other: &Self) -> bool {
        match (&mut *self, other) {
            (_, Tree::Leaf) => false,
            (Tree::Split(p, mine), Tree::Split(q, theirs)) if p == q => {
                let grown =
                    mine.iter_mut().zip(theirs.iter()).map(|(mine, theirs)| mine.join(theirs));
                grown.collect::<Vec<_>>().contains(&true)
            }
            (Tree::Split(_, mine), theirs) => {
                let grown = mine.iter_mut().map(|mine| mine.join(theirs));
                grown.collect::<Vec<_>>().contains(&true)
            }
            (Tree::Leaf, theirs) => {
                *self = theirs.clone();
                true
            }
        }
    }

    fn size(&self) -> usize {
        let mut leaves = Vec::new();
        self.leaves(&Vec::new(), &mut leaves);
        leaves.len() - 1
    }
}

pub(crate) struct Single {
    solver: Box<dyn UnsatCore>,
}

impl Single {
    pub(crate) fn new(z3: &Z3) -> Self {
        Single { solver: z3.solver() }
    }
}

impl Domain for Single {
    type State = Cube;
    type Prec = Tree;
    type Index = AnyCube;

    fn top(&self) -> Cube {
        Vec::new()
    }

    fn leq(&mut self, s: &Cube, t: &Cube) -> Result<bool> {
        self.solver.entails(Term::and(s.iter().copied()), Term::and(t.iter().copied()))
    }

    fn post(&mut self, s: &Cube, given: Term, stmt: &Stmt, prec: &Tree) -> Result<Vec<Cube>> {
        let mut versions = Versions::new();
        let step = encode(stmt, &mut versions);
        let premise = Term::and([self.expr(s), step, Versions::new().step(&versions, given)]);
        let mut leaves = Vec::new();
        prec.leaves(&Vec::new(), &mut leaves);
        let mut reached = Vec::new();
        for leaf in leaves {
            let excluded = versions.now(Term::and(leaf.iter().copied())).not();
            if !self.solver.entails(premise, excluded)? {
                reached.push(leaf);
            }
        }
        Ok(reached)
    }

    fn expr(&self, s: &Cube) -> Term {
        Term::and(s.iter().copied())
    }

    fn learn(&mut self, at: &Cube, reason: &Reason, _prec: &Tree) -> Tree {
        match reason {
            Reason::Holds(term) => Tree::splitting(at, term.positive()),
            Reason::Tracks(_) | Reason::Core { .. } => Tree::Leaf,
        }
    }
}

/// Cubes by way of their conjunction.
#[derive(Debug, Default)]
pub(crate) struct AnyCube(AllNodes);

impl lapidary_cegar::CoverIndex<Cube> for AnyCube {
    fn insert(&mut self, node: lapidary_cegar::NodeId, state: &Cube) {
        self.0.insert(node, &Literals::new(state.iter().copied()));
    }

    fn remove(&mut self, node: lapidary_cegar::NodeId, state: &Cube) {
        self.0.remove(node, &Literals::new(state.iter().copied()));
    }

    fn candidates(&self, state: &Cube) -> Vec<lapidary_cegar::NodeId> {
        self.0.candidates(&Literals::new(state.iter().copied()))
    }
}
