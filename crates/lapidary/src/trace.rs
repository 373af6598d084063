//! The part of an execution that is shown: all of it, unless it is so long that nobody would read it.

use std::collections::BTreeMap;

use lapidary_expr::Valuation;
use lapidary_model::{Cfa, Execution, ReplayError, Step};

/// Of a long execution, so many of the first steps are shown.
const FIRST: usize = 1_000;
/// And so many of the last.
const LAST: usize = 50;

/// The values around the steps of an execution that are shown.
#[derive(Debug)]
pub struct Trace {
    /// The values before each step that is shown, and after it, by the number of the next step.
    states: BTreeMap<usize, Valuation>,
    n_steps: usize,
}

impl Trace {
    /// The trace of an execution of `cfa`.
    pub fn new(cfa: &Cfa, execution: &Execution) -> Result<Trace, ReplayError> {
        let n_steps = execution.steps.len();
        let mut trace = Trace { states: BTreeMap::new(), n_steps };
        trace.states.insert(0, execution.start.clone());
        execution.run(cfa, &mut |i, state| {
            if trace.is_shown(i) || trace.is_shown(i + 1) {
                trace.states.insert(i + 1, state.clone());
            }
        })?;
        Ok(trace)
    }

    fn is_shown(&self, i: usize) -> bool {
        self.n_steps <= FIRST + LAST || i < FIRST || i + LAST >= self.n_steps
    }

    /// The number of steps that are left out, which come after the first ones.
    pub fn omitted(&self) -> usize {
        match self.n_steps <= FIRST + LAST {
            true => 0,
            false => self.n_steps - FIRST - LAST,
        }
    }

    /// The steps that are shown, with their numbers from zero and the values before and after.
    pub fn steps<'a>(
        &'a self,
        execution: &'a Execution,
    ) -> impl Iterator<Item = (usize, &'a Step, &'a Valuation, &'a Valuation)> {
        let step = |i: usize| {
            let (before, after) = (self.states.get(&i)?, self.states.get(&(i + 1))?);
            Some((i, execution.steps.get(i)?, before, after))
        };
        let first = 0..self.n_steps.min(FIRST);
        let last = (self.n_steps.min(FIRST) + self.omitted())..self.n_steps;
        first.chain(last).filter_map(step)
    }
}
