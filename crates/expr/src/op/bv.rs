//! Evaluation of the bit-vector operators, after SMT-LIB.

use dashu_int::{IBig, UBig};

use super::Op;
use crate::value::{Bv, Value, ones};

fn unsigned(width: u32, bits: UBig) -> Value {
    Value::Bv(Bv::new(width, bits))
}

fn signed(width: u32, value: &IBig) -> Value {
    Value::Bv(Bv::wrap(width, value))
}

fn fold(args: &[Value], combine: fn(&UBig, &UBig) -> UBig) -> Value {
    let width = args[0].as_bv().width();
    let first = args[0].as_bv().unsigned().clone();
    let bits = args[1..].iter().fold(first, |bits, arg| combine(&bits, arg.as_bv().unsigned()));
    unsigned(width, bits)
}

fn pair(args: &[Value]) -> (u32, &Bv, &Bv) {
    (args[0].as_bv().width(), args[0].as_bv(), args[1].as_bv())
}

pub(super) fn not(_: &Op, args: &[Value]) -> Value {
    let x = args[0].as_bv();
    unsigned(x.width(), x.unsigned() ^ ones(x.width()))
}

pub(super) fn neg(_: &Op, args: &[Value]) -> Value {
    let x = args[0].as_bv();
    signed(x.width(), &-IBig::from(x.unsigned().clone()))
}

pub(super) fn and(_: &Op, args: &[Value]) -> Value {
    fold(args, |a, b| a & b)
}

pub(super) fn or(_: &Op, args: &[Value]) -> Value {
    fold(args, |a, b| a | b)
}

pub(super) fn xor(_: &Op, args: &[Value]) -> Value {
    fold(args, |a, b| a ^ b)
}

pub(super) fn add(_: &Op, args: &[Value]) -> Value {
    fold(args, |a, b| a + b)
}

pub(super) fn mul(_: &Op, args: &[Value]) -> Value {
    fold(args, |a, b| a * b)
}

pub(super) fn sub(_: &Op, args: &[Value]) -> Value {
    let (width, x, y) = pair(args);
    signed(width, &(IBig::from(x.unsigned().clone()) - IBig::from(y.unsigned().clone())))
}

pub(super) fn udiv(_: &Op, args: &[Value]) -> Value {
    let (width, x, y) = pair(args);
    unsigned(width, if y.unsigned().is_zero() { ones(width) } else { x.unsigned() / y.unsigned() })
}

pub(super) fn urem(_: &Op, args: &[Value]) -> Value {
    let (width, x, y) = pair(args);
    unsigned(
        width,
        if y.unsigned().is_zero() { x.unsigned().clone() } else { x.unsigned() % y.unsigned() },
    )
}

pub(super) fn sdiv(_: &Op, args: &[Value]) -> Value {
    let (width, x, y) = pair(args);
    match (y.unsigned().is_zero(), x.sign()) {
        (true, true) => unsigned(width, UBig::ONE),
        (true, false) => unsigned(width, ones(width)),
        (false, _) => signed(width, &(x.signed() / y.signed())),
    }
}

pub(super) fn srem(_: &Op, args: &[Value]) -> Value {
    let (width, x, y) = pair(args);
    if y.unsigned().is_zero() {
        Value::Bv(x.clone())
    } else {
        signed(width, &(x.signed() % y.signed()))
    }
}

pub(super) fn smod(_: &Op, args: &[Value]) -> Value {
    let (width, x, y) = pair(args);
    if y.unsigned().is_zero() {
        return Value::Bv(x.clone());
    }
    let rem = x.signed() % y.signed();
    let crosses = !rem.is_zero() && x.sign() != y.sign();
    signed(width, &if crosses { rem + y.signed() } else { rem })
}

/// The shift distance, if it is less than the width.
fn distance(width: u32, by: &Bv) -> Option<usize> {
    usize::try_from(by.unsigned()).ok().filter(|n| *n < width as usize)
}

pub(super) fn shl(_: &Op, args: &[Value]) -> Value {
    let (width, x, by) = pair(args);
    unsigned(width, distance(width, by).map_or(UBig::ZERO, |n| x.unsigned() << n))
}

pub(super) fn lshr(_: &Op, args: &[Value]) -> Value {
    let (width, x, by) = pair(args);
    unsigned(width, distance(width, by).map_or(UBig::ZERO, |n| x.unsigned() >> n))
}

pub(super) fn ashr(_: &Op, args: &[Value]) -> Value {
    let (width, x, by) = pair(args);
    // `>>` on a negative big integer rounds toward minus infinity, as the sign copies do.
    signed(width, &(x.signed() >> distance(width, by).unwrap_or(width as usize)))
}

pub(super) fn ult(_: &Op, args: &[Value]) -> Value {
    Value::Bool(args[0].as_bv().unsigned() < args[1].as_bv().unsigned())
}

pub(super) fn ule(_: &Op, args: &[Value]) -> Value {
    Value::Bool(args[0].as_bv().unsigned() <= args[1].as_bv().unsigned())
}

pub(super) fn slt(_: &Op, args: &[Value]) -> Value {
    Value::Bool(args[0].as_bv().signed() < args[1].as_bv().signed())
}

pub(super) fn sle(_: &Op, args: &[Value]) -> Value {
    Value::Bool(args[0].as_bv().signed() <= args[1].as_bv().signed())
}

pub(super) fn concat(_: &Op, args: &[Value]) -> Value {
    let join = |(width, bits): (u32, UBig), arg: &Value| {
        let low = arg.as_bv();
        (width + low.width(), (bits << low.width() as usize) | low.unsigned())
    };
    let (width, bits) = args.iter().fold((0, UBig::ZERO), join);
    unsigned(width, bits)
}

pub(super) fn extract(op: &Op, args: &[Value]) -> Value {
    match op {
        Op::Extract(high, low) => {
            unsigned(high - low + 1, args[0].as_bv().unsigned() >> *low as usize)
        }
        other => unreachable!("`{other}` extracts nothing"),
    }
}

pub(super) fn zero_extend(op: &Op, args: &[Value]) -> Value {
    let x = args[0].as_bv();
    match op {
        Op::ZeroExtend(n) => unsigned(x.width() + n, x.unsigned().clone()),
        other => unreachable!("`{other}` extends nothing"),
    }
}

pub(super) fn sign_extend(op: &Op, args: &[Value]) -> Value {
    let x = args[0].as_bv();
    match op {
        Op::SignExtend(n) => signed(x.width() + n, &x.signed()),
        other => unreachable!("`{other}` extends nothing"),
    }
}

pub(super) fn to_int(_: &Op, args: &[Value]) -> Value {
    Value::Int(IBig::from(args[0].as_bv().unsigned().clone()))
}

pub(super) fn to_signed(_: &Op, args: &[Value]) -> Value {
    Value::Int(args[0].as_bv().signed())
}

pub(super) fn from_int(op: &Op, args: &[Value]) -> Value {
    match op {
        Op::IntToBv(width) => signed(*width, args[0].as_int()),
        other => unreachable!("`{other}` makes no bits"),
    }
}
