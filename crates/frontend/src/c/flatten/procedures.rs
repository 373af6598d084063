//! Procedures: functions with a body, translated once for all calls that need not be told apart.

use super::{Flattener, Role};
use crate::c::flat::TOO_LARGE;
use crate::c::flat::{Node, Op, Procedure, Value};
use crate::c::types::{Type, TypeId};

/// A function that calls itself is translated this many times within itself.
const DEEPEST_RECURSION: u32 = 8;
/// This many times if it is the first call of the kind in its body, so that their number does not multiply.
const DEEPEST_CHAIN: u32 = 30;
/// And so many times in all, since calls in calls multiply.
const MOST_RECURSIONS: u32 = 1000;

impl Flattener<'_> {
    /// Adds a procedure without edges.
    pub(super) fn procedure(&mut self, function: u32, depth: u32, entry: Node, exit: Node) -> u32 {
        let (params, result) = (Vec::new(), None);
        self.flat.procedures.push(Procedure { function, depth, entry, exit, params, result });
        self.flat.procedures.len() as u32 - 1
    }

    /// Calls a function that has a body.
    pub(super) fn call_procedure(
        &mut self,
        function: u32,
        args: Vec<Value>,
        ty: TypeId,
        start: usize,
    ) -> Value {
        if self.is_shared[function as usize] {
            let is_callee = |frame: &&super::Frame| frame.function == function;
            if let Some(active) = self.frames.iter().find(is_callee).map(|frame| frame.procedure) {
                return self.call_active(active, args, ty, start);
            }
        }
        let depth = self.depth_of(function);
        if let Some(what) = self.too_deep(function, depth) {
            self.unsupported(what, start);
            return Value::int(0, ty, start);
        }
        let back = self.node();
        let caller = self.frames.last().map_or(0, |frame| frame.procedure);
        // The arguments speak of the caller's variables, so they are read before the callee begins.
        self.enter(function, depth, caller, back);
        self.parameters(function, args, start);
        let ops = self.take_ops();
        let here = self.here.take();
        let callee = match self.known_procedure(function) {
            Some(known) => {
                self.frames.pop();
                known
            }
            None => self.new_procedure(function, depth),
        };
        if let Some(here) = here {
            self.add_edge(here, ops, back, start);
            if let Some(edge) = self.flat.edges.last_mut() {
                (edge.function, edge.call) = (function, Some(callee));
            }
        }
        self.here = Some(back);
        self.result(function, depth, ty, start)
    }

    /// Calls a function that is being translated, and whose activations are all those of one procedure. Its parameters are
    /// variables of the caller as well, so arguments are computed before the edge of the call, on which they are only passed.
    fn call_active(&mut self, procedure: u32, args: Vec<Value>, ty: TypeId, start: usize) -> Value {
        let callee = &self.flat.procedures[procedure as usize];
        let function = callee.function;
        let definition = &self.program.functions[function as usize];
        let mut values = Vec::with_capacity(definition.n_params);
        let mut args = args.into_iter();
        for param in 0..definition.n_params as u32 {
            let to = definition.locals[param as usize].ty;
            if self.is_unmodelled(to) {
                args.next();
                continue;
            }
            let value = match args.next() {
                Some(arg) => {
                    if !self.is_passed_as(&arg, to) {
                        self.unsupported("an argument of another type than the parameter", start);
                    }
                    self.converted(arg, to)
                }
                None => self.any_value(to, start),
            };
            let value = self.keep(value);
            values.push((param, value));
        }
        let Some(here) = self.flush(start) else { return Value::int(0, ty, start) };
        let back = self.node();
        let caller = self.frames.last().map_or(0, |frame| frame.procedure);
        self.enter(function, 0, caller, back);
        for (param, value) in values {
            let place = self.local(param);
            self.assign(place, value);
        }
        let ops = self.take_ops();
        self.frames.pop();
        if let Some(frame) = self.frames.last_mut() {
            frame.calls.insert(function);
        }
        self.add_edge(here, ops, back, start);
        if let Some(edge) = self.flat.edges.last_mut() {
            (edge.function, edge.call) = (function, Some(procedure));
        }
        self.here = Some(back);
        self.result(function, 0, ty, start)
    }

    /// How many activations of a function there are. Those that began after the first of them depend on it.
    fn depth_of(&mut self, function: u32) -> u32 {
        let is_active = |frame: &super::Frame| frame.function == function;
        if let Some(first) = self.frames.iter().position(is_active) {
            self.frames[first + 1..].iter_mut().for_each(|frame| frame.is_told_apart = true);
        }
        self.frames.iter().filter(|frame| is_active(frame)).count() as u32
    }

    /// Why a call is not translated, if it is too deep in others.
    fn too_deep(&mut self, function: u32, depth: u32) -> Option<String> {
        let first = self.frames.iter().position(|frame| frame.function == function);
        let inside = &self.frames[first.unwrap_or(self.frames.len())..];
        let is_second = inside.last().is_some_and(|frame| frame.n_recursions > 0);
        let has_recursed = is_second || inside.iter().any(|frame| frame.n_recursions > 1);
        let deepest = if has_recursed { DEEPEST_RECURSION } else { DEEPEST_CHAIN };
        let is_deep = depth > deepest || depth > 0 && self.n_recursions > MOST_RECURSIONS;
        if let Some(frame) = self.frames.last_mut() {
            frame.n_recursions += u32::from(depth > 0);
        }
        self.n_recursions += u32::from(depth > 0);
        if is_deep {
            let name = &self.program.functions[function as usize].name;
            return Some(format!("recursion of `{name}` deeper than {}", depth - 1));
        }
        self.is_full().then(|| TOO_LARGE.into())
    }

    /// The procedure of a function that any call can use here: it calls none of the functions that are active, unless these
    /// are one procedure each.
    fn known_procedure(&mut self, function: u32) -> Option<u32> {
        let (known, calls) = self.known.get(&function)?;
        let (_, outer) = self.frames.split_last()?;
        let is_apart = |frame: &super::Frame| {
            calls.contains(&frame.function) && !self.is_shared[frame.function as usize]
        };
        if outer.iter().any(is_apart) {
            return None;
        }
        let known = *known;
        let calls: Vec<u32> = calls.iter().copied().collect();
        if let [.., caller, _] = &mut self.frames[..] {
            caller.calls.extend(calls);
        }
        Some(known)
    }

    /// Translates the function whose frame is the last, and leaves it.
    fn new_procedure(&mut self, function: u32, depth: u32) -> u32 {
        let (entry, exit) = (self.node(), self.node());
        let procedure = self.procedure(function, depth, entry, exit);
        if let Some(frame) = self.frames.last_mut() {
            (frame.procedure, frame.exit) = (procedure, exit);
            frame.calls.insert(function);
        }
        self.here = Some(entry);
        self.body(function);
        self.name_interface(procedure, function, depth);
        self.here = None;
        let Some(frame) = self.frames.pop() else { return procedure };
        if let Some(caller) = self.frames.last_mut() {
            caller.calls.extend(&frame.calls);
        }
        if !frame.is_told_apart {
            self.known.insert(function, (procedure, frame.calls));
        }
        procedure
    }

    /// Says which objects are the parameters and the result of a procedure.
    fn name_interface(&mut self, procedure: u32, function: u32, depth: u32) {
        let definition = &self.program.functions[function as usize];
        let param = |local| self.locals.get(&(function, depth, local)).copied();
        let params = (0..definition.n_params as u32).filter_map(param).collect();
        let result = match self.program.types.get(definition.ty) {
            Type::Function(signature) => {
                let key = (function, depth, 0, signature.result, Role::Result);
                self.roles.get(&key).copied()
            }
            _ => None,
        };
        let procedure = &mut self.flat.procedures[procedure as usize];
        (procedure.params, procedure.result) = (params, result);
    }

    /// Gives the parameters of the function that was entered their values.
    fn parameters(&mut self, function: u32, args: Vec<Value>, start: usize) {
        let definition = &self.program.functions[function as usize];
        let n_given = args.len();
        self.discard(args.get(definition.n_params..).unwrap_or_default());
        for (param, arg) in args.into_iter().take(definition.n_params).enumerate() {
            let place = self.local(param as u32);
            if self.is_unmodelled(place.ty) {
                self.discard(&[arg]);
            } else {
                if !self.is_passed_as(&arg, place.ty) {
                    self.unsupported("an argument of another type than the parameter", start);
                }
                let arg = self.converted(arg, place.ty);
                self.assign(place, arg);
            }
        }
        for param in n_given..definition.n_params {
            let place = self.local(param as u32);
            self.ops.push(Op::Havoc { place, is_external: false });
        }
    }

    /// The value that a function returned.
    fn result(&mut self, function: u32, depth: u32, ty: TypeId, start: usize) -> Value {
        let definition = &self.program.functions[function as usize];
        let Type::Function(signature) = self.program.types.get(definition.ty) else {
            return Value::int(0, ty, start);
        };
        if matches!(self.program.types.get(signature.result), Type::Void)
            || self.is_unmodelled(signature.result)
        {
            return Value::int(0, ty, start);
        }
        let result = self.role_of(function, depth, Role::Result, signature.result, 0);
        let value = Value::load(result, start);
        self.converted(value, ty)
    }

    /// The body of the function that was entered, to its exit.
    pub(super) fn body(&mut self, function: u32) {
        let definition = &self.program.functions[function as usize];
        if let Some(body) = &definition.body {
            self.statements(body);
        }
        let Some(exit) = self.frames.last().map(|frame| frame.exit) else { return };
        if let Type::Function(signature) = self.program.types.get(definition.ty)
            && self.here.is_some()
            && self.frames.len() > 1
            && !matches!(self.program.types.get(signature.result), Type::Void)
            && !self.is_unmodelled(signature.result)
        {
            let result = self.role(Role::Result, signature.result, 0);
            match definition.name == "main" {
                true => self.assign(result, Value::int(0, signature.result, definition.start)),
                // Without `return` there is no result to speak of.
                false => self.ops.push(Op::Havoc { place: result, is_external: false }),
            }
        }
        self.goto(exit, definition.start);
        self.bear_skipped();
    }
}
