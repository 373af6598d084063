//! A wrapper that lends a back end what it cannot do: elimination, interpolation and Horn clauses of another.

use lapidary_expr::Term;

use crate::horn::Horn;
use crate::{Backend, Eliminate, Interpolants, Interpolator, Result, Stop, UnsatCore};

/// Solvers of one back end; eliminators, interpolators and Horn solvers of another where the first has none. An
/// interpolator that fails is helped as well.
#[derive(Clone, Debug)]
pub struct Assisted<B, H> {
    inner: B,
    helper: H,
}

impl<B, H> Assisted<B, H> {
    /// `inner`, with the help of `helper`.
    pub fn new(inner: B, helper: H) -> Self {
        Assisted { inner, helper }
    }
}

impl<B: Backend, H: Backend> Backend for Assisted<B, H> {
    fn solver(&self) -> Box<dyn UnsatCore> {
        self.inner.solver()
    }

    fn eliminator(&self) -> Option<Box<dyn Eliminate>> {
        self.inner.eliminator().or_else(|| self.helper.eliminator())
    }

    fn interpolator(&self) -> Option<Box<dyn Interpolator>> {
        match (self.inner.interpolator(), self.helper.interpolator()) {
            (Some(first), Some(second)) => Some(Box::new(InTurn { first, second })),
            (first, second) => first.or(second),
        }
    }

    fn horn(&self) -> Option<Box<dyn Horn>> {
        self.inner.horn().or_else(|| self.helper.horn())
    }

    fn check(&self) -> Result<()> {
        self.inner.check()
    }

    fn spend(&self, work: u64) {
        self.inner.spend(work);
    }
}

struct InTurn {
    first: Box<dyn Interpolator>,
    second: Box<dyn Interpolator>,
}

impl Interpolator for InTurn {
    fn interpolate(&mut self, parts: &[Term]) -> Result<Interpolants> {
        match self.first.interpolate(parts) {
            Err(Stop::Solver(_) | Stop::Interpolation(_)) => self.second.interpolate(parts),
            answer => answer,
        }
    }
}
