//! Frames (Bradley, *SAT-Based Model Checking without Unrolling*, VMCAI 2011), delta-encoded: each lemma is stored at
//! its highest level (Eén, Mishchenko & Brayton, *Efficient Implementation of Property Directed Reachability*, FMCAD 2011,
//! section III).
//!
//! `F[0]` are the initial states; `F[k]` are the states that satisfy all lemmas at levels from `k` on. Each frame has a
//! solver with a copy of the gates.

use std::rc::Rc;

use lapidary_sat::{Lit, Solver};

use super::cube::{Cube, Lemma, latch_of, signature};

/// A solver with more clauses that other ones have replaced than clauses in use is made anew, from this number on.
const STALE: usize = 300;

pub(super) struct Frames {
    /// The gates, and what holds in every frame.
    base: Solver,
    pub(super) solvers: Vec<Solver>,
    /// The lemmas by their levels.
    pub(super) deltas: Vec<Vec<Lemma>>,
    /// All lemmas ever added, with their levels.
    pub(super) log: Vec<(usize, Rc<[Lit]>)>,
    /// How many clauses of each solver are of no use any more.
    stale: Vec<usize>,
}

impl Frames {
    /// The frame of the initial states, with a solver of its own.
    pub(super) fn new(base: Solver, initial: Solver) -> Self {
        Frames {
            base,
            solvers: vec![initial],
            deltas: vec![Vec::new()],
            log: Vec::new(),
            stale: vec![0],
        }
    }

    /// The last frame.
    pub(super) fn last(&self) -> usize {
        self.solvers.len() - 1
    }

    /// Adds a frame without lemmas.
    pub(super) fn extend(&mut self) {
        self.solvers.push(self.base.clone());
        self.deltas.push(Vec::new());
        self.stale.push(0);
    }

    /// The highest level of a lemma that excludes the cube, not below `level`.
    pub(super) fn excluded_at(&self, cube: &[Lit], level: usize) -> Option<usize> {
        let signature = signature(cube);
        let excludes = |lemma: &Lemma| lemma.excludes(cube, signature);
        (level..self.deltas.len()).rev().find(|k| self.deltas[*k].iter().any(excludes))
    }

    /// Adds the lemma that no state of the frames up to `level` is in the cube.
    pub(super) fn add(&mut self, cube: &[Lit], level: usize) {
        let lemma = Lemma::new(cube);
        let signature = signature(cube);
        for k in 1..=level {
            let before = self.deltas[k].len();
            self.deltas[k].retain(|other| !other.is_weaker(cube, signature));
            let replaced = before - self.deltas[k].len();
            self.stale[1..=k].iter_mut().for_each(|stale| *stale += replaced);
        }
        (1..=level).for_each(|k| add_clause(&mut self.solvers[k], cube));
        self.log.push((level, Rc::clone(&lemma.cube)));
        self.deltas[level].push(lemma);
        self.renew();
    }

    /// Moves a lemma up by one level; perhaps with fewer literals.
    pub(super) fn raise(&mut self, level: usize, lemma: &Lemma, cube: &Cube) {
        if **cube != *lemma.cube {
            self.add(cube, level + 1);
            return;
        }
        self.deltas[level].retain(|other| !Rc::ptr_eq(&other.cube, &lemma.cube));
        let signature = signature(cube);
        let above = &mut self.deltas[level + 1];
        let before = above.len();
        above.retain(|other| !other.is_weaker(cube, signature));
        let replaced = before - above.len();
        self.stale[1..=level + 1].iter_mut().for_each(|stale| *stale += replaced);
        add_clause(&mut self.solvers[level + 1], cube);
        self.log.push((level + 1, Rc::clone(&lemma.cube)));
        self.deltas[level + 1].push(Lemma::new(cube));
    }

    /// Makes solvers anew that have too many clauses.
    fn renew(&mut self) {
        for k in 1..self.solvers.len() {
            let in_use = || self.deltas[k..].iter().map(Vec::len).sum::<usize>();
            if self.stale[k] > STALE && self.stale[k] > in_use() {
                let mut solver = self.base.clone();
                for lemma in self.deltas[k..].iter().flatten() {
                    add_clause(&mut solver, &lemma.cube);
                }
                solver.adopt(&self.solvers[k]);
                self.solvers[k] = solver;
                self.stale[k] = 0;
            }
        }
    }

    /// The lemma where it is stored, if it is still there.
    pub(super) fn same(&mut self, level: usize, lemma: &Lemma) -> Option<&mut Lemma> {
        self.deltas[level].iter_mut().find(|other| Rc::ptr_eq(&other.cube, &lemma.cube))
    }

    /// The lemmas of a frame.
    pub(super) fn lemmas(&self, level: usize) -> impl Iterator<Item = &Lemma> {
        self.deltas[level..].iter().flatten()
    }
}

/// Adds the negation of a cube.
fn add_clause(solver: &mut Solver, cube: &[Lit]) {
    let clause: Vec<Lit> = cube.iter().map(|lit| !*lit).collect();
    solver.add_clause(&clause);
    cube.iter().for_each(|lit| solver.include(lit.var()));
}

/// How often latches occur in lemmas, recent ones counting more (IC3ref).
pub(super) struct Activity {
    latches: Vec<f64>,
    increment: f64,
}

impl Activity {
    pub(super) fn new(n_latches: usize) -> Self {
        Activity { latches: vec![0.0; n_latches], increment: 1.0 }
    }

    pub(super) fn of(&self, lit: Lit) -> f64 {
        self.latches[latch_of(lit)]
    }

    pub(super) fn raise(&mut self, cube: &[Lit]) {
        self.increment /= 0.99;
        for lit in cube {
            self.latches[latch_of(*lit)] += self.increment;
        }
        if self.increment > 1e100 {
            self.latches.iter_mut().for_each(|activity| *activity /= 1e100);
            self.increment /= 1e100;
        }
    }

    /// The literals in the order of their activity, the least active first.
    pub(super) fn rising(&self, cube: &[Lit]) -> Vec<Lit> {
        let mut order = cube.to_vec();
        order.sort_by(|a, b| self.of(*a).total_cmp(&self.of(*b)).then(a.cmp(b)));
        order
    }
}
