//! Initial values of variables, global and local.

use super::Flattener;
use super::order::INTERLEAVED;
use crate::c::checks::Check;
use crate::c::flat::{ObjectId, Op, Place, Root, Step, Value, ValueKind};
use crate::c::flatten::effects::{Operand, Order};
use crate::c::ir::{Binary, Expr, Init, Kind, VarRef};
use crate::c::types::{Type, TypeId};

/// Longer initialisers are taken as any values.
const LONGEST_INITIALIZER: usize = 2000;

impl Flattener<'_> {
    /// A local variable comes to life: with its initial value, or with any.
    pub(super) fn declare(
        &mut self,
        var: VarRef,
        place: Place,
        init: Option<&[Init]>,
        start: usize,
    ) {
        if self.here.is_none() {
            return;
        }
        if self.program.types.is_variable(place.ty) {
            return self.unsupported("an array of arrays of variable length", start);
        }
        if let Root::Object(object) = place.root
            && let Some(length) = self.flat.objects[object.0 as usize].length
        {
            self.check_length(length, place.ty, start);
        }
        match init {
            None => self.ops.push(Op::Havoc { place, is_external: false }),
            Some(init) => self.initialize(Some(var), &place, init, start),
        }
    }

    /// The length of an array must not be negative. Of one that hardly any stack has room for, the model is only an
    /// approximation, as it would have the addresses of other objects.
    fn check_length(&mut self, length: ObjectId, longest: TypeId, start: usize) {
        let Type::Array(_, Some(most)) = *self.program.types.get(longest) else { return };
        let long = self.long_type();
        let length = Value::load(Place::object(length, long), start);
        let within = |least: Value, greatest: Value| {
            let (least, greatest) = (Box::new(least), Box::new(greatest));
            Value::new(ValueKind::Binary(Binary::Le, least, greatest), self.int_type(), start)
        };
        let is_length = within(Value::int(0, long, start), length.clone());
        let has_room = within(length, Value::int(i128::from(most), long, start));
        if let Some(here) = self.flush(start) {
            let node = self.node();
            let is_usual = Op::Assume(has_room.clone(), true);
            let usual = vec![Op::Assume(is_length.clone(), true), is_usual];
            self.add_edge(here, usual, node, start);
            let large = Op::Approximate("an array of variable length with more than 16 MB".into());
            let large = vec![Op::Assume(has_room, false), large];
            self.add_edge(here, large, node, start);
            self.ops.push(Op::Assume(is_length, false));
            self.violated(Check::Bounds, "an array of negative length", "", start);
            self.here = Some(node);
        }
    }

    /// Zero, and then what the initialiser says. That of a local variable may have side effects.
    fn initialize(&mut self, local: Option<VarRef>, place: &Place, init: &[Init], start: usize) {
        if init.len() > LONGEST_INITIALIZER {
            self.ops.push(Op::Havoc { place: place.clone(), is_external: true });
            self.ops.push(Op::Approximate("a long initialiser is not modelled".into()));
            return;
        }
        let is_whole = matches!(init, [only] if only.path.is_empty());
        if !is_whole {
            self.clear(local.is_some(), place, init, start);
        }
        let values = local.and_then(|var| self.values_in_all_orders(var, init));
        for (i, Init { path, value }) in init.iter().enumerate() {
            let Some(part) = self.part(place.clone(), path, start) else {
                return self.unsupported("an initialiser of an unknown part", start);
            };
            match &values {
                Some(values) => self.store(part, values[i].clone()),
                None => self.assign_value(part, value),
            }
        }
    }

    /// The values of an initialiser, if the order of their evaluation makes a difference.
    fn values_in_all_orders(&mut self, var: VarRef, init: &[Init]) -> Option<Vec<Value>> {
        let exprs: Vec<&Expr> = init.iter().map(|init| &init.value).collect();
        if exprs.len() < 2 || exprs.iter().all(|value| self.is_pure(value)) {
            return None;
        }
        let operands: Vec<Operand<'_>> = exprs.iter().map(|value| Operand::Value(value)).collect();
        let reads_itself =
            operands.iter().any(|operand| self.effects.reads(self.function(), *operand, var));
        match self.effects.order(self.function(), &operands) {
            Order::Any if !reads_itself => None,
            _ if reads_itself => {
                self.unsupported(INTERLEAVED, exprs[0].start);
                None
            }
            _ => Some(self.operands(&exprs)),
        }
    }

    /// The part of a place that the path of an initialiser leads to.
    fn part(&self, mut place: Place, path: &[u64], start: usize) -> Option<Place> {
        let types = &self.program.types;
        for step in path {
            let (step, ty) = match types.get(place.ty) {
                Type::Array(element, _) => {
                    let index = Value::int(i128::from(*step), self.long_type(), start);
                    (Step::Index(index), *element)
                }
                Type::Record(_) => {
                    let member = types.members(place.ty)?.get(*step as usize)?;
                    (Step::Member(*step as usize), member.ty)
                }
                _ => return None,
            };
            place = place.step(step, ty);
        }
        Some(place)
    }

    pub(super) fn long_type(&self) -> TypeId {
        let long = self.program.types.long(true);
        self.program.types.find_int(long).unwrap_or(self.int_type())
    }

    /// The global variables that are used get their values; those values may mention others.
    pub(super) fn initial_values(&mut self, start: usize) {
        let mut is_done = vec![false; self.globals.len()];
        loop {
            let used: Vec<usize> = (0..is_done.len())
                .filter(|global| self.globals[*global].is_some() && !is_done[*global])
                .collect();
            if used.is_empty() {
                break;
            }
            for global in used {
                self.initial_value(global, &mut is_done);
            }
        }
        self.flush(start);
    }

    /// The value of a global variable at the start, after those of the constants that it is computed from.
    fn initial_value(&mut self, global: usize, is_done: &mut [bool]) {
        if std::mem::replace(&mut is_done[global], true) {
            return;
        }
        let program = self.program;
        let variable = &program.globals[global];
        let mut read = Vec::new();
        variable.init.iter().for_each(|part| globals_read(&part.value, &mut read));
        for other in read {
            self.initial_value(other as usize, is_done);
        }
        let place = self.var(VarRef::Global(global as u32));
        if variable.is_extern {
            self.flat.external.extend(self.globals[global]);
            self.ops.push(Op::Havoc { place, is_external: true });
        } else {
            self.initialize(None, &place, &variable.init, variable.start);
        }
    }
}

/// The global variables that an initialiser reads.
fn globals_read(expr: &Expr, read: &mut Vec<u32>) {
    match &expr.kind {
        Kind::Var(VarRef::Global(global)) => read.push(*global),
        Kind::Address(place) | Kind::Decay(place) => match &place.kind {
            Kind::Var(_) => {}
            Kind::Member(inner, _) | Kind::Deref(inner) => globals_read(inner, read),
            Kind::Index(array, index) => {
                globals_read(array, read);
                globals_read(index, read);
            }
            _ => globals_read(place, read),
        },
        Kind::Member(a, _) | Kind::Deref(a) | Kind::Unary(_, a) | Kind::Convert(a) => {
            globals_read(a, read);
        }
        Kind::Index(a, b)
        | Kind::Binary(_, a, b)
        | Kind::Move(a, b)
        | Kind::Distance(a, b)
        | Kind::And(a, b)
        | Kind::Or(a, b)
        | Kind::Elvis(a, b)
        | Kind::Comma(a, b) => {
            globals_read(a, read);
            globals_read(b, read);
        }
        Kind::Conditional(a, b, c) => [a, b, c].iter().for_each(|part| globals_read(part, read)),
        _ => {}
    }
}
