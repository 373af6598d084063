//! How the conditions of a system are used: initial conditions as values, constraints where they can be checked.
//!
//! This is decided once, for the whole system. When constants are put in, a constraint may lose its inputs, and then
//! a reduced system would exclude states that the whole one enters; an initial condition may look like the definition
//! of another variable, and then executions of the two would choose different variables freely.

use lapidary_expr::{Term, Var, VarSet};
use rustc_hash::FxHashSet;

use super::Sts;
use super::solve::{Question, conjuncts};

/// The conditions of a system, by their use.
pub(super) struct Conditions {
    /// Initial values, assigned one after the other.
    pub(super) initial: Vec<(Var, Term)>,
    /// What else holds in the first frame.
    pub(super) first: Vec<Term>,
    /// Constraints on states alone: a frame that violates them is never entered.
    pub(super) of_states: Vec<Term>,
    /// Constraints on inputs as well: a frame may turn out to have no inputs that meet them.
    pub(super) of_inputs: Vec<Term>,
}

impl Sts {
    pub(super) fn conditions(&self) -> Conditions {
        let inputs: FxHashSet<Var> = self.inputs.iter().copied().collect();
        let is_of_states = |term: &Term| !term.vars().iter().any(|var| inputs.contains(var));
        let (of_states, of_inputs) = self.constraints.iter().partition(|term| is_of_states(term));
        let first = self.init.clone();
        let mut conditions = Conditions { initial: Vec::new(), first, of_states, of_inputs };
        conditions.solve();
        conditions
    }
}

impl Conditions {
    /// Makes initial values of what holds in the first frame and defines a variable.
    pub(super) fn solve(&mut self) {
        // Variables whose values are fixed: assigned ones, and those that an assigned value was made from.
        let mut settled = VarSet::new();
        for (var, value) in &self.initial {
            settled.insert(*var);
            settled.extend(value.vars());
        }
        let conditions = std::mem::take(&mut self.first);
        for conjunct in conditions.into_iter().flat_map(conjuncts) {
            let question = Question {
                target: &|var| !settled.contains(&var),
                value: &|var, value| !value.mentions(var),
            };
            match question.definition(conjunct) {
                Some((var, value)) => {
                    settled.insert(var);
                    settled.extend(value.vars());
                    self.initial.push((var, value));
                }
                None => self.first.push(conjunct),
            }
        }
    }

    /// The conditions with values put in for variables, of which none has an initial value any more.
    pub(super) fn with(self, value: &dyn Fn(Var) -> Option<Term>) -> Conditions {
        let all = |terms: &[Term]| Term::map_vars_all(terms, value);
        let kept: Vec<(Var, Term)> =
            self.initial.into_iter().filter(|(var, _)| value(*var).is_none()).collect();
        let (vars, terms): (Vec<Var>, Vec<Term>) = kept.into_iter().unzip();
        Conditions {
            initial: vars.into_iter().zip(all(&terms)).collect(),
            first: all(&self.first).into_iter().flat_map(conjuncts).collect(),
            of_states: all(&self.of_states),
            of_inputs: all(&self.of_inputs),
        }
    }
}
