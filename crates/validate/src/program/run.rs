//! A program with one run: it is run again, with a stack of calls.
//!
//! A variable without a known value may have any. An assumption that the known values do not decide may hold, and then nothing
//! more is known than before. So what is run is all that can happen, as long as one edge at most can be taken.

use lapidary_expr::{Assignment, Term, Value, Var};
use lapidary_model::program::{Action, Call, Procedure, Program, ProgramEdgeId};
use lapidary_model::{Loc, Stmt};
use lapidary_solver::Stop;
use rustc_hash::FxHashMap;

use crate::{ProofCheck, Rejection, reject};

/// After so many steps the limits are looked at.
const LOOK: u64 = 1 << 14;

pub(super) fn validate(
    program: &Program,
    most: u64,
    check: &mut dyn FnMut() -> Result<(), Stop>,
) -> Result<ProofCheck, Rejection> {
    let Some(first) = program.procedures().first() else { return Ok(ProofCheck::default()) };
    let mut outgoing: FxHashMap<Loc, Vec<ProgramEdgeId>> = FxHashMap::default();
    for id in program.procedures().iter().flat_map(Procedure::edges) {
        outgoing.entry(program.edge(*id).source).or_default().push(*id);
    }
    let mut run = Run { program, outgoing, known: Known::default(), changes: Vec::new() };
    let mut stack = vec![Frame { exit: first.exit, back: None, saved: Vec::new() }];
    let (mut at, mut steps) = (Some(first.entry), 0);
    while let Some(loc) = at {
        if Some(loc) == program.error() {
            return reject("the run reaches the error".into());
        }
        if steps >= most {
            return reject(format!("the run does not end within {most} steps"));
        }
        steps += 1;
        if steps % LOOK == 0 {
            check()?;
        }
        at = run.step(loc, &mut stack)?;
    }
    let obligations = usize::try_from(steps).unwrap_or(usize::MAX);
    Ok(ProofCheck { obligations, by_evaluation: obligations, by_solver: 0 })
}

/// Values that are known.
#[derive(Default)]
struct Known(FxHashMap<Var, Value>);

impl Assignment for Known {
    fn value(&self, var: Var) -> Option<Value> {
        self.0.get(&var).cloned()
    }
}

/// A procedure that runs: where it returns, where its caller goes on, and what its locals were before.
struct Frame {
    exit: Loc,
    back: Option<Loc>,
    saved: Vec<(Var, Option<Value>)>,
}

struct Run<'a> {
    program: &'a Program,
    outgoing: FxHashMap<Loc, Vec<ProgramEdgeId>>,
    known: Known,
    /// What variables were before the edge that is being tried.
    changes: Vec<(Var, Option<Value>)>,
}

impl Run<'_> {
    /// Where the run goes on; nowhere if it ends.
    fn step(&mut self, loc: Loc, stack: &mut Vec<Frame>) -> Result<Option<Loc>, Rejection> {
        if stack.last().is_some_and(|frame| frame.exit == loc) {
            let Some(Frame { back: Some(back), saved, .. }) = stack.pop() else { return Ok(None) };
            saved.into_iter().for_each(|(var, value)| self.put(var, value));
            return Ok(Some(back));
        }
        let edges = self.outgoing.get(&loc).cloned().unwrap_or_default();
        let mut taken = None;
        for id in edges {
            let edge = self.program.edge(id);
            let (Action::Stmt(stmt) | Action::Call(Call { before: stmt, .. })) = &edge.action;
            let passes = self.may_pass(stmt)?;
            let after = self.take_back();
            if passes && taken.replace((id, after)).is_some() {
                return reject("the program has several runs".into());
            }
        }
        let Some((id, after)) = taken else { return Ok(None) };
        after.into_iter().for_each(|(var, value)| self.put(var, value));
        let edge = self.program.edge(id);
        match &edge.action {
            Action::Stmt(_) => Ok(Some(edge.target)),
            Action::Call(call) => Ok(Some(self.call(call, edge.target, stack))),
        }
    }

    /// Begins an activation: nothing is known of its locals but what it is called with.
    fn call(&mut self, call: &Call, back: Loc, stack: &mut Vec<Frame>) -> Loc {
        let callee = self.program.procedure(call.callee);
        let values: Vec<Term> = call.args.iter().map(|(_, value)| *value).collect();
        let values = Term::eval_all(&values, &self.known);
        let saved = callee.locals.iter().map(|local| (*local, self.known.0.remove(local)));
        stack.push(Frame { exit: callee.exit, back: Some(back), saved: saved.collect() });
        for ((param, _), value) in call.args.iter().zip(values) {
            self.put(*param, value);
        }
        callee.entry
    }

    fn put(&mut self, var: Var, value: Option<Value>) {
        match value {
            Some(value) => self.known.0.insert(var, value),
            None => self.known.0.remove(&var),
        };
    }

    fn set(&mut self, var: Var, value: Option<Value>) {
        let old = match value {
            Some(value) => self.known.0.insert(var, value),
            None => self.known.0.remove(&var),
        };
        self.changes.push((var, old));
    }

    /// Undoes what an edge did; returns the values that it gave.
    fn take_back(&mut self) -> Vec<(Var, Option<Value>)> {
        let mut given: Vec<(Var, Option<Value>)> = Vec::new();
        for (var, old) in std::mem::take(&mut self.changes).into_iter().rev() {
            if !given.iter().any(|(other, _)| *other == var) {
                given.push((var, self.known.0.get(&var).cloned()));
            }
            self.put(var, old);
        }
        given
    }

    /// Runs a statement; whether that may go through.
    fn may_pass(&mut self, stmt: &Stmt) -> Result<bool, Rejection> {
        match stmt {
            Stmt::Assume(term) => Ok(term.holds(&self.known) != Some(false)),
            Stmt::Assign(assignments) => {
                let terms: Vec<Term> = assignments.iter().map(|(_, term)| *term).collect();
                let values = Term::eval_all(&terms, &self.known);
                for ((var, _), value) in assignments.iter().zip(values) {
                    self.set(*var, value);
                }
                Ok(true)
            }
            Stmt::Havoc(vars) => {
                vars.iter().for_each(|var| self.set(*var, None));
                Ok(true)
            }
            Stmt::Seq(parts) => {
                for part in parts {
                    if !self.may_pass(part)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Stmt::Choice(_) | Stmt::Relation { .. } => {
                reject("the program leaves more open than values".into())
            }
        }
    }
}
