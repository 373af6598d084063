//! Constructors for well-sorted arguments: shorthand for [`Term::app`] and the sugar of SMT-LIB.
//!
//! They are for code that knows the sorts (the engine, the passes); parsers use [`Term::app`] and
//! report what does not fit. A constructor panics on ill-sorted arguments: that is a bug of the caller.

use dashu_int::IBig;

use crate::op::Op;
use crate::sort::Sort;
use crate::term::Term;
use crate::value::{Bv, Value};

fn build(op: Op, args: Vec<Term>) -> Term {
    Term::app(op, args).unwrap_or_else(|error| panic!("ill-sorted term: {error}"))
}

impl Term {
    /// An integer.
    pub fn int(value: impl Into<IBig>) -> Term {
        Term::lit(Value::int(value))
    }

    /// A bit-vector that holds `value` modulo 2^width.
    pub fn bv(width: u32, value: impl Into<IBig>) -> Term {
        Term::lit(Value::Bv(Bv::wrap(width, &value.into())))
    }

    /// Conjunction; `true` if empty.
    pub fn and(conjuncts: impl IntoIterator<Item = Term>) -> Term {
        let args: Vec<Term> = conjuncts.into_iter().collect();
        match args[..] {
            [] => true.into(),
            [only] => only,
            _ => build(Op::And, args),
        }
    }

    /// Disjunction; `false` if empty.
    pub fn or(disjuncts: impl IntoIterator<Item = Term>) -> Term {
        let args: Vec<Term> = disjuncts.into_iter().collect();
        match args[..] {
            [] => false.into(),
            [only] => only,
            _ => build(Op::Or, args),
        }
    }

    /// Negation.
    #[must_use]
    #[expect(
        clippy::should_implement_trait,
        reason = "`not` on a `Copy` handle reads as the logic does"
    )]
    pub fn not(self) -> Term {
        build(Op::Not, vec![self])
    }

    /// Implication.
    #[must_use]
    pub fn implies(self, conclusion: Term) -> Term {
        Term::or([self.not(), conclusion])
    }

    /// Equality (equivalence, for truth values).
    #[must_use]
    pub fn equals(self, other: Term) -> Term {
        build(Op::Eq, vec![self, other])
    }

    /// If-then-else.
    #[must_use]
    pub fn ite(self, then: Term, otherwise: Term) -> Term {
        build(Op::Ite, vec![self, then, otherwise])
    }

    /// Sum of two numbers.
    #[must_use]
    pub fn plus(self, other: Term) -> Term {
        build(Op::Add, vec![self, other])
    }

    /// Difference of two numbers.
    #[must_use]
    pub fn minus(self, other: Term) -> Term {
        self.plus(other.negated())
    }

    /// Product of two numbers.
    #[must_use]
    pub fn times(self, other: Term) -> Term {
        build(Op::Mul, vec![self, other])
    }

    /// The number with its sign changed.
    #[must_use]
    pub fn negated(self) -> Term {
        let minus_one = Value::int(-1);
        let factor =
            if self.sort() == Sort::Rat { Value::Rat(minus_one.to_rat()) } else { minus_one };
        Term::lit(factor).times(self)
    }

    /// Less or equal, of numbers.
    #[must_use]
    pub fn at_most(self, other: Term) -> Term {
        build(Op::Le, vec![self, other])
    }

    /// Less, of numbers.
    #[must_use]
    pub fn less(self, other: Term) -> Term {
        build(Op::Lt, vec![self, other])
    }

    /// The element of an array.
    #[must_use]
    pub fn select(self, index: Term) -> Term {
        build(Op::Select, vec![self, index])
    }

    /// The array with one element replaced.
    #[must_use]
    pub fn store(self, index: Term, element: Term) -> Term {
        build(Op::Store, vec![self, index, element])
    }

    /// The bits rotated left by an amount of the same width (taken modulo the width).
    pub fn rotate_left(self, by: Term) -> Result<Term, crate::IllSorted> {
        rotate(self, by, Op::BvShl, Op::BvLshr)
    }

    /// The bits rotated right by an amount of the same width (taken modulo the width).
    pub fn rotate_right(self, by: Term) -> Result<Term, crate::IllSorted> {
        rotate(self, by, Op::BvLshr, Op::BvShl)
    }
}

/// SMT-LIB rotates by constants only; this is the two shifts that a rotation by a term is.
fn rotate(bits: Term, by: Term, there: Op, back: Op) -> Result<Term, crate::IllSorted> {
    let Sort::Bv(width) = Op::BvShl.sort_of(&[bits.sort(), by.sort()])? else {
        unreachable!("shifts yield bit-vectors")
    };
    // In `width` bits the number `width` itself may not fit; one more bit holds it.
    let wide = |term| Term::app(Op::ZeroExtend(1), vec![term]);
    let narrow = |term| Term::app(Op::Extract(width - 1, 0), vec![term]);
    let modulus = Term::bv(width + 1, width);
    let by = Term::app(Op::BvUrem, vec![wide(by)?, modulus])?;
    let rest = Term::app(Op::BvSub, vec![modulus, by])?;
    let high = Term::app(there, vec![bits, narrow(by)?])?;
    // A rest of `width` truncates to some smaller number only if `by` is zero, where nothing moves.
    let low = Term::app(back, vec![bits, narrow(rest)?])?;
    let moved = Term::app(Op::BvOr, vec![high, low])?;
    let zero = by.equals(Term::bv(width + 1, 0));
    Ok(zero.ite(bits, moved))
}
