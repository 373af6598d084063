//! Integers with the interval they are in, and how bit-vectors are read as integers.

#[cfg(test)]
use lapidary_expr::Bv;
use lapidary_expr::{IBig, Op, Term};

use super::WIDEST;

/// How the bits of a bit-vector say an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    Unsigned,
    Signed,
}

impl Reading {
    /// The least integer that bits of this width say.
    pub(super) fn least(self, width: u32) -> IBig {
        match self {
            Reading::Unsigned => IBig::ZERO,
            Reading::Signed => -power(width - 1),
        }
    }

    /// The greatest integer that bits of this width say.
    pub(super) fn greatest(self, width: u32) -> IBig {
        self.least(width) + power(width) - IBig::ONE
    }

    /// The integer that the bits say.
    #[cfg(test)]
    pub(super) fn of(self, bits: &Bv) -> IBig {
        match self {
            Reading::Unsigned => bits.unsigned().clone().into(),
            Reading::Signed => bits.signed(),
        }
    }

    /// The operator that reads bits.
    pub(super) fn conversion(self) -> Op {
        match self {
            Reading::Unsigned => Op::BvToInt,
            Reading::Signed => Op::BvToSigned,
        }
    }
}

/// 2^exponent.
pub(super) fn power(exponent: u32) -> IBig {
    IBig::ONE << exponent as usize
}

/// The exponent, if the number is a power of two (up to the widest bit-vectors).
pub(super) fn exponent(number: &IBig) -> Option<u32> {
    (0..=WIDEST).find(|n| power(*n) >= *number).filter(|n| power(*n) == *number)
}

/// The greatest integer not above `number / divisor`, for a positive divisor.
pub(super) fn floor_div(number: &IBig, divisor: &IBig) -> IBig {
    let quotient = number / divisor;
    if number % divisor < IBig::ZERO { quotient - IBig::ONE } else { quotient }
}

/// An interval of integers, both ends included.
pub(super) type Range = (IBig, IBig);

/// A term of integer sort and an interval that its value never leaves.
#[derive(Clone, Debug)]
pub(super) struct Num {
    pub(super) term: Term,
    pub(super) range: Range,
}

impl Num {
    pub(super) fn constant(value: IBig) -> Num {
        Num { term: Term::int(value.clone()), range: (value.clone(), value) }
    }

    pub(super) fn plus(&self, other: &Num) -> Num {
        let range = (&self.range.0 + &other.range.0, &self.range.1 + &other.range.1);
        Num { term: self.term.plus(other.term), range }
    }

    pub(super) fn times(&self, factor: &IBig) -> Num {
        let (low, high) = (&self.range.0 * factor, &self.range.1 * factor);
        let range = if low <= high { (low, high) } else { (high, low) };
        Num { term: Term::int(factor.clone()).times(self.term), range }
    }

    pub(super) fn negated(&self) -> Num {
        self.times(&IBig::NEG_ONE)
    }

    /// The quotient by a positive number, rounded down.
    pub(super) fn div(&self, divisor: &IBig) -> Num {
        let range = (floor_div(&self.range.0, divisor), floor_div(&self.range.1, divisor));
        if range.0 == range.1 {
            return Num::constant(range.0);
        }
        Num { term: integers(Op::Div, self.term, divisor), range }
    }

    /// The remainder of [`Num::div`]; the number itself where it is small anyway.
    pub(super) fn modulo(&self, divisor: &IBig) -> Num {
        if self.within(&IBig::ZERO, &(divisor - IBig::ONE)) {
            return self.clone();
        }
        modulo(self.term, divisor)
    }

    pub(super) fn within(&self, low: &IBig, high: &IBig) -> bool {
        *low <= self.range.0 && self.range.1 <= *high
    }

    /// One of the two.
    pub(super) fn choice(condition: Term, then: &Num, otherwise: &Num) -> Num {
        let low = (&then.range.0).min(&otherwise.range.0).clone();
        let high = (&then.range.1).max(&otherwise.range.1).clone();
        Num { term: condition.ite(then.term, otherwise.term), range: (low, high) }
    }

    /// The number in `low..low + modulus` that is congruent to this one: itself where that is all that can
    /// be, a case distinction where it can leave that interval by one turn, and a remainder otherwise.
    pub(super) fn wrapped(&self, low: &IBig, modulus: &IBig) -> Num {
        let turns = |end: &IBig| floor_div(&(end - low), modulus);
        let (first, last) = (turns(&self.range.0), turns(&self.range.1));
        let high = low + modulus - IBig::ONE;
        let turned = |turns: &IBig| self.plus(&Num::constant(-(turns * modulus)));
        if first == last {
            return turned(&first);
        }
        let at_least = |bound: &IBig| Term::int(bound.clone()).at_most(self.term);
        let at_most = |bound: &IBig| self.term.at_most(Term::int(bound.clone()));
        let term = if last == IBig::ZERO && first == IBig::NEG_ONE {
            at_least(low).ite(self.term, turned(&first).term)
        } else if &last - &first == IBig::ONE {
            at_most(&(&high + &first * modulus)).ite(turned(&first).term, turned(&last).term)
        } else if last == IBig::ONE && first == IBig::NEG_ONE {
            let inner = at_least(low).ite(self.term, turned(&first).term);
            at_most(&high).ite(inner, turned(&last).term)
        } else {
            let shifted = self.term.minus(Term::int(low.clone()));
            modulo(shifted, modulus).term.plus(Term::int(low.clone()))
        };
        Num { term, range: (low.clone(), high) }
    }
}

/// The remainder of any integer by a positive number.
pub(super) fn modulo(term: Term, divisor: &IBig) -> Num {
    Num { term: integers(Op::Mod, term, divisor), range: (IBig::ZERO, divisor - IBig::ONE) }
}

fn integers(op: Op, left: Term, right: &IBig) -> Term {
    Term::app(op, vec![left, Term::int(right.clone())])
        .unwrap_or_else(|error| unreachable!("both are integers: {error}"))
}
