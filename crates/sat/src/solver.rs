//! The solver: variables, clauses, queries and the search.

pub(crate) mod propagate;

use std::rc::Rc;

use crate::arena::{Arena, ClauseRef};
use crate::cones::Cones;
use crate::heap::Heap;
use crate::lit::{Lit, Var};
use propagate::{BINARY, Reason, Watcher};

/// What a query counts as, in units of work.
const QUERY: u64 = 50;

/// Limits of the search.
pub trait Meter {
    /// Takes this much work from the budget; whether the search may go on.
    fn spend(&mut self, work: u64) -> bool;
}

/// No limits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unlimited;

impl Meter for Unlimited {
    fn spend(&mut self, _: u64) -> bool {
        true
    }
}

/// The meter ended the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// The variables that a query is about.
#[derive(Clone, Debug, Default)]
pub(crate) struct Domain {
    stamps: Vec<u32>,
    now: u32,
    list: Vec<Var>,
}

impl Domain {
    #[inline]
    pub(crate) fn has(&self, var: Var) -> bool {
        self.stamps[var as usize] == self.now
    }

    fn clear(&mut self) {
        self.list.clear();
        self.now += 1;
    }

    #[inline]
    fn add(&mut self, var: Var) {
        if !self.has(var) {
            self.stamps[var as usize] = self.now;
            self.list.push(var);
        }
    }
}

/// An incremental solver. Clones share nothing but the cones.
#[derive(Clone, Debug)]
pub struct Solver {
    /// 1 for true, -1 for false, 0 for neither, by literal.
    pub(crate) values: Vec<i8>,
    pub(crate) levels: Vec<u32>,
    pub(crate) reasons: Vec<Reason>,
    pub(crate) phases: Vec<bool>,
    pub(crate) activity: Vec<f64>,
    pub(crate) seen: Vec<bool>,
    pub(crate) trail: Vec<Lit>,
    /// Where the levels start on the trail.
    pub(crate) limits: Vec<usize>,
    pub(crate) head: usize,
    pub(crate) watchers: Vec<Vec<Watcher>>,
    pub(crate) arena: Arena,
    pub(crate) learnts: Vec<ClauseRef>,
    /// Clauses that hold during the last query only.
    pub(crate) passing: Vec<ClauseRef>,
    pub(crate) heap: Heap,
    /// Whether the heap has the open variables of the domain.
    pub(crate) is_heap_made: bool,
    pub(crate) domain: Domain,
    cones: Option<Rc<Cones>>,
    /// Variables in every domain.
    common: Vec<Var>,
    is_common: Vec<bool>,
    pub(crate) increment: f64,
    pub(crate) clause_increment: f32,
    /// Learned clauses beyond this number make it worth to delete some.
    pub(crate) most_learnts: usize,
    /// The literal that the temporary clause contains the negation of.
    reserved: Option<Lit>,
    pub(crate) assumptions: Vec<Lit>,
    pub(crate) core: Vec<Lit>,
    /// No contradiction without assumptions has been found.
    pub(crate) is_consistent: bool,
    pub(crate) propagations: u64,
    pub(crate) conflicts: u64,
}

impl Default for Solver {
    fn default() -> Self {
        Solver::new()
    }
}

impl Solver {
    /// A solver without variables, whose queries are about all of them.
    pub fn new() -> Self {
        Solver {
            values: Vec::new(),
            levels: Vec::new(),
            reasons: Vec::new(),
            phases: Vec::new(),
            activity: Vec::new(),
            seen: Vec::new(),
            trail: Vec::new(),
            limits: Vec::new(),
            head: 0,
            watchers: Vec::new(),
            arena: Arena::default(),
            learnts: Vec::new(),
            passing: Vec::new(),
            heap: Heap::default(),
            is_heap_made: false,
            domain: Domain { now: 1, ..Domain::default() },
            cones: None,
            common: Vec::new(),
            is_common: Vec::new(),
            increment: 1.0,
            clause_increment: 1.0,
            most_learnts: 2000,
            reserved: None,
            assumptions: Vec::new(),
            core: Vec::new(),
            is_consistent: true,
            propagations: 0,
            conflicts: 0,
        }
    }

    /// From now on queries are about the cones of their literals and of what [`include`](Solver::include) adds.
    ///
    /// Whatever satisfies the clauses within a domain must be part of a model of all clauses. That is so if every
    /// clause says what a gate is, or mentions included variables only.
    pub fn keep_to(&mut self, cones: Rc<Cones>) {
        self.cones = Some(cones);
    }

    /// Makes a variable part of every domain.
    pub fn include(&mut self, var: Var) {
        if !std::mem::replace(&mut self.is_common[var as usize], true) {
            self.common.push(var);
        }
    }

    /// A new variable.
    pub fn new_var(&mut self) -> Var {
        let var = self.levels.len() as Var;
        self.values.extend([0, 0]);
        self.levels.push(0);
        self.reasons.push(Reason::None);
        self.phases.push(false);
        self.activity.push(0.0);
        self.seen.push(false);
        self.watchers.extend([Vec::new(), Vec::new()]);
        self.domain.stamps.push(0);
        self.is_common.push(false);
        self.heap.grow(self.levels.len());
        var
    }

    /// The number of variables.
    pub fn n_vars(&self) -> usize {
        self.levels.len()
    }

    /// The work of all queries so far: propagations and conflicts.
    pub fn counts(&self) -> (u64, u64) {
        (self.propagations, self.conflicts)
    }

    /// Makes decisions as a solver with the same variables does.
    pub fn adopt(&mut self, other: &Solver) {
        let n = self.n_vars().min(other.n_vars());
        self.phases[..n].copy_from_slice(&other.phases[..n]);
        self.activity[..n].copy_from_slice(&other.activity[..n]);
        self.increment = other.increment;
    }

