//! Equations, over the rationals and modulo a number: contradictions that no sum of inequalities explains
//! (`2x = 7`), and those whose explanation by inequalities unrolls the loop (`x = 2i`).
//!
//! Gaussian elimination reduces each equation by those before it and remembers the combination. A row `0 = c`
//! with `c ≠ 0` is a contradiction; so is a disequation `t ≠ u` whose difference reduces to zero. The partial
//! sums of the combination are the interpolants, as in Farkas' lemma: `s = c`, or `s ≡ c (mod m)`, written
//! `(mod s m) = c`. After a disequation they say `s ≠ c`.
//!
//! Modulo `m`, whatever is a multiple of `m` vanishes: the wrap-around of machine arithmetic (`ite(t < m, t,
//! t - m)`, `t mod m`) costs nothing there. A disequation counts modulo `m` only if its sides are less than
//! `m` apart, which the bounds on the path have to show.

use std::collections::BTreeMap;

use lapidary_expr::{IBig, Op, RBig, Sort, Term};
use rustc_hash::FxHashSet;

use super::path::{Path, Refutation, Rule, Sum};
use super::range::{Comparisons, Ranges};
use super::score::Score;
use crate::linear::{Rational, Relation};

/// Moduli that are always tried, besides those that occur.
const SMALL_MODULI: [i64; 7] = [2, 3, 4, 5, 7, 8, 16];

/// So many moduli that occur are tried, the smallest first.
const MODULI: usize = 4;

#[derive(Default)]
pub(super) struct Congruence {
    comparisons: Comparisons,
}

impl Rule for Congruence {
    /// Of the contradictions over the rationals and the moduli, the one that looks most inductive.
    fn refute(&mut self, path: &Path) -> Option<Refutation> {
        let mut best: Option<(Score, Refutation)> = None;
        let ranges = self.comparisons.ranges(path);
        for modulus in std::iter::once(None).chain(moduli(path).into_iter().map(Some)) {
            let Some(refutation) = Ring { modulus, ranges: &ranges }.refute(path) else { continue };
            let score = Score::of(&refutation.itps);
            if best
                .as_ref()
                .is_none_or(|(old, _)| (score.diverging, score.atoms) < (old.diverging, old.atoms))
            {
                best = Some((score, refutation));
            }
            if best.as_ref().is_some_and(|(score, _)| score.diverging == 0) {
                break;
            }
        }
        best.map(|(_, refutation)| refutation)
    }
}

/// The moduli that are worth a try: small ones, and those of remainders and wrap-around on the path.
fn moduli(path: &Path) -> Vec<IBig> {
    let mut found: Vec<IBig> = Vec::new();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut pending: Vec<Term> = path.iter().flatten().copied().collect();
    while let Some(term) = pending.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Some(value) = term.as_int() {
            let size = if *value < IBig::ZERO { -value } else { value.clone() };
            let is_power = size.trailing_zeros().is_some_and(|zeros| size == IBig::ONE << zeros);
            if is_power && size > IBig::from(16) && !found.contains(&size) {
                found.push(size);
            }
        }
        pending.extend(term.args());
    }
    found.sort();
    found.truncate(MODULI);
    SMALL_MODULI.into_iter().map(IBig::from).chain(found).collect()
}

/// The rationals, or the integers modulo a number.
struct Ring<'a> {
    modulus: Option<IBig>,
    /// What the path says about how large terms are.
    ranges: &'a Ranges,
}

/// `Σ coefficients = constant`, and the combination of equations that it is.
#[derive(Clone, Debug, Default)]
struct Equation {
    sum: Sum,
    constant: Rational,
    combination: BTreeMap<usize, Rational>,
}

/// An equation of the path, or a disequation.
struct Source {
    part: usize,
    formula: Term,
    sum: Sum,
    constant: Rational,
}

