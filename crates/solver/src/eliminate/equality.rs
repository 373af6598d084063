//! Destructive equality resolution: `∃x. x = t ∧ φ` is `φ[t/x]`, if `x` does not occur in `t`.

use lapidary_expr::term::simplify::linear::Linear;
use lapidary_expr::{IBig, Op, RBig, Sort, Term, Var};

/// The conjuncts without `var`, if one of them defines it.
pub(super) fn resolve(var: Var, conjuncts: &[Term]) -> Option<Vec<Term>> {
    let (position, definition) =
        conjuncts.iter().enumerate().find_map(|(i, c)| Some((i, solve(*c, var)?)))?;
    let rest = conjuncts.iter().enumerate().filter(|(i, _)| *i != position);
    Some(rest.map(|(_, conjunct)| conjunct.substitute(var, definition)).collect())
}

/// The term that `var` must equal for the formula to hold, if the formula is such an equality.
fn solve(formula: Term, var: Var) -> Option<Term> {
    match (formula.op(), formula.args()) {
        (Op::Var(v), _) if *v == var => Some(true.into()),
        (Op::Not, [inner]) => match (inner.op(), inner.args()) {
            (Op::Var(v), _) if *v == var => Some(false.into()),
            // ¬(x = t) is x = ¬t for truth values.
            (Op::Eq, [left, right]) if left.sort() == Sort::Bool => {
                side(*left, *right, var).map(Term::not)
            }
            _ => None,
        },
        (Op::Eq, [left, right]) => side(*left, *right, var).or_else(|| match left.sort() {
            Sort::Int | Sort::Rat => isolate(*left, *right, var),
            Sort::Bv(_) => {
                isolate_bits(*left, *right, var).or_else(|| isolate_bits(*right, *left, var))
            }
            _ => None,
        }),
        _ => None,
    }
}

fn side(left: Term, right: Term, var: Var) -> Option<Term> {
    match (left.as_var() == Some(var), right.as_var() == Some(var)) {
        (true, _) if !right.mentions(var) => Some(right),
        (_, true) if !left.mentions(var) => Some(left),
        _ => None,
    }
}

/// `x` from a linear equation, if it occurs in no other monomial and the division is exact.
fn isolate(left: Term, right: Term, var: Var) -> Option<Term> {
    let sort = left.sort();
    let mut linear = Linear::of(left.minus(right));
    let position = linear.monomials.iter().position(|(term, _)| term.as_var() == Some(var))?;
    let (_, coefficient) = linear.monomials.remove(position);
    if linear.monomials.iter().any(|(term, _)| term.mentions(var)) {
        return None;
    }
    let unit = coefficient == RBig::ONE || coefficient == RBig::from(IBig::NEG_ONE);
    if sort == Sort::Int && !unit {
        return None;
    }
    let factor = -(RBig::ONE / coefficient);
    linear.monomials.iter_mut().for_each(|(_, c)| *c *= &factor);
    linear.constant *= factor;
    Some(linear.to_term(sort))
}

/// `x` from `x + rest = right` or `¬x = right`, modulo 2^n.
fn isolate_bits(left: Term, right: Term, var: Var) -> Option<Term> {
    if right.mentions(var) {
        return None;
    }
    match (left.op(), left.args()) {
        (Op::BvAdd, args) => {
            let (mine, rest): (Vec<Term>, Vec<Term>) =
                args.iter().partition(|arg| arg.mentions(var));
            if mine.len() != 1 || mine[0].as_var() != Some(var) {
                return None;
            }
            let rest = if rest.len() == 1 { rest[0] } else { Term::app(Op::BvAdd, rest).ok()? };
            Term::app(Op::BvSub, vec![right, rest]).ok()
        }
        (Op::BvSub, [from, what]) if from.as_var() == Some(var) && !what.mentions(var) => {
            Term::app(Op::BvAdd, vec![right, *what]).ok()
        }
        (Op::BvNot, [inner]) if inner.as_var() == Some(var) => {
            Term::app(Op::BvNot, vec![right]).ok()
        }
        _ => None,
    }
}
