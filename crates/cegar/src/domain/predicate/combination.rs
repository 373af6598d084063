//! Combinations of predicates: which truth values they can have together.
//!
//! A combination is a conjunction of factors that share no variable; a factor is a normalised disjunction: the rows
//! of truth values that its predicates can have together. Independent predicates stay in factors of their own, so
//! that twenty flags are forty rows and not a million. Every row of every factor is satisfiable, and therefore,
//! as factors share no variable, every choice of one row from each: an order between combinations is mostly a
//! comparison of rows.

use std::sync::Arc;

use lapidary_expr::{Term, Var};

use super::Meaning;

/// Truth values of some predicates, in their order.
pub(super) type Row = Box<[bool]>;

/// Predicates with the rows of truth values that they can have together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Factor {
    /// Sorted.
    predicates: Vec<Term>,
    /// Sorted, none twice.
    rows: Vec<Row>,
    formula: Term,
}

impl Factor {
    /// The factor with these rows; the predicates are sorted.
    pub(super) fn new(predicates: Vec<Term>, mut rows: Vec<Row>) -> Factor {
        debug_assert!(predicates.is_sorted());
        rows.sort_unstable();
        rows.dedup();
        let formula = decide(&predicates, &rows, 0);
        Factor { predicates, rows, formula }
    }

    /// One literal.
    pub(super) fn literal(literal: Term) -> Factor {
        let predicate = literal.positive();
        let rows = vec![Row::from([literal == predicate])];
        Factor { predicates: vec![predicate], rows, formula: literal }
    }

    pub(super) fn predicates(&self) -> &[Term] {
        &self.predicates
    }

    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }

    pub(super) fn formula(&self) -> Term {
        self.formula
    }

    /// The variables of the predicates.
    pub(super) fn vars(&self) -> impl Iterator<Item = Var> {
        self.predicates.iter().flat_map(|predicate| predicate.vars()).copied()
    }

    fn column(&self, predicate: Term) -> Option<usize> {
        self.predicates.binary_search(&predicate).ok()
    }

    /// The truth value of a predicate, if all rows agree on it.
    pub(super) fn constant(&self, predicate: Term) -> Option<bool> {
        let column = self.column(predicate)?;
        let value = self.rows.first()?[column];
        self.rows.iter().all(|row| row[column] == value).then_some(value)
    }

    /// What the factor says about some of its predicates.
    pub(super) fn project(&self, predicates: &[Term]) -> Factor {
        if predicates == self.predicates {
            return self.clone();
        }
        let columns: Vec<usize> =
            predicates.iter().filter_map(|predicate| self.column(*predicate)).collect();
        let rows = self.rows.iter().map(|row| columns.iter().map(|c| row[*c]).collect()).collect();
        Factor::new(predicates.to_vec(), rows)
    }
}

/// The rows as a formula: a decision on each predicate in turn, where it makes a difference. Equal terms are one,
/// so this is the reduced decision diagram of the rows.
fn decide(predicates: &[Term], rows: &[Row], depth: usize) -> Term {
    let Some(predicate) = predicates.get(depth) else { return (!rows.is_empty()).into() };
    if rows.is_empty() {
        return false.into();
    }
    let (no, yes) = rows.split_at(rows.partition_point(|row| !row[depth]));
    let (no, yes) = (decide(predicates, no, depth + 1), decide(predicates, yes, depth + 1));
    match (no == yes, no.is_false(), yes.is_false()) {
        (true, ..) => no,
        (_, true, _) => Term::and([*predicate, yes]),
        (.., true) => Term::and([predicate.not(), no]),
        _ => Term::or([Term::and([*predicate, yes]), Term::and([predicate.not(), no])]),
    }
}

/// A combination of predicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combination {
    factors: Arc<[Factor]>,
    formula: Term,
}

impl Combination {
    pub(super) fn new(factors: impl IntoIterator<Item = Factor>) -> Combination {
        let factors: Arc<[Factor]> = factors.into_iter().collect();
        let formula = Term::and(factors.iter().map(Factor::formula));
        Combination { factors, formula }
    }

    pub(super) fn factors(&self) -> &[Factor] {
        &self.factors
    }

    /// Whether this combination implies the other, if the rows tell: they do unless the other speaks of
    /// predicates that this one does not know.
    pub(super) fn implies(&self, other: &Combination) -> Option<bool> {
        if self.formula == other.formula || other.formula.is_true() {
            return Some(true);
        }
        let answers: Vec<Option<bool>> =
            other.factors.iter().map(|factor| self.implies_factor(factor)).collect();
        match answers.contains(&Some(false)) {
            true => Some(false),
            false => answers.contains(&None).then_some(()).map_or(Some(true), |()| None),
        }
    }

    fn implies_factor(&self, factor: &Factor) -> Option<bool> {
        if factor.formula.is_true() {
            return Some(true);
        }
        // What this combination says about the predicates of the factor, one of its factors after the other.
        let mut said: Vec<(Vec<usize>, Factor)> = Vec::new();
        for own in self.factors.iter() {
            let common: Vec<Term> =
                own.predicates.iter().copied().filter(|p| factor.column(*p).is_some()).collect();
            if !common.is_empty() {
                let columns = common.iter().filter_map(|p| factor.column(*p)).collect();
                said.push((columns, own.project(&common)));
            }
        }
        if said.iter().map(|(columns, _)| columns.len()).sum::<usize>() < factor.predicates.len() {
            return None;
        }
        // More rows than the factor has cannot all be among them, so that there are few to compare.
        let count = said.iter().try_fold(1usize, |n, (_, own)| n.checked_mul(own.rows.len()));
        if count.is_none_or(|count| count > factor.rows.len()) {
            return Some(false);
        }
        Some(
            merged(&said, factor.predicates.len())
                .iter()
                .all(|row| factor.rows.binary_search(row).is_ok()),
        )
    }
}

/// Every choice of one row from each part, put together in the given columns.
fn merged(parts: &[(Vec<usize>, Factor)], width: usize) -> Vec<Row> {
    let mut rows: Vec<Row> = vec![vec![false; width].into()];
    for (columns, part) in parts {
        let with = |row: &Row, own: &Row| {
            let mut row = row.clone();
            columns.iter().zip(own).for_each(|(column, value)| row[*column] = *value);
            row
        };
        rows =
            rows.iter().flat_map(|row| part.rows.iter().map(move |own| with(row, own))).collect();
    }
    rows
}

impl Meaning for Combination {
    fn meaning(&self) -> Term {
        self.formula
    }
}
