//! Queries about one step from a frame.

use lapidary_sat::Lit;
use lapidary_solver::Backend;

use super::Run;
use super::cube::{Cube, State, latch_literal, latch_of};

pub(super) use lapidary_sat::Stopped;

/// Takes work from the budget of the stage.
pub(super) struct Meter<'a>(pub(super) &'a dyn Backend);

impl lapidary_sat::Meter for Meter<'_> {
    fn spend(&mut self, work: u64) -> bool {
        self.0.spend(work);
        self.0.check().is_ok()
    }
}

/// What is assumed about the cube in the frame that a step starts from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// The state is outside of the cube.
    Outside,
    /// Nothing: the frame excludes it already.
    Anything,
}

impl Run<'_> {
    /// Whether no step from frame `level` leads into the cube: then, the part of it because of which that is so,
    /// without initial states. Otherwise the frame's solver has a model.
    pub(super) fn blocked(
        &mut self,
        level: usize,
        cube: &[Lit],
        before: Before,
    ) -> Result<Option<Cube>, Stopped> {
        let mut assumed = self.conditions.clone();
        let order = self.activity.rising(cube);
        assumed.extend(order.iter().rev().map(|lit| self.primed(*lit)));
        let outside: Vec<Lit> = match before {
            Before::Outside => cube.iter().map(|lit| !*lit).collect(),
            Before::Anything => Vec::new(),
        };
        let solver = &mut self.frames.solvers[level];
        if solver.solve(&assumed, &outside, &mut self.meter)? {
            return Ok(None);
        }
        let core = solver.core();
        for lit in core {
            self.marks[lit.code() as usize] = true;
        }
        let needed = |lit: &Lit| self.marks[self.primed(*lit).code() as usize];
        let part: Cube = cube.iter().copied().filter(needed).collect();
        for lit in self.frames.solvers[level].core() {
            self.marks[lit.code() as usize] = false;
        }
        self.initial.kept_out(part, cube, &mut self.meter).map(Some)
    }

    /// The literal of a latch in the next frame.
    pub(super) fn primed(&self, lit: Lit) -> Lit {
        self.nexts[latch_of(lit)].negated_if(!lit.is_positive())
    }

    /// Whether a state of the frame is bad.
    pub(super) fn is_bad(&mut self, level: usize) -> Result<bool, Stopped> {
        self.frames.solvers[level].solve(&self.bad, &[], &mut self.meter)
    }

    /// The state of the last model of a frame's solver.
    pub(super) fn state(&self, level: usize) -> State {
        let solver = &self.frames.solvers[level];
        let value = |latch| solver.value(latch_literal(latch, true)) == Some(true);
        (0..self.nexts.len()).map(value).collect()
    }
}
