//! Enumeration of values by models, up to a limit.

use lapidary_expr::{Term, Valuation, VarSet};
use lapidary_solver::{Backend, UnsatCore};
use rustc_hash::FxHashSet;

use super::MaxEnum;
use crate::Result;
use crate::domain::memo::Memo;

/// What a limit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    /// Combinations of values (first paper, §3.1.1).
    Combinations,
    /// Different values of each variable (third paper, §III).
    Values,
}

/// What enumeration found.
#[derive(Clone, Debug)]
pub(super) enum Found {
    /// All there is.
    All(Vec<Valuation>),
    /// There is more than the limit allows, because of these variables.
    TooMany(VarSet),
}

/// Enumerates, and remembers.
pub(super) struct Enumerator {
    solver: Box<dyn UnsatCore>,
    max_enum: MaxEnum,
    counted: Counted,
    answers: Memo<(Term, Vec<lapidary_expr::Var>), Found>,
}

impl Enumerator {
    pub(super) fn new(backend: &dyn Backend, max_enum: MaxEnum, counted: Counted) -> Self {
        Enumerator { solver: backend.solver(), max_enum, counted, answers: Memo::default() }
    }

    pub(super) fn max_enum(&self) -> MaxEnum {
        self.max_enum
    }

    /// The assignments of `vars` that satisfy the formula, within the limit.
    pub(super) fn enumerate(&mut self, formula: Term, vars: &VarSet) -> Result<Found> {
        let key = (formula, vars.iter().copied().collect::<Vec<_>>());
        if let Some(answer) = self.answers.get(&key) {
            return Ok(answer);
        }
        let limit = self.max_enum.limit(formula, vars);
        self.solver.push();
        self.solver.assert(formula);
        let found = self.models(vars, limit);
        self.solver.pop();
        Ok(self.answers.keep(key, found?))
    }

    /// That there are more than the limit is known after one more model.
    fn models(&mut self, vars: &VarSet, limit: Option<usize>) -> Result<Found> {
        if vars.is_empty() {
            let one = self.solver.is_sat()?.then(Valuation::new);
            return Ok(Found::All(one.into_iter().collect()));
        }
        let mut models: Vec<Valuation> = Vec::new();
        while let Some(model) = self.solver.model(vars)? {
            self.solver.assert(model.to_term().not());
            models.push(model);
            let beyond = limit.map_or(VarSet::new(), |limit| self.beyond(&models, vars, limit));
            if !beyond.is_empty() {
                return Ok(Found::TooMany(beyond));
            }
        }
        Ok(Found::All(models))
    }

    /// The variables that exceed the limit.
    fn beyond(&self, models: &[Valuation], vars: &VarSet, limit: usize) -> VarSet {
        if models.len() <= limit {
            return VarSet::new();
        }
        match self.counted {
            Counted::Combinations => vars.clone(),
            Counted::Values => {
                let n_values =
                    |var| models.iter().map(|model| model.get(var)).collect::<FxHashSet<_>>().len();
                vars.iter().copied().filter(|var| n_values(*var) > limit).collect()
            }
        }
    }
}
