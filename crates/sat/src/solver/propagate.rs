//! Unit propagation with two watched literals.

use crate::arena::ClauseRef;
use crate::lit::Lit;
use crate::solver::Solver;

/// A clause that is looked at when a literal becomes false.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watcher {
    /// Another literal of the clause: if it is true, nothing needs to be done. The other one of a binary clause.
    pub(crate) blocker: Lit,
    /// Where the clause is; [`BINARY`] if the blocker is the rest of it.
    pub(crate) clause: u32,
}

/// Stands for a clause of two literals that is in the watch lists only.
pub(crate) const BINARY: u32 = u32::MAX;

/// Why a literal is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// It was decided, assumed, or holds for good.
    None,
    /// The other literal of a binary clause is false.
    Binary(Lit),
    /// All other literals of a clause are false; it comes first there.
    Clause(ClauseRef),
}

/// A clause all of whose literals are false.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Conflict {
    Binary(Lit, Lit),
    Clause(ClauseRef),
}

impl Solver {
    /// Makes true what follows from unit clauses; a conflict if there is one. Above level 0, clauses that mention
    /// variables outside of the domain may be skipped: they hold if those variables get the values of their functions.
    pub(crate) fn propagate(&mut self) -> Option<Conflict> {
        let everywhere = self.limits.is_empty();
        let first = self.head;
        let mut conflict = None;
        while conflict.is_none()
            && let Some(lit) = self.trail.get(self.head).copied()
        {
            self.head += 1;
            conflict = self.visit(!lit, everywhere);
        }
        self.propagations += (self.head - first) as u64;
        conflict
    }

    /// Looks at the clauses that watch a literal that has become false.
    fn visit(&mut self, falsified: Lit, everywhere: bool) -> Option<Conflict> {
        let mut watchers = std::mem::take(&mut self.watchers[falsified.index()]);
        let (mut kept, mut next) = (0, 0);
        let mut conflict = None;
        while let Some(watcher) = watchers.get(next).copied() {
            next += 1;
            let value = self.values[watcher.blocker.index()];
            if value > 0 || (!everywhere && !self.domain.has(watcher.blocker.var())) {
                watchers[kept] = watcher;
                kept += 1;
                continue;
            }
            if watcher.clause == BINARY {
                watchers[kept] = watcher;
                kept += 1;
                if value < 0 {
                    conflict = Some(Conflict::Binary(falsified, watcher.blocker));
                    break;
                }
                self.enqueue(watcher.blocker, Reason::Binary(falsified));
                continue;
            }
            let clause = ClauseRef(watcher.clause);
            if self.arena.is_deleted(clause) {
                continue;
            }
            let codes = self.arena.codes_mut(clause);
            if codes[0] == falsified.code() {
                codes.swap(0, 1);
            }
            let other = Lit::from_code(codes[0]);
            let now = Watcher { blocker: other, ..watcher };
            let value = self.values[other.index()];
            if value > 0 {
                watchers[kept] = now;
                kept += 1;
                continue;
            }
            let is_free = |code: &u32| self.values[*code as usize] >= 0;
            if let Some(i) = codes[2..].iter().position(is_free) {
                codes.swap(1, i + 2);
                self.watchers[codes[1] as usize].push(now);
                continue;
            }
            watchers[kept] = now;
            kept += 1;
            if value < 0 {
                conflict = Some(Conflict::Clause(clause));
                break;
            }
            self.enqueue(other, Reason::Clause(clause));
        }
        watchers.copy_within(next.., kept);
        watchers.truncate(kept + watchers.len() - next);
        self.watchers[falsified.index()] = watchers;
        conflict
    }

    pub(crate) fn enqueue(&mut self, lit: Lit, reason: Reason) {
        debug_assert_eq!(self.values[lit.index()], 0, "no literal is made true twice");
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        let var = lit.var() as usize;
        self.levels[var] = self.limits.len() as u32;
        self.reasons[var] = reason;
        self.trail.push(lit);
    }

    /// Takes back everything above a level.
    pub(crate) fn backtrack(&mut self, level: usize) {
        if self.limits.len() <= level {
            return;
        }
        let start = self.limits[level];
        for i in (start..self.trail.len()).rev() {
            let lit = self.trail[i];
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
            self.phases[lit.var() as usize] = lit.is_positive();
            if self.is_heap_made && self.domain.has(lit.var()) {
                self.heap.insert(lit.var(), &self.activity);
            }
        }
        self.trail.truncate(start);
        self.limits.truncate(level);
        self.head = start;
    }
}
