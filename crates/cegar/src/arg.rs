//! The abstract reachability graph (first paper, Definition 3).
//!
//! Nodes live in an arena; each location knows its nodes through an index that the domain chooses. Without the
//! covered-by edges the graph is a tree.
//!
//! Invariants, which [`Arg::check_invariants`] states and the tests check after every step:
//! - a covered node is covered by another live node at the same location that is itself not covered, so
//!   there are no cycles of covering;
//! - a node has children only along edges that are not pending;
//! - every live node that is not covered and has pending edges waits in the waitlist.

pub mod dot;

use std::collections::BTreeMap;
use std::fmt::Debug;

use lapidary_expr::Term;
use lapidary_model::{Cfa, EdgeId, Loc, Proof, ProofState, StateId};
use smallvec::SmallVec;

/// A node of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// How many nodes the graph got before.
    pub fn number(self) -> u32 {
        self.0
    }

    /// The node that came after so many others.
    pub fn numbered(number: u32) -> NodeId {
        NodeId(number)
    }
}

/// Finds nodes whose state may cover a given one.
pub trait CoverIndex<S>: Default {
    /// Takes up a node.
    fn insert(&mut self, node: NodeId, state: &S);

    /// Forgets a node.
    fn remove(&mut self, node: NodeId, state: &S);

    /// The nodes that may cover `state`, older ones first.
    fn candidates(&self, state: &S) -> Vec<NodeId>;
}

/// A few ids, without memory of their own: most nodes have one or two successors, and there are millions of nodes.
pub type Few<T> = SmallVec<[T; 4]>;

#[derive(Clone, Debug)]
struct Node<S> {
    loc: Loc,
    state: S,
    parent: Option<(NodeId, EdgeId)>,
    children: Few<NodeId>,
    /// Edges whose successors are not computed.
    pending: Few<EdgeId>,
    covered_by: Option<NodeId>,
    covers: Vec<NodeId>,
    depth: u32,
    alive: bool,
    is_new: bool,
}

/// The graph.
#[derive(Debug)]
pub struct Arg<S, I> {
    nodes: Vec<Node<S>>,
    index: Vec<I>,
    /// For some nodes, the states that successors along edges had before they were split: their parts are not computed.
    /// Few nodes have any, and none where states are not split one by one.
    splits: BTreeMap<NodeId, Vec<(EdgeId, S)>>,
    n_alive: usize,
}

impl<S: Clone + Debug, I: CoverIndex<S>> Arg<S, I> {
    /// The graph with nothing but the entry.
    pub fn new(cfa: &Cfa, top: S) -> Self {
        let index = cfa.locs().map(|_| I::default()).collect();
        let mut arg = Arg { nodes: Vec::new(), index, splits: BTreeMap::new(), n_alive: 0 };
        arg.insert(cfa, cfa.entry(), top, None);
        arg
    }

