//! Propagation: lemmas move to the highest level where they hold (Eén, Mishchenko & Brayton, FMCAD 2011, section III).
//!
//! A lemma that stays keeps the state that pushed it back. It is asked again only when a new lemma excludes that state
//! (Suda, *Triggered Clause Pushing for IC3*, arXiv 1307.4966).

use super::Ic3;
use super::cube::{Lemma, State, contains};
use super::query::{Before, Stopped};

impl Ic3<'_> {
    /// Moves lemmas up; a level without lemmas of its own, if there is one: its frame is an invariant.
    pub(super) fn propagate(&mut self) -> Result<Option<usize>, Stopped> {
        for level in 1..self.frames.last() {
            let mut lemmas = self.frames.deltas[level].clone();
            lemmas.sort_by_key(|lemma| lemma.cube.len());
            for lemma in lemmas {
                let is_there = |other: &Lemma| std::rc::Rc::ptr_eq(&other.cube, &lemma.cube);
                if !self.is_stuck(level, &lemma) && self.frames.deltas[level].iter().any(is_there) {
                    self.push(level, &lemma)?;
                }
            }
            if self.frames.deltas[level].is_empty() {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    fn push(&mut self, level: usize, lemma: &Lemma) -> Result<(), Stopped> {
        if let Some(core) = self.blocked(level, &lemma.cube, Before::Anything)? {
            self.frames.raise(level, lemma, &core);
            return Ok(());
        }
        let state: State = self.state(level);
        let n_lemmas = self.frames.log.len();
        let is_same = |other: &&mut Lemma| std::rc::Rc::ptr_eq(&other.cube, &lemma.cube);
        if let Some(lemma) = self.frames.deltas[level].iter_mut().find(is_same) {
            lemma.pushed_back = Some((state, n_lemmas));
        }
        Ok(())
    }

    /// Whether the state that pushed the lemma back is still in its frame.
    fn is_stuck(&self, level: usize, lemma: &Lemma) -> bool {
        lemma.pushed_back.as_ref().is_some_and(|(state, since)| {
            let mut new = self.frames.log[*since..].iter();
            !new.any(|(of, cube)| *of >= level && contains(cube, state))
        })
    }
}
