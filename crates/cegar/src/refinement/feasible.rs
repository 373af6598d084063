//! Whether a path is feasible.
//!
//! Mostly the labels of the states follow from the statements, so they would only make the question larger. Where
//! states choose among many successors of few statements, the statements alone say little: without labels the question
//! were whether any path of that length is an error, which is much harder than the one that the second paper asks. What a path has in common with the one before stays asserted:
//! several counterexamples of one graph share their beginnings (first paper, §3.2.2), and so do those of one
//! iteration and the next.

use lapidary_expr::{Term, Valuation, VarSet};
use lapidary_model::Path;
use lapidary_solver::{Backend, Result, UnsatCore};

/// The formulas of the path's statements, each with the label of the state after it, as far as there are labels.
pub(super) fn labelled(path: &Path, labels: impl Iterator<Item = Term>) -> Vec<Term> {
    let labels = path.versions[1..].iter().zip(labels).map(|(after, label)| after.now(label));
    let labels = labels.chain(std::iter::repeat(true.into()));
    path.formulas.iter().zip(labels).map(|(step, label)| Term::and([*step, label])).collect()
}

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
