//! Affine equations between integers (Karr's domain): a matrix of equations `c₁·x₁ + … + cₙ·xₙ = c`.
//!
//! Rows are integers without a common divisor. An operation whose numbers get too large loses the equation, which
//! is sound: fewer equations allow more.

use lapidary_expr::interval::gcd;

/// Coefficients of larger size are given up.
const LARGEST: i128 = 1 << 40;

/// The coefficients of the variables, and then the constant.
pub(super) type Row = Vec<i128>;

/// Equations that can be satisfied. The first coefficient of each, its pivot, is positive and the only one in its
/// column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Affine {
    n_vars: usize,
    /// Sorted by the columns of their pivots.
    rows: Vec<Row>,
}

impl Affine {
    /// No equation.
    pub(super) fn all(n_vars: usize) -> Affine {
        Affine { n_vars, rows: Vec::new() }
    }

    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Adds the equation `row · (x, -1) = 0`; false if it contradicts the others.
    pub(super) fn add(&mut self, row: Row) -> bool {
        let Some(row) = self.reduced(row) else { return true };
        let Some(pivot) = pivot(&row) else { return true };
        if pivot == self.n_vars {
            return false;
        }
        // Rows that get too large are lost.
        let clear = |other: Row| {
            if other[pivot] == 0 { Some(other) } else { eliminated(&other, &row, pivot) }
        };
        let mut rows: Vec<Row> = self.rows.drain(..).filter_map(clear).collect();
        rows.push(row);
        rows.sort_by_key(self::pivot);
        self.rows = rows;
        true
    }

    /// Adds equations that do not contradict each other.
    fn extend(&mut self, rows: Vec<Row>) {
        for row in rows {
            self.add(row);
        }
    }

    /// The row without the pivots of the others; none if it gets too large.
    fn reduced(&self, mut row: Row) -> Option<Row> {
        normalize(&mut row)?;
        for own in &self.rows {
            let pivot = pivot(own)?;
            if row[pivot] != 0 {
                row = eliminated(&row, own, pivot)?;
            }
        }
        Some(row)
    }

    /// Whether the equation follows from these.
    pub(super) fn implies(&self, row: &Row) -> bool {
        self.reduced(row.clone()).is_some_and(|row| pivot(&row).is_none())
    }

    /// Whether each equation of `other` follows from these.
    pub(super) fn is_subset(&self, other: &Affine) -> bool {
        other.rows.iter().all(|row| self.implies(row))
    }

    /// Allows any value of a variable.
    pub(super) fn forget(&mut self, var: usize) {
        // The last row that has it: earlier pivots stay where they are.
        let Some(i) = self.rows.iter().rposition(|row| row[var] != 0) else { return };
        let row = self.rows.remove(i);
        let clear =
            |other: Row| if other[var] == 0 { Some(other) } else { eliminated(&other, &row, var) };
        let rows: Vec<Row> = self.rows.drain(..).filter_map(clear).collect();
        self.extend(rows);
    }

    /// `var := value · (x, 1)`, that is with the constant added.
    pub(super) fn assign(&mut self, var: usize, value: &Row) {
        let factor = value[var];
        if factor == 0 {
            self.forget(var);
            let mut row = value.clone();
            row[var] = -1;
            row[self.n_vars] = -row[self.n_vars];
            self.add(row);
            return;
        }
        // `x' = a·x + r`, so that `x = (x' - r) / a` in all equations.
        let substituted = |row: Row| {
            let own = row[var];
            let of = |(i, (c, v)): (usize, (&i128, &i128))| {
                let v = if i == self.n_vars { -v } else { *v };
                match i == var {
                    true => Some(own),
                    false => c.checked_mul(factor)?.checked_sub(own.checked_mul(v)?),
                }
            };
            row.iter().zip(value).enumerate().map(of).collect::<Option<Row>>()
        };
        let rows: Vec<Row> = std::mem::take(&mut self.rows);
        let rows: Vec<Row> = rows
            .into_iter()
            .filter_map(|row| if row[var] == 0 { Some(row) } else { substituted(row) })
            .collect();
        self.extend(rows);
    }

    /// The equations that hold in both: an equation holds if it is a combination of rows, so these are the common
    /// elements of two spaces, which Zassenhaus' algorithm finds.
    pub(super) fn join(&self, other: &Affine) -> Affine {
        let width = self.n_vars + 1;
        let mut stacked = Affine::all(2 * width);
        let twice = |row: &Row| [&row[..], row, &[0]].concat();
        let once = |row: &Row| [&row[..], &vec![0; width + 1]].concat();
        for row in self.rows.iter().map(twice).chain(other.rows.iter().map(once)) {
            stacked.add(row);
        }
        let mut joined = Affine::all(self.n_vars);
        for row in stacked.rows.iter().filter(|row| row[..width].iter().all(|c| *c == 0)) {
            joined.add(row[width..2 * width].to_vec());
        }
        joined
    }
}

