//! Sets of values of a sort.

use lapidary_expr::{Bv, Op, Sort, Term, Value};

use lapidary_expr::interval::{Range, gcd};

/// Wider bit-vectors are not followed.
const WIDEST: u32 = 64;

/// A nonempty set of values of one sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pass) enum Abs {
    /// All values, of a sort about which nothing is said.
    Any,
    /// Truth values, as zero and one.
    Truth(Range),
    /// Integers.
    Int(Range),
    /// Bit-vectors of a width, by their unsigned and by their signed numbers.
    Bits(u32, Range, Range),
}

impl Abs {
    /// All values of a sort.
    pub(in crate::pass) fn all(sort: Sort) -> Abs {
        match sort {
            Sort::Bool => Abs::Truth(Range::between(0, 1)),
            Sort::Int => Abs::Int(Range::ALL),
            Sort::Bv(width) if width <= WIDEST => Abs::Bits(
                width,
                Range::between(0, (1 << width) - 1),
                Range::between(-(1 << (width - 1)), (1 << (width - 1)) - 1),
            ),
            _ => Abs::Any,
        }
    }

    /// One value, if it is of a sort that is followed.
    pub(in crate::pass) fn of(value: &Value) -> Abs {
        match value {
            Value::Bool(truth) => Abs::truth(*truth),
            Value::Int(number) => match i128::try_from(number) {
                Ok(number) => Abs::Int(Range::single(number)),
                Err(_) => Abs::Int(Range::ALL),
            },
            Value::Bv(bits) => match i128::try_from(bits.unsigned()) {
                Ok(number) => Abs::unsigned(bits.width(), Range::single(number)),
                Err(_) => Abs::all(Sort::Bv(bits.width())),
            },
            Value::Rat(_) | Value::Array(_) => Abs::Any,
        }
    }

    pub(in crate::pass) fn truth(truth: bool) -> Abs {
        Abs::Truth(Range::single(i128::from(truth)))
    }

    /// Bit-vectors whose unsigned numbers are these modulo 2^width.
    pub(in crate::pass) fn unsigned(width: u32, range: Range) -> Abs {
        Abs::wrapped(width, range, range)
    }

    /// Bit-vectors whose numbers are, modulo 2^width, in both sets.
    pub(in crate::pass) fn wrapped(width: u32, unsigned: Range, signed: Range) -> Abs {
        if width > WIDEST {
            return Abs::Any;
        }
        let all = Abs::all(Sort::Bv(width));
        let (unsigned, signed) =
            (unsigned.wrapped(width, 0), signed.wrapped(width, -(1 << (width - 1))));
        reduced(width, unsigned, signed).unwrap_or(all)
    }

    /// The value, if there is one only.
    pub(in crate::pass) fn value(self) -> Option<Value> {
        match self {
            Abs::Any => None,
            Abs::Truth(range) => range.value().map(|value| Value::Bool(value != 0)),
            Abs::Int(range) => range.value().map(Value::int),
            Abs::Bits(width, range, _) => {
                range.value().map(|value| Value::Bv(Bv::wrap(width, &value.into())))
            }
        }
    }

    /// The truth value, if there is one only.
    pub(in crate::pass) fn as_truth(self) -> Option<bool> {
        match self {
            Abs::Truth(range) => range.value().map(|value| value != 0),
            _ => None,
        }
    }

    /// Whether `other` has all values.
    pub(in crate::pass) fn is_subset(self, other: Abs) -> bool {
        match (self, other) {
            (_, Abs::Any) => true,
            (Abs::Truth(a), Abs::Truth(b)) | (Abs::Int(a), Abs::Int(b)) => a.is_subset(b),
            (Abs::Bits(_, a, c), Abs::Bits(_, b, d)) => a.is_subset(b) && c.is_subset(d),
            _ => false,
        }
    }

    /// A set with the values of both.
    pub(in crate::pass) fn join(self, other: Abs) -> Abs {
        self.combine(other, Range::join)
    }

    /// A set with the values of both, such that a chain of them ends.
    pub(in crate::pass) fn widen(self, new: Abs, thresholds: &[i128]) -> Abs {
        self.combine(new, |old, new| old.widen(new, thresholds))
    }

    fn combine(self, other: Abs, join: impl Fn(Range, Range) -> Range) -> Abs {
        match (self, other) {
            (Abs::Truth(a), Abs::Truth(b)) => Abs::Truth(a.join(b)),
            (Abs::Int(a), Abs::Int(b)) => Abs::Int(join(a, b)),
            (Abs::Bits(width, a, c), Abs::Bits(_, b, d)) => {
                let (unsigned, signed) = (join(a, b), join(c, d));
                let half = 1i128 << (width - 1);
                let unsigned = unsigned.meet(Range::between(0, 2 * half - 1)).unwrap_or(unsigned);
                let signed = signed.meet(Range::between(-half, half - 1)).unwrap_or(signed);
                reduced(width, unsigned, signed).unwrap_or(Abs::Bits(width, unsigned, signed))
            }
            _ => Abs::Any,
        }
    }

