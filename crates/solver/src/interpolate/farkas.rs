//! Linear contradictions by Farkas' lemma: partial sums of the rows are the interpolants.
//!
//! If rows `aᵢ·x ⋈ bᵢ` contradict each other over the rationals, there are multipliers `λᵢ` (not negative,
//! except for equations) with `Σ λᵢaᵢ = 0` and `Σ λᵢbᵢ < 0` (or `= 0` with a strict row among them). The sum
//! over the rows of the first parts follows from them, contradicts the rest, and speaks only of variables
//! that both have: all others have cancelled out. Adding the rows of the next part gives the next sum, so
//! the partial sums are a sequence (McMillan, An Interpolating Theorem Prover, TCS 2005).
//!
//! What differs: the bounds are not taken as they come. A contradiction often has room: with `Σ λᵢbᵢ = -30`,
//! the sums `y - 2x <= 0, -3, -6, …` may all be `y - 2x <= 0`. Wherever a sum comes back that is the same but
//! for the versions of its variables, its bound stays if the room allows it: one predicate instead of one per
//! round of the loop. Where the components of the sums look better than the sums, they are taken (`decomposed`).

mod decomposed;

use std::collections::BTreeMap;

use lapidary_expr::{IBig, Sort, Term};
use rustc_hash::FxHashSet;

use super::path::{Constraint, Path, Refutation, Rule, Sum, constraints, unversioned};
use super::score::Score;
use crate::linear::{Feasibility, Rational, Relation, Row, solve};

/// More steps of the simplex method than this are not worth the sequence.
const PIVOTS: usize = 4_000;

#[derive(Default)]
pub(super) struct Farkas {
    /// After a failure: an integer that is not one in the rational solution, and that solution's floor.
    pub(super) fraction: Option<(Term, IBig)>,
}

impl Rule for Farkas {
    fn refute(&mut self, path: &Path) -> Option<Refutation> {
        self.fraction = None;
        let constraints = constraints(path);
        let mut numbers: BTreeMap<Term, usize> = BTreeMap::new();
        let mut monomials: Vec<Term> = Vec::new();
        for (term, _) in constraints.iter().flat_map(|constraint| &constraint.sum) {
            numbers.entry(*term).or_insert_with(|| {
                monomials.push(*term);
                monomials.len() - 1
            });
        }
        let rows: Vec<Row> = constraints.iter().map(|c| to_row(c, &numbers)).collect();
        match solve(monomials.len(), &rows, PIVOTS) {
            Feasibility::Infeasible(multipliers) => Some(sums(path, &constraints, &multipliers)),
            Feasibility::Feasible(values) => {
                self.fraction = fraction(&monomials, &values);
                None
            }
            Feasibility::Abandoned => None,
        }
    }
}

fn to_row(constraint: &Constraint, numbers: &BTreeMap<Term, usize>) -> Row {
    let mut sum: Vec<(usize, Rational)> =
        constraint.sum.iter().map(|(term, c)| (numbers[term], c.clone())).collect();
    sum.sort_by_key(|(var, _)| *var);
    Row { sum, relation: constraint.relation, bound: constraint.bound.clone() }
}

fn fraction(monomials: &[Term], values: &[Rational]) -> Option<(Term, IBig)> {
    let is_broken = |(term, value): &(&Term, &Rational)| {
        term.sort() == Sort::Int && term.as_var().is_some() && !value.is_integer()
    };
    let (term, value) = monomials.iter().zip(values).find(is_broken)?;
    Some((*term, value.floor()))
}

/// What the rows of one part add.
#[derive(Clone, Default)]
struct Share {
    sum: Sum,
    bound: Rational,
    strict: bool,
}

/// The partial sums, or their components where that looks more inductive.
fn sums(path: &Path, constraints: &[Constraint], multipliers: &[(usize, Rational)]) -> Refutation {
    let mut used = FxHashSet::default();
    let mut shares = vec![Share::default(); path.len()];
    for (row, factor) in multipliers.iter().filter(|(_, factor)| !factor.is_zero()) {
        let constraint = &constraints[*row];
        used.insert((constraint.part, constraint.literal));
        let share = &mut shares[constraint.part];
        share.sum.add(&constraint.sum, factor);
        share.bound = share.bound.plus(&constraint.bound.times(factor));
        share.strict |= constraint.relation == Relation::Lt;
    }
    let whole = sequence(&shares);
    let decomposed = decomposed::sequence(path.len(), constraints, multipliers);
    let itps = match decomposed.filter(|itps| Score::of(itps) < Score::of(&whole)) {
        Some(itps) => itps,
        None => whole,
    };
    Refutation { itps, used }
}

/// A bound, and whether it is not attained.
type Bound = (Rational, bool);

fn sequence(shares: &[Share]) -> Vec<Term> {
    // What the parts from here on add: the contradiction has to remain.
    let mut rest: Vec<Bound> = vec![(Rational::ZERO, false); shares.len() + 1];
    for (i, share) in shares.iter().enumerate().rev() {
        rest[i] = (rest[i + 1].0.plus(&share.bound), rest[i + 1].1 || share.strict);
    }
    let mut kept: BTreeMap<Vec<(Term, Rational)>, Bound> = BTreeMap::new();
    let (mut sum, mut bound): (Sum, Bound) = (Sum::default(), (Rational::ZERO, false));
    let mut itps = Vec::new();
    for (share, rest) in shares[..shares.len().saturating_sub(1)].iter().zip(&rest[1..]) {
        sum.join(&share.sum);
        bound = (bound.0.plus(&share.bound), bound.1 || share.strict);
        let shape = shape(&sum);
        if let Some(old) = kept.get(&shape)
            && is_weaker(old, &bound)
            && is_contradiction(old, rest)
        {
            bound = old.clone();
        }
        kept.insert(shape, bound.clone());
        let relation = if bound.1 { Relation::Lt } else { Relation::Le };
        itps.push(sum.compared(relation, &bound.0));
    }
    itps
}

/// Whether `0 ⋈` the sum of the bounds is impossible.
fn is_contradiction(bound: &Bound, rest: &Bound) -> bool {
    let total = bound.0.plus(&rest.0);
    total.is_negative() || (total.is_zero() && (bound.1 || rest.1))
}

/// The sum without versions, so that those of two rounds of a loop are the same.
fn shape(sum: &Sum) -> Vec<(Term, Rational)> {
    let mut shape: Vec<(Term, Rational)> =
        sum.0.iter().map(|(term, c)| (unversioned(*term), c.clone())).collect();
    shape.sort_by_key(|(term, _)| *term);
    shape
}

fn is_weaker(old: &Bound, new: &Bound) -> bool {
    old.0 > new.0 || (old.0 == new.0 && (!old.1 || new.1))
}
