//! Sums, products, quotients and roots.

use super::{Format, Parts, add, app, bit, concat, extend, extract, flag, is_zero, normalized};
use super::{shift_down, shorten, sub, width, xor};
use crate::op::Op;
use crate::term::Term;

impl Format {
    /// The sum.
    pub fn plus(self, a: Term, b: Term) -> Term {
        let is_b_larger = app(Op::BvUlt, vec![self.magnitude(a), self.magnitude(b)]);
        let (large, small) = (is_b_larger.ite(b, a), is_b_larger.ite(a, b));
        let [is_negative, is_small_negative] = [large, small].map(|x| self.is_negative(x));
        let are_opposite = xor(is_negative, is_small_negative);
        let finite = self.sum(large, small, are_opposite);
        let special = self.is_infinite(small);
        let is_nan =
            Term::or([self.is_nan(large), self.is_nan(small), Term::and([special, are_opposite])]);
        // The larger one is infinite if one of them is.
        let number = self.is_infinite(large).ite(large, finite);
        is_nan.ite(self.nan(), number)
    }

    /// The sum of finite numbers, of which the first has the larger magnitude.
    fn sum(self, large: Term, small: Term, are_opposite: Term) -> Term {
        let significands = [large, small].map(|x| {
            let is_normal = is_zero(self.exponent_field(x)).not();
            concat(flag(is_normal), self.fraction(x))
        });
        // The exponent of subnormal numbers is that of the least normal ones.
        let [exponent, other] = [large, small].map(|x| {
            let field = self.exponent_field(x);
            is_zero(field).ite(Term::bv(self.exponent, 1), field)
        });
        // Room for a carry, and for three bits behind: more are only lost where the sum is not moved up by more than one.
        let all = self.significand + 4;
        let [m, n] = significands.map(|bits| concat(Term::bv(1, 0), concat(bits, Term::bv(3, 0))));
        let distance = sub(exponent, other);
        let wide = all.max(self.exponent);
        let n = shift_down(extend(n, wide), extend(distance, wide));
        let n = extract(n, all - 1, 0);
        let sum = are_opposite.ite(sub(m, n), add(m, n));
        let (significand, by) = normalized(sum, self.exponent + 2);
        let exponent = extend(exponent, self.exponent + 2);
        let exponent = add(exponent, self.exponent(1 - self.bias()));
        let sign = self.is_negative(large);
        let number = self.rounded(Parts {
            sign,
            exponent: sub(exponent, by),
            significand: shorten(significand, self.significand + 2),
        });
        // Zeros of one sign have that sign, and numbers that cancel each other have none.
        let zero = self.zero(Term::and([sign, are_opposite.not()]));
        is_zero(sum).ite(zero, number)
    }

    /// The difference.
    pub fn minus(self, a: Term, b: Term) -> Term {
        self.plus(a, self.negated(b))
    }

    /// The product.
    pub fn times(self, a: Term, b: Term) -> Term {
        let s = self.significand;
        let [left, right] = [a, b].map(|x| self.parts(x));
        let sign = xor(left.sign, right.sign);
        let factors = [left, right].map(|parts| extend(parts.significand, 2 * s));
        let product = app(Op::BvMul, factors.to_vec());
        let is_long = bit(product, 2 * s - 1);
        let short = concat(extract(product, 2 * s - 2, 0), Term::bv(1, 0));
        let exponent = add(left.exponent, right.exponent);
        let number = self.rounded(Parts {
            sign,
            exponent: is_long.ite(add(exponent, self.exponent(1)), exponent),
            significand: shorten(is_long.ite(product, short), s + 2),
        });
        let is_any = |test: fn(Format, Term) -> Term| Term::or([test(self, a), test(self, b)]);
        let is_zero = is_any(Format::is_zero);
        let is_infinite = is_any(Format::is_infinite);
        let is_nan = Term::or([is_any(Format::is_nan), Term::and([is_zero, is_infinite])]);
        let number = is_zero.ite(self.zero(sign), number);
        let number = is_infinite.ite(self.infinity(sign), number);
        is_nan.ite(self.nan(), number)
    }

