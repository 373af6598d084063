//! What IC3 found, as an execution or a proof about the automaton.

use lapidary_expr::{Term, Value};
use lapidary_model::{Execution, Proof, ProofState, Step};
use lapidary_sat::Lit;
use rustc_hash::FxHashMap;

use super::Run;
use super::circuit::{Open, decisions};
use super::cube::{latch_literal, latch_of};
use super::query::Stopped;

impl Run<'_> {
    /// The proof that the frame at a level and what holds in every frame are an invariant.
    pub(super) fn proof(&self, level: usize) -> Proof {
        let clause = |cube: &[Lit]| {
            Term::or(cube.iter().map(|lit| {
                let var = Term::var(self.circuit.latches[latch_of(*lit)].var);
                if lit.is_positive() { var.not() } else { var }
            }))
        };
        let lemmas = self.frames.lemmas(level).map(|lemma| clause(&lemma.cube));
        let invariants = self.circuit.invariants.iter().map(|(fact, _)| *fact);
        let formula = Term::and(invariants.chain(lemmas));
        let state = |loc, formula| ProofState { loc, formula, successors: Vec::new() };
        let [first, step, _] = self.circuit.edges.map(|edge| self.cfa.edge(edge));
        Proof::of(vec![state(first.source, true.into()), state(step.source, formula)])
    }

    /// The execution from an initial state along the obligations to a bad one.
    pub(super) fn execution(&mut self, first: usize) -> Result<Execution, Stopped> {
        let cube = self.obligations.get(first).cube.clone();
        let is_met = self.frames.solvers[0].solve(&cube, &[], &mut self.meter)?;
        debug_assert!(is_met, "an initial state is in the cube");
        // What the first states leave open follows from the latches, or is in the domain of the solver.
        let solver = &self.frames.solvers[0];
        let mut values: FxHashMap<Lit, bool> = FxHashMap::default();
        for (i, latch) in self.circuit.latches.iter().enumerate() {
            if self.circuit.aig.gate(latch.first.var()).is_none() {
                let value = solver.value(latch_literal(i, true)).unwrap_or(false);
                let leaf = Lit::positive(latch.first.var());
                values.insert(leaf, value == latch.first.is_positive());
            }
        }
        let of_first = |leaf: Lit| {
            let known = self.clauses.known(leaf).and_then(|literal| solver.value(literal));
            known.or_else(|| values.get(&leaf).copied()).unwrap_or(false)
        };
        let mut tape = Vec::new();
        decisions(&self.circuit.first.open, &of_first, &mut tape);
        let start =
            self.circuit.start.iter().map(|(var, leaf)| (*var, Value::Bool(of_first(*leaf))));
        let start = start.collect();
        let [init, step, bad] = self.circuit.edges;
        let mut steps = vec![Step { edge: init, tape }];
        for obligation in self.obligations.chain(first) {
            let (edge, open, leaves) = match obligation.next {
                Some(_) => (step, &self.circuit.step.open, &self.step_leaves),
                None => (bad, &self.circuit.bad.open, &self.bad_leaves),
            };
            let values: FxHashMap<Lit, bool> =
                leaves.iter().copied().zip(obligation.open.iter().copied()).collect();
            let mut tape = Vec::new();
            let value = |leaf: Lit| values.get(&leaf).is_none_or(|value| *value);
            decisions(open, &value, &mut tape);
            steps.push(Step { edge, tape });
        }
        Ok(Execution { start, steps })
    }
}

/// The literals of the nondeterministic choices of a statement.
pub(super) fn leaves(open: &[Open]) -> Vec<Lit> {
    let mut found = Vec::new();
    for open in open {
        match open {
            Open::Value(leaf) => found.push(*leaf),
            Open::Branch(branches) => {
                for (taken, inner) in branches {
                    if taken.var() != 0 {
                        found.push(*taken);
                    }
                    found.extend(leaves(inner));
                }
            }
        }
    }
    found
}
