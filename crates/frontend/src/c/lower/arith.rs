//! Numbers as terms: bit-vectors, or integers with every wrap-around written out.
//!
//! In integers a number is always within the range of its type, except addresses (see [`Numbers::without_wrap`]). An
//! operation that may leave the range is written with its wrap-around. The range of a number is computed here from
//! constants, types and operators only; the pass `wraps` removes what other knowledge about the program decides.

mod encoding;
pub(in crate::c) mod ieee;
mod overflow;

use crate::c::types::Rank;
use lapidary_expr::interval::Range;
use lapidary_expr::{IBig, Op, Sort, Term};

use crate::c::ir::{Binary, Unary};
use crate::c::types::IntType;
pub use encoding::Arith;

/// A number: a term, and the range in which it is. Only [`Numbers`] makes numbers, so ranges are computed, never stated.
#[derive(Clone, Copy, Debug)]
pub(in crate::c) struct Number {
    term: Term,
    range: Range,
}

impl Number {
    pub(in crate::c) fn term(self) -> Term {
        self.term
    }

    pub(in crate::c) fn range(self) -> Range {
        self.range
    }
}

/// Writes numbers.
#[derive(Clone, Copy, Debug)]
pub(in crate::c) struct Numbers {
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
    pub(in crate::c) fn new(arith: Arith) -> Numbers {
        Numbers { arith }
    }

    fn is_bv(self) -> bool {
        self.arith == Arith::Bv
    }

    /// Whether integers are bit-vectors.
    pub(in crate::c) fn is_of_bits(self) -> bool {
        self.is_bv()
    }

    pub(in crate::c) fn sort(self, ty: IntType) -> Sort {
        if self.is_bv() || ty.is_float() { Sort::Bv(ty.width) } else { Sort::Int }
    }

    pub(in crate::c) fn constant(self, ty: IntType, value: i128) -> Number {
        let value = ty.wrap(value);
        if ty.is_float() {
            return self.any(Term::bv(ty.width, value));
        }
        if value < 0 && !ty.signed && !self.is_bv() {
            // Of 128 bits, and too large to be said otherwise.
            let term = Term::int(IBig::from(value) + power(ty.width));
            return self.any(term);
        }
        let term = if self.is_bv() { Term::bv(ty.width, value) } else { Term::int(value) };
        Number { term, range: Range::single(value) }
    }

    /// A number of which nothing is known.
    #[expect(clippy::unused_self, reason = "numbers come from `Numbers` only")]
    pub(in crate::c) fn any(self, term: Term) -> Number {
        Number { term, range: Range::ALL }
    }

    /// A variable or element of a type, or what was brought into its range. Integers that are addresses may be outside.
    pub(in crate::c) fn of_type(self, term: Term, ty: IntType) -> Number {
        let has_range = ty.width <= 64
            && self.arith != Arith::Unbounded
            && !ty.is_float()
            && (self.is_bv() || !ty.is_address());
        if has_range { Number { term, range: range_of(ty) } } else { self.any(term) }
    }

    /// One of two numbers of the same type.
    #[expect(clippy::unused_self, reason = "numbers come from `Numbers` only")]
    pub(in crate::c) fn choice(self, condition: Term, then: Number, otherwise: Number) -> Number {
        let term = condition.ite(then.term, otherwise.term);
        Number { term, range: then.range.join(otherwise.range) }
    }

    /// Calculates with addresses, distances and indices: sums, differences, products, and quotients of numbers that are not
    /// negative.
    ///
    /// The result is exact in integers and modulo 2^width in bit-vectors. Neither leads to a wrong access. An exact address
    /// that leaves the address space equals no address of an object, and an exact index that is too large fails its
    /// bounds check; a machine might wrap around to a valid address, but the program has left what C defines. A
    /// bit-vector wraps around as the machine does, and indices are checked after they were computed: `i + j` for
    /// `0 <= i < length` and any word `j` is in `0 .. length` only if the exact sum is. What leaves the
    /// integers' address space is an address of no range; a conversion to an integer type wraps it.
    pub(in crate::c) fn without_wrap(
        self,
        op: Binary,
        a: Number,
        b: Number,
        ty: IntType,
    ) -> Number {
        if self.is_bv() {
            return self.of_type(bits(op, a.term, b, ty), ty);
        }
        let (x, y) = (a.term, b.term);
        match op {
            Binary::Add => Number { term: x.plus(y), range: a.range.plus(b.range) },
            Binary::Sub => Number { term: x.minus(y), range: a.range.minus(b.range) },
            Binary::Mul => Number { term: x.times(y), range: a.range.times(b.range) },
            Binary::Div => {
                let range = a.range.div_euclid(b.range);
                Number { term: app(Op::Div, vec![x, y]), range }
            }
            _ => self.binary(op, a, b, ty),
        }
    }

