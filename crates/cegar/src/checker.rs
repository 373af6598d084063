//! Trace checkers: is an abstract counterexample feasible, and if not, why (first paper, §2.2.2, §3.2.1).
//!
//! `sequence`, `forward` and `backward` differ only in where they cut the path's formulas apart before they
//! interpolate. `unsat-core` needs no interpolant, `value` computes its own (fourth paper), and `newton` computes
//! assertions instead (fifth paper).

mod backward;
mod forward;
pub mod newton;
mod sequence;
mod unsat_core;
mod value;

use lapidary_expr::{Term, Valuation, VarSet};
use lapidary_model::Path;
use lapidary_solver::interpolate::{self, Cascade, Engine};
use lapidary_solver::{Backend, Interpolants, Interpolator, Stop, UnsatCore};

use crate::axis::axis;
use crate::{Feasibility, Reason, Trace, TraceChecker};

pub use backward::Backward;
pub use forward::Forward;
pub use newton::{Eliminations, Newton, NewtonOptions};
pub use sequence::Sequence;
pub use unsat_core::CoreVariables;
pub use value::{ValueInterpolation, ValuePost};

axis! {
    /// Which trace checker to use.
    pub enum Checker {
        /// Sequence interpolation.
        #[default]
        Sequence = "sequence",
        /// Binary interpolation after the longest feasible prefix.
        Forward = "forward",
        /// Binary interpolation before the longest feasible suffix.
        Backward = "backward",
        /// The variables and atoms of an unsatisfiable core.
        UnsatCore = "unsat-core",
        /// Values of variables, by strongest posts.
        Value = "value",
        /// Assertions by postconditions or preconditions.
        Newton = "newton",
    }
}

impl Checker {
    /// The checker over a back end; `newton` is for the checker of that name.
    pub fn build(
        self,
        backend: &dyn Backend,
        engine: Engine,
        newton: &NewtonOptions,
    ) -> Box<dyn TraceChecker> {
        self.with(interpolate::interpolator(engine, backend), backend, newton)
    }

    /// The same over this interpolator.
    pub(crate) fn with(
        self,
        interpolator: Cascade,
        backend: &dyn Backend,
        newton: &NewtonOptions,
    ) -> Box<dyn TraceChecker> {
        let solver = backend.solver();
        match self {
            Checker::Sequence => Box::new(Sequence { interpolator }),
            Checker::Forward => Box::new(Forward { interpolator, solver }),
            Checker::Backward => Box::new(Backward { interpolator, solver }),
            Checker::UnsatCore => Box::new(CoreVariables { solver }),
            Checker::Value => Box::new(ValueInterpolation::new(backend, Sequence { interpolator })),
            Checker::Newton => Box::new(Newton::new(backend, *newton, Sequence { interpolator })),
        }
    }
}

/// The formulas of a trace: `states[i]` is `sᵢ⟨i⟩`, `steps[i]` is `opᵢ⟨i⟩`.
struct Formulas {
    states: Vec<Term>,
    steps: Vec<Term>,
    path: Path,
}

impl Formulas {
    fn of(trace: &Trace<'_>) -> Self {
        let path = Path::new(trace.stmts.iter().copied());
        let states = trace
            .states
            .iter()
            .zip(&path.versions)
            .map(|(state, versions)| versions.now(*state))
            .collect();
        Formulas { states, steps: path.formulas.clone(), path }
    }

    /// `A₁ = s₁`, `Aᵢ₊₁ = opᵢ ∧ sᵢ₊₁`.
    fn parts(&self) -> Vec<Term> {
        let steps =
            self.steps.iter().zip(&self.states[1..]).map(|(op, state)| Term::and([*op, *state]));
        std::iter::once(self.states[0]).chain(steps).collect()
    }

    /// A model of the statements, which are known to be feasible.
    fn model(&self, solver: &mut dyn UnsatCore) -> crate::Result<Valuation> {
        let vars: VarSet = self.steps.iter().flat_map(|step| step.vars()).copied().collect();
        solver.push();
        self.steps.iter().for_each(|step| solver.assert(*step));
        let model = solver.model(&vars);
        solver.pop();
        model?.ok_or_else(|| Stop::Solver("contradicts itself about a path".into()))
    }

    /// The reasons of a binary interpolant at `index`: `true` before it, `false` after it.
    fn binary(&self, index: usize, itp: Term) -> Vec<Reason> {
        let reason = |i: usize| match i.cmp(&index) {
            std::cmp::Ordering::Less => Reason::Holds(true.into()),
            std::cmp::Ordering::Equal => self.reason(index, itp),
            std::cmp::Ordering::Greater => Reason::Holds(false.into()),
        };
        (0..self.states.len()).map(reason).collect()
    }

    /// An interpolant at `index`, back over the variables of the automaton.
    fn reason(&self, index: usize, itp: Term) -> Reason {
        Reason::Holds(self.path.versions[index].forget(itp))
    }
}

/// A model of formulas that are known to be satisfiable together.
fn model_of(interpolator: &mut Cascade, parts: &[Term]) -> crate::Result<Feasibility> {
    match interpolator.interpolate(parts)? {
        Interpolants::Sat(model) => Ok(Feasibility::Feasible(model)),
        Interpolants::Unsat(_) => Err(Stop::Solver("contradicts itself about a path".into())),
    }
}

/// The number of formulas, taken in order, that are satisfiable together; all of them if there is no
/// contradiction. The fewer, the easier to satisfy, so the border is found by bisection.
fn longest_feasible(solver: &mut dyn UnsatCore, formulas: &[Term]) -> crate::Result<usize> {
    let (mut feasible, mut infeasible) = (0, formulas.len() + 1);
    // The whole first: if that is feasible, nothing else needs to be asked.
    let mut next = formulas.len();
    while feasible + 1 < infeasible {
        solver.push();
        formulas[..next].iter().for_each(|formula| solver.assert(*formula));
        let answer = solver.is_sat();
        solver.pop();
        if answer? {
            feasible = next;
        } else {
            infeasible = next;
        }
        next = feasible.midpoint(infeasible);
    }
    Ok(feasible)
}
