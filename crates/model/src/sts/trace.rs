//! Executions of a system's automaton in the words of the system: states and inputs, frame by frame.

use lapidary_expr::{Term, Valuation, Value, Var};
use rustc_hash::FxHashSet;

use super::{Sts, System, Transition};
use crate::execution::{Execution, ReplayError, Step};
use crate::stmt::{Decision, Stmt};

/// A run of a system to a bad frame, which is the last one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The frames, the first one initial.
    pub frames: Vec<Frame>,
}

/// What a system is at one point of time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The values of the state variables.
    pub state: Valuation,
    /// The values of the inputs; those that do not matter have none.
    pub inputs: Valuation,
}

impl Trace {
    /// The trace that an execution of the system's automaton stands for.
    pub fn of_execution(system: &System, execution: &Execution) -> Result<Trace, ReplayError> {
        let (sts, cfa) = (system.sts(), system.cfa());
        let states = execution.replay(cfa)?;
        let inputs: FxHashSet<Var> = sts.inputs.iter().copied().collect();
        // Each edge but the first is taken in a frame: its inputs are known after it.
        let frames = states.windows(2).zip(&execution.steps).skip(1).map(|(states, step)| {
            let used = havocked(&cfa.edge(step.edge).stmt);
            let used = used.into_iter().filter(|var| inputs.contains(var));
            Frame {
                state: only(&states[0], sts.vars.iter().copied()),
                inputs: only(&states[1], used),
            }
        });
        Ok(Trace { frames: frames.collect() })
    }

    /// The execution of the automaton of a system with functions.
    pub(super) fn to_execution(&self, system: &System) -> Execution {
        let (sts, cfa) = (system.sts(), system.cfa());
        let value_in = |values: &Valuation, var: Var| {
            values.get(var).cloned().unwrap_or_else(|| Value::default_of(var.sort()))
        };
        let vars: FxHashSet<Var> = sts.vars.iter().copied().collect();
        let first = self.frames.first().map(|frame| &frame.state);
        let start = cfa.vars().iter().map(|var| {
            (
                *var,
                first.map_or_else(|| Value::default_of(var.sort()), |state| value_in(state, *var)),
            )
        });
        let mut steps = vec![Step { edge: system.init(), tape: Vec::new() }];
        for (i, frame) in self.frames.iter().enumerate() {
            let next = self.frames.get(i + 1);
            let edge = if next.is_some() { system.step() } else { system.bad() };
            let decided = |var: Var| match next.filter(|_| vars.contains(&var)) {
                Some(next) => value_in(&next.state, var),
                None => value_in(&frame.inputs, var),
            };
            let decisions = havocked(&cfa.edge(edge).stmt).into_iter().map(decided);
            steps.push(Step { edge, tape: decisions.map(Decision::Value).collect() });
        }
        Execution { start: start.collect(), steps }
    }

    /// The trace with values for all variables of `sts`, a system with functions of which this is a part: what
    /// is missing follows from the initial values and the functions, or may be anything.
    pub(super) fn completed(&self, sts: &Sts, constants: &Valuation) -> Trace {
        let Transition::Functions { next, .. } = &sts.step else { return self.clone() };
        let terms: Vec<Term> = next.iter().map(|(_, term)| *term).collect();
        let conditions = sts.conditions();
        let mut frames: Vec<Frame> = Vec::with_capacity(self.frames.len());
        for frame in &self.frames {
            let mut state: Valuation =
                sts.vars.iter().map(|var| (*var, Value::default_of(var.sort()))).collect();
            match frames.last() {
                None => {
                    // What initial values depend on, the reduced system may have chosen.
                    overlay(&mut state, &frame.state);
                    for (var, term) in &conditions.initial {
                        if let Some(value) = term.eval(&state) {
                            state.set(*var, value);
                        }
                    }
                }
                Some(before) => {
                    let mut known = before.state.clone();
                    overlay(&mut known, &before.inputs);
                    let values = Term::eval_all(&terms, &known);
                    for ((var, _), value) in next.iter().zip(values) {
                        state.set(*var, value.unwrap_or_else(|| Value::default_of(var.sort())));
                    }
                }
            }
            overlay(&mut state, constants);
            overlay(&mut state, &frame.state);
            let mut inputs: Valuation =
                sts.inputs.iter().map(|var| (*var, Value::default_of(var.sort()))).collect();
            overlay(&mut inputs, &frame.inputs);
            frames.push(Frame { state, inputs });
        }
        Trace { frames }
    }
}

fn only(values: &Valuation, vars: impl Iterator<Item = Var>) -> Valuation {
    vars.filter_map(|var| Some((var, values.get(var)?.clone()))).collect()
}

fn overlay(values: &mut Valuation, others: &Valuation) {
    others.iter().for_each(|(var, value)| values.set(var, value.clone()));
}

/// The variables that a statement without choices gives any values, in order.
fn havocked(stmt: &Stmt) -> Vec<Var> {
    match stmt {
        Stmt::Havoc(vars) => vars.clone(),
        Stmt::Seq(parts) => parts.iter().flat_map(havocked).collect(),
        Stmt::Assume(_) | Stmt::Assign(_) | Stmt::Relation { .. } | Stmt::Choice(_) => Vec::new(),
    }
}
