//! All paths of a block from its root to one of its targets, as a statement.
//!
//! Let `idom(x)` be the immediate dominator of a location `x`, the last location that all paths from the root to
//! `x` have in common, and `R(x)` the paths from there to `x`. The paths to the target are the sequence of the
//! `R` along its dominators. An edge `p → x` contributes to `R(x)` the `R` along the dominators of `p`
//! below `idom(x)`; those of several edges form a part of the dominator tree, and what they have in common
//! is written once: at each location of that tree there is a choice between its edges to `x` and its
//! children, `R(child)` first.

use rustc_hash::FxHashSet;

use crate::cfa::{Cfa, EdgeId, Loc};
use crate::pass::shape::Shape;

/// A statement may have this many edges for each edge of its block, and [`FREE`] more.
const COPIES: u64 = 16;
const FREE: u64 = 256;

/// Choices within choices: the recursion of whoever reads the statement.
const DEEPEST: u64 = 100;

/// The locations between a root and the next ends of blocks.
pub(super) struct Region<'a> {
    cfa: &'a Cfa,
    root: Loc,
    /// The root, then the inner locations; edges lead forward.
    order: Vec<Loc>,
    targets: Vec<Loc>,
}

impl<'a> Region<'a> {
    pub(super) fn new(cfa: &'a Cfa, ends: &[bool], root: Loc) -> Self {
        let mut entered = vec![false; cfa.n_locs()];
        let (mut order, mut targets) = (Vec::new(), Vec::new());
        let mut open = vec![(root, 0)];
        while let Some((loc, followed)) = open.last_mut() {
            let (loc, next) = (*loc, *followed);
            *followed += 1;
            let Some(edge) = cfa.outgoing(loc).get(next) else {
                order.push(loc);
                open.pop();
                continue;
            };
            let target = cfa.edge(*edge).target;
            if std::mem::replace(&mut entered[target.0 as usize], true) {
                continue;
            }
            match ends[target.0 as usize] {
                true => targets.push(target),
                false => open.push((target, 0)),
            }
        }
        order.reverse();
        targets.sort_unstable();
        Region { cfa, root, order, targets }
    }

    /// The ends that can be reached.
    pub(super) fn targets(&self) -> &[Loc] {
        &self.targets
    }
}

/// The paths to one target.
pub(super) struct Paths {
    nodes: Vec<Node>,
}

/// A location on a path to the target; the first node is the root, the last one the target, which may be
/// the same location.
struct Node {
    loc: Loc,
    /// The edges from nodes before.
    incoming: Vec<(usize, EdgeId)>,
    /// The immediate dominator; the root has itself.
    idom: usize,
    /// The number of dominators.
    depth: usize,
    /// The number of edges in `R`.
    size: u64,
    /// The number of choices within each other in `R`.
    nesting: u64,
}

/// The part of the dominator tree that holds the edges to a node, below its immediate dominator.
struct Tree {
    /// Its nodes with the dominator first, in the order of the block.
    nodes: Vec<usize>,
}

impl Paths {
    pub(super) fn new(region: &Region<'_>, target: Loc) -> Self {
        let mut paths = Paths { nodes: nodes_on_paths(region, target) };
        for x in 1..paths.nodes.len() {
            let sources = paths.nodes[x].incoming.iter().map(|(source, _)| *source);
            let idom = sources.reduce(|a, b| paths.common_dominator(a, b)).unwrap_or(0);
            paths.nodes[x].idom = idom;
            paths.nodes[x].depth = paths.nodes[idom].depth + 1;
            let tree = paths.tree(x);
            paths.nodes[x].size = paths.size(x, &tree);
            paths.nodes[x].nesting = paths.nesting(x, &tree).first().copied().unwrap_or(0);
        }
        paths
    }

    fn common_dominator(&self, mut a: usize, mut b: usize) -> usize {
        while a != b {
            let (left, right) = (&self.nodes[a], &self.nodes[b]);
            if left.depth >= right.depth {
                a = left.idom;
            } else {
                b = right.idom;
            }
        }
        a
    }

    /// The dominators of the last node without the root, the last node first.
    fn spine(&self) -> impl Iterator<Item = usize> {
        let last = self.nodes.len() - 1;
        std::iter::successors(Some(last), |x| Some(self.nodes[*x].idom)).take_while(|x| *x != 0)
    }

    fn tree(&self, x: usize) -> Tree {
        let idom = self.nodes[x].idom;
        let mut nodes = vec![idom];
        let mut is_in = FxHashSet::from_iter([idom]);
        for (source, _) in &self.nodes[x].incoming {
            let mut node = *source;
            while is_in.insert(node) {
                nodes.push(node);
                node = self.nodes[node].idom;
            }
        }
        nodes.sort_unstable();
        Tree { nodes }
    }

    fn size(&self, x: usize, tree: &Tree) -> u64 {
        let inner = tree.nodes[1..].iter().map(|node| self.nodes[*node].size);
        inner.fold(self.nodes[x].incoming.len() as u64, u64::saturating_add)
    }

    /// For each node of the tree the number of choices within each other below it.
    fn nesting(&self, x: usize, tree: &Tree) -> Vec<u64> {
        let (mut nesting, mut ways) = (vec![0; tree.nodes.len()], vec![0; tree.nodes.len()]);
        let position = |node: usize| tree.nodes.binary_search(&node);
        for (source, _) in &self.nodes[x].incoming {
            if let Ok(i) = position(*source) {
                ways[i] += 1;
            }
        }
        for i in (0..tree.nodes.len()).rev() {
            let node = &self.nodes[tree.nodes[i]];
            nesting[i] += u64::from(ways[i] > 1);
            if i > 0
                && let Ok(parent) = position(node.idom)
            {
                ways[parent] += 1;
                nesting[parent] = nesting[parent].max(nesting[i]).max(node.nesting);
            }
        }
        nesting
    }