    /// Adds a clause for good; whether the clauses may still be satisfiable.
    pub fn add_clause(&mut self, literals: &[Lit]) -> bool {
        self.end_query();
        let Some(rest) = self.remaining(literals) else { return self.is_consistent };
        match rest[..] {
            [] => self.is_consistent = false,
            [lit] => {
                self.enqueue(lit, Reason::None);
                self.is_consistent &= self.propagate().is_none();
            }
            [a, b] => self.watch_binary(a, b),
            _ => {
                let clause = self.arena.add(&rest, false);
                self.watch(clause);
            }
        }
        self.is_consistent
    }

    /// The literals that are not false for good, each once; none if the clause holds for good.
    fn remaining(&self, literals: &[Lit]) -> Option<Vec<Lit>> {
        let mut rest: Vec<Lit> = literals.to_vec();
        rest.sort_unstable();
        rest.dedup();
        let holds = rest.windows(2).any(|pair| pair[0] == !pair[1])
            || rest.iter().any(|lit| self.values[lit.index()] > 0);
        rest.retain(|lit| self.values[lit.index()] == 0);
        (!holds).then_some(rest)
    }

    /// Whether the clauses are satisfiable together with the assumptions and, if it is not empty, a temporary clause.
    pub fn solve(
        &mut self,
        assumptions: &[Lit],
        temporary: &[Lit],
        meter: &mut impl Meter,
    ) -> Result<bool, Stopped> {
        self.end_query();
        if !meter.spend(QUERY) {
            return Err(Stopped);
        }
        if !self.is_consistent {
            return Ok(false);
        }
        self.clean();
        self.assumptions.clear();
        if !temporary.is_empty() && !self.add_temporary(temporary) {
            return Ok(false);
        }
        self.assumptions.extend(assumptions);
        self.choose_domain(temporary);
        self.search(meter)
    }

    /// Forgets the assignment and the temporary clauses of the last query.
    fn end_query(&mut self) {
        // The next query makes a heap of its own.
        self.is_heap_made = false;
        self.backtrack(0);
        self.core.clear();
        for clause in std::mem::take(&mut self.passing) {
            self.arena.delete(clause);
        }
        // The temporary clause may have come to contradict what holds for good.
        self.reserved = self.reserved.filter(|lit| self.values[lit.index()] == 0);
    }

    /// Adds a clause for this query; false if it contradicts what holds for good.
    fn add_temporary(&mut self, literals: &[Lit]) -> bool {
        let Some(mut rest) = self.remaining(literals) else { return true };
        let reserved = match self.reserved {
            Some(lit) => lit,
            None => *self.reserved.insert(Lit::positive(self.levels.len() as Var)),
        };
        if reserved.var() as usize == self.levels.len() {
            self.new_var();
        }
        if rest.is_empty() {
            return false;
        }
        rest.push(!reserved);
        let clause = self.arena.add(&rest, true);
        self.watch(clause);
        self.passing.push(clause);
        self.assumptions.push(reserved);
        true
    }

    pub(crate) fn is_reserved(&self, lit: Lit) -> bool {
        self.reserved.is_some_and(|reserved| reserved.var() == lit.var())
    }

    fn choose_domain(&mut self, temporary: &[Lit]) {
        let Solver { domain, heap, cones, .. } = self;
        domain.clear();
        match cones {
            None => (0..self.levels.len() as Var).for_each(|var| domain.add(var)),
            Some(cones) => {
                let roots = self.assumptions.iter().chain(temporary).map(|lit| lit.var());
                roots.for_each(|var| domain.add(var));
                self.common.iter().for_each(|var| domain.add(*var));
                let mut next = 0;
                while let Some(var) = domain.list.get(next).copied() {
                    next += 1;
                    cones.fanins(var).iter().for_each(|fanin| domain.add(*fanin));
                }
            }
        }
        heap.clear();
        self.is_heap_made = false;
    }

    /// Makes the heap when it is first needed: many queries end without a decision.
    pub(crate) fn make_heap(&mut self) {
        if !std::mem::replace(&mut self.is_heap_made, true) {
            let Solver { domain, heap, values, activity, .. } = self;
            let is_open = |var: &&Var| values[Lit::positive(**var).index()] == 0;
            domain.list.iter().filter(is_open).for_each(|var| heap.append(*var));
            heap.order(activity);
        }
    }

    pub(crate) fn watch_binary(&mut self, a: Lit, b: Lit) {
        self.watchers[a.index()].push(Watcher { blocker: b, clause: BINARY });
        self.watchers[b.index()].push(Watcher { blocker: a, clause: BINARY });
    }

    pub(crate) fn watch(&mut self, clause: ClauseRef) {
        let codes = self.arena.codes(clause);
        let (a, b) = (Lit::from_code(codes[0]), Lit::from_code(codes[1]));
        self.watchers[a.index()].push(Watcher { blocker: b, clause: clause.0 });
        self.watchers[b.index()].push(Watcher { blocker: a, clause: clause.0 });
    }

    /// The value in the model of the last query; none outside of its domain.
    #[inline]
    pub fn value(&self, lit: Lit) -> Option<bool> {
        match self.values[lit.index()] {
            0 => None,
            value => Some(value > 0),
        }
    }

    /// The value for good, if there is one. Only between queries: [`solve`](Solver::solve) must not have left a model.
    pub fn fixed(&self, lit: Lit) -> Option<bool> {
        self.value(lit).filter(|_| self.levels[lit.var() as usize] == 0)
    }

    /// The assumptions that contradict the clauses of the last query.
    pub fn core(&self) -> &[Lit] {
        &self.core
    }
}
