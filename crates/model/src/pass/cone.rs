//! Cone of influence: what no assumption depends on goes.
//!
//! A backward data-flow analysis finds, per location, the variables whose value can still decide whether the
//! error location is reached: those of assumptions, and those that values of such variables are computed
//! from (*strong* liveness: a counter that only counts itself is not live). An assignment to another
//! variable becomes a `havoc`, so that nothing can be said about a value that does not matter; variables
//! that matter nowhere go altogether.
//!
//! What is left allows more steps than the original, so a proof about it is one about the original as it is.
//! Values of live variables are the same, so an execution only has to be told the values that went.

use lapidary_expr::{Value, Var, VarSet};

use super::{BackTranslate, Pass, Renumbering};
use crate::cfa::{Cfa, CfaBuilder, Loc};
use crate::execution::Execution;
use crate::proof::Proof;
use crate::stmt::{Decision, Stmt};

/// Drops values that no assumption depends on.
#[derive(Clone, Copy, Debug)]
pub struct Cone;

impl Pass for Cone {
    fn name(&self) -> &'static str {
        "cone"
    }

    fn run(&self, cfa: &Cfa) -> (Cfa, Box<dyn BackTranslate>) {
        let live = live_at(cfa, |_| None);
        let mut kept = VarSet::new();
        for (_, edge) in cfa.edges().filter(|(_, edge)| Some(edge.source) != cfa.error()) {
            live_before(&edge.stmt, live[edge.target.0 as usize].clone(), &mut |vars| {
                kept.extend(vars);
            });
        }
        let mut builder = CfaBuilder::new(cfa.name(), cfa.loc_name(cfa.entry()));
        let is_kept = |var: &&Var| kept.contains(var);
        builder.vars(&cfa.vars().iter().filter(is_kept).copied().collect::<Vec<_>>());
        let mut new_of = vec![builder.entry(); cfa.n_locs()];
        let mut numbers = Renumbering { locs: vec![cfa.entry()], edges: Vec::new() };
        for loc in cfa.locs().filter(|loc| *loc != cfa.entry()) {
            new_of[loc.0 as usize] = builder.loc(cfa.loc_name(loc));
            numbers.locs.push(loc);
        }
        // What follows an error may depend on anything; runs end there.
        for (id, edge) in cfa.edges().filter(|(_, edge)| Some(edge.source) != cfa.error()) {
            let stmt = rewrite(&edge.stmt, &mut live[edge.target.0 as usize].clone(), &kept);
            let [source, target] = [edge.source, edge.target].map(|loc| new_of[loc.0 as usize]);
            builder.edge(source, stmt, target, edge.position);
            numbers.edges.push(id);
        }
        if let Some(error) = cfa.error() {
            builder.error(new_of[error.0 as usize]);
        }
        let reduced = builder.build().expect("every variable that is left is declared");
        let back = Back { numbers, original: cfa.clone(), reduced: reduced.clone() };
        (reduced, Box::new(back))
    }
}

/// The live variables at each location. `shortcut` may say that all ways from a location lead to another one
/// and do nothing that matters.
pub(super) fn live_at(cfa: &Cfa, shortcut: impl Fn(Loc) -> Option<Loc>) -> Vec<VarSet> {
    let mut live = vec![VarSet::new(); cfa.n_locs()];
    let mut users: Vec<Vec<Loc>> = vec![Vec::new(); cfa.n_locs()];
    for loc in cfa.locs() {
        match shortcut(loc) {
            Some(target) => users[target.0 as usize].push(loc),
            None => cfa
                .outgoing(loc)
                .iter()
                .for_each(|edge| users[cfa.edge(*edge).target.0 as usize].push(loc)),
        }
    }
    let mut pending: Vec<Loc> = cfa.locs().collect();
    let mut is_pending = vec![true; cfa.n_locs()];
    while let Some(loc) = pending.pop() {
        is_pending[loc.0 as usize] = false;
        if Some(loc) == cfa.error() {
            continue; // what follows an error does not matter
        }
        let before = live[loc.0 as usize].len();
        let here = match shortcut(loc) {
            Some(target) => live[target.0 as usize].clone(),
            None => cfa
                .outgoing(loc)
                .iter()
                .map(|edge| cfa.edge(*edge))
                .flat_map(|e| live_before(&e.stmt, live[e.target.0 as usize].clone(), &mut |_| {}))
                .collect(),
        };
        live[loc.0 as usize].extend(&here);
        if live[loc.0 as usize].len() > before {
            for user in &users[loc.0 as usize] {
                if !std::mem::replace(&mut is_pending[user.0 as usize], true) {
                    pending.push(*user);
                }
            }
        }
    }
    live
}