/// The column of the first coefficient; that of the constant if there is no other, none if all are zero.
fn pivot(row: &Row) -> Option<usize> {
    row.iter().position(|c| *c != 0)
}

/// Divides by the common divisor and makes the first coefficient positive; none if numbers are too large.
fn normalize(row: &mut Row) -> Option<()> {
    let divisor = row.iter().fold(0, |divisor, c| gcd(divisor, *c));
    let is_negative = pivot(row).is_some_and(|pivot| row[pivot] < 0);
    let divisor = if is_negative { -divisor } else { divisor };
    if divisor != 0 {
        row.iter_mut().for_each(|c| *c /= divisor);
    }
    row.iter().all(|c| c.abs() <= LARGEST).then_some(())
}

/// The row without column `i`, by means of another one that has it.
fn eliminated(row: &Row, by: &Row, i: usize) -> Option<Row> {
    let divisor = gcd(row[i], by[i]);
    let (a, b) = (by[i] / divisor, row[i] / divisor);
    let mut new: Row = row.iter().zip(by).map(|(c, d)| a * c - b * d).collect();
    normalize(&mut new)?;
    Some(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &[&[i128]]) -> Affine {
        let mut affine = Affine::all(rows[0].len() - 1);
        rows.iter().for_each(|row| assert!(affine.add(row.to_vec()), "{rows:?}"));
        affine
    }

    /// Points on a line through (0, 5) and (1, 4), from two points.
    #[test]
    fn the_hull_of_two_points_is_a_line() {
        let joined = of(&[&[1, 0, 0], &[0, 1, 5]]).join(&of(&[&[1, 0, 1], &[0, 1, 4]]));
        assert_eq!(joined.rows(), [vec![1, 1, 5]]);
    }

    #[test]
    fn assignments_move_solutions() {
        let mut affine = of(&[&[1, 1, 0, 5], &[0, 0, 1, 7]]);
        affine.assign(0, &vec![2, 0, 0, 3]);
        assert_eq!(affine.rows(), [vec![1, 2, 0, 13], vec![0, 0, 1, 7]], "x := 2x + 3");
        affine.assign(2, &vec![1, 1, 0, -1]);
        assert_eq!(affine.rows(), [vec![1, 0, -2, -11], vec![0, 1, 1, 12]], "z := x + y - 1");
        affine.forget(1);
        assert_eq!(affine.rows(), [vec![1, 0, -2, -11]]);
        assert!(!affine.clone().add(vec![1, 0, -2, 0]), "a contradiction");
    }

    /// Random equations and statements, each tried on the points of a grid.
    #[test]
    fn solutions_are_kept() {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut below = |n: usize| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed >> 11) as usize % n
        };
        let holds = |affine: &Affine, point: &[i128; 3]| {
            let is_solved = |row: &Row| (0..3).map(|i| row[i] * point[i]).sum::<i128>() == row[3];
            affine.rows().iter().all(is_solved)
        };
        for _ in 0..3000 {
            let mut row = || (0..4).map(|_| below(7) as i128 - 3).collect::<Row>();
            let (mut one, mut two) = (Affine::all(3), Affine::all(3));
            let (is_one, is_two) = (one.add(row()) & one.add(row()), two.add(row()));
            let (value, var) = (row(), row()[0].unsigned_abs() as usize % 3);
            let joined = one.join(&two);
            let (mut assigned, mut forgotten) = (one.clone(), one.clone());
            assigned.assign(var, &value);
            forgotten.forget(var);
            for point in (0..343).map(|i| [i % 7 - 3, i / 7 % 7 - 3, i / 49 - 3]) {
                assert!(
                    holds(&joined, &point)
                        || !(is_one && is_two)
                        || !(holds(&one, &point) || holds(&two, &point))
                );
                if is_one && holds(&one, &point) {
                    let mut after = point;
                    after[var] = (0..3).map(|i| value[i] * point[i]).sum::<i128>() + value[3];
                    assert!(holds(&assigned, &after), "{one:?} {var} := {value:?} {assigned:?}");
                    assert!(holds(&forgotten, &after));
                }
            }
        }
    }
}
