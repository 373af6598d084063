//! Allocated memory: each place in the program that allocates has one object, and may be passed once. Calls of functions
//! that allocate are told apart, so that each of them has objects of its own.
//!
//! A second allocation at the same place is where the model ends: it leads to the error location, as an
//! unsupported construct.

use super::Flattener;
use crate::c::flat::{Heap, Op, Place, Step, Value, ValueKind};
use crate::c::flatten::conventions::Known;
use crate::c::ir::BUILTIN;
use crate::c::ir::{Expr, Kind};
use crate::c::types::{Type, TypeId};

impl Flattener<'_> {
    /// The address of a new object, if a conversion tells the type of what is allocated.
    pub(super) fn allocated(&mut self, expr: &Expr, inner: &Expr) -> Option<Value> {
        let Kind::Call(callee, args, _) = &inner.kind else { return None };
        let Kind::Function(function) = callee.kind else { return None };
        let definition = &self.program.functions[function as usize];
        if self.conventions.known(&definition.name, definition.body.is_some())
            != Some(Known::Allocate)
        {
            return None;
        }
        let to = self.program.types.pointee(expr.ty)?;
        let size = self.program.types.size(to)?;
        let name = definition.name.trim_start_matches(BUILTIN);
        let bytes = match (name, &args[..]) {
            ("malloc" | "alloca" | "kmalloc" | "kzalloc" | "valloc", [size, ..]) => {
                size.as_int()?
            }
            ("calloc", [number, size]) => number.as_int()?.checked_mul(size.as_int()?)?,
            _ => return None,
        };
        let is_object =
            size > 0 && !matches!(self.program.types.get(to), Type::Void | Type::Function(_));
        let number = u64::try_from(bytes)
            .ok()
            .filter(|bytes| is_object && bytes % size == 0 && *bytes > 0)?
            / size;
        let is_zeroed = matches!(name, "calloc" | "kzalloc");
        let whole = match number {
            1 => to,
            _ => self.program.types.find(&Type::Array(to, Some(number)))?,
        };
        args.iter().for_each(|arg| self.effect(arg));
        Some(self.allocate(whole, to, is_zeroed, expr))
    }

    fn allocate(&mut self, whole: TypeId, element: TypeId, is_zeroed: bool, expr: &Expr) -> Value {
        let (ty, start) = (expr.ty, expr.start);
        // Each call of the function is a place of its own that may be passed once.
        self.frames.iter_mut().for_each(|frame| frame.is_told_apart = true);
        let name = format!("{}allocated", self.prefix());
        let object = self.object(name.clone(), whole);
        let flag = self.object(format!("{name}?"), self.int_type());
        self.flat.heap.push(Heap { flag });
        let flag = Place::object(flag, self.int_type());
        let taken = Value::load(flag.clone(), start);
        if let Some(here) = self.flush(start) {
            let node = self.node();
            self.add_edge(here, vec![Op::Assume(taken.clone(), false)], node, start);
            self.ops.push(Op::Assume(taken, true));
            self.unsupported("memory allocated here a second time", start);
            self.here = Some(node);
        }
        self.assign(flag, Value::int(1, self.int_type(), start));
        let place = Place::object(object, whole);
        let target = place.clone();
        self.ops.push(if is_zeroed {
            Op::Zero(place)
        } else {
            Op::Havoc { place, is_external: false }
        });
        let target = match whole == element {
            true => target,
            false => target.step(Step::Index(Value::int(0, self.long_type(), start)), element),
        };
        Value::new(ValueKind::Address(target), ty, start)
    }
}
