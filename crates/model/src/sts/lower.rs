//! The statements of a system's automaton: those of `init`, `step` and `bad`.
//!
//! Init assigns what it defines and assumes the rest. A step gives the inputs any values, assumes the
//! constraints on them, assigns the next states at once, and assumes the constraints on states: these hold in
//! every frame, so a frame that violates them is never entered. A bad frame is one where inputs exist that
//! meet the constraints and make the property fail. Inputs are no part of the state: every edge that uses
//! them gives them new values first.

use lapidary_expr::{Op, Term, Var, VarSet};

use super::conditions::Conditions;
use super::solve::{conjuncts, functions, is_current};
use super::{Sts, Transition};
use crate::stmt::Stmt;

impl Sts {
    pub(super) fn step_stmt(&self, conditions: &Conditions) -> Stmt {
        let Conditions { of_states, of_inputs, .. } = conditions;
        let (terms, change) = match &self.step {
            Transition::Functions { guard, next } => {
                let terms = next.iter().map(|(_, term)| *term).chain([*guard]).collect();
                (terms, self.functional(*guard, next))
            }
            Transition::Relation(formula) => (vec![*formula], self.relational(*formula)),
        };
        let inputs = self.inputs_of(terms.into_iter().chain(of_inputs.iter().copied()));
        Stmt::seq(
            havoc(inputs)
                .into_iter()
                .chain(assume(of_inputs.iter().copied()))
                .chain([change])
                .chain(assume(of_states.iter().copied())),
        )
    }

    pub(super) fn bad_stmt(&self, bad: Term, conditions: &Conditions) -> Stmt {
        let assumed = || conditions.of_inputs.iter().copied().chain([bad]);
        let inputs = self.inputs_of(assumed());
        Stmt::seq(havoc(inputs).into_iter().chain(assume(assumed())))
    }

    fn functional(&self, guard: Term, next: &[(Var, Term)]) -> Stmt {
        let defined: VarSet = next.iter().map(|(var, _)| *var).collect();
        let free: Vec<Var> =
            self.vars.iter().filter(|var| !defined.contains(var)).copied().collect();
        let assign = (!next.is_empty()).then(|| Stmt::Assign(next.to_vec()));
        Stmt::seq(assume([guard]).into_iter().chain(assign).chain(havoc(free)))
    }

    /// A relation that is a disjunction of functions becomes a choice between them; any other stays one.
    fn relational(&self, formula: Term) -> Stmt {
        let (current, primed): (Vec<Term>, Vec<Term>) =
            conjuncts(formula).into_iter().partition(|term| is_current(*term));
        let is_choice = |term: &Term| *term.op() == Op::Or;
        let (choices, others): (Vec<Term>, Vec<Term>) =
            primed.iter().partition(|term| is_choice(term));
        if let [choice] = choices[..] {
            let branch = |disjunct: &Term| {
                let (guard, next) =
                    functions(Term::and(others.iter().copied().chain([*disjunct])))?;
                Some(self.functional(guard, &next))
            };
            if let Some(branches) = choice.args().iter().map(branch).collect::<Option<Vec<_>>>() {
                return Stmt::seq(assume(current).into_iter().chain([Stmt::Choice(branches)]));
            }
        }
        Stmt::Relation { formula, written: self.vars.iter().copied().collect() }
    }
}

impl Conditions {
    pub(super) fn init_stmt(&self) -> Stmt {
        let Conditions { initial, first, of_states, .. } = self;
        let assignments = initial.iter().map(|(var, value)| Stmt::assign(*var, *value));
        let assumed = first.iter().chain(of_states).copied();
        Stmt::seq(in_one(assignments).into_iter().chain(assume(assumed)))
    }
}

fn havoc(vars: Vec<Var>) -> Option<Stmt> {
    (!vars.is_empty()).then_some(Stmt::Havoc(vars))
}

fn assume(conjuncts: impl IntoIterator<Item = Term>) -> Option<Stmt> {
    let condition = Term::and(conjuncts);
    (!condition.is_true()).then_some(Stmt::Assume(condition))
}

/// Assignments of values at once, as long as they are values; the others one by one.
fn in_one(assignments: impl Iterator<Item = Stmt>) -> Vec<Stmt> {
    let (mut values, mut others) = (Vec::new(), Vec::new());
    for assignment in assignments {
        match assignment {
            Stmt::Assign(pairs) if pairs.iter().all(|(_, term)| term.as_lit().is_some()) => {
                values.extend(pairs);
            }
            other => others.push(other),
        }
    }
    let values = (!values.is_empty()).then_some(Stmt::Assign(values));
    values.into_iter().chain(others).collect()
}
