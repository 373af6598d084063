//! Deleting learned clauses that are of little use, and compaction.

use crate::arena::{Arena, ClauseRef};
use crate::solver::Solver;
use crate::solver::propagate::BINARY;

impl Solver {
    /// Before a query, at level 0: deletes and compacts if that pays.
    pub(crate) fn clean(&mut self) {
        self.reduce();
        if self.arena.is_wasteful() {
            self.compact();
        }
    }

    /// At level 0: deletes the less active half of the learned clauses if there are many.
    pub(crate) fn reduce(&mut self) {
        if self.learnts.len() <= self.most_learnts {
            return;
        }
        self.most_learnts += self.most_learnts / 10;
        let arena = &self.arena;
        let by_activity = |a: &ClauseRef, b: &ClauseRef| {
            arena.activity(*b).total_cmp(&arena.activity(*a)).then(a.0.cmp(&b.0))
        };
        self.learnts.sort_by(by_activity);
        let half = self.learnts.len() / 2;
        for clause in self.learnts.drain(half..) {
            self.arena.delete(clause);
        }
    }

    /// At level 0, without temporary clauses: copies what is not deleted. Reasons at level 0 are not needed.
    fn compact(&mut self) {
        let mut new = Arena::default();
        let mut learnts = Vec::with_capacity(self.learnts.len());
        for watchers in &mut self.watchers {
            watchers.retain(|watcher| watcher.clause == BINARY);
        }
        let old = std::mem::take(&mut self.arena);
        let mut clauses = Vec::new();
        for clause in old.clauses() {
            let literals: Vec<_> = old.literals(clause).collect();
            if literals.iter().any(|lit| self.values[lit.index()] > 0) {
                continue;
            }
            // What is false for good is never watched: propagation at level 0 is complete.
            let copy = new.add(&literals, old.is_learnt(clause));
            new.set_activity(copy, old.activity(clause));
            clauses.push(copy);
            if old.is_learnt(clause) {
                learnts.push(copy);
            }
        }
        self.arena = new;
        self.learnts = learnts;
        clauses.into_iter().for_each(|clause| self.watch(clause));
    }
}
