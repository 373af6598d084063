//! Interval arithmetic. Sets of integers: an interval and a congruence, `{ x | lo <= x <= hi, x ≡ rest (mod modulus) }`.

/// No lower bound.
pub const LEAST: i128 = i128::MIN;
/// No upper bound.
pub const GREATEST: i128 = i128::MAX;
/// Numbers of a larger size are not told apart, so that sums of two cannot overflow.
const LARGEST: i128 = 1 << 120;

/// A nonempty set of integers. Bounds that are finite belong to the set; a set with one element has the modulus
/// zero and its element as `rest`, any other a positive modulus above `rest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The least element, or [`LEAST`].
    pub lo: i128,
    /// The greatest element, or [`GREATEST`].
    pub hi: i128,
    /// What the distances of elements are multiples of.
    pub modulus: i128,
    /// The remainder of all elements.
    pub rest: i128,
}

impl Range {
    /// All integers.
    pub const ALL: Range = Range { lo: LEAST, hi: GREATEST, modulus: 1, rest: 0 };

    /// One integer.
    pub fn single(value: i128) -> Range {
        Range::new(value, value, 1, 0).unwrap_or(Range::ALL)
    }

    /// An interval; all integers if it is empty.
    pub fn between(lo: i128, hi: i128) -> Range {
        Range::new(lo, hi, 1, 0).unwrap_or(Range::ALL)
    }

    /// The normal form, with the bounds moved to elements; none if there are no elements.
    pub fn new(lo: i128, hi: i128, modulus: i128, rest: i128) -> Option<Range> {
        let lo = if lo < -LARGEST { LEAST } else { lo.min(LARGEST) };
        let hi = if hi > LARGEST { GREATEST } else { hi.max(-LARGEST) };
        if modulus == 0 && rest.abs() <= LARGEST {
            return (lo <= rest && rest <= hi).then_some(Range {
                lo: rest,
                hi: rest,
                modulus,
                rest,
            });
        }
        let modulus = if modulus == 0 || modulus > LARGEST { 1 } else { modulus };
        let (mut lo, mut hi, mut rest) = (lo, hi, rest);
        if modulus == 1 {
            rest = 0;
        } else {
            rest = rest.rem_euclid(modulus);
            lo = if lo == LEAST { lo } else { lo + (rest - lo).rem_euclid(modulus) };
            hi = if hi == GREATEST { hi } else { hi - (hi - rest).rem_euclid(modulus) };
        }
        match lo.cmp(&hi) {
            std::cmp::Ordering::Less => Some(Range { lo, hi, modulus, rest }),
            std::cmp::Ordering::Equal => Some(Range { lo, hi, modulus: 0, rest: lo }),
            std::cmp::Ordering::Greater => None,
        }
    }

    /// The element, if there is one only.
    pub fn value(self) -> Option<i128> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// Whether all elements are in the interval.
    pub fn is_within(self, lo: i128, hi: i128) -> bool {
        lo <= self.lo && self.hi <= hi
    }

    /// Whether `other` has all elements.
    pub fn is_subset(self, other: Range) -> bool {
        let is_congruent = match (self.modulus, other.modulus) {
            (_, 0) => self == other,
            (_, 1) => true,
            (modulus, divisor) => modulus % divisor == 0 && (self.rest - other.rest) % divisor == 0,
        };
        self.is_within(other.lo, other.hi) && is_congruent
    }

    /// Whether `value` is an element.
    pub fn has(self, value: i128) -> bool {
        Range::single(value).is_subset(self)
    }

    /// A set with the elements of both.
    #[must_use]
    pub fn join(self, other: Range) -> Range {
        let modulus = gcd(gcd(self.modulus, other.modulus), self.rest - other.rest);
        let (lo, hi) = (self.lo.min(other.lo), self.hi.max(other.hi));
        Range::new(lo, hi, modulus, self.rest).unwrap_or(Range::ALL)
    }

    /// The common elements, or some more; none if there are none.
    pub fn meet(self, other: Range) -> Option<Range> {
        let common = gcd(self.modulus, other.modulus);
        let distance = self.rest - other.rest;
        if common != 1 && distance.checked_rem(common).unwrap_or(distance) != 0 {
            return None;
        }
        let is_finer = self.modulus == 0 || (other.modulus != 0 && self.modulus >= other.modulus);
        let Range { modulus, rest, .. } = if is_finer { self } else { other };
        Range::new(self.lo.max(other.lo), self.hi.min(other.hi), modulus, rest)
    }

