//! From integers back to bit-vectors.

mod wide;

use lapidary_expr::term::simplify::linear::Linear;
use lapidary_expr::{IBig, Op, Sort, Term, Value};
use rustc_hash::FxHashMap;

use super::range::{Reading, exponent};
use super::{Twin, bottom_up};
use wide::Wide;

/// Larger atoms are refused: they would make no predicate, and are walked by recursion.
const LARGEST: u32 = 512;

/// Writes formulas about the variables of a twin as formulas about what these stand for.
pub(super) struct Back<'a> {
    twin: &'a Twin,
}

impl<'a> Back<'a> {
    pub(super) fn new(twin: &'a Twin) -> Self {
        Back { twin }
    }

    pub(super) fn reading(&self) -> Reading {
        self.twin.reading
    }

    /// The formula with its atoms written back.
    pub(super) fn formula(&self, formula: Term) -> Option<Term> {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for term in bottom_up(&[formula], is_connective) {
            let written = if is_connective(term) {
                let args = term.args().iter().map(|arg| done[arg]).collect();
                Term::app(term.op().clone(), args).ok()?
            } else {
                self.atom(term)?
            };
            done.insert(term, written);
        }
        done.get(&formula).copied()
    }

    fn atom(&self, atom: Term) -> Option<Term> {
        let twins = atom.vars().iter().filter(|var| self.twin.originals.contains_key(var)).count();
        if twins == 0 {
            return Some(atom);
        }
        if atom.size() > LARGEST {
            return None;
        }
        if twins < atom.vars().len() || atom.args()[0].sort() != Sort::Int {
            return Some(self.converted(atom));
        }
        // Built again for its normal form, in which integers have no `<`.
        let atom = Term::app(atom.op().clone(), atom.args().to_vec()).ok()?;
        match (atom.op(), atom.args()) {
            (Op::Lit(_), _) => Some(atom),
            (Op::Le | Op::Eq, [left, right]) => {
                let difference = Sum::of(left.minus(*right))?;
                self.small(atom.op(), &difference)
                    .or_else(|| self.congruence(atom.op(), &difference))
                    .or_else(|| Wide::comparison(self, atom.op(), difference))
            }
            _ => None,
        }
    }

    /// Integers that are no twins take part: the bit-vectors come as integers.
    fn converted(&self, atom: Term) -> Term {
        let conversion = self.twin.reading.conversion();
        atom.map_vars(&|var| {
            let original = *self.twin.originals.get(&var)?;
            Term::app(conversion.clone(), vec![original]).ok()
        })
    }

    /// What an integer variable stands for, with its width.
    pub(super) fn original(&self, term: Term) -> Option<(Term, u32)> {
        let original = *self.twin.originals.get(&term.as_var()?)?;
        match original.sort() {
            Sort::Bv(width) => Some((original, width)),
            _ => None,
        }
    }

