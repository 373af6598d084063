//! Numbers between which an integer term lies, read off the bounds that stand on a path.

use lapidary_expr::simplify::linear::Linear;
use lapidary_expr::{IBig, Op, RBig, Term};

use super::path::Path;

/// The least and the greatest value, where they are known.
type Bounds = (Option<IBig>, Option<IBig>);

/// The range of a term; none if it is not bounded on both sides.
pub(super) fn range(path: &Path, term: Term) -> Option<(IBig, IBig)> {
    let (low, high) = bounds(path, term);
    Some((low?, high?))
}

fn bounds(path: &Path, term: Term) -> Bounds {
    let by_structure = match (term.op(), term.args()) {
        (Op::Lit(_), _) => (term.as_int().cloned(), term.as_int().cloned()),
        (Op::Mod, [_, divisor]) => {
            match divisor.as_int().filter(|divisor| **divisor > IBig::ZERO) {
                Some(divisor) => (Some(IBig::ZERO), Some(divisor - IBig::ONE)),
                None => (None, None),
            }
        }
        (Op::Ite, [condition, then, otherwise]) => {
            let then = given(bounds(path, *then), *condition, *then);
            let otherwise = given(bounds(path, *otherwise), condition.not(), *otherwise);
            let low = then.0.zip(otherwise.0).map(|(a, b)| a.min(b));
            (low, then.1.zip(otherwise.1).map(|(a, b)| a.max(b)))
        }
        (Op::Add | Op::Mul, _) => sum(path, term),
        _ => (None, None),
    };
    let comparisons = path.iter().flatten().filter(|formula| *formula.op() == Op::Le);
    comparisons.fold(by_structure, |bounds, formula| given(bounds, *formula, term))
}

fn sum(path: &Path, term: Term) -> Bounds {
    let linear = Linear::of(term);
    let start = (Some(linear.constant.floor()), Some(linear.constant.floor()));
    linear.monomials.iter().fold(start, |(low, high), (monomial, coefficient)| {
        if *monomial == term {
            return (None, None);
        }
        let factor = coefficient.numerator();
        let scaled = |bound: Option<IBig>| bound.map(|bound| factor * bound);
        let (least, greatest) = bounds(path, *monomial);
        let (least, greatest) = match *factor > IBig::ZERO {
            true => (scaled(least), scaled(greatest)),
            false => (scaled(greatest), scaled(least)),
        };
        (low.zip(least).map(|(a, b)| a + b), high.zip(greatest).map(|(a, b)| a + b))
    })
}

/// The bounds of a term where a comparison holds that is about a multiple of it, up to a constant.
fn given((low, high): Bounds, condition: Term, term: Term) -> Bounds {
    let ([left, right], Op::Le) = (condition.args(), condition.op()) else { return (low, high) };
    // condition: bound <= 0; term: value
    let (bound, value) = (Linear::of(left.minus(*right)), Linear::of(term));
    let Some(((_, first), (_, other))) = value.monomials.first().zip(bound.monomials.first())
    else {
        return (low, high);
    };
    let ratio = first / other;
    let pairs = value.monomials.iter().zip(&bound.monomials);
    let is_multiple = value.monomials.len() == bound.monomials.len()
        && pairs.into_iter().all(|((a, c), (b, d))| a == b && *c == d * &ratio);
    if !is_multiple {
        return (low, high);
    }
    // value - its constant = ratio·(bound - its constant), and bound <= 0.
    let limit = value.constant - &ratio * bound.constant;
    match ratio > RBig::ZERO {
        true => {
            let limit = limit.floor();
            (low, Some(high.map_or(limit.clone(), |high| high.min(limit))))
        }
        false => {
            let limit = limit.ceil();
            (Some(low.map_or(limit.clone(), |low| low.max(limit))), high)
        }
    }
}
