//! Reads through pointers of which nothing is known: they yield any value.
//!
//! Such a pointer may point to anything, so that any value is all that can be said. What is safe then is safe; an
//! execution that passes here is only an approximation of one. Where a pointer may also point to something that is known,
//! and where a read depends on a condition in its own expression, nothing is changed: such a read leaves the model if the
//! pointer points elsewhere.

use rustc_hash::FxHashMap;

use crate::c::flat::points_to::{PointsTo, Target, points_to};
use crate::c::flat::{Flat, Object, ObjectId, Op, Place, Root, Step, Value, ValueKind};
use crate::c::types::{Type, TypeId, Types};

/// Why an execution over such a read may not be one of the program.
const WHAT: &str = "a pointer whose target is not known";

/// Replaces all such reads.
pub(in crate::c) fn read_elsewhere(flat: &mut Flat, types: &Types) {
    let mut reads = Reads {
        pointers: points_to(flat, types),
        types,
        objects: FxHashMap::default(),
        added: Vec::new(),
        before: Vec::new(),
        n_done: 0,
        n_objects: flat.objects.len() as u32,
    };
    let mut changed = Vec::new();
    for (i, edge) in flat.edges.iter().enumerate() {
        let mut ops = Vec::new();
        let mut is_changed = false;
        for op in &edge.ops {
            let op = reads.operation(op);
            is_changed |= !reads.before.is_empty();
            ops.append(&mut reads.before);
            ops.push(op);
        }
        if is_changed {
            changed.push((i, ops));
        }
    }
    let added = reads.added;
    flat.objects.extend(added);
    for (i, ops) in changed {
        flat.edges[i].ops = ops;
    }
}

struct Reads<'a> {
    pointers: PointsTo<'a>,
    types: &'a Types,
    /// What stands for the value, by its type and its number among those of an operation.
    objects: FxHashMap<(TypeId, u32), ObjectId>,
    added: Vec<Object>,
    /// What has to be done before the operation.
    before: Vec<Op>,
    n_done: u32,
    /// How many objects there were.
    n_objects: u32,
}

impl Reads<'_> {
    fn operation(&mut self, op: &Op) -> Op {
        self.n_done = 0;
        match op {
            Op::Assume(value, holds) => Op::Assume(self.value(value), *holds),
            Op::Assign(place, value) => Op::Assign(self.place(place), self.value(value)),
            _ => op.clone(),
        }
    }

    fn place(&mut self, place: &Place) -> Place {
        let root = match &place.root {
            Root::Object(object) => Root::Object(*object),
            Root::Pointer(pointer) => Root::Pointer(Box::new(self.value(pointer))),
        };
        let step = |step: &Step| match step {
            Step::Member(i) => Step::Member(*i),
            Step::Index(index) => Step::Index(self.value(index)),
        };
        Place { root, path: place.path.iter().map(step).collect(), ty: place.ty }
    }

    /// A value with its unconditional reads replaced.
    fn value(&mut self, value: &Value) -> Value {
        let mut inner = |value: &Value| Box::new(self.value(value));
        let kind = match &value.kind {
            ValueKind::Int(_) | ValueKind::Function(_) => value.kind.clone(),
            ValueKind::Load(place) => return self.load(place, value),
            ValueKind::Address(place) => ValueKind::Address(self.place(place)),
            ValueKind::Unary(op, a) => ValueKind::Unary(*op, inner(a)),
            ValueKind::Binary(op, a, b) => ValueKind::Binary(*op, inner(a), inner(b)),
            ValueKind::Move(a, b) => ValueKind::Move(inner(a), inner(b)),
            ValueKind::Distance(a, b) => ValueKind::Distance(inner(a), inner(b)),
            ValueKind::And(a, b) => ValueKind::And(inner(a), b.clone()),
            ValueKind::Or(a, b) => ValueKind::Or(inner(a), b.clone()),
            ValueKind::Conditional(a, b, c) => {
                ValueKind::Conditional(inner(a), b.clone(), c.clone())
            }
            ValueKind::Convert(a) => ValueKind::Convert(inner(a)),
            ValueKind::Truth(a) => ValueKind::Truth(inner(a)),
            ValueKind::IsNegative(a) => ValueKind::IsNegative(inner(a)),
            ValueKind::Apply(function, a) => ValueKind::Apply(*function, inner(a)),
        };
        Value::new(kind, value.ty, value.start)
    }

    fn load(&mut self, place: &Place, value: &Value) -> Value {
        let is_number = matches!(self.types.get(place.ty), Type::Int(_) | Type::Pointer(_));
        let is_elsewhere =
            matches!(&place.root, Root::Pointer(pointer) if self.is_elsewhere(pointer));
        let place = self.place(place);
        let (Root::Pointer(pointer), true) = (&place.root, is_number && is_elsewhere) else {
            return Value::load(place, value.start);
        };
        let any = Place::object(self.object(place.ty), place.ty);
        // Null is not elsewhere: to read there ends the program.
        self.before.push(Op::Assume((**pointer).clone(), true));
        self.before.push(Op::Havoc { place: any.clone(), is_external: true });
        self.before.push(Op::Approximate(WHAT.into()));
        Value::load(any, value.start)
    }

    /// Whether nothing is known about what a pointer may point to.
    fn is_elsewhere(&self, pointer: &Value) -> bool {
        let Some(to) = self.types.pointee(pointer.ty) else { return false };
        let mut targets = self.pointers.value(pointer);
        targets.remove(&Target::Null);
        let is_unknown = |target: Target| self.pointers.seen_as(&target, to).is_unknown();
        !targets.is_empty() && targets.into_iter().all(is_unknown)
    }

    /// An object for the next read of an operation.
    fn object(&mut self, ty: TypeId) -> ObjectId {
        let number = self.n_done;
        self.n_done += 1;
        *self.objects.entry((ty, number)).or_insert_with(|| {
            let id = ObjectId(self.n_objects + self.added.len() as u32);
            let name = format!("elsewhere#{}", self.added.len());
            self.added.push(Object::new(name, ty));
            id
        })
    }
}
