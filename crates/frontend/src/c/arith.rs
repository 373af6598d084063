//! Numbers as terms: bit-vectors, or integers with every wrap-around written out.
//!
//! In integers a number is always within the range of its type. An operation that may leave the range says
//! how it comes back; the ranges of the operands tell where it cannot.

use std::fmt;
use std::str::FromStr;

use lapidary_expr::{IBig, Op, Sort, Term};

use super::floats;
use super::ir::{Binary, Unary};
use super::types::IntType;

/// How numbers are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Arith {
    /// Integers for programs without bit operations, bit-vectors for the others.
    #[default]
    Auto,
    /// Bit-vectors.
    Bv,
    /// Integers, with wrap-around.
    Int,
    /// Integers without wrap-around, which is not C.
    Unbounded,
}

impl Arith {
    /// The names of all values.
    pub const NAMES: &[&str] = &["auto", "bv", "int", "unbounded"];
    const ALL: [Arith; 4] = [Arith::Auto, Arith::Bv, Arith::Int, Arith::Unbounded];

    /// The name of the value.
    pub fn name(self) -> &'static str {
        match self {
            Arith::Auto => "auto",
            Arith::Bv => "bv",
            Arith::Int => "int",
            Arith::Unbounded => "unbounded",
        }
    }
}

impl fmt::Display for Arith {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Arith {
    type Err = String;

    fn from_str(name: &str) -> Result<Arith, String> {
        Arith::ALL.into_iter().find(|arith| arith.name() == name).ok_or_else(|| name.into())
    }
}

/// A number: a term, and for integers the range in which it is known to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    pub(super) term: Term,
    pub(super) range: Option<(i128, i128)>,
}

/// Writes numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers {
    arith: Arith,
}

fn app(op: Op, args: Vec<Term>) -> Term {
    Term::app(op, args).unwrap_or_else(|error| panic!("ill-sorted number: {error}"))
}

fn power(exponent: u32) -> IBig {
    IBig::from(1) << exponent as usize
}

impl Numbers {
    /// Numbers of an arithmetic that is decided.
    pub(super) fn new(arith: Arith) -> Numbers {
        Numbers { arith }
    }

    fn is_bv(self) -> bool {
        self.arith == Arith::Bv
    }

    pub(super) fn sort(self, ty: IntType) -> Sort {
        if self.is_bv() || ty.is_float() { Sort::Bv(ty.width) } else { Sort::Int }
    }

    pub(super) fn constant(self, ty: IntType, value: i128) -> Number {
        let value = ty.wrap(value);
        if ty.is_float() {
            return Number { term: Term::bv(ty.width, value), range: None };
        }
        if value < 0 && !ty.signed && !self.is_bv() {
            // Of 128 bits, and too large to be said otherwise.
            let term = Term::int(IBig::from(value) + power(ty.width));
            return Number { term, range: None };
        }
        let term = if self.is_bv() { Term::bv(ty.width, value) } else { Term::int(value) };
        Number { term, range: Some((value, value)) }
    }

    /// A variable or element of a type.
    pub(super) fn of_type(self, term: Term, ty: IntType) -> Number {
        let has_range = ty.width <= 64 && self.arith != Arith::Unbounded && !ty.is_float();
        let range = has_range.then(|| (ty.least(), ty.greatest()));
        Number { term, range }
    }

    /// What a variable of any value has to satisfy.
    pub(super) fn in_range(self, term: Term, ty: IntType) -> Option<Term> {
        let is_bounded = self.arith == Arith::Int || !self.is_bv() && ty.is_bool();
        (is_bounded && !ty.is_float()).then(|| {
            let [least, greatest] = bounds(ty);
            Term::and([least.at_most(term), term.at_most(greatest)])
        })
    }

    pub(super) fn truth(self, number: Number, ty: IntType) -> Term {
        match ty.format() {
            Some(format) => format.is_zero(number.term).not(),
            None => number.term.equals(self.constant(ty, 0).term).not(),
        }
    }

    /// One or zero.
    pub(super) fn of_bool(self, truth: Term, ty: IntType) -> Number {
        let [one, zero] = [1, 0].map(|value| self.constant(IntType { rank: 9, ..ty }, value).term);
        Number { term: truth.ite(one, zero), range: Some((0, 1)) }
    }

