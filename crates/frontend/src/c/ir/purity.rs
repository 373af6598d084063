//! Which expressions have side effects, or need more than a term to be computed.

use crate::c::ir::{Expr, Kind};
use crate::c::types::Types;
use crate::c::types::qualifiers::Qualifier;

/// Whether an expression can be computed without changing anything, and without what is not modelled.
pub(in crate::c) fn is_pure(expr: &Expr, types: &Types) -> bool {
    let is_read =
        matches!(expr.kind, Kind::Var(_) | Kind::Deref(_) | Kind::Member(..) | Kind::Index(..));
    if types.is_unmodelled(expr.ty) || is_read && types.is_qualified(expr.ty, Qualifier::Volatile) {
        return false;
    }
    let all = |parts: &[&Expr]| parts.iter().all(|part| is_pure(part, types));
    match &expr.kind {
        Kind::Int(_) | Kind::Float(_) | Kind::Var(_) | Kind::Function(_) => true,
        Kind::Address(a) => is_pure_place(a, types),
        Kind::Convert(a) => all(&[a]) && !is_address_taken_as_number(expr, a, types),
        Kind::Deref(a)
        | Kind::Member(a, _)
        | Kind::Decay(a)
        | Kind::Unary(_, a)
        | Kind::Wrapped(_, a) => all(&[a]),
        Kind::Index(a, b)
        | Kind::Binary(_, a, b)
        | Kind::Move(a, b)
        | Kind::Distance(a, b)
        | Kind::And(a, b)
        | Kind::Or(a, b) => all(&[a, b]),
        // A choice between structures is made by branches.
        Kind::Conditional(a, b, c) => types.is_scalar(expr.ty) && all(&[a, b, c]),
        // `a ?: b` keeps what `a` is.
        Kind::Elvis(..)
        | Kind::Assign(..)
        | Kind::Update { .. }
        | Kind::Call(..)
        | Kind::Comma(..)
        | Kind::Block(_)
        | Kind::Literal(..)
        | Kind::Unsupported(_) => false,
    }
}

/// The address of a variable is as good as any, whatever its type.
pub(in crate::c) fn is_pure_place(place: &Expr, types: &Types) -> bool {
    match &place.kind {
        Kind::Var(_) => true,
        Kind::Member(a, _) => is_pure_place(a, types),
        Kind::Index(a, b) => is_pure_place(a, types) && is_pure(b, types),
        _ => is_pure(place, types),
    }
}

/// Whether a conversion makes a number of an address: real addresses differ from ours.
pub(in crate::c) fn is_address_taken_as_number(
    converted: &Expr,
    value: &Expr,
    types: &Types,
) -> bool {
    types.pointee(value.ty).is_some()
        && types.as_int(converted.ty).is_some_and(|int| !int.is_bool())
}
