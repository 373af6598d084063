//! Covering among explicit states by lookup.
//!
//! A state covers another if it has the same value for each variable it knows. States are grouped by the
//! variables that they know, of which there are few sets at a location; within a group the covering state
//! is found by hashing. Only the hashes are kept: two states with one hash are candidates of each other, and `⊑` tells
//! them apart.

use std::sync::Arc;

use lapidary_expr::Var;
use rustc_hash::FxHashMap;

use super::Values;
use super::values::{Packed, hash};
use crate::arg::{CoverIndex, NodeId};

/// Nodes by known variables and their values.
#[derive(Debug, Default)]
pub struct ValueIndex {
    groups: Vec<Group>,
}

#[derive(Debug)]
struct Group {
    vars: Arc<[Var]>,
    /// A node by the hash of its values, and the other nodes with the same hash, of which there are few.
    first: FxHashMap<u64, NodeId>,
    others: FxHashMap<u64, Vec<NodeId>>,
}

impl Group {
    fn has(&self, vars: &Arc<[Var]>) -> bool {
        Arc::ptr_eq(&self.vars, vars) || self.vars == *vars
    }

    fn insert(&mut self, hash: u64, node: NodeId) {
        if *self.first.entry(hash).or_insert(node) != node {
            self.others.entry(hash).or_default().push(node);
        }
    }

    fn remove(&mut self, hash: u64, node: NodeId) {
        let mut rest: Vec<NodeId> = self.nodes(hash).filter(|other| *other != node).collect();
        self.others.remove(&hash);
        match rest.is_empty() {
            true => drop(self.first.remove(&hash)),
            false => {
                self.first.insert(hash, rest.remove(0));
                if !rest.is_empty() {
                    self.others.insert(hash, rest);
                }
            }
        }
    }

    fn nodes(&self, hash: u64) -> impl Iterator<Item = NodeId> {
        let first = self.first.get(&hash);
        let others = if self.others.is_empty() { None } else { self.others.get(&hash) };
        first.into_iter().chain(others.into_iter().flatten()).copied()
    }
}

impl CoverIndex<Values> for ValueIndex {
    fn insert(&mut self, node: NodeId, state: &Values) {
        let position = match self.groups.iter().position(|group| group.has(&state.vars)) {
            Some(position) => position,
            None => {
                let (first, others) = (FxHashMap::default(), FxHashMap::default());
                self.groups.push(Group { vars: Arc::clone(&state.vars), first, others });
                self.groups.len() - 1
            }
        };
        self.groups[position].insert(state.hash, node);
    }

    fn remove(&mut self, node: NodeId, state: &Values) {
        if let Some(group) = self.groups.iter_mut().find(|group| group.has(&state.vars)) {
            group.remove(state.hash, node);
        }
        self.groups.retain(|group| !group.first.is_empty());
    }

    fn candidates(&self, state: &Values) -> Vec<NodeId> {
        let mut found = Vec::new();
        for group in &self.groups {
            match group.has(&state.vars) {
                true => found.extend(group.nodes(state.hash)),
                false => {
                    let values: Option<Vec<&Packed>> =
                        group.vars.iter().map(|var| state.packed(*var)).collect();
                    found.extend(values.into_iter().flat_map(|it| group.nodes(hash(it))));
                }
            }
        }
        found.sort_unstable();
        found
    }
}
