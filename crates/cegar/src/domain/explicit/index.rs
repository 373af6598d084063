//! Covering among explicit states by lookup.
//!
//! A state covers another if it has the same value for each variable it knows. States are grouped by the
//! variables that they know, of which there are few sets at a location; within a group the covering state
//! is found by hashing.

use std::sync::Arc;

use lapidary_expr::Var;
use rustc_hash::FxHashMap;

use super::Values;
use super::values::Packed;
use crate::arg::{CoverIndex, NodeId};

/// Nodes by known variables and their values.
#[derive(Debug, Default)]
pub struct ValueIndex {
    groups: Vec<Group>,
}

#[derive(Debug)]
struct Group {
    vars: Arc<[Var]>,
    nodes: FxHashMap<Arc<[Packed]>, Nodes>,
}

/// The nodes with one state: few have more than one.
#[derive(Debug)]
enum Nodes {
    One(NodeId),
    More(Vec<NodeId>),
}

impl Nodes {
    fn as_slice(&self) -> &[NodeId] {
        match self {
            Nodes::One(node) => std::slice::from_ref(node),
            Nodes::More(nodes) => nodes,
        }
    }
}

impl Group {
    fn has(&self, vars: &Arc<[Var]>) -> bool {
        Arc::ptr_eq(&self.vars, vars) || self.vars == *vars
    }
}

impl CoverIndex<Values> for ValueIndex {
    fn insert(&mut self, node: NodeId, state: &Values) {
        let position = match self.groups.iter().position(|group| group.has(&state.vars)) {
            Some(position) => position,
            None => {
                let vars = Arc::clone(&state.vars);
                self.groups.push(Group { vars, nodes: FxHashMap::default() });
                self.groups.len() - 1
            }
        };
        let known = self.groups[position].nodes.entry(Arc::clone(&state.packed));
        known
            .and_modify(|nodes| {
                let mut all = nodes.as_slice().to_vec();
                all.push(node);
                *nodes = Nodes::More(all);
            })
            .or_insert(Nodes::One(node));
    }

    fn remove(&mut self, node: NodeId, state: &Values) {
        if let Some(group) = self.groups.iter_mut().find(|group| group.has(&state.vars))
            && let Some(nodes) = group.nodes.get_mut(&*state.packed)
        {
            let rest: Vec<NodeId> =
                nodes.as_slice().iter().copied().filter(|other| *other != node).collect();
            match rest.is_empty() {
                true => drop(group.nodes.remove(&*state.packed)),
                false => *nodes = Nodes::More(rest),
            }
        }
        self.groups.retain(|group| !group.nodes.is_empty());
    }

    fn candidates(&self, state: &Values) -> Vec<NodeId> {
        let mut found = Vec::new();
        for group in &self.groups {
            let nodes = match group.has(&state.vars) {
                true => group.nodes.get(&*state.packed),
                false => {
                    let values: Option<Vec<Packed>> =
                        group.vars.iter().map(|var| state.packed(*var).cloned()).collect();
                    values.and_then(|values| group.nodes.get(&*values))
                }
            };
            found.extend(nodes.into_iter().flat_map(Nodes::as_slice));
        }
        found.sort_unstable();
        found
    }
}
