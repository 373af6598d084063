//! Paths of literals: contradictions without disjunctions, as the arithmetic rules see them.

use std::collections::BTreeMap;

use lapidary_expr::term::simplify::linear::Linear;
use lapidary_expr::{Op, RBig, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::linear::{Rational, Relation};

/// For each part, the formulas whose conjunction it is.
pub(super) type Path = Vec<Vec<Term>>;

/// Interpolants for a path, and what they are made from.
#[derive(Clone, Debug)]
pub(super) struct Refutation {
    /// One for each cut.
    pub(super) itps: Vec<Term>,
    /// The formulas that the contradiction needs, with their part.
    pub(super) used: FxHashSet<(usize, Term)>,
}

/// A rule that refutes paths. It reads the formulas that it understands and ignores the others.
pub(super) trait Rule {
    fn refute(&mut self, path: &Path) -> Option<Refutation>;
}

/// `sum ⋈ bound`: an arithmetic literal as a row over its monomials.
#[derive(Clone, Debug)]
pub(super) struct Constraint {
    pub(super) part: usize,
    pub(super) literal: Term,
    pub(super) sum: Vec<(Term, Rational)>,
    pub(super) relation: Relation,
    pub(super) bound: Rational,
}

impl Constraint {
    /// The literal as a row, if it is a comparison of numbers.
    pub(super) fn of(part: usize, literal: Term) -> Option<Constraint> {
        let relation = match literal.op() {
            Op::Le => Relation::Le,
            Op::Lt => Relation::Lt,
            Op::Eq => Relation::Eq,
            _ => return None,
        };
        let [left, right] = *literal.args() else { return None };
        if !left.sort().is_arithmetic() {
            return None;
        }
        let (sum, bound) = row(left, right);
        Some(Constraint { part, literal, sum, relation, bound })
    }
}

/// `left - right ⋈ 0` as `sum ⋈ bound`.
pub(super) fn row(left: Term, right: Term) -> (Vec<(Term, Rational)>, Rational) {
    let linear = Linear::of(left.minus(right));
    let sum = linear.monomials.into_iter().map(|(term, c)| (term, c.into())).collect();
    (sum, Rational::from(linear.constant).negated())
}

/// The comparisons of numbers on a path.
pub(super) fn constraints(path: &Path) -> Vec<Constraint> {
    let literals = path
        .iter()
        .enumerate()
        .flat_map(|(part, formulas)| formulas.iter().map(move |f| (part, *f)));
    literals.filter_map(|(part, literal)| Constraint::of(part, literal)).collect()
}

/// A sum under construction; zero coefficients are dropped.
#[derive(Clone, Debug, Default)]
pub(super) struct Sum(pub(super) BTreeMap<Term, Rational>);

impl Sum {
    pub(super) fn add(&mut self, monomials: &[(Term, Rational)], factor: &Rational) {
        for (term, coefficient) in monomials {
            let old = self.0.remove(term).unwrap_or(Rational::ZERO);
            let new = old.plus(&coefficient.times(factor));
            if !new.is_zero() {
                self.0.insert(*term, new);
            }
        }
    }

    pub(super) fn join(&mut self, other: &Sum) {
        let monomials: Vec<(Term, Rational)> =
            other.0.iter().map(|(term, c)| (*term, c.clone())).collect();
        self.add(&monomials, &Rational::ONE);
    }

    /// `sum ⋈ bound` as a formula.
    pub(super) fn compared(&self, relation: Relation, bound: &Rational) -> Term {
        let zero = RBig::ZERO;
        let Some((first, _)) = self.0.first_key_value() else {
            let holds = match relation {
                Relation::Le => !bound.is_negative(),
                Relation::Lt => bound.is_positive(),
                Relation::Eq => bound.is_zero(),
            };
            return holds.into();
        };
        let sort = first.sort();
        let mut monomials: Vec<(Term, RBig)> =
            self.0.iter().map(|(term, c)| (*term, RBig::from(c))).collect();
        let mut bound = RBig::from(bound);
        if sort == Sort::Int {
            // Integers know no fractions.
            let scale =
                monomials.iter().map(|(_, c)| c).chain([&bound]).fold(RBig::ONE, |scale, c| {
                    let denominator = RBig::from((&scale * c).denominator().clone());
                    scale * denominator
                });
            monomials.iter_mut().for_each(|(_, c)| *c *= &scale);
            bound *= scale;
        }
        let left = Linear { monomials, constant: zero.clone() }.to_term(sort);
        let right = Linear { monomials: Vec::new(), constant: bound }.to_term(sort);
        match relation {
            Relation::Le => left.at_most(right),
            Relation::Lt => left.less(right),
            Relation::Eq => left.equals(right),
        }
    }
}

impl Sum {
    /// The sum of integer coefficients as a term.
    pub(super) fn to_term(&self, sort: Sort) -> Term {
        let monomials = self.0.iter().map(|(term, c)| (*term, RBig::from(c))).collect();
        Linear { monomials, constant: RBig::ZERO }.to_term(sort)
    }
}

/// The term without versions: what it says about the variables of the program.
pub(super) fn unversioned(term: Term) -> Term {
    term.map_vars(&|var| (var.version() != 0).then(|| Term::var(var.base())))
}

/// `l` in one part and `¬l` in another: the first of them is the interpolant in between.
#[derive(Default)]
pub(super) struct Complements {
    /// Negations are normalised, which takes time, and the cases of a path have most formulas in common.
    negations: FxHashMap<Term, Term>,
}

impl Rule for Complements {
    fn refute(&mut self, path: &Path) -> Option<Refutation> {
        let mut seen: FxHashMap<Term, usize> = FxHashMap::default();
        for (part, formulas) in path.iter().enumerate() {
            for formula in formulas {
                if formula.is_false() {
                    return Some(between(path, (part, *formula), (part, *formula)));
                }
                let negation = *self.negations.entry(*formula).or_insert_with(|| formula.not());
                if let Some(first) = seen.get(&negation) {
                    return Some(between(path, (*first, negation), (part, *formula)));
                }
                seen.entry(*formula).or_insert(part);
            }
        }
        None
    }
}

fn between(path: &Path, (first, held): (usize, Term), (last, denied): (usize, Term)) -> Refutation {
    let at = |cut: usize| match cut {
        _ if cut >= last => false.into(),
        _ if cut >= first => held,
        _ => true.into(),
    };
    let used = [(first, held), (last, denied)].into_iter().collect();
    Refutation { itps: (0..path.len().saturating_sub(1)).map(at).collect(), used }
}
