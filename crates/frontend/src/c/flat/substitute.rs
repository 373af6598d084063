//! Values with parts replaced.

use crate::c::flat::{Op, Place, Root, Step, Value, ValueKind};

/// What takes the place of a value, if anything does.
pub(in crate::c) type Change<'a> = &'a dyn Fn(&Value) -> Option<Value>;

/// An operation with all values changed that are read, inner ones too.
pub(in crate::c) fn in_operation(op: &Op, change: Change<'_>) -> Op {
    match op {
        Op::Assume(value, holds) => Op::Assume(in_value(value, change), *holds),
        Op::Assign(place, value) => Op::Assign(in_place(place, change), in_value(value, change)),
        Op::Evaluate(value) => Op::Evaluate(in_value(value, change)),
        Op::Zero(place) => Op::Zero(in_place(place, change)),
        Op::Havoc { place, is_external } => {
            Op::Havoc { place: in_place(place, change), is_external: *is_external }
        }
        Op::Nondet { place, function, close } => Op::Nondet {
            place: place.as_ref().map(|place| in_place(place, change)),
            function: *function,
            close: *close,
        },
        Op::Allocate { site, count, size } => Op::Allocate {
            site: *site,
            count: in_value(count, change),
            size: in_value(size, change),
        },
        Op::Free { pointer, start } => {
            Op::Free { pointer: in_value(pointer, change), start: *start }
        }
        Op::Outside { function, given, start } => Op::Outside {
            function: *function,
            given: given.iter().map(|value| in_value(value, change)).collect(),
            start: *start,
        },
        Op::Approximate(_) | Op::Begin | Op::NothingHeld => op.clone(),
    }
}

fn in_place(place: &Place, change: Change<'_>) -> Place {
    let root = match &place.root {
        Root::Object(object) => Root::Object(*object),
        Root::Pointer(pointer) => Root::Pointer(Box::new(in_value(pointer, change))),
    };
    let step = |step: &Step| match step {
        Step::Member(i) => Step::Member(*i),
        Step::Index(index) => Step::Index(in_value(index, change)),
    };
    Place { root, path: place.path.iter().map(step).collect(), ty: place.ty }
}

fn in_value(value: &Value, change: Change<'_>) -> Value {
    if let Some(changed) = change(value) {
        return changed;
    }
    let inner = |value: &Value| Box::new(in_value(value, change));
    let kind = match &value.kind {
        ValueKind::Int(_) | ValueKind::Function(_) => value.kind.clone(),
        ValueKind::Load(place) => ValueKind::Load(in_place(place, change)),
        ValueKind::Address(place) => ValueKind::Address(in_place(place, change)),
        ValueKind::Unary(op, a) => ValueKind::Unary(*op, inner(a)),
        ValueKind::Binary(op, a, b) => ValueKind::Binary(*op, inner(a), inner(b)),
        ValueKind::Move(a, b) => ValueKind::Move(inner(a), inner(b)),
        ValueKind::Distance(a, b) => ValueKind::Distance(inner(a), inner(b)),
        ValueKind::And(a, b) => ValueKind::And(inner(a), inner(b)),
        ValueKind::Or(a, b) => ValueKind::Or(inner(a), inner(b)),
        ValueKind::Conditional(a, b, c) => ValueKind::Conditional(inner(a), inner(b), inner(c)),
        ValueKind::Convert(a) => ValueKind::Convert(inner(a)),
        ValueKind::Truth(a) => ValueKind::Truth(inner(a)),
        ValueKind::IsNegative(a) => ValueKind::IsNegative(inner(a)),
        ValueKind::Apply(function, a) => ValueKind::Apply(*function, inner(a)),
    };
    Value::new(kind, value.ty, value.start)
}
