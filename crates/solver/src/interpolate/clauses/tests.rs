//! Models are lifted to what matters for the steps after them.

use lapidary_expr::{Sort, Term, Valuation, Value, Var, VarSet};

use super::{Clauses, Rest};
use crate::Backend;
use crate::limits::Watch;
use crate::z3::Z3;

fn var(name: &str, version: u32) -> Var {
    Var::new(name, Sort::Bool).at(version)
}

/// `b' = a ∧ c' = (d ∨ input)`, then `b' ∧ c'`.
fn parts() -> [Term; 2] {
    let [a, d, input] = [var("a", 0), var("d", 0), var("input", 0)].map(Term::var);
    let [b, c] = [var("b", 1), var("c", 1)].map(Term::var);
    let step = Term::and([b.equals(a), c.equals(Term::or([d, input]))]);
    [step, Term::and([b, c])]
}

fn lifted(parts: &[Term], input: bool) -> Option<Vec<Term>> {
    let cut = |vars: &[Var]| -> VarSet { vars.iter().copied().collect() };
    let cuts = [
        cut(&[var("a", 0), var("d", 0), var("idle", 0)]),
        cut(&[var("b", 1), var("c", 1), var("idle", 0)]),
    ];
    let rest = Rest { parts, cuts: &cuts };
    let value = |var: Var| (var, Value::Bool(var.name() != "input" || input));
    let model: Valuation = rest.vars().into_iter().map(value).collect();
    let z3 = Z3::new(&Watch::default()).unwrap();
    let [before, after, step] = [(); 3].map(|()| z3.solver());
    Clauses { before, after, step }.lifted(&rest, &model).unwrap()
}

#[test]
fn what_inputs_decide_is_left_out() {
    assert_eq!(lifted(&parts(), true), Some(vec![var("a", 0).into()]));
    let both = vec![var("a", 0).into(), var("d", 0).into()];
    assert_eq!(lifted(&parts(), false), Some(both));
}

#[test]
fn a_step_that_may_lead_elsewhere_is_not_lifted() {
    let [_, last] = parts();
    assert_eq!(lifted(&[Term::var(var("a", 0)), last], true), None);
}
