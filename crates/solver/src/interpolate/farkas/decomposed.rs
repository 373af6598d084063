//! Decomposed interpolants (Blicha, Hyvärinen, Kofroň, Sharygina: Decomposing Farkas Interpolants, TACAS 2019):
//! a conjunction of simpler inequalities instead of their sum.
//!
//! At a cut, rows that share a variable which the later parts do not know must be added up for it to cancel
//! out. Rows that are not connected in this way need not be added: each connected component has a sum of its
//! own that follows from the first parts, and together they imply the whole sum. From one cut to the next
//! components only grow and merge, so these conjunctions are a sequence, too. (The paper looks for the finest
//! decomposition by linear algebra; components are the part of it that keeps sequences inductive.)

use std::collections::BTreeMap;

use lapidary_expr::Term;

use super::{Constraint, Relation, Sum};
use crate::linear::Rational;

/// Components by representative.
struct Components(Vec<usize>);

impl Components {
    fn find(&mut self, mut row: usize) -> usize {
        while self.0[row] != row {
            self.0[row] = self.0[self.0[row]];
            row = self.0[row];
        }
        row
    }

    fn union(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        // The older row represents both, so that the order of conjuncts is that of the path.
        self.0[a.max(b)] = a.min(b);
    }
}

/// The decomposed partial sums; none if no sum has a part of its own.
pub(super) fn sequence(
    parts: usize,
    constraints: &[Constraint],
    multipliers: &[(usize, Rational)],
) -> Option<Vec<Term>> {
    let mut last: BTreeMap<Term, usize> = BTreeMap::new();
    for constraint in constraints {
        for (term, _) in &constraint.sum {
            let part = last.entry(*term).or_default();
            *part = constraint.part.max(*part);
        }
    }
    let mut rows: Vec<(&Constraint, &Rational)> =
        multipliers.iter().map(|(row, factor)| (&constraints[*row], factor)).collect();
    rows.retain(|(_, factor)| !factor.is_zero());
    rows.sort_by_key(|(constraint, _)| constraint.part);
    let mut components = Components((0..rows.len()).collect());
    let mut is_sum = true;
    let itps = (0..parts.saturating_sub(1))
        .map(|cut| {
            let seen = rows.partition_point(|(constraint, _)| constraint.part <= cut);
            connect(&mut components, &rows[..seen], |term| last[&term] <= cut);
            let conjuncts = conjuncts(&mut components, &rows[..seen]);
            is_sum = is_sum && conjuncts.len() < 2;
            Term::and(conjuncts)
        })
        .collect();
    (!is_sum).then_some(itps)
}

/// Joins rows that share a variable which has to cancel out.
fn connect(
    components: &mut Components,
    rows: &[(&Constraint, &Rational)],
    is_local: impl Fn(Term) -> bool,
) {
    let mut first: BTreeMap<Term, usize> = BTreeMap::new();
    for (row, (constraint, _)) in rows.iter().enumerate() {
        for (term, _) in constraint.sum.iter().filter(|(term, _)| is_local(*term)) {
            components.union(*first.entry(*term).or_insert(row), row);
        }
    }
}

/// The sum of each component.
fn conjuncts(components: &mut Components, rows: &[(&Constraint, &Rational)]) -> Vec<Term> {
    let mut sums: BTreeMap<usize, (Sum, Rational, bool)> = BTreeMap::new();
    for (row, (constraint, factor)) in rows.iter().enumerate() {
        let (sum, bound, strict) = sums.entry(components.find(row)).or_default();
        sum.add(&constraint.sum, factor);
        *bound = bound.plus(&constraint.bound.times(factor));
        *strict |= constraint.relation == Relation::Lt;
    }
    let formulas = sums.values().map(|(sum, bound, strict)| {
        sum.compared(if *strict { Relation::Lt } else { Relation::Le }, bound)
    });
    formulas.filter(|formula| !formula.is_true()).collect()
}
