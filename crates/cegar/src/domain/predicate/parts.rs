//! Independent parts of a step: what shares no variable can be asked separately.

use lapidary_expr::{Term, Var};
use rustc_hash::FxHashMap;

use super::combination::Factor;

/// Parts of a state, of a step and of the precision that are connected by variables.
#[derive(Debug, Default)]
pub(super) struct Part<'a> {
    /// What the state says.
    pub(super) factors: Vec<&'a Factor>,
    /// What the step says.
    pub(super) conjuncts: Vec<Term>,
    /// The predicates, with what they are called after the step.
    pub(super) predicates: Vec<(Term, Term)>,
}

/// Variables in classes, as a forest.
#[derive(Default)]
struct Classes {
    number: FxHashMap<Var, usize>,
    parent: Vec<usize>,
}

impl Classes {
    fn of(&mut self, var: Var) -> usize {
        let fresh = self.parent.len();
        let number = *self.number.entry(var).or_insert(fresh);
        if number == fresh {
            self.parent.push(fresh);
        }
        self.root(number)
    }

    fn root(&self, mut number: usize) -> usize {
        while self.parent[number] != number {
            number = self.parent[number];
        }
        number
    }

    fn connect(&mut self, vars: impl IntoIterator<Item = Var>) {
        let mut first = None;
        for var in vars {
            let class = self.of(var);
            let first = self.root(*first.get_or_insert(class));
            self.parent[class] = first;
        }
    }
}

/// The parts, in a fixed order.
pub(super) fn parts<'a>(
    factors: &'a [Factor],
    conjuncts: &[Term],
    predicates: &[(Term, Term)],
) -> Vec<Part<'a>> {
    let mut classes = Classes::default();
    factors.iter().for_each(|factor| classes.connect(factor.vars()));
    let after = predicates.iter().map(|(_, after)| after);
    conjuncts.iter().chain(after).for_each(|term| classes.connect(term.vars().iter().copied()));

    let mut parts: Vec<Part<'a>> = Vec::new();
    let mut position: FxHashMap<Option<usize>, usize> = FxHashMap::default();
    let mut place = |var: Option<Var>, parts: &mut Vec<Part<'a>>| {
        let class = var.map(|var| classes.of(var));
        *position.entry(class).or_insert_with(|| {
            parts.push(Part::default());
            parts.len() - 1
        })
    };
    for factor in factors {
        let place = place(factor.vars().next(), &mut parts);
        parts[place].factors.push(factor);
    }
    for conjunct in conjuncts {
        let place = place(conjunct.vars().first().copied(), &mut parts);
        parts[place].conjuncts.push(*conjunct);
    }
    for (predicate, after) in predicates {
        let place = place(after.vars().first().copied(), &mut parts);
        parts[place].predicates.push((*predicate, *after));
    }
    parts
}
