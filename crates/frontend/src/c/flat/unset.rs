//! Which objects may be used before they have a value: an uninitialised pointer may point anywhere.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::c::flat::visit::{in_place, in_value};
use crate::c::flat::{Flat, Node, ObjectId, Op, Place, Root, ValueKind};
use crate::c::types::{Type, Types};

/// What happens to a variable on an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// It comes to life without a value.
    Born,
    Used,
    Set,
}

/// The events of one variable: the edge, and what happens there, in order.
type Events = Vec<(usize, Event)>;

/// The objects that get no value when they come to life, and may be used before they have one. Only plain
/// pointers are looked at closely; any other object counts.
pub(in crate::c) fn used_unset(flat: &Flat, types: &Types) -> FxHashSet<ObjectId> {
    let mut unset = FxHashSet::default();
    let mut events: BTreeMap<ObjectId, Events> = BTreeMap::new();
    for op in flat.edges.iter().flat_map(|edge| &edge.ops) {
        if let Op::Havoc { place: Place { root: Root::Object(object), .. }, is_external: false } =
            op
        {
            match types.get(flat.objects[object.0 as usize].ty) {
                Type::Pointer(_) => drop(events.entry(*object).or_default()),
                _ => drop(unset.insert(*object)),
            }
        }
    }
    if events.is_empty() {
        return unset;
    }
    collect(flat, &mut events, &mut unset);
    let outgoing = ways(flat);
    let mut seen = vec![u32::MAX; flat.n_nodes as usize];
    for (object, events) in events {
        if !unset.contains(&object) && is_used_unset(flat, &outgoing, &mut seen, object, &events) {
            unset.insert(object);
        }
    }
    unset
}

/// A way on from a node: over an edge, or back to a caller.
#[derive(Clone, Copy)]
struct Way {
    edge: Option<usize>,
    target: Node,
}

/// The ways on from each node. Callees do not use a variable whose address is not taken, so calls are ways like others; after the
/// end of a procedure only its result is used.
fn ways(flat: &Flat) -> Vec<Vec<Way>> {
    let mut ways: Vec<Vec<Way>> = vec![Vec::new(); flat.n_nodes as usize];
    for (i, edge) in flat.edges.iter().enumerate() {
        ways[edge.source.0 as usize].push(Way { edge: Some(i), target: edge.target });
        if let Some(callee) = edge.call {
            let exit = flat.procedures[callee as usize].exit;
            ways[exit.0 as usize].push(Way { edge: None, target: edge.target });
        }
    }
    ways
}

/// Collects what happens to the variables; those whose address is taken count as used.
fn collect(flat: &Flat, events: &mut BTreeMap<ObjectId, Events>, unset: &mut FxHashSet<ObjectId>) {
    for (i, edge) in flat.edges.iter().enumerate() {
        for op in &edge.ops {
            let mut visit = |value: &crate::c::flat::Value| match &value.kind {
                ValueKind::Load(Place { root: Root::Object(object), .. }) => {
                    if let Some(events) = events.get_mut(object) {
                        events.push((i, Event::Used));
                    }
                }
                ValueKind::Address(Place { root: Root::Object(object), .. })
                    if events.contains_key(object) =>
                {
                    unset.insert(*object);
                }
                _ => {}
            };
            let (place, event) = match op {
                Op::Assume(value, _) | Op::Evaluate(value) => {
                    in_value(value, &mut visit);
                    continue;
                }
                Op::Assign(place, value) => {
                    in_value(value, &mut visit);
                    (place, Event::Set)
                }
                Op::Zero(place) | Op::Nondet { place: Some(place), .. } => (place, Event::Set),
                Op::Havoc { place, is_external } => {
                    (place, if *is_external { Event::Set } else { Event::Born })
                }
                Op::Allocate { count, size, .. } => {
                    in_value(count, &mut visit);
                    in_value(size, &mut visit);
                    continue;
                }
                Op::Free { pointer, .. } => {
                    in_value(pointer, &mut visit);
                    continue;
                }
                Op::Nondet { place: None, .. }
                | Op::Approximate(_)
                | Op::Begin
                | Op::NothingHeld
                | Op::Outside { .. } => continue,
            };
            in_place(place, &mut visit);
            if let Root::Object(object) = place.root
                && let Some(events) = events.get_mut(&object)
            {
                events.push((i, event));
            }
        }
    }
}

/// Whether a path leads from where the variable comes to life to a use of it, without a value on the way.
fn is_used_unset(
    flat: &Flat,
    outgoing: &[Vec<Way>],
    seen: &mut [u32],
    object: ObjectId,
    events: &[(usize, Event)],
) -> bool {
    let of = |(edge, _): &(usize, Event)| flat.edges[*edge].procedure;
    let is_result = events.iter().any(|event| of(event) != of(&events[0]));
    let mut first: FxHashMap<usize, Event> = FxHashMap::default();
    let mut open = Vec::new();
    for (i, (edge, event)) in events.iter().enumerate() {
        first.entry(*edge).or_insert(*event);
        if *event == Event::Born {
            match events.get(i + 1).filter(|(next, _)| next == edge) {
                Some((_, Event::Used)) => return true,
                Some(_) => {}
                None => open.push(flat.edges[*edge].target),
            }
        }
    }
    while let Some(node) = open.pop() {
        if seen[node.0 as usize] == object.0 {
            continue;
        }
        seen[node.0 as usize] = object.0;
        for way in &outgoing[node.0 as usize] {
            if way.edge.is_none() && !is_result {
                continue;
            }
            match way.edge.and_then(|edge| first.get(&edge)) {
                Some(Event::Used) => return true,
                Some(_) => {}
                None => open.push(way.target),
            }
        }
    }
    false
}
