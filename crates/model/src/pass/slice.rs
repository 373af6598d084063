//! Backward slicing on the error location: branches that cannot matter to it become one edge.
//!
//! From a branching location `d` all ways may lead to one location `j`. They do not matter to the error if they
//! write nothing that is live at `j`, where the conditions of branches that do not matter keep nothing alive.
//! Then one edge that havocs what they write takes their place.
//!
//! This must not invent errors, so there has to be a way through, whatever the values are: the conditions at
//! each location between `d` and `j` leave nothing out, no other statement there can block, and there is no
//! loop, since one that does not end keeps the error from being reached. Which way an execution took is
//! found by running it.
//!
//! The new edge allows more than the old ones together, so a proof holds as it is.

mod regions;

use lapidary_expr::{Valuation, Value};

use super::cone::live_at;
use super::{BackTranslate, Pass, Renumbering};
use crate::cfa::{Cfa, CfaBuilder, EdgeId, Loc};
use crate::execution::{Execution, Step, run_step};
use crate::proof::Proof;
use crate::stmt::{Decision, Stmt};
use regions::{Sliced, regions};

/// Replaces branches that cannot matter to the error location.
#[derive(Clone, Copy, Debug)]
pub struct Slice;

impl Pass for Slice {
    fn name(&self) -> &'static str {
        "slice"
    }

    fn run(&self, cfa: &Cfa) -> (Cfa, Box<dyn BackTranslate>) {
        let sliced = irrelevant(cfa);
        let mut is_inner = vec![false; cfa.n_locs()];
        for region in sliced.iter().flatten() {
            region.inner.iter().for_each(|loc| is_inner[loc.0 as usize] = true);
        }
        let mut builder = CfaBuilder::new(cfa.name(), cfa.loc_name(cfa.entry()));
        builder.vars(cfa.vars());
        let mut new_of = vec![builder.entry(); cfa.n_locs()];
        let mut numbers = Renumbering { locs: vec![cfa.entry()], edges: Vec::new() };
        for loc in cfa.locs().filter(|loc| !is_inner[loc.0 as usize] && *loc != cfa.entry()) {
            new_of[loc.0 as usize] = builder.loc(cfa.loc_name(loc));
            numbers.locs.push(loc);
        }
        let mut add = |source: Loc, stmt: Stmt, target: Loc, edge: EdgeId| {
            let [source, target] = [source, target].map(|loc| new_of[loc.0 as usize]);
            builder.edge(source, stmt, target, cfa.edge(edge).position);
            numbers.edges.push(edge);
        };
        let mut shortcuts = Vec::new();
        for source in cfa.locs().filter(|loc| !is_inner[loc.0 as usize]) {
            if let Some(region) = &sliced[source.0 as usize] {
                let havoc = Stmt::Havoc(region.written.iter().copied().collect());
                add(source, havoc, region.join, cfa.outgoing(source)[0]);
                shortcuts.push(Some((source, region.join)));
                continue;
            }
            for edge in cfa.outgoing(source) {
                add(source, cfa.edge(*edge).stmt.clone(), cfa.edge(*edge).target, *edge);
                shortcuts.push(None);
            }
        }
        if let Some(error) = cfa.error() {
            builder.error(new_of[error.0 as usize]);
        }
        let reduced = builder.build().expect("a part of a well-formed automaton is well-formed");
        (reduced, Box::new(Back { numbers, shortcuts, original: cfa.clone() }))
    }
}

/// By branching location, the ways that do not matter to the error.
///
/// At first all of them are taken for irrelevant. What turns out to write something live is not, which may
/// make more variables live, and so on: what is left at the end is the largest such set.
fn irrelevant(cfa: &Cfa) -> Vec<Option<Sliced>> {
    let mut sliced = regions(cfa);
    loop {
        let live = live_at(cfa, |loc| sliced[loc.0 as usize].as_ref().map(|region| region.join));
        let mut is_stable = true;
        for region in &mut sliced {
            let matters =
                |r: &Sliced| r.written.iter().any(|var| live[r.join.0 as usize].contains(var));
            if region.as_ref().is_some_and(matters) {
                *region = None;
                is_stable = false;
            }
        }
        if is_stable {
            break;
        }
    }
    // What lies within others goes with them.
    let inner: Vec<Loc> = sliced.iter().flatten().flat_map(|r| r.inner.iter().copied()).collect();
    inner.into_iter().for_each(|loc| sliced[loc.0 as usize] = None);
    sliced
}

struct Back {
    numbers: Renumbering,
    /// For each edge that stands for many ways, where these begin and end.
    shortcuts: Vec<Option<(Loc, Loc)>>,
    original: Cfa,
}

impl BackTranslate for Back {
    /// If something goes wrong, the rest is missing, which replay will notice.
    fn execution(&self, execution: Execution) -> Execution {
        let mut state = execution.start.clone();
        let mut steps = Vec::new();
        for step in execution.steps {
            let first = steps.len();
            match self.shortcuts[step.edge.0 as usize] {
                Some((from, to)) => self.way(from, to, &state, &mut steps),
                None => {
                    let edge = self.numbers.edges[step.edge.0 as usize];
                    steps.push(Step { edge, tape: step.tape });
                }
            }
            for step in &steps[first..] {
                let stmt = &self.original.edge(step.edge).stmt;
                match run_step(stmt, state, &step.tape) {
                    Ok(next) => state = next,
                    Err(_) => return Execution { start: execution.start, steps },
                }
            }
        }
        Execution { start: execution.start, steps }
    }

    fn proof(&self, proof: Proof) -> Proof {
        self.numbers.proof(proof)
    }
}

impl Back {
    /// Adds the steps of some way between two locations that the values allow.
    fn way(&self, from: Loc, to: Loc, state: &Valuation, steps: &mut Vec<Step>) {
        let (mut loc, mut state) = (from, state.clone());
        loop {
            let taken = self.original.outgoing(loc).iter().find_map(|edge| {
                let mut after = state.clone();
                let tape = any_decisions(&self.original.edge(*edge).stmt, &mut after)?;
                Some((Step { edge: *edge, tape }, after))
            });
            let Some((step, after)) = taken else { return };
            (loc, state) = (self.original.edge(step.edge).target, after);
            steps.push(step);
            if loc == to {
                return;
            }
        }
    }
}

/// Decisions with which the statement can be run from these values, which become those after it; none if
/// none were found.
fn any_decisions(stmt: &Stmt, state: &mut Valuation) -> Option<Vec<Decision>> {
    match stmt {
        Stmt::Assume(_) | Stmt::Assign(_) => {
            *state = run_step(stmt, std::mem::take(state), &[]).ok()?;
            Some(Vec::new())
        }
        Stmt::Havoc(vars) => {
            let value = |var: &lapidary_expr::Var| Value::default_of(var.sort());
            vars.iter().for_each(|var| state.set(*var, value(var)));
            Some(vars.iter().map(|var| Decision::Value(value(var))).collect())
        }
        Stmt::Seq(parts) => {
            let mut tape = Vec::new();
            for part in parts {
                tape.extend(any_decisions(part, state)?);
            }
            Some(tape)
        }
        Stmt::Choice(parts) => parts.iter().enumerate().find_map(|(n, part)| {
            let mut after = state.clone();
            let mut tape = vec![Decision::Branch(n)];
            tape.extend(any_decisions(part, &mut after)?);
            *state = after;
            Some(tape)
        }),
        Stmt::Relation { .. } => None,
    }
}
