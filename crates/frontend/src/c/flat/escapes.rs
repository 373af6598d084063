//! Addresses that get out of the program as numbers, or by variables that are defined elsewhere: a function that is defined
//! elsewhere may write to what they are the addresses of.
//!
//! Which objects may hold a number that was made of an address is found regardless of the order in which things happen. What
//! a comparison yields is no such number. A call that is given one gets an edge to the error location that says so.

use rustc_hash::FxHashSet;

use crate::c::flat::points_to::{PointsTo, Target, points_to};
use crate::c::flat::{Failure, Flat, ObjectId, Op, Place, Root, Step, Value, ValueKind};
use crate::c::ir::{Program, STRING, Unary};
use crate::c::types::{Type, TypeId, Types};

/// Marks the calls that may write to what the model does not see them being given: executions end there.
pub(in crate::c) fn mark(flat: &mut Flat, program: &Program) {
    let is_call = |op: &Op| matches!(op, Op::Outside { .. });
    if flat.edges.iter().any(|edge| edge.ops.iter().any(is_call)) {
        for (edge, at, what) in failures(flat, program) {
            let edge = &mut flat.edges[edge];
            if let Op::Outside { start, .. } = edge.ops[at] {
                edge.start = start;
            }
            edge.ops.truncate(at);
            edge.target = Flat::ERROR;
            edge.failure = Some(Failure::Unsupported(what));
            edge.call = None;
        }
    }
    for edge in &mut flat.edges {
        edge.ops.retain(|op| !is_call(op));
    }
}

/// The first such call on each edge: the edge, the operation and what is wrong with it.
fn failures(flat: &Flat, program: &Program) -> Vec<(usize, usize, String)> {
    let escapes = Escapes::of(flat, &program.types);
    let mut failures = Vec::new();
    for (edge, ops) in flat.edges.iter().map(|edge| &edge.ops).enumerate() {
        let first = ops.iter().enumerate().find_map(|(at, op)| {
            let Op::Outside { function, given, .. } = op else { return None };
            let escapes = escapes.is_public || given.iter().any(|value| escapes.has_address(value));
            let name = &program.functions[*function as usize].name;
            let what = format!("`{name}` is not defined and may write to what it is given");
            escapes.then_some((edge, at, what))
        });
        failures.extend(first);
    }
    failures
}

/// Where addresses may be.
struct Escapes<'a> {
    flat: &'a Flat,
    types: &'a Types,
    pointers: PointsTo<'a>,
    has_addresses_in_unions: bool,
    /// The objects that may hold the number of an address.
    numbers: FxHashSet<ObjectId>,
    /// Whether a pointer may have been made of such a number.
    is_remade: bool,
    /// Whether an address is in a variable that is defined elsewhere.
    is_public: bool,
}

