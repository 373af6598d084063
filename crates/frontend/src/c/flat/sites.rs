//! What becomes of each place that allocates memory: one object, an object with a length, or a region of many instances.
//!
//! Memory without a type gets the largest type that it is accessed by. What is allocated once, with a constant size, is an
//! object like any variable. Regions that a pointer may both point to are one region, so that a pointer says which instance it
//! means and not which region.

use std::collections::BTreeMap;

use crate::c::flat::points_to::{PointsTo, Target, points_to};
use crate::c::flat::substitute::in_operation;
use crate::c::flat::visit::for_each_value;
use crate::c::flat::{
    Failure, Flat, Object, ObjectId, Op, Place, Region, Root, Site, Step, Value, ValueKind,
};
use crate::c::types::{Type, TypeId, Types};

/// The length of the array that stands for all instances of a region: there is no such number.
const MANY: u64 = 1 << 20;

/// Decides for all sites.
pub(in crate::c) fn resolve(flat: &mut Flat, types: &mut Types) {
    if flat.sites.is_empty() {
        return;
    }
    let unsized_sites = give_types(flat, types);
    for (site, what) in unsized_sites {
        refuse(flat, site, what);
    }
    let shapes = shapes(flat, types);
    let merged = merged(flat, types, &shapes);
    Resolver { flat, types, shapes, merged }.run();
}

/// How often, and with which size, something is allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// Once, with so many elements.
    Single(u64),
    /// Once, with a number of elements that is computed.
    Long,
    /// Any number of times; the size in bytes, if it is constant.
    Many(Option<u64>),
}

/// Gives the objects of all sites the types of their elements; returns those for which there is none.
fn give_types(flat: &mut Flat, types: &mut Types) -> Vec<(u32, &'static str)> {
    let void = types.id(Type::Void);
    let sites = flat.sites.clone();
    for site in &sites {
        let hint = site.hint.filter(|hint| is_object(types, *hint));
        flat.objects[site.object.index()].ty = hint.unwrap_or(void);
    }
    loop {
        let mut seen: BTreeMap<ObjectId, TypeId> = BTreeMap::new();
        let is_open =
            |object: &ObjectId| matches!(types.get(flat.objects[object.index()].ty), Type::Void);
        if sites.iter().any(|site| is_open(&site.object)) {
            let pointers = points_to(flat, types);
            for_each_pointer(flat, &mut |pointer| {
                let Some(to) = types.pointee(pointer.ty).filter(|to| is_object(types, *to)) else {
                    return;
                };
                for target in pointers.value(pointer) {
                    let Target::Part { object, .. } = target else { continue };
                    if is_open(&object) && sites.iter().any(|site| site.object == object) {
                        let known = seen.entry(object).or_insert(to);
                        if types.size(*known) < types.size(to) {
                            *known = to;
                        }
                    }
                }
            });
        }
        if seen.is_empty() {
            break;
        }
        for (object, ty) in seen {
            flat.objects[object.index()].ty = ty;
        }
    }
    let mut refused = Vec::new();
    let byte = types.int(crate::c::types::IntType::CHAR);
    for (i, site) in sites.iter().enumerate() {
        let object = &mut flat.objects[site.object.index()];
        if matches!(types.get(object.ty), Type::Void) {
            // Nobody looks into it.
            object.ty = byte;
        }
        let size = types.size(object.ty).unwrap_or(0);
        let bytes = bytes_of(flat, i as u32);
        if size == 0 || bytes.is_some_and(|bytes| bytes % size != 0) {
            refused.push((i as u32, "memory of a size that does not fit its type"));
        }
    }
    refused
}

/// Whether a type is one of objects with a size.
fn is_object(types: &Types, ty: TypeId) -> bool {
    let is_none = matches!(types.get(ty), Type::Void | Type::Function(_));
    !is_none && types.size(ty).is_some_and(|size| size > 0)
}

/// Visits all pointers that are followed.
fn for_each_pointer(flat: &Flat, visit: &mut dyn FnMut(&Value)) {
    let mut in_place = |place: &Place| {
        if let Root::Pointer(pointer) = &place.root {
            visit(pointer);
        }
    };
    for_each_value(flat, &mut |value| match &value.kind {
        ValueKind::Load(place) | ValueKind::Address(place) => in_place(place),
        _ => {}
    });
    for op in flat.edges.iter().flat_map(|edge| &edge.ops) {
        match op {
            Op::Assign(place, _)
            | Op::Zero(place)
            | Op::Havoc { place, .. }
            | Op::Nondet { place: Some(place), .. } => in_place(place),
            _ => {}
        }
    }
}

/// The constant number of bytes that a site allocates.
fn bytes_of(flat: &Flat, site: u32) -> Option<u64> {
    allocations(flat, site)
        .map(|(count, size)| constant_bytes(count, size))
        .reduce(|known, other| known.filter(|known| Some(*known) == other))?
}

