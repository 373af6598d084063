//! All states of an automaton over truth values.

use std::collections::{BTreeMap, VecDeque};

use lapidary_expr::{Term, Valuation, Value, Var};
use lapidary_model::{Decision, Execution, Inlined, Loc, Step, Stmt};

use crate::sketch::{MOST_STATES, Reached};

/// A state of the automaton.
type State = (Loc, Vec<bool>);

/// All states of the automaton, and an execution for each way to end; none if there are too many.
pub(crate) fn explore(inlined: &Inlined) -> Option<(Reached, Vec<Execution>)> {
    let cfa = inlined.cfa();
    let n = cfa.vars().len();
    let number: BTreeMap<Var, usize> =
        cfa.vars().iter().enumerate().map(|(i, v)| (*v, i)).collect();
    let mut reached = Reached::default();
    let (mut parents, mut open) =
        (BTreeMap::<State, Option<(State, Step)>>::new(), VecDeque::new());
    let mut executions = Vec::new();
    // Only the variables of the first activation and the global ones may matter at the start.
    for bits in 0..16u32 {
        let mut values = vec![false; n];
        (0..4.min(n)).for_each(|i| values[i] = bits >> i & 1 == 1);
        let state = (cfa.entry(), values);
        parents.insert(state.clone(), None);
        open.push_back(state);
    }
    while let Some(state) = open.pop_front() {
        if parents.len() > MOST_STATES {
            return None;
        }
        for edge in cfa.outgoing(state.0) {
            let outcomes = outcomes(&cfa.edge(*edge).stmt, &state.1, &number);
            for (values, tape) in outcomes {
                let next = (cfa.edge(*edge).target, values);
                let step = Step { edge: *edge, tape };
                if Some(next.0) == cfa.error() {
                    let is_cut = inlined.cuts().iter().any(|(cut, _)| cut == edge);
                    let globals = [next.1[0], next.1[1]];
                    let ends = if is_cut { &mut reached.too_deep } else { &mut reached.at_error };
                    if ends.insert(globals) {
                        executions.push(execution(cfa.vars(), &parents, &state, step));
                    }
                } else if !parents.contains_key(&next) {
                    parents.insert(next.clone(), Some((state.clone(), step)));
                    open.push_back(next);
                }
            }
        }
    }
    Some((reached, executions))
}

/// The values after a statement, with the decisions that lead there.
fn outcomes(
    stmt: &Stmt,
    values: &[bool],
    number: &BTreeMap<Var, usize>,
) -> Vec<(Vec<bool>, Vec<Decision>)> {
    match stmt {
        Stmt::Assume(term) if eval(*term, values, number) => vec![(values.to_vec(), Vec::new())],
        Stmt::Assume(_) => Vec::new(),
        Stmt::Assign(changes) => {
            let mut after = values.to_vec();
            for (var, term) in changes {
                after[number[var]] = eval(*term, values, number);
            }
            vec![(after, Vec::new())]
        }
        Stmt::Havoc(vars) => vars.iter().fold(vec![(values.to_vec(), Vec::new())], |all, var| {
            let both = all.into_iter().flat_map(|(values, tape)| {
                [false, true].map(|value| {
                    let (mut values, mut tape) = (values.clone(), tape.clone());
                    values[number[var]] = value;
                    tape.push(Decision::Value(Value::Bool(value)));
                    (values, tape)
                })
            });
            both.collect()
        }),
        Stmt::Seq(parts) => parts.iter().fold(vec![(values.to_vec(), Vec::new())], |all, part| {
            let after = all.into_iter().flat_map(|(values, tape)| {
                let outcomes = outcomes(part, &values, number).into_iter();
                outcomes.map(move |(values, more)| (values, [&tape[..], &more].concat()))
            });
            after.collect()
        }),
        Stmt::Choice(_) | Stmt::Relation { .. } => panic!("inlining makes no such statement"),
    }
}

fn eval(term: Term, values: &[bool], number: &BTreeMap<Var, usize>) -> bool {
    let valuation: Valuation =
        number.iter().map(|(var, i)| (*var, Value::Bool(values[*i]))).collect();
    term.eval(&valuation) == Some(Value::Bool(true))
}

fn execution(
    vars: &[Var],
    parents: &BTreeMap<State, Option<(State, Step)>>,
    last: &State,
    step: Step,
) -> Execution {
    let (mut steps, mut at) = (vec![step], last);
    while let Some((before, step)) = &parents[at] {
        steps.push(step.clone());
        at = before;
    }
    steps.reverse();
    let start = vars.iter().zip(&at.1).map(|(var, value)| (*var, Value::Bool(*value)));
    Execution { start: start.collect(), steps }
}
