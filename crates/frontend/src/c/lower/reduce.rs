//! Makes the graphs small before they become a program: what no condition depends on goes, edges that do
//! nothing are contracted, and what cannot be reached is left out.

use lapidary_expr::{Op, Term, Var, VarSet};
use lapidary_model::Stmt;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::c::flat::{Flat, Procedure};
use crate::c::lower::LoweredEdge;

/// Reduces the edges; returns for each node the one that stands for it.
pub(in crate::c) fn reduce(edges: &mut Vec<LoweredEdge>, flat: &Flat) -> Vec<u32> {
    let nodes: Vec<u32> = (0..flat.n_nodes).collect();
    keep_reachable(edges, &flat.procedures, &nodes);
    let needed = needed(edges);
    for edge in edges.iter_mut() {
        edge.approximations.retain(|(_, vars)| {
            vars.as_ref().is_none_or(|vars| vars.iter().any(|var| needed.contains(var)))
        });
        for i in 0..edge.stmts.len() {
            if is_range(&edge.stmts, i) {
                keep_ranges(&mut edge.stmts[i], &needed);
            }
        }
        for stmt in &mut edge.stmts {
            remove_unneeded(stmt, &needed);
        }
        let is_idle =
            |stmt: &Stmt| stmt.is_skip() || matches!(stmt, Stmt::Assume(term) if term.is_true());
        edge.stmts.retain(|stmt| !is_idle(stmt));
    }
    let is_never = |stmt: &Stmt| matches!(stmt, Stmt::Assume(term) if term.is_false());
    edges.retain(|edge| !edge.stmts.iter().any(is_never));
    let mut joined = nodes;
    loop {
        contract(edges, &mut joined);
        if !drop_idle_calls(edges, &flat.procedures, &joined) {
            break;
        }
    }
    keep_reachable(edges, &flat.procedures, &joined);
    joined
}

/// Drops the edges that no path from the entry takes. A path goes on behind a call if the callee's exit can be reached.
fn keep_reachable(edges: &mut Vec<LoweredEdge>, procedures: &[Procedure], joined: &[u32]) {
    let n_nodes = joined.len();
    let node = |node: crate::c::flat::Node| joined[node.0 as usize];
    // The edges of a node lie together, from its first place to that of the next node.
    let mut first = vec![0; n_nodes + 1];
    edges.iter().for_each(|edge| first[edge.source as usize + 1] += 1);
    for node in 0..n_nodes {
        first[node + 1] += first[node];
    }
    let (mut next, mut outgoing) = (first.clone(), vec![0; edges.len()]);
    for (i, edge) in edges.iter().enumerate() {
        let place = &mut next[edge.source as usize];
        outgoing[*place] = i;
        *place += 1;
    }
    let mut is_reached = vec![false; n_nodes];
    // For exits that have not been reached, where their callers go on.
    let mut waiting: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    let mut open = vec![node(Flat::ENTRY)];
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut is_reached[at as usize], true) {
            continue;
        }
        open.extend(waiting.remove(&at).into_iter().flatten());
        for edge in &outgoing[first[at as usize]..first[at as usize + 1]] {
            let edge = &edges[*edge];
            let Some(callee) = edge.call.map(|callee| &procedures[callee as usize]) else {
                open.push(edge.target);
                continue;
            };
            open.push(node(callee.entry));
            let exit = node(callee.exit);
            match is_reached[exit as usize] {
                true => open.push(edge.target),
                false => waiting.entry(exit).or_default().push(edge.target),
            }
        }
    }
    edges.retain(|edge| is_reached[edge.source as usize]);
}

/// Calls of procedures that only return become edges without a call; returns whether there are any.
fn drop_idle_calls(edges: &mut [LoweredEdge], procedures: &[Procedure], joined: &[u32]) -> bool {
    let is_idle = |callee: &u32| {
        let callee = &procedures[*callee as usize];
        joined[callee.entry.0 as usize] == joined[callee.exit.0 as usize]
    };
    let mut are_there = false;
    for edge in edges {
        if edge.call.as_ref().is_some_and(is_idle) {
            edge.call = None;
            are_there = true;
        }
    }
    are_there
}