    /// Comparisons of one variable with a constant, and of two variables.
    fn small(&self, op: &Op, difference: &Sum) -> Option<Term> {
        let constant = &difference.constant;
        match &difference.monomials[..] {
            [(x, factor)] if factor.is_one() || *factor == IBig::NEG_ONE => {
                let (x, width) = self.original(*x)?;
                Some(match (op, factor.is_one()) {
                    (Op::Le, true) => self.at_most(x, width, &-constant),
                    // Not `constant <= x`, so that a bound and its negation are one atom.
                    (Op::Le, false) => self.at_most(x, width, &(constant - IBig::ONE)).not(),
                    (_, true) => self.equals(x, width, &-constant),
                    (_, false) => self.equals(x, width, constant),
                })
            }
            [(x, first), (y, second)] if *first == -second => {
                let (x, y) = if first.is_one() { (*x, *y) } else { (*y, *x) };
                let ((x, width), (y, other)) = (self.original(x)?, self.original(y)?);
                let is_unit = first.is_one() || second.is_one();
                if width != other || !is_unit {
                    return None;
                }
                match op {
                    Op::Eq if constant.is_zero() => Some(x.equals(y)),
                    Op::Le if constant.is_zero() => Some(self.less_or_equal(x, y)),
                    Op::Le if constant.is_one() => Some(self.less_or_equal(y, x).not()),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn at_most(&self, x: Term, width: u32, bound: &IBig) -> Term {
        if *bound < self.reading().least(width) {
            false.into()
        } else if *bound >= self.reading().greatest(width) {
            true.into()
        } else {
            self.less_or_equal(x, Term::bv(width, bound.clone()))
        }
    }

    fn equals(&self, x: Term, width: u32, value: &IBig) -> Term {
        let is_possible =
            self.reading().least(width) <= *value && *value <= self.reading().greatest(width);
        if is_possible { x.equals(Term::bv(width, value.clone())) } else { false.into() }
    }

    fn less_or_equal(&self, x: Term, y: Term) -> Term {
        let op = match self.reading() {
            Reading::Unsigned => Op::BvUle,
            Reading::Signed => Op::BvSle,
        };
        bits(op, vec![x, y])
    }

    /// `L mod 2^n = c`, which is what the low bits of bit-vectors say whatever wraps.
    fn congruence(&self, op: &Op, difference: &Sum) -> Option<Term> {
        let [(remainder, factor)] = &difference.monomials[..] else { return None };
        let (Op::Eq, Op::Mod, [number, modulus]) = (op, remainder.op(), remainder.args()) else {
            return None;
        };
        let modulus = integer(*modulus)?;
        let low_bits = exponent(modulus)?;
        let value =
            if factor.is_one() { -&difference.constant } else { difference.constant.clone() };
        if !(factor.is_one() || *factor == IBig::NEG_ONE) || low_bits == 0 {
            return None;
        }
        if value < IBig::ZERO || value >= *modulus {
            return Some(false.into());
        }
        let sum = Sum::of(*number)?;
        let originals: Vec<(Term, u32)> =
            sum.monomials.iter().map(|(x, _)| self.original(*x)).collect::<Option<_>>()?;
        let (_, width) = *originals.first()?;
        let is_plain = low_bits <= width && originals.iter().all(|(_, other)| *other == width);
        let width = if is_plain { width } else { low_bits };
        if width > most_bits(originals.iter().map(|(_, own)| *own).max()?) {
            return None;
        }
        let terms = originals.iter().zip(&sum.monomials);
        let terms = terms.map(|((x, own), (_, factor))| {
            (resized(*x, *own, width, self.reading()), factor.clone())
        });
        let left = weighted(terms.collect(), &IBig::ZERO, width);
        let low = resized(left, width, low_bits, self.reading());
        Some(low.equals(Term::bv(low_bits, value - sum.constant)))
    }
}

/// A sum of integers, its coefficients integers too.
pub(super) struct Sum {
    pub(super) monomials: Vec<(Term, IBig)>,
    pub(super) constant: IBig,
}

impl Sum {
    pub(super) fn of(term: Term) -> Option<Sum> {
        let linear = Linear::of(term);
        let whole = |number: &lapidary_expr::RBig| {
            number.denominator().is_one().then(|| number.numerator().clone())
        };
        let monomials = linear.monomials.iter().map(|(term, c)| Some((*term, whole(c)?)));
        Some(Sum {
            monomials: monomials.collect::<Option<_>>()?,
            constant: whole(&linear.constant)?,
        })
    }
}

fn is_connective(term: Term) -> bool {
    match term.op() {
        Op::Not | Op::And | Op::Or => true,
        Op::Ite => term.sort() == Sort::Bool,
        Op::Eq => term.args()[0].sort() == Sort::Bool,
        _ => false,
    }
}

pub(super) fn integer(term: Term) -> Option<&'static IBig> {
    match term.as_lit() {
        Some(Value::Int(value)) => Some(value),
        _ => None,
    }
}

pub(super) fn bits(op: Op, args: Vec<Term>) -> Term {
    Term::app(op, args).unwrap_or_else(|error| unreachable!("bit-vectors of one width: {error}"))
}

/// The bits of `x`, extended or cut to another width.
pub(super) fn resized(x: Term, own: u32, width: u32, reading: Reading) -> Term {
    let op = match reading {
        _ if own == width => return x,
        _ if own > width => Op::Extract(width - 1, 0),
        Reading::Unsigned => Op::ZeroExtend(width - own),
        Reading::Signed => Op::SignExtend(width - own),
    };
    bits(op, vec![x])
}

/// The sum modulo 2^width, what is subtracted after what is added.
pub(super) fn weighted(terms: Vec<(Term, IBig)>, constant: &IBig, width: u32) -> Term {
    let (mut added, mut subtracted) = (Vec::new(), Vec::new());
    for (term, factor) in terms {
        let (side, size) =
            if factor < IBig::ZERO { (&mut subtracted, -factor) } else { (&mut added, factor) };
        // The value comes last, as in the normal form.
        side.push(bits(Op::BvMul, vec![term, Term::bv(width, size)]));
    }
    if *constant < IBig::ZERO && !added.is_empty() {
        subtracted.push(Term::bv(width, -constant));
    } else if !constant.is_zero() {
        added.push(Term::bv(width, constant.clone()));
    }
    let total = |terms: Vec<Term>| match terms[..] {
        [] => None,
        [only] => Some(only),
        _ => Some(bits(Op::BvAdd, terms)),
    };
    match (total(added), total(subtracted)) {
        (Some(added), Some(subtracted)) => bits(Op::BvSub, vec![added, subtracted]),
        (Some(added), None) => added,
        (None, Some(subtracted)) => bits(Op::BvNeg, vec![subtracted]),
        (None, None) => Term::bv(width, 0),
    }
}

/// More bits than this are not worth writing for variables of a width.
pub(super) fn most_bits(width: u32) -> u32 {
    2 * width + 64
}

/// The smallest width from `least` to `most` in which all these integers are read as they are.
pub(super) fn fitting(reading: Reading, ends: &[IBig], least: u32, most: u32) -> Option<u32> {
    (least.max(1)..=most).find(|width| {
        let (low, high) = (reading.least(*width), reading.greatest(*width));
        ends.iter().all(|end| low <= *end && *end <= high)
    })
}
