//! The law of cover indices: what they leave out does not cover.

use lapidary_cegar::arg::{Arg, CoverIndex, NodeId};
use lapidary_cegar::{Domain, Result};
use lapidary_model::{CfaBuilder, Stmt};
use lapidary_oracle::Case;

use crate::Broken;
use crate::world::World;

/// Every state that covers another is among its candidates, and no node that was removed is.
pub(crate) fn is_complete<D: Domain>(domain: &mut D, case: &Case) -> Result<Broken> {
    let world = World::new(case);
    let mut states = world.states(domain)?;
    for prec in world.precs(domain) {
        for s in states.clone() {
            states.extend(domain.post(&s, true.into(), &world.step(), &prec)?.into_iter().take(2));
        }
    }
    let mut index = D::Index::default();
    let nodes = nodes(states.len());
    let inserted: Vec<(NodeId, &D::State)> = nodes.into_iter().zip(&states).collect();
    inserted.iter().for_each(|(node, state)| index.insert(*node, state));
    // Every third is removed again.
    let is_removed = |number: usize| number % 3 == 1;
    for (number, (node, state)) in inserted.iter().enumerate() {
        if is_removed(number) {
            index.remove(*node, state);
        }
    }
    for s in &states {
        let candidates = index.candidates(s);
        for (number, (node, t)) in inserted.iter().enumerate() {
            let is_candidate = candidates.contains(node);
            if is_removed(number) && is_candidate {
                return Ok(Some(format!("{t:?} was removed, and is a candidate to cover {s:?}")));
            }
            if !is_removed(number) && !is_candidate && domain.leq(s, t)? {
                return Ok(Some(format!("{t:?} covers {s:?}, and is no candidate")));
            }
        }
    }
    Ok(None)
}

/// So many nodes; only a graph makes them.
fn nodes(n: usize) -> Vec<NodeId> {
    let mut builder = CfaBuilder::new("nodes", "entry");
    let entry = builder.entry();
    let edge = builder.edge(entry, Stmt::skip(), entry, None);
    let cfa = builder.build().expect("an automaton");
    let mut arg: Arg<(), NoIndex> = Arg::new(&cfa, ());
    (0..n).map(|_| arg.add(&cfa, arg.root(), edge, ())).collect()
}

#[derive(Debug, Default)]
struct NoIndex;

impl CoverIndex<()> for NoIndex {
    fn insert(&mut self, _node: NodeId, _state: &()) {}

    fn remove(&mut self, _node: NodeId, _state: &()) {}

    fn candidates(&self, _state: &()) -> Vec<NodeId> {
        Vec::new()
    }
}
