//! The effort that Z3 has made, in its own deterministic unit, for budgets of work. A term that is built counts as one
//! unit as well: interpolation and elimination of our own take time without Z3.

use std::cell::Cell;
use std::rc::Rc;

use lapidary_expr::Term;
use z3::{Params, Solver, StatisticsValue};

use crate::limits::Watch;

/// What every query counts as, whatever Z3 says of it: translating and asking take time, too.
const QUERY: u64 = 1_000;

/// Reads the effort and takes it from the budget; clones share it. Without a budget it does nothing.
#[derive(Clone, Debug)]
pub(super) struct Meter {
    watch: Watch,
    /// What was read last: the count is that of the thread's context, and is never reset.
    last: Rc<Cell<u64>>,
    /// The number of terms at that time.
    terms: Rc<Cell<u64>>,
}

impl Meter {
    pub(super) fn new(watch: &Watch) -> Meter {
        let last = watch.left().and_then(|_| count(&Solver::new())).unwrap_or(0);
        let terms = Rc::new(Cell::new(Term::n_built()));
        Meter { watch: watch.clone(), last: Rc::new(Cell::new(last)), terms }
    }

    /// Takes what was done since the last reading from the budget.
    pub(super) fn read(&self, solver: &Solver) {
        if self.watch.left().is_none() {
            return;
        }
        let now = count(solver).unwrap_or(self.last.get());
        let before = self.last.replace(now);
        let n_built = Term::n_built();
        let terms = n_built - self.terms.replace(n_built);
        self.watch.spend(QUERY + terms + now.saturating_sub(before));
    }

    /// Lets the solver do no more than what is left.
    pub(super) fn restrict(&self, solver: &Solver) {
        if let Some(left) = self.watch.left() {
            let mut params = Params::new();
            // No limit is what zero says.
            params.set_u32("rlimit", u32::try_from(left).unwrap_or(u32::MAX).max(1));
            solver.set_params(&params);
        }
    }
}

/// The effort of all solvers of the context so far.
fn count(solver: &Solver) -> Option<u64> {
    match solver.get_statistics().value("rlimit count")? {
        StatisticsValue::UInt(count) => Some(count.into()),
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a large count"
        )]
        StatisticsValue::Double(count) => Some(count as u64),
    }
}
