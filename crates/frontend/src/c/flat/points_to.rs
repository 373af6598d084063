//! What pointers may point to, whatever the order in which things happen: an inclusion-based analysis over
//! the parts of objects, with all elements of an array taken as one.

mod cells;
mod numbers;
mod offsets;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use self::offsets::constant;
use crate::c::flat::unset::used_unset;
use crate::c::flat::{Edge, Flat, ObjectId, Op, Place, Root, Site, Step, Value, ValueKind};
use crate::c::types::parts::{Key, is_union};
use crate::c::types::{IntType, Type, TypeId, Types};

/// What a pointer may be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::c) enum Target {
    Null,
    /// Something that the model does not know.
    Unknown,
    /// What a number is the address of.
    Number,
    /// Something at a distance from null.
    BesideNull,
    Function(u32),
    /// A part of an object; `exact` if no index on the way is computed (all are zero).
    Part {
        object: ObjectId,
        keys: Vec<Key>,
        exact: bool,
    },
    /// At a constant distance from the start of an object or instance, and outside of it.
    Beside {
        object: ObjectId,
        offset: i64,
    },
}

impl Target {
    /// Whether it may be anything.
    pub(in crate::c) fn is_unknown(&self) -> bool {
        matches!(self, Target::Unknown | Target::Number | Target::BesideNull)
    }
}

/// A set of targets.
pub(in crate::c) type Targets = BTreeSet<Target>;

/// The answer: for each part that is a pointer, its targets.
pub(in crate::c) struct PointsTo<'a> {
    types: &'a Types,
    flat: &'a Flat,
    cells: BTreeMap<(ObjectId, Vec<Key>), Targets>,
    /// The objects that may be used before they have a value.
    unset: FxHashSet<ObjectId>,
    /// Whether a number may be in a union where it can be read as an address.
    has_numbers_in_unions: bool,
    changed: bool,
}

/// Analyses the whole program.
pub(in crate::c) fn points_to<'a>(flat: &'a Flat, types: &'a Types) -> PointsTo<'a> {
    let unset = used_unset(flat, types);
    let mut analysis = PointsTo {
        types,
        flat,
        cells: BTreeMap::new(),
        unset,
        has_numbers_in_unions: false,
        changed: true,
    };
    let ops: Vec<&Op> = flat.edges.iter().flat_map(|edge: &Edge| &edge.ops).collect();
    // Copies of a function have many operations in common.
    let mut seen: FxHashSet<&Op> = FxHashSet::default();
    let mut relevant: Vec<&Op> =
        ops.iter().copied().filter(|op| analysis.is_relevant(op) && seen.insert(*op)).collect();
    while analysis.changed {
        while std::mem::take(&mut analysis.changed) {
            for op in &relevant {
                analysis.apply(op);
            }
            relevant.retain(|op| depends_on_pointers(op));
        }
        analysis.find_numbers(&ops);
    }
    analysis
}

