//! All-SAT: every combination of truth values that predicates can have under a premise.
//!
//! As in the first paper (§2.2.1), a fresh propositional variable stands for each predicate, `vᵢ ↔ pᵢ'`. Models are
//! asked for these variables only, and each is excluded by a clause over them.

use std::sync::Arc;

use lapidary_expr::{Sort, Term, Value, Var, VarSet};
use lapidary_solver::{Backend, UnsatCore};

use super::combination::Row;
use crate::Result;
use crate::domain::memo::Memo;

/// Enumerates, and remembers.
pub(super) struct AllSat {
    solver: Box<dyn UnsatCore>,
    answers: Memo<(Term, Vec<Term>), Arc<[Row]>>,
    order: Memo<(Term, Term), bool>,
}

impl AllSat {
    pub(super) fn new(backend: &dyn Backend) -> Self {
        AllSat { solver: backend.solver(), answers: Memo::default(), order: Memo::default() }
    }

    /// The rows of truth values of `predicates` under `premise`; without predicates, one row if the premise
    /// is satisfiable.
    pub(super) fn rows(&mut self, premise: Term, predicates: &[Term]) -> Result<Arc<[Row]>> {
        if premise.is_false() {
            return Ok(Arc::default());
        }
        let key = (premise, predicates.to_vec());
        if let Some(rows) = self.answers.get(&key) {
            return Ok(rows);
        }
        self.solver.push();
        self.solver.assert(premise);
        let rows = self.enumerate(predicates);
        self.solver.pop();
        Ok(self.answers.keep(key, rows?.into()))
    }

    fn enumerate(&mut self, predicates: &[Term]) -> Result<Vec<Row>> {
        if predicates.is_empty() {
            return Ok(if self.solver.is_sat()? { vec![Row::default()] } else { Vec::new() });
        }
        let switches: Vec<Var> = (0..predicates.len())
            .map(|i| Var::new(&format!("predicate {i}"), Sort::Bool))
            .collect();
        for (switch, predicate) in switches.iter().zip(predicates) {
            self.solver.assert(Term::var(*switch).equals(*predicate));
        }
        let vars: VarSet = switches.iter().copied().collect();
        let mut rows = Vec::new();
        while let Some(model) = self.solver.model(&vars)? {
            let is_on = |switch: &Var| model.get(*switch) == Some(&Value::Bool(true));
            rows.push(switches.iter().map(is_on).collect());
            self.solver.assert(model.to_term().not());
        }
        Ok(rows)
    }

    /// Whether one formula implies another.
    pub(super) fn entails(&mut self, premise: Term, conclusion: Term) -> Result<bool> {
        let key = (premise, conclusion);
        if let Some(known) = self.order.get(&key) {
            return Ok(known);
        }
        let answer = self.solver.entails(premise, conclusion)?;
        Ok(self.order.keep(key, answer))
    }
}
