//! A back end that gives up after a number of queries and abstract successors: a limit that does not depend on the clock.

use std::cell::Cell;
use std::rc::Rc;

use lapidary_expr::{Term, Valuation, VarSet};
use lapidary_solver::{
    Backend, Eliminate, Interpolants, Interpolator, Limit, Result, Solver, Stop, UnsatCore,
};

/// Counts down with every query.
pub(crate) struct Budgeted<'a> {
    inner: &'a dyn Backend,
    left: Rc<Cell<usize>>,
}

impl<'a> Budgeted<'a> {
    /// Allows `queries` of them.
    pub(crate) fn new(inner: &'a dyn Backend, queries: usize) -> Self {
        Budgeted { inner, left: Rc::new(Cell::new(queries)) }
    }

    fn share<T>(&self, inner: T) -> Shared<T> {
        Shared { inner, left: Rc::clone(&self.left) }
    }
}

struct Shared<T> {
    inner: T,
    left: Rc<Cell<usize>>,
}

impl<T> Shared<T> {
    fn spend(&self) -> Result<()> {
        let left = self.left.get().checked_sub(1).ok_or(Stop::Limit(Limit::Time))?;
        self.left.set(left);
        Ok(())
    }
}

impl Backend for Budgeted<'_> {
    fn solver(&self) -> Box<dyn UnsatCore> {
        Box::new(self.share(self.inner.solver()))
    }

    fn eliminator(&self) -> Option<Box<dyn Eliminate>> {
        Some(Box::new(self.share(self.inner.eliminator()?)))
    }

    fn interpolator(&self) -> Option<Box<dyn Interpolator>> {
        Some(Box::new(self.share(self.inner.interpolator()?)))
    }

    fn horn(&self) -> Option<Box<dyn lapidary_solver::horn::Horn>> {
        None
    }

    fn check(&self) -> Result<()> {
        self.share(()).spend()
    }

    fn spend(&self, work: u64) {
        self.inner.spend(work);
    }
}

impl Solver for Shared<Box<dyn UnsatCore>> {
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
        self.spend()?;
        self.inner.is_sat()
    }

    fn model(&mut self, vars: &VarSet) -> Result<Option<Valuation>> {
        self.spend()?;
        self.inner.model(vars)
    }
}

impl UnsatCore for Shared<Box<dyn UnsatCore>> {
    fn core(&mut self, assumptions: &[Term]) -> Result<Option<Vec<usize>>> {
        self.spend()?;
        self.inner.core(assumptions)
    }
}

impl Eliminate for Shared<Box<dyn Eliminate>> {
    fn eliminate(&mut self, vars: &VarSet, formula: Term) -> Result<Option<Term>> {
        self.spend()?;
        self.inner.eliminate(vars, formula)
    }
}

impl Interpolator for Shared<Box<dyn Interpolator>> {
    fn interpolate(&mut self, parts: &[Term]) -> Result<Interpolants> {
        self.spend()?;
        self.inner.interpolate(parts)
    }
}