impl Ring<'_> {
    fn refute(&self, path: &Path) -> Option<Refutation> {
        let equations = self.sources(path, |formula| (*formula.op() == Op::Eq).then_some(formula));
        let mut pivots: Vec<(Term, Equation)> = Vec::new();
        for (i, source) in equations.iter().enumerate() {
            let mut row = Equation {
                sum: source.sum.clone(),
                constant: source.constant.clone(),
                combination: BTreeMap::from([(i, Rational::ONE)]),
            };
            self.reduce(&mut row, &pivots);
            if row.sum.0.is_empty() && !row.constant.is_zero() {
                return Some(self.refutation(path, &equations, &row.combination, None));
            }
            if let Some(pivot) = self.pivot(&mut row) {
                pivots.push((pivot, row));
            }
        }
        let disequations = self.sources(path, |formula| match (formula.op(), formula.args()) {
            (Op::Not, [inner]) if *inner.op() == Op::Eq && self.is_close(*inner) => Some(*inner),
            _ => None,
        });
        disequations.iter().find_map(|source| {
            let mut row = Equation {
                sum: source.sum.clone(),
                constant: source.constant.clone(),
                combination: BTreeMap::new(),
            };
            self.reduce(&mut row, &pivots);
            let implied = row.sum.0.is_empty() && row.constant.is_zero();
            implied.then(|| self.refutation(path, &equations, &row.combination, Some(source)))
        })
    }

    /// The formulas on the path that say something about equations in this ring.
    fn sources(&self, path: &Path, equation: impl Fn(Term) -> Option<Term>) -> Vec<Source> {
        let mut sources = Vec::new();
        for (part, formulas) in path.iter().enumerate() {
            for formula in formulas {
                let Some(equation) = equation(*formula) else { continue };
                let [left, right] = *equation.args() else { continue };
                let fits = left.sort() == Sort::Int
                    || (left.sort() == Sort::Rat && self.modulus.is_none());
                let mut linear = Equation::default();
                if fits
                    && self.add(&mut linear, left, &Rational::ONE).is_some()
                    && self.add(&mut linear, right, &Rational::ONE.negated()).is_some()
                {
                    let constant = self.reduced(&linear.constant.negated());
                    sources.push(Source { part, formula: *formula, sum: linear.sum, constant });
                }
            }
        }
        sources
    }

    /// Adds `factor·term`; none if that is no sum in this ring.
    fn add(&self, row: &mut Equation, term: Term, factor: &Rational) -> Option<()> {
        match (term.op(), term.args()) {
            (Op::Lit(_), _) => {
                row.constant = row.constant.plus(&Rational::from(term.as_number()?).times(factor));
            }
            (Op::Add, args) => args.iter().try_for_each(|arg| self.add(row, *arg, factor))?,
            (Op::Mul, [coefficient, rest]) if coefficient.as_lit().is_some() => {
                let value = Rational::from(coefficient.as_number()?);
                self.add(row, *rest, &value.times(factor))?;
            }
            (Op::Mod, [inner, divisor]) if self.divides(*divisor) => {
                self.add(row, *inner, factor)?;
            }
            (Op::Ite, [_, then, otherwise]) => {
                // Both are the same here, or the sum depends on the condition.
                let mut difference = Equation::default();
                self.add(&mut difference, *then, &Rational::ONE)?;
                self.add(&mut difference, *otherwise, &Rational::ONE.negated())?;
                let same =
                    difference.sum.0.is_empty() && self.reduced(&difference.constant).is_zero();
                return same.then(|| self.add(row, *then, factor))?;
            }
            _ => self.add_monomial(row, term, factor),
        }
        Some(())
    }

    fn add_monomial(&self, row: &mut Equation, term: Term, factor: &Rational) {
        let new = row.sum.0.remove(&term).unwrap_or_default().plus(factor);
        let new = self.reduced(&new);
        if !new.is_zero() {
            row.sum.0.insert(term, new);
        }
    }

    /// Whether multiples of the divisor vanish.
    fn divides(&self, divisor: Term) -> bool {
        match (&self.modulus, divisor.as_int()) {
            (Some(modulus), Some(value)) => !value.is_zero() && (value % modulus).is_zero(),
            _ => false,
        }
    }

    /// The number in the ring: modulo `m`, the residue closest to zero.
    fn reduced(&self, number: &Rational) -> Rational {
        let Some(modulus) = &self.modulus else { return number.clone() };
        let number = RBig::from(number);
        let mut residue = number.numerator() % modulus;
        if &residue * IBig::from(2) > *modulus {
            residue -= modulus;
        } else if &residue * IBig::from(-2) >= *modulus {
            residue += modulus;
        }
        Rational::from(RBig::from(residue))
    }

    /// Eliminates the variables that earlier equations define.
    fn reduce(&self, row: &mut Equation, pivots: &[(Term, Equation)]) {
        for (variable, definition) in pivots {
            let Some(factor) = row.sum.0.get(variable).cloned() else { continue };
            let factor = factor.negated();
            for (term, coefficient) in &definition.sum.0 {
                self.add_monomial(row, *term, &self.reduced(&coefficient.times(&factor)));
            }
            row.constant = self.reduced(&row.constant.plus(&definition.constant.times(&factor)));
            for (source, coefficient) in &definition.combination {
                let new = row.combination.remove(source).unwrap_or_default();
                let new = self.reduced(&new.plus(&coefficient.times(&factor)));
                if !new.is_zero() {
                    row.combination.insert(*source, new);
                }
            }
        }
    }

    /// Makes one coefficient one: that of the variable with the latest version, which the others define.
    fn pivot(&self, row: &mut Equation) -> Option<Term> {
        let candidates = row.sum.0.iter().filter_map(|(term, c)| Some((*term, self.inverse(c)?)));
        let version = |term: &Term| term.as_var().map(lapidary_expr::Var::version);
        let (pivot, inverse) = candidates.max_by_key(|(term, _)| (version(term), *term))?;
        let scale = |number: &mut Rational| *number = self.reduced(&number.times(&inverse));
        row.sum.0.values_mut().for_each(scale);
        row.combination.values_mut().for_each(scale);
        scale(&mut row.constant);
        Some(pivot)
    }

    fn inverse(&self, number: &Rational) -> Option<Rational> {
        let Some(modulus) = &self.modulus else {
            return (!number.is_zero()).then(|| Rational::ONE.over(number));
        };
        let (mut a, mut b) = (RBig::from(number).numerator() % modulus, modulus.clone());
        if a < IBig::ZERO {
            a += modulus;
        }
        let (mut x, mut y) = (IBig::ONE, IBig::ZERO);
        while !b.is_zero() {
            let quotient = &a / &b;
            (a, b) = (b.clone(), a - &quotient * b);
            (x, y) = (y.clone(), x - quotient * y);
        }
        a.is_one().then(|| self.reduced(&Rational::from(RBig::from(x))))
    }

    /// Whether the sides of an equation are less than the modulus apart.
    fn is_close(&self, equation: Term) -> bool {
        let Some(modulus) = &self.modulus else { return true };
        let [left, right] = *equation.args() else { return false };
        match (self.ranges.of(left), self.ranges.of(right)) {
            (Some(left), Some(right)) => {
                &left.1 - &right.0 < *modulus && &right.1 - &left.0 < *modulus
            }
            _ => false,
        }
    }

    /// The partial sums of a combination.
    fn refutation(
        &self,
        path: &Path,
        equations: &[Source],
        combination: &BTreeMap<usize, Rational>,
        denied: Option<&Source>,
    ) -> Refutation {
        let mut used = FxHashSet::default();
        let mut shares = vec![Equation::default(); path.len()];
        let terms = combination.iter().map(|(i, factor)| (&equations[*i], factor.clone()));
        for (source, factor) in terms.chain(denied.map(|source| (source, Rational::ONE))) {
            used.insert((source.part, source.formula));
            let share = &mut shares[source.part];
            for (term, c) in &source.sum.0 {
                self.add_monomial(share, *term, &self.reduced(&c.times(&factor)));
            }
            share.constant = self.reduced(&share.constant.plus(&source.constant.times(&factor)));
        }
        let mut total = Equation::default();
        let mut itps = Vec::new();
        for (cut, share) in shares.iter().enumerate().take(path.len() - 1) {
            for (term, c) in &share.sum.0 {
                self.add_monomial(&mut total, *term, c);
            }
            total.constant = self.reduced(&total.constant.plus(&share.constant));
            let holds = self.formula(&total);
            let is_denied = denied.is_some_and(|source| source.part <= cut);
            itps.push(if is_denied { holds.not() } else { holds });
        }
        Refutation { itps, used }
    }

    fn formula(&self, equation: &Equation) -> Term {
        let Some(modulus) = &self.modulus else {
            return equation.sum.compared(Relation::Eq, &equation.constant);
        };
        let mut constant = RBig::from(&equation.constant).floor() % modulus;
        if constant < IBig::ZERO {
            constant += modulus;
        }
        let left = equation.sum.to_term(Sort::Int);
        let remainder = Term::app(Op::Mod, vec![left, Term::int(modulus.clone())]);
        remainder.map_or(true.into(), |remainder| remainder.equals(Term::int(constant)))
    }
}
