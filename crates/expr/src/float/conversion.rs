//! From and to integers and other formats.

use super::width;
use super::{Format, Parts, app, bit, concat, extend, extract, is_zero, normalized, shorten, sub};
use dashu_int::IBig;

use crate::op::Op;
use crate::term::Term;

impl Format {
    /// The number nearest to an integer with or without a sign.
    pub fn of_integer(self, bits: Term, is_signed: bool) -> Term {
        let n = width(bits);
        let sign = if is_signed { bit(bits, n - 1) } else { false.into() };
        let magnitude = sign.ite(app(Op::BvNeg, vec![bits]), bits);
        let (significand, by) = normalized(magnitude, self.exponent + 2);
        let exponent = sub(self.exponent(i64::from(n) - 1), by);
        let significand = shorten(significand, self.significand + 2);
        let number = self.rounded(Parts { sign, exponent, significand });
        is_zero(bits).ite(self.zero(false.into()), number)
    }

    /// The integer of so many bits that a number is without its fraction, and whether there is one.
    pub fn to_integer(self, x: Term, n: u32, is_signed: bool) -> (Term, Term) {
        let Parts { sign, exponent, significand } = self.parts(x);
        let s = self.significand;
        let m = self.exponent + 2;
        let all = n.max(s).max(m);
        let significand = extend(significand, all);
        let point = self.exponent(i64::from(s) - 1);
        let is_less = |a, b| app(Op::BvSlt, vec![a, b]);
        let shift = |op, by| app(op, vec![significand, extend(by, all)]);
        let is_fraction = is_less(exponent, self.exponent(0));
        let has_fraction = is_less(exponent, point);
        let down = shift(Op::BvLshr, sub(point, exponent));
        let up = shift(Op::BvShl, sub(exponent, point));
        let magnitude = has_fraction.ite(down, up);
        let magnitude = is_fraction.ite(Term::bv(all, 0), magnitude);
        let magnitude = self.is_zero(x).ite(Term::bv(all, 0), magnitude);
        let bits = extract(magnitude, n - 1, 0);
        let value = sign.ite(app(Op::BvNeg, vec![bits]), bits);
        // With an exponent this large, the shift up has lost bits.
        let is_short = is_less(exponent, self.exponent(i64::from(n).min(1 << (m - 2))));
        let high = |first: u32| match first < all {
            true => is_zero(extract(magnitude, all - 1, first)),
            false => true.into(),
        };
        let least = Term::bv(all, IBig::from(1) << (n - 1) as usize);
        let is_within = match is_signed {
            true => Term::or([high(n - 1), Term::and([sign, magnitude.equals(least)])]),
            false => Term::and([high(n), Term::or([sign.not(), is_zero(magnitude)])]),
        };
        let is_short = Term::or([is_short, self.is_zero(x)]);
        (value, Term::and([self.is_finite(x), is_short, is_within]))
    }

    /// The number of another format that is nearest to a number.
    pub fn to_format(self, x: Term, to: Format) -> Term {
        if self == to {
            return x;
        }
        let Parts { sign, exponent, significand } = self.parts(x);
        let (n, m) = (self.exponent + 2, to.exponent + 2);
        let significand = shorten(significand, to.significand + 2);
        let exponent = match n < m {
            true => app(Op::SignExtend(m - n), vec![exponent]),
            false => clamped(exponent, m),
        };
        let number = to.rounded(Parts { sign, exponent, significand });
        let number = self.is_zero(x).ite(to.zero(sign), number);
        let number = self.is_infinite(x).ite(to.infinity(sign), number);
        self.is_nan(x).ite(to.nan(), number)
    }

    /// Without its fraction: toward zero.
    pub fn truncated(self, x: Term) -> Term {
        let s = self.significand;
        let exponent =
            sub(extend(self.exponent_field(x), self.exponent + 2), self.exponent(self.bias()));
        let is_less = |a, b| app(Op::BvSlt, vec![a, b]);
        let n = self.width();
        let by = sub(self.exponent(i64::from(s) - 1), exponent);
        let all = n.max(self.exponent + 2);
        let mask = app(Op::BvShl, vec![Term::bv(all, -1), extend(by, all)]);
        let whole = app(Op::BvAnd, vec![x, extract(mask, n - 1, 0)]);
        let is_fraction = is_less(exponent, self.exponent(0));
        let has_none = is_less(exponent, self.exponent(i64::from(s) - 1)).not();
        let zero = self.zero(self.is_negative(x));
        has_none.ite(x, is_fraction.ite(zero, whole))
    }

    /// The greatest integer that is not greater; NaN and infinities stay.
    pub fn floor(self, x: Term) -> Term {
        self.toward(x, true)
    }

    /// The least integer that is not less; NaN and infinities stay.
    pub fn ceiling(self, x: Term) -> Term {
        self.toward(x, false)
    }

    fn toward(self, x: Term, is_down: bool) -> Term {
        let whole = self.truncated(x);
        let one = concat(Term::bv(self.exponent, self.bias()), Term::bv(self.significand - 1, 0));
        let one = Format::with_sign(is_down.into(), one);
        let is_inexact = whole.equals(x).not();
        let is_negative = self.is_negative(x);
        let is_moved = if is_down { is_negative } else { is_negative.not() };
        Term::and([is_inexact, is_moved]).ite(self.plus(whole, one), whole)
    }
}

/// An exponent in fewer bits; one that is too large or too small for them stays that.
fn clamped(exponent: Term, n: u32) -> Term {
    let all = width(exponent);
    let most = (1i64 << (n - 1)) - 1;
    let is_less = |a, b| app(Op::BvSlt, vec![a, b]);
    let is_large = is_less(Term::bv(all, most), exponent);
    let is_small = is_less(exponent, Term::bv(all, -most - 1));
    let within = extract(exponent, n - 1, 0);
    is_large.ite(Term::bv(n, most), is_small.ite(Term::bv(n, -most - 1), within))
}
