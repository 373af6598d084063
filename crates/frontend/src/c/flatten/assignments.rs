//! Assignments and updates: what gets which value, and when.

use super::Flattener;
use super::expressions::nothing;
use crate::c::flat::{Failure, Op, Place, Root, Step, Value, ValueKind};
use crate::c::ir::{Expr, Kind, Operation, Unary};
use crate::c::layout::is_union;

impl Flattener<'_> {
    pub(super) fn assignment(&mut self, target: &Expr, value: &Expr) -> Place {
        if self.is_pure(value) {
            let place = self.place(target);
            self.assign_value(place.clone(), value);
            return place;
        }
        if matches!(target.kind, Kind::Var(_)) {
            let place = self.place(target);
            self.assign_value(place.clone(), value);
            return place;
        }
        let computed = self.value(value);
        let computed = if self.is_pure(target) { computed } else { self.keep(computed) };
        let place = self.place(target);
        self.store(place.clone(), computed);
        place
    }

    /// Gives a place the value of an expression.
    pub(super) fn assign_value(&mut self, place: Place, value: &Expr) {
        match &value.kind {
            Kind::Call(callee, args, _) => {
                let result = self.call(callee, args, value, Some(&place));
                let is_done =
                    matches!(&result.kind, ValueKind::Load(done) if is_same(done, &place));
                if !is_done {
                    self.store(place, result);
                }
            }
            _ => {
                let value = self.value(value);
                self.store(place, value);
            }
        }
    }

    /// Gives a place a value. One that is not modelled is forgotten, but where other things may be read, they change.
    fn store(&mut self, mut place: Place, value: Value) {
        if !self.is_unmodelled(place.ty) {
            return self.assign(place, value);
        }
        let types = &self.program.types;
        if let Root::Object(object) = place.root {
            let mut ty = self.flat.objects[object.0 as usize].ty;
            let union = place.path.iter().position(|step| {
                let is_here = is_union(types, ty);
                if !is_here {
                    ty = match step {
                        Step::Member(i) => {
                            let member = types.members(ty).and_then(|members| members.get(*i));
                            member.map_or(ty, |member| member.ty)
                        }
                        Step::Index(_) => types.element(ty).unwrap_or(ty),
                    };
                }
                is_here
            });
            let Some(union) = union else { return };
            place.path.truncate(union);
            place.ty = ty;
        }
        if self.here.is_some() {
            let is_union = matches!(place.root, Root::Object(_));
            self.ops.push(Op::Havoc { place, is_external: true });
            if is_union {
                self.ops.push(Op::Approximate("`long double` is not modelled".into()));
            }
        }
    }

    /// `op=`, `++`, `--`.
    pub(super) fn update(&mut self, expr: &Expr, is_used: bool) -> Value {
        let Kind::Update { place: target, old, op, right, is_postfix } = &expr.kind else {
            self.fail(Failure::Unsupported("an update".into()), expr.start);
            return nothing(expr.ty, expr.start);
        };
        let (ty, start) = (expr.ty, expr.start);
        let mut right_value = self.value(right);
        if !self.is_pure(target) {
            right_value = self.keep(right_value);
        }
        let place = self.place(target);
        if self.is_unmodelled(ty) {
            self.store(place, nothing(ty, start));
            return nothing(ty, start);
        }
        if self.is_unmodelled(*old) {
            let value = self.approximated(ty, start);
            self.assign(place.clone(), value);
            return Value::load(place, start);
        }
        let mut before = self.read(place.clone(), start);
        if is_used && *is_postfix {
            before = self.keep(before);
        }
        let left = Box::new(self.converted(before.clone(), *old));
        let kind = match op {
            Operation::Number(op) => ValueKind::Binary(*op, left, Box::new(right_value)),
            Operation::Move(is_back) => {
                let (offset_ty, offset) = (right_value.ty, Box::new(right_value));
                let offset = match is_back {
                    true => {
                        Box::new(Value::new(ValueKind::Unary(Unary::Neg, offset), offset_ty, start))
                    }
                    false => offset,
                };
                ValueKind::Move(left, offset)
            }
        };
        let new = self.converted(Value::new(kind, *old, start), ty);
        self.assign(place.clone(), new);
        if *is_postfix { before } else { Value::load(place, start) }
    }
}

/// Whether both are the same variable.
fn is_same(a: &Place, b: &Place) -> bool {
    match (&a.root, &b.root) {
        (Root::Object(a_object), Root::Object(b_object)) => {
            a_object == b_object && a.path.is_empty() && b.path.is_empty()
        }
        _ => false,
    }
}
