//! Cheap invariants: what an abstract interpretation knows at each location, told to whoever explores the automaton.
//!
//! One forward analysis, without a solver, finds the interval and the congruence of each variable at each
//! location. What it knows where paths are cut is assumed on the edges that lead there, conditions of
//! `ite` that it decides are decided, and edges that cannot be taken go. All of what it knows is
//! inductive, edge by edge, so a proof gets it back as conjuncts; the locations that only the analysis shows to
//! be harmless get it as states of their own (see [`Constants`](super::Constants), which does likewise).

mod abs;
mod affine;
mod equations;
mod fixpoint;
mod operators;
mod range;
mod restrict;
mod rewrite;
mod state;
#[cfg(test)]
mod tests;
mod thresholds;
mod transfer;

use lapidary_expr::Term;

use super::cycles::Cycles;
use super::{BackTranslate, Pass, Renumbering, cuts};
use crate::cfa::{Cfa, CfaBuilder, Loc};
use crate::execution::Execution;
use crate::proof::{Proof, ProofState};
use crate::stmt::Stmt;
use equations::Equations;
use fixpoint::States;
use transfer::Transfer;

/// Assumes what intervals and congruences of variables are known.
#[derive(Clone, Copy, Debug)]
pub struct Invariants;

impl Pass for Invariants {
    fn name(&self) -> &'static str {
        "invariants"
    }

    fn run(&self, cfa: &Cfa) -> (Cfa, Box<dyn BackTranslate>) {
        let transfer = Transfer::new(cfa.vars());
        let cuts = cuts::necessary(cfa);
        match fixpoint::analyze(cfa, &transfer, &cuts) {
            Some(mut states) => {
                let equations = Equations::analyze(cfa, &transfer, &states);
                if let Some(equations) = &equations {
                    let unreached = states.iter_mut().zip(&equations.states);
                    unreached.filter(|(_, e)| e.is_none()).for_each(|(state, _)| *state = None);
                }
                strengthen(cfa, &transfer, &cuts, &states, equations.as_ref())
            }
            None => (cfa.clone(), Box::new(Unchanged)),
        }
    }
}

/// The automaton with what is known in it.
fn strengthen(
    cfa: &Cfa,
    transfer: &Transfer,
    cuts: &[bool],
    states: &States,
    equations: Option<&Equations>,
) -> (Cfa, Box<dyn BackTranslate>) {
    let facts: Vec<Term> = cfa.locs().map(|loc| fact(transfer, states, equations, loc)).collect();
    let mut numbers = Renumbering { locs: vec![cfa.entry()], edges: Vec::new() };
    let mut builder = CfaBuilder::new(cfa.name(), cfa.loc_name(cfa.entry()));
    builder.vars(cfa.vars());
    let mut new_of = vec![builder.entry(); cfa.n_locs()];
    for loc in cfa.locs().filter(|loc| *loc != cfa.entry()) {
        new_of[loc.0 as usize] = builder.loc(cfa.loc_name(loc));
        numbers.locs.push(loc);
    }
    let is_reached = |loc: Loc| states[loc.0 as usize].is_some();
    let cycles = Cycles::new(cfa, is_reached);
    for (id, edge) in cfa.edges() {
        let Some(state) = &states[edge.source.0 as usize] else { continue };
        let taken = transfer.rewrite(&edge.stmt, state.clone()).filter(|_| is_reached(edge.target));
        let stmt = match taken {
            Some((stmt, _)) if cuts[edge.target.0 as usize] => {
                let fact = facts[edge.target.0 as usize];
                if fact.is_true() { stmt } else { Stmt::seq([stmt, Stmt::Assume(fact)]) }
            }
            Some((stmt, _)) => stmt,
            None if cycles.has(edge) => Stmt::Assume(false.into()),
            None => continue,
        };
        let [source, target] = [edge.source, edge.target].map(|loc| new_of[loc.0 as usize]);
        builder.edge(source, stmt, target, edge.position);
        numbers.edges.push(id);
    }
    if let Some(error) = cfa.error() {
        builder.error(new_of[error.0 as usize]);
    }
    let strengthened =
        builder.build().expect("assuming formulas over variables keeps an automaton well-formed");
    let (before, after) = (cfa.distances_to_error(), strengthened.distances_to_error());
    let is_harmless = |loc: &Loc| {
        let is_cut_off = !is_reached(*loc) || after[new_of[loc.0 as usize].0 as usize].is_none();
        before[loc.0 as usize].is_some() && is_cut_off && Some(*loc) != cfa.error()
    };
    let harmless = cfa.locs().filter(is_harmless).collect();
    (strengthened, Box::new(Back { numbers, facts, harmless }))
}

/// All that is known at a location.
fn fact(transfer: &Transfer, states: &States, equations: Option<&Equations>, loc: Loc) -> Term {
    let Some(state) = &states[loc.0 as usize] else { return false.into() };
    let vars = transfer.vars.iter().enumerate();
    let ranges = vars.flat_map(|(i, var)| state.get(i).facts((*var).into()));
    let equations = equations.map(|equations| equations.facts(loc.0 as usize, transfer, state));
    Term::and(ranges.chain(equations.into_iter().flatten()))
}

struct Back {
    numbers: Renumbering,
    /// What is known at each location.
    facts: Vec<Term>,
    /// Locations that are not reached, or from which the error cannot be reached any more.
    harmless: Vec<Loc>,
}

impl BackTranslate for Back {
    fn execution(&self, execution: Execution) -> Execution {
        self.numbers.execution(execution)
    }

    fn proof(&self, proof: Proof) -> Proof {
        let mut proof = self.numbers.proof(proof);
        for state in &mut proof.states {
            state.formula = Term::and([state.formula, self.facts[state.loc.0 as usize]]);
        }
        proof.states.extend(self.harmless.iter().map(|loc| ProofState {
            loc: *loc,
            formula: self.facts[loc.0 as usize],
            successors: Vec::new(),
        }));
        proof
    }
}

/// The way back if nothing was changed.
struct Unchanged;

impl BackTranslate for Unchanged {
    fn execution(&self, execution: Execution) -> Execution {
        execution
    }

    fn proof(&self, proof: Proof) -> Proof {
        proof
    }
}
