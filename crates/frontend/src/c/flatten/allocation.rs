//! Allocated memory: each place in the program that allocates is a site. Whether what it allocates exists once or many times
//! is known when all loops around it are.
//!
//! Calls of functions that allocate are told apart, so that each of them has objects of its own, unless they are in a loop.

use super::Flattener;
use crate::c::checks::Check;
use crate::c::flat::{Op, Place, Root, Scope, Site, Value};
use crate::c::flatten::conventions::Known;
use crate::c::ir::{BUILTIN, Expr, Kind, Stmt};
use crate::c::types::{Type, TypeId};

impl Flattener<'_> {
    /// The address of a new object, where a conversion tells what it points to.
    pub(super) fn allocated(&mut self, expr: &Expr, inner: &Expr) -> Option<Value> {
        let Kind::Call(callee, args, _) = &inner.kind else { return None };
        let Kind::Function(function) = callee.kind else { return None };
        let definition = &self.program.functions[function as usize];
        let known = self.conventions.known(&definition.name, definition.body.is_some());
        let to = self.program.types.pointee(expr.ty)?;
        (known == Some(Known::Allocate)).then(|| self.allocation(function, args, inner, Some(to)))
    }

    /// Allocates memory; the pointer to it.
    pub(super) fn allocation(
        &mut self,
        function: u32,
        args: &[Expr],
        call: &Expr,
        hint: Option<TypeId>,
    ) -> Value {
        let (ty, start) = (call.ty, call.start);
        let values = self.arguments(args);
        let name = &self.program.functions[function as usize].name;
        let name = name.trim_start_matches(BUILTIN);
        let one = |like: &Value| Value::int(1, like.ty, start);
        let (count, size) = match (name, &values[..]) {
            ("malloc" | "alloca" | "kmalloc" | "kzalloc" | "valloc", [size, ..]) => {
                (one(size), size.clone())
            }
            ("aligned_alloc", [_, size]) => (one(size), size.clone()),
            ("calloc", [count, size]) => (count.clone(), size.clone()),
            _ => {
                self.unsupported(format!("`{name}`"), start);
                return Value::int(0, ty, start);
            }
        };
        let site = self.site(ty, hint, name);
        let latest = self.flat.sites[site as usize].latest;
        self.ops.push(Op::Allocate { site, count, size });
        Value::load(Place::object(latest, ty), start)
    }

    fn site(&mut self, ty: TypeId, hint: Option<TypeId>, function: &str) -> u32 {
        if self.n_loops == 0 {
            // Each call of the function is a place of its own that is passed once.
            self.frames.iter_mut().for_each(|frame| frame.is_told_apart = true);
        }
        let name = format!("{}allocated", self.prefix());
        // Its type is known later.
        let object = self.object(name.clone(), hint.unwrap_or(ty));
        let latest = self.object(format!("{name}*"), ty);
        if function == "alloca" {
            let (function, depth) = (self.function(), self.depth());
            let scope = Scope { function, depth, path: Vec::new() };
            self.flat.scopes.extend([(object, scope.clone()), (latest, scope)]);
        }
        self.flat.sites.push(Site {
            object,
            latest,
            hint,
            is_repeated: false,
            is_zeroed: matches!(function, "calloc" | "kzalloc"),
            is_heap: function != "alloca",
        });
        self.flat.sites.len() as u32 - 1
    }

    /// Frees what a pointer points to.
    pub(super) fn free(&mut self, args: &[Expr], start: usize) {
        let values = self.arguments(args);
        if let [pointer] = &values[..]
            && self.program.types.pointee(pointer.ty).is_some()
        {
            self.ops.push(Op::Free { pointer: pointer.clone(), start });
        } else {
            self.unsupported("`free` of something that is no pointer", start);
        }
    }
}

/// Memory that is set to zero.
impl Flattener<'_> {
    /// The value of `memset`, if it sets all of something to zero, or goes beyond a variable.
    pub(super) fn cleared(&mut self, function: u32, args: &[Expr]) -> Option<Value> {
        let name = &self.program.functions[function as usize].name;
        let ("memset", [target, byte, size]) = (name.trim_start_matches(BUILTIN), args) else {
            return None;
        };
        let size = u64::try_from(size.as_int()?).ok()?;
        let byte = byte.as_int()?;
        let mut pointer = target;
        while let Kind::Convert(inner) = &pointer.kind
            && self.program.types.pointee(inner.ty).is_some()
        {
            pointer = inner;
        }
        let types = &self.program.types;
        let whole = match &pointer.kind {
            Kind::Decay(array) | Kind::Address(array) => types.size(array.ty)?,
            _ => types
                .pointee(pointer.ty)
                .filter(|to| !matches!(types.get(*to), Type::Void))
                .and_then(|to| types.size(to))?,
        };
        let is_variable = match &pointer.kind {
            Kind::Decay(place) | Kind::Address(place) => matches!(place.kind, Kind::Var(_)),
            _ => false,
        };
        if !self.is_pure(pointer) || !(size == whole && byte == 0 || size > whole && is_variable) {
            return None;
        }
        let start = target.start;
        let value = self.value(target);
        if size > whole {
            let expression = format!("{name}(…, {byte}, {size})");
            self.violated(Check::Bounds, "an access outside of its object", &expression, start);
            return Some(value);
        }
        let place = match &pointer.kind {
            Kind::Decay(place) | Kind::Address(place) => self.place(place),
            _ => {
                let to = self.program.types.pointee(pointer.ty)?;
                let pointer = self.value(pointer);
                Place { root: Root::Pointer(Box::new(pointer)), path: Vec::new(), ty: to }
            }
        };
        self.ops.push(Op::Zero(place));
        Some(value)
    }
}

/// What may be executed more than once. A cycle leaves each of its statements and comes back to it, so that it jumps from
/// behind the statement to a place before it. In the order of the text only loops and `goto`s to earlier labels do that.
impl Flattener<'_> {
    /// What a loop contains may be passed more than once.
    pub(super) fn in_loop(&mut self, stmt: &Stmt, translate: impl FnOnce(&mut Self)) {
        let before = self.flat.sites.len();
        self.n_loops += 1;
        self.enter_rounds(Some(stmt), stmt.start);
        translate(self);
        self.leave_rounds();
        self.n_loops -= 1;
        self.repeat_since(before);
    }

    fn repeat_since(&mut self, before: usize) {
        self.flat.sites[before..].iter_mut().for_each(|site| site.is_repeated = true);
    }

    /// A label is here, which later statements may jump back to.
    pub(super) fn passes(&mut self, label: &str) {
        let n_sites = self.flat.sites.len();
        if let Some(frame) = self.frames.last_mut() {
            frame.passed.insert(label.into(), n_sites);
        }
    }

    /// A jump to a label is here. If that was before, all that is between may be passed more than once.
    pub(super) fn jumps_back(&mut self, label: &str) {
        let passed = self.frames.last().and_then(|frame| frame.passed.get(label).copied());
        if let Some(before) = passed {
            self.repeat_since(before);
        }
    }
}
