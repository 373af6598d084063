//! Executions: evidence that the error location can be reached.

use std::fmt;

use lapidary_expr::{Op, Term, Valuation, Value, Var};

use crate::cfa::{Cfa, EdgeId};
use crate::encode::decisions;
use crate::stmt::{Decision, Stmt};

/// A run of an automaton: initial values, and along its edges every decision that the statements leave
/// open. The states in between are not stored: [`replay`](Execution::replay) computes them, so they cannot
/// be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// The values at the entry, for every variable; uninterpreted functions keep theirs throughout.
    pub start: Valuation,
    /// The edges, in order.
    pub steps: Vec<Step>,
}

/// One edge of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The edge.
    pub edge: EdgeId,
    /// What its statement leaves open, in the order in which it is needed.
    pub tape: Vec<Decision>,
}

/// Why something is no execution of an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// The step at which it fails; none if it is the start or the end that is wrong.
    pub step: Option<usize>,
    /// What is wrong.
    pub problem: String,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step {
            Some(step) => write!(f, "step {step}: {}", self.problem),
            None => f.write_str(&self.problem),
        }
    }
}

impl std::error::Error for ReplayError {}

impl Execution {
    /// The execution along `path` that a model of the path's formulas (see [`Path`](crate::Path)) describes.
    pub fn from_model(cfa: &Cfa, path: &[EdgeId], model: &Valuation) -> Execution {
        let start_value =
            |var: &Var| model.get(*var).cloned().unwrap_or_else(|| Value::default_of(var.sort()));
        let mut start: Valuation = cfa.vars().iter().map(|var| (*var, start_value(var))).collect();
        model.funcs().for_each(|(func, value)| start.set_func(func, value.clone()));
        let mut versions = lapidary_expr::Versions::new();
        let step = |edge: &EdgeId| {
            let mut tape = Vec::new();
            decisions(&cfa.edge(*edge).stmt, &mut versions, model, &mut tape);
            Step { edge: *edge, tape }
        };
        Execution { start, steps: path.iter().map(step).collect() }
    }

    /// Runs the automaton along the execution: the states before each step and after the last. An error if
    /// this is no execution of `cfa` from its entry to its error location.
    pub fn replay(&self, cfa: &Cfa) -> Result<Vec<Valuation>, ReplayError> {
        let mut states = vec![self.start.clone()];
        self.run(cfa, &mut |_, state| states.push(state.clone()))?;
        Ok(states)
    }

    /// Runs the automaton along the execution, and shows the number of each step with the values after it. An error
    /// if this is no execution of `cfa` from its entry to its error location.
    pub fn run(
        &self,
        cfa: &Cfa,
        visit: &mut dyn FnMut(usize, &Valuation),
    ) -> Result<(), ReplayError> {
        let wrong = |step, problem: String| ReplayError { step, problem };
        if let Some(var) = cfa.vars().iter().find(|var| self.start.get(**var).is_none()) {
            return Err(wrong(None, format!("`{var}` has no initial value")));
        }
        let mut run = Run { state: self.start.clone(), tape: [].iter() };
        let mut loc = cfa.entry();
        for (i, step) in self.steps.iter().enumerate() {
            if step.edge.0 as usize >= cfa.n_edges() || cfa.edge(step.edge).source != loc {
                return Err(wrong(
                    Some(i),
                    format!("the edge does not leave `{}`", cfa.loc_name(loc)),
                ));
            }
            let edge = cfa.edge(step.edge);
            run.tape = step.tape.iter();
            run.step(&edge.stmt).map_err(|problem| wrong(Some(i), problem))?;
            visit(i, &run.state);
            loc = edge.target;
        }
        if Some(loc) != cfa.error() {
            return Err(wrong(
                None,
                format!("it ends at `{}`, not at the error", cfa.loc_name(loc)),
            ));
        }
        Ok(())
    }
}

/// The values after a statement that is run with these decisions.
pub(crate) fn run_step(
    stmt: &Stmt,
    state: Valuation,
    tape: &[Decision],
) -> Result<Valuation, String> {
    let mut run = Run { state, tape: tape.iter() };
    run.step(stmt).map(|()| run.state)
}

