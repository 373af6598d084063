//! Calls of functions that are not there: they return any value, and what they do to memory is not known.

use super::Flattener;
use crate::c::flat::{Op, Place, Root, Value, ValueKind};
use crate::c::flatten::libc::{has_count, is_of_library};
use crate::c::ir::BUILTIN;
use crate::c::ir::{Binary, Expr, Kind, STRING, VarRef};
use crate::c::types::{Type, TypeId, VARIABLE_ARGUMENTS};

impl Flattener<'_> {
    /// A function that is defined elsewhere returns any value. What it might do to the memory that it is
    /// given is not known.
    pub(super) fn call_undefined(&mut self, function: u32, args: &[Expr], call: &Expr) -> Value {
        let (ty, start) = (call.ty, call.start);
        let definition = &self.program.functions[function as usize];
        let given = self.arguments(args);
        self.discard(&given);
        if definition.is_noreturn {
            self.check_end(start);
            self.end();
            return Value::int(0, ty, start);
        }
        if let Some(what) = self.effect_elsewhere(&definition.name, &given) {
            self.unsupported(what, start);
            return Value::int(0, ty, start);
        }
        // Numbers may be addresses, too.
        self.ops.push(Op::Outside { function, given, start });
        match self.program.types.get(ty) {
            _ if definition.name.starts_with(BUILTIN) || is_of_library(&definition.name) => {
                self.not_modelled(function, ty, start)
            }
            Type::Record(_) => self.any_value(ty, start),
            Type::Int(_) if matches!(definition.name.as_str(), "rand" | "random") => {
                let value = self.nondet(function, call, None);
                let zero = Box::new(Value::int(0, ty, start));
                let kind = ValueKind::Binary(Binary::Le, zero, Box::new(value.clone()));
                self.ops.push(Op::Assume(Value::new(kind, self.int_type(), start), true));
                value
            }
            _ => self.nondet(function, call, None),
        }
    }

    /// What a function does that the model does not know, if its name or what it is given tells.
    fn effect_elsewhere(&self, name: &str, given: &[Value]) -> Option<String> {
        if name.starts_with("pthread_") {
            return Some(format!(
                "threads, by `{name}`, are not modelled (`--entry` verifies the function of one thread alone)"
            ));
        }
        if matches!(name, "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp") {
            let advice = "return a status where the program would jump";
            return Some(format!(
                "`{name}`, which returns again after a jump, is not modelled ({advice})"
            ));
        }
        if matches!(name, "atexit" | "on_exit" | "at_quick_exit" | "signal" | "sigaction") {
            return Some(format!("`{name}`, which calls functions later"));
        }
        if matches!(name, "fesetround" | "fesetenv" | "feupdateenv" | "feholdexcept") {
            return Some(format!("`{name}`, which may change how numbers are rounded"));
        }
        if given.iter().any(|value| self.may_be_written(value)) {
            return Some(format!("`{name}` is not defined and may write to what it is given"));
        }
        let callback = given.iter().find_map(|value| self.function_of_program(value))?;
        Some(format!("`{name}` is not defined and may call `{callback}`, which it is given"))
    }

    /// Whether a value may be or have an address of something that can be written.
    fn may_be_written(&self, value: &Value) -> bool {
        self.holds_addresses(value.ty)
            && value.as_int().is_none()
            && !self.is_text(value)
            && as_function(value).is_none()
    }

    /// The name of the function with a body whose address a value is.
    fn function_of_program(&self, value: &Value) -> Option<&str> {
        let definition = &self.program.functions[as_function(value)? as usize];
        definition.body.as_ref().map(|_| definition.name.as_str())
    }

    /// Whether values of a type are or contain addresses.
    pub(super) fn holds_addresses(&self, ty: TypeId) -> bool {
        let types = &self.program.types;
        match types.get(ty) {
            Type::Pointer(_) | Type::Opaque(VARIABLE_ARGUMENTS) => true,
            Type::Array(element, _) => self.holds_addresses(*element),
            Type::Record(_) => {
                let members = types.members(ty).unwrap_or_default();
                members.iter().any(|member| self.holds_addresses(member.ty))
            }
            _ => false,
        }
    }

    /// Whether a value is the address of a string.
    fn is_text(&self, value: &Value) -> bool {
        match &value.kind {
            ValueKind::Address(Place { root: Root::Object(object), .. }) => {
                self.flat.objects[object.0 as usize].name.starts_with(STRING)
            }
            ValueKind::Convert(inner) => self.is_text(inner),
            _ => false,
        }
    }

    /// Prints by a format, the argument with this number. It may write to those after it.
    pub(super) fn print(
        &mut self,
        function: u32,
        format: usize,
        args: &[Expr],
        call: &Expr,
    ) -> Value {
        let (ty, start) = (call.ty, call.start);
        let given = self.arguments(args);
        if let Some(what) = self.memory_read(function, args) {
            self.unsupported(what, start);
            return Value::int(0, ty, start);
        }
        self.discard(&given);
        if args.get(format).is_none_or(|format| self.counts(format)) {
            let printed = given.get(format + 1..).unwrap_or_default();
            if printed.iter().any(|value| self.may_be_written(value)) {
                let name = &self.program.functions[function as usize].name;
                self.unsupported(format!("`{name}` may write by `%n` to what it is given"), start);
                return Value::int(0, ty, start);
            }
            self.ops.push(Op::Outside { function, given, start });
        }
        self.not_modelled(function, ty, start)
    }

    /// What a function of the library may read by a pointer, if that is checked: it is not modelled.
    pub(super) fn memory_read(&self, function: u32, args: &[Expr]) -> Option<String> {
        if !self.conventions.checks().ask_memory() {
            return None;
        }
        let is_read = |arg: &Expr| {
            let to = self.program.types.pointee(unconverted(arg).ty);
            // Streams are the library's own.
            let is_stream =
                to.is_some_and(|to| matches!(self.program.types.get(to), Type::Record(_)));
            to.is_some() && !is_stream && arg.as_int().is_none() && !self.is_literal(arg)
        };
        let name = &self.program.functions[function as usize].name;
        let what = || format!("what `{name}` reads by a pointer is not checked");
        args.iter().any(is_read).then(what)
    }

    /// Whether an argument is a string literal.
    fn is_literal(&self, arg: &Expr) -> bool {
        match &arg.kind {
            Kind::Convert(inner) | Kind::Decay(inner) => self.is_literal(inner),
            Kind::Conditional(_, then, otherwise) => {
                self.is_literal(then) && self.is_literal(otherwise)
            }
            Kind::Var(VarRef::Global(global)) => {
                self.program.globals[*global as usize].name.starts_with(STRING)
            }
            _ => false,
        }
    }

    /// Whether a format has `%n`, or is not known.
    fn counts(&self, format: &Expr) -> bool {
        match &format.kind {
            Kind::Convert(inner) | Kind::Decay(inner) => self.counts(inner),
            Kind::Conditional(_, then, otherwise) => self.counts(then) || self.counts(otherwise),
            Kind::Var(VarRef::Global(global)) => {
                let variable = &self.program.globals[*global as usize];
                let units = variable.init.iter().map(|unit| match unit.value.kind {
                    Kind::Int(unit) => u8::try_from(unit & 0xff).ok(),
                    _ => None,
                });
                let units: Option<Vec<u8>> = units.collect();
                !variable.name.starts_with(STRING) || units.is_none_or(|units| has_count(&units))
            }
            _ => true,
        }
    }
}

/// An argument without its conversion.
fn unconverted(arg: &Expr) -> &Expr {
    match &arg.kind {
        Kind::Convert(inner) => unconverted(inner),
        _ => arg,
    }
}

/// The function whose address a value is.
fn as_function(value: &Value) -> Option<u32> {
    match &value.kind {
        ValueKind::Function(function) => Some(*function),
        ValueKind::Convert(inner) => as_function(inner),
        _ => None,
    }
}
