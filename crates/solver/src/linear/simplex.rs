//! The general simplex method, after Dutertre and de Moura (A Fast Linear-Arithmetic Solver for DPLL(T), CAV
//! 2006): rows `aᵢ·x ⋈ bᵢ` become variables `sᵢ = aᵢ·x` with bounds, and pivoting repairs one violated bound
//! after the other.
//!
//! Where it cannot, the row of the tableau that shows it has the Farkas multipliers of the contradiction as
//! its coefficients. Strict bounds are `b - ε` with a symbolic ε. Bland's rule (smallest index first) makes it
//! end. Rows are sparse: those of a path share few variables.

use super::Rational;

/// How a sum compares with its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// At most.
    Le,
    /// Less.
    Lt,
    /// Equal.
    Eq,
}

/// `sum ⋈ bound`, over variables that are numbered from zero.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The variables with their coefficients, which are not zero, sorted.
    pub(crate) sum: Vec<(usize, Rational)>,
    pub(crate) relation: Relation,
    pub(crate) bound: Rational,
}

/// What came out.
#[derive(Clone, Debug)]
pub(crate) enum Feasibility {
    /// Values of the variables that satisfy all rows, up to a small enough ε.
    Feasible(Vec<Rational>),
    /// Multipliers of rows, by position, whose sum is a contradiction: not negative, except for equations.
    Infeasible(Vec<(usize, Rational)>),
    /// Too much work.
    Abandoned,
}

/// A number plus a multiple of ε.
type Value = (Rational, Rational);

type Sum = Vec<(usize, Rational)>;

/// Tableau: `basic[r] = Σ coefficient · variable` for each row `r`. Variable `n + i` is the sum of row `i`.
struct Tableau {
    upper: Vec<Option<Value>>,
    lower: Vec<Option<Value>>,
    values: Vec<Value>,
    rows: Vec<Sum>,
    basic: Vec<usize>,
    /// The row in which a variable is basic.
    row_of: Vec<Option<usize>>,
}

/// Decides `rows` over `variables` many variables, in at most `pivots` steps.
pub(crate) fn solve(variables: usize, rows: &[Row], pivots: usize) -> Feasibility {
    let mut tableau = Tableau::new(variables, rows);
    for _ in 0..=pivots {
        let Some((row, below)) = tableau.violated() else {
            let values = tableau.values[..variables].iter();
            return Feasibility::Feasible(values.map(|(value, _)| value.clone()).collect());
        };
        match tableau.entering(row, below) {
            Some(entering) => tableau.repair(row, below, entering),
            None => return Feasibility::Infeasible(tableau.explanation(variables, row, below)),
        }
    }
    Feasibility::Abandoned
}

impl Tableau {
    fn new(variables: usize, rows: &[Row]) -> Tableau {
        let total = variables + rows.len();
        let zero = || (Rational::ZERO, Rational::ZERO);
        let mut tableau = Tableau {
            upper: vec![None; total],
            lower: vec![None; total],
            values: vec![zero(); total],
            rows: rows.iter().map(|row| row.sum.clone()).collect(),
            basic: (variables..total).collect(),
            row_of: vec![None; total],
        };
        for (i, row) in rows.iter().enumerate() {
            let epsilon = match row.relation {
                Relation::Lt => Rational::ONE.negated(),
                _ => Rational::ZERO,
            };
            let slack = variables + i;
            tableau.upper[slack] = Some((row.bound.clone(), epsilon));
            if row.relation == Relation::Eq {
                tableau.lower[slack].clone_from(&tableau.upper[slack]);
            }
            tableau.row_of[slack] = Some(i);
        }
        tableau
    }

    fn is_below(&self, var: usize) -> bool {
        self.lower[var].as_ref().is_some_and(|bound| self.values[var] < *bound)
    }

    fn is_above(&self, var: usize) -> bool {
        self.upper[var].as_ref().is_some_and(|bound| self.values[var] > *bound)
    }

    /// The row of the first basic variable out of its bounds, and whether it is below them.
    fn violated(&self) -> Option<(usize, bool)> {
        let out = |(row, var): (usize, &usize)| {
            let below = self.is_below(*var);
            (below || self.is_above(*var)).then_some((*var, row, below))
        };
        let first = self.basic.iter().enumerate().filter_map(out).min();
        first.map(|(_, row, below)| (row, below))
    }