    /// A set with the elements of both, such that a chain of them ends: bounds that give way go to the next of the
    /// sorted thresholds.
    #[must_use]
    pub fn widen(self, new: Range, thresholds: &[i128]) -> Range {
        let joined = self.join(new);
        let below = || thresholds.iter().rev().find(|t| **t <= joined.lo).copied();
        let above = || thresholds.iter().find(|t| **t >= joined.hi).copied();
        let lo = if joined.lo < self.lo { below().unwrap_or(LEAST) } else { joined.lo };
        let hi = if joined.hi > self.hi { above().unwrap_or(GREATEST) } else { joined.hi };
        Range::new(lo, hi, joined.modulus, joined.rest).unwrap_or(joined)
    }

    /// The set without `value`, as far as that can be written.
    pub fn without(self, value: i128) -> Option<Range> {
        let step = self.modulus.max(1);
        let lo = if self.lo == value { value + step } else { self.lo };
        let hi = if self.hi == value { value - step } else { self.hi };
        if lo > hi { None } else { Range::new(lo, hi, self.modulus, self.rest) }
    }

    /// All sums.
    #[must_use]
    pub fn plus(self, other: Range) -> Range {
        let sum = |a: i128, b: i128, infinite: i128| match a == infinite || b == infinite {
            true => infinite,
            false => a + b,
        };
        let (lo, hi) = (sum(self.lo, other.lo, LEAST), sum(self.hi, other.hi, GREATEST));
        let modulus = gcd(self.modulus, other.modulus);
        Range::new(lo, hi, modulus, self.rest + other.rest).unwrap_or(Range::ALL)
    }

    /// All numbers with the sign changed.
    #[must_use]
    pub fn negated(self) -> Range {
        let (lo, hi) = (negated(self.hi), negated(self.lo));
        Range::new(lo, hi, self.modulus, -self.rest).unwrap_or(Range::ALL)
    }

    /// All differences.
    #[must_use]
    pub fn minus(self, other: Range) -> Range {
        self.plus(other.negated())
    }

    /// All products.
    #[must_use]
    pub fn times(self, other: Range) -> Range {
        let products = [
            product(self.lo, other.lo),
            product(self.lo, other.hi),
            product(self.hi, other.lo),
            product(self.hi, other.hi),
        ];
        let lo = products.iter().copied().min().unwrap_or(LEAST);
        let hi = products.iter().copied().max().unwrap_or(GREATEST);
        let congruence = || {
            let both = self.modulus.checked_mul(other.modulus)?;
            let left = self.modulus.checked_mul(other.rest)?;
            let right = self.rest.checked_mul(other.modulus)?;
            Some((gcd(both, gcd(left, right)), self.rest.checked_mul(other.rest)?))
        };
        let (modulus, rest) = congruence().unwrap_or((1, 0));
        Range::new(lo, hi, modulus, rest).unwrap_or(Range::ALL)
    }

    /// Division by a positive number, rounded down.
    #[must_use]
    pub fn floor_div(self, divisor: i128) -> Range {
        let div = |bound: i128| match bound {
            LEAST | GREATEST => bound,
            finite => finite.div_euclid(divisor),
        };
        Range::between(div(self.lo), div(self.hi))
    }

    /// Division by a positive number, rounded toward zero.
    #[must_use]
    pub fn trunc_div(self, divisor: i128) -> Range {
        let div = |bound: i128| match bound {
            LEAST | GREATEST => bound,
            finite => finite / divisor,
        };
        Range::between(div(self.lo), div(self.hi))
    }

    /// The remainder of the Euclidean division by a positive number.
    #[must_use]
    pub fn modulo(self, divisor: i128) -> Range {
        if self.lo != LEAST && self.hi != GREATEST {
            let period = self.lo.div_euclid(divisor);
            if period == self.hi.div_euclid(divisor) {
                return self.minus(Range::single(period * divisor));
            }
        }
        Range::new(0, divisor - 1, gcd(self.modulus, divisor), self.rest).unwrap_or(Range::ALL)
    }

    /// The remainder of the division by a positive number, with the sign of the dividend.
    #[must_use]
    pub fn remainder(self, divisor: i128) -> Range {
        if self.lo >= 0 {
            return self.modulo(divisor);
        }
        if self.hi <= 0 {
            return self.negated().modulo(divisor).negated();
        }
        let (lo, hi) = (self.lo.max(1 - divisor), self.hi.min(divisor - 1));
        Range::new(lo, hi, gcd(self.modulus, divisor), self.rest).unwrap_or(Range::ALL)
    }

    /// The greatest size of an element; [`GREATEST`] if there is none.
    fn magnitude(self) -> i128 {
        negated(self.lo).max(self.hi)
    }

