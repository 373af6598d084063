//! Executions of the automaton as executions of the program, with a stack of calls.
//!
//! This shares nothing with inlining but its account of what each edge was made of: calls and returns are taken where the
//! program has them, and each activation has locals of its own.

use lapidary_expr::{Valuation, Var};
use rustc_hash::FxHashMap;

use super::{Action, Call, Inlined, Procedure, ProgramEdgeId};
use crate::cfa::Loc;
use crate::execution::{Execution, ReplayError, Tape};
use crate::stmt::Stmt;

/// An activation that has begun, and what its locals were before, if they belong to another one.
struct Frame {
    activation: u32,
    loc: Loc,
    shadowed: Vec<(Var, lapidary_expr::Value)>,
}

struct Run<'a> {
    inlined: &'a Inlined,
    state: Valuation,
    stack: Vec<Frame>,
    /// The activations by their calls.
    called: FxHashMap<(u32, ProgramEdgeId), u32>,
}

impl Inlined {
    /// Runs the program along an execution of the automaton, and shows the number of each step with the values after it, in
    /// which locals have the values of the latest activation. An error if it is no execution of the program to its error
    /// location.
    pub fn run(
        &self,
        execution: &Execution,
        visit: &mut dyn FnMut(usize, &Valuation),
    ) -> Result<(), ReplayError> {
        let called = self.activations.iter().enumerate();
        let called = called.filter_map(|(i, activation)| Some((activation.caller?, i as u32)));
        let mut run = Run {
            inlined: self,
            state: execution.start.clone(),
            stack: Vec::new(),
            called: called.collect(),
        };
        if let Some(first) = self.program.procedures().first() {
            run.stack.push(Frame { activation: 0, loc: first.entry, shadowed: Vec::new() });
        }
        let mut last = None;
        for (i, step) in execution.steps.iter().enumerate() {
            let wrong = |problem: String| ReplayError { step: Some(i), problem };
            let origin = self.origins.get(step.edge.0 as usize).copied();
            let origin = origin.ok_or_else(|| wrong("there is no such edge".into()))?;
            run.go_to(origin.activation).map_err(wrong)?;
            run.step(origin.edge, Tape::of(&step.tape)).map_err(wrong)?;
            visit(i, &run.state);
            last = Some(step.edge);
        }
        let is_cut = last.is_some_and(|last| self.cuts.iter().any(|(edge, _)| *edge == last));
        let end = run.stack.last().map(|frame| frame.loc);
        match is_cut || end.is_some() && end == self.program.error() {
            true => Ok(()),
            false => {
                Err(ReplayError { step: None, problem: "it does not end at the error".into() })
            }
        }
    }
}

impl Run<'_> {
    fn procedure(&self, activation: u32) -> &Procedure {
        let procedure = self.inlined.activations[activation as usize].procedure;
        self.inlined.program.procedure(procedure)
    }

    /// Returns from and enters activations until this one runs.
    fn go_to(&mut self, activation: u32) -> Result<(), String> {
        let mut path = Vec::new();
        let mut at = activation;
        while !self.stack.iter().any(|frame| frame.activation == at) {
            let call = self.inlined.activations[at as usize].caller;
            let call = call.ok_or("the activation is none of this program")?;
            path.push(call.1);
            at = call.0;
        }
        while self.stack.last().is_some_and(|frame| frame.activation != at) {
            self.leave()?;
        }
        path.into_iter().rev().try_for_each(|call| match self.is_silent(call) {
            true => self.step(call, Tape::of(&[])),
            false => Err("a call is left out".into()),
        })
    }

    /// Whether a call does nothing but begin, so that it needs no step.
    fn is_silent(&self, id: ProgramEdgeId) -> bool {
        match &self.inlined.program.edge(id).action {
            Action::Call(call) => {
                let is_idle = call.before.is_skip() && call.args.is_empty();
                is_idle && self.inlined.fresh(call).is_empty()
            }
            Action::Stmt(_) => false,
        }
    }

    /// Takes an edge of the procedure that runs.
    fn step(&mut self, id: ProgramEdgeId, tape: Tape<'_>) -> Result<(), String> {
        let edge = self.inlined.program.edge(id);
        let frame = self.stack.last_mut().ok_or("nothing runs")?;
        // Where nothing but a return is left to do, it is done.
        if frame.loc != edge.source {
            return Err("the edge does not start where the program is".into());
        }
        frame.loc = edge.target;
        match &edge.action {
            Action::Stmt(stmt) => self.execute(stmt, tape)?.end(),
            Action::Call(call) => self.call(id, call, tape),
        }
    }

    fn execute<'t>(&mut self, stmt: &Stmt, mut tape: Tape<'t>) -> Result<Tape<'t>, String> {
        let state = std::mem::take(&mut self.state);
        self.state = tape.run(stmt, state)?;
        Ok(tape)
    }

    fn call(&mut self, id: ProgramEdgeId, call: &Call, tape: Tape<'_>) -> Result<(), String> {
        let caller = self.stack.last().map(|frame| frame.activation).unwrap_or_default();
        let mut tape = self.execute(&call.before, tape)?;
        // A call that was not inlined ends the execution.
        let Some(activation) = self.called.get(&(caller, id)).copied() else { return tape.end() };
        let values: Vec<_> = call.args.iter().map(|(_, value)| value.eval(&self.state)).collect();
        let callee = self.inlined.program.procedure(call.callee);
        let is_active = |frame: &Frame| {
            self.inlined.activations[frame.activation as usize].procedure == call.callee
        };
        let mut shadowed = Vec::new();
        if self.stack.iter().any(is_active) {
            let values =
                callee.locals.iter().filter_map(|local| Some((*local, self.state.get(*local)?)));
            shadowed.extend(values.map(|(local, value)| (local, value.clone())));
        }
        for ((param, _), value) in call.args.iter().zip(values) {
            self.state.set(*param, value.ok_or("an argument has no value")?);
        }
        self.stack.push(Frame { activation, loc: callee.entry, shadowed });
        // What is decided now is the values that locals begin with.
        let fresh: Vec<Var> = self.inlined.fresh(call);
        if !fresh.is_empty() {
            tape = self.execute(&Stmt::Havoc(fresh), tape)?;
        }
        tape.end()
    }

    fn leave(&mut self) -> Result<(), String> {
        let frame = self.stack.pop().ok_or("nothing runs")?;
        if frame.loc != self.procedure(frame.activation).exit {
            return Err("a procedure ends where it has no end".into());
        }
        frame.shadowed.into_iter().for_each(|(local, value)| self.state.set(local, value));
        Ok(())
    }
}
