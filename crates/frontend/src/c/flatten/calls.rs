//! Calls: functions known by name, and functions of the program.

use super::{Flattener, Role};
use crate::c::flat::{Op, Place, Root, Step, Value, ValueKind};
use crate::c::flatten::conventions::{Known, errno};
use crate::c::ir::CONSTANT_P;
use crate::c::ir::{Binary, Expr, Kind, WEAK, unmodelled};
use crate::c::types::{Type, TypeId};

impl Flattener<'_> {
    /// Calls a function; its value is wanted in `into`, if that is easy.
    pub(super) fn call(
        &mut self,
        callee: &Expr,
        args: &[Expr],
        call: &Expr,
        into: Option<&Place>,
    ) -> Value {
        let (ty, start) = (call.ty, call.start);
        if self.here.is_none() {
            return Value::int(0, ty, start);
        }
        let Kind::Function(function) = callee.kind else {
            return self.call_pointer(callee, args, call);
        };
        let definition = &self.program.functions[function as usize];
        if let (Some(attribute), None) = (definition.attribute, &definition.body)
            && attribute != WEAK
        {
            self.unsupported(unmodelled(attribute), start);
            return Value::int(0, ty, start);
        }
        if definition.name == CONSTANT_P {
            return self.constant_or_not(ty, start);
        }
        match self.conventions.known(&definition.name, definition.body.is_some()) {
            Some(known) => {
                let value = self.call_known(known, function, args, call, into);
                self.set_errno(function);
                value
            }
            None if definition.body.is_some() => {
                let args = self.arguments(args);
                self.call_procedure(function, args, ty, start)
            }
            None => {
                if let Some(value) = self.cleared(function, args) {
                    return value;
                }
                let value = self.call_undefined(function, args, call);
                self.set_errno(function);
                value
            }
        }
    }

    /// A function of the library may give `errno` another value.
    fn set_errno(&mut self, function: u32) {
        let program = self.program;
        let Some(errno) = errno(program) else { return };
        if self.here.is_some() && self.conventions.sets_errno(&program.functions[function as usize])
        {
            let place = self.var(errno);
            self.ops.push(Op::Havoc { place, is_external: true });
            self.ops.push(Op::Approximate("`errno` is not modelled".into()));
        }
    }

    /// Whether gcc takes for constant what is no constant by its form: not without optimisation.
    fn constant_or_not(&mut self, ty: TypeId, start: usize) -> Value {
        let any = self.any_value(ty, start);
        let [zero, one] = [0, 1].map(|value| Value::int(value, ty, start));
        let end = self.node();
        if let Some(here) = self.flush(start) {
            for value in [&zero, &one] {
                let sides = (Box::new(any.clone()), Box::new(value.clone()));
                let kind = ValueKind::Binary(Binary::Eq, sides.0, sides.1);
                let mut ops = vec![Op::Assume(Value::new(kind, self.int_type(), start), true)];
                if value.as_int() == Some(1) {
                    ops.push(Op::Approximate(format!("`{CONSTANT_P}` depends on the compiler")));
                }
                self.add_edge(here, ops, end, start);
            }
            self.here = Some(end);
        }
        any
    }

    /// The values of arguments, in any order that makes a difference.
    pub(super) fn arguments(&mut self, args: &[Expr]) -> Vec<Value> {
        self.operands(&args.iter().collect::<Vec<_>>())
    }

    fn call_known(
        &mut self,
        known: Known,
        function: u32,
        args: &[Expr],
        call: &Expr,
        into: Option<&Place>,
    ) -> Value {
        let (ty, start) = (call.ty, call.start);
        match known {
            Known::Error => {
                self.operand_effects(args);
                self.error(start);
            }
            Known::End => {
                self.operand_effects(args);
                self.check_end(start);
                self.end();
            }
            // This is what the macro `assert` becomes; where in its line depends on what it consists of.
            Known::AssertionFailed => self.assertion_fails(self.statement),
            Known::Assume => {
                if let Some(condition) = args.first() {
                    let go_on = self.node();
                    let stop = self.node();
                    self.branch(condition, go_on, stop);
                    self.flat.assumptions.push((start, go_on, stop));
                    self.here = Some(stop);
                    self.check_stop(start);
                    self.here = Some(go_on);
                }
            }
            Known::Assert => {
                if let Some(condition) = args.first() {
                    let (go_on, stop) = (self.node(), self.node());
                    self.branch(condition, go_on, stop);
                    self.here = Some(stop);
                    self.assertion_fails(start);
                    self.here = Some(go_on);
                }
            }
            Known::Nondet if args.iter().any(|arg| self.holds_addresses(arg.ty)) => {
                return self.call_undefined(function, args, call);
            }
            Known::Nondet => {
                self.operand_effects(args);
                return self.nondet(function, call, into);
            }
            Known::Print(format) => return self.print(function, format, args, call),
            // Programs have functions of their own with these names, that are defined elsewhere.
            Known::Math | Known::Float(_) if !self.is_about_floats(known, args, ty) => {
                return self.call_undefined(function, args, call);
            }
            Known::Computed | Known::Math => {
                if let Some(what) = self.memory_read(function, args) {
                    self.unsupported(what, start);
                    return Value::int(0, ty, start);
                }
                self.operand_effects(args);
                return self.not_modelled(function, ty, start);
            }
            Known::Float(library) => return self.library(library, function, args, call),
            Known::Allocate => return self.allocation(function, args, call, None),
            Known::Free => self.free(args, start),
        }
        Value::int(0, ty, start)
    }

    /// An assertion fails, which is the error or ends the program.
    fn assertion_fails(&mut self, start: usize) {
        if self.conventions.asserts() {
            self.error(start);
        } else {
            self.flat.no_error.get_or_insert(start);
            self.check_end(start);
            self.end();
        }
    }

    /// The value of a function that we do not compute.
    pub(super) fn not_modelled(&mut self, function: u32, ty: TypeId, start: usize) -> Value {
        let value = self.any_value(ty, start);
        if !matches!(self.program.types.get(ty), Type::Void) && !self.is_unmodelled(ty) {
            let name = &self.program.functions[function as usize].name;
            self.ops.push(Op::Approximate(format!("`{name}` is not modelled")));
        }
        value
    }

    pub(super) fn nondet(&mut self, function: u32, call: &Expr, into: Option<&Place>) -> Value {
        let (ty, start) = (call.ty, call.start);
        let close = if let Kind::Call(_, _, close) = call.kind { close } else { start };
        let is_modelled = self.program.types.is_scalar(ty) && !self.is_unmodelled(ty);
        if !is_modelled {
            self.ops.push(Op::Nondet { place: None, function, close });
            if !matches!(self.program.types.get(ty), Type::Void) && !self.is_unmodelled(ty) {
                self.unsupported("a structure of any value", start);
            }
            return Value::int(0, ty, start);
        }
        let own = into.filter(|into| {
            into.ty == ty && into.path.is_empty() && matches!(into.root, Root::Object(_))
        });
        let place = own.cloned().unwrap_or_else(|| self.role(Role::Choice, ty, start));
        self.ops.push(Op::Nondet { place: Some(place.clone()), function, close });
        Value::load(place, start)
    }

    /// Any value of a type.
    pub(super) fn any_value(&mut self, ty: TypeId, start: usize) -> Value {
        let types = &self.program.types;
        if matches!(types.get(ty), Type::Void) || self.is_unmodelled(ty) {
            return Value::int(0, ty, start);
        }
        let place = self.role(Role::Choice, ty, start);
        self.ops.push(Op::Havoc { place: place.clone(), is_external: true });
        Value::load(place, start)
    }

    /// A call through a pointer: one of the functions whose address is taken somewhere and whose type fits.
    fn call_pointer(&mut self, callee: &Expr, args: &[Expr], call: &Expr) -> Value {
        let (ty, start) = (call.ty, call.start);
        if let Some(function) = named_function(callee) {
            let function = Expr::new(Kind::Function(function), callee.ty, start);
            return self.call(&function, args, call, None);
        }
        let mut values = self.operands(&[callee].into_iter().chain(args).collect::<Vec<_>>());
        let pointer = values.remove(0);
        let pointer = self.keep(pointer);
        let args: Vec<Value> = values.into_iter().map(|arg| self.keep(arg)).collect();
        let candidates: Vec<u32> = (0..self.program.functions.len() as u32)
            .filter(|function| self.fits(*function, args.len(), ty))
            .collect();
        let is_void = matches!(self.program.types.get(ty), Type::Void) || self.is_unmodelled(ty);
        let outcome = self.role(Role::Outcome, ty, start);
        let end = self.node();
        let Some(dispatch) = self.flush(start) else { return Value::int(0, ty, start) };
        let mut others = Vec::new();
        for function in candidates {
            let address = Value::new(ValueKind::Function(function), pointer.ty, start);
            let kind = ValueKind::Binary(Binary::Eq, Box::new(pointer.clone()), Box::new(address));
            let test = Value::new(kind, self.int_type(), start);
            let node = self.node();
            self.add_edge(dispatch, vec![Op::Assume(test.clone(), true)], node, start);
            others.push(Op::Assume(test, false));
            self.here = Some(node);
            let definition = &self.program.functions[function as usize];
            let result = match self.conventions.known(&definition.name, true) {
                None => self.call_procedure(function, args.clone(), ty, start),
                Some(known) => {
                    let what = "a call of a function with a special meaning by a pointer";
                    match known == Known::Error {
                        true => self.error(start),
                        false => self.unsupported(what, start),
                    }
                    Value::int(0, ty, start)
                }
            };
            if !is_void {
                self.assign(outcome.clone(), result);
            }
            self.goto(end, start);
        }
        self.here = Some(dispatch);
        self.ops = others;
        self.unsupported("a call through a pointer to an unknown function", start);
        self.here = Some(end);
        if is_void { Value::int(0, ty, start) } else { Value::load(outcome, start) }
    }

    fn fits(&self, function: u32, n_args: usize, result: TypeId) -> bool {
        let definition = &self.program.functions[function as usize];
        let Type::Function(signature) = self.program.types.get(definition.ty) else { return false };
        definition.has_address
            && definition.body.is_some()
            && (signature.params.len() == n_args || signature.open)
            && (signature.result == result
                || self.program.types.is_scalar(signature.result)
                    && self.program.types.is_scalar(result))
    }

    /// Whether an argument that no prototype has converted gets to a parameter of a type as it is.
    pub(super) fn is_passed_as(&self, arg: &Value, param: TypeId) -> bool {
        let types = &self.program.types;
        match (types.get(arg.ty), types.get(param)) {
            _ if arg.ty == param => true,
            (Type::Int(from), Type::Int(to)) => to.width <= from.width,
            (Type::Int(_), Type::Pointer(_)) => arg.as_int() == Some(0),
            (Type::Pointer(_), Type::Pointer(_)) => true,
            _ => false,
        }
    }

    /// Keeps what a place depends on, before something changes it.
    pub(super) fn keep_place(&mut self, place: Place) -> Place {
        let root = match place.root {
            Root::Pointer(pointer) => Root::Pointer(Box::new(self.keep(*pointer))),
            root @ Root::Object(_) => root,
        };
        let mut path = Vec::new();
        for step in place.path {
            path.push(match step {
                Step::Index(index) => Step::Index(self.keep(index)),
                step @ Step::Member(_) => step,
            });
        }
        Place { root, path, ty: place.ty }
    }
}

/// The function that a callee is, without looking into memory.
fn named_function(callee: &Expr) -> Option<u32> {
    match &callee.kind {
        Kind::Function(function) => Some(*function),
        Kind::Address(inner) | Kind::Decay(inner) | Kind::Deref(inner) => named_function(inner),
        _ => None,
    }
}
