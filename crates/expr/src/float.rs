//! IEEE 754 binary floating-point numbers as bit-vectors: what the standard says, written with the operators that
//! there are.
//!
//! A number is its bits in the interchange format, and an operation is a circuit of these. So nothing else has to know
//! that they are numbers: evaluation, simplification, solvers and validators read what they read elsewhere, and a solver
//! that has floating point of its own would make the same circuits of it. Results are rounded to the nearest number, to the
//! even one of two. There is one NaN that operations yield, the quiet one without a payload.

mod arithmetic;
mod conversion;
#[cfg(test)]
mod tests;

use crate::op::Op;
use crate::sort::Sort;
use crate::term::Term;

/// How many bits the parts of a number have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Those of the exponent.
    pub exponent: u32,
    /// Those of the significand, with the first one, which is not written.
    pub significand: u32,
}

/// A number in parts: `significand · 2^(exponent - (bits of the significand - 1))`, the first bit of the significand set
/// unless the number is zero. NaN and infinities have some parts, too.
#[derive(Clone, Copy)]
struct Parts {
    sign: Term,
    /// With a sign of its own, in two bits more than the format has.
    exponent: Term,
    significand: Term,
}

fn app(op: Op, args: Vec<Term>) -> Term {
    Term::app(op, args).unwrap_or_else(|error| panic!("ill-sorted bits: {error}"))
}

fn width(bits: Term) -> u32 {
    match bits.sort() {
        Sort::Bv(width) => width,
        sort => panic!("{sort} has no bits"),
    }
}

fn extract(bits: Term, last: u32, first: u32) -> Term {
    app(Op::Extract(last, first), vec![bits])
}

/// Whether a bit is set.
fn bit(bits: Term, at: u32) -> Term {
    extract(bits, at, at).equals(Term::bv(1, 1))
}

fn is_zero(bits: Term) -> Term {
    bits.equals(Term::bv(width(bits), 0))
}

fn extend(bits: Term, to: u32) -> Term {
    app(Op::ZeroExtend(to - width(bits)), vec![bits])
}

fn concat(high: Term, low: Term) -> Term {
    app(Op::Concat, vec![high, low])
}

fn add(a: Term, b: Term) -> Term {
    app(Op::BvAdd, vec![a, b])
}

fn sub(a: Term, b: Term) -> Term {
    app(Op::BvSub, vec![a, b])
}

/// One bit.
fn flag(truth: Term) -> Term {
    truth.ite(Term::bv(1, 1), Term::bv(1, 0))
}

fn xor(a: Term, b: Term) -> Term {
    a.equals(b).not()
}

/// Moves the bits down; the last one is set if one is that falls out.
fn shift_down(bits: Term, by: Term) -> Term {
    let moved = app(Op::BvLshr, vec![bits, by]);
    let back = app(Op::BvShl, vec![moved, by]);
    let n = width(bits);
    let is_lost = back.equals(bits).not();
    app(Op::BvOr, vec![moved, extend(flag(is_lost), n)])
}

/// The first `n` bits; the last of them is set if one of those behind it is.
fn shorten(bits: Term, n: u32) -> Term {
    let all = width(bits);
    if all <= n {
        return if all == n { bits } else { concat(bits, Term::bv(n - all, 0)) };
    }
    let high = extract(bits, all - 1, all - n + 1);
    let low = extract(bits, all - n, 0);
    concat(high, flag(is_zero(low).not()))
}

/// Moves the bits up until the first one is set, unless all are zero; and by how much, in `n` bits.
fn normalized(bits: Term, n: u32) -> (Term, Term) {
    let all = width(bits);
    let (mut bits, mut by) = (bits, Term::bv(n, 0));
    let mut step = all.next_power_of_two() / 2;
    while step > 0 {
        if step < all {
            let is_empty = is_zero(extract(bits, all - 1, all - step));
            let moved = concat(extract(bits, all - step - 1, 0), Term::bv(step, 0));
            bits = is_empty.ite(moved, bits);
            by = is_empty.ite(add(by, Term::bv(n, step)), by);
        }
        step /= 2;
    }
    (bits, by)
}

