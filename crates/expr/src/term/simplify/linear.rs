//! Linear arithmetic: sums as `c₁·t₁ + … + cₙ·tₙ + c`, comparisons with collected sides.
//!
//! A *monomial* is a coefficient and a term that is neither a sum nor a value nor a product with a value;
//! products of several such terms count as one. Monomials are sorted by what their terms are, and not by when these
//! were built, so that the same formula reads the same whatever was done before. A comparison is written with
//! positive coefficients: `pos <= neg + c`, `c <= neg`, or `pos <= c`; over the integers it is divided by the common
//! divisor of its coefficients and rounded, and `<` becomes `<=`.

use dashu_int::ops::Gcd;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::verbatim;
use crate::op::Op;
use crate::sort::Sort;
use crate::term::Term;
use crate::value::Value;

/// `c₁·t₁ + … + cₙ·tₙ + constant`, without zero coefficients, sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear {
    /// The monomials.
    pub monomials: Vec<(Term, RBig)>,
    /// The rest.
    pub constant: RBig,
}

impl Linear {
    /// The linear form of a number.
    pub fn of(term: Term) -> Linear {
        let mut linear = Linear { monomials: Vec::new(), constant: RBig::ZERO };
        linear.add(term, &RBig::ONE);
        linear.collect();
        linear
    }

    fn add(&mut self, term: Term, factor: &RBig) {
        match (term.op(), term.args()) {
            (Op::Lit(value), _) => self.constant += value.to_rat() * factor,
            (Op::Add, args) => args.iter().for_each(|arg| self.add(*arg, factor)),
            (Op::Mul, [coefficient, rest]) if coefficient.as_lit().is_some() => {
                let coefficient = coefficient.as_lit().map_or(RBig::ONE, Value::to_rat);
                self.add(*rest, &(coefficient * factor));
            }
            _ => self.monomials.push((term, factor.clone())),
        }
    }

    fn collect(&mut self) {
        if self.monomials.len() > 1 {
            self.monomials.sort_by(|(a, _), (b, _)| a.cmp_structure(*b));
            self.monomials.dedup_by(|later, first| {
                let same = later.0 == first.0;
                if same {
                    first.1 += &later.1;
                }
                same
            });
        }
        self.monomials.retain(|(_, coefficient)| !coefficient.is_zero());
    }

    /// `self - other`.
    fn minus(mut self, other: Linear) -> Linear {
        self.constant -= other.constant;
        self.monomials.extend(other.monomials.into_iter().map(|(term, c)| (term, -c)));
        self.collect();
        self
    }

    fn scale(&mut self, factor: &RBig) {
        self.constant *= factor;
        self.monomials.iter_mut().for_each(|(_, c)| *c *= factor);
    }

    /// Makes the coefficients of the monomials coprime integers, keeping their signs.
    fn make_primitive(&mut self) {
        let denominator = self.monomials.iter().fold(UBig::ONE, |lcm, (_, c)| {
            let d = c.denominator();
            &lcm * d / (&lcm).gcd(d)
        });
        let gcd = self.monomials.iter().fold(UBig::ZERO, |gcd, (_, c)| {
            let scaled = c.numerator() * IBig::from(&denominator / c.denominator());
            let (_, size) = scaled.into_parts();
            if gcd.is_zero() { size } else { gcd.gcd(size) }
        });
        if !gcd.is_zero() {
            self.scale(&RBig::from_parts(denominator.into(), gcd));
        }
    }

    /// The term of the given sort.
    pub fn to_term(&self, sort: Sort) -> Term {
        let mut parts: Vec<Term> =
            self.monomials.iter().map(|(term, c)| monomial(c, *term)).collect();
        if !self.constant.is_zero() || parts.is_empty() {
            parts.push(number(&self.constant, sort));
        }
        match parts[..] {
            [only] => only,
            _ => Term::intern(Op::Add, parts.into(), sort),
        }
    }
}

fn number(value: &RBig, sort: Sort) -> Term {
    match sort {
        Sort::Rat => Term::lit(Value::Rat(value.clone())),
        _ => Term::lit(Value::Int(value.numerator().clone())),
    }
}

fn monomial(coefficient: &RBig, term: Term) -> Term {
    if coefficient.is_one() {
        return term;
    }
    let sort = term.sort();
    verbatim(Op::Mul, [number(coefficient, sort), term], sort)
}