    /// An integer as one of another type.
    pub(super) fn convert(self, number: Number, from: IntType, to: IntType) -> Number {
        if from.is_float() || to.is_float() {
            return self.seen_as(number, from, to);
        }
        if to.is_bool() {
            return match from.is_bool() {
                true => number,
                false => self.of_bool(self.truth(number, from), to),
            };
        }
        if !self.is_bv() {
            return self.wrap(number, to);
        }
        let term = number.term;
        let term = match from.width.cmp(&to.width) {
            std::cmp::Ordering::Equal => term,
            std::cmp::Ordering::Greater => app(Op::Extract(to.width - 1, 0), vec![term]),
            std::cmp::Ordering::Less if from.signed => {
                app(Op::SignExtend(to.width - from.width), vec![term])
            }
            std::cmp::Ordering::Less => app(Op::ZeroExtend(to.width - from.width), vec![term]),
        };
        let fits = |(low, high): &(i128, i128)| to.least() <= *low && *high <= to.greatest();
        match number.range.filter(fits) {
            Some(range) => Number { term, range: Some(range) },
            None => self.of_type(term, to),
        }
    }

    /// Brings an integer back into the range of a type.
    fn wrap(self, number: Number, ty: IntType) -> Number {
        let (least, greatest) = (ty.least(), ty.greatest());
        let term = number.term;
        if self.arith == Arith::Unbounded {
            return number;
        }
        let period = Term::int(power(ty.width));
        let once = match number.range {
            Some((low, high)) if ty.width <= 64 => {
                if least <= low && high <= greatest {
                    return number;
                }
                let width = 1i128 << ty.width;
                Some((low, high))
                    .filter(|(low, high)| *low >= least - width && *high <= greatest + width)
            }
            _ => None,
        };
        let [min, max] = bounds(ty);
        let term = match once {
            Some((low, high)) => {
                let mut wrapped = term;
                if high > greatest {
                    wrapped = term.at_most(max).ite(wrapped, term.minus(period));
                }
                if low < least {
                    wrapped = min.at_most(term).ite(wrapped, term.plus(period));
                }
                wrapped
            }
            None if ty.signed => app(Op::Mod, vec![term.minus(min), period]).plus(min),
            None => app(Op::Mod, vec![term, period]),
        };
        self.of_type(term, ty)
    }

    pub(super) fn unary(self, op: Unary, number: Number, ty: IntType) -> Number {
        if let Some(term) = ty.format().and_then(|format| floats::unary(op, number.term, format)) {
            return Number { term, range: None };
        }
        let zero = self.constant(ty, 0);
        match (op, self.is_bv()) {
            (Unary::Neg, true) => self.of_type(app(Op::BvNeg, vec![number.term]), ty),
            (Unary::Not, true) => self.of_type(app(Op::BvNot, vec![number.term]), ty),
            (Unary::Neg, false) => self.binary(Binary::Sub, zero, number, ty),
            (Unary::Not, false) => {
                let minus_one = Number { term: Term::int(-1), range: Some((-1, -1)) };
                let result = Number {
                    term: minus_one.term.minus(number.term),
                    range: number.range.map(|(low, high)| (-1 - high, -1 - low)),
                };
                self.wrap(result, ty)
            }
            (Unary::Zero, _) => self.of_bool(self.truth(number, ty).not(), IntType::INT),
        }
    }

    pub(super) fn compare(self, op: Binary, a: Number, b: Number, ty: IntType) -> Term {
        let (a, b) = (a.term, b.term);
        if let Some(format) = ty.format() {
            return floats::compare(op, a, b, format);
        }
        match (op, self.is_bv(), ty.signed) {
            (Binary::Eq, _, _) => a.equals(b),
            (Binary::Ne, _, _) => a.equals(b).not(),
            (Binary::Lt, true, true) => app(Op::BvSlt, vec![a, b]),
            (Binary::Lt, true, false) => app(Op::BvUlt, vec![a, b]),
            (_, true, true) => app(Op::BvSle, vec![a, b]),
            (_, true, false) => app(Op::BvUle, vec![a, b]),
            (Binary::Lt, false, _) => a.less(b),
            (_, false, _) => a.at_most(b),
        }
    }

