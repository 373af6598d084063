//! Numbers between which an integer term lies, read off the bounds that stand on a path.

use std::cell::RefCell;

use lapidary_expr::term::simplify::linear::Linear;
use lapidary_expr::{IBig, Op, RBig, Sort, Term};
use rustc_hash::FxHashMap;

use super::path::Path;

/// The least and the greatest value, where they are known.
type Bounds = (Option<IBig>, Option<IBig>);

/// Comparisons as `sum <= 0`. Paths have most of them in common, and each is taken apart once.
#[derive(Default)]
pub(super) struct Comparisons(FxHashMap<Term, Linear>);

/// The ranges of terms on a path.
pub(super) struct Ranges {
    /// What is at most zero on the path, by its monomials.
    comparisons: FxHashMap<Vec<Term>, Vec<Linear>>,
    known: RefCell<FxHashMap<Term, Bounds>>,
}

impl Comparisons {
    /// The ranges on a path.
    pub(super) fn ranges(&mut self, path: &Path) -> Ranges {
        let mut comparisons: FxHashMap<Vec<Term>, Vec<Linear>> = FxHashMap::default();
        for formula in path.iter().flatten() {
            let ([left, right], Op::Le) = (formula.args(), formula.op()) else { continue };
            let linear = self.0.entry(*formula).or_insert_with(|| Linear::of(left.minus(*right)));
            comparisons.entry(monomials(linear)).or_default().push(linear.clone());
        }
        Ranges { comparisons, known: RefCell::default() }
    }
}

fn monomials(linear: &Linear) -> Vec<Term> {
    linear.monomials.iter().map(|(monomial, _)| *monomial).collect()
}

impl Ranges {
    /// The range of a term; none if it is not bounded on both sides.
    pub(super) fn of(&self, term: Term) -> Option<(IBig, IBig)> {
        if term.sort() != Sort::Int {
            return None;
        }
        let (low, high) = self.bounds(term);
        Some((low?, high?))
    }

    fn bounds(&self, term: Term) -> Bounds {
        if let Some(bounds) = self.known.borrow().get(&term) {
            return bounds.clone();
        }
        let by_structure = match (term.op(), term.args()) {
            (Op::Lit(_), _) => (term.as_int().cloned(), term.as_int().cloned()),
            (Op::Mod, [_, divisor]) => {
                match divisor.as_int().filter(|divisor| **divisor > IBig::ZERO) {
                    Some(divisor) => (Some(IBig::ZERO), Some(divisor - IBig::ONE)),
                    None => (None, None),
                }
            }
            (Op::Ite, [condition, then, otherwise]) => {
                let then = assumed(self.bounds(*then), *condition, *then);
                let otherwise = assumed(self.bounds(*otherwise), condition.not(), *otherwise);
                let low = then.0.zip(otherwise.0).map(|(a, b)| a.min(b));
                (low, then.1.zip(otherwise.1).map(|(a, b)| a.max(b)))
            }
            (Op::Add | Op::Mul, _) => self.sum(term),
            _ => (None, None),
        };
        let value = Linear::of(term);
        let about = self.comparisons.get(&monomials(&value));
        let bounds =
            about.into_iter().flatten().fold(by_structure, |old, bound| given(old, bound, &value));
        self.known.borrow_mut().insert(term, bounds.clone());
        bounds
    }

    fn sum(&self, term: Term) -> Bounds {
        let linear = Linear::of(term);
        let start = (Some(linear.constant.floor()), Some(linear.constant.floor()));
        linear.monomials.iter().fold(start, |(low, high), (monomial, coefficient)| {
            if *monomial == term {
                return (None, None);
            }
            let factor = coefficient.numerator();
            let scaled = |bound: Option<IBig>| bound.map(|bound| factor * bound);
            let (least, greatest) = self.bounds(*monomial);
            let (least, greatest) = match *factor > IBig::ZERO {
                true => (scaled(least), scaled(greatest)),
                false => (scaled(greatest), scaled(least)),
            };
            (low.zip(least).map(|(a, b)| a + b), high.zip(greatest).map(|(a, b)| a + b))
        })
    }
}

/// The bounds of a term where a condition holds.
fn assumed(bounds: Bounds, condition: Term, term: Term) -> Bounds {
    let ([left, right], Op::Le) = (condition.args(), condition.op()) else { return bounds };
    given(bounds, &Linear::of(left.minus(*right)), &Linear::of(term))
}

/// The bounds of `value` where `bound <= 0`, if that is about a multiple of it, up to a constant.
fn given((low, high): Bounds, bound: &Linear, value: &Linear) -> Bounds {
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
    let limit = &value.constant - &ratio * &bound.constant;
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

#[cfg(test)]
mod tests {
    use super::*;
    use lapidary_expr::{Value, Var};

    #[test]
    fn only_integers_have_ranges() {
        let x = Term::var(Var::new("x", Sort::Int));
        let path = vec![vec![Term::int(2).at_most(x), x.at_most(Term::int(5))]];
        let ranges = Comparisons::default().ranges(&path);
        assert_eq!(ranges.of(x), Some((2.into(), 5.into())));
        let array = Term::lit(Value::default_of(Sort::array(Sort::Int, Sort::Int)));
        assert_eq!(ranges.of(array), None);
    }
}