impl Format {
    /// `float`.
    pub const SINGLE: Format = Format { exponent: 8, significand: 24 };
    /// `double`.
    pub const DOUBLE: Format = Format { exponent: 11, significand: 53 };

    /// The bits of a number.
    pub fn width(self) -> u32 {
        self.exponent + self.significand
    }

    /// The greatest exponent; one minus it is the least.
    fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// An exponent in a sum or difference of two.
    fn exponent(self, value: i64) -> Term {
        Term::bv(self.exponent + 2, value)
    }

    fn exponent_field(self, x: Term) -> Term {
        extract(x, self.width() - 2, self.significand - 1)
    }

    fn fraction(self, x: Term) -> Term {
        extract(x, self.significand - 2, 0)
    }

    /// All but the sign: unsigned, they are in the order of the numbers.
    fn magnitude(self, x: Term) -> Term {
        extract(x, self.width() - 2, 0)
    }

    fn with_sign(sign: Term, magnitude: Term) -> Term {
        concat(flag(sign), magnitude)
    }

    fn infinite_magnitude(self) -> Term {
        concat(Term::bv(self.exponent, -1), Term::bv(self.significand - 1, 0))
    }

    /// The infinity with a sign.
    fn infinity(self, sign: Term) -> Term {
        Format::with_sign(sign, self.infinite_magnitude())
    }

    /// The zero with a sign.
    fn zero(self, sign: Term) -> Term {
        Format::with_sign(sign, Term::bv(self.width() - 1, 0))
    }

    /// The NaN that operations yield.
    pub fn nan(self) -> Term {
        let quiet = concat(Term::bv(1, 1), Term::bv(self.significand - 2, 0));
        concat(Term::bv(self.exponent + 1, (1i64 << self.exponent) - 1), quiet)
    }

    /// Whether the sign is that of negative numbers, also of a zero or NaN.
    pub fn is_negative(self, x: Term) -> Term {
        bit(x, self.width() - 1)
    }

    /// Whether it is no number.
    pub fn is_nan(self, x: Term) -> Term {
        app(Op::BvUlt, vec![self.infinite_magnitude(), self.magnitude(x)])
    }

    /// Whether it is an infinity.
    pub fn is_infinite(self, x: Term) -> Term {
        self.magnitude(x).equals(self.infinite_magnitude())
    }

    /// Whether it is a number and no infinity.
    pub fn is_finite(self, x: Term) -> Term {
        app(Op::BvUlt, vec![self.magnitude(x), self.infinite_magnitude()])
    }

    /// Whether it is one of the zeros.
    pub fn is_zero(self, x: Term) -> Term {
        is_zero(self.magnitude(x))
    }

    /// Whether it is so small that its significand has fewer bits.
    pub fn is_subnormal(self, x: Term) -> Term {
        Term::and([is_zero(self.exponent_field(x)), self.is_zero(x).not()])
    }

    /// With the other sign.
    pub fn negated(self, x: Term) -> Term {
        Format::with_sign(self.is_negative(x).not(), self.magnitude(x))
    }

    /// Without its sign.
    pub fn absolute(self, x: Term) -> Term {
        Format::with_sign(false.into(), self.magnitude(x))
    }

    /// With the sign of another.
    pub fn copied_sign(self, x: Term, sign: Term) -> Term {
        Format::with_sign(self.is_negative(sign), self.magnitude(x))
    }

    /// Whether two are equal as numbers: zeros are, NaNs are not.
    pub fn equals(self, a: Term, b: Term) -> Term {
        let zeros = Term::and([self.is_zero(a), self.is_zero(b)]);
        let same = Term::and([a.equals(b), self.is_nan(a).not()]);
        Term::or([same, zeros])
    }