/// The variables that are live before `stmt`, given those after it. `needed` hears of variables that cannot
/// go because of a part of the statement.
fn live_before(stmt: &Stmt, mut after: VarSet, needed: &mut dyn FnMut(&VarSet)) -> VarSet {
    let mut uses = VarSet::new();
    match stmt {
        Stmt::Assume(_) => uses = stmt.read(),
        Stmt::Assign(assignments) => {
            let live = assignments.iter().filter(|(var, _)| after.contains(var));
            needed(&live.clone().map(|(var, _)| *var).collect());
            uses.extend(live.flat_map(|(_, term)| term.vars()));
            assignments.iter().for_each(|(var, _)| {
                after.remove(var);
            });
        }
        Stmt::Havoc(vars) => vars.iter().for_each(|var| {
            after.remove(var);
        }),
        Stmt::Relation { written, .. } => {
            needed(written);
            written.iter().for_each(|var| {
                after.remove(var);
            });
            uses = stmt.read();
        }
        Stmt::Seq(parts) => {
            return parts.iter().rev().fold(after, |after, part| live_before(part, after, needed));
        }
        Stmt::Choice(parts) => {
            return parts
                .iter()
                .flat_map(|part| live_before(part, after.clone(), needed))
                .collect();
        }
    }
    needed(&uses);
    after.extend(&uses);
    after
}

/// The statement without what does not matter; `after` becomes what is live before it. The shape stays as
/// it is, but for assignments: some of their variables may follow as a `havoc`.
fn rewrite(stmt: &Stmt, after: &mut VarSet, kept: &VarSet) -> Stmt {
    let new = match stmt {
        Stmt::Assume(_) | Stmt::Relation { .. } => stmt.clone(),
        Stmt::Assign(assignments) => {
            let (live, dead): (Vec<_>, Vec<_>) =
                assignments.iter().copied().partition(|(var, _)| after.contains(var));
            let dead = dead.into_iter().map(|(var, _)| var).filter(|var| kept.contains(var));
            match (live.is_empty(), havoc(dead)) {
                (false, dead) if dead.is_skip() => Stmt::Assign(live),
                (false, dead) => Stmt::Seq(vec![Stmt::Assign(live), dead]),
                (true, dead) => dead,
            }
        }
        Stmt::Havoc(vars) => havoc(vars.iter().copied().filter(|var| kept.contains(var))),
        Stmt::Seq(parts) => {
            let mut new: Vec<Stmt> =
                parts.iter().rev().map(|part| rewrite(part, after, kept)).collect();
            new.reverse();
            return Stmt::Seq(new);
        }
        Stmt::Choice(parts) => {
            let new = parts.iter().map(|part| rewrite(part, &mut after.clone(), kept));
            Stmt::Choice(new.collect())
        }
    };
    *after = live_before(stmt, std::mem::take(after), &mut |_| {});
    new
}

fn havoc(vars: impl Iterator<Item = Var>) -> Stmt {
    let vars: Vec<Var> = vars.collect();
    if vars.is_empty() { Stmt::skip() } else { Stmt::Havoc(vars) }
}

struct Back {
    numbers: Renumbering,
    original: Cfa,
    reduced: Cfa,
}

impl BackTranslate for Back {
    fn execution(&self, mut execution: Execution) -> Execution {
        for var in self.original.vars() {
            if execution.start.get(*var).is_none() {
                execution.start.set(*var, Value::default_of(var.sort()));
            }
        }
        for step in &mut execution.steps {
            let mut tape = std::mem::take(&mut step.tape).into_iter();
            let reduced = &self.reduced.edge(step.edge).stmt;
            step.edge = self.numbers.edges[step.edge.0 as usize];
            translate(&self.original.edge(step.edge).stmt, reduced, &mut tape, &mut step.tape);
        }
        execution
    }

    fn proof(&self, proof: Proof) -> Proof {
        self.numbers.proof(proof)
    }
}

/// The decisions of the original statement, from those of the reduced one.
fn translate(
    original: &Stmt,
    reduced: &Stmt,
    tape: &mut impl Iterator<Item = Decision>,
    new: &mut Vec<Decision>,
) {
    match (original, reduced) {
        (Stmt::Assign(_), Stmt::Havoc(dead)) => tape.take(dead.len()).for_each(drop),
        (Stmt::Assign(_), Stmt::Seq(parts)) => {
            parts.iter().for_each(|part| translate(original, part, tape, new));
        }
        (Stmt::Havoc(vars), _) => {
            let is_kept = |var: &Var| matches!(reduced, Stmt::Havoc(kept) if kept.contains(var));
            new.extend(vars.iter().filter_map(|var| match is_kept(var) {
                true => tape.next(),
                false => Some(Decision::Value(Value::default_of(var.sort()))),
            }));
        }
        (Stmt::Relation { written, .. }, _) => new.extend(tape.take(written.len())),
        (Stmt::Seq(originals), Stmt::Seq(parts)) => originals
            .iter()
            .zip(parts)
            .for_each(|(original, part)| translate(original, part, tape, new)),
        (Stmt::Choice(originals), Stmt::Choice(parts)) => {
            let Some(decision) = tape.next() else { return };
            new.push(decision.clone());
            if let Decision::Branch(taken) = decision
                && let (Some(original), Some(part)) = (originals.get(taken), parts.get(taken))
            {
                translate(original, part, tape, new);
            }
        }
        _ => {}
    }
}
