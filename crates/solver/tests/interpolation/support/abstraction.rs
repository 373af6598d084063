//! Boolean predicate abstraction of a loop: do these predicates prove it, however often it runs?
//!
//! An abstract state says of each predicate whether it holds. The reachable ones are enumerated, with a solver of
//! our own and nothing from the engines: whatever interpolants are good for must show here.

use std::collections::BTreeSet;
use std::time::Duration;

use lapidary_expr::{Sort, Term, Value, Var, VarSet};
use lapidary_solver::limits::{Limits, attempt, cpu_time};
use lapidary_solver::{Backend, Result, UnsatCore};

use super::loops::Loop;
use super::z3;

/// More predicates are not tried.
const MOST_PREDICATES: usize = 64;
/// More abstract states are not enumerated.
const MOST_STATES: usize = 4096;

/// What predicates are worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Worth {
    /// They prove the loop, with this many abstract states.
    Proof(usize),
    /// With them, something bad is reachable.
    NoProof,
    /// There are too many predicates or abstract states to tell within the limits.
    TooMany,
}

/// The distinct atoms of a sequence, whatever the version they speak of.
pub(crate) fn predicates(itps: &[Term]) -> Vec<Term> {
    let mut seen = BTreeSet::new();
    let atoms = itps.iter().flat_map(|itp| {
        let base = itp.map_vars(&|var| Some(var.base().into()));
        base.atoms()
    });
    atoms.map(Term::positive).filter(|atom| seen.insert(*atom)).collect()
}

/// What `predicates` over the state variables are worth for the loop.
pub(crate) fn worth(task: &Loop, predicates: &[Term], budget: Duration) -> Worth {
    if predicates.len() > MOST_PREDICATES {
        return Worth::TooMany;
    }
    let limits = Limits { cpu: Some(cpu_time() + budget), ..Limits::default() };
    attempt(&limits, |watch| explored(task, predicates, &z3(watch))).unwrap_or(Worth::TooMany)
}

/// The truth values of the predicates, in order.
type State = Vec<bool>;

/// Formulas over truth values that stand for the predicates at one version.
struct Letters(Vec<Var>);

impl Letters {
    fn new(count: usize, version: u32) -> Self {
        let letter = |i| Var::new(&format!("predicate {i}"), Sort::Bool).at(version);
        Letters((0..count).map(letter).collect())
    }

    /// Each letter says whether its predicate holds.
    fn define(&self, predicates: &[Term], version: u32, solver: &mut dyn UnsatCore) {
        for (letter, predicate) in self.0.iter().zip(predicates) {
            let predicate = predicate.map_vars(&|var| Some(var.at(version).into()));
            solver.assert(Term::var(*letter).equals(predicate));
        }
    }

    fn is(&self, state: &State) -> Term {
        let literal = |(letter, holds): (&Var, &bool)| {
            let letter = Term::var(*letter);
            if *holds { letter } else { letter.not() }
        };
        Term::and(self.0.iter().zip(state).map(literal))
    }

    /// A state that the assertions admit.
    fn model(&self, solver: &mut dyn UnsatCore) -> Result<Option<State>> {
        let vars: VarSet = self.0.iter().copied().collect();
        let model = solver.model(&vars)?;
        let holds = |letter: &Var, model: &lapidary_expr::Valuation| {
            matches!(model.get(*letter), Some(Value::Bool(true)))
        };
        Ok(model.map(|model| self.0.iter().map(|letter| holds(letter, &model)).collect()))
    }
}

/// Enumerates the reachable abstract states.
fn explored(task: &Loop, predicates: &[Term], backend: &dyn Backend) -> Result<Worth> {
    let (now, next) = (Letters::new(predicates.len(), 0), Letters::new(predicates.len(), 1));
    let (mut starts, mut steps, mut bad) = (backend.solver(), backend.solver(), backend.solver());
    starts.assert(task.init);
    now.define(predicates, 0, &mut *starts);
    bad.assert(task.bad);
    now.define(predicates, 0, &mut *bad);
    steps.assert(task.trans);
    now.define(predicates, 0, &mut *steps);
    next.define(predicates, 1, &mut *steps);

    let mut reached: Vec<State> = Vec::new();
    while let Some(state) = now.model(&mut *starts)? {
        starts.assert(now.is(&state).not());
        steps.assert(next.is(&state).not());
        reached.push(state);
        if reached.len() > MOST_STATES {
            return Ok(Worth::TooMany);
        }
    }
    let mut explored = 0;
    while explored < reached.len() {
        let state = reached[explored].clone();
        if possible(&mut *bad, now.is(&state))? {
            return Ok(Worth::NoProof);
        }
        let known = reached.len();
        steps.push();
        steps.assert(now.is(&state));
        while let Some(successor) = next.model(&mut *steps)? {
            steps.assert(next.is(&successor).not());
            reached.push(successor);
            if reached.len() > MOST_STATES {
                return Ok(Worth::TooMany);
            }
        }
        steps.pop();
        // Found once is enough, wherever one comes from.
        reached[known..].iter().for_each(|state| steps.assert(next.is(state).not()));
        explored += 1;
    }
    Ok(Worth::Proof(reached.len()))
}

fn possible(solver: &mut dyn UnsatCore, state: Term) -> Result<bool> {
    solver.push();
    solver.assert(state);
    let sat = solver.is_sat();
    solver.pop();
    sat
}
