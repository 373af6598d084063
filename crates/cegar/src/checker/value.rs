//! Interpolation of constraint sequences with values (fourth paper, §2 and Algorithm 2): an interpolant is an
//! assignment of some variables.
//!
//! ```text
//! Γ ← ⟨⟩
//! for i ← 1 to n − 1
//!     γ⁺ ← ⟨opᵢ₊₁, …, opₙ⟩
//!     Γ ← Interpolate(Γ ∧ ⟨opᵢ⟩, γ⁺)      SP of the first, without each variable that γ⁺ does not need
//! ```
//!
//! Differences: the path is cut after its first contradiction, since nothing later is needed. A variable that is
//! not read any more is forgotten without a try, and where a statement touches nothing known, the interpolant is
//! carried on as it is. Strongest posts follow values only, so that they may miss a contradiction: a path that
//! they find feasible goes to the solver, and to `sequence` if the solver disagrees.

mod post;

use lapidary_expr::{Valuation, Var, VarSet};
use lapidary_model::Stmt;
use lapidary_solver::{Backend, Result};
use rustc_hash::FxHashMap;

use super::Sequence;
use crate::{Feasibility, Reason, Refutation, Trace, TraceChecker};
pub use post::ValuePost;

/// Explains a counterexample by values of variables.
pub struct ValueInterpolation {
    post: ValuePost,
    otherwise: Sequence,
}

impl ValueInterpolation {
    /// The checker, with `otherwise` for contradictions that values do not see.
    pub(super) fn new(backend: &dyn Backend, otherwise: Sequence) -> Self {
        ValueInterpolation { post: ValuePost::new(backend), otherwise }
    }

    /// Whether values alone contradict the statements from `values` on.
    fn contradicts(&mut self, mut values: Valuation, stmts: &[&Stmt]) -> Result<bool> {
        for stmt in stmts {
            if !self.post.exec(stmt, &mut values)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The number of statements up to the first contradiction, that one included.
    fn first_contradiction(&mut self, stmts: &[&Stmt]) -> Result<Option<usize>> {
        let mut values = Valuation::new();
        for (i, stmt) in stmts.iter().enumerate() {
            if !self.post.exec(stmt, &mut values)? {
                return Ok(Some(i + 1));
            }
        }
        Ok(None)
    }

    /// An assignment at each state before the last of the contradicting statements.
    fn interpolants(&mut self, stmts: &[&Stmt]) -> Result<Vec<Valuation>> {
        let last_read = last_reads(stmts);
        let mut gamma = Valuation::new();
        let mut interpolants = vec![gamma.clone()];
        for (i, stmt) in stmts.iter().enumerate().take(stmts.len() - 1) {
            let before = gamma.clone();
            // Cannot be a contradiction: the first one comes later, and Γ knows less than the whole prefix.
            self.post.exec(stmt, &mut gamma)?;
            let is_read = |var: Var| last_read.get(&var).is_some_and(|last| *last > i);
            let (known, forgotten): (Vec<Var>, Vec<Var>) =
                gamma.iter().map(|(var, _)| var).partition(|var| is_read(*var));
            forgotten.into_iter().for_each(|var| gamma.forget(var));
            if gamma != before || touches(stmt, &gamma) {
                for var in known {
                    let mut less = gamma.clone();
                    less.forget(var);
                    if self.contradicts(less.clone(), &stmts[i + 1..])? {
                        gamma = less;
                    }
                }
            }
            interpolants.push(gamma.clone());
        }
        Ok(interpolants)
    }
}

/// Whether the statement reads or writes something that has a value.
fn touches(stmt: &Stmt, values: &Valuation) -> bool {
    let touched: VarSet = stmt.read().into_iter().chain(stmt.written()).collect();
    touched.iter().any(|var| values.get(*var).is_some())
}

/// For each variable the last statement that reads it.
fn last_reads(stmts: &[&Stmt]) -> FxHashMap<Var, usize> {
    let reads = stmts
        .iter()
        .enumerate()
        .flat_map(|(i, stmt)| stmt.read().into_iter().map(move |var| (var, i)));
    reads.collect()
}

impl TraceChecker for ValueInterpolation {
    fn check(&mut self, trace: &Trace<'_>) -> Result<Feasibility> {
        let Some(length) = self.first_contradiction(&trace.stmts)? else {
            return self.otherwise.check(trace);
        };
        let interpolants = self.interpolants(&trace.stmts[..length])?;
        let mut reasons: Vec<Reason> =
            interpolants.iter().map(|values| Reason::Holds(values.to_term())).collect();
        reasons.resize(trace.states.len(), Reason::Holds(false.into()));
        Ok(Feasibility::Infeasible(Refutation::new("value", reasons)))
    }
}
