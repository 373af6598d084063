//! Visits of the values in graphs.

use crate::c::flat::{Flat, Op, Place, Root, Step, Value, ValueKind};

/// Visits every value of the graph, outer ones first.
pub(in crate::c) fn for_each_value(flat: &Flat, visit: &mut dyn FnMut(&Value)) {
    for op in flat.edges.iter().flat_map(|edge| &edge.ops) {
        in_operation(op, visit);
    }
}

/// Visits every value of an operation, outer ones first.
pub(in crate::c) fn in_operation(op: &Op, visit: &mut dyn FnMut(&Value)) {
    match op {
        Op::Assume(value, _) | Op::Evaluate(value) => in_value(value, visit),
        Op::Assign(place, value) => {
            in_place(place, visit);
            in_value(value, visit);
        }
        Op::Zero(place) | Op::Havoc { place, .. } | Op::Nondet { place: Some(place), .. } => {
            in_place(place, visit);
        }
        Op::Allocate { count, size, .. } => {
            in_value(count, visit);
            in_value(size, visit);
        }
        Op::Free { pointer, .. } => in_value(pointer, visit),
        Op::Nondet { .. }
        | Op::Approximate(_)
        | Op::Begin
        | Op::NothingHeld
        | Op::Outside { .. } => {}
    }
}

/// Visits every value of a place.
pub(in crate::c) fn in_place(place: &Place, visit: &mut dyn FnMut(&Value)) {
    if let Root::Pointer(pointer) = &place.root {
        in_value(pointer, visit);
    }
    for step in &place.path {
        if let Step::Index(index) = step {
            in_value(index, visit);
        }
    }
}

/// Visits a value and every value in it.
pub(in crate::c) fn in_value(value: &Value, visit: &mut dyn FnMut(&Value)) {
    visit(value);
    match &value.kind {
        ValueKind::Int(_) | ValueKind::Function(_) => {}
        ValueKind::Load(place) | ValueKind::Address(place) => in_place(place, visit),
        ValueKind::Unary(_, a)
        | ValueKind::Convert(a)
        | ValueKind::Truth(a)
        | ValueKind::IsNegative(a)
        | ValueKind::Apply(_, a) => in_value(a, visit),
        ValueKind::Binary(_, a, b)
        | ValueKind::Move(a, b)
        | ValueKind::Distance(a, b)
        | ValueKind::And(a, b)
        | ValueKind::Or(a, b) => {
            in_value(a, visit);
            in_value(b, visit);
        }
        ValueKind::Conditional(a, b, c) => {
            in_value(a, visit);
            in_value(b, visit);
            in_value(c, visit);
        }
    }
}
