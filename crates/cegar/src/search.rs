//! Search strategies: in which order the waitlist is processed (first paper, §3.1.2).
//!
//! Nodes are ordered by `w_D · depth + w_E · distance`, the smallest sum first, where the distance is that of
//! the node's location to the error location in the graph of the automaton. Ties go to the older node, except
//! where depth counts negatively: depth-first search goes on from the newest.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use lapidary_model::{Cfa, Loc};

use crate::arg::NodeId;
use crate::axis::axis;

axis! {
    /// A search strategy.
    pub enum Search {
        /// Breadth first: `w_D = 1, w_E = 0`.
        #[default]
        Bfs = "bfs",
        /// Depth first: `w_D = -1, w_E = 0`.
        Dfs = "dfs",
        /// Close to the error first: `w_D = 0, w_E = 1`.
        Err = "err",
    }
}

impl Search {
    /// `(w_D, w_E)`.
    fn weights(self) -> (i64, i64) {
        match self {
            Search::Bfs => (1, 0),
            Search::Dfs => (-1, 0),
            Search::Err => (0, 1),
        }
    }
}

/// The nodes that wait to be processed. Pruned ones are not removed: whoever pops a node looks whether it
/// is still to be processed.
#[derive(Debug)]
pub struct Waitlist {
    weights: (i64, i64),
    distances: Vec<Option<u32>>,
    heap: BinaryHeap<Reverse<(i64, i64, NodeId)>>,
    arrivals: i64,
}

impl Waitlist {
    /// An empty waitlist for the nodes of `cfa`.
    pub fn new(cfa: &Cfa, search: Search) -> Self {
        let (weights, distances) = (search.weights(), cfa.distances_to_error());
        Waitlist { weights, distances, heap: BinaryHeap::new(), arrivals: 0 }
    }

    /// Adds a node.
    pub fn push(&mut self, node: NodeId, loc: Loc, depth: u32) {
        let (w_depth, w_error) = self.weights;
        // Far beyond any distance there is, for locations from which the error cannot be reached.
        let distance = self.distances[loc.0 as usize].map_or(i64::from(u32::MAX), i64::from);
        let key = w_depth * i64::from(depth) + w_error * distance;
        self.arrivals += 1;
        let tie = if w_depth < 0 { -self.arrivals } else { self.arrivals };
        self.heap.push(Reverse((key, tie, node)));
    }

    /// Takes the node that comes first.
    pub fn pop(&mut self) -> Option<NodeId> {
        self.heap.pop().map(|Reverse((_, _, node))| node)
    }
}
