//! A wrapper that ends exploration when the run has to end, also where no query would notice.

use lapidary_expr::Term;
use lapidary_model::Stmt;
use lapidary_solver::Backend;

use crate::{Domain, Lesson, Reason, Result};

/// A domain within the limits of a back end.
pub struct Limited<'a, D> {
    inner: D,
    backend: &'a dyn Backend,
}

impl<'a, D> Limited<'a, D> {
    /// The domain `inner`, for as long as `backend` lets it work.
    pub fn new(inner: D, backend: &'a dyn Backend) -> Self {
        Limited { inner, backend }
    }
}

impl<D: Domain> Domain for Limited<'_, D> {
    type State = D::State;
    type Prec = D::Prec;
    type Index = D::Index;

    fn top(&self) -> D::State {
        self.inner.top()
    }

    fn leq(&mut self, s: &D::State, t: &D::State) -> Result<bool> {
        self.inner.leq(s, t)
    }

    fn post(
        &mut self,
        s: &D::State,
        given: Term,
        stmt: &Stmt,
        prec: &D::Prec,
    ) -> Result<Vec<D::State>> {
        self.backend.check()?;
        self.inner.post(s, given, stmt, prec)
    }

    fn expr(&self, s: &D::State) -> Term {
        self.inner.expr(s)
    }

    fn is_split(&self, s: &D::State, prec: &D::Prec) -> bool {
        self.inner.is_split(s, prec)
    }

    fn chooses(&self) -> bool {
        self.inner.chooses()
    }

    fn learn(&mut self, at: &D::State, reason: &Reason, prec: &D::Prec) -> D::Prec {
        self.inner.learn(at, reason, prec)
    }

    fn learn_along(&mut self, path: &[Lesson<'_, Self>]) -> Vec<D::Prec> {
        let path: Vec<Lesson<'_, D>> =
            path.iter().map(|it| Lesson { at: it.at, reason: it.reason, prec: it.prec }).collect();
        self.inner.learn_along(&path)
    }
}
