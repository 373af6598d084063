//! Drops what no path from the entry to the error location can use.
//!
//! Evidence needs little more than the old numbers: an execution uses kept edges only, and a proof says
//! nothing about locations from which the error cannot be reached. Where only the way from the entry is
//! missing, it says `false`.

use super::{BackTranslate, Pass, Renumbering};
use crate::cfa::{Cfa, CfaBuilder, Loc};
use crate::execution::Execution;
use crate::proof::{Proof, ProofState};

/// Keeps the locations on paths from the entry to the error location, and the entry.
#[derive(Clone, Copy, Debug)]
pub struct Unreachable;

impl Pass for Unreachable {
    fn name(&self) -> &'static str {
        "unreachable"
    }

    fn run(&self, cfa: &Cfa) -> (Cfa, Box<dyn BackTranslate>) {
        let distances = cfa.distances_to_error();
        let reachable = reachable_from_entry(cfa);
        let useful = |loc: Loc| reachable[loc.0 as usize] && distances[loc.0 as usize].is_some();
        let mut numbers = Renumbering { locs: vec![cfa.entry()], edges: Vec::new() };
        let mut builder = CfaBuilder::new(cfa.name(), cfa.loc_name(cfa.entry()));
        builder.vars(cfa.vars());
        let mut new_of: Vec<Option<Loc>> = vec![None; cfa.n_locs()];
        new_of[cfa.entry().0 as usize] = Some(builder.entry());
        for loc in cfa.locs().filter(|loc| *loc != cfa.entry() && useful(*loc)) {
            new_of[loc.0 as usize] = Some(builder.loc(cfa.loc_name(loc)));
            numbers.locs.push(loc);
        }
        for (id, edge) in cfa.edges().filter(|(_, edge)| useful(edge.source) && useful(edge.target))
        {
            if let (Some(source), Some(target)) =
                (new_of[edge.source.0 as usize], new_of[edge.target.0 as usize])
            {
                builder.edge(source, edge.stmt.clone(), target, edge.position);
                numbers.edges.push(id);
            }
        }
        if let Some(error) = cfa.error().and_then(|error| new_of[error.0 as usize]) {
            builder.error(error);
        }
        let reduced = builder.build().expect("a part of a well-formed automaton is well-formed");
        let is_cut_off = |loc: &Loc| {
            let leads_to_error = distances[loc.0 as usize].is_some_and(|distance| distance > 0);
            !reachable[loc.0 as usize] && leads_to_error
        };
        let cut_off = cfa.locs().filter(is_cut_off).collect();
        (reduced, Box::new(Back { numbers, cut_off }))
    }
}

struct Back {
    numbers: Renumbering,
    /// Locations that lead to the error and have no way from the entry.
    cut_off: Vec<Loc>,
}

impl BackTranslate for Back {
    fn execution(&self, execution: Execution) -> Execution {
        self.numbers.execution(execution)
    }

    fn proof(&self, proof: Proof) -> Proof {
        let mut proof = self.numbers.proof(proof);
        proof.states.extend(self.cut_off.iter().map(|loc| ProofState {
            loc: *loc,
            formula: false.into(),
            successors: Vec::new(),
        }));
        proof
    }
}

fn reachable_from_entry(cfa: &Cfa) -> Vec<bool> {
    let mut reached = vec![false; cfa.n_locs()];
    let mut stack = vec![cfa.entry()];
    while let Some(loc) = stack.pop() {
        if !std::mem::replace(&mut reached[loc.0 as usize], true) {
            stack.extend(cfa.outgoing(loc).iter().map(|edge| cfa.edge(*edge).target));
        }
    }
    reached
}