    /// A location that has to be an end, if the statement would be too large or too deep.
    pub(super) fn excess(&self) -> Option<Loc> {
        let n_edges: usize = self.nodes.iter().map(|node| node.incoming.len()).sum();
        let size = self.spine().fold(0, |sum: u64, x| sum.saturating_add(self.nodes[x].size));
        let inner = 1..self.nodes.len() - 1;
        if size > COPIES * n_edges as u64 + FREE {
            let copies = self.copies();
            let wasted =
                |x: &usize| copies[*x].saturating_sub(1).saturating_mul(self.nodes[*x].size);
            let most = inner.max_by_key(|x| (wasted(x), std::cmp::Reverse(*x)))?;
            return Some(self.nodes[most].loc);
        }
        let deep = (1..self.nodes.len()).find(|x| self.nodes[*x].nesting > DEEPEST)?;
        let tree = self.tree(deep);
        let nesting = self.nesting(deep, &tree);
        // Halfway down, or where something that is deep itself stands: that is no deeper than allowed.
        let halfway = (1..tree.nodes.len()).rev().find(|i| nesting[*i] > DEEPEST / 2);
        halfway.or((tree.nodes.len() > 1).then_some(1)).map(|i| self.nodes[tree.nodes[i]].loc)
    }

    /// How often each `R` is written.
    fn copies(&self) -> Vec<u64> {
        let mut copies = vec![0_u64; self.nodes.len()];
        self.spine().for_each(|x| copies[x] = 1);
        for x in (1..self.nodes.len()).rev() {
            for node in &self.tree(x).nodes[1..] {
                copies[*node] = copies[*node].saturating_add(copies[x]);
            }
        }
        copies
    }

    /// The statement.
    pub(super) fn shape(&self) -> Shape {
        let mut ways: Vec<Shape> = Vec::with_capacity(self.nodes.len());
        ways.push(Shape::Seq(Vec::new()));
        for x in 1..self.nodes.len() {
            let way = self.ways(x, &ways);
            ways.push(way);
        }
        let mut spine: Vec<usize> = self.spine().collect();
        spine.reverse();
        let parts = spine
            .into_iter()
            .flat_map(|x| std::mem::replace(&mut ways[x], Shape::Seq(Vec::new())).into_parts());
        Shape::seq(parts.collect())
    }

    /// `R(x)`, where those of earlier nodes are known.
    fn ways(&self, x: usize, known: &[Shape]) -> Shape {
        let tree = self.tree(x);
        // For each node of the tree what can follow: sequences with their last part first, which makes it
        // cheap to put something before them.
        let mut follow: Vec<Vec<Vec<Shape>>> = vec![Vec::new(); tree.nodes.len()];
        let position = |node: usize| tree.nodes.binary_search(&node);
        for (source, edge) in &self.nodes[x].incoming {
            if let Ok(i) = position(*source) {
                follow[i].push(vec![Shape::Edge(*edge)]);
            }
        }
        for i in (1..tree.nodes.len()).rev() {
            let mut way = one_of(std::mem::take(&mut follow[i]));
            let node = tree.nodes[i];
            way.extend(known[node].clone().into_parts().into_iter().rev());
            if let Ok(parent) = position(self.nodes[node].idom) {
                follow[parent].push(way);
            }
        }
        let mut way = one_of(std::mem::take(&mut follow[0]));
        way.reverse();
        Shape::seq(way)
    }
}

/// A choice between sequences whose last part comes first, as such a sequence.
fn one_of(mut ways: Vec<Vec<Shape>>) -> Vec<Shape> {
    if ways.len() == 1 {
        return ways.swap_remove(0);
    }
    let in_order = |mut way: Vec<Shape>| {
        way.reverse();
        Shape::seq(way)
    };
    vec![Shape::choice(ways.into_iter().map(in_order).collect())]
}

/// The locations of the region from which the target can be reached, and the target.
fn nodes_on_paths(region: &Region<'_>, target: Loc) -> Vec<Node> {
    let cfa = region.cfa;
    let mut leads = vec![false; cfa.n_locs()];
    for loc in region.order.iter().rev() {
        let mut targets = cfa.outgoing(*loc).iter().map(|edge| cfa.edge(*edge).target);
        leads[loc.0 as usize] |=
            targets.any(|next| next == target || (next != region.root && leads[next.0 as usize]));
    }
    let on_paths: Vec<Loc> =
        region.order.iter().copied().filter(|loc| leads[loc.0 as usize]).collect();
    let mut number = vec![None; cfa.n_locs()];
    on_paths.iter().enumerate().for_each(|(i, loc)| number[loc.0 as usize] = Some(i));
    let node =
        |loc: Loc| Node { loc, incoming: Vec::new(), idom: 0, depth: 0, size: 0, nesting: 0 };
    let mut nodes: Vec<Node> = on_paths.iter().copied().chain([target]).map(node).collect();
    let last = nodes.len() - 1;
    for (i, loc) in on_paths.iter().enumerate() {
        for edge in cfa.outgoing(*loc) {
            let next = cfa.edge(*edge).target;
            match number[next.0 as usize] {
                _ if next == target => nodes[last].incoming.push((i, *edge)),
                Some(number) if next != region.root => nodes[number].incoming.push((i, *edge)),
                _ => {}
            }
        }
    }
    nodes
}
