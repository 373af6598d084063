//! Expressions: side effects become operations in C's order, what is left is a value.

use super::{Flattener, Role};
use crate::c::checks::Checks;
use crate::c::flat::visit::in_value;
use crate::c::flat::{Op, Place, Root, Step, Value, ValueKind};
use crate::c::flatten::effects::Operand;
use crate::c::ir::purity::is_address_taken_as_number;
use crate::c::ir::{Expr, Kind, StmtKind, Unary, unmodelled};
use crate::c::types::qualifiers::Qualifier;
use crate::c::types::{IntType, Type, TypeId};

impl Flattener<'_> {
    pub(super) fn is_unmodelled(&self, ty: TypeId) -> bool {
        self.program.types.is_unmodelled(ty)
    }

    /// Computes an expression for its side effects only.
    pub(super) fn effect(&mut self, expr: &Expr) {
        match &expr.kind {
            _ if self.here.is_none() => {}
            Kind::Assign(place, value) => {
                self.assignment(place, value);
            }
            Kind::Update { .. } => {
                self.update(expr, false);
            }
            Kind::Comma(left, right) => {
                self.effect(left);
                self.effect(right);
            }
            Kind::Convert(value) => self.effect(value),
            Kind::Call(callee, args, _) => {
                self.call(callee, args, expr, None);
            }
            Kind::Block(stmts) => self.statements(stmts),
            Kind::Conditional(condition, then, otherwise) if !self.is_pure(expr) => {
                let (yes, no, end) = (self.node(), self.node(), self.node());
                self.branch(condition, yes, no);
                for (node, part) in [(yes, then), (no, otherwise)] {
                    self.here = Some(node);
                    self.effect(part);
                    self.goto(end, expr.start);
                }
                self.here = Some(end);
            }
            _ => {
                let value = self.value(expr);
                self.discard(&[value]);
            }
        }
    }

    /// Values that nobody uses: only what may be wrong with them matters.
    pub(super) fn discard(&mut self, values: &[Value]) {
        if self.here.is_none() || self.conventions.checks() == Checks::REACHABILITY {
            return;
        }
        let may_fail = |value: &&Value| {
            let mut may_fail = false;
            in_value(value, &mut |part| {
                may_fail |= match &part.kind {
                    ValueKind::Load(place) => {
                        let is_index = |step: &Step| matches!(step, Step::Index(_));
                        matches!(place.root, Root::Pointer(_)) || place.path.iter().any(is_index)
                    }
                    ValueKind::Binary(op, ..) => !op.is_comparison(),
                    ValueKind::Unary(op, _) => *op == Unary::Neg,
                    _ => false,
                };
            });
            may_fail
        };
        let failing = values.iter().filter(may_fail).cloned().map(Op::Evaluate);
        self.ops.extend(failing);
    }

    /// The value of an expression, after its side effects.
    pub(super) fn value(&mut self, expr: &Expr) -> Value {
        let (ty, start) = (expr.ty, expr.start);
        let new = |kind| Value::new(kind, ty, start);
        match &expr.kind {
            _ if self.here.is_none() => nothing(ty, start),
            Kind::Int(value) => match self.program.types.as_float(ty) {
                Some(float) => Value::int(float.bits_of_integer(*value), ty, start),
                None => Value::int(*value, ty, start),
            },
            Kind::Float(constant) => {
                let format = self.program.types.as_float(ty).and_then(IntType::format);
                let bits = format.map_or(0, |format| constant.bits(format));
                Value::int(i128::from(bits), ty, start)
            }
            Kind::Function(function) => self.function_address(*function, ty, start),
            Kind::Var(_)
            | Kind::Deref(_)
            | Kind::Member(..)
            | Kind::Index(..)
            | Kind::Literal(..) => {
                let place = self.place(expr);
                match self.is_unmodelled(ty) {
                    true => {
                        self.discard(&[Value::load(place, start)]);
                        nothing(ty, start)
                    }
                    false => self.read(place, start),
                }
            }
            Kind::Address(place) | Kind::Decay(place) => self.address(expr, place),
            // Initial values of static variables are computed by the compiler.
            Kind::Wrapped(value, _) if self.is_static => Value::int(*value, ty, start),
            Kind::Wrapped(_, computed) => self.value(computed),
            Kind::Unary(op, inner) => {
                let value = self.value(inner);
                match (op, self.is_unmodelled(inner.ty)) {
                    (_, false) => new(ValueKind::Unary(*op, Box::new(value))),
                    (Unary::Zero, true) => self.approximated_truth(start),
                    (_, true) => nothing(ty, start),
                }
            }
            Kind::Binary(op, left, right) => {
                let (a, b) = self.pair(left, right);
                match (self.is_unmodelled(left.ty), self.is_unmodelled(ty)) {
                    (true, false) => self.approximated_truth(start),
                    (_, true) => nothing(ty, start),
                    _ => new(ValueKind::Binary(*op, Box::new(a), Box::new(b))),
                }
            }
            Kind::Move(left, right) => {
                let (a, b) = self.pair(left, right);
                new(ValueKind::Move(Box::new(a), Box::new(b)))
            }
            Kind::Distance(left, right) => {
                let (a, b) = self.pair(left, right);
                new(ValueKind::Distance(Box::new(a), Box::new(b)))
            }
            Kind::And(_, right) | Kind::Or(_, right) if !self.is_pure(right) => {
                self.short_circuit(expr)
            }
            Kind::And(left, right) => {
                let (a, b) = (self.condition(left), self.condition(right));
                new(ValueKind::And(Box::new(a), Box::new(b)))
            }
            Kind::Or(left, right) => {
                let (a, b) = (self.condition(left), self.condition(right));
                new(ValueKind::Or(Box::new(a), Box::new(b)))
            }
            Kind::Conditional(condition, then, otherwise) => {
                if self.is_pure(then) && self.is_pure(otherwise) && self.program.types.is_scalar(ty)
                {
                    let condition = self.condition(condition);
                    let (then, otherwise) = (self.value(then), self.value(otherwise));
                    let parts = (Box::new(condition), Box::new(then), Box::new(otherwise));
                    return new(ValueKind::Conditional(parts.0, parts.1, parts.2));
                }
                self.by_branches(
                    condition,
                    ty,
                    start,
                    |this, place| this.assign_value(place, then),
                    |this, place| this.assign_value(place, otherwise),
                )
            }
            Kind::Elvis(condition, otherwise) => {
                let value = self.value(condition);
                let kept = self.keep(value);
                let test = self.truth(kept.clone());
                let kept = self.converted(kept, ty);
                if self.is_pure(otherwise) {
                    let otherwise = self.value(otherwise);
                    return new(ValueKind::Conditional(
                        Box::new(test),
                        Box::new(kept),
                        Box::new(otherwise),
                    ));
                }
                self.unsupported("`?:` with side effects on its right", start);
                nothing(ty, start)
            }
            Kind::Convert(inner) => self.conversion(expr, inner),
            Kind::Assign(place, value) => {
                let place = self.assignment(place, value);
                if self.is_unmodelled(ty) { nothing(ty, start) } else { Value::load(place, start) }
            }
            Kind::Update { .. } => self.update(expr, true),
            Kind::Call(callee, args, _) => self.call(callee, args, expr, None),
            Kind::Comma(left, right) => {
                self.effect(left);
                self.value(right)
            }
            Kind::Block(stmts) => self.block_value(stmts, ty, start),
            Kind::Unsupported(what) => {
                self.unsupported(what.clone(), start);
                nothing(ty, start)
            }
        }
    }

    /// The value that is in a place; any, if something else may change it.
    pub(super) fn read(&mut self, place: Place, start: usize) -> Value {
        if !self.program.types.is_qualified(place.ty, Qualifier::Volatile) {
            return Value::load(place, start);
        }
        self.flat.volatile.get_or_insert(start);
        let any = self.any_value(place.ty, start);
        if !self.is_bit_field(&place) {
            return any;
        }
        // Its type has more values than its bits.
        self.assign(place.clone(), any);
        Value::load(place, start)
    }

    fn is_bit_field(&self, place: &Place) -> bool {
        let types = &self.program.types;
        let (Some(Step::Member(last)), Some(mut ty)) =
            (place.path.last(), self.type_of_root(&place.root))
        else {
            return false;
        };
        for step in &place.path[..place.path.len() - 1] {
            let part = match step {
                Step::Member(i) => types.members(ty).and_then(|all| Some(all.get(*i)?.ty)),
                Step::Index(_) => types.element(ty),
            };
            let Some(part) = part else { return false };
            ty = part;
        }
        let member = types.members(ty).and_then(|all| all.get(*last));
        member.is_some_and(|member| member.bits.is_some())
    }

    fn type_of_root(&self, root: &Root) -> Option<TypeId> {
        match root {
            Root::Object(object) => Some(self.flat.objects[object.0 as usize].ty),
            Root::Pointer(pointer) => self.program.types.pointee(pointer.ty),
        }
    }

    /// The value of something that is tested.
    fn condition(&mut self, expr: &Expr) -> Value {
        let value = self.value(expr);
        match self.is_unmodelled(expr.ty) {
            true => self.approximated_truth(expr.start),
            false => self.truth(value),
        }
    }

    fn block_value(&mut self, stmts: &[crate::c::ir::Stmt], ty: TypeId, start: usize) -> Value {
        match stmts.split_last() {
            Some((last, rest)) => {
                self.statements(rest);
                match &last.kind {
                    StmtKind::Expr(value) => self.value(value),
                    _ => {
                        self.statement(last);
                        nothing(ty, start)
                    }
                }
            }
            None => nothing(ty, start),
        }
    }

    /// Two operands, in any order that makes a difference.
    fn pair(&mut self, left: &Expr, right: &Expr) -> (Value, Value) {
        let mut values = self.operands(&[left, right]).into_iter();
        let mut next = |expr: &Expr| values.next().unwrap_or(nothing(expr.ty, expr.start));
        (next(left), next(right))
    }

    /// Keeps a value in a variable.
    pub(super) fn keep(&mut self, value: Value) -> Value {
        if !value.has_loads() || self.is_unmodelled(value.ty) {
            return value;
        }
        if let ValueKind::Load(Place { root: Root::Object(object), path, .. }) = &value.kind
            && path.is_empty()
            && self.kept.contains(object)
        {
            return value;
        }
        let start = value.start;
        let place = self.room_for_kept(value.ty, start);
        self.assign(place.clone(), value);
        Value::load(place, start)
    }

    /// A variable for a value that is needed later in the statement.
    pub(super) fn room_for_kept(&mut self, ty: TypeId, start: usize) -> Place {
        let n_kept = self.n_kept.entry((start, ty)).or_default();
        *n_kept += 1;
        let role = Role::Kept(*n_kept);
        let place = self.role(role, ty, start);
        if let Root::Object(object) = place.root {
            self.kept.insert(object);
        }
        place
    }

    #[expect(clippy::unused_self, reason = "it reads like its siblings")]
    pub(super) fn converted(&self, value: Value, ty: TypeId) -> Value {
        let start = value.start;
        if value.ty == ty {
            value
        } else {
            Value::new(ValueKind::Convert(Box::new(value)), ty, start)
        }
    }

    fn conversion(&mut self, expr: &Expr, inner: &Expr) -> Value {
        let (ty, start) = (expr.ty, expr.start);
        if matches!(self.program.types.get(ty), Type::Void) {
            self.effect(inner);
            return nothing(ty, start);
        }
        if let Some(value) = self.allocated(expr, inner) {
            return self.converted(value, ty);
        }
        let value = self.value(inner);
        let is_bool = self.program.types.as_int(ty).is_some_and(crate::c::types::IntType::is_bool);
        match (self.is_unmodelled(inner.ty), self.is_unmodelled(ty)) {
            (_, true) => {
                self.discard(&[value]);
                nothing(ty, start)
            }
            (true, false) => self.approximated(ty, start),
            _ if is_bool => self.converted(self.truth(value), ty),
            _ if is_address_taken_as_number(expr, inner, &self.program.types) => {
                self.address_as_number(value, ty, start)
            }
            _ => self.converted(value, ty),
        }
    }

    /// The address of something as a number: any number, and zero for the null pointer.
    fn address_as_number(&mut self, value: Value, ty: TypeId, start: usize) -> Value {
        if value.as_int().is_some() {
            return self.converted(value, ty);
        }
        let place = self.role(Role::Choice, ty, start);
        self.flat.numbers.push((place.clone(), value.clone()));
        self.ops.push(Op::Havoc { place: place.clone(), is_external: true });
        self.ops.push(Op::Approximate("an address is used as a number".into()));
        let (is_set, number) = (self.truth(value), Value::load(place, start));
        let zero = Box::new(Value::int(0, ty, start));
        Value::new(ValueKind::Conditional(Box::new(is_set), Box::new(number), zero), ty, start)
    }

    fn function_address(&mut self, function: u32, ty: TypeId, start: usize) -> Value {
        let definition = &self.program.functions[function as usize];
        if let (Some(attribute), None) = (definition.attribute, &definition.body) {
            self.unsupported(unmodelled(attribute), start);
        }
        Value::new(ValueKind::Function(function), ty, start)
    }

    fn address(&mut self, expr: &Expr, place: &Expr) -> Value {
        let (ty, start) = (expr.ty, expr.start);
        match &place.kind {
            Kind::Function(function) => self.function_address(*function, ty, start),
            _ => {
                let mut target = self.place(place);
                if matches!(expr.kind, Kind::Decay(_)) {
                    let long = self.program.types.long(true);
                    let long = self.program.types.find_int(long).unwrap_or(self.int_type());
                    let element = self.program.types.element(target.ty).unwrap_or(target.ty);
                    target = target.step(Step::Index(Value::int(0, long, start)), element);
                }
                Value::new(ValueKind::Address(target), ty, start)
            }
        }
    }

    /// The place that an expression names.
    pub(super) fn place(&mut self, expr: &Expr) -> Place {
        let (ty, start) = (expr.ty, expr.start);
        match &expr.kind {
            Kind::Var(var) => self.var(*var),
            Kind::Deref(pointer) => {
                let pointer = self.value(pointer);
                match pointer.kind {
                    ValueKind::Address(place) if place.ty == ty => place,
                    _ => Place { root: Root::Pointer(Box::new(pointer)), path: Vec::new(), ty },
                }
            }
            Kind::Member(record, index) => self.place(record).step(Step::Member(*index), ty),
            Kind::Index(array, index) => {
                self.check_order(&[Operand::Place(array), Operand::Value(index)], start);
                let mut array = self.place(array);
                if !self.is_pure(index) {
                    array = self.keep_place(array);
                }
                let index = self.value(index);
                array.step(Step::Index(index), ty)
            }
            Kind::Literal(var, init) => {
                let place = self.var(*var);
                self.declare(*var, place.clone(), Some(init), start);
                place
            }
            _ => {
                // A structure that is no variable: the result of a call, an assignment, a choice.
                match self.value(expr).kind {
                    ValueKind::Load(place) => place,
                    _ => {
                        self.unsupported("a structure that is no variable", start);
                        self.role(Role::Kept(0), ty, start)
                    }
                }
            }
        }
    }
}

/// A value in place of one that does not matter.
pub(super) fn nothing(ty: TypeId, start: usize) -> Value {
    Value::int(0, ty, start)
}