    /// The common values, or some more; none if there are none.
    pub(in crate::pass) fn meet(self, other: Abs) -> Option<Abs> {
        match (self, other) {
            (Abs::Any, other) => Some(other),
            (Abs::Truth(a), Abs::Truth(b)) => a.meet(b).map(Abs::Truth),
            (Abs::Int(a), Abs::Int(b)) => a.meet(b).map(Abs::Int),
            (Abs::Bits(width, a, c), Abs::Bits(_, b, d)) => reduced(width, a.meet(b)?, c.meet(d)?),
            (this, _) => Some(this),
        }
    }

    /// The formulas that say that `term`, of the sort of these values, is one of them; none if that is any value.
    pub(in crate::pass) fn facts(self, term: Term) -> Vec<Term> {
        if self == Abs::all(term.sort()) {
            return Vec::new();
        }
        if let Some(value) = self.value() {
            return vec![term.equals(Term::lit(value))];
        }
        let mut facts = Vec::new();
        match self {
            Abs::Any | Abs::Truth(_) => {}
            Abs::Int(range) => {
                if range.lo != lapidary_expr::interval::LEAST {
                    facts.push(Term::int(range.lo).at_most(term));
                }
                if range.hi != lapidary_expr::interval::GREATEST {
                    facts.push(term.at_most(Term::int(range.hi)));
                }
                if range.modulus > 1 {
                    let rest = apply(Op::Mod, [term, Term::int(range.modulus)]);
                    facts.push(rest.equals(Term::int(range.rest)));
                }
            }
            Abs::Bits(width, unsigned, signed) => {
                bit_facts(term, width, unsigned, signed, &mut facts);
            }
        }
        facts
    }
}

/// The formulas for bit-vectors; bounds that follow from the other ones are left out.
fn bit_facts(term: Term, width: u32, unsigned: Range, signed: Range, facts: &mut Vec<Term>) {
    let half = 1i128 << (width - 1);
    let bounds = |range: Range, op: Op, least: i128, facts: &mut Vec<Term>| {
        // The bounds of the sort, moved to elements, follow from the congruence.
        let all = Range::new(least, least + 2 * half - 1, range.modulus, range.rest);
        if all.is_none_or(|all| range.lo > all.lo) {
            facts.push(apply(op.clone(), [Term::bv(width, range.lo), term]));
        }
        if all.is_none_or(|all| range.hi < all.hi) {
            facts.push(apply(op, [term, Term::bv(width, range.hi)]));
        }
    };
    if unsigned.hi < half || unsigned.lo >= half {
        bounds(unsigned, Op::BvUle, 0, facts);
    } else if signed.lo >= 0 || signed.hi < 0 {
        bounds(signed, Op::BvSle, -half, facts);
    } else {
        bounds(unsigned, Op::BvUle, 0, facts);
        bounds(signed, Op::BvSle, -half, facts);
    }
    if unsigned.modulus > 1 {
        let rest = apply(Op::BvUrem, [term, Term::bv(width, unsigned.modulus)]);
        facts.push(rest.equals(Term::bv(width, unsigned.rest)));
    }
    if signed.modulus > 1 && unsigned.modulus % signed.modulus != 0 {
        // Where the signs differ, `reduced` leaves congruences modulo powers of two only, which hold for both.
        let rest = apply(Op::BvUrem, [term, Term::bv(width, signed.modulus)]);
        facts.push(rest.equals(Term::bv(width, signed.rest)));
    }
}

/// An operator on arguments that fit.
fn apply(op: Op, args: [Term; 2]) -> Term {
    Term::app(op, args.into()).unwrap_or_else(|error| unreachable!("{error}"))
}

/// What the unsigned numbers say about the signed ones and the other way round; none if there is no value.
fn reduced(width: u32, unsigned: Range, signed: Range) -> Option<Abs> {
    let half = 1i128 << (width - 1);
    let size = 2 * half;
    let (mut unsigned, mut signed) = (unsigned, signed);
    for _ in 0..2 {
        let as_signed = if unsigned.hi < half {
            unsigned
        } else if unsigned.lo >= half {
            unsigned.minus(Range::single(size))
        } else {
            power_of_two(unsigned, size)
        };
        signed = signed.meet(as_signed)?;
        let as_unsigned = if signed.lo >= 0 {
            signed
        } else if signed.hi < 0 {
            signed.plus(Range::single(size))
        } else {
            power_of_two(signed, size)
        };
        unsigned = unsigned.meet(as_unsigned)?;
    }
    if signed.lo < 0 && signed.hi >= 0 {
        // Other congruences of numbers of both signs have no simple formula.
        signed = power_of_two(signed, size).meet(Range::between(signed.lo, signed.hi))?;
    }
    Some(Abs::Bits(width, unsigned, signed))
}

/// What is left of a congruence when multiples of `size` are added.
fn power_of_two(range: Range, size: i128) -> Range {
    let modulus = gcd(range.modulus, size);
    Range::new(
        lapidary_expr::interval::LEAST,
        lapidary_expr::interval::GREATEST,
        modulus,
        range.rest,
    )
    .unwrap_or(Range::ALL)
}
