//! The search: propagation, learning from conflicts, restarts, decisions.

use crate::lit::Lit;
use crate::solver::propagate::Reason;
use crate::solver::{Meter, Solver, Stopped};

/// Conflicts before the first restart; Luby's sequence multiplies it.
const RESTART: u64 = 100;

/// The conflicts between two looks at the limits.
const LOOK: u64 = 64;

/// What a conflict counts as, beside its propagations, in units of work.
const CONFLICT: u64 = 100;

/// How much the weight of new conflicts grows.
const DECAY: f64 = 1.0 / 0.95;

impl Solver {
    pub(crate) fn search(&mut self, meter: &mut impl Meter) -> Result<bool, Stopped> {
        let (mut conflicts, mut restarts, mut since) = (0_u64, 0_u64, 0_u64);
        let mut spent = self.propagations;
        loop {
            if let Some(conflict) = self.propagate() {
                conflicts += 1;
                since += 1;
                self.conflicts += 1;
                if self.limits.is_empty() {
                    self.is_consistent = false;
                    return Ok(false);
                }
                let (learnt, level) = self.analyze(conflict);
                if let [only] = learnt[..]
                    && self.is_reserved(only)
                {
                    // The temporary clause contradicts the others: no assumption is needed.
                    return Ok(false);
                }
                self.backtrack(level);
                self.learn(&learnt);
                self.increment *= DECAY;
                self.clause_increment *= 1.001;
                if conflicts.is_multiple_of(LOOK) {
                    let work = LOOK * CONFLICT + (self.propagations - spent);
                    spent = self.propagations;
                    if !meter.spend(work) {
                        return Err(Stopped);
                    }
                }
                continue;
            }
            if since > RESTART * luby(restarts) {
                (restarts, since) = (restarts + 1, 0);
                self.backtrack(0);
                self.reduce();
            }
            match self.next_decision() {
                Next::Decide(lit) => {
                    self.limits.push(self.trail.len());
                    self.enqueue(lit, Reason::None);
                }
                Next::Holds => self.limits.push(self.trail.len()),
                Next::Refuted(lit) => {
                    // Without the temporary clause, nothing makes the reserved literal false.
                    if !self.is_reserved(lit) {
                        self.analyze_final(lit);
                    }
                    meter.spend(self.propagations - spent);
                    return Ok(false);
                }
                Next::Model => {
                    meter.spend(self.propagations - spent);
                    return Ok(true);
                }
            }
        }
    }

    fn next_decision(&mut self) -> Next {
        if let Some(lit) = self.assumptions.get(self.limits.len()).copied() {
            return match self.values[lit.index()] {
                0 => Next::Decide(lit),
                1 => Next::Holds,
                _ => Next::Refuted(lit),
            };
        }
        self.make_heap();
        while let Some(var) = self.heap.pop(&self.activity) {
            let lit = Lit::new(var, self.phases[var as usize]);
            if self.values[lit.index()] == 0 {
                return Next::Decide(lit);
            }
        }
        Next::Model
    }

    fn learn(&mut self, learnt: &[Lit]) {
        let lit = learnt[0];
        let is_passing = learnt.iter().any(|lit| self.is_reserved(*lit));
        match learnt {
            [_] => self.enqueue(lit, Reason::None),
            [_, other] if !is_passing => {
                self.watch_binary(lit, *other);
                self.enqueue(lit, Reason::Binary(*other));
            }
            _ => {
                let clause = self.arena.add(learnt, true);
                self.watch(clause);
                let list = if is_passing { &mut self.passing } else { &mut self.learnts };
                list.push(clause);
                self.raise_clause(clause);
                self.enqueue(lit, Reason::Clause(clause));
            }
        }
    }
}

/// What the search does next.
enum Next {
    Decide(Lit),
    /// An assumption is true already.
    Holds,
    /// An assumption is false.
    Refuted(Lit),
    Model,
}

/// Luby's sequence from 0: 1, 1, 2, 1, 1, 2, 4, …
fn luby(i: u64) -> u64 {
    let mut i = i + 1;
    loop {
        let power = (i + 1).next_power_of_two();
        if power == i + 1 {
            return power / 2;
        }
        i -= power / 2 - 1;
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn luby_has_its_values() {
        let values: Vec<u64> = (0..15).map(super::luby).collect();
        assert_eq!(values, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