/// The decisions of a step, for statements that are run one after the other.
pub(crate) struct Tape<'a>(std::slice::Iter<'a, Decision>);

impl<'a> Tape<'a> {
    /// All decisions.
    pub(crate) fn of(decisions: &'a [Decision]) -> Tape<'a> {
        Tape(decisions.iter())
    }

    /// The values after a statement, which takes the decisions that it needs.
    pub(crate) fn run(&mut self, stmt: &Stmt, state: Valuation) -> Result<Valuation, String> {
        let mut run = Run { state, tape: self.0.clone() };
        run.exec(stmt)?;
        self.0 = run.tape;
        Ok(run.state)
    }

    /// An error if decisions are left.
    pub(crate) fn end(mut self) -> Result<(), String> {
        all_taken(&mut self.0)
    }
}

fn all_taken(tape: &mut std::slice::Iter<'_, Decision>) -> Result<(), String> {
    match tape.next() {
        Some(_) => Err("more decisions than the statement has".into()),
        None => Ok(()),
    }
}

struct Run<'a> {
    state: Valuation,
    tape: std::slice::Iter<'a, Decision>,
}

impl Run<'_> {
    /// Runs a statement with all decisions of the tape.
    fn step(&mut self, stmt: &Stmt) -> Result<(), String> {
        self.exec(stmt)?;
        all_taken(&mut self.tape)
    }

    fn exec(&mut self, stmt: &Stmt) -> Result<(), String> {
        match stmt {
            Stmt::Assume(term) => match self.truth(*term)? {
                true => Ok(()),
                false => Err(format!("the assumption `{term}` does not hold")),
            },
            Stmt::Assign(assignments) => {
                if let [(var, term)] = assignments[..] {
                    return self.assign(var, term);
                }
                let terms: Vec<Term> = assignments.iter().map(|(_, term)| *term).collect();
                let values = Term::eval_all(&terms, &self.state);
                for ((var, term), value) in assignments.iter().zip(values) {
                    let value = value.ok_or_else(|| format!("`{term}` has no value"))?;
                    self.state.set(*var, value);
                }
                Ok(())
            }
            Stmt::Havoc(vars) => vars.iter().try_for_each(|var| {
                let value = self.decided_value(*var)?;
                self.state.set(*var, value);
                Ok(())
            }),
            Stmt::Seq(parts) => parts.iter().try_for_each(|part| self.exec(part)),
            Stmt::Choice(parts) => match self.tape.next() {
                Some(Decision::Branch(n)) if *n < parts.len() => self.exec(&parts[*n]),
                _ => Err("no branch is decided".into()),
            },
            Stmt::Relation { formula, written } => {
                for var in written {
                    let value = self.decided_value(*var)?;
                    self.state.set(var.primed(), value);
                }
                if !self.truth(*formula)? {
                    return Err(format!("the relation `{formula}` does not hold"));
                }
                for var in written {
                    if let Some(value) = self.state.get(var.primed()).cloned() {
                        self.state.forget(var.primed());
                        self.state.set(*var, value);
                    }
                }
                Ok(())
            }
        }
    }

    /// Assigns to one variable. An array that is changed at one place is not copied: programs fill them in loops.
    fn assign(&mut self, var: Var, term: Term) -> Result<(), String> {
        if let (Op::Store, [array, index, element]) = (term.op(), term.args())
            && array.as_var() == Some(var)
        {
            let (index, element) = (self.value(*index)?, self.value(*element)?);
            let array = self.state.get_mut(var).ok_or_else(|| format!("`{var}` has no value"))?;
            array.store(index, element);
            return Ok(());
        }
        let value = self.value(term)?;
        self.state.set(var, value);
        Ok(())
    }

    fn decided_value(&mut self, var: Var) -> Result<Value, String> {
        match self.tape.next() {
            Some(Decision::Value(value)) if value.sort() == var.sort() => Ok(value.clone()),
            _ => Err(format!("no value is decided for `{var}`")),
        }
    }

    fn value(&self, term: Term) -> Result<Value, String> {
        term.eval(&self.state).ok_or_else(|| format!("`{term}` has no value"))
    }

    fn truth(&self, term: Term) -> Result<bool, String> {
        self.value(term).map(|value| value == Value::Bool(true))
    }
}
