//! Conversions and operators at the edges of all integer types of up to 64 bits, against machine integers.

use crate::c::types::Rank;
use lapidary_expr::{Bv, IBig, Sort, Term, Valuation, Value, Var};

use super::{Arith, Number, Numbers};
use crate::c::ir::{Binary, Unary};
use crate::c::types::IntType;

const ARITHMETICS: [Arith; 2] = [Arith::Bv, Arith::Int];

const BINARY: [Binary; 10] = [
    Binary::Add,
    Binary::Sub,
    Binary::Mul,
    Binary::Div,
    Binary::Rem,
    Binary::And,
    Binary::Or,
    Binary::Xor,
    Binary::Shl,
    Binary::Shr,
];

const COMPARISONS: [Binary; 4] = [Binary::Lt, Binary::Le, Binary::Eq, Binary::Ne];

/// All types but `_Bool`; `long` has the bits of `int` or of `long long`.
fn numbers() -> Vec<IntType> {
    let ranks = [
        (8, Rank::Char),
        (16, Rank::Short),
        (32, Rank::Int),
        (32, Rank::Long),
        (64, Rank::Long),
        (64, Rank::LongLong),
    ];
    let both = |(width, rank)| [true, false].map(|signed| IntType { width, signed, rank });
    ranks.into_iter().flat_map(both).collect()
}

/// The definition: the number with the same lowest bits that a type of so many bits has.
fn cut(value: i128, width: u32, signed: bool) -> i128 {
    let rest = value.rem_euclid(1 << width);
    if signed && rest >= 1 << (width - 1) { rest - (1 << width) } else { rest }
}

fn edges(ty: IntType) -> Vec<i128> {
    let half = 1i128 << (ty.width - 1);
    let near = [-half, half, 2 * half].map(|edge| [edge - 1, edge, edge + 1]);
    let small = [-8, -7, -3, -1, 0, 1, 2, 3, 7, 8, 15, 33, 100];
    let mut all: Vec<i128> = near.into_iter().flatten().chain(small).collect();
    all.retain(|value| cut(*value, ty.width, ty.signed) == *value);
    all
}

/// A variable of a type.
fn variable(numbers: Numbers, name: &str, ty: IntType) -> (Var, Number) {
    let sort = numbers.sort(ty);
    let var = Var::new(&format!("{name} {sort}"), sort);
    (var, numbers.of_type(Term::var(var), ty))
}

fn value(var: Var, value: i128) -> Value {
    match var.sort() {
        Sort::Bv(width) => Value::Bv(Bv::wrap(width, &IBig::from(value))),
        _ => Value::int(value),
    }
}

/// The number that a term of a type is, which must lie in the range that is known of it.
#[track_caller]
fn check(number: Number, ty: IntType, known: &Valuation, expected: i128, about: &str) {
    let found = match number.term().eval(known) {
        Some(Value::Bv(bits)) if ty.signed => bits.signed(),
        Some(Value::Bv(bits)) => IBig::from(bits.unsigned().clone()),
        Some(Value::Int(value)) => value,
        other => panic!("{about}: {other:?}"),
    };
    assert_eq!(found, IBig::from(expected), "{about}");
    let range = number.range();
    assert!((range.lo..=range.hi).contains(&expected), "{about}: {expected} not in {range:?}");
}

#[test]
fn conversions() {
    let types: Vec<IntType> = numbers().into_iter().chain([IntType::BOOL]).collect();
    for arith in ARITHMETICS {
        let numbers = Numbers::new(arith);
        for from in &types {
            let (var, number) = variable(numbers, "x", *from);
            for to in &types {
                let converted = numbers.convert(number, *from, *to);
                for x in edges(*from) {
                    let mut known = Valuation::new();
                    known.set(var, value(var, x));
                    let expected = match to.width {
                        1 => i128::from(x != 0),
                        _ => cut(x, to.width, to.signed),
                    };
                    let about = format!("{x} from {from:?} to {to:?} in {arith:?}");
                    check(converted, *to, &known, expected, &about);
                    let constant = numbers.convert(numbers.constant(*from, x), *from, *to);
                    check(constant, *to, &known, expected, &about);
                }
            }
        }
    }
}

/// The definition of an operator; none where C has no value, or the program ends.
fn defined(op: Binary, a: i128, b: i128, ty: IntType) -> Option<i128> {
    let by = b.rem_euclid(ty.width.into());
    let exact = match op {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a.wrapping_mul(b),
        Binary::Div if b == 0 || cut(a / b, ty.width, ty.signed) != a / b => return None,
        Binary::Div => a / b,
        Binary::Rem if b == 0 => return None,
        Binary::Rem => a % b,
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Shl => a << by,
        _ => a.div_euclid(1 << by),
    };
    Some(cut(exact, ty.width, ty.signed))
}

#[test]
fn binary_operators() {
    for (arith, ty) in
        ARITHMETICS.into_iter().flat_map(|a| numbers().into_iter().map(move |t| (a, t)))
    {
        let numbers = Numbers::new(arith);
        let ((left, x), (right, y)) = (variable(numbers, "x", ty), variable(numbers, "y", ty));
        for op in BINARY {
            let both = numbers.binary(op, x, y, ty);
            for (a, b) in
                edges(ty).into_iter().flat_map(|a| edges(ty).into_iter().map(move |b| (a, b)))
            {
                let Some(expected) = defined(op, a, b, ty) else { continue };
                let mut known = Valuation::new();
                known.set(left, value(left, a));
                known.set(right, value(right, b));
                let about = format!("{a} {op:?} {b} in {ty:?} and {arith:?}");
                check(both, ty, &known, expected, &about);
                // A constant distance beyond the width is outside the model.
                if !matches!(op, Binary::Shl | Binary::Shr) || (0..ty.width.into()).contains(&b) {
                    let number = numbers.binary(op, x, numbers.constant(ty, b), ty);
                    check(number, ty, &known, expected, &about);
                }
                let number = numbers.binary(op, numbers.constant(ty, a), y, ty);
                check(number, ty, &known, expected, &about);
            }
        }
    }
}

#[test]
fn comparisons_and_unary_operators() {
    for (arith, ty) in
        ARITHMETICS.into_iter().flat_map(|a| numbers().into_iter().map(move |t| (a, t)))
    {
        let numbers = Numbers::new(arith);
        let ((left, x), (right, y)) = (variable(numbers, "x", ty), variable(numbers, "y", ty));
        for a in edges(ty) {
            let mut known = Valuation::new();
            known.set(left, value(left, a));
            let about = format!("{a} in {ty:?} and {arith:?}");
            check(
                numbers.unary(Unary::Neg, x, ty),
                ty,
                &known,
                cut(-a, ty.width, ty.signed),
                &about,
            );
            check(
                numbers.unary(Unary::Not, x, ty),
                ty,
                &known,
                cut(-1 - a, ty.width, ty.signed),
                &about,
            );
            let is_zero = numbers.unary(Unary::Zero, x, ty);
            check(is_zero, IntType::INT, &known, i128::from(a == 0), &about);
            for b in edges(ty) {
                known.set(right, value(right, b));
                for op in COMPARISONS {
                    let expected = match op {
                        Binary::Lt => a < b,
                        Binary::Le => a <= b,
                        Binary::Eq => a == b,
                        _ => a != b,
                    };
                    let found = numbers.compare(op, x, y, ty).holds(&known);
                    assert_eq!(found, Some(expected), "{a} {op:?} {b} in {ty:?} and {arith:?}");
                }
            }
        }
    }
}
