//! Fourier-Motzkin elimination where it is exact: rationals, and integers with coefficients ±1.

use lapidary_expr::simplify::linear::Linear;
use lapidary_expr::{IBig, Op, RBig, Sort, Term, Var};

/// More pairs of bounds than this are not combined.
const MOST_PAIRS: usize = 16;

/// The conjuncts without `var`, if they are bounds of it, or differ from it.
pub(super) fn combine(var: Var, conjuncts: &[Term]) -> Option<Vec<Term>> {
    let (mut lower, mut upper, mut different) = (Vec::new(), Vec::new(), false);
    for conjunct in conjuncts {
        match bound(*conjunct, var)? {
            Bound::Lower(term, strict) => lower.push((term, strict)),
            Bound::Upper(term, strict) => upper.push((term, strict)),
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
    let pairs = lower.iter().flat_map(|low| upper.iter().map(move |high| (low, high)));
    Some(
        pairs.map(|((low, s), (high, t))| if *s || *t { low.less(*high) } else { low.at_most(*high) }).collect(),
    )
}

enum Bound {
    Lower(Term, bool),
    Upper(Term, bool),
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
    let unit = coefficient == RBig::ONE || coefficient == RBig::from(IBig::NEG_ONE);
    if op == Op::Eq {
        // With any coefficient, at most one value is excluded.
        return Some(Bound::Different);
    }
    if sort == Sort::Int && !unit {
        return None;
    }
    // coefficient·x + rest ⋈ 0
    let factor = -(RBig::ONE / &coefficient);
    linear.monomials.iter_mut().for_each(|(_, c)| *c *= &factor);
    linear.constant *= factor;
    let limit = linear.to_term(sort);
    let strict = op == Op::Lt;
    Some(if coefficient > RBig::ZERO { Bound::Upper(limit, strict) } else { Bound::Lower(limit, strict) })
}