pub(super) fn sum(args: &[Term], sort: Sort) -> Term {
    let mut linear = Linear { monomials: Vec::new(), constant: RBig::ZERO };
    args.iter().for_each(|arg| linear.add(*arg, &RBig::ONE));
    linear.collect();
    linear.to_term(sort)
}

pub(super) fn product(args: &[Term], sort: Sort) -> Term {
    let mut coefficient = RBig::ONE;
    let mut factors = Vec::new();
    let mut pending: Vec<Term> = args.to_vec();
    while let Some(arg) = pending.pop() {
        match (arg.op(), arg.args()) {
            (Op::Lit(value), _) => coefficient *= value.to_rat(),
            (Op::Mul, inner) => pending.extend(inner),
            _ => factors.push(arg),
        }
    }
    factors.sort_by(|a, b| a.cmp_structure(*b));
    let body = match factors[..] {
        [] => return number(&coefficient, sort),
        [only] => only,
        _ => Term::intern(Op::Mul, factors.into(), sort),
    };
    if coefficient.is_zero() {
        return number(&coefficient, sort);
    }
    let mut linear = Linear::of(body);
    linear.scale(&coefficient);
    linear.to_term(sort)
}

/// `left ⋈ right` for `<=`, `<` or `=` in normal form.
pub(super) fn comparison(op: Op, left: Term, right: Term) -> Term {
    let sort = left.sort();
    let mut difference = Linear::of(left).minus(Linear::of(right));
    if difference.monomials.is_empty() {
        let (constant, zero) = (&difference.constant, &RBig::ZERO);
        return match op {
            Op::Le => (constant <= zero).into(),
            Op::Lt => (constant < zero).into(),
            _ => (constant == zero).into(),
        };
    }
    difference.make_primitive();
    // monomials ⋈ bound
    let mut bound = -std::mem::replace(&mut difference.constant, RBig::ZERO);
    let mut op = op;
    if sort == Sort::Int {
        match op {
            Op::Eq if !bound.is_int() => return false.into(),
            Op::Eq => {}
            Op::Lt => (op, bound) = (Op::Le, RBig::from(bound.ceil() - IBig::ONE)),
            _ => bound = RBig::from(bound.floor()),
        }
    }
    if op == Op::Eq && difference.monomials[0].1 < RBig::ZERO {
        difference.scale(&-RBig::ONE);
        bound = -bound;
    }
    arranged(op, difference.monomials, bound, sort)
}

/// Positive monomials on the left, negative ones on the right, the bound where it reads best.
fn arranged(op: Op, monomials: Vec<(Term, RBig)>, bound: RBig, sort: Sort) -> Term {
    let (positive, negative): (Vec<_>, Vec<_>) =
        monomials.into_iter().partition(|(_, c)| *c > RBig::ZERO);
    let negative: Vec<_> = negative.into_iter().map(|(term, c)| (term, -c)).collect();
    let side = |monomials, constant| Linear { monomials, constant }.to_term(sort);
    let (left, right) = match positive.is_empty() {
        true => (side(positive, -bound), side(negative, RBig::ZERO)),
        false => (side(positive, RBig::ZERO), side(negative, bound)),
    };
    verbatim(op, [left, right], Sort::Bool)
}

/// `div`, `mod` and `rem` by one and by minus one.
pub(super) fn division(op: &Op, left: Term, right: Term) -> Option<Term> {
    let divisor = right.as_lit()?.as_int();
    let (one, minus_one) = (divisor.is_one(), *divisor == IBig::NEG_ONE);
    match op {
        Op::Div if one => Some(left),
        Op::Div if minus_one => Some(left.negated()),
        Op::Mod | Op::Rem if one || minus_one => Some(Term::int(0)),
        Op::Div if divisor.is_zero() => Some(Term::int(0)),
        Op::Mod | Op::Rem if divisor.is_zero() => Some(left),
        _ => None,
    }
}

/// Division by a value is multiplication.
pub(super) fn quotient(left: Term, right: Term) -> Option<Term> {
    let divisor = right.as_lit()?.to_rat();
    if divisor.is_zero() {
        return Some(number(&RBig::ZERO, Sort::Rat));
    }
    Some(product(&[number(&(RBig::ONE / divisor), Sort::Rat), left], Sort::Rat))
}
