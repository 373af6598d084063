//! Blocking of obligations (Eén, Mishchenko & Brayton, FMCAD 2011, Figure 6).
//!
//! ```text
//! while there is an obligation (c, l):
//!     if an initial state is in c: there is a counterexample
//!     if a lemma excludes c at level j ≥ l: again at level j + 1
//!     if F[l-1] ∧ ¬c ∧ T ∧ c' has a model: lift it to a cube, which is an obligation at level l - 1; c again
//!     else: generalize c, add the lemma at the highest level j where it holds; c again at level j + 1
//! ```
//!
//! Initial states are looked for at every level, since obligations that come back may be about longer counterexamples.

use lapidary_sat::Lit;

use super::Run;
use super::cube::{Cube, latch_of};
use super::generalize::Effort;
use super::lift::Target;
use super::obligations::Obligation;
use super::query::{Before, Stopped};

/// An obligation counts for less each time it is raised by a level.
const FADING: f64 = 0.6;

impl Run<'_> {
    /// Blocks all obligations up to the last frame, or finds one with an initial state in it.
    pub(super) fn block(&mut self) -> Result<Option<usize>, Stopped> {
        let last = self.frames.last();
        while let Some((number, level)) = self.obligations.pop(last) {
            *self.obligations.activity_mut(number) += 1.0;
            let cube = self.obligations.get(number).cube.clone();
            if self.initial.meets(&cube, &mut self.meter)? {
                return Ok(Some(number));
            }
            if let Some(excluded) = self.frames.excluded_at(&cube, level) {
                self.raise_obligation(number, level, excluded + 1);
                continue;
            }
            match self.blocked(level - 1, &cube, Before::Outside)? {
                Some(core) => {
                    let effort = Effort::of(self.obligations.get(number).activity, core.len());
                    let lemma = self.generalize(core, level, effort)?;
                    let (lemma, highest) = self.pushed_up(lemma, level)?;
                    self.learn(&lemma, highest);
                    self.raise_obligation(number, level, highest + 1);
                }
                None => {
                    let before = self.predecessor(level - 1, &cube, Some(number))?;
                    self.obligations.push(before, level - 1);
                    self.obligations.queue_again(number, level);
                }
            }
        }
        Ok(None)
    }

    fn raise_obligation(&mut self, number: usize, from: usize, to: usize) {
        let fading = FADING.powi(i32::try_from(to - from).unwrap_or(i32::MAX));
        *self.obligations.activity_mut(number) *= fading;
        self.obligations.queue_again(number, to);
    }

    /// Adds the lemma that excludes a cube up to a level.
    pub(super) fn learn(&mut self, cube: &Cube, level: usize) {
        self.activity.raise(cube);
        self.frames.add(cube, level);
    }

    /// The highest level at which the frames exclude a cube, which they do at `level`, and what is needed of it there.
    pub(super) fn pushed_up(
        &mut self,
        mut cube: Cube,
        mut level: usize,
    ) -> Result<(Cube, usize), Stopped> {
        while level < self.frames.last()
            && let Some(core) = self.blocked(level, &cube, Before::Outside)?
        {
            cube = core;
            level += 1;
        }
        Ok((cube, level))
    }

    /// The states that the model of a frame's solver stands for, from which a step leads into `cube`.
    pub(super) fn predecessor(
        &mut self,
        level: usize,
        cube: &[Lit],
        next: Option<usize>,
    ) -> Result<Obligation, Stopped> {
        let mut literals = self.conditions.clone();
        literals.extend(cube.iter().map(|lit| self.primed(*lit)));
        let mut edges = self.circuit.step.assumed.clone();
        edges.extend(cube.iter().map(|lit| {
            let latch = &self.circuit.latches[latch_of(*lit)];
            latch.next.negated_if(!lit.is_positive())
        }));
        let depth = next.map_or(0, |next| self.obligations.get(next).depth + 1);
        let cube = self.lifted(level, edges, literals)?;
        let open = self.open_values(level, &self.step_leaves);
        Ok(Obligation { cube, open, next, depth, activity: 0.0 })
    }

    /// The bad states that the model of a frame's solver stands for.
    pub(super) fn bad_states(&mut self, level: usize) -> Result<Obligation, Stopped> {
        let (edges, literals) = (self.circuit.bad.assumed.clone(), self.bad.clone());
        let cube = self.lifted(level, edges, literals)?;
        let open = self.open_values(level, &self.bad_leaves);
        Ok(Obligation { cube, open, next: None, depth: 0, activity: 0.0 })
    }

    fn lifted(
        &mut self,
        level: usize,
        edges: Vec<Lit>,
        literals: Vec<Lit>,
    ) -> Result<Cube, Stopped> {
        let solver = &self.frames.solvers[level];
        let value = |leaf| {
            self.clauses.known(leaf).is_some_and(|literal| solver.value(literal) == Some(true))
        };
        let literal = |leaf| self.clauses.known(leaf);
        let target = Target { edges, literals, value: &value, literal: &literal };
        self.lifter.lift(&self.circuit.aig, &target, &self.activity, &mut self.meter)
    }

    fn open_values(&self, level: usize, leaves: &[Lit]) -> Vec<bool> {
        let solver = &self.frames.solvers[level];
        let value = |leaf: &Lit| {
            self.clauses.known(*leaf).is_some_and(|literal| solver.value(literal) == Some(true))
        };
        leaves.iter().map(value).collect()
    }
}
