//! Search strategies: in which order the waitlist is processed (first paper, §3.1.2).
//!
//! Nodes are ordered by `w_D · depth + w_E · distance`, the smallest sum first, where the distance is that of
//! the node's location to the error location in the graph of the automaton, found by one backward search.
//! Ties go to the older node, except where depth counts negatively: depth-first search goes on from the
//! newest.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use std::str::FromStr;

use lapidary_model::{Cfa, Loc};

use crate::arg::NodeId;

/// A search strategy: two weights, some of which have names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Search {
    /// Breadth first: `w_D = 1, w_E = 0`.
    #[default]
    Bfs,
    /// Depth first: `w_D = -1, w_E = 0`.
    Dfs,
    /// Close to the error first: `w_D = 0, w_E = 1`.
    Err,
    /// Mostly close to the error: `w_D = 1, w_E = 2`.
    DfsErr,
    /// Mostly by depth: `w_D = 2, w_E = 1`.
    ErrDfs,
    /// Any `w_D, w_E`.
    Weights(i32, i32),
}

impl Search {
    /// The strategies that have names.
    pub const ALL: [Search; 5] =
        [Search::Bfs, Search::Dfs, Search::Err, Search::DfsErr, Search::ErrDfs];

    /// Their names.
    pub const NAMES: &[&str] = &["bfs", "dfs", "err", "dfs-err", "err-dfs"];

    /// `(w_D, w_E)`.
    pub fn weights(self) -> (i32, i32) {
        match self {
            Search::Bfs => (1, 0),
            Search::Dfs => (-1, 0),
            Search::Err => (0, 1),
            Search::DfsErr => (1, 2),
            Search::ErrDfs => (2, 1),
            Search::Weights(depth, error) => (depth, error),
        }
    }
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Search::ALL.iter().position(|search| search == self) {
            Some(i) => f.write_str(Search::NAMES[i]),
            None => write!(f, "{},{}", self.weights().0, self.weights().1),
        }
    }
}

/// A name, or two weights with a comma between them. Weights that have a name are that strategy.
impl FromStr for Search {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(i) = Search::NAMES.iter().position(|name| *name == text) {
            return Ok(Search::ALL[i]);
        }
        let weights = text.split_once(',').and_then(|(depth, error)| {
            Some((depth.trim().parse().ok()?, error.trim().parse().ok()?))
        });
        let (depth, error) = weights.ok_or_else(|| text.to_string())?;
        let named = Search::ALL.into_iter().find(|search| search.weights() == (depth, error));
        Ok(named.unwrap_or(Search::Weights(depth, error)))
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
        let (depth, error) = search.weights();
        let (weights, distances) = ((depth.into(), error.into()), cfa.distances_to_error());
        Waitlist { weights, distances, heap: BinaryHeap::new(), arrivals: 0 }
    }

    /// Adds a node.
    pub fn push(&mut self, node: NodeId, loc: Loc, depth: u32) {
        let (w_depth, w_error) = self.weights;
        // Far beyond any distance there is, for locations from which the error cannot be reached.
        let distance = self.distances[loc.0 as usize].map_or(i64::from(u32::MAX), i64::from);
        let key = (w_depth * i64::from(depth)).saturating_add(w_error.saturating_mul(distance));
        self.arrivals += 1;
        let tie = if w_depth < 0 { -self.arrivals } else { self.arrivals };
        self.heap.push(Reverse((key, tie, node)));
    }

    /// Takes the node that comes first.
    pub fn pop(&mut self) -> Option<NodeId> {
        self.heap.pop().map(|Reverse((_, _, node))| node)
    }
}
