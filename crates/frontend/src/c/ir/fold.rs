//! Constant folding: what C calls constant expressions, and a little more.

use crate::c::ir::{Binary, Expr, Kind, Unary};
use crate::c::types::{IntType, Types};

/// The expression, or its value if that is constant.
pub(in crate::c) fn simplified(expr: Expr, types: &Types) -> Expr {
    let value = match &expr.kind {
        Kind::Unary(op, value) => {
            value.as_int().and_then(|value| unary(*op, value, types.as_int(expr.ty)?))
        }
        Kind::Binary(op, left, right) => match (left.as_int(), right.as_int()) {
            (Some(a), Some(b)) => types.as_int(left.ty).and_then(|ty| binary(*op, a, b, ty)),
            _ => None,
        },
        Kind::And(left, right) => match (left.as_int(), right.as_int()) {
            (Some(0), _) => Some(0),
            (Some(_), Some(right)) => Some(i128::from(right != 0)),
            _ => None,
        },
        Kind::Or(left, right) => match (left.as_int(), right.as_int()) {
            (Some(left), _) if left != 0 => Some(1),
            (Some(_), Some(right)) => Some(i128::from(right != 0)),
            _ => None,
        },
        _ => None,
    };
    match value {
        Some(value) if types.keeps_overflow && wraps(&expr, types) => {
            let (ty, start) = (expr.ty, expr.start);
            Expr::new(Kind::Wrapped(value, Box::new(expr)), ty, start)
        }
        Some(value) => Expr { kind: Kind::Int(value), ..expr },
        None => expr,
    }
}

/// Whether a constant expression, or a part of it that is evaluated, does not fit its signed type.
fn wraps(expr: &Expr, types: &Types) -> bool {
    let int = types.as_int(expr.ty).filter(|int| int.signed);
    let is_outside = |exact: Option<i128>| {
        int.is_some_and(|int| exact != exact.map(|exact| int.wrap(exact)) || exact.is_none())
    };
    match &expr.kind {
        Kind::Unary(op, a) => {
            let exact = || a.as_int().and_then(i128::checked_neg);
            a.is_wrapped() || *op == Unary::Neg && is_outside(exact())
        }
        Kind::Binary(op, a, b) => {
            let exact = || match (op, a.as_int()?, b.as_int()?) {
                (Binary::Add, a, b) => a.checked_add(b),
                (Binary::Sub, a, b) => a.checked_sub(b),
                (Binary::Mul, a, b) => a.checked_mul(b),
                (Binary::Div | Binary::Rem, a, b) => a.checked_div(b),
                (Binary::Shl, a @ 0.., b) => {
                    a.checked_mul(1i128.checked_shl(u32::try_from(b).ok()?)?)
                }
                (Binary::Shl, ..) => None,
                _ => Some(0),
            };
            a.is_wrapped() || b.is_wrapped() || is_outside(exact())
        }
        Kind::And(a, b) => a.is_wrapped() || a.as_int() != Some(0) && b.is_wrapped(),
        Kind::Or(a, b) => a.is_wrapped() || a.as_int() == Some(0) && b.is_wrapped(),
        _ => false,
    }
}

fn unary(op: Unary, value: i128, ty: IntType) -> Option<i128> {
    Some(match op {
        Unary::Neg | Unary::Back => ty.wrap(value.checked_neg()?),
        Unary::Not => ty.wrap(!value),
        Unary::Zero => i128::from(value == 0),
    })
}

/// The value of an operator on constants of a type; none where it has none, or where it is too large to say.
pub(in crate::c) fn binary(op: Binary, a: i128, b: i128, ty: IntType) -> Option<i128> {
    // Large numbers without a sign of 128 bits look negative, which does not matter to the other operators.
    let is_ordered =
        matches!(op, Binary::Div | Binary::Rem | Binary::Shr | Binary::Lt | Binary::Le);
    if is_ordered && !ty.signed && (a < 0 || b < 0) {
        return None;
    }
    Some(ty.wrap(match op {
        Binary::Add => a.checked_add(b)?,
        Binary::Sub => a.checked_sub(b)?,
        Binary::Mul => a.checked_mul(b)?,
        Binary::Div => a.checked_div(b)?,
        Binary::Rem => a.checked_rem(b)?,
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Shl if (0..i128::from(ty.width)).contains(&b) && ty.width <= 64 => a << b,
        Binary::Shr if (0..i128::from(ty.width)).contains(&b) => a >> b,
        Binary::Shl | Binary::Shr => return None,
        Binary::Lt => return Some(i128::from(a < b)),
        Binary::Le => return Some(i128::from(a <= b)),
        Binary::Eq => return Some(i128::from(a == b)),
        Binary::Ne => return Some(i128::from(a != b)),
    }))
}
