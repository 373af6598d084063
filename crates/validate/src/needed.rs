//! Which variables matter at the locations between cut points: what runs from there may read before they write it, and
//! what the states at the next cut points mention.
//!
//! No verdict depends on this: what does not matter is left out of the premises, and to have fewer is harder.

use lapidary_expr::{Term, Var};
use lapidary_model::{Loc, Stmt};
use rustc_hash::FxHashMap;

use crate::graph::{Graph, Kind};

/// A bit for each variable.
type Bits = Vec<u64>;

pub(crate) struct Needed {
    numbers: FxHashMap<Var, usize>,
    /// For each location; empty where nothing is needed.
    sets: Vec<Bits>,
}

impl Needed {
    pub(crate) fn new(graph: &Graph<'_>) -> Self {
        let vars = graph.cfa.vars();
        let numbers = vars.iter().enumerate().map(|(i, var)| (*var, i)).collect();
        let mut needed = Needed { numbers, sets: vec![Bits::new(); graph.cfa.n_locs()] };
        let none = vec![0; vars.len().div_ceil(64)];
        for loc in graph.cfa.locs().filter(|loc| graph.kind(*loc) == Kind::Cut) {
            let mut set = none.clone();
            needed.add(&mut set, graph.cover(loc));
            needed.sets[loc.0 as usize] = set;
        }
        for loc in graph.between() {
            let mut set = none.clone();
            for id in graph.outgoing(loc) {
                let edge = graph.cfa.edge(*id);
                let mut after = match graph.is_retreating(*id) {
                    true => none.clone(),
                    false => needed.at(edge.target, &none),
                };
                needed.step_back(&edge.stmt, &mut after);
                join(&mut set, &after);
            }
            needed.sets[loc.0 as usize] = set;
        }
        needed
    }

    pub(crate) fn contains(&self, loc: Loc, var: Var) -> bool {
        let set = &self.sets[loc.0 as usize];
        let has = |i: &usize| set.get(i / 64).is_some_and(|word| word & (1 << (i % 64)) != 0);
        self.numbers.get(&var).is_some_and(has)
    }

    fn at(&self, loc: Loc, none: &Bits) -> Bits {
        let set = &self.sets[loc.0 as usize];
        if set.is_empty() { none.clone() } else { set.clone() }
    }

    /// From what is needed after a statement to what is needed before it.
    fn step_back(&self, stmt: &Stmt, set: &mut Bits) {
        match stmt {
            Stmt::Assume(condition) => self.add(set, *condition),
            Stmt::Assign(assignments) => {
                assignments.iter().for_each(|(var, _)| self.remove(set, *var));
                assignments.iter().for_each(|(_, term)| self.add(set, *term));
            }
            Stmt::Havoc(vars) => vars.iter().for_each(|var| self.remove(set, *var)),
            Stmt::Seq(parts) => parts.iter().rev().for_each(|part| self.step_back(part, set)),
            Stmt::Choice(parts) => {
                let after = std::mem::replace(set, vec![0; set.len()]);
                for part in parts {
                    let mut before = after.clone();
                    self.step_back(part, &mut before);
                    join(set, &before);
                }
            }
            Stmt::Relation { formula, written } => {
                written.iter().for_each(|var| self.remove(set, *var));
                self.add(set, *formula);
            }
        }
    }

    fn add(&self, set: &mut Bits, term: Term) {
        let numbers = term.vars().iter().filter_map(|var| self.numbers.get(var));
        numbers.for_each(|i| set[i / 64] |= 1 << (i % 64));
    }

    fn remove(&self, set: &mut Bits, var: Var) {
        if let Some(i) = self.numbers.get(&var) {
            set[i / 64] &= !(1 << (i % 64));
        }
    }
}

fn join(set: &mut Bits, other: &Bits) {
    set.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
}
