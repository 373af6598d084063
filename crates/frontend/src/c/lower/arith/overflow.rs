//! Signed operations whose results do not fit: when that is, and the result where they fit.

use lapidary_expr::interval::Range;
use lapidary_expr::{IBig, Op, Term};

use super::{Number, Numbers, app, bounds, power, range_of};
use crate::c::ir::{Binary, Unary};
use crate::c::types::IntType;

impl Numbers {
    /// A signed operation: its result, which is right where it fits the type, and when it does not fit. The distance of a shift
    /// is not negative and below the width.
    pub(in crate::c) fn checked(
        self,
        op: Binary,
        a: Number,
        b: Number,
        ty: IntType,
    ) -> (Number, Term) {
        let range = match op {
            Binary::Add => a.range.plus(b.range),
            Binary::Sub => a.range.minus(b.range),
            Binary::Mul => a.range.times(b.range),
            _ => Range::ALL,
        };
        let fits = ty.width <= 64 && range.is_subset(range_of(ty));
        match (op, self.is_bv()) {
            (Binary::Add | Binary::Sub | Binary::Mul, _) if fits => {
                (self.binary(op, a, b, ty), false.into())
            }
            (Binary::Add | Binary::Sub | Binary::Mul, false) => {
                let exact = self.without_wrap(op, a, b, ty).term;
                (self.of_type(exact, ty), outside(exact, ty))
            }
            (Binary::Add | Binary::Sub | Binary::Mul, true) => {
                let result = self.binary(op, a, b, ty);
                (result, self.is_too_large(op, a, b, ty))
            }
            (Binary::Shl, false) => match b.range.value() {
                Some(by) => {
                    let by = u32::try_from(by).unwrap_or(0).min(ty.width);
                    let exact = a.term.times(Term::int(power(by)));
                    let is_negative = a.term.less(Term::int(0));
                    let is_outside = Term::or([is_negative, outside(exact, ty)]);
                    (self.of_type(exact, ty), is_outside)
                }
                None => {
                    let bits = |number: Number| app(Op::IntToBv(ty.width), vec![number.term]);
                    (self.binary(op, a, b, ty), loses_bits(bits(a), bits(b)))
                }
            },
            (Binary::Shl, true) => (self.binary(op, a, b, ty), loses_bits(a.term, b.term)),
            _ => (self.binary(op, a, b, ty), false.into()),
        }
    }

    /// The negation of a signed number, and when it does not fit.
    pub(in crate::c) fn checked_negation(self, a: Number, ty: IntType) -> (Number, Term) {
        if ty.width <= 64 && !a.range.has(ty.least()) {
            return (self.unary(Unary::Neg, a, ty), false.into());
        }
        let [least, _] = bounds(ty);
        match self.is_bv() {
            true => {
                let least = self.constant(ty, ty.least()).term;
                (self.unary(Unary::Neg, a, ty), a.term.equals(least))
            }
            false => (self.of_type(a.term.negated(), ty), a.term.equals(least)),
        }
    }

    /// Whether a sum, difference or product of bit-vectors does not fit.
    fn is_too_large(self, op: Binary, a: Number, b: Number, ty: IntType) -> Term {
        let constant = |value: i128| self.constant(ty, value);
        let below = |x: Number, y: Number| self.compare(Binary::Lt, x, y, ty);
        let small = ty.width <= 64;
        // With a constant, as comparisons: these make better predicates.
        match (op, a.range.value().filter(|_| small), b.range.value().filter(|_| small)) {
            (Binary::Add, _, Some(by @ 0..)) => below(constant(ty.greatest() - by), a),
            (Binary::Add, _, Some(by)) => below(a, constant(ty.least() - by)),
            (Binary::Add, Some(by @ 0..), _) => below(constant(ty.greatest() - by), b),
            (Binary::Add, Some(by), _) => below(b, constant(ty.least() - by)),
            (Binary::Sub, _, Some(by @ 0..)) => below(a, constant(ty.least() + by)),
            (Binary::Sub, _, Some(by)) => below(constant(ty.greatest() + by), a),
            _ => {
                let by = if op == Binary::Mul { ty.width } else { 1 };
                let wide = |term: Term| app(Op::SignExtend(by), vec![term]);
                let op = match op {
                    Binary::Add => Op::BvAdd,
                    Binary::Sub => Op::BvSub,
                    _ => Op::BvMul,
                };
                let exact = app(op.clone(), vec![wide(a.term), wide(b.term)]);
                let wrapped = wide(app(op, vec![a.term, b.term]));
                exact.equals(wrapped).not()
            }
        }
    }
}

/// Whether an exact integer is not in the range of a type.
fn outside(exact: Term, ty: IntType) -> Term {
    let [least, greatest] = bounds(ty);
    Term::and([least.at_most(exact), exact.at_most(greatest)]).not()
}

/// Whether a left shift of a signed number of bits is none of a number that is not negative, or loses bits.
fn loses_bits(a: Term, by: Term) -> Term {
    let width = match a.sort() {
        lapidary_expr::Sort::Bv(width) => width,
        _ => 1,
    };
    let zero = Term::bv(width, IBig::from(0));
    let is_negative = app(Op::BvSlt, vec![a, zero]);
    let shifted = app(Op::BvShl, vec![a, by]);
    let back = app(Op::BvAshr, vec![shifted, by]);
    Term::or([is_negative, back.equals(a).not()])
}
