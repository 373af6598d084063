//! A wrapper that lends a back end what it cannot do: elimination and interpolation of another.

use crate::{Backend, Eliminate, Interpolator, Result, UnsatCore};

/// Solvers of one back end; eliminators and interpolators of another where the first has none.
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
        self.inner.interpolator().or_else(|| self.helper.interpolator())
    }

    fn check(&self) -> Result<()> {
        self.inner.check()
    }
}
