//! Whether a path is feasible, by its statements alone.
//!
//! The labels of the states follow from the statements (or, where one edge has several successors, choose among
//! them), so they only make the question larger. What a path has in common with the one before stays asserted:
//! several counterexamples of one graph share their beginnings (first paper, §3.2.2), and so do those of one
//! iteration and the next.

use lapidary_expr::{Term, Valuation, VarSet};
use lapidary_solver::{Backend, Result, UnsatCore};

/// Decides paths one after the other.
pub(super) struct PathSolver {
    solver: Box<dyn UnsatCore>,
    /// What is asserted, in order.
    asserted: Vec<Term>,
    /// How much was asserted before each scope.
    scopes: Vec<usize>,
}

impl PathSolver {
    pub(super) fn new(backend: &dyn Backend) -> Self {
        PathSolver { solver: backend.solver(), asserted: Vec::new(), scopes: Vec::new() }
    }

    /// A model of the path's formulas, if there is one.
    pub(super) fn model(&mut self, formulas: &[Term]) -> Result<Option<Valuation>> {
        let pairs = self.asserted.iter().zip(formulas);
        let common = pairs.take_while(|(asserted, formula)| asserted == formula).count();
        while self.asserted.len() > common {
            self.solver.pop();
            let start = self.scopes.pop().unwrap_or(0);
            self.asserted.truncate(start);
        }
        self.push(&formulas[self.asserted.len()..common]);
        self.push(&formulas[common..]);
        let vars: VarSet = formulas.iter().flat_map(|formula| formula.vars()).copied().collect();
        self.solver.model(&vars)
    }

    fn push(&mut self, formulas: &[Term]) {
        if formulas.is_empty() {
            return;
        }
        self.solver.push();
        self.scopes.push(self.asserted.len());
        formulas.iter().for_each(|formula| self.solver.assert(*formula));
        self.asserted.extend(formulas);
    }
}