    /// The node of the entry.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    fn node(&self, node: NodeId) -> &Node<S> {
        &self.nodes[node.0 as usize]
    }

    fn node_mut(&mut self, node: NodeId) -> &mut Node<S> {
        &mut self.nodes[node.0 as usize]
    }

    /// The location of a node.
    pub fn loc(&self, node: NodeId) -> Loc {
        self.node(node).loc
    }

    /// The abstract state of a node.
    pub fn state(&self, node: NodeId) -> &S {
        &self.node(node).state
    }

    /// The number of edges from the entry to a node.
    pub fn depth(&self, node: NodeId) -> u32 {
        self.node(node).depth
    }

    /// The node before, and the edge from it.
    pub fn parent(&self, node: NodeId) -> Option<(NodeId, EdgeId)> {
        self.node(node).parent
    }

    /// Whether the node has not been pruned.
    pub fn is_alive(&self, node: NodeId) -> bool {
        self.node(node).alive
    }

    /// The node that covers this one.
    pub fn covered_by(&self, node: NodeId) -> Option<NodeId> {
        self.node(node).covered_by
    }

    /// Whether some successor of the node is in the graph.
    pub fn has_children(&self, node: NodeId) -> bool {
        !self.node(node).children.is_empty()
    }

    /// Whether the node has not been expanded at all.
    pub fn is_new(&self, node: NodeId) -> bool {
        self.node(node).is_new
    }

    /// Whether the node is not covered and some of its successors are not computed.
    pub fn is_unmarked(&self, node: NodeId) -> bool {
        let data = self.node(node);
        data.alive
            && data.covered_by.is_none()
            && (!data.pending.is_empty() || self.splits.contains_key(&node))
    }

    /// The nodes that were not pruned, in the order of their creation.
    pub fn alive(&self) -> impl Iterator<Item = NodeId> {
        (0..self.nodes.len() as u32).map(NodeId).filter(|node| self.is_alive(*node))
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.n_alive
    }

    /// Whether there is no node, which never happens.
    pub fn is_empty(&self) -> bool {
        self.n_alive == 0
    }

    fn insert(
        &mut self,
        cfa: &Cfa,
        loc: Loc,
        state: S,
        parent: Option<(NodeId, EdgeId)>,
    ) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes"));
        self.index[loc.0 as usize].insert(id, &state);
        let depth = parent.map_or(0, |(parent, _)| self.depth(parent) + 1);
        let pending = Few::from_slice(cfa.outgoing(loc));
        let (children, covers) = (Few::new(), Vec::new());
        self.nodes.push(Node {
            loc,
            state,
            parent,
            children,
            pending,
            covered_by: None,
            covers,
            depth,
            alive: true,
            is_new: true,
        });
        self.n_alive += 1;
        id
    }

    /// Adds a successor of `parent` along `edge`.
    pub fn add(&mut self, cfa: &Cfa, parent: NodeId, edge: EdgeId, state: S) -> NodeId {
        let child = self.insert(cfa, cfa.edge(edge).target, state, Some((parent, edge)));
        self.node_mut(parent).children.push(child);
        child
    }

    /// The edges of `node` whose successors are to be computed; computing them is up to the caller, who adds
    /// them all.
    pub fn take_pending(&mut self, node: NodeId) -> Few<EdgeId> {
        self.node_mut(node).is_new = false;
        std::mem::take(&mut self.node_mut(node).pending)
    }

    /// The edges of `node` along which successors were split, with the states they had; computing the parts is up
    /// to the caller, who adds them all.
    pub fn take_split(&mut self, node: NodeId) -> Vec<(EdgeId, S)> {
        self.splits.remove(&node).unwrap_or_default()
    }

    /// Other nodes that may cover `node`: not covered themselves.
    pub fn may_cover(&self, node: NodeId) -> Vec<NodeId> {
        let candidates = self.index[self.loc(node).0 as usize].candidates(self.state(node));
        candidates
            .into_iter()
            .filter(|other| *other != node && self.covered_by(*other).is_none())
            .collect()
    }

    /// Covers `node` by another one that is not covered. What `node` covered goes over to it: `⊑` is
    /// transitive, and a covered node covers nothing.
    pub fn cover(&mut self, node: NodeId, by: NodeId) {
        debug_assert!(
            node != by && self.covered_by(by).is_none() && self.loc(node) == self.loc(by)
        );
        let inherited = std::mem::take(&mut self.node_mut(node).covers);
        for other in inherited.into_iter().chain([node]) {
            self.node_mut(other).covered_by = Some(by);
            self.node_mut(by).covers.push(other);
        }
    }

    /// The nodes and edges from the entry to `node`.
    pub fn path(&self, node: NodeId) -> (Vec<NodeId>, Vec<EdgeId>) {
        let (mut nodes, mut edges) = (vec![node], Vec::new());
        let mut current = node;
        while let Some((parent, edge)) = self.parent(current) {
            nodes.push(parent);
            edges.push(edge);
            current = parent;
        }
        nodes.reverse();
        edges.reverse();
        (nodes, edges)
    }

    /// Removes the subtree of `node` together with those of its siblings along the same edge, so that expanding
    /// the parent computes all successors of that edge again. Returns the nodes that are to be processed
    /// again: the parent, and those that lost their coverer.
    pub fn prune(&mut self, node: NodeId) -> Vec<NodeId> {
        if !self.is_alive(node) {
            return Vec::new(); // it went with another subtree
        }
        let Some((parent, edge)) = self.parent(node) else { return self.prune_all() };
        let along_edge = |child: &NodeId| self.parent(*child).is_some_and(|(_, e)| e == edge);
        let (removed, kept): (Few<NodeId>, Few<NodeId>) =
            self.node(parent).children.iter().copied().partition(along_edge);
        self.node_mut(parent).children = kept;
        if let Some(splits) = self.splits.get_mut(&parent) {
            splits.retain(|(split, _)| *split != edge);
            if splits.is_empty() {
                self.splits.remove(&parent);
            }
        }
        self.node_mut(parent).pending.push(edge);
        self.remove(removed.to_vec(), vec![parent])
    }

    /// Removes the subtree of `node`, and of it alone, to be replaced by successors of the parent within its state.
    /// Returns the nodes that are to be processed again.
    pub fn split(&mut self, node: NodeId) -> Vec<NodeId> {
        if !self.is_alive(node) {
            return Vec::new();
        }
        let Some((parent, edge)) = self.parent(node) else { return self.prune_all() };
        let state = self.state(node).clone();
        self.node_mut(parent).children.retain(|child| *child != node);
        self.splits.entry(parent).or_default().push((edge, state));
        self.remove(vec![node], vec![parent])
    }

    /// Removes everything below the entry.
    pub fn prune_all(&mut self) -> Vec<NodeId> {
        let root = self.root();
        let removed = std::mem::take(&mut self.node_mut(root).children);
        let mut edges: Vec<EdgeId> =
            removed.iter().filter_map(|child| self.parent(*child)).map(|(_, e)| e).collect();
        edges.extend(self.take_split(root).into_iter().map(|(edge, _)| edge));
        edges.sort_unstable();
        edges.dedup();
        self.node_mut(root).pending.extend(edges);
        self.remove(removed.to_vec(), vec![root])
    }

    /// Removes the subtrees of `open`; `again` collects what is to be processed again.
    fn remove(&mut self, mut open: Vec<NodeId>, mut again: Vec<NodeId>) -> Vec<NodeId> {
        while let Some(node) = open.pop() {
            let (loc, state) = (self.loc(node), self.state(node).clone());
            self.index[loc.0 as usize].remove(node, &state);
            self.n_alive -= 1;
            self.splits.remove(&node);
            let data = self.node_mut(node);
            data.alive = false;
            open.extend(data.children.drain(..));
            let covered = std::mem::take(&mut data.covers);
            if let Some(by) = data.covered_by.take()
                && self.is_alive(by)
            {
                self.node_mut(by).covers.retain(|other| *other != node);
            }
            for other in covered {
                self.node_mut(other).covered_by = None;
                again.push(other);
            }
        }
        again.retain(|node| self.is_alive(*node));
        again.sort_unstable();
        again
    }

    /// The proof that a complete graph is: its expanded nodes, with covered ones replaced by their coverers.
    pub fn to_proof(&self, expr: impl Fn(&S) -> Term) -> Proof {
        let expanded: Vec<NodeId> =
            self.alive().filter(|node| self.covered_by(*node).is_none()).collect();
        let mut number = vec![StateId(0); self.nodes.len()];
        for (i, node) in expanded.iter().enumerate() {
            number[node.0 as usize] = StateId(i as u32);
        }
        let state = |node: &NodeId| {
            let stands_for =
                |child: &NodeId| number[self.covered_by(*child).unwrap_or(*child).0 as usize];
            let successors = self.node(*node).children.iter().map(stands_for).collect();
            ProofState { loc: self.loc(*node), formula: expr(self.state(*node)), successors }
        };
        Proof::of(expanded.iter().map(state).collect())
    }

    /// The first invariant of this module that does not hold, for tests.
    pub fn check_invariants(&self) -> std::result::Result<(), String> {
        for id in self.alive() {
            let node = self.node(id);
            if let Some(by) = node.covered_by
                && (by == id
                    || !self.is_alive(by)
                    || self.covered_by(by).is_some()
                    || self.loc(by) != node.loc)
            {
                return Err(format!("{id:?} is covered by {by:?}, which may not cover it"));
            }
            if node.covered_by.is_some() && !node.covers.is_empty() {
                return Err(format!("{id:?} is covered and covers"));
            }
            if let Some(other) =
                node.covers.iter().find(|other| self.covered_by(**other) != Some(id))
            {
                return Err(format!("{id:?} thinks it covers {other:?}"));
            }
            for child in &node.children {
                let edge = self.parent(*child);
                if edge.is_none_or(|(parent, edge)| parent != id || node.pending.contains(&edge)) {
                    return Err(format!("{child:?} is no proper child of {id:?}"));
                }
            }
        }
        Ok(())
    }
}
