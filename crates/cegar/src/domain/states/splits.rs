//! The precision of states that are split one by one: a decision tree over full cubes.

use std::collections::{BTreeMap, BTreeSet};

use lapidary_expr::{Term, VarSet};

use crate::{Fact, Precision};

/// How a state is split, and its parts again: those where the predicate holds come first.
#[derive(Clone, Debug, Default)]
pub(super) enum Tree {
    #[default]
    Leaf,
    Split(Term, Box<[Tree; 2]>),
}

impl Tree {
    /// The tree that splits the state below these decisions by a predicate, and says nothing else.
    fn splitting(decisions: &[Term], predicate: Term) -> Tree {
        let [first, rest @ ..] = decisions else {
            return Tree::Split(predicate, Box::default());
        };
        let mut branches = Box::<[Tree; 2]>::default();
        branches[side(*first)] = Tree::splitting(rest, predicate);
        Tree::Split(first.positive(), branches)
    }

    /// What is below these decisions.
    fn below(&self, decisions: &[Term]) -> Option<&Tree> {
        match (decisions, self) {
            ([], tree) => Some(tree),
            ([first, rest @ ..], Tree::Split(predicate, branches))
                if first.positive() == *predicate =>
            {
                branches[side(*first)].below(rest)
            }
            _ => None,
        }
    }

    /// A state that both trees split is split by both predicates.
    fn join(&mut self, other: &Tree) -> bool {
        match (&mut *self, other) {
            (_, Tree::Leaf) => false,
            (Tree::Leaf, _) => {
                *self = other.clone();
                true
            }
            (Tree::Split(p, mine), Tree::Split(q, theirs)) if p == q => {
                let [grown, grown_too] = [0, 1].map(|side| mine[side].join(&theirs[side]));
                grown || grown_too
            }
            (Tree::Split(_, mine), _) => {
                let [grown, grown_too] = [0, 1].map(|side| mine[side].join(other));
                grown || grown_too
            }
        }
    }

    fn collect(&self, found: &mut Vec<Term>) {
        if let Tree::Split(predicate, branches) = self {
            found.push(*predicate);
            branches.iter().for_each(|branch| branch.collect(found));
        }
    }
}

/// Which part of a split state a literal is about.
pub(super) fn side(literal: Term) -> usize {
    usize::from(literal.positive() != literal)
}

/// What divides states. Those that are alike in the values of explicit variables and in the common predicates have a
/// tree of their own.
#[derive(Clone, Debug, Default)]
pub struct Splits {
    /// The predicates that a run starts with: they divide all states, and come before any split.
    pub(super) common: Vec<Term>,
    trees: BTreeMap<Vec<Term>, Tree>,
    /// The variables of all predicates.
    pub(super) vars: VarSet,
}

impl Splits {
    /// Splits the state with this path by a predicate; `root` literals of it are values and common predicates.
    pub(super) fn splitting(path: &[Term], root: usize, predicate: Term) -> Splits {
        let predicate = predicate.positive();
        let tree = Tree::splitting(&path[root..], predicate);
        Splits {
            common: Vec::new(),
            trees: [(path[..root].to_vec(), tree)].into(),
            vars: predicate.vars().iter().copied().collect(),
        }
    }

    /// How the states are split that begin with these literals.
    pub(super) fn tree(&self, root: &[Term]) -> &Tree {
        self.trees.get(root).unwrap_or(&Tree::Leaf)
    }

    /// Whether the state with this path has been split.
    pub(super) fn is_split(&self, path: &[Term], root: usize) -> bool {
        matches!(self.tree(&path[..root]).below(&path[root..]), Some(Tree::Split(..)))
    }

    fn predicates(&self) -> Vec<Term> {
        let mut found = self.common.clone();
        self.trees.values().for_each(|tree| tree.collect(&mut found));
        found
    }
}

impl Precision for Splits {
    fn join(&mut self, other: &Self) -> bool {
        self.vars.extend(&other.vars);
        let mut grown = false;
        for predicate in &other.common {
            grown |= !self.common.contains(predicate);
            self.adopt(&Fact::Predicate(*predicate));
        }
        for (root, tree) in &other.trees {
            grown |= self.trees.entry(root.clone()).or_default().join(tree);
        }
        grown
    }

    /// The number of splits.
    fn size(&self) -> usize {
        self.predicates().len()
    }

    fn facts(&self) -> Vec<Fact> {
        let distinct: BTreeSet<Term> = self.predicates().into_iter().collect();
        distinct.into_iter().map(Fact::Predicate).collect()
    }

    fn adopt(&mut self, fact: &Fact) {
        if let Fact::Predicate(term) = fact
            && !(term.is_true() || term.is_false())
            && !self.common.contains(&term.positive())
        {
            self.common.push(term.positive());
            self.vars.extend(term.vars());
        }
    }
}
