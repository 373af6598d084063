//! Abstraction: Algorithm 1 of the first paper.
//!
//! ```text
//! reached ← N;  waitlist ← unmarked nodes from N
//! while waitlist ≠ ∅
//!     (l, s) ← remove from waitlist
//!     if l = l_E                                    return (unsafe, ARG)
//!     if (l, s) ⊑ (l', s') for some (l', s') ∈ reached    cover it
//!     else for each (l', s') ∈ T_L((l, s), π_L) \ ⊥_L     add it to reached, waitlist, N and E
//! return (safe, ARG)
//! ```
//!
//! Differences: taken literally, line 9 lets a node cover itself and two equal nodes cover each other; here a
//! node is covered by *another* node that is not covered itself. The waitlist lives as long as the graph:
//! what pruning leaves to do is put back into it, so that nothing is scanned for in each iteration. A node
//! whose successors were pruned along some edges is expanded along these only. The search goes on until it has
//! found as many errors as are wanted (§3.2.2), which is one in Algorithm 1.
//!
//! Where states are split one by one (second paper, §4.5), the graph keeps everything but the subtree of the first split
//! state, whose parent is expanded within that state only. Other nodes with a split state give way when it is their turn.

use lapidary_expr::{Term, Var};
use lapidary_model::{Cfa, EdgeId};

use crate::arg::{Arg, NodeId};
use crate::precision::PrecisionMap;
use crate::search::{Search, Waitlist};
use crate::{Domain, Result};

/// What exploration found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exploration {
    /// The graph is complete and without an error.
    Safe,
    /// These nodes are at the error location.
    Unsafe(Vec<NodeId>),
}

/// The graph of a domain.
pub type ArgOf<D> = Arg<<D as Domain>::State, <D as Domain>::Index>;

/// Builds the graph.
#[derive(Debug)]
pub struct Abstractor<'a> {
    cfa: &'a Cfa,
    waitlist: Waitlist,
    most_errors: usize,
    /// The nodes that were expanded for the first time.
    explored: usize,
}

impl<'a> Abstractor<'a> {
    /// An abstractor for graphs of `cfa` that have a root only. It stops when it has found `most_errors`.
    pub fn new<D: Domain>(
        cfa: &'a Cfa,
        search: Search,
        most_errors: usize,
        arg: &ArgOf<D>,
    ) -> Self {
        let waitlist = Waitlist::new(cfa, search);
        let mut abstractor = Abstractor { cfa, waitlist, most_errors, explored: 0 };
        abstractor.wait::<D>(arg, arg.root());
        abstractor
    }

    /// Puts a node into the waitlist.
    pub fn wait<D: Domain>(&mut self, arg: &ArgOf<D>, node: NodeId) {
        self.waitlist.push(node, arg.loc(node), arg.depth(node));
    }

    /// The number of nodes that were expanded since this was last asked.
    pub fn take_explored(&mut self) -> usize {
        std::mem::take(&mut self.explored)
    }

    /// Completes the graph, or finds ways to the error location.
    pub fn explore<D: Domain>(
        &mut self,
        domain: &mut D,
        prec: &PrecisionMap<D::Prec>,
        arg: &mut ArgOf<D>,
    ) -> Result<Exploration> {
        let mut errors = Vec::new();
        while errors.len() < self.most_errors
            && let Some(node) = self.waitlist.pop()
        {
            if !arg.is_alive(node) || arg.covered_by(node).is_some() {
                continue; // pruned or covered since it was put here
            }
            if Some(arg.loc(node)) == self.cfa.error() {
                errors.push(node);
                continue;
            }
            if arg.parent(node).is_some()
                && domain.is_split(arg.state(node), prec.at(arg.loc(node)))
            {
                let again = arg.split(node);
                again.into_iter().for_each(|node| self.wait::<D>(arg, node));
                continue;
            }
            match coverer(domain, arg, node)? {
                Some(by) => arg.cover(node, by),
                None => self.expand(domain, prec, arg, node)?,
            }
        }
        // Those that refinement does not remove are still there next time.
        errors.iter().for_each(|node| self.wait::<D>(arg, *node));
        Ok(if errors.is_empty() { Exploration::Safe } else { Exploration::Unsafe(errors) })
    }

    fn expand<D: Domain>(
        &mut self,
        domain: &mut D,
        prec: &PrecisionMap<D::Prec>,
        arg: &mut ArgOf<D>,
        node: NodeId,
    ) -> Result<()> {
        self.explored += usize::from(arg.is_new(node));
        let all = arg.take_pending(node).into_iter().map(|edge| (edge, true.into()));
        let primed = |var: Var| Some(var.primed().into());
        let parts = arg.take_split(node).into_iter();
        let parts = parts.map(|(edge, state)| (edge, domain.expr(&state).map_vars(&primed)));
        let steps: Vec<(EdgeId, Term)> = all.chain(parts).collect();
        for (edge, given) in steps {
            let (stmt, target) = (&self.cfa.edge(edge).stmt, self.cfa.edge(edge).target);
            for state in domain.post(arg.state(node), given, stmt, prec.at(target))? {
                let child = arg.add(self.cfa, node, edge, state);
                self.wait::<D>(arg, child);
            }
        }
        Ok(())
    }
}

/// A node that covers `node`, if there is one. A node that has been expanded along some edges already is
/// not covered any more: its other successors would stay in the graph without a reason.
fn coverer<D: Domain>(domain: &mut D, arg: &ArgOf<D>, node: NodeId) -> Result<Option<NodeId>> {
    if arg.has_children(node) {
        return Ok(None);
    }
    for other in arg.may_cover(node) {
        if domain.leq(arg.state(node), arg.state(other))? {
            return Ok(Some(other));
        }
    }
    Ok(None)
}