    /// Euclidean division; that by zero is zero.
    #[must_use]
    pub fn div_euclid(self, divisor: Range) -> Range {
        match divisor.value() {
            Some(0) => Range::single(0),
            Some(value) if value > 0 => self.floor_div(value),
            Some(value) => self.floor_div(-value).negated(),
            None if self.lo >= 0 => self.div_trunc(divisor),
            None => {
                let most = self.magnitude();
                Range::between(negated(most), most)
            }
        }
    }

    /// Division rounded toward zero; that by zero is zero.
    #[must_use]
    pub fn div_trunc(self, divisor: Range) -> Range {
        if divisor.hi < 0 {
            return self.div_trunc(divisor.negated()).negated();
        }
        if divisor.lo <= 0 {
            let most = self.magnitude();
            let is_positive = self.lo >= 0 && divisor.lo == 0;
            return Range::between(if is_positive { 0 } else { negated(most) }, most);
        }
        let by = |bound: i128, divisor: i128| match (bound, divisor) {
            (LEAST | GREATEST, _) => bound,
            (_, GREATEST) => 0,
            _ => bound / divisor,
        };
        // A bound moves toward zero, least by the smallest divisor.
        let lo = by(self.lo, if self.lo < 0 { divisor.lo } else { divisor.hi });
        let hi = by(self.hi, if self.hi < 0 { divisor.hi } else { divisor.lo });
        Range::between(lo, hi)
    }

    /// The remainder of the Euclidean division; that by zero is the dividend.
    #[must_use]
    pub fn rem_euclid(self, divisor: Range) -> Range {
        match divisor.value() {
            Some(0) => return self,
            Some(value) => return self.modulo(value.abs()),
            None => {}
        }
        let most = divisor.magnitude();
        let below = if most == GREATEST { GREATEST } else { most - 1 };
        let by_zero = if divisor.has(0) { self } else { Range::single(0) };
        match self.lo >= 0 {
            true if divisor.has(0) => Range::between(0, self.hi),
            true => Range::between(0, self.hi.min(below)),
            false => Range::between(0, below).join(by_zero),
        }
    }

    /// The remainder with the sign of the dividend; that by zero is the dividend.
    #[must_use]
    pub fn rem_trunc(self, divisor: Range) -> Range {
        match divisor.value() {
            Some(0) => return self,
            Some(value) => return self.remainder(value.abs()),
            None => {}
        }
        let most = divisor.magnitude();
        let below = if divisor.has(0) || most == GREATEST { GREATEST } else { most - 1 };
        Range::between(self.lo.min(0).max(negated(below)), self.hi.max(0).min(below))
    }

    /// What, times `factor`, is an element; none if there is nothing.
    pub fn divided_exactly(self, factor: i128) -> Option<Range> {
        if factor < 0 {
            return self.negated().divided_exactly(-factor);
        }
        if factor == 0 {
            return self.has(0).then_some(Range::ALL);
        }
        let up = |bound: i128| bound.div_euclid(factor) + i128::from(bound.rem_euclid(factor) != 0);
        let lo = if self.lo == LEAST { LEAST } else { up(self.lo) };
        let hi = if self.hi == GREATEST { GREATEST } else { self.hi.div_euclid(factor) };
        // `factor·x ≡ rest (mod modulus)` says something simple about `x` if `factor` divides both.
        let (modulus, rest) = match self.modulus % factor == 0 && self.rest % factor == 0 {
            true => (self.modulus / factor, self.rest / factor),
            false => (1, 0),
        };
        Range::new(lo, hi, modulus, rest)
    }

    /// Modulo 2^width, to numbers that start with `least`.
    #[must_use]
    pub fn wrapped(self, width: u32, least: i128) -> Range {
        let size = 1i128 << width;
        self.minus(Range::single(least)).modulo(size).plus(Range::single(least))
    }
}

fn negated(bound: i128) -> i128 {
    match bound {
        LEAST => GREATEST,
        GREATEST => LEAST,
        finite => -finite,
    }
}

/// The product of bounds; a zero counts more than an infinite bound, since that is never reached.
fn product(a: i128, b: i128) -> i128 {
    if a == 0 || b == 0 {
        return 0;
    }
    let infinite = if (a < 0) == (b < 0) { GREATEST } else { LEAST };
    let is_infinite = [a, b].iter().any(|x| *x == LEAST || *x == GREATEST);
    if is_infinite { infinite } else { a.checked_mul(b).unwrap_or(infinite) }
}

/// The greatest common divisor; that of zero and `a` is `a`.
pub fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    if a == 1 || b == 1 {
        return 1;
    }
    // Division of machine words is much faster.
    if let (Ok(mut a), Ok(mut b)) = (u64::try_from(a), u64::try_from(b)) {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        return a.into();
    }
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests;
