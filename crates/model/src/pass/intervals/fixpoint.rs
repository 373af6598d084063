//! The least set of states per location that the domain can express and that widening finds.

use std::collections::BTreeSet;

use super::state::State;
use super::thresholds::thresholds;
use super::transfer::Transfer;
use crate::cfa::{Cfa, Loc};

/// What is known at each location; none where control never gets.
pub(in crate::pass) type States = Vec<Option<State>>;

/// A cut location that changed so often is widened,
const PATIENCE: u32 = 2;
/// and if it changes this often, without thresholds.
const MOST_THRESHOLDS: u32 = 14;
/// How often the conditions of loops bring back what widening has lost.
const MOST_ROUNDS: usize = 3;

/// Analyses an automaton with widening at the `cuts`; none if that takes more work (see [`Transfer::work`]).
pub(in crate::pass) fn analyze(
    cfa: &Cfa,
    transfer: &Transfer,
    cuts: &[bool],
    most_work: usize,
) -> Option<States> {
    let order = reverse_postorder(cfa);
    let wide = widen(cfa, transfer, cuts, &order, most_work)?;
    let mut narrow = wide.clone();
    for _ in 0..MOST_ROUNDS {
        if transfer.work() > most_work || !narrow_once(cfa, transfer, &order, &mut narrow) {
            break;
        }
    }
    // Operators that are not quite monotone could have made it too narrow.
    [narrow, wide].into_iter().find(|states| is_inductive(cfa, transfer, states))
}

/// The locations such that only retreating edges go back.
pub(in crate::pass) fn reverse_postorder(cfa: &Cfa) -> Vec<Loc> {
    let mut order = Vec::with_capacity(cfa.n_locs());
    let mut entered = vec![false; cfa.n_locs()];
    entered[cfa.entry().0 as usize] = true;
    let mut open = vec![(cfa.entry(), 0)];
    while let Some((loc, followed)) = open.last_mut() {
        let (loc, next) = (*loc, *followed);
        *followed += 1;
        let Some(edge) = cfa.outgoing(loc).get(next) else {
            order.push(loc);
            open.pop();
            continue;
        };
        let target = cfa.edge(*edge).target;
        if !std::mem::replace(&mut entered[target.0 as usize], true) {
            open.push((target, 0));
        }
    }
    order.reverse();
    order
}

/// Increases the states until they are inductive.
fn widen(
    cfa: &Cfa,
    transfer: &Transfer,
    cuts: &[bool],
    order: &[Loc],
    most_work: usize,
) -> Option<States> {
    let thresholds = thresholds(cfa, transfer);
    let mut place = vec![0; cfa.n_locs()];
    order.iter().enumerate().for_each(|(i, loc)| place[loc.0 as usize] = i);
    let mut states: States = vec![None; cfa.n_locs()];
    let mut changes = vec![0; cfa.n_locs()];
    states[cfa.entry().0 as usize] = Some(transfer.top());
    let mut pending = BTreeSet::from([0]);
    while let Some(first) = pending.pop_first() {
        let loc = order[first];
        let Some(before) = states[loc.0 as usize].clone() else { continue };
        for edge in cfa.outgoing(loc).iter().map(|edge| cfa.edge(*edge)) {
            transfer.spend(1 + before.n_pieces() / 4);
            let Some(after) = transfer.post(&edge.stmt, before.clone()) else { continue };
            let target = edge.target.0 as usize;
            let is_changed = match &mut states[target] {
                none @ None => {
                    *none = Some(after);
                    true
                }
                Some(state) if cuts[target] && changes[target] >= PATIENCE => {
                    let patient = changes[target] < MOST_THRESHOLDS;
                    let stops = |var: usize| if patient { &thresholds[var][..] } else { &[] };
                    state.merge(&after, |var, a, b| Some(a.widen(b, stops(var)))) == Some(true)
                }
                Some(state) => state.join(&after),
            };
            if is_changed {
                changes[target] += 1;
                pending.insert(place[target]);
            }
        }
        if transfer.work() > most_work {
            return None;
        }
    }
    Some(states)
}

/// Restricts each state to what its predecessors allow; whether that changed anything.
fn narrow_once(cfa: &Cfa, transfer: &Transfer, order: &[Loc], states: &mut States) -> bool {
    let mut changed = false;
    for loc in order.iter().filter(|loc| **loc != cfa.entry()) {
        let Some(mut state) = states[loc.0 as usize].clone() else { continue };
        let mut possible: Option<State> = None;
        for edge in cfa.incoming(*loc).iter().map(|edge| cfa.edge(*edge)) {
            let Some(before) = &states[edge.source.0 as usize] else { continue };
            transfer.spend(1 + before.n_pieces() / 4);
            let Some(after) = transfer.post(&edge.stmt, before.clone()) else { continue };
            match &mut possible {
                Some(possible) => drop(possible.join(&after)),
                None => possible = Some(after),
            }
        }
        let narrowed = possible.and_then(|possible| {
            let is_changed = state.merge(&possible, |_, a, b| a.meet(b))?;
            Some((is_changed, state))
        });
        changed |= narrowed.as_ref().is_none_or(|(is_changed, _)| *is_changed);
        states[loc.0 as usize] = narrowed.map(|(_, state)| state);
    }
    changed
}

/// Whether all that is possible at the start, and after an edge from what is known, is known.
pub(in crate::pass) fn is_inductive(cfa: &Cfa, transfer: &Transfer, states: &States) -> bool {
    let covers = |loc: Loc, state: &State| {
        states[loc.0 as usize].as_ref().is_some_and(|known| state.is_subset(known))
    };
    covers(cfa.entry(), &transfer.top())
        && cfa.edges().all(|(_, edge)| {
            let Some(before) = &states[edge.source.0 as usize] else { return true };
            let after = transfer.post(&edge.stmt, before.clone());
            after.is_none_or(|after| covers(edge.target, &after))
        })
}
