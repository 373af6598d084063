//! What has to be known at each location so that all that is removed cannot happen, and nothing more.
//!
//! The full states are inductive. This keeps the values of the variables that decide something, and goes backward: what
//! is kept at the target of an edge has to follow from what is kept at its source.

use std::collections::BTreeSet;

use lapidary_expr::{Var, VarSet};

use super::simplify::{Outcome, Simplifier};
use crate::cfa::{Cfa, Edge, Loc};
use crate::pass::intervals::{State, States, Transfer, is_inductive};
use crate::stmt::Stmt;

/// An edge is looked at this often on average; then all that is known is kept.
const MOST_VISITS: usize = 60;

/// Those parts of the states that are used; none if nothing can be removed.
pub(super) fn needed(
    cfa: &Cfa,
    simplifier: &Simplifier,
    transfer: &Transfer,
    full: &States,
) -> Option<States> {
    let top = transfer.top();
    let mut needed = Needed {
        cfa,
        transfer,
        full,
        kept: vec![Some(top.clone()); cfa.n_locs()],
        open: BTreeSet::new(),
    };
    let mut is_used = false;
    for loc in cfa.locs() {
        let Some(state) = &full[loc.0 as usize] else { continue };
        let Some(outcome) = simplifier.leaving(cfa, loc, transfer, state) else { continue };
        is_used = true;
        needed.keep_for(loc, &outcome, |state| {
            let same = simplifier.leaving(cfa, loc, transfer, state);
            same.is_some_and(|same| same.edges == outcome.edges)
        });
    }
    if !is_used {
        return None;
    }
    let is_complete = needed.close().is_some() && is_inductive(cfa, transfer, &needed.kept);
    Some(if is_complete { needed.kept } else { full.clone() })
}

struct Needed<'a> {
    cfa: &'a Cfa,
    transfer: &'a Transfer,
    full: &'a States,
    /// What is kept of the full states; nothing at first, also where control never gets.
    kept: States,
    /// The locations whose incoming edges have to be looked at.
    open: BTreeSet<Loc>,
}

impl Needed<'_> {
    /// Keeps the value of a variable at a location.
    fn keep(&mut self, loc: Loc, var: usize) {
        let (Some(full), Some(kept)) = (&self.full[loc.0 as usize], &mut self.kept[loc.0 as usize])
        else {
            return;
        };
        if kept.get(var) != full.get(var) {
            kept.set(var, full.get(var));
            self.open.insert(loc);
        }
    }

    fn keep_vars<'v>(&mut self, loc: Loc, vars: impl IntoIterator<Item = &'v Var>) {
        for var in vars {
            if let Some(i) = self.transfer.index(*var) {
                self.keep(loc, i);
            }
        }
    }

    fn keep_all(&mut self, loc: Loc) {
        match &self.full[loc.0 as usize] {
            Some(_) => (0..self.transfer.vars.len()).for_each(|var| self.keep(loc, var)),
            None => {
                if self.kept[loc.0 as usize].take().is_some() {
                    self.open.insert(loc);
                }
            }
        }
    }

    /// Keeps what an outcome depends on: the variables that were used, or else more.
    fn keep_for(&mut self, loc: Loc, outcome: &Outcome, is_enough: impl Fn(&State) -> bool) {
        let is_enough = |this: &Self| this.kept[loc.0 as usize].as_ref().is_some_and(&is_enough);
        self.keep_vars(loc, &outcome.used);
        if is_enough(self) {
            return;
        }
        for (id, _) in &outcome.edges {
            self.keep_vars(loc, &self.cfa.edge(*id).stmt.read());
        }
        if !is_enough(self) {
            self.keep_all(loc);
        }
    }

    /// Goes backward until all that is kept follows from what is kept before; none if that takes too long.
    fn close(&mut self) -> Option<()> {
        let mut left = MOST_VISITS * self.cfa.n_edges();
        // Later locations first, as far as their numbers tell.
        while let Some(loc) = self.open.pop_last() {
            for id in self.cfa.incoming(loc) {
                left = left.checked_sub(1)?;
                self.follow(self.cfa.edge(*id));
            }
        }
        Some(())
    }

    /// The kept variables at the target of an edge that do not follow yet; none if all do. Without an element, the
    /// target cannot be reached by what is known.
    fn missing(&self, edge: &Edge) -> Option<Vec<usize>> {
        let before = self.kept[edge.source.0 as usize].clone()?;
        let after = self.transfer.post(&edge.stmt, before)?;
        let Some(kept) = &self.kept[edge.target.0 as usize] else { return Some(Vec::new()) };
        let vars = 0..self.transfer.vars.len();
        let missing: Vec<usize> =
            vars.filter(|var| !after.get(*var).is_subset(kept.get(*var))).collect();
        (!missing.is_empty()).then_some(missing)
    }

    /// Keeps at the source of an edge what is needed at its target.
    fn follow(&mut self, edge: &Edge) {
        let Some(missing) = self.missing(edge) else { return };
        let mut sources: VarSet = missing.iter().map(|var| self.transfer.vars[*var]).collect();
        trace_back(&edge.stmt, &mut sources);
        self.keep_vars(edge.source, &sources);
        if self.missing(edge).is_none() {
            return;
        }
        let read = edge.stmt.read();
        self.keep_vars(edge.source, &read);
        if self.missing(edge).is_some() {
            self.keep_all(edge.source);
        }
    }
}

/// Adds the variables whose values the variables get by a statement.
fn trace_back(stmt: &Stmt, vars: &mut VarSet) {
    match stmt {
        Stmt::Assign(assignments) => {
            let sources: Vec<Var> = assignments
                .iter()
                .filter(|(var, _)| vars.contains(var))
                .flat_map(|(_, term)| term.vars().iter().copied())
                .collect();
            vars.extend(sources);
        }
        Stmt::Seq(parts) => parts.iter().rev().for_each(|part| trace_back(part, vars)),
        Stmt::Choice(parts) => parts.iter().for_each(|part| trace_back(part, vars)),
        Stmt::Assume(_) | Stmt::Havoc(_) | Stmt::Relation { .. } => {}
    }
}