fn constant_bytes(count: &Value, size: &Value) -> Option<u64> {
    u64::try_from(count.as_int()?.checked_mul(size.as_int()?)?).ok()
}

fn allocations(flat: &Flat, site: u32) -> impl Iterator<Item = (&Value, &Value)> {
    flat.edges.iter().flat_map(|edge| &edge.ops).filter_map(move |op| match op {
        Op::Allocate { site: here, count, size } if *here == site => Some((count, size)),
        _ => None,
    })
}

/// An allocation leaves the model.
fn refuse(flat: &mut Flat, site: u32, what: &str) {
    for edge in &mut flat.edges {
        let is_here = |op: &Op| matches!(op, Op::Allocate { site: here, .. } if *here == site);
        if let Some(at) = edge.ops.iter().position(is_here) {
            if let Op::Allocate { size, .. } = &edge.ops[at] {
                edge.start = size.start;
            }
            edge.ops.truncate(at);
            edge.target = Flat::ERROR;
            edge.failure = Some(Failure::Unsupported(what.into()));
            edge.call = None;
        }
    }
}

fn shapes(flat: &Flat, types: &Types) -> Vec<Shape> {
    let shape = |(i, site): (usize, &crate::c::flat::Site)| {
        let bytes = bytes_of(flat, i as u32);
        let size = types.size(flat.objects[site.object.index()].ty).unwrap_or(1).max(1);
        match bytes {
            _ if site.is_repeated => Shape::Many(bytes),
            // No part of it is there.
            Some(0) => Shape::Many(bytes),
            Some(bytes) => Shape::Single(bytes / size),
            None => Shape::Long,
        }
    };
    flat.sites.iter().enumerate().map(shape).collect()
}

/// For each site the first one whose region it shares.
fn merged(flat: &mut Flat, types: &mut Types, shapes: &[Shape]) -> Vec<usize> {
    let mut first: Vec<usize> = (0..shapes.len()).collect();
    if !shapes.iter().any(|shape| matches!(shape, Shape::Many(_))) {
        return first;
    }
    // As arrays, so that pointers into them can be moved.
    let elements: Vec<TypeId> =
        flat.sites.iter().map(|site| flat.objects[site.object.index()].ty).collect();
    for (site, element) in flat.sites.clone().iter().zip(&elements) {
        let many = types.id(Type::Array(*element, Some(MANY)));
        flat.objects[site.object.index()].ty = many;
    }
    let of_object: BTreeMap<ObjectId, usize> =
        flat.sites.iter().enumerate().map(|(i, site)| (site.object, i)).collect();
    let pointers = points_to(flat, types);
    let join = |first: &mut Vec<usize>, pointer: &Value, pointers: &PointsTo<'_>| {
        let mut sites = Vec::new();
        for target in pointers.value(pointer) {
            if let Target::Part { object, .. } = target {
                sites.extend(of_object.get(&object).copied());
            }
        }
        let is_region = |site: &usize| matches!(shapes[*site], Shape::Many(_));
        if sites.iter().any(is_region) {
            for pair in sites.windows(2) {
                let [a, b] = [pair[0], pair[1]].map(|site| root(first, site));
                if elements[a] == elements[b] {
                    first[a.max(b)] = a.min(b);
                }
            }
        }
    };
    for_each_pointer(flat, &mut |pointer| join(&mut first, pointer, &pointers));
    for_each_value(flat, &mut |value| {
        if types.pointee(value.ty).is_some() {
            join(&mut first, value, &pointers);
        }
    });
    drop(pointers);
    for (site, element) in flat.sites.clone().iter().zip(&elements) {
        flat.objects[site.object.index()].ty = *element;
    }
    (0..first.len()).map(|site| root(&first, site)).collect()
}

fn root(first: &[usize], mut site: usize) -> usize {
    while first[site] != site {
        site = first[site];
    }
    site
}

struct Resolver<'a> {
    flat: &'a mut Flat,
    types: &'a mut Types,
    shapes: Vec<Shape>,
    merged: Vec<usize>,
}