    /// Whether one is less than the other, which no NaN is.
    pub fn less(self, a: Term, b: Term) -> Term {
        self.ordered(a, b, Op::BvUlt)
    }

    /// Whether one is less than or equal to the other, which no NaN is.
    pub fn at_most(self, a: Term, b: Term) -> Term {
        self.ordered(a, b, Op::BvUle)
    }

    /// Whether two are in an order of magnitudes.
    fn ordered(self, a: Term, b: Term, order: Op) -> Term {
        let are_equal_if_zero = matches!(order, Op::BvUle);
        let [m, n] = [a, b].map(|x| self.magnitude(x));
        let [is_a_negative, is_b_negative] = [a, b].map(|x| self.is_negative(x));
        let zeros = Term::and([is_zero(m), is_zero(n)]);
        let forward = app(order.clone(), vec![m, n]);
        let backward = app(order, vec![n, m]);
        let within = is_a_negative.ite(
            Term::or([is_b_negative.not(), backward]),
            Term::and([is_b_negative.not(), forward]),
        );
        let within = zeros.ite(are_equal_if_zero.into(), within);
        Term::and([self.is_nan(a).not(), self.is_nan(b).not(), within])
    }

    /// The lesser of two; the other one if one is NaN.
    pub fn minimum(self, a: Term, b: Term) -> Term {
        Term::or([self.is_nan(b), self.less(a, b)]).ite(a, b)
    }

    /// The greater of two; the other one if one is NaN.
    pub fn maximum(self, a: Term, b: Term) -> Term {
        Term::or([self.is_nan(b), self.less(b, a)]).ite(a, b)
    }

    /// The parts of a number, normalised where it is subnormal.
    fn parts(self, x: Term) -> Parts {
        let field = self.exponent_field(x);
        let is_small = is_zero(field);
        let fraction = self.fraction(x);
        let (moved, by) = normalized(concat(Term::bv(1, 0), fraction), self.exponent + 2);
        let normal = sub(extend(field, self.exponent + 2), self.exponent(self.bias()));
        let small = sub(self.exponent(1 - self.bias()), by);
        Parts {
            sign: self.is_negative(x),
            exponent: is_small.ite(small, normal),
            significand: is_small.ite(moved, concat(Term::bv(1, 1), fraction)),
        }
    }

    /// The number nearest to parts whose significand has two bits more, the last of which says whether there would be more
    /// bits. The exponent has two bits more than the format's.
    fn rounded(self, parts: Parts) -> Term {
        let Parts { sign, exponent, significand } = parts;
        let (n, s) = (self.exponent + 2, self.significand);
        let less = |a, b| app(Op::BvSlt, vec![a, b]);
        let least = self.exponent(1 - self.bias());
        let is_small = less(exponent, least);
        // Below the least exponent, the significand has fewer bits; with none left it does not matter how many.
        let missing = sub(least, exponent);
        let most = Term::bv(n, s + 2);
        let missing = app(Op::BvUlt, vec![missing, most]).ite(missing, most);
        let by = is_small.ite(missing, Term::bv(n, 0));
        let all = width(significand).max(n);
        let moved = shift_down(extend(significand, all), extend(by, all));
        let moved = extract(moved, s + 1, 0);
        let field = is_small.ite(Term::bv(n, 0), add(exponent, self.exponent(self.bias())));
        // What is carried from the fraction into the exponent is right there.
        let magnitude = concat(extract(field, self.exponent, 0), extract(moved, s, 2));
        let is_up = Term::and([bit(moved, 1), Term::or([bit(moved, 0), bit(moved, 2)])]);
        let magnitude = add(magnitude, extend(flag(is_up), self.width()));
        let infinite = extend(self.infinite_magnitude(), self.width());
        let is_large = Term::or([
            less(self.exponent(self.bias()), exponent),
            app(Op::BvUle, vec![infinite, magnitude]),
        ]);
        let magnitude = is_large.ite(infinite, magnitude);
        Format::with_sign(sign, extract(magnitude, self.width() - 2, 0))
    }
}
