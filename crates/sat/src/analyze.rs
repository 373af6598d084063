//! Conflicts: the clause to learn from one, and the assumptions that one needs.

use crate::arena::ClauseRef;
use crate::lit::{Lit, Var};
use crate::solver::Solver;
use crate::solver::propagate::{Conflict, Reason};

/// Activities beyond this are scaled down.
const LARGE: f64 = 1e100;
const LARGE_CLAUSE: f32 = 1e20;

impl Solver {
    /// The clause of the first unique implication point, its asserting literal first and one of the level to return to
    /// second, and that level.
    pub(crate) fn analyze(&mut self, conflict: Conflict) -> (Vec<Lit>, usize) {
        let now = self.limits.len() as u32;
        let mut learnt = vec![Lit::positive(0)];
        let mut open = 0;
        let mut at = self.trail.len();
        let mut reason: Vec<Lit> = match conflict {
            Conflict::Binary(a, b) => vec![a, b],
            Conflict::Clause(clause) => self.used(clause),
        };
        loop {
            for lit in reason.drain(..) {
                let var = lit.var() as usize;
                if !self.seen[var] && self.levels[var] > 0 {
                    self.seen[var] = true;
                    self.raise(lit.var());
                    if self.levels[var] >= now {
                        open += 1;
                    } else {
                        learnt.push(lit);
                    }
                }
            }
            at = (0..at).rev().find(|i| self.seen[self.trail[*i].var() as usize]).unwrap_or(0);
            let lit = self.trail[at];
            open -= 1;
            if open == 0 {
                self.seen[lit.var() as usize] = false;
                learnt[0] = !lit;
                break;
            }
            self.seen[lit.var() as usize] = false;
            match self.reasons[lit.var() as usize] {
                Reason::Binary(other) => reason.push(other),
                Reason::Clause(clause) => {
                    reason = self.used(clause);
                    reason.retain(|other| *other != lit);
                }
                Reason::None => unreachable!("only the decision of a level has no reason"),
            }
        }
        self.minimize(&mut learnt);
        let level_of = |lit: &Lit| self.levels[lit.var() as usize];
        let highest = (1..learnt.len()).max_by_key(|i| level_of(&learnt[*i]));
        let level = highest.map_or(0, |i| {
            learnt.swap(1, i);
            level_of(&learnt[1])
        });
        (learnt, level as usize)
    }

    /// The literals of a clause that takes part in a conflict.
    fn used(&mut self, clause: ClauseRef) -> Vec<Lit> {
        if self.arena.is_learnt(clause) {
            self.raise_clause(clause);
        }
        self.arena.literals(clause).collect()
    }

    /// Drops literals that the others imply. Those of the clause, but for the first, are marked as seen; none is
    /// afterwards.
    fn minimize(&mut self, learnt: &mut Vec<Lit>) {
        let mut marked: Vec<Var> = learnt[1..].iter().map(|lit| lit.var()).collect();
        let levels: u64 = marked.iter().fold(0, |levels, var| levels | self.level_bit(*var));
        let mut kept = vec![learnt[0]];
        for lit in &learnt[1..] {
            if self.reasons[lit.var() as usize] == Reason::None
                || !self.is_implied(*lit, levels, &mut marked)
            {
                kept.push(*lit);
            }
        }
        *learnt = kept;
        marked.into_iter().for_each(|var| self.seen[var as usize] = false);
    }

    fn level_bit(&self, var: Var) -> u64 {
        1 << (self.levels[var as usize] & 63)
    }

    /// Whether all ways from the literal back lead to marked ones. What is found to be implied is marked.
    fn is_implied(&mut self, lit: Lit, levels: u64, marked: &mut Vec<Var>) -> bool {
        let before = marked.len();
        let mut open = vec![lit];
        while let Some(lit) = open.pop() {
            let others: &mut dyn Iterator<Item = Lit> = match self.reasons[lit.var() as usize] {
                Reason::Binary(other) => &mut std::iter::once(other),
                Reason::Clause(clause) => &mut self.arena.literals(clause),
                Reason::None => &mut std::iter::empty(),
            };
            for other in others {
                let var = other.var();
                let level = self.levels[var as usize];
                if level == 0 || self.seen[var as usize] || var == lit.var() {
                    continue;
                }
                let is_leaf = self.reasons[var as usize] == Reason::None;
                if is_leaf || (1 << (level & 63)) & levels == 0 {
                    for var in marked.drain(before..) {
                        self.seen[var as usize] = false;
                    }
                    return false;
                }
                self.seen[var as usize] = true;
                marked.push(var);
                open.push(other);
            }
        }
        true
    }

    /// Sets the core to the assumptions because of which the assumption `lit` is false.
    pub(crate) fn analyze_final(&mut self, lit: Lit) {
        self.core = vec![lit];
        let first = self.limits.first().copied().unwrap_or(self.trail.len());
        if self.levels[lit.var() as usize] == 0 {
            return;
        }
        self.seen[lit.var() as usize] = true;
        for i in (first..self.trail.len()).rev() {
            let lit = self.trail[i];
            if !std::mem::replace(&mut self.seen[lit.var() as usize], false) {
                continue;
            }
            match self.reasons[lit.var() as usize] {
                Reason::None if self.is_reserved(lit) => {}
                Reason::None => self.core.push(lit),
                Reason::Binary(other) => self.mark(other),
                Reason::Clause(clause) => {
                    let others: Vec<Lit> = self.arena.literals(clause).collect();
                    others.into_iter().filter(|other| *other != lit).for_each(|it| self.mark(it));
                }
            }
        }
    }

    fn mark(&mut self, lit: Lit) {
        if self.levels[lit.var() as usize] > 0 {
            self.seen[lit.var() as usize] = true;
        }
    }

    fn raise(&mut self, var: Var) {
        self.activity[var as usize] += self.increment;
        if self.activity[var as usize] > LARGE {
            self.activity.iter_mut().for_each(|activity| *activity /= LARGE);
            self.increment /= LARGE;
        }
        self.heap.raised(var, &self.activity);
    }

    pub(crate) fn raise_clause(&mut self, clause: ClauseRef) {
        let activity = self.arena.activity(clause) + self.clause_increment;
        self.arena.set_activity(clause, activity);
        if activity > LARGE_CLAUSE {
            for clause in &self.learnts {
                let scaled = self.arena.activity(*clause) / LARGE_CLAUSE;
                self.arena.set_activity(*clause, scaled);
            }
            self.clause_increment /= LARGE_CLAUSE;
        }
    }
}