impl PointsTo<'_> {
    /// Whether an operation may put an address somewhere.
    fn is_relevant(&self, op: &Op) -> bool {
        match op {
            Op::Assign(place, _) | Op::Zero(place) | Op::Nondet { place: Some(place), .. } => {
                self.has_pointers(place.ty)
            }
            Op::Havoc { place, is_external } => {
                let is_used = match place.root {
                    Root::Object(object) => *is_external || self.unset.contains(&object),
                    Root::Pointer(_) => true,
                };
                is_used && self.has_pointers(place.ty)
            }
            Op::Allocate { .. } => true,
            _ => false,
        }
    }

    pub(in crate::c) fn has_pointers(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Pointer(_) => true,
            Type::Array(element, _) => self.has_pointers(*element),
            Type::Record(_) => self
                .types
                .members(ty)
                .is_some_and(|members| members.iter().any(|member| self.has_pointers(member.ty))),
            _ => false,
        }
    }

    fn apply(&mut self, op: &Op) {
        match op {
            Op::Assign(place, value) => match self.types.is_scalar(place.ty) {
                true => {
                    let targets = self.value(value);
                    self.add_to(place, &targets);
                }
                false => self.copy(place, value),
            },
            Op::Zero(place) => self.fill(place, &Target::Null),
            Op::Havoc { place, .. } | Op::Nondet { place: Some(place), .. } => {
                self.fill(place, &Target::Unknown);
            }
            Op::Allocate { site, .. } => self.allocate(self.flat.sites[*site as usize]),
            Op::Assume(..)
            | Op::Nondet { .. }
            | Op::Evaluate(_)
            | Op::Approximate(_)
            | Op::Begin
            | Op::NothingHeld
            | Op::Free { .. }
            | Op::Outside { .. } => {}
        }
    }

    /// A new instance, in which no pointer is used before it has a value.
    fn allocate(&mut self, site: Site) {
        let ty = self.flat.objects[site.object.index()].ty;
        let keys = match self.types.get(ty) {
            Type::Array(..) => vec![Key::Element],
            _ => Vec::new(),
        };
        let part = Target::Part { object: site.object, keys, exact: true };
        self.add((site.latest, Vec::new()), &Targets::from([part]));
        if site.is_zeroed {
            for cell in self.pointers_below(ty, Vec::new()) {
                self.add((site.object, cell), &Targets::from([Target::Null]));
            }
        }
    }

    fn add(&mut self, cell: (ObjectId, Vec<Key>), targets: &Targets) {
        let known = self.cells.entry(cell).or_default();
        let before = known.len();
        known.extend(targets.iter().cloned());
        self.changed |= known.len() > before;
    }

    fn add_to(&mut self, place: &Place, targets: &Targets) {
        for target in self.place(place) {
            if let Target::Part { object, keys, .. } = target {
                self.add((object, keys), targets);
            }
        }
    }

    /// Adds a target to all pointers in a place.
    fn fill(&mut self, place: &Place, target: &Target) {
        let targets = Targets::from([target.clone()]);
        for part in self.place(place) {
            if let Target::Part { object, keys, .. } = part {
                for cell in self.pointers_below(place.ty, keys) {
                    self.add((object, cell), &targets);
                }
            }
        }
    }

    /// A structure is copied part by part.
    fn copy(&mut self, place: &Place, value: &Value) {
        let ValueKind::Load(source) = &value.kind else { return };
        let cells = self.pointers_below(place.ty, Vec::new());
        for from in self.place(source) {
            for to in self.place(place) {
                let (
                    Target::Part { object, keys, .. },
                    Target::Part { object: into, keys: below, .. },
                ) = (&from, &to)
                else {
                    continue;
                };
                for cell in &cells {
                    let from = (*object, [&keys[..], cell].concat());
                    let targets = self.cells.get(&from).cloned().unwrap_or_default();
                    self.add((*into, [&below[..], cell].concat()), &targets);
                }
            }
        }
    }

    /// The paths to the pointers in a type, after `prefix`.
    fn pointers_below(&self, ty: TypeId, prefix: Vec<Key>) -> Vec<Vec<Key>> {
        match self.types.get(ty) {
            Type::Pointer(_) => vec![prefix],
            Type::Array(element, _) => {
                self.pointers_below(*element, [&prefix[..], &[Key::Element]].concat())
            }
            Type::Record(_) if !is_union(self.types, ty) => {
                let members = self.types.members(ty).unwrap_or_default().iter().enumerate();
                let part = |i: usize| [&prefix[..], &[Key::Member(i as u32)]].concat();
                members.flat_map(|(i, member)| self.pointers_below(member.ty, part(i))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What a pointer may be.
    pub(in crate::c) fn value(&self, value: &Value) -> Targets {
        match &value.kind {
            ValueKind::Int(0) => Targets::from([Target::Null]),
            ValueKind::Function(function) => Targets::from([Target::Function(*function)]),
            ValueKind::Address(place) => self.place(place),
            ValueKind::Load(place) => {
                let mut targets = Targets::new();
                for part in self.place(place) {
                    match part {
                        Target::Part { object, keys, .. } => {
                            let inside = self.crosses_union(object, &keys);
                            let cell = self.cells.get(&(object, keys));
                            targets.extend(cell.into_iter().flatten().cloned());
                            if inside {
                                targets.insert(Target::Unknown);
                            }
                            if inside && self.has_numbers_in_unions {
                                targets.insert(Target::Number);
                            }
                        }
                        Target::Unknown
                        | Target::Number
                        | Target::BesideNull
                        | Target::Beside { .. } => {
                            targets.insert(Target::Unknown);
                        }
                        Target::Null | Target::Function(_) => {}
                    }
                }
                targets
            }
            ValueKind::Move(pointer, by) if by.as_int() == Some(0) => self.value(pointer),
            ValueKind::Move(pointer, steps) => {
                let to = self.types.pointee(pointer.ty);
                let by = to.and_then(|to| self.types.size(to)).unwrap_or(0);
                let mut targets = self.value(pointer);
                leave_null(&mut targets);
                let bytes = match (by, constant(steps)) {
                    (1, Some(steps)) => i64::try_from(steps).ok(),
                    _ => None,
                };
                let moved = |target| {
                    let shifted = bytes.and_then(|bytes| self.shifted(&target, bytes));
                    shifted.unwrap_or_else(|| self.moved(target, by))
                };
                targets.into_iter().map(moved).collect()
            }
            ValueKind::Conditional(_, then, otherwise) => {
                let mut targets = self.value(then);
                targets.extend(self.value(otherwise));
                targets
            }
            ValueKind::Convert(inner) if self.types.pointee(inner.ty).is_some() => {
                self.value(inner)
            }
            ValueKind::Int(_) | ValueKind::Convert(_) => Targets::from([Target::Number]),
            _ => Targets::from([Target::Unknown]),
        }
    }

    /// What a pointer to a part may point to after a move by multiples of so many bytes: any element if the
    /// part is one. It may also leave the object, which has to be checked where it is used.
    fn moved(&self, target: Target, by: u64) -> Target {
        let Target::Part { object, keys, .. } = target else {
            return if matches!(target, Target::Beside { .. }) { Target::Unknown } else { target };
        };
        let last = keys.iter().rposition(|key| *key == Key::Element);
        let element = last.and_then(|last| {
            let whole = self.flat.objects[object.0 as usize].ty;
            let (_, ty) = crate::c::types::parts::offset_of(self.types, whole, &keys[..=last])?;
            self.types.size(ty)
        });
        match (last, element) {
            // Between two elements.
            (Some(_), None | Some(0)) => Target::Unknown,
            (Some(_), Some(size)) if !by.is_multiple_of(size) => Target::Unknown,
            _ => Target::Part { object, keys, exact: false },
        }
    }

    /// The parts that a place may be.
    pub(in crate::c) fn place(&self, place: &Place) -> Targets {
        match &place.root {
            Root::Object(object) => {
                let start = Target::Part { object: *object, keys: Vec::new(), exact: true };
                Targets::from([extended(start, &place.path)])
            }
            Root::Pointer(pointer) => {
                let Some(to) = self.types.pointee(pointer.ty) else {
                    return Targets::from([Target::Unknown]);
                };
                let mut targets = self.value(pointer);
                if !place.path.is_empty() {
                    leave_null(&mut targets);
                }
                let seen = |target| match target {
                    Target::Beside { .. } => self.beside(&target, to, place),
                    _ => extended(self.seen_as(&target, to), &place.path),
                };
                targets.into_iter().map(seen).collect()
            }
        }
    }

    /// The part of a target that has the type by which it is accessed; unknown if there is none.
    pub(in crate::c) fn seen_as(&self, target: &Target, to: TypeId) -> Target {
        match self.inside(target.clone(), to) {
            Target::Unknown => self.around(target, to).unwrap_or(Target::Unknown),
            inside => inside,
        }
    }

    /// The part of a type at the start of a target.
    fn inside(&self, target: Target, to: TypeId) -> Target {
        let Target::Part { object, mut keys, exact } = target else { return target };
        let whole = self.flat.objects[object.0 as usize].ty;
        let Some((_, mut ty)) = crate::c::types::parts::offset_of(self.types, whole, &keys) else {
            return Target::Unknown;
        };
        loop {
            if self.is_like(ty, to) {
                return Target::Part { object, keys, exact };
            }
            // The address of a structure or array is that of its first part.
            match self.types.get(ty) {
                Type::Array(element, Some(1..)) => {
                    keys.push(Key::Element);
                    ty = *element;
                }
                Type::Record(_) if !is_union(self.types, ty) => match self.types.members(ty) {
                    Some([first, ..]) if first.bits.is_none() => {
                        keys.push(Key::Member(0));
                        ty = first.ty;
                    }
                    _ => return Target::Unknown,
                },
                _ => return Target::Unknown,
            }
        }
    }

    /// Whether memory of one type may be read as if it had the other: the same bits.
    fn is_like(&self, a: TypeId, b: TypeId) -> bool {
        match (self.types.get(a), self.types.get(b)) {
            _ if a == b => true,
            (Type::Int(a), Type::Int(b)) => a.width == b.width && a.is_bool() == b.is_bool(),
            (Type::Pointer(_), Type::Pointer(_)) => true,
            (Type::Int(int), Type::Float(bytes)) | (Type::Float(bytes), Type::Int(int)) => {
                IntType::float(*bytes).is_some_and(|float| float.width == int.width)
            }
            _ => false,
        }
    }
}

/// Whether what an operation adds depends on what other pointers are.
fn depends_on_pointers(op: &Op) -> bool {
    match op {
        Op::Assign(place, value) => matches!(place.root, Root::Pointer(_)) || value.has_loads(),
        Op::Zero(place) | Op::Havoc { place, .. } | Op::Nondet { place: Some(place), .. } => {
            matches!(place.root, Root::Pointer(_))
        }
        Op::Assume(..)
        | Op::Nondet { .. }
        | Op::Evaluate(_)
        | Op::Approximate(_)
        | Op::Begin
        | Op::NothingHeld
        | Op::Allocate { .. }
        | Op::Free { .. }
        | Op::Outside { .. } => false,
    }
}

/// What is at a distance from null is neither null nor any object.
fn leave_null(targets: &mut Targets) {
    if targets.contains(&Target::Null) {
        targets.insert(Target::BesideNull);
    }
}

fn extended(target: Target, path: &[Step]) -> Target {
    let Target::Part { object, mut keys, mut exact } = target else { return target };
    for step in path {
        match step {
            Step::Member(i) => keys.push(Key::Member(*i as u32)),
            Step::Index(index) => {
                keys.push(Key::Element);
                exact &= index.as_int() == Some(0);
            }
        }
    }
    Target::Part { object, keys, exact }
}

#[cfg(test)]
mod tests;
