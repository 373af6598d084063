//! Covering among explicit states by lookup.
//!
//! A state covers another if it has the same value for each variable it knows. States are grouped by the
//! variables that they know, of which there are few sets at a location; within a group the covering state
//! is found by hashing.

use lapidary_expr::{Value, Var};
use rustc_hash::FxHashMap;

use super::Values;
use crate::arg::{CoverIndex, NodeId};

/// Nodes by known variables and their values.
#[derive(Debug, Default)]
pub struct ValueIndex {
    groups: Vec<Group>,
}

#[derive(Debug)]
struct Group {
    vars: Vec<Var>,
    nodes: FxHashMap<Vec<Value>, Vec<NodeId>>,
}

fn split(state: &Values) -> (Vec<Var>, Vec<Value>) {
    state.0.iter().cloned().unzip()
}

impl CoverIndex<Values> for ValueIndex {
    fn insert(&mut self, node: NodeId, state: &Values) {
        let (vars, values) = split(state);
        let group = match self.groups.iter().position(|group| group.vars == vars) {
            Some(position) => &mut self.groups[position],
            None => {
                self.groups.push(Group { vars, nodes: FxHashMap::default() });
                self.groups.last_mut().expect("just pushed")
            }
        };
        group.nodes.entry(values).or_default().push(node);
    }

    fn remove(&mut self, node: NodeId, state: &Values) {
        let (vars, values) = split(state);
        if let Some(group) = self.groups.iter_mut().find(|group| group.vars == vars)
            && let Some(nodes) = group.nodes.get_mut(&values)
        {
            nodes.retain(|other| *other != node);
            if nodes.is_empty() {
                group.nodes.remove(&values);
            }
        }
        self.groups.retain(|group| !group.nodes.is_empty());
    }

    fn candidates(&self, state: &Values) -> Vec<NodeId> {
        let mut found = Vec::new();
        for group in &self.groups {
            let values: Option<Vec<Value>> =
                group.vars.iter().map(|var| state.get(*var).cloned()).collect();
            found.extend(values.and_then(|values| group.nodes.get(&values)).into_iter().flatten());
        }
        found.sort_unstable();
        found
    }
}
