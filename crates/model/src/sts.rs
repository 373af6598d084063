//! Symbolic transition systems (second paper, Definition 1), their way to automata and the way back.
//!
//! A system has state variables, inputs that are new in every frame, and a transition that is kept as
//! functions (`x' = f(x, i)`, all at once) wherever it is one, so that values can be computed instead of
//! searched for. A [`System`] is one of them with the property that is verified, and its automaton; [`reduce`] makes a smaller
//! one with the same verdict, and a [`Trace`] is an execution in the system's own words.

mod conditions;
mod lower;
mod reduce;
mod solve;
mod system;
mod trace;

use lapidary_expr::{Term, Var, VarSet};
use rustc_hash::FxHashSet;

use crate::cfa::Position;

pub use reduce::{Reduction, reduce};
pub use system::System;
pub use trace::{Frame, Trace};

/// A symbolic transition system with the properties that are asked about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sts {
    /// Its name.
    pub name: String,
    /// The state variables, in the order of their declaration.
    pub vars: Vec<Var>,
    /// The variables that may have any value in every frame.
    pub inputs: Vec<Var>,
    /// What holds of the state variables in the first frame, as conjuncts.
    pub init: Vec<Term>,
    /// What holds in every frame, of states and inputs, as conjuncts.
    pub constraints: Vec<Term>,
    /// How a frame leads to the next one.
    pub step: Transition,
    /// What must not happen.
    pub properties: Vec<Property>,
}

/// How a state leads to the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transition {
    /// Where the guard holds, these variables get these values, all at once. State variables that are not
    /// among them may get any value.
    Functions {
        /// When there is a step at all, over states and inputs.
        guard: Term,
        /// The variables with their next values, over states and inputs.
        next: Vec<(Var, Term)>,
    },
    /// A formula over states, inputs and next states (`x'`).
    Relation(Term),
}

/// A safety property: no frame may be bad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name, by which users ask for it.
    pub name: String,
    /// What makes a frame bad, over states and inputs.
    pub bad: Term,
    /// Where it stands in the source.
    pub position: Option<Position>,
}

/// Why something is no transition system.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} mentions `{var}`, which is no {kind} of the system")]
pub struct InvalidSts {
    /// The part with the variable.
    pub what: String,
    /// The variable.
    pub var: Var,
    /// What it would have to be.
    pub kind: &'static str,
}

const STATE: &str = "state variable";
const CURRENT: &str = "variable or input";

impl Transition {
    /// Every state variable may get any value.
    pub fn anything() -> Transition {
        Transition::Functions { guard: true.into(), next: Vec::new() }
    }

    /// The transition that a formula over `x` and `x'` describes: functions, if it defines the next values.
    pub fn from_relation(relation: Term) -> Transition {
        match solve::functions(relation) {
            Some((guard, next)) => Transition::Functions { guard, next },
            None => Transition::Relation(relation),
        }
    }
}

impl Sts {
    /// Checks that every part speaks only of what it may.
    pub fn check(&self) -> Result<(), InvalidSts> {
        let vars: FxHashSet<Var> = self.vars.iter().copied().collect();
        let inputs: FxHashSet<Var> = self.inputs.iter().copied().collect();
        let is_state = |var: &Var| vars.contains(var);
        let is_current = |var: &Var| vars.contains(var) || inputs.contains(var);
        let is_either = |var: &Var| match var.version() {
            1 => vars.contains(&var.base()),
            _ => is_current(var),
        };
        self.init
            .iter()
            .try_for_each(|term| only(*term, "the initial condition", STATE, is_state))?;
        self.constraints
            .iter()
            .try_for_each(|term| only(*term, "a constraint", CURRENT, is_current))?;
        for property in &self.properties {
            only(property.bad, &format!("the property `{}`", property.name), CURRENT, is_current)?;
        }
        match &self.step {
            Transition::Relation(term) => only(*term, "the transition", CURRENT, is_either),
            Transition::Functions { guard, next } => {
                only(*guard, "the transition", CURRENT, is_current)?;
                for (var, term) in next {
                    only(Term::var(*var), "the transition", STATE, is_state)?;
                    only(*term, &format!("the next value of `{var}`"), CURRENT, is_current)?;
                }
                Ok(())
            }
        }
    }

    /// The inputs that the terms mention, in the order of their declaration.
    fn inputs_of(&self, terms: impl IntoIterator<Item = Term>) -> Vec<Var> {
        let mentioned: VarSet = terms.into_iter().flat_map(Term::vars).copied().collect();
        self.inputs.iter().filter(|input| mentioned.contains(input)).copied().collect()
    }
}

fn only(
    term: Term,
    what: &str,
    kind: &'static str,
    allowed: impl Fn(&Var) -> bool,
) -> Result<(), InvalidSts> {
    match term.vars().iter().find(|var| !allowed(var)) {
        Some(var) => Err(InvalidSts { what: what.into(), var: *var, kind }),
        None => Ok(()),
    }
}