    /// What a variable of any value has to satisfy.
    pub(in crate::c) fn in_range(self, term: Term, ty: IntType) -> Option<Term> {
        let is_bounded = self.arith == Arith::Int || !self.is_bv() && ty.is_bool();
        (is_bounded && !ty.is_float()).then(|| {
            let [least, greatest] = bounds(ty);
            Term::and([least.at_most(term), term.at_most(greatest)])
        })
    }

    pub(in crate::c) fn truth(self, number: Number, ty: IntType) -> Term {
        match ty.format() {
            Some(format) => format.is_zero(number.term).not(),
            None => number.term.equals(self.constant(ty, 0).term).not(),
        }
    }

    /// One or zero.
    pub(in crate::c) fn of_bool(self, truth: Term, ty: IntType) -> Number {
        let [one, zero] =
            [1, 0].map(|value| self.constant(IntType { rank: Rank::Int, ..ty }, value).term);
        Number { term: truth.ite(one, zero), range: Range::between(0, 1) }
    }

    /// An integer as one of another type.
    pub(in crate::c) fn convert(self, number: Number, from: IntType, to: IntType) -> Number {
        if from.is_float() || to.is_float() {
            return self.seen_as(number, from, to);
        }
        if from.is_address() && to.is_address() {
            return number;
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
        match number.range.is_subset(range_of(to)) {
            true => Number { term, range: number.range },
            false => self.of_type(term, to),
        }
    }

    /// Brings an integer back into the range of a type.
    fn wrap(self, number: Number, ty: IntType) -> Number {
        let Number { term, range } = number;
        if self.arith == Arith::Unbounded || ty.width <= 64 && range.is_subset(range_of(ty)) {
            return number;
        }
        let (least, greatest) = (ty.least(), ty.greatest());
        let period = Term::int(power(ty.width));
        let is_once = ty.width <= 64 && {
            let width = 1i128 << ty.width;
            range.is_within(least - width, greatest + width)
        };
        let [min, max] = bounds(ty);
        let term = match (is_once, ty.signed) {
            (true, _) => {
                let mut wrapped = term;
                if range.hi > greatest {
                    wrapped = term.at_most(max).ite(wrapped, term.minus(period));
                }
                if range.lo < least {
                    wrapped = min.at_most(term).ite(wrapped, term.plus(period));
                }
                wrapped
            }
            (false, true) => app(Op::Mod, vec![term.minus(min), period]).plus(min),
            (false, false) => app(Op::Mod, vec![term, period]),
        };
        match ty.width <= 64 {
            true => Number { term, range: range_of(ty) },
            false => self.any(term),
        }
    }

    pub(in crate::c) fn unary(self, op: Unary, number: Number, ty: IntType) -> Number {
        if let Some(term) = ty.format().and_then(|format| ieee::unary(op, number.term, format)) {
            return self.any(term);
        }
        let zero = self.constant(ty, 0);
        match (op, self.is_bv()) {
            (Unary::Neg | Unary::Back, true) => self.of_type(app(Op::BvNeg, vec![number.term]), ty),
            (Unary::Not, true) => self.of_type(app(Op::BvNot, vec![number.term]), ty),
            (Unary::Neg | Unary::Back, false) => self.binary(Binary::Sub, zero, number, ty),
            (Unary::Not, false) => {
                let range = Range::single(-1).minus(number.range);
                self.wrap(Number { term: Term::int(-1).minus(number.term), range }, ty)
            }
            (Unary::Zero, _) => self.of_bool(self.truth(number, ty).not(), IntType::INT),
        }
    }

    pub(in crate::c) fn compare(self, op: Binary, a: Number, b: Number, ty: IntType) -> Term {
        let (a, b) = (a.term, b.term);
        if let Some(format) = ty.format() {
            return ieee::compare(op, a, b, format);
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
    pub(in crate::c) fn binary(self, op: Binary, a: Number, b: Number, ty: IntType) -> Number {
        let float = ty.format().and_then(|format| ieee::binary(op, a.term, b.term, format));
        if let Some(term) = float {
            return self.any(term);
        }
        match self.is_bv() {
            true => {
                let number = self.of_type(bits(op, a.term, b, ty), ty);
                Number { range: masked(op, a, b).unwrap_or(number.range), ..number }
            }
            false => self.integers(op, a, b, ty),
        }
    }

    fn integers(self, op: Binary, a: Number, b: Number, ty: IntType) -> Number {
        let (x, y) = (a.term, b.term);
        let is_positive = a.range.lo >= 0;
        let result = match op {
            Binary::Add | Binary::Sub | Binary::Mul => self.without_wrap(op, a, b, ty),
            Binary::Div => {
                let quotient = |x| app(Op::Div, vec![x, y]);
                let term = match is_positive {
                    true => quotient(x),
                    false => {
                        Term::int(0).at_most(x).ite(quotient(x), quotient(x.negated()).negated())
                    }
                };
                Number { term, range: a.range.div_trunc(b.range) }
            }
            Binary::Rem => {
                let op = if is_positive { Op::Mod } else { Op::Rem };
                Number { term: app(op, vec![x, y]), range: a.range.rem_trunc(b.range) }
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
        let is_bit = |number: Number| number.range.is_within(0, 1);
        let (x, y) = (a.term, b.term);
        match (op, a.range.value(), b.range.value()) {
            (Binary::Shl, _, Some(by)) if (0..i128::from(ty.width)).contains(&by) => {
                let factor = Term::int(power(by.unsigned_abs() as u32));
                let range = if by < 100 { Range::single(1 << by) } else { Range::ALL };
                Number { term: x.times(factor), range: a.range.times(range) }
            }
            (Binary::Shr, _, Some(by)) if (0..i128::from(ty.width)).contains(&by) => {
                let divisor = Term::int(power(by.unsigned_abs() as u32));
                let range = if by < 100 { a.range.floor_div(1 << by) } else { Range::ALL };
                Number { term: app(Op::Div, vec![x, divisor]), range }
            }
            (Binary::And, _, Some(mask)) if is_mask(mask) => Number {
                term: app(Op::Mod, vec![x, Term::int(IBig::from(mask) + IBig::from(1))]),
                range: a.range.modulo(mask + 1),
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
                let result = bits(op, to_bits(x), Number { term: to_bits(y), range: b.range }, ty);
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
pub(in crate::c) fn is_mask(mask: i128) -> bool {
    (0..1 << 100).contains(&mask) && mask & (mask + 1) == 0
}

/// The range of a type of at most 64 bits; there are no bounds for wider ones.
fn range_of(ty: IntType) -> Range {
    if ty.width > 64 { Range::ALL } else { Range::between(ty.least(), ty.greatest()) }
}

/// The range of bit-vectors whose upper bits are cleared: `x & 7`, `x % 8`.
fn masked(op: Binary, a: Number, b: Number) -> Option<Range> {
    let constant = |number: Number| number.range.value().filter(|value| *value > 0);
    match op {
        Binary::And => constant(b).or(constant(a)).map(|mask| Range::between(0, mask)),
        Binary::Rem if a.range.lo >= 0 => constant(b).map(|by| Range::between(0, by - 1)),
        _ => None,
    }
}

/// An operator on bit-vectors. Shift distances count modulo the width, as on the machine.
fn bits(op: Binary, a: Term, by: Number, ty: IntType) -> Term {
    let b = by.term;
    let width = i128::from(ty.width);
    let is_less = by.range.is_within(0, width - 1);
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

#[cfg(test)]
mod tests;
