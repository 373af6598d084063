//! Drops what no path from the entry to the error location can use.
//!
//! Evidence needs no change but for the numbering: an execution uses kept edges only, and a proof says
//! nothing about locations from which the error cannot be reached.

use super::{BackTranslate, Pass, Renumbering};
use crate::cfa::{Cfa, CfaBuilder, Loc};
use crate::execution::Execution;
use crate::proof::Proof;

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
        (reduced, Box::new(numbers))
    }
}

impl BackTranslate for Renumbering {
    fn execution(&self, execution: Execution) -> Execution {
        Renumbering::execution(self, execution)
    }

    fn proof(&self, proof: Proof) -> Proof {
        Renumbering::proof(self, proof)
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