impl Escapes<'_> {
    /// Analyses the whole program.
    fn of<'a>(flat: &'a Flat, types: &'a Types) -> Escapes<'a> {
        let pointers = points_to(flat, types);
        let numbers = FxHashSet::default();
        let mut escapes = Escapes {
            flat,
            types,
            has_addresses_in_unions: pointers.has_addresses_in_unions(),
            pointers,
            numbers,
            is_remade: false,
            is_public: false,
        };
        for (place, address) in &flat.numbers {
            if let (Root::Object(object), true) = (&place.root, escapes.is_of_program(address)) {
                escapes.numbers.insert(*object);
            }
        }
        let ops: Vec<&Op> = flat.edges.iter().flat_map(|edge| &edge.ops).collect();
        loop {
            let before = (escapes.numbers.len(), escapes.is_remade);
            for op in &ops {
                if let Op::Assign(place, value) = op {
                    escapes.assign(place, value);
                }
            }
            if before == (escapes.numbers.len(), escapes.is_remade) {
                break;
            }
        }
        escapes
    }

    fn assign(&mut self, place: &Place, value: &Value) {
        let has_address = self.has_address(value);
        let is_pointer = self.pointers.has_pointers(place.ty);
        self.is_remade |= has_address && is_pointer;
        for object in self.objects(place) {
            let is_external = self.flat.external.contains(&object);
            self.is_public |= is_external && (has_address || is_pointer && self.points(value));
            if has_address {
                self.numbers.insert(object);
            }
        }
    }

    /// Whether a value that has pointers may have the address of something of the program.
    fn points(&self, value: &Value) -> bool {
        match self.types.is_scalar(value.ty) {
            true => self.is_of_program(value),
            false => true,
        }
    }

    /// Whether a pointer may be the address of something of the program, other than a string.
    fn is_of_program(&self, pointer: &Value) -> bool {
        self.pointers.value(pointer).iter().any(|target| match target {
            Target::Null => false,
            Target::Unknown
            | Target::Number
            | Target::BesideNull
            | Target::Beside { .. }
            | Target::Function(_) => true,
            Target::Part { object, .. } => {
                !self.flat.objects[object.0 as usize].name.starts_with(STRING)
            }
        })
    }

    /// The objects that a place may be a part of.
    fn objects(&self, place: &Place) -> Vec<ObjectId> {
        match &place.root {
            Root::Object(object) => vec![*object],
            Root::Pointer(pointer) => {
                let targets = self.pointers.value(pointer).into_iter();
                let object = |target| match target {
                    Target::Part { object, .. } => Some(object),
                    _ => None,
                };
                targets.filter_map(object).collect()
            }
        }
    }

    /// Whether a value may be a number that was made of an address, or have one in it.
    fn has_address(&self, value: &Value) -> bool {
        let is_number = |ty: TypeId| matches!(self.types.get(ty), Type::Int(_) | Type::Float(_));
        match &value.kind {
            ValueKind::Load(place) => self.is_read_from(place),
            // No number, or one bit of it.
            ValueKind::Int(_)
            | ValueKind::Function(_)
            | ValueKind::Address(_)
            | ValueKind::Truth(_)
            | ValueKind::And(..)
            | ValueKind::Or(..)
            | ValueKind::IsNegative(_)
            | ValueKind::Unary(Unary::Zero, _) => false,
            ValueKind::Binary(op, ..) if op.is_comparison() => false,
            ValueKind::Binary(_, a, b)
            | ValueKind::Move(a, b)
            | ValueKind::Conditional(_, a, b) => self.has_address(a) || self.has_address(b),
            ValueKind::Distance(a, b) => [a, b].iter().any(|pointer| {
                let targets = self.pointers.value(pointer);
                targets.contains(&Target::Null) || targets.iter().any(Target::is_unknown)
            }),
            ValueKind::Convert(inner) => {
                let is_made =
                    is_number(value.ty) && matches!(self.types.get(inner.ty), Type::Pointer(_));
                self.has_address(inner) || is_made && self.is_of_program(inner)
            }
            ValueKind::Unary(_, inner) | ValueKind::Apply(_, inner) => self.has_address(inner),
        }
    }

    /// Whether what is read at a place may be such a number, or the bytes of an address.
    fn is_read_from(&self, place: &Place) -> bool {
        let is_index = |step: &Step| matches!(step, Step::Index(index) if self.has_address(index));
        let objects = self.objects(place);
        if objects.iter().any(|object| self.numbers.contains(object))
            || place.path.iter().any(is_index)
            || self.is_address_in_a_union(place)
        {
            return true;
        }
        let Root::Pointer(pointer) = &place.root else { return false };
        let is_of_bytes = !self.pointers.has_pointers(place.ty);
        let has_pointers =
            |object: &ObjectId| self.pointers.has_pointers(self.flat.objects[object.0 as usize].ty);
        let is_elsewhere = self.pointers.place(place).iter().any(Target::is_unknown);
        is_of_bytes && is_elsewhere && objects.iter().any(has_pointers)
            || self.is_remade && self.pointers.value(pointer).iter().any(Target::is_unknown)
    }

    /// Whether what is read at a place may be the bits of an address in a union.
    fn is_address_in_a_union(&self, place: &Place) -> bool {
        if !self.has_addresses_in_unions || self.pointers.has_pointers(place.ty) {
            return false;
        }
        self.pointers.place(place).iter().any(|part| match part {
            Target::Part { object, keys, .. } => self.pointers.crosses_union(*object, keys),
            _ => false,
        })
    }
}