    /// An arithmetic operator on two numbers of a type; a shift's distance has been brought to that type.
    pub(super) fn binary(self, op: Binary, a: Number, b: Number, ty: IntType) -> Number {
        let float = ty.format().and_then(|format| floats::binary(op, a.term, b.term, format));
        if let Some(term) = float {
            return Number { term, range: None };
        }
        match self.is_bv() {
            true => {
                let number = self.of_type(bits(op, a.term, b, ty), ty);
                Number { range: masked(op, a, b).or(number.range), ..number }
            }
            false => self.integers(op, a, b, ty),
        }
    }

    fn integers(self, op: Binary, a: Number, b: Number, ty: IntType) -> Number {
        let (x, y) = (a.term, b.term);
        let is_positive = a.range.is_some_and(|(low, _)| low >= 0);
        let result = match op {
            Binary::Add => Number { term: x.plus(y), range: combine(a, b, i128::checked_add) },
            Binary::Sub => {
                let flipped = b.range.map(|(low, high)| (-high, -low));
                let range = combine(a, Number { range: flipped, ..b }, i128::checked_add);
                Number { term: x.minus(y), range }
            }
            Binary::Mul => Number { term: x.times(y), range: combine(a, b, i128::checked_mul) },
            Binary::Div => {
                let quotient = |x| app(Op::Div, vec![x, y]);
                let term = match is_positive {
                    true => quotient(x),
                    false => {
                        Term::int(0).at_most(x).ite(quotient(x), quotient(x.negated()).negated())
                    }
                };
                let range = a.range.map(|(low, high)| {
                    let most = low.abs().max(high.abs());
                    (
                        if is_positive && b.range.is_some_and(|(low, _)| low >= 0) {
                            0
                        } else {
                            -most
                        },
                        most,
                    )
                });
                Number { term, range }
            }
            Binary::Rem => {
                let op = if is_positive { Op::Mod } else { Op::Rem };
                let most = |(low, high): (i128, i128)| low.abs().max(high.abs());
                let range = a.range.zip(b.range).map(|(a, b)| most(a).min((most(b) - 1).max(0)));
                let range = range.map(|most| (if is_positive { 0 } else { -most }, most));
                Number { term: app(op, vec![x, y]), range }
            }
            Binary::And | Binary::Or | Binary::Xor | Binary::Shl | Binary::Shr => {
                self.bitwise(op, a, b, ty)
            }
            Binary::Lt | Binary::Le | Binary::Eq | Binary::Ne => {
                return self.of_bool(self.compare(op, a, b, ty), IntType::INT);
            }
        };
        self.wrap(result, ty)
    }

    /// Bit operations in integers: as arithmetic where they are that, else by way of bits.
    #[expect(clippy::many_single_char_names, reason = "these are the usual names of operands")]
    fn bitwise(self, op: Binary, a: Number, b: Number, ty: IntType) -> Number {
        let constant =
            |number: Number| number.range.filter(|(low, high)| low == high).map(|(low, _)| low);
        let is_bit = |number: Number| number.range.is_some_and(|(low, high)| low >= 0 && high <= 1);
        let (x, y) = (a.term, b.term);
        match (op, constant(a), constant(b)) {
            (Binary::Shl, _, Some(by)) if (0..i128::from(ty.width)).contains(&by) => {
                let factor = Number {
                    term: Term::int(power(by.unsigned_abs() as u32)),
                    range: (by < 100).then(|| (1 << by, 1 << by)),
                };
                Number { term: x.times(factor.term), range: combine(a, factor, i128::checked_mul) }
            }
            (Binary::Shr, _, Some(by)) if (0..i128::from(ty.width)).contains(&by) => Number {
                term: app(Op::Div, vec![x, Term::int(power(by.unsigned_abs() as u32))]),
                range: a.range.map(|(low, high)| (low >> by, high >> by)),
            },
            (Binary::And, _, Some(mask)) if is_mask(mask) => Number {
                term: app(Op::Mod, vec![x, Term::int(IBig::from(mask) + IBig::from(1))]),
                range: Some((0, mask)),
            },
            (Binary::And, Some(_), None) => self.bitwise(op, b, a, ty),
            _ if is_bit(a) && is_bit(b) && matches!(op, Binary::And | Binary::Or | Binary::Xor) => {
                let one = Term::int(1);
                let (p, q) = (x.equals(one), y.equals(one));
                let truth = match op {
                    Binary::And => Term::and([p, q]),
                    Binary::Or => Term::or([p, q]),
                    _ => p.equals(q).not(),
                };
                self.of_bool(truth, ty)
            }
            _ => {
                let to_bits = |term| app(Op::IntToBv(ty.width), vec![term]);
                let result = bits(op, to_bits(x), Number { term: to_bits(y), ..b }, ty);
                let back = if ty.signed { Op::BvToSigned } else { Op::BvToInt };
                self.of_type(app(back, vec![result]), ty)
            }
        }
    }
}

