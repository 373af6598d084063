//! Assignments and updates: what gets which value, and when.

use super::expressions::nothing;
use super::order::INTERLEAVED;
use super::{Flattener, Role};
use crate::c::flat::{CHANGED, Failure, ObjectId, Op, Place, Root, Step, Value, ValueKind};
use crate::c::flatten::effects::{Operand, Order};
use crate::c::ir::{Expr, Kind, Operation, Unary, Variable};
use crate::c::types::parts::is_union;
use crate::c::types::{Type, TypeId};

impl Flattener<'_> {
    /// Assigns in every order that makes a difference; the place that has the value afterwards.
    pub(super) fn assignment(&mut self, target: &Expr, value: &Expr) -> Place {
        let mut operands = [Operand::Place(target), Operand::Value(value)];
        if !self.is_place_first(target, value) {
            operands.reverse();
        }
        match self.order_of_assignment(target, &operands) {
            Order::Any => self.assignment_in_order(target, value),
            Order::Open(_) => self.either_way(
                target.ty,
                target.start,
                [
                    &mut |this| {
                        let place = this.assignment_after_value(target, value);
                        Value::load(place, target.start)
                    },
                    &mut |this| {
                        let place = this.place(target);
                        let place = this.keep_place(place);
                        this.assign_value(place.clone(), value);
                        this.check_changed(&place, target.start);
                        Value::load(place, target.start)
                    },
                ],
            ),
            Order::Interleaved => {
                self.unsupported(INTERLEAVED, target.start);
                self.role(Role::Kept(0), target.ty, target.start)
            }
        }
    }

    /// The orders of an assignment to a target that make a difference.
    fn order_of_assignment(&self, target: &Expr, operands: &[Operand<'_>]) -> Order {
        let is_pure = |operand: &Operand<'_>| match operand {
            Operand::Value(expr) | Operand::Old(expr) => self.is_pure(expr),
            Operand::Place(expr) => self.is_pure_place(expr),
        };
        if operands.iter().all(is_pure) {
            return Order::Any;
        }
        match self.effects.writes_twice(self.function(), target, operands) {
            true => Order::Interleaved,
            false => self.order(operands),
        }
    }

    /// Whether the place comes before the value where the order makes no difference.
    fn is_place_first(&self, target: &Expr, value: &Expr) -> bool {
        self.is_pure(value) || matches!(target.kind, Kind::Var(_))
    }

    /// Assigns where the order makes no difference.
    fn assignment_in_order(&mut self, target: &Expr, value: &Expr) -> Place {
        if self.is_place_first(target, value) {
            let place = self.place(target);
            self.assign_value(place.clone(), value);
            self.check_changed(&place, target.start);
            return place;
        }
        self.assignment_after_value(target, value)
    }

    /// Assigns with the value first.
    fn assignment_after_value(&mut self, target: &Expr, value: &Expr) -> Place {
        let computed = self.value(value);
        let computed = if self.is_pure(target) { computed } else { self.keep(computed) };
        let place = self.place(target);
        self.store(place.clone(), computed);
        self.check_changed(&place, target.start);
        place
    }

    /// Notes whether the object of a variable is `const`.
    pub(super) fn note_constant(&mut self, object: ObjectId, variable: &Variable) {
        let variable = (variable.start, variable.name.clone());
        let is_const = self.program.constants.contains(&variable);
        self.flat.objects[object.0 as usize].is_const = is_const;
    }

    /// Leaves the model if something `const` was changed. Types forget casts to pointers to what is not `const`.
    fn check_changed(&mut self, place: &Place, start: usize) {
        if let Root::Object(object) = place.root
            && self.flat.objects[object.0 as usize].is_const
        {
            self.unsupported(CHANGED, start);
        }
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
    pub(super) fn store(&mut self, mut place: Place, value: Value) {
        if !self.is_unmodelled(place.ty) {
            return self.assign(place, value);
        }
        self.discard(&[value, Value::load(place.clone(), 0)]);
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

    /// `op=`, `++`, `--`, in every order that makes a difference.
    pub(super) fn update(&mut self, expr: &Expr, is_used: bool) -> Value {
        let Kind::Update { place: target, right, .. } = &expr.kind else {
            self.fail(Failure::Unsupported("an update".into()), expr.start);
            return nothing(expr.ty, expr.start);
        };
        let start = expr.start;
        let operands = [Operand::Value(right), Operand::Old(target)];
        match self.order_of_assignment(target, &operands) {
            Order::Any => {
                let mut right_value = self.value(right);
                if !self.is_pure(target) {
                    right_value = self.keep(right_value);
                }
                let place = self.place(target);
                let old = self.read(place.clone(), start);
                self.update_place(expr, place, old, right_value, is_used)
            }
            Order::Open(_) => {
                let outcome = self.either_way(
                    expr.ty,
                    start,
                    [
                        &mut |this| {
                            let right = this.value(right);
                            let right = this.keep(right);
                            let place = this.place(target);
                            let old = this.read(place.clone(), start);
                            this.update_place(expr, place, old, right, is_used)
                        },
                        &mut |this| {
                            let place = this.place(target);
                            let place = this.keep_place(place);
                            let old = this.read(place.clone(), start);
                            let old = this.keep(old);
                            let right = this.value(right);
                            this.update_place(expr, place, old, right, is_used)
                        },
                    ],
                );
                Value::load(outcome, start)
            }
            Order::Interleaved => {
                self.unsupported(INTERLEAVED, start);
                nothing(expr.ty, start)
            }
        }
    }

    /// Gives a place that had an old value its new one; the value of the whole.
    fn update_place(
        &mut self,
        expr: &Expr,
        place: Place,
        mut before: Value,
        right: Value,
        is_used: bool,
    ) -> Value {
        let (ty, start) = (expr.ty, expr.start);
        let Kind::Update { old, op, is_postfix, .. } = &expr.kind else {
            return nothing(ty, start);
        };
        if self.is_unmodelled(ty) {
            self.store(place, nothing(ty, start));
            return nothing(ty, start);
        }
        if self.is_unmodelled(*old) {
            let value = self.approximated(ty, start);
            self.assign(place.clone(), value);
            return Value::load(place, start);
        }
        if is_used && *is_postfix {
            before = self.keep(before);
        }
        let left = Box::new(self.converted(before.clone(), *old));
        let kind = match op {
            Operation::Number(op) => ValueKind::Binary(*op, left, Box::new(right)),
            Operation::Move(is_back) => {
                let (offset_ty, offset) = (right.ty, Box::new(right));
                let offset = match is_back {
                    true => Box::new(Value::new(
                        ValueKind::Unary(Unary::Back, offset),
                        offset_ty,
                        start,
                    )),
                    false => offset,
                };
                ValueKind::Move(left, offset)
            }
        };
        let mut new = Value::new(kind, *old, start);
        if let Some(field) = self.field_of(expr).filter(|_| self.is_float(*old)) {
            new = self.converted(new, field);
        }
        let new = self.converted(new, ty);
        self.assign(place.clone(), new);
        self.check_changed(&place, start);
        if *is_postfix { before } else { Value::load(place, start) }
    }
}

impl Flattener<'_> {
    /// The numbers of the bit-field that an update changes, as a type.
    fn field_of(&self, update: &Expr) -> Option<TypeId> {
        let Kind::Update { place, .. } = &update.kind else { return None };
        let Kind::Member(record, index) = &place.kind else { return None };
        let types = &self.program.types;
        let (_, width) = types.members(record.ty)?.get(*index)?.bits?;
        let int = types.as_int(place.ty).filter(|int| !int.is_bool())?;
        types.find_int(int.narrowed(width))
    }

    fn is_float(&self, ty: TypeId) -> bool {
        matches!(self.program.types.get(ty), Type::Float(_))
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
