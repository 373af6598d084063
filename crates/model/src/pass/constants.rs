//! Constant propagation: what has one value at a location whichever way it is reached is replaced by it.
//!
//! A forward data-flow analysis computes, per location, the variables with one known value; a location
//! without such a map is not reached at all. Reads of known variables become values, edges that cannot be
//! taken go. The maps are inductive, also without dead variables, so a proof gets them back as conjuncts, and the
//! locations that only the propagation shows to be harmless get them as states of their own.
//!
//! A proof must break the cycles of the original automaton. Those through a location that is not reached
//! or harmless are broken by its new state; of the others, the edges that cannot be taken stay as `[false]`,
//! so that they are cycles of the new automaton too.

use std::collections::VecDeque;

use lapidary_expr::{Term, Valuation};

use super::cycles::Cycles;
use super::{BackTranslate, Pass, Renumbering};
use crate::cfa::{Cfa, CfaBuilder, Loc};
use crate::execution::Execution;
use crate::live::Live;
use crate::proof::{Proof, ProofState};
use crate::stmt::Stmt;

/// Replaces variables by their values where these are known.
#[derive(Clone, Copy, Debug)]
pub struct Constants;

impl Pass for Constants {
    fn name(&self) -> &'static str {
        "constants"
    }

    fn run(&self, cfa: &Cfa) -> (Cfa, Box<dyn BackTranslate>) {
        let facts = analyze(cfa);
        let mut numbers = Renumbering { locs: vec![cfa.entry()], edges: Vec::new() };
        let mut builder = CfaBuilder::new(cfa.name(), cfa.loc_name(cfa.entry()));
        builder.vars(cfa.vars());
        let mut new_of = vec![builder.entry(); cfa.n_locs()];
        for loc in cfa.locs().filter(|loc| *loc != cfa.entry()) {
            new_of[loc.0 as usize] = builder.loc(cfa.loc_name(loc));
            numbers.locs.push(loc);
        }
        let cycles = Cycles::new(cfa, |loc| facts[loc.0 as usize].is_some());
        for (id, edge) in cfa.edges() {
            let Some(known) = &facts[edge.source.0 as usize] else { continue };
            let stmt = match propagate(&edge.stmt, known.clone()) {
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
        let reduced =
            builder.build().expect("replacing variables by values keeps an automaton well-formed");
        let (before, after) = (cfa.distances_to_error(), reduced.distances_to_error());
        let is_harmless = |loc: &Loc| {
            let is_cut_off = facts[loc.0 as usize].is_none()
                || after[new_of[loc.0 as usize].0 as usize].is_none();
            before[loc.0 as usize].is_some() && is_cut_off && Some(*loc) != cfa.error()
        };
        let harmless = cfa.locs().filter(is_harmless).collect();
        let facts = about_live_variables(cfa, facts);
        (reduced, Box::new(Back { numbers, facts, harmless }))
    }
}

struct Back {
    numbers: Renumbering,
    /// What is known about live variables; none where control never gets.
    facts: Vec<Option<Valuation>>,
    /// Locations that are not reached, or from which the error cannot be reached any more.
    harmless: Vec<Loc>,
}

impl BackTranslate for Back {
    fn execution(&self, execution: Execution) -> Execution {
        self.numbers.execution(execution)
    }

    fn proof(&self, proof: Proof) -> Proof {
        let mut proof = self.numbers.proof(proof);
        let fact = |loc: Loc| {
            self.facts[loc.0 as usize].as_ref().map_or_else(|| false.into(), Valuation::to_term)
        };
        for state in &mut proof.states {
            state.formula = Term::and([state.formula, fact(state.loc)]);
        }
        proof.states.extend(self.harmless.iter().map(|loc| ProofState {
            loc: *loc,
            formula: fact(*loc),
            successors: Vec::new(),
        }));
        proof
    }
}

/// What is known without dead variables, from which nothing further on follows: they would only make proofs larger.
fn about_live_variables(cfa: &Cfa, facts: Vec<Option<Valuation>>) -> Vec<Option<Valuation>> {
    let live = Live::of(cfa);
    let restrict = |(loc, known): (Loc, Option<Valuation>)| {
        let known = known?;
        let live = known.iter().filter(|(var, _)| live.is_live(loc, *var));
        Some(live.map(|(var, value)| (var, value.clone())).collect())
    };
    cfa.locs().zip(facts).map(restrict).collect()
}

/// The known values at each location; none where control never gets.
fn analyze(cfa: &Cfa) -> Vec<Option<Valuation>> {
    let mut facts: Vec<Option<Valuation>> = vec![None; cfa.n_locs()];
    facts[cfa.entry().0 as usize] = Some(Valuation::new());
    let mut queue = VecDeque::from([cfa.entry()]);
    let mut queued = vec![false; cfa.n_locs()];
    while let Some(loc) = queue.pop_front() {
        queued[loc.0 as usize] = false;
        let Some(known) = facts[loc.0 as usize].clone() else { continue };
        for edge in cfa.outgoing(loc).iter().map(|edge| cfa.edge(*edge)) {
            let Some((_, after)) = propagate(&edge.stmt, known.clone()) else { continue };
            let target = edge.target.0 as usize;
            if join(&mut facts[target], &after) && !std::mem::replace(&mut queued[target], true) {
                queue.push_back(edge.target);
            }
        }
    }
    facts
}

/// Keeps what both agree on; whether that changed anything.
fn join(facts: &mut Option<Valuation>, other: &Valuation) -> bool {
    match facts {
        None => {
            *facts = Some(other.clone());
            true
        }
        Some(known) => {
            let agreed: Valuation = known
                .iter()
                .filter(|(var, value)| other.get(*var) == Some(value))
                .map(|(v, c)| (v, c.clone()))
                .collect();
            let changed = agreed.len() < known.len();
            *known = agreed;
            changed
        }
    }
}

/// The statement with known variables replaced, and what is known after it; none if it cannot be taken.
fn propagate(stmt: &Stmt, mut known: Valuation) -> Option<(Stmt, Valuation)> {
    let replaced = |term: Term, known: &Valuation| {
        term.map_vars(&|var| known.get(var).map(|value| Term::lit(value.clone())))
    };
    let stmt = match stmt {
        Stmt::Assume(term) => {
            let term = replaced(*term, &known);
            if term.is_false() {
                return None;
            }
            if term.is_true() { Stmt::skip() } else { Stmt::Assume(term) }
        }
        Stmt::Assign(assignments) => {
            let terms: Vec<Term> = assignments.iter().map(|(_, term)| *term).collect();
            let value = |var| known.get(var).map(|value| Term::lit(value.clone()));
            let terms = Term::map_vars_all(&terms, &value);
            let new: Vec<_> = assignments.iter().map(|(var, _)| *var).zip(terms).collect();
            for (var, term) in &new {
                match term.as_lit() {
                    Some(value) => known.set(*var, value.clone()),
                    None => known.forget(*var),
                }
            }
            Stmt::Assign(new)
        }
        Stmt::Havoc(vars) => {
            vars.iter().for_each(|var| known.forget(*var));
            Stmt::Havoc(vars.clone())
        }
        Stmt::Relation { formula, written } => {
            let formula = replaced(*formula, &known);
            if formula.is_false() {
                return None;
            }
            written.iter().for_each(|var| known.forget(*var));
            Stmt::Relation { formula, written: written.clone() }
        }
        Stmt::Seq(parts) => {
            let mut new = Vec::with_capacity(parts.len());
            for part in parts {
                let (part, after) = propagate(part, known)?;
                known = after;
                new.push(part);
            }
            // Not `Stmt::seq`: the tape of an execution follows the shape of the statement.
            Stmt::Seq(new)
        }
        Stmt::Choice(parts) => return propagate_choice(parts, &known),
    };
    Some((stmt, known))
}

/// A branch that cannot be taken stays as an unsatisfiable one, so that branches keep their numbers.
fn propagate_choice(parts: &[Stmt], known: &Valuation) -> Option<(Stmt, Valuation)> {
    let mut after = None;
    let branch = |part: &Stmt| match propagate(part, known.clone()) {
        Some((part, then)) => {
            join(&mut after, &then);
            part
        }
        None => Stmt::Assume(false.into()),
    };
    let parts = parts.iter().map(branch).collect();
    after.map(|after| (Stmt::Choice(parts), after))
}