    /// The quotient.
    pub fn over(self, a: Term, b: Term) -> Term {
        let s = self.significand;
        let [left, right] = [a, b].map(|x| self.parts(x));
        let sign = xor(left.sign, right.sign);
        let all = 2 * s + 1;
        let dividend = concat(left.significand, Term::bv(s + 1, 0));
        let divisor = extend(right.significand, all);
        let quotient = app(Op::BvUdiv, vec![dividend, divisor]);
        let rest = app(Op::BvUrem, vec![dividend, divisor]);
        // It is more than a half and less than two.
        let quotient = extract(quotient, s + 1, 0);
        let is_long = bit(quotient, s + 1);
        let short = concat(extract(quotient, s, 0), Term::bv(1, 0));
        let is_inexact = extend(flag(is_zero(rest).not()), s + 2);
        let exponent = sub(left.exponent, right.exponent);
        let number = self.rounded(Parts {
            sign,
            exponent: is_long.ite(exponent, sub(exponent, self.exponent(1))),
            significand: app(Op::BvOr, vec![is_long.ite(quotient, short), is_inexact]),
        });
        let both = |test: fn(Format, Term) -> Term| Term::and([test(self, a), test(self, b)]);
        let is_nan = Term::or([
            self.is_nan(a),
            self.is_nan(b),
            both(Format::is_zero),
            both(Format::is_infinite),
        ]);
        let is_zero = Term::or([self.is_zero(a), self.is_infinite(b)]);
        let is_infinite = Term::or([self.is_infinite(a), self.is_zero(b)]);
        let number = is_zero.ite(self.zero(sign), number);
        let number = is_infinite.ite(self.infinity(sign), number);
        is_nan.ite(self.nan(), number)
    }

    /// The square root.
    pub fn root(self, a: Term) -> Term {
        let s = self.significand;
        let Parts { exponent, significand, .. } = self.parts(a);
        // An odd exponent gives one of its powers to the significand, and half of the rest is that of the root.
        let is_odd = bit(exponent, 0);
        let n = width(exponent);
        let half = app(Op::BvAshr, vec![exponent, Term::bv(n, 1)]);
        let even = concat(Term::bv(1, 0), significand);
        let odd = concat(significand, Term::bv(1, 0));
        // Of twice as many bits as the root shall have.
        let radicand = concat(is_odd.ite(odd, even), Term::bv(s + 3, 0));
        let (root, rest) = integer_root(radicand);
        let is_inexact = extend(flag(is_zero(rest).not()), s + 2);
        let number = self.rounded(Parts {
            sign: false.into(),
            exponent: half,
            significand: app(Op::BvOr, vec![root, is_inexact]),
        });
        let is_kept = Term::or([
            self.is_zero(a),
            Term::and([self.is_infinite(a), self.is_negative(a).not()]),
        ]);
        let is_nan = Term::or([self.is_nan(a), self.is_negative(a)]);
        is_kept.ite(a, is_nan.ite(self.nan(), number))
    }
}

/// The root of a number of an even number of bits, rounded down, and what is left: bit by bit, as by hand.
fn integer_root(radicand: Term) -> (Term, Term) {
    let n = width(radicand) / 2;
    let all = n + 2;
    let (mut root, mut rest) = (Term::bv(n, 0), Term::bv(all, 0));
    for i in (0..n).rev() {
        let next = extract(radicand, 2 * i + 1, 2 * i);
        rest = concat(extract(rest, all - 3, 0), next);
        let trial = concat(root, Term::bv(2, 1));
        let fits = app(Op::BvUle, vec![trial, rest]);
        rest = fits.ite(sub(rest, trial), rest);
        root = concat(extract(root, n - 2, 0), flag(fits));
    }
    (root, rest)
}
