//! Floating numbers as terms: which operation on bits is which operator or function of C.
//!
//! `float` and `double` are IEEE 754's binary32 and binary64, every operation rounds to its own type, to the nearest number.

use crate::c::flat::Function;
use lapidary_expr::float::Format;
use lapidary_expr::{Op, Term};

use crate::c::ir::{Binary, Unary};
use crate::c::lower::arith::{Number, Numbers};
use crate::c::types::IntType;

impl Function {
    pub(in crate::c) fn of(self, x: Term, format: Format) -> Term {
        match self {
            Function::Absolute => format.absolute(x),
            Function::Root => format.root(x),
            Function::Floor => format.floor(x),
            Function::Ceiling => format.ceiling(x),
            Function::Truncated => format.truncated(x),
        }
    }
}

pub(in crate::c) fn compare(op: Binary, a: Term, b: Term, format: Format) -> Term {
    match op {
        Binary::Eq => format.equals(a, b),
        Binary::Ne => format.equals(a, b).not(),
        Binary::Lt => format.less(a, b),
        _ => format.at_most(a, b),
    }
}

/// An operator with a floating result; the others are no operators on floating numbers.
pub(in crate::c) fn binary(op: Binary, a: Term, b: Term, format: Format) -> Option<Term> {
    Some(match op {
        Binary::Add => format.plus(a, b),
        Binary::Sub => format.minus(a, b),
        Binary::Mul => format.times(a, b),
        Binary::Div => format.over(a, b),
        _ => return None,
    })
}

pub(in crate::c) fn unary(op: Unary, x: Term, format: Format) -> Option<Term> {
    (op == Unary::Neg).then(|| format.negated(x))
}

impl Numbers {
    /// The floating number nearest to an integer.
    pub(in crate::c) fn to_float(self, number: Number, from: IntType, format: Format) -> Number {
        let bits = self.bits(number.term(), from);
        self.any(format.of_integer(bits, from.signed))
    }

    /// The integer that a floating number is without its fraction, and whether there is one of this type.
    pub(in crate::c) fn of_float(self, x: Term, format: Format, to: IntType) -> (Number, Term) {
        let (bits, fits) = format.to_integer(x, to.width, to.signed);
        (self.of_bits(bits, to), fits)
    }

    /// The bits of a number as a number of another type.
    pub(in crate::c) fn seen_as(self, number: Number, from: IntType, to: IntType) -> Number {
        self.of_bits(self.bits(number.term(), from), to)
    }

    /// A number as bits.
    pub(in crate::c) fn bits(self, term: Term, ty: IntType) -> Term {
        match self.sort(ty) {
            lapidary_expr::Sort::Bv(_) => term,
            _ => app(Op::IntToBv(ty.width), term),
        }
    }

    fn of_bits(self, bits: Term, ty: IntType) -> Number {
        let term = match (self.sort(ty), ty.signed) {
            (lapidary_expr::Sort::Bv(_), _) => bits,
            (_, true) => app(Op::BvToSigned, bits),
            (_, false) => app(Op::BvToInt, bits),
        };
        self.of_type(term, ty)
    }
}

fn app(op: Op, arg: Term) -> Term {
    Term::app(op, vec![arg]).unwrap_or_else(|error| panic!("ill-sorted number: {error}"))
}
