//! Evaluation of the operators on truth values, numbers and arrays.
//!
//! Arguments have the sorts that the rule of the same line accepts.

use dashu_int::IBig;
use dashu_int::ops::{DivEuclid, RemEuclid};
use dashu_ratio::RBig;

use super::Op;
use crate::value::Value;

pub(super) fn not(_: &Op, args: &[Value]) -> Value {
    Value::Bool(!args[0].is_true())
}

pub(super) fn and(_: &Op, args: &[Value]) -> Value {
    Value::Bool(args.iter().all(Value::is_true))
}

pub(super) fn or(_: &Op, args: &[Value]) -> Value {
    Value::Bool(args.iter().any(Value::is_true))
}

pub(super) fn eq(_: &Op, args: &[Value]) -> Value {
    Value::Bool(args[0] == args[1])
}

pub(super) fn ite(_: &Op, args: &[Value]) -> Value {
    if args[0].is_true() { args[1].clone() } else { args[2].clone() }
}

/// Folds numbers of one sort.
fn fold(args: &[Value], int: fn(&IBig, &IBig) -> IBig, rat: fn(&RBig, &RBig) -> RBig) -> Value {
    let combine = |left: Value, right: &Value| match (&left, right) {
        (Value::Int(a), Value::Int(b)) => Value::Int(int(a, b)),
        _ => Value::Rat(rat(&left.to_rat(), &right.to_rat())),
    };
    args[1..].iter().fold(args[0].clone(), combine)
}

pub(super) fn add(_: &Op, args: &[Value]) -> Value {
    fold(args, |a, b| a + b, |a, b| a + b)
}

pub(super) fn mul(_: &Op, args: &[Value]) -> Value {
    fold(args, |a, b| a * b, |a, b| a * b)
}

pub(super) fn le(_: &Op, args: &[Value]) -> Value {
    Value::Bool(args[0] <= args[1])
}

pub(super) fn lt(_: &Op, args: &[Value]) -> Value {
    Value::Bool(args[0] < args[1])
}

pub(super) fn div(_: &Op, args: &[Value]) -> Value {
    let (x, y) = (args[0].as_int(), args[1].as_int());
    Value::Int(if y.is_zero() { IBig::ZERO } else { x.div_euclid(y) })
}

pub(super) fn modulo(_: &Op, args: &[Value]) -> Value {
    let (x, y) = (args[0].as_int(), args[1].as_int());
    Value::Int(if y.is_zero() { x.clone() } else { IBig::from(x.rem_euclid(y)) })
}

pub(super) fn rem(_: &Op, args: &[Value]) -> Value {
    let (x, y) = (args[0].as_int(), args[1].as_int());
    Value::Int(if y.is_zero() { x.clone() } else { x % y })
}

pub(super) fn rat_div(_: &Op, args: &[Value]) -> Value {
    let (x, y) = (args[0].to_rat(), args[1].to_rat());
    Value::Rat(if y.is_zero() { RBig::ZERO } else { x / y })
}

pub(super) fn to_rat(_: &Op, args: &[Value]) -> Value {
    Value::Rat(args[0].to_rat())
}

pub(super) fn floor(_: &Op, args: &[Value]) -> Value {
    Value::Int(args[0].to_rat().floor())
}

pub(super) fn select(_: &Op, args: &[Value]) -> Value {
    args[0].as_array().get(&args[1]).clone()
}

pub(super) fn store(_: &Op, args: &[Value]) -> Value {
    let mut array = args[0].clone();
    array.store(args[1].clone(), args[2].clone());
    array
}

pub(super) fn const_array(op: &Op, args: &[Value]) -> Value {
    match op {
        Op::ConstArray(sort) => {
            Value::array(*sort, args[0].clone(), std::collections::BTreeMap::new())
        }
        other => unreachable!("`{other}` is no constant array"),
    }
}

pub(super) fn apply(op: &Op, _: &[Value]) -> Value {
    unreachable!("`{op}` is evaluated by a valuation")
}
