//! Propagation: lemmas move to the highest level where they hold (Eén, Mishchenko & Brayton, FMCAD 2011, section III).
//!
//! A lemma that stays keeps the state that pushed it back. It is asked again only when a new lemma excludes that state
//! (Suda, *Triggered Clause Pushing for IC3*, arXiv 1307.4966).

use std::rc::Rc;

use lapidary_sat::Lit;

use super::Run;
use super::cube::{Lemma, contains};
use super::query::{Before, Stopped};

impl Run<'_> {
    /// Moves lemmas up; a level without lemmas of its own, if there is one: its frame is an invariant.
    pub(super) fn propagate(&mut self) -> Result<Option<usize>, Stopped> {
        for level in 1..self.frames.last() {
            let mut lemmas = self.frames.deltas[level].clone();
            lemmas.sort_by_key(|lemma| lemma.cube.len());
            for lemma in lemmas {
                let is_there = self.frames.same(level, &lemma).is_some();
                if is_there && !self.is_stuck(level, &lemma) {
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
        let pushed_back = Some((self.state(level), self.frames.log.len()));
        if let Some(lemma) = self.frames.same(level, lemma) {
            lemma.pushed_back = pushed_back;
        }
        Ok(())
    }

    /// Whether the state that pushed the lemma back is still in its frame.
    fn is_stuck(&mut self, level: usize, lemma: &Lemma) -> bool {
        let Some((state, since)) = &lemma.pushed_back else { return false };
        let log = &self.frames.log;
        let excludes = |(of, cube): &(usize, Rc<[Lit]>)| *of >= level && contains(cube, state);
        if log[*since..].iter().any(excludes) {
            return false;
        }
        // Next time, these need not be looked at again.
        let n_lemmas = log.len();
        if let Some(lemma) = self.frames.same(level, lemma) {
            lemma.pushed_back = Some((Rc::clone(state), n_lemmas));
        }
        true
    }
}