impl Resolver<'_> {
    fn run(&mut self) {
        for site in &self.flat.sites {
            self.flat.objects[site.object.index()].is_allocated = true;
        }
        // A region takes what shares it.
        for site in 0..self.shapes.len() {
            let root = self.merged[site];
            if let Shape::Many(_) = self.shapes[site] {
                for (other, shape) in self.shapes.iter_mut().enumerate() {
                    if self.merged[other] == root {
                        *shape = Shape::Many(bytes_of(self.flat, other as u32));
                    }
                }
            }
        }
        let mut addresses: BTreeMap<ObjectId, Place> = BTreeMap::new();
        let mut lengths: BTreeMap<u32, ObjectId> = BTreeMap::new();
        for site in 0..self.shapes.len() {
            let Some(place) = self.object(site, &mut lengths) else { continue };
            addresses.insert(self.flat.sites[site].latest, place);
        }
        self.regions();
        let change = |value: &Value| match &value.kind {
            ValueKind::Load(Place { root: Root::Object(object), path, .. }) if path.is_empty() => {
                let address = ValueKind::Address(addresses.get(object)?.clone());
                Some(Value::new(address, value.ty, value.start))
            }
            _ => None,
        };
        let mut edges = std::mem::take(&mut self.flat.edges);
        for edge in &mut edges {
            let ops = edge.ops.iter().map(|op| in_operation(op, &change));
            let mut all = Vec::with_capacity(edge.ops.len());
            for op in ops {
                self.operation(op, &mut all);
            }
            if edge.source == Flat::ENTRY && !self.flat.regions.is_empty() {
                all.insert(0, Op::Begin);
            }
            edge.ops = all;
        }
        self.flat.edges = edges;
        self.note_freed();
        for (place, value) in &mut self.flat.numbers {
            let op = in_operation(&Op::Assign(place.clone(), value.clone()), &change);
            if let Op::Assign(_, changed) = op {
                *value = changed;
            }
        }
    }

    /// Notes which objects may be freed.
    fn note_freed(&mut self) {
        let pointers = points_to(self.flat, self.types);
        let mut freed = Vec::new();
        for op in self.flat.edges.iter().flat_map(|edge| &edge.ops) {
            let Op::Free { pointer, .. } = op else { continue };
            for target in pointers.value(pointer) {
                if let Target::Part { object, .. } = target {
                    freed.push(object);
                }
            }
        }
        drop(pointers);
        for object in freed {
            let object = &mut self.flat.objects[object.index()];
            object.is_freed = object.is_allocated;
        }
    }

    /// What is allocated once: its type, and the place that its address is of.
    fn object(&mut self, site: usize, lengths: &mut BTreeMap<u32, ObjectId>) -> Option<Place> {
        let object = self.flat.sites[site].object;
        let element = self.flat.objects[object.index()].ty;
        let long = self.types.long(true);
        let long = self.types.int(long);
        let whole = match self.shapes[site] {
            Shape::Single(1) => element,
            Shape::Single(number) => self.types.id(Type::Array(element, Some(number))),
            Shape::Long => {
                let name = format!("{}.length", self.flat.objects[object.index()].name);
                self.flat.objects.push(Object::new(name, long));
                let length = ObjectId(self.flat.objects.len() as u32 - 1);
                self.flat.objects[object.index()].length = Some(length);
                lengths.insert(site as u32, length);
                self.types.id(Type::Array(element, Some(MANY)))
            }
            Shape::Many(_) => return None,
        };
        self.flat.objects[object.index()].ty = whole;
        let place = Place::object(object, whole);
        Some(match whole == element {
            true => place,
            false => place.step(Step::Index(Value::int(0, long, 0)), element),
        })
    }

    /// Makes regions of what is allocated many times.
    fn regions(&mut self) {
        for first in 0..self.shapes.len() {
            let is_here = |site: &usize| {
                self.merged[*site] == first && matches!(self.shapes[*site], Shape::Many(_))
            };
            let sites: Vec<usize> = (0..self.shapes.len()).filter(is_here).collect();
            let Some(one) = sites.first() else { continue };
            let object = self.flat.sites[*one].object;
            let element = self.flat.objects[object.index()].ty;
            let sizes = sites.iter().map(|site| match self.shapes[*site] {
                Shape::Many(bytes) => bytes,
                _ => None,
            });
            let bytes = sizes.reduce(|a, b| a.filter(|_| a == b)).flatten();
            let is_zeroed = sites.iter().all(|site| self.flat.sites[*site].is_zeroed);
            let number = self.flat.regions.len() as u32;
            self.flat.regions.push(Region { object, element, bytes, is_zeroed });
            for site in sites {
                self.flat.sites[site].object = object;
            }
            let many = self.types.id(Type::Array(element, Some(MANY)));
            let region = &mut self.flat.objects[object.index()];
            (region.ty, region.region) = (many, Some(number));
        }
    }

    /// An allocation of something that exists once gives it any value, or zero.
    fn operation(&self, op: Op, ops: &mut Vec<Op>) {
        let Op::Allocate { site, count, size } = op else {
            ops.push(op);
            return;
        };
        let Site { object, is_zeroed, .. } = self.flat.sites[site as usize];
        ops.push(Op::Allocate { site, count, size });
        if matches!(self.shapes[site as usize], Shape::Many(_)) {
            return;
        }
        let place = Place::object(object, self.flat.objects[object.index()].ty);
        ops.push(match is_zeroed {
            true => Op::Zero(place),
            false => Op::Havoc { place, is_external: false },
        });
    }
}
