//! Live variables: what may be read before it is written, whatever it is read for. (The pass `cone` asks whether a value
//! may decide about the error.)

use std::collections::BTreeSet;

use lapidary_expr::{Var, VarSet};
use rustc_hash::FxHashMap;

use crate::cfa::{Cfa, Loc};
use crate::stmt::Stmt;

/// What is live before a statement if `live` is after it: `(live \ written) ∪ read`, in that order, since `x := x + 1`
/// reads the old `x`.
pub fn live_before(stmt: &Stmt, mut live: VarSet) -> VarSet {
    match stmt {
        Stmt::Seq(parts) => parts.iter().rev().fold(live, |live, part| live_before(part, live)),
        // What one branch alone writes may still be read as it was.
        Stmt::Choice(parts) => {
            parts.iter().flat_map(|part| live_before(part, live.clone())).collect()
        }
        _ => {
            stmt.written().iter().for_each(|var| {
                live.remove(var);
            });
            live.extend(stmt.read());
            live
        }
    }
}

/// What is live at the locations of an automaton.
#[derive(Clone, Debug)]
pub struct Live {
    numbers: FxHashMap<Var, usize>,
    /// For each location a bit for each variable.
    sets: Vec<Vec<u64>>,
}

impl Live {
    /// The live variables of an automaton.
    pub fn of(cfa: &Cfa) -> Live {
        let edges: Vec<(Loc, &Stmt, Loc)> =
            cfa.edges().map(|(_, edge)| (edge.source, &edge.stmt, edge.target)).collect();
        Live::over(cfa.vars(), cfa.n_locs(), &edges)
    }

    /// Which of some variables are live at the locations of a graph.
    pub(crate) fn over(vars: &[Var], n_locs: usize, edges: &[(Loc, &Stmt, Loc)]) -> Live {
        let numbers: FxHashMap<Var, usize> =
            vars.iter().enumerate().map(|(i, var)| (*var, i)).collect();
        let (mut outgoing, mut incoming) = (vec![Vec::new(); n_locs], vec![Vec::new(); n_locs]);
        for (source, stmt, target) in edges {
            outgoing[source.0 as usize].push((Effect::of(stmt, &numbers), *target));
            incoming[target.0 as usize].push(*source);
        }
        let none = vec![0; vars.len().div_ceil(64)];
        let mut sets = vec![none.clone(); n_locs];
        let mut pending: BTreeSet<Loc> = (0..n_locs as u32).map(Loc).collect();
        // Edges mostly lead to later locations.
        while let Some(loc) = pending.pop_last() {
            let mut live = none.clone();
            for (effect, target) in &outgoing[loc.0 as usize] {
                effect.add_before(&sets[target.0 as usize], &mut live);
            }
            if live != sets[loc.0 as usize] {
                sets[loc.0 as usize] = live;
                pending.extend(&incoming[loc.0 as usize]);
            }
        }
        Live { numbers, sets }
    }

    /// Whether a variable is live at a location.
    pub fn is_live(&self, loc: Loc, var: Var) -> bool {
        let set = &self.sets[loc.0 as usize];
        self.numbers.get(&var).is_some_and(|i| set[i / 64] & (1 << (i % 64)) != 0)
    }
}

/// What an edge does to the set, in numbers of variables.
#[derive(Clone)]
struct Effect {
    /// What is live before it in any case.
    read: Vec<usize>,
    /// What it writes whichever way it goes, and before it reads it.
    overwritten: Vec<usize>,
}

impl Effect {
    fn of(stmt: &Stmt, numbers: &FxHashMap<Var, usize>) -> Effect {
        let (read, written) = (live_before(stmt, VarSet::new()), stmt.written());
        let surviving = live_before(stmt, written.clone());
        let numbers =
            |vars: &VarSet| vars.iter().filter_map(|var| numbers.get(var)).copied().collect();
        Effect { read: numbers(&read), overwritten: numbers(&(&written - &surviving)) }
    }

    fn add_before(&self, after: &[u64], live: &mut [u64]) {
        let mut before = after.to_vec();
        self.overwritten.iter().for_each(|i| before[i / 64] &= !(1 << (i % 64)));
        self.read.iter().for_each(|i| before[i / 64] |= 1 << (i % 64));
        live.iter_mut().zip(before).for_each(|(live, before)| *live |= before);
    }
}

#[cfg(test)]
mod tests {
    use lapidary_expr::{Sort, Term};

    use super::*;
    use crate::cfa::CfaBuilder;

    #[test]
    fn what_is_read_before_it_is_written_is_live() {
        let [x, y, z] = ["x", "y", "z"].map(|name| Var::new(name, Sort::Int));
        let mut builder = CfaBuilder::new("live", "entry");
        builder.vars(&[x, y, z]);
        let (entry, head, error) = (builder.entry(), builder.loc("head"), builder.loc("error"));
        builder.error(error);
        let increment = |var: Var| Stmt::assign(var, Term::var(var).plus(Term::int(1)));
        builder.edge(entry, Stmt::assign(x, Term::int(0)), head, None);
        // Either branch writes z, one of them reads y.
        let branches = [Stmt::assign(z, y.into()), Stmt::assign(z, Term::int(1))];
        let body = Stmt::seq([Stmt::Choice(branches.to_vec()), increment(x), increment(z)]);
        builder.edge(head, body, head, None);
        builder.edge(head, Stmt::Assume(Term::var(x).equals(Term::int(3))), error, None);
        let live = Live::of(&builder.build().unwrap());
        let at = |loc| [x, y, z].map(|var| live.is_live(loc, var));
        assert_eq!(at(entry), [false, true, false]);
        assert_eq!(at(head), [true, true, false]);
        assert_eq!(at(error), [false, false, false]);
    }
}
