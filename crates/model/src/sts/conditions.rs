//! How the conditions of a system are used. This is decided once, for the whole system: a constraint may lose its
//! inputs when constants are put in, and then a reduced system would exclude states that the whole one enters.

use lapidary_expr::{Term, Var};
use rustc_hash::FxHashSet;

use super::Sts;

/// The conditions of a system, by their use.
pub(super) struct Conditions {
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
        Conditions { of_states, of_inputs }
    }
}

impl Conditions {
    /// The conditions with values put in for variables.
    pub(super) fn with(self, value: &dyn Fn(Var) -> Option<Term>) -> Conditions {
        let all = |terms: &[Term]| Term::map_vars_all(terms, value);
        Conditions { of_states: all(&self.of_states), of_inputs: all(&self.of_inputs) }
    }
}
