//! Branches whose ways all lead to one location, without a loop and without a way to get stuck.

use lapidary_expr::{Term, VarSet};

use crate::cfa::{Cfa, Loc};
use crate::pass::cuts;
use crate::stmt::Stmt;

/// The ways from a branching location to where they meet.
pub(super) struct Sliced {
    /// Where they meet.
    pub(super) join: Loc,
    /// The locations between.
    pub(super) inner: Vec<Loc>,
    /// What the ways may write.
    pub(super) written: VarSet,
}

/// For each branching location its ways, if they cannot get stuck.
pub(super) fn regions(cfa: &Cfa) -> Vec<Option<Sliced>> {
    let ends = cuts::necessary(cfa);
    let joins = Joins::new(cfa, &ends);
    let passes = |loc: Loc| is_exhaustive(cfa, loc);
    let region = |loc: Loc| {
        let is_branch = cfa.outgoing(loc).len() > 1 && Some(loc) != cfa.error();
        let join = joins.of(loc).filter(|_| is_branch && passes(loc))?;
        let mut region = Sliced { join, inner: Vec::new(), written: VarSet::new() };
        let mut pending = vec![loc];
        while let Some(loc) = pending.pop() {
            for edge in cfa.outgoing(loc).iter().map(|edge| cfa.edge(*edge)) {
                region.written.extend(edge.stmt.written());
                if edge.target != join && !region.inner.contains(&edge.target) {
                    if !passes(edge.target) {
                        return None;
                    }
                    region.inner.push(edge.target);
                    pending.push(edge.target);
                }
            }
        }
        // Another way in would have states of its own on the way.
        let is_within = |source: Loc| source == loc || region.inner.contains(&source);
        let entered = |inner: &Loc| cfa.incoming(*inner).iter().map(|edge| cfa.edge(*edge).source);
        region.inner.iter().flat_map(entered).all(is_within).then_some(region)
    };
    cfa.locs().map(region).collect()
}

/// Whether some edge can be taken from a location, whatever the values are.
fn is_exhaustive(cfa: &Cfa, loc: Loc) -> bool {
    let guards = cfa.outgoing(loc).iter().filter_map(|edge| guard(&cfa.edge(*edge).stmt));
    let guards: Vec<Term> = guards.collect();
    guards.iter().any(|guard| guards.contains(&guard.not())) || Term::or(guards).is_true()
}

/// When a statement can be run, if that is easily said.
fn guard(stmt: &Stmt) -> Option<Term> {
    match stmt {
        Stmt::Assume(condition) => Some(*condition),
        Stmt::Assign(_) | Stmt::Havoc(_) => Some(true.into()),
        Stmt::Relation { .. } => None,
        Stmt::Choice(parts) => {
            parts.iter().any(|part| guard(part).is_some_and(Term::is_true)).then(|| true.into())
        }
        Stmt::Seq(parts) => {
            let Some((first, rest)) = parts.split_first() else { return Some(true.into()) };
            let is_total = |part: &Stmt| guard(part).is_some_and(Term::is_true);
            guard(first).filter(|_| rest.iter().all(is_total))
        }
    }
}

/// Where all ways from a location meet: immediate post-dominators in the graph that is cut at the ends.
struct Joins {
    /// By number of the location, or that of its copy at the end of a way; none where ways end differently.
    next: Vec<Option<usize>>,
    n_locs: usize,
}

impl Joins {
    fn new(cfa: &Cfa, ends: &[bool]) -> Self {
        let n_locs = cfa.n_locs();
        // Copies of the ends come after all locations, so that ways lead to a copy.
        let number = |loc: Loc| loc.0 as usize + if ends[loc.0 as usize] { n_locs } else { 0 };
        let mut joins = Joins { next: vec![None; 2 * n_locs], n_locs };
        let mut depth = vec![0_usize; 2 * n_locs];
        for loc in backward_order(cfa, ends) {
            let mut targets =
                cfa.outgoing(loc).iter().map(|edge| Some(number(cfa.edge(*edge).target)));
            let first = targets.next().flatten();
            let join = targets.fold(first, |a, b| joins.common(&depth, a, b));
            joins.next[loc.0 as usize] = join;
            depth[loc.0 as usize] = join.map_or(0, |join| depth[join] + 1);
        }
        joins
    }

    fn common(&self, depth: &[usize], mut a: Option<usize>, mut b: Option<usize>) -> Option<usize> {
        while a != b {
            let (left, right) = (a?, b?);
            if depth[left] >= depth[right] {
                a = self.next[left];
            } else {
                b = self.next[right];
            }
        }
        a
    }

    fn of(&self, loc: Loc) -> Option<Loc> {
        self.next[loc.0 as usize].map(|number| Loc((number % self.n_locs) as u32))
    }
}

/// All locations, each after those that its edges lead to, unless ways end there.
fn backward_order(cfa: &Cfa, ends: &[bool]) -> Vec<Loc> {
    let mut entered = vec![false; cfa.n_locs()];
    let mut order = Vec::with_capacity(cfa.n_locs());
    for root in cfa.locs() {
        if std::mem::replace(&mut entered[root.0 as usize], true) {
            continue;
        }
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
            if !ends[target.0 as usize] && !std::mem::replace(&mut entered[target.0 as usize], true)
            {
                open.push((target, 0));
            }
        }
    }
    order
}
