//! Clauses of three and more literals, one after the other in an array: a header, an activity, the literals.

use crate::lit::Lit;

/// Where a clause starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClauseRef(pub(crate) u32);

const LEARNT: u32 = 1;
const DELETED: u32 = 2;
const SHIFT: u32 = 2;

/// The words before the literals.
const HEADER: usize = 2;

#[derive(Clone, Debug, Default)]
pub(crate) struct Arena {
    words: Vec<u32>,
    /// The words of deleted clauses.
    wasted: usize,
}

impl Arena {
    pub(crate) fn add(&mut self, literals: &[Lit], is_learnt: bool) -> ClauseRef {
        let start = self.words.len() as u32;
        self.words.push(((literals.len() as u32) << SHIFT) | (u32::from(is_learnt) * LEARNT));
        self.words.push(0);
        self.words.extend(literals.iter().map(|lit| lit.code()));
        ClauseRef(start)
    }

    #[inline]
    pub(crate) fn len(&self, clause: ClauseRef) -> usize {
        (self.words[clause.0 as usize] >> SHIFT) as usize
    }

    #[inline]
    pub(crate) fn is_learnt(&self, clause: ClauseRef) -> bool {
        self.words[clause.0 as usize] & LEARNT != 0
    }

    #[inline]
    pub(crate) fn is_deleted(&self, clause: ClauseRef) -> bool {
        self.words[clause.0 as usize] & DELETED != 0
    }

    pub(crate) fn delete(&mut self, clause: ClauseRef) {
        self.wasted += self.len(clause) + HEADER;
        self.words[clause.0 as usize] |= DELETED;
    }

    pub(crate) fn activity(&self, clause: ClauseRef) -> f32 {
        f32::from_bits(self.words[clause.0 as usize + 1])
    }

    pub(crate) fn set_activity(&mut self, clause: ClauseRef, activity: f32) {
        self.words[clause.0 as usize + 1] = activity.to_bits();
    }

    /// The codes of the literals.
    #[inline]
    pub(crate) fn codes(&self, clause: ClauseRef) -> &[u32] {
        let start = clause.0 as usize + HEADER;
        &self.words[start..start + self.len(clause)]
    }

    #[inline]
    pub(crate) fn codes_mut(&mut self, clause: ClauseRef) -> &mut [u32] {
        let start = clause.0 as usize + HEADER;
        let end = start + self.len(clause);
        &mut self.words[start..end]
    }

    pub(crate) fn literals(&self, clause: ClauseRef) -> impl Iterator<Item = Lit> {
        self.codes(clause).iter().map(|code| Lit::from_code(*code))
    }

    /// Whether so much is deleted that a copy without it pays.
    pub(crate) fn is_wasteful(&self) -> bool {
        self.wasted > 4096 && self.wasted * 4 > self.words.len()
    }

    /// All clauses that are not deleted, with the words that they take.
    pub(crate) fn clauses(&self) -> impl Iterator<Item = ClauseRef> {
        let mut next = 0;
        std::iter::from_fn(move || {
            while next < self.words.len() {
                let clause = ClauseRef(next as u32);
                next += self.len(clause) + HEADER;
                if !self.is_deleted(clause) {
                    return Some(clause);
                }
            }
            None
        })
    }
}