/// The least and the greatest number of a type.
fn bounds(ty: IntType) -> [Term; 2] {
    let (least, greatest) = match ty.signed {
        true => (-power(ty.width - 1), power(ty.width - 1) - IBig::from(1)),
        false => (IBig::from(0), power(ty.width) - IBig::from(1)),
    };
    [Term::int(least), Term::int(greatest)]
}

/// Whether a number is 2^k - 1.
pub(super) fn is_mask(mask: i128) -> bool {
    (0..1 << 100).contains(&mask) && mask & (mask + 1) == 0
}

/// The range of an operation that is monotonous in each argument.
fn combine(a: Number, b: Number, op: fn(i128, i128) -> Option<i128>) -> Option<(i128, i128)> {
    let ((a0, a1), (b0, b1)) = (a.range?, b.range?);
    let corners = [op(a0, b0)?, op(a0, b1)?, op(a1, b0)?, op(a1, b1)?];
    Some((*corners.iter().min()?, *corners.iter().max()?))
}

/// The range of bit-vectors whose upper bits are cleared: `x & 7`, `x % 8`.
fn masked(op: Binary, a: Number, b: Number) -> Option<(i128, i128)> {
    let constant = |number: Number| number.range.filter(|(low, high)| low == high && *low > 0);
    match op {
        Binary::And => constant(b).or(constant(a)).map(|(mask, _)| (0, mask)),
        Binary::Rem if a.range.is_some_and(|(low, _)| low >= 0) => {
            constant(b).map(|(by, _)| (0, by - 1))
        }
        _ => None,
    }
}

/// An operator on bit-vectors. Shift distances count modulo the width, as on the machine.
fn bits(op: Binary, a: Term, by: Number, ty: IntType) -> Term {
    let b = by.term;
    let width = i128::from(ty.width);
    let is_less = by.range.is_some_and(|(low, high)| 0 <= low && high < width);
    let by = || match is_less || !ty.width.is_power_of_two() {
        false => app(Op::BvAnd, vec![b, Term::bv(ty.width, ty.width - 1)]),
        true => b,
    };
    let (op, args) = match (op, ty.signed) {
        (Binary::Add, _) => (Op::BvAdd, vec![a, b]),
        (Binary::Sub, _) => (Op::BvSub, vec![a, b]),
        (Binary::Mul, _) => (Op::BvMul, vec![a, b]),
        (Binary::Div, true) => (Op::BvSdiv, vec![a, b]),
        (Binary::Div, false) => (Op::BvUdiv, vec![a, b]),
        (Binary::Rem, true) => (Op::BvSrem, vec![a, b]),
        (Binary::Rem, false) => (Op::BvUrem, vec![a, b]),
        (Binary::And, _) => (Op::BvAnd, vec![a, b]),
        (Binary::Or, _) => (Op::BvOr, vec![a, b]),
        (Binary::Xor, _) => (Op::BvXor, vec![a, b]),
        (Binary::Shl, _) => (Op::BvShl, vec![a, by()]),
        (Binary::Shr, true) => (Op::BvAshr, vec![a, by()]),
        (Binary::Shr, false) => (Op::BvLshr, vec![a, by()]),
        (Binary::Lt | Binary::Le | Binary::Eq | Binary::Ne, _) => {
            unreachable!("comparisons are no numbers")
        }
    };
    app(op, args)
}
