//! Generalization: fewer literals exclude more states.
//!
//! Each literal in turn is dropped if the rest is still unreachable from the frame before (Bradley & Manna, *Checking
//! Safety by Inductive Generalization of Counterexamples to Induction*, FMCAD 2007). A state that prevents it, a
//! *counterexample to generalization*, is itself excluded if that is possible (Hassan, Bradley & Somenzi, *Better
//! Generalization in IC3*, FMCAD 2013, Figure 3), with its predecessors if need be; how much is done for it depends on how
//! often the obligation came back (Su et al., *Extended CTG Generalization and Dynamic Adjustment of Generalization
//! Strategies in IC3*, 2025).
//!
//! ```text
//! mic(c, l):   for lit in c, the least active first:
//!                  if r = down(c \ lit, l): c = r
//! down(c, l):  loop:
//!                  if an initial state is in c: fail
//!                  if F[l-1] ∧ ¬c ∧ T ∧ c' has no model: return what is needed of c
//!                  s = the lifted predecessor
//!                  if no more tries, or s cannot be excluded at level l - 1: fail
//! ```
//!
//! Literals that a lemma of the level before within `c` has come last (Xia, Becchi, Cimatti, Griggio, Li & Pu, *Searching
//! for i-Good Lemmas to Accelerate Safety Model Checking*, CAV 2023).

use lapidary_sat::Lit;

use super::Run;
use super::cube::{Cube, signature};
use super::query::{Before, Stopped};

/// Cubes with more literals are long.
const LONG: usize = 20;

/// How much is done to drop a literal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// How many counterexamples to generalization are excluded for each literal.
    tries: usize,
    /// How many queries each of them may take, those for its predecessors included.
    most: usize,
}

impl Effort {
    const LEAST: Effort = Effort { tries: 0, most: 0 };

    /// The effort for an obligation with this activity and a cube that so many literals are left of. The paper begins
    /// without any for new obligations. Here short cubes get the effort of IC3ref at once, which measures better; for long
    /// ones it would cost more than it saves.
    pub(super) fn of(activity: f64, n_literals: usize) -> Effort {
        if n_literals > LONG && activity < 10.0 {
            return Effort::LEAST;
        }
        if activity < 40.0 {
            return Effort { tries: 3, most: 1 };
        }
        let more = [50.0, 80.0, 150.0, 300.0].iter().filter(|limit| activity > **limit).count();
        Effort { tries: 5, most: 5 + more }
    }
}

impl Run<'_> {
    /// A part of the cube that frame `level - 1` cannot reach, either.
    pub(super) fn generalize(
        &mut self,
        mut cube: Cube,
        level: usize,
        effort: Effort,
    ) -> Result<Cube, Stopped> {
        for lit in self.order_to_drop(&cube, level) {
            if cube.len() < 2 || cube.binary_search(&lit).is_err() {
                continue;
            }
            let candidate: Cube = cube.iter().copied().filter(|other| *other != lit).collect();
            if let Some(part) = self.down(&candidate, level, effort)? {
                cube = part;
            }
        }
        Ok(cube)
    }

    /// The least active literals first, but those of a lemma of the level before last.
    fn order_to_drop(&self, cube: &[Lit], level: usize) -> Vec<Lit> {
        let mut order = self.activity.rising(cube);
        let of_cube = signature(cube);
        let parents = self.frames.deltas[level - 1].iter();
        if let Some(parent) = parents.rev().find(|lemma| lemma.excludes(cube, of_cube)) {
            order.sort_by_key(|lit| parent.cube.contains(lit));
        }
        order
    }

    fn down(
        &mut self,
        cube: &[Lit],
        level: usize,
        effort: Effort,
    ) -> Result<Option<Cube>, Stopped> {
        let mut tries = 0;
        loop {
            if self.initial.meets(cube, &mut self.meter)? {
                return Ok(None);
            }
            if let Some(part) = self.blocked(level - 1, cube, Before::Outside)? {
                return Ok(Some(part));
            }
            if tries >= effort.tries || level < 2 {
                return Ok(None);
            }
            tries += 1;
            let before = self.predecessor(level - 1, cube, None)?.cube;
            let mut left = effort.most;
            if !self.exclude(&before, level - 1, &mut left)? {
                return Ok(None);
            }
        }
    }

    /// Excludes a cube at a level, and before that its predecessors, with at most so many lemmas; whether it could.
    fn exclude(&mut self, cube: &[Lit], level: usize, left: &mut usize) -> Result<bool, Stopped> {
        loop {
            if level == 0 || *left == 0 || self.initial.meets(cube, &mut self.meter)? {
                return Ok(false);
            }
            *left -= 1;
            if let Some(core) = self.blocked(level - 1, cube, Before::Outside)? {
                let lemma = self.generalize(core, level, Effort::LEAST)?;
                let (lemma, highest) = self.pushed_up(lemma, level)?;
                self.learn(&lemma, highest);
                return Ok(true);
            }
            if *left == 0 {
                return Ok(false);
            }
            let before = self.predecessor(level - 1, cube, None)?.cube;
            if !self.exclude(&before, level - 1, left)? {
                return Ok(false);
            }
        }
    }
}
