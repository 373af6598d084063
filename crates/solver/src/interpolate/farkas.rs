//! Linear contradictions by Farkas' lemma: partial sums of the rows are the interpolants.
//!
//! If rows `aᵢ·x ⋈ bᵢ` contradict each other over the rationals, there are multipliers `λᵢ` (not negative,
//! except for equations) with `Σ λᵢaᵢ = 0` and `Σ λᵢbᵢ < 0` (or `= 0` with a strict row among them). The sum
//! over the rows of the first parts follows from them, contradicts the rest, and speaks only of variables
//! that both have: all others have cancelled out. Adding the rows of the next part gives the next sum, so
//! the partial sums are a sequence (McMillan, An Interpolating Theorem Prover, TCS 2005).
//!
//! What differs: the bounds are not taken as they come. A contradiction often has room: with `Σ λᵢbᵢ = -30`,
//! the sums `y - 2x <= 0, -3, -6, …` may all be `y - 2x <= 0`. The bounds are as weak as the parts after a cut
//! allow, or as strong as those before it imply, whichever looks more inductive, and wherever a sum comes back
//! that is the same but for the versions of its variables, its bound stays if the room allows it: one predicate
//! instead of one per round of the loop. Of the path only as much of the end is looked at as is contradictory. Where the components of the sums look better than the sums, they are taken (`decomposed`).

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
        let mut constraints = constraints(path);
        let mut multipliers = self.multipliers(&constraints)?;
        // The end of the path alone, if that suffices: what it needs from the beginning is nothing.
        let (mut infeasible, mut feasible) = (0, path.len());
        while infeasible + 1 < feasible {
            let middle = infeasible.midpoint(feasible);
            let suffix: Vec<Constraint> =
                constraints.iter().filter(|c| c.part >= middle).cloned().collect();
            match self.multipliers(&suffix) {
                Some(shorter) => (infeasible, multipliers, constraints) = (middle, shorter, suffix),
                None => feasible = middle,
            }
        }
        self.fraction = None;
        Some(sums(path, &constraints, &multipliers))
    }
}

impl Farkas {
    /// The multipliers of a contradiction among the rows, by position; none if there is none.
    fn multipliers(&mut self, constraints: &[Constraint]) -> Option<Vec<(usize, Rational)>> {
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
            Feasibility::Infeasible(multipliers) => Some(multipliers),
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
    let sums = Sums::of(&shares);
    let weak = sums.formulas(&sums.backward(&shares));
    let strong = sums.formulas(&sums.forward(&shares));
    let decomposed = decomposed::sequence(path.len(), constraints, multipliers);
    // What the end of the path needs is more often an invariant than what its beginning implies.
    let candidates = [Some(weak), Some(strong), decomposed].into_iter().flatten();
    let looks = |itps: &Vec<Term>| {
        let Score { diverging, atoms, .. } = Score::of(itps);
        (diverging, atoms) // of equals, the first: a sum says more about a loop than its components do
    };
    let itps = candidates.min_by_key(looks).unwrap_or_default();
    Refutation { itps, used }
}

/// A bound, and whether it is not attained.
type Bound = (Rational, bool);

/// The sums at the cuts, with the bounds that the parts before imply and those that the parts after need.
struct Sums {
    at_cuts: Vec<Sum>,
    /// What a sum of the first parts is bounded by.
    strongest: Vec<Bound>,
    /// What it must be bounded by for the contradiction to remain.
    weakest: Vec<Bound>,
}

impl Sums {
    fn of(shares: &[Share]) -> Sums {
        let cuts = shares.len().saturating_sub(1);
        let (mut sum, mut before): (Sum, Bound) = (Sum::default(), (Rational::ZERO, false));
        let (mut at_cuts, mut strongest) = (Vec::new(), Vec::new());
        for share in &shares[..cuts] {
            sum.join(&share.sum);
            before = (before.0.plus(&share.bound), before.1 || share.strict);
            at_cuts.push(sum.clone());
            strongest.push(before.clone());
        }
        let mut after: Bound = (Rational::ZERO, false);
        let mut weakest = Vec::new();
        for share in shares[1..].iter().rev() {
            after = (after.0.plus(&share.bound), after.1 || share.strict);
            // sum <= -after contradicts the rest if the rest is strict, and sum < -after does anyway.
            weakest.push((after.0.negated(), !after.1));
        }
        weakest.reverse();
        Sums { at_cuts, strongest, weakest }
    }

    /// From the beginning: bounds as strong as the parts before make them, kept where a sum comes back.
    fn forward(&self, shares: &[Share]) -> Vec<Bound> {
        let mut kept: BTreeMap<Vec<(Term, Rational)>, Bound> = BTreeMap::new();
        let mut bounds: Vec<Bound> = Vec::new();
        for (i, sum) in self.at_cuts.iter().enumerate() {
            let implied = match bounds.last() {
                Some((value, strict)) => {
                    (value.plus(&shares[i].bound), *strict || shares[i].strict)
                }
                None => self.strongest[i].clone(),
            };
            let shape = shape(sum);
            let old = kept.get(&shape);
            let bound = match old {
                Some(old) if is_weaker(old, &implied) && is_weaker(&self.weakest[i], old) => {
                    old.clone()
                }
                _ => implied,
            };
            kept.insert(shape, bound.clone());
            bounds.push(bound);
        }
        bounds
    }

    /// From the end: bounds as weak as the parts after allow, kept where a sum comes back.
    fn backward(&self, shares: &[Share]) -> Vec<Bound> {
        let mut kept: BTreeMap<Vec<(Term, Rational)>, Bound> = BTreeMap::new();
        let mut bounds: Vec<Bound> = Vec::new();
        for (i, sum) in self.at_cuts.iter().enumerate().rev() {
            let allowed = match bounds.last() {
                // bound + share <= the next bound; a strict share makes a strict sum.
                Some((value, strict)) => {
                    let share = &shares[i + 1];
                    (value.minus(&share.bound), *strict && !share.strict)
                }
                None => self.weakest[i].clone(),
            };
            let shape = shape(sum);
            let old = kept.get(&shape);
            let bound = match old {
                Some(old) if is_weaker(&allowed, old) && is_weaker(old, &self.strongest[i]) => {
                    old.clone()
                }
                _ => allowed,
            };
            kept.insert(shape, bound.clone());
            bounds.push(bound);
        }
        bounds.reverse();
        bounds
    }

    fn formulas(&self, bounds: &[Bound]) -> Vec<Term> {
        let formula = |(sum, (bound, strict)): (&Sum, &Bound)| {
            sum.compared(if *strict { Relation::Lt } else { Relation::Le }, bound)
        };
        self.at_cuts.iter().zip(bounds).map(formula).collect()
    }
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
