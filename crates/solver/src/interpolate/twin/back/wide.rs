//! Comparisons of integer terms as comparisons of bit-vectors that are wide enough for what they say.
//!
//! Both sides, and whatever is divided on the way, must be integers that the chosen width can say; anything else
//! may wrap, since a sum modulo 2^width is that of its terms. Dividends are made non-negative by a multiple of
//! the divisor, because the unsigned division of bit-vectors is the one that rounds down.

use lapidary_expr::{IBig, Op, Term};

use super::{Back, Sum, bits, fitting, integer, most_bits, resized, weighted};
use crate::interpolate::twin::range::{Num, Range, Reading, floor_div};

pub(super) struct Wide<'a> {
    back: &'a Back<'a>,
    /// The greatest of the dividends.
    greatest: IBig,
    /// The width of the widest variable.
    widest: u32,
}

impl<'a> Wide<'a> {
    /// `difference <= 0` or `difference = 0`; none if a term is no bit-vector at heart, or it takes too many
    /// bits.
    pub(super) fn comparison(back: &'a Back<'a>, op: &Op, difference: Sum) -> Option<Term> {
        let [left, right] = sides(difference);
        let mut wide = Wide { back, greatest: IBig::ZERO, widest: 0 };
        let (left_range, right_range) = (wide.range(&left)?, wide.range(&right)?);
        let ends = [left_range.0, left_range.1, right_range.0, right_range.1];
        let is_signed = ends.iter().any(|end| *end < IBig::ZERO);
        let reading = if is_signed { Reading::Signed } else { Reading::Unsigned };
        let most = most_bits(wide.widest);
        let least = fitting(Reading::Unsigned, &[wide.greatest.clone()], wide.widest, most)?;
        let width = fitting(reading, &ends, least, most)?;
        let (left, right) = (wide.sum(&left, width)?, wide.sum(&right, width)?);
        Some(match (op, reading) {
            (Op::Eq, _) => left.equals(right),
            (_, Reading::Unsigned) => bits(Op::BvUle, vec![left, right]),
            (_, Reading::Signed) => bits(Op::BvSle, vec![left, right]),
        })
    }

    /// The interval of a sum.
    fn range(&mut self, sum: &Sum) -> Option<Range> {
        let mut total: Range = (sum.constant.clone(), sum.constant.clone());
        for (term, factor) in &sum.monomials {
            let range = self.range_of(*term)?;
            let (low, high) = Num { term: *term, range }.times(factor).range;
            total = (total.0 + low, total.1 + high);
        }
        Some(total)
    }

    fn range_of(&mut self, term: Term) -> Option<Range> {
        if let Some((_, width)) = self.back.original(term) {
            self.widest = self.widest.max(width);
            let reading = self.back.reading();
            return Some((reading.least(width), reading.greatest(width)));
        }
        match (term.op(), term.args()) {
            (Op::Div | Op::Mod, [dividend, divisor]) => {
                let divisor = integer(*divisor).filter(|divisor| **divisor > IBig::ZERO)?;
                let (low, high) = self.range(&Sum::of(*dividend)?)?;
                let raised = &high + raise(&low, divisor);
                self.greatest = raised.max(divisor.clone()).max(self.greatest.clone());
                Some(match term.op() {
                    Op::Div => (floor_div(&low, divisor), floor_div(&high, divisor)),
                    _ => (IBig::ZERO, divisor - IBig::ONE),
                })
            }
            (Op::Ite, [_, then, otherwise]) => {
                let then = self.range(&Sum::of(*then)?)?;
                let otherwise = self.range(&Sum::of(*otherwise)?)?;
                Some((then.0.min(otherwise.0), then.1.max(otherwise.1)))
            }
            _ => None,
        }
    }

    /// The bits of a sum.
    fn sum(&mut self, sum: &Sum, width: u32) -> Option<Term> {
        let terms = sum
            .monomials
            .iter()
            .map(|(term, factor)| Some((self.term(*term, width)?, factor.clone())));
        Some(weighted(terms.collect::<Option<_>>()?, &sum.constant, width))
    }

    fn term(&mut self, term: Term, width: u32) -> Option<Term> {
        if let Some((original, own)) = self.back.original(term) {
            return Some(resized(original, own, width, self.back.reading()));
        }
        match (term.op(), term.args()) {
            (Op::Div | Op::Mod, [dividend, divisor]) => {
                let divisor = integer(*divisor)?;
                let mut sum = Sum::of(*dividend)?;
                let raise = raise(&self.range(&sum)?.0, divisor);
                sum.constant += &raise;
                let dividend = self.sum(&sum, width)?;
                let by = Term::bv(width, divisor.clone());
                if *term.op() == Op::Mod {
                    return Some(bits(Op::BvUrem, vec![dividend, by]));
                }
                let quotient = bits(Op::BvUdiv, vec![dividend, by]);
                Some(weighted(vec![(quotient, IBig::ONE)], &-(raise / divisor), width))
            }
            (Op::Ite, [condition, then, otherwise]) => {
                let condition = self.back.formula(*condition)?;
                let then = self.sum(&Sum::of(*then)?, width)?;
                let otherwise = self.sum(&Sum::of(*otherwise)?, width)?;
                Some(condition.ite(then, otherwise))
            }
            _ => None,
        }
    }
}

/// The multiple of `divisor` that makes everything from `low` on non-negative.
fn raise(low: &IBig, divisor: &IBig) -> IBig {
    if *low >= IBig::ZERO { IBig::ZERO } else { -(floor_div(low, divisor) * divisor) }
}

/// What is added on the left, what is subtracted on the right.
fn sides(difference: Sum) -> [Sum; 2] {
    let (left, right): (Vec<_>, Vec<_>) =
        difference.monomials.into_iter().partition(|(_, factor)| *factor > IBig::ZERO);
    let right = right.into_iter().map(|(term, factor)| (term, -factor)).collect();
    let zero = IBig::ZERO;
    let constant = difference.constant;
    let (added, subtracted) = if constant > zero { (constant, zero) } else { (zero, -constant) };
    [Sum { monomials: left, constant: added }, Sum { monomials: right, constant: subtracted }]
}
