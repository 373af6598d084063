//! A wrapper that counts what a back end is asked and how long it takes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use lapidary_expr::{Term, Valuation, VarSet};

use crate::horn::{Horn, System};
use crate::{Backend, Eliminate, Interpolants, Interpolator, Result, Solver, UnsatCore};

/// What was asked so far; clones share the counts, also between threads.
#[derive(Clone, Debug, Default)]
pub struct Counts(Arc<Counters>);

#[derive(Debug, Default)]
struct Counters {
    calls: AtomicU64,
    nanoseconds: AtomicU64,
}

impl Counts {
    /// The number of queries.
    pub fn calls(&self) -> u64 {
        self.0.calls.load(Ordering::Relaxed)
    }

    /// The time spent in them, of all threads together.
    pub fn time(&self) -> Duration {
        Duration::from_nanos(self.0.nanoseconds.load(Ordering::Relaxed))
    }

    #[expect(clippy::disallowed_methods, reason = "the clock feeds statistics only")]
    fn timed<T>(&self, query: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let answer = query();
        let nanoseconds = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.0.calls.fetch_add(1, Ordering::Relaxed);
        self.0.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
        answer
    }
}

/// A back end whose solvers are counted together.
#[derive(Clone, Debug)]
pub struct Counted<T> {
    inner: T,
    counts: Counts,
}

impl<T> Counted<T> {
    /// Counts the queries to `inner` and to whatever it makes.
    pub fn new(inner: T, counts: &Counts) -> Self {
        Counted { inner, counts: counts.clone() }
    }
}

impl<B: Backend> Backend for Counted<B> {
    fn solver(&self) -> Box<dyn UnsatCore> {
        Box::new(Counted::new(self.inner.solver(), &self.counts))
    }

    fn eliminator(&self) -> Option<Box<dyn Eliminate>> {
        let inner = self.inner.eliminator()?;
        Some(Box::new(Counted::new(inner, &self.counts)))
    }

    fn interpolator(&self) -> Option<Box<dyn Interpolator>> {
        let inner = self.inner.interpolator()?;
        Some(Box::new(Counted::new(inner, &self.counts)))
    }

    fn horn(&self) -> Option<Box<dyn Horn>> {
        let inner = self.inner.horn()?;
        Some(Box::new(Counted::new(inner, &self.counts)))
    }

    fn check(&self) -> Result<()> {
        self.inner.check()
    }

    fn spend(&self, work: u64) {
        self.inner.spend(work);
    }
}

impl Solver for Counted<Box<dyn UnsatCore>> {
    fn push(&mut self) {
        self.inner.push();
    }

    fn pop(&mut self) {
        self.inner.pop();
    }

    fn assert(&mut self, formula: Term) {
        self.inner.assert(formula);
    }

    fn is_sat(&mut self) -> Result<bool> {
        self.counts.timed(|| self.inner.is_sat())
    }

    fn model(&mut self, vars: &VarSet) -> Result<Option<Valuation>> {
        self.counts.timed(|| self.inner.model(vars))
    }
}

impl UnsatCore for Counted<Box<dyn UnsatCore>> {
    fn core(&mut self, assumptions: &[Term]) -> Result<Option<Vec<usize>>> {
        self.counts.timed(|| self.inner.core(assumptions))
    }
}

impl Eliminate for Counted<Box<dyn Eliminate>> {
    fn eliminate(&mut self, vars: &VarSet, formula: Term) -> Result<Option<Term>> {
        self.counts.timed(|| self.inner.eliminate(vars, formula))
    }
}

impl Interpolator for Counted<Box<dyn Interpolator>> {
    fn interpolate(&mut self, parts: &[Term]) -> Result<Interpolants> {
        self.counts.timed(|| self.inner.interpolate(parts))
    }
}

impl Horn for Counted<Box<dyn Horn>> {
    fn solve(&mut self, system: &System) -> Result<Option<Vec<Term>>> {
        self.counts.timed(|| self.inner.solve(system))
    }
}