    /// The first variable whose change can move the basic variable of the row in the right direction.
    fn entering(&self, row: usize, below: bool) -> Option<usize> {
        let can = |(var, coefficient): &&(usize, Rational)| {
            // The basic variable grows with this one if the coefficient is positive.
            let grow = coefficient.is_positive() == below;
            let bound = if grow { &self.upper[*var] } else { &self.lower[*var] };
            bound.as_ref().is_none_or(|bound| {
                if grow { self.values[*var] < *bound } else { self.values[*var] > *bound }
            })
        };
        self.rows[row].iter().find(can).map(|(var, _)| *var)
    }

    /// Moves the basic variable of the row to its bound, and makes `entering` basic instead.
    fn repair(&mut self, row: usize, below: bool, entering: usize) {
        let leaving = self.basic[row];
        let target = if below { &self.lower[leaving] } else { &self.upper[leaving] };
        let target = target.clone().expect("a violated bound");
        let coefficient = coefficient(&self.rows[row], entering);
        let change = (
            target.0.minus(&self.values[leaving].0).over(&coefficient),
            target.1.minus(&self.values[leaving].1).over(&coefficient),
        );
        self.values[leaving] = target;
        self.move_by(entering, &change);
        for other in 0..self.rows.len() {
            if other == row {
                continue;
            }
            let factor = lookup(&self.rows[other], entering);
            if let Some(factor) = factor {
                let basic = self.basic[other];
                let change = (change.0.times(&factor), change.1.times(&factor));
                self.move_by(basic, &change);
            }
        }
        self.pivot(row, entering);
    }

    fn move_by(&mut self, var: usize, change: &Value) {
        let value = &self.values[var];
        self.values[var] = (value.0.plus(&change.0), value.1.plus(&change.1));
    }

    /// Exchanges the basic variable of the row for `entering`, and rewrites the other rows by it.
    fn pivot(&mut self, row: usize, entering: usize) {
        let leaving = self.basic[row];
        // leaving = c·entering + rest  ⇒  entering = leaving/c - rest/c
        let mut sum = std::mem::take(&mut self.rows[row]);
        let position = sum.partition_point(|(var, _)| *var < entering);
        let (_, pivot) = sum.remove(position);
        let inverse = Rational::ONE.over(&pivot);
        let minus = inverse.negated();
        sum.iter_mut().for_each(|(_, c)| *c = c.times(&minus));
        let place = sum.partition_point(|(var, _)| *var < leaving);
        sum.insert(place, (leaving, inverse));
        for other in 0..self.rows.len() {
            if let Some(factor) = lookup(&self.rows[other], entering) {
                self.rows[other] = replaced(&self.rows[other], entering, &factor, &sum);
            }
        }
        self.rows[row] = sum;
        self.basic[row] = entering;
        self.row_of[leaving] = None;
        self.row_of[entering] = Some(row);
    }

    /// The multipliers of the rows: `basic = Σ aⱼ·xⱼ` with every `xⱼ` at the bound that stops it.
    fn explanation(&self, variables: usize, row: usize, below: bool) -> Vec<(usize, Rational)> {
        let slack = |var: usize| var - variables;
        let sign = |c: &Rational| if below { c.clone() } else { c.negated() };
        let own = if below { Rational::ONE.negated() } else { Rational::ONE };
        let mut multipliers = vec![(slack(self.basic[row]), own)];
        multipliers.extend(self.rows[row].iter().map(|(var, c)| (slack(*var), sign(c))));
        multipliers
    }
}

fn lookup(sum: &Sum, var: usize) -> Option<Rational> {
    let position = sum.binary_search_by_key(&var, |(var, _)| *var).ok()?;
    Some(sum[position].1.clone())
}

fn coefficient(sum: &Sum, var: usize) -> Rational {
    lookup(sum, var).expect("the entering variable stands in the row")
}

/// `sum` with `factor·definition` in the place of `factor·var`.
fn replaced(sum: &Sum, var: usize, factor: &Rational, definition: &Sum) -> Sum {
    let mut result = Vec::with_capacity(sum.len() + definition.len());
    let (mut left, mut right) =
        (sum.iter().filter(|(v, _)| *v != var).peekable(), definition.iter().peekable());
    loop {
        match (left.peek(), right.peek()) {
            (Some((var, old)), Some((other, new))) if var == other => {
                let coefficient = old.plus(&new.times(factor));
                if !coefficient.is_zero() {
                    result.push((*var, coefficient));
                }
                left.next();
                right.next();
            }
            (Some((var, old)), next) if next.is_none_or(|(other, _)| var < other) => {
                result.push((*var, old.clone()));
                left.next();
            }
            (_, Some((var, new))) => {
                result.push((*var, new.times(factor)));
                right.next();
            }
            (_, None) => return result,
        }
    }
}
