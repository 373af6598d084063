//! Which objects of functions may be pointed to after their end.
//!
//! A pointer in a variable that ends with the object, or before it, is gone by then: one in the same block or in one
//! inside, and one of a function that only runs while the object's function does.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use crate::c::flat::points_to::PointsTo;
use crate::c::flat::{Flat, ObjectId, Scope};

/// A function at a depth of recursion.
type Activation = (u32, u32);

/// The objects that may be pointed to after their end.
pub(super) fn may_be_used_ended(flat: &Flat, pointers: &PointsTo<'_>) -> FxHashSet<ObjectId> {
    let mut pairs: Vec<(&Scope, ObjectId, ObjectId)> = Vec::new();
    for (holder, object) in pointers.holders() {
        if let Some(scope) = flat.scopes.get(&object) {
            pairs.push((scope, holder, object));
        }
    }
    let Some(main) = flat.procedures.first() else { return FxHashSet::default() };
    let calls = calls(flat);
    let results: FxHashSet<ObjectId> =
        flat.procedures.iter().filter_map(|procedure| procedure.result).collect();
    let is_of_main = |scope: &Scope| scope.function == main.function && scope.depth == 0;
    let is_last = |scope: &Scope| is_of_main(scope) && scope.path.len() <= 1;
    let outlives = |holder: ObjectId, scope: &Scope| {
        let Some(held) = flat.scopes.get(&holder) else { return true };
        let (inner, outer) = ((held.function, held.depth), (scope.function, scope.depth));
        if results.contains(&holder) && !is_of_main(held) {
            return true;
        }
        if inner == outer {
            return !held.path.starts_with(&scope.path);
        }
        let calls =
            |a: Activation, b: Activation| calls.get(&a).is_some_and(|all| all.contains(&b));
        !calls(outer, inner) || calls(inner, outer)
    };
    let is_ended = |(scope, holder, _): &(&Scope, ObjectId, ObjectId)| {
        !is_last(scope) && outlives(*holder, scope)
    };
    pairs.into_iter().filter(is_ended).map(|(_, _, object)| object).collect()
}

/// What each function calls, with all that those call.
fn calls(flat: &Flat) -> BTreeMap<Activation, BTreeSet<Activation>> {
    let of = |procedure: u32| {
        let procedure = &flat.procedures[procedure as usize];
        (procedure.function, procedure.depth)
    };
    let mut calls: BTreeMap<Activation, BTreeSet<Activation>> = BTreeMap::new();
    for edge in &flat.edges {
        if let Some(callee) = edge.call {
            calls.entry(of(edge.procedure)).or_default().insert(of(callee));
        }
    }
    loop {
        let before: usize = calls.values().map(BTreeSet::len).sum();
        let known = calls.clone();
        for all in calls.values_mut() {
            let further = all.iter().filter_map(|callee| known.get(callee)).flatten().copied();
            let further: Vec<Activation> = further.collect();
            all.extend(further);
        }
        if calls.values().map(BTreeSet::len).sum::<usize>() == before {
            return calls;
        }
    }
}
