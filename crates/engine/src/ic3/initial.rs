//! The initial states: values that latches start with, or a relation between them.

use lapidary_sat::{Lit, Solver};

use super::aig::{no, yes};
use super::circuit::Circuit;
use super::clauses::Clauses;
use super::cube::{Cube, latch_literal, latch_of};
use super::query::{Meter, Stopped};

pub(super) struct Initial {
    /// The value that each latch starts with, if it is the same always.
    values: Vec<Option<bool>>,
    /// The latches without a value may start with any, independently.
    is_cube: bool,
    /// Knows all initial states; used where the values do not decide.
    solver: Solver,
}

impl Initial {
    pub(super) fn new(circuit: &Circuit, clauses: &Clauses, base: &Solver) -> Self {
        let value = |edge: Lit| match edge {
            edge if edge == yes() => Some(true),
            edge if edge == no() => Some(false),
            _ => None,
        };
        let values: Vec<Option<bool>> =
            circuit.latches.iter().map(|latch| value(latch.first)).collect();
        let mut open: Vec<Lit> = circuit
            .latches
            .iter()
            .map(|latch| latch.first)
            .filter(|it| value(*it).is_none())
            .collect();
        let n_open = open.len();
        open.sort_unstable_by_key(|edge| edge.var());
        open.dedup_by_key(|edge| edge.var());
        let is_cube = circuit.first.assumed.is_empty()
            && open.len() == n_open
            && open.iter().all(|edge| circuit.aig.gate(edge.var()).is_none());
        let mut solver = base.clone();
        for (i, latch) in circuit.latches.iter().enumerate() {
            let first = clauses.literal(latch.first);
            let latch = latch_literal(i, true);
            match values[i] {
                Some(value) => {
                    solver.add_clause(&[latch.negated_if(!value)]);
                }
                None if is_cube => {}
                None => {
                    solver.add_clause(&[latch, !first]);
                    solver.add_clause(&[!latch, first]);
                    solver.include(latch.var());
                    solver.include(first.var());
                }
            }
        }
        for edge in &circuit.first.assumed {
            let literal = clauses.literal(*edge);
            solver.add_clause(&[literal]);
            solver.include(literal.var());
        }
        Initial { values, is_cube, solver }
    }

    /// The initial states and the gates.
    pub(super) fn solver(&self) -> &Solver {
        &self.solver
    }

    /// Whether a literal is false in all initial states, as far as values tell.
    fn is_false(&self, lit: Lit) -> bool {
        self.values[latch_of(lit)].is_some_and(|value| value != lit.is_positive())
    }

    /// Whether an initial state is in the cube.
    pub(super) fn meets(&mut self, cube: &[Lit], meter: &mut Meter<'_>) -> Result<bool, Stopped> {
        if cube.iter().any(|lit| self.is_false(*lit)) {
            return Ok(false);
        }
        if self.is_cube {
            return Ok(true);
        }
        self.solver.solve(cube, &[], meter)
    }

    /// The part of `cube` with literals of `whole` added until no initial state is in it. There is none in `whole`.
    pub(super) fn kept_out(
        &mut self,
        mut cube: Cube,
        whole: &[Lit],
        meter: &mut Meter<'_>,
    ) -> Result<Cube, Stopped> {
        if !self.meets(&cube, meter)? {
            return Ok(cube);
        }
        if let Some(lit) = whole.iter().find(|lit| self.is_false(**lit)) {
            cube.push(*lit);
        } else {
            let is_met = self.solver.solve(whole, &[], meter)?;
            debug_assert!(!is_met, "no initial state is in the whole cube");
            cube.extend(self.solver.core());
        }
        cube.sort_unstable();
        cube.dedup();
        Ok(cube)
    }
}
