//! Automata with other statements on their edges and the same locations, and the way back from them.
//!
//! The statements may rest on facts that hold at the locations. A proof about the rewritten automaton gets these facts as
//! conjuncts; locations that only the facts show to be harmless get them as states of their own.

use lapidary_expr::Term;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{BackTranslate, Renumbering};
use crate::cfa::{Cfa, CfaBuilder, Edge, EdgeId, Loc};
use crate::execution::Execution;
use crate::proof::{Proof, ProofState};
use crate::stmt::Stmt;

/// The automaton with the statement that each edge gets; an edge without one is left out. All statements are over the
/// variables of the automaton.
pub(super) fn rewritten(
    cfa: &Cfa,
    mut stmt: impl FnMut(EdgeId, &Edge) -> Option<Stmt>,
) -> (Cfa, Renumbering) {
    let mut numbers = Renumbering { locs: vec![cfa.entry()], edges: Vec::new() };
    let mut builder = CfaBuilder::new(cfa.name(), cfa.loc_name(cfa.entry()));
    builder.vars(cfa.vars());
    let mut new_of = vec![builder.entry(); cfa.n_locs()];
    for loc in cfa.locs().filter(|loc| *loc != cfa.entry()) {
        new_of[loc.0 as usize] = builder.loc(cfa.loc_name(loc));
        numbers.locs.push(loc);
    }
    for (id, edge) in cfa.edges() {
        let Some(stmt) = stmt(id, edge) else { continue };
        let [source, target] = [edge.source, edge.target].map(|loc| new_of[loc.0 as usize]);
        builder.edge(source, stmt, target, edge.position);
        numbers.edges.push(id);
    }
    if let Some(error) = cfa.error() {
        builder.error(new_of[error.0 as usize]);
    }
    let rewritten = builder.build().expect("statements over the same variables are well-formed");
    (rewritten, numbers)
}

/// The way back from a rewritten automaton.
pub(super) struct Back<F> {
    pub(super) numbers: Renumbering,
    /// What is known at each location.
    pub(super) fact: F,
    /// Locations that are not reached, or from which the error cannot be reached any more.
    pub(super) harmless: Vec<Loc>,
}

impl<F: Fn(Loc) -> Term + Send + Sync> BackTranslate for Back<F> {
    fn execution(&self, execution: Execution) -> Execution {
        self.numbers.execution(execution)
    }

    fn proof(&self, proof: Proof) -> Proof {
        let mut proof = self.numbers.proof(proof);
        let mut facts = FxHashMap::default();
        let mut fact = |loc: Loc| *facts.entry(loc).or_insert_with(|| (self.fact)(loc));
        for state in &mut proof.states {
            state.formula = Term::and([state.formula, fact(state.loc)]);
        }
        let told: FxHashSet<(Loc, Term)> =
            proof.states.iter().map(|state| (state.loc, state.formula)).collect();
        let harmless = self.harmless.iter().map(|loc| ProofState {
            loc: *loc,
            formula: fact(*loc),
            successors: Vec::new(),
        });
        proof.states.extend(harmless.filter(|state| !told.contains(&(state.loc, state.formula))));
        proof
    }
}
