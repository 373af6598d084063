//! Fourier-Motzkin elimination where it is exact: rationals, integers with coefficients ±1, and whatever is
//! bounded on one side only.

use lapidary_expr::term::simplify::linear::Linear;
use lapidary_expr::{IBig, Op, RBig, Sort, Term, Var};

/// More pairs of bounds than this are not combined.
const MOST_PAIRS: usize = 16;

/// The conjuncts without `var`, if they are bounds of it, or differ from it.
pub(super) fn combine(var: Var, conjuncts: &[Term]) -> Option<Vec<Term>> {
    let (mut lower, mut upper, mut different) = (Vec::new(), Vec::new(), false);
    for conjunct in conjuncts {
        match bound(*conjunct, var)? {
            Bound::Lower(limit) => lower.push(limit),
            Bound::Upper(limit) => upper.push(limit),
            Bound::Different => different = true,
        }
    }
    if lower.is_empty() || upper.is_empty() {
        // One direction is open: far enough out, finitely many other values can be avoided.
        return Some(Vec::new());
    }
    if different || lower.len() * upper.len() > MOST_PAIRS {
        return None;
    }
    let (lower, upper) = (all(lower)?, all(upper)?);
    let pairs = lower.iter().flat_map(|low| upper.iter().map(move |high| between(*low, *high)));
    Some(pairs.collect())
}

fn all(limits: Vec<Option<Limit>>) -> Option<Vec<Limit>> {
    limits.into_iter().collect()
}

/// Whether something lies above the one bound and below the other.
fn between((low, above): Limit, (high, below): Limit) -> Term {
    match (above, below) {
        (false, false) => low.at_most(high),
        // Of two integers that follow each other, none lies between them.
        (true, true) if low.sort() == Sort::Int => low.plus(Term::int(1)).less(high),
        _ => low.less(high),
    }
}

/// What a variable is compared with, and whether strictly.
type Limit = (Term, bool);

/// A bound; without limit if that would be a fraction, which integers cannot be compared with.
enum Bound {
    Lower(Option<Limit>),
    Upper(Option<Limit>),
    Different,
}

fn bound(formula: Term, var: Var) -> Option<Bound> {
    let (op, args) = match (formula.op(), formula.args()) {
        (Op::Not, [inner]) if *inner.op() == Op::Eq => (Op::Eq, inner.args()),
        (op @ (Op::Le | Op::Lt), args) => (op.clone(), args),
        _ => return None,
    };
    let sort = args[0].sort();
    if !sort.is_arithmetic() {
        return None;
    }
    let mut linear = Linear::of(args[0].minus(args[1]));
    let position = linear.monomials.iter().position(|(term, _)| term.as_var() == Some(var))?;
    let (_, coefficient) = linear.monomials.remove(position);
    if linear.monomials.iter().any(|(term, _)| term.mentions(var)) {
        return None;
    }
    if op == Op::Eq {
        // With any coefficient, at most one value is excluded.
        return Some(Bound::Different);
    }
    // coefficient·x + rest ⋈ 0
    let is_unit = coefficient == RBig::ONE || coefficient == RBig::from(IBig::NEG_ONE);
    let limit = (sort == Sort::Rat || is_unit).then(|| {
        let factor = -(RBig::ONE / &coefficient);
        linear.monomials.iter_mut().for_each(|(_, c)| *c *= &factor);
        linear.constant *= factor;
        (linear.to_term(sort), op == Op::Lt)
    });
    Some(if coefficient > RBig::ZERO { Bound::Upper(limit) } else { Bound::Lower(limit) })
}
