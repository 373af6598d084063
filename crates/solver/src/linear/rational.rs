//! Exact rational numbers: fractions of machine words, big ones behind them.
//!
//! A number is in the small form whenever it fits: equality is that of the representation. Intermediate
//! results of small numbers are computed in twice the width, where they cannot overflow.

use std::cmp::Ordering;

use lapidary_expr::{IBig, RBig};

/// A rational number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rational {
    /// Numerator and positive denominator, without a common divisor.
    Small(i64, i64),
    /// What does not fit.
    Big(Box<RBig>),
}

impl Rational {
    pub(crate) const ZERO: Rational = Rational::Small(0, 1);
    pub(crate) const ONE: Rational = Rational::Small(1, 1);

    pub(crate) fn is_zero(&self) -> bool {
        *self == Rational::ZERO
    }

    pub(crate) fn is_negative(&self) -> bool {
        match self {
            Rational::Small(numerator, _) => *numerator < 0,
            Rational::Big(big) => **big < RBig::ZERO,
        }
    }

    pub(crate) fn is_positive(&self) -> bool {
        !self.is_negative() && !self.is_zero()
    }

    /// The greatest integer that is not greater.
    pub(crate) fn floor(&self) -> IBig {
        match self {
            Rational::Small(numerator, denominator) => numerator.div_euclid(*denominator).into(),
            Rational::Big(big) => big.floor(),
        }
    }

    pub(crate) fn is_integer(&self) -> bool {
        match self {
            Rational::Small(_, denominator) => *denominator == 1,
            Rational::Big(big) => big.is_int(),
        }
    }

    /// `numerator / denominator`, reduced; the denominator is not zero.
    fn fraction(numerator: i128, denominator: i128) -> Rational {
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs());
        // A product of two words has at most 127 bits and a sign.
        let divisor = divisor.cast_signed() * denominator.signum();
        let (numerator, denominator) = (numerator / divisor, denominator / divisor);
        match (i64::try_from(numerator), i64::try_from(denominator)) {
            (Ok(numerator), Ok(denominator)) => Rational::Small(numerator, denominator),
            _ => Rational::Big(Box::new(RBig::from_parts(
                numerator.into(),
                denominator.unsigned_abs().into(),
            ))),
        }
    }

    /// The sum of two products, each of which fits; by big numbers if the sum does not.
    fn sum(a: i128, b: i128, denominator: i128) -> Rational {
        match a.checked_add(b) {
            Some(numerator) => Rational::fraction(numerator, denominator),
            None => Rational::from(RBig::from_parts(
                IBig::from(a) + IBig::from(b),
                denominator.unsigned_abs().into(),
            )),
        }
    }

    pub(crate) fn plus(&self, other: &Rational) -> Rational {
        match (self, other) {
            (Rational::Small(a, 1), Rational::Small(b, 1)) => {
                Rational::fraction(i128::from(*a) + i128::from(*b), 1)
            }
            (Rational::Small(a, b), Rational::Small(c, d)) => {
                let [a, b, c, d] = [*a, *b, *c, *d].map(i128::from);
                Rational::sum(a * d, c * b, b * d)
            }
            _ => Rational::from(RBig::from(self) + RBig::from(other)),
        }
    }

    pub(crate) fn minus(&self, other: &Rational) -> Rational {
        self.plus(&other.negated())
    }

    pub(crate) fn times(&self, other: &Rational) -> Rational {
        match (self, other) {
            (Rational::Small(a, b), Rational::Small(c, d)) => {
                let [a, b, c, d] = [*a, *b, *c, *d].map(i128::from);
                Rational::fraction(a * c, b * d)
            }
            _ => Rational::from(RBig::from(self) * RBig::from(other)),
        }
    }

    /// The quotient; the divisor is not zero.
    pub(crate) fn over(&self, other: &Rational) -> Rational {
        match (self, other) {
            (Rational::Small(a, b), Rational::Small(c, d)) => {
                let [a, b, c, d] = [*a, *b, *c, *d].map(i128::from);
                Rational::fraction(a * d, b * c)
            }
            _ => Rational::from(RBig::from(self) / RBig::from(other)),
        }
    }

    pub(crate) fn negated(&self) -> Rational {
        match self {
            Rational::Small(numerator, denominator) => {
                Rational::fraction(-i128::from(*numerator), i128::from(*denominator))
            }
            Rational::Big(big) => Rational::from(-(**big).clone()),
        }
    }
}

impl Default for Rational {
    fn default() -> Self {
        Rational::ZERO
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    // Most operands are words, for which division is several times faster.
    while b > u128::from(u64::MAX) {
        (a, b) = (b, a % b);
    }
    if b == 0 {
        return a;
    }
    let (mut a, mut b) = (b as u64, (a % b) as u64);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.into()
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Rational::Small(a, b), Rational::Small(c, d)) => {
                (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b)))
            }
            _ => RBig::from(self).cmp(&RBig::from(other)),
        }
    }
}

impl From<&Rational> for RBig {
    fn from(value: &Rational) -> RBig {
        match value {
            Rational::Small(numerator, denominator) => {
                RBig::from_parts((*numerator).into(), denominator.unsigned_abs().into())
            }
            Rational::Big(big) => (**big).clone(),
        }
    }
}

impl From<RBig> for Rational {
    fn from(value: RBig) -> Rational {
        let (numerator, denominator) = (value.numerator(), value.denominator());
        match (i64::try_from(numerator), i64::try_from(denominator)) {
            (Ok(numerator), Ok(denominator)) => Rational::Small(numerator, denominator),
            _ => Rational::Big(Box::new(value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation agrees with the big numbers, at the borders of the words too.
    #[test]
    fn agrees_with_big_numbers() {
        let words = [0, 1, -1, 2, 3, 7, -12, i64::MAX, i64::MIN, i64::MAX - 1, i64::MIN + 1];
        let numbers: Vec<Rational> = words
            .iter()
            .flat_map(|n| [1, 2, 3, i64::MAX].map(|d| Rational::fraction((*n).into(), d.into())))
            .collect();
        for a in &numbers {
            assert_eq!(Rational::from(RBig::from(a)), *a);
            assert_eq!(a.floor(), RBig::from(a).floor());
            for b in &numbers {
                let (x, y) = (RBig::from(a), RBig::from(b));
                assert_eq!(a.plus(b), Rational::from(&x + &y), "{x} + {y}");
                assert_eq!(a.minus(b), Rational::from(&x - &y), "{x} - {y}");
                assert_eq!(a.times(b), Rational::from(&x * &y), "{x} * {y}");
                assert_eq!(a.cmp(b), x.cmp(&y), "{x} <=> {y}");
                if !b.is_zero() {
                    assert_eq!(a.over(b), Rational::from(&x / &y), "{x} / {y}");
                }
            }
        }
    }
}