/// The variables that a condition depends on.
fn needed(edges: &[LoweredEdge]) -> FxHashSet<Var> {
    let mut sources: FxHashMap<Var, VarSet> = FxHashMap::default();
    let mut open: Vec<Var> = Vec::new();
    for (i, stmt) in edges
        .iter()
        .flat_map(|edge| edge.stmts.iter().enumerate().map(move |(i, stmt)| ((edge, i), stmt)))
    {
        match stmt {
            Stmt::Assign(assignments) => {
                for (var, term) in assignments {
                    sources.entry(*var).or_default().extend(term.vars());
                }
            }
            // That a variable is in its range says nothing about others.
            Stmt::Assume(term) if !is_range(&i.0.stmts, i.1) => open.extend(term.vars()),
            _ => {}
        }
    }
    let mut needed = FxHashSet::default();
    while let Some(var) = open.pop() {
        if needed.insert(var) {
            open.extend(sources.get(&var).into_iter().flatten());
        }
    }
    needed
}

/// Whether a statement says of variables that just got any value that they are in the range of their types.
fn is_range(stmts: &[Stmt], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| &stmts[before]);
    let (Some(Stmt::Havoc(vars)), Stmt::Assume(term)) = (before, &stmts[at]) else { return false };
    let is_plain =
        |arg: &Term| arg.as_lit().is_some() || arg.as_var().is_some_and(|var| vars.contains(&var));
    let is_bound = |term: &Term| *term.op() == Op::Le && term.args().iter().all(is_plain);
    term.conjuncts().iter().all(is_bound)
}

/// Drops the ranges of variables that are not needed.
fn keep_ranges(stmt: &mut Stmt, needed: &FxHashSet<Var>) {
    if let Stmt::Assume(term) = stmt {
        let is_needed = |bound: &Term| bound.vars().iter().any(|var| needed.contains(var));
        if !term.conjuncts().iter().all(is_needed) {
            *term = Term::and(term.conjuncts().into_iter().filter(is_needed));
        }
    }
}

fn remove_unneeded(stmt: &mut Stmt, needed: &FxHashSet<Var>) {
    match stmt {
        Stmt::Assign(assignments) => {
            assignments.retain(|(var, _)| needed.contains(var));
            if assignments.is_empty() {
                *stmt = Stmt::skip();
            }
        }
        Stmt::Havoc(vars) => {
            vars.retain(|var| needed.contains(var));
            if vars.is_empty() {
                *stmt = Stmt::skip();
            }
        }
        _ => {}
    }
}

/// Joins the ends of edges that do nothing and are the only way on, and keeps for each node what it was joined to.
fn contract(edges: &mut Vec<LoweredEdge>, joined: &mut [u32]) {
    let mut n_outgoing = vec![0u32; joined.len()];
    for edge in edges.iter() {
        n_outgoing[edge.source as usize] += 1;
    }
    edges.retain(|edge| {
        let is_idle = edge.stmts.is_empty()
            && edge.call.is_none()
            && edge.failure.is_none()
            && edge.approximations.is_empty()
            && edge.nondets.is_empty()
            && edge.target != Flat::ERROR.0
            && n_outgoing[edge.source as usize] == 1;
        let target = find(joined, edge.target);
        // An endless loop without effect stays.
        if !is_idle || target == edge.source {
            return true;
        }
        joined[edge.source as usize] = target;
        false
    });
    for edge in edges.iter_mut() {
        edge.source = find(joined, edge.source);
        edge.target = find(joined, edge.target);
    }
    for node in 0..joined.len() as u32 {
        joined[node as usize] = find(joined, node);
    }
}

/// The node that a node was joined to.
fn find(joined: &mut [u32], node: u32) -> u32 {
    let mut root = node;
    while joined[root as usize] != root {
        root = joined[root as usize];
    }
    let mut at = node;
    while joined[at as usize] != root {
        at = std::mem::replace(&mut joined[at as usize], root);
    }
    root
}
