//! Comparisons of addresses whose outcome depends on where objects are in memory.
//!
//! C says where objects are only in parts. Two addresses in one object compare as their offsets do. Addresses of
//! different objects differ, but the end of one object may be the start of another, strings may share memory, and an object
//! without a size may be anywhere. Any object may be where a number says. The
//! order and the distance of addresses in different objects are undefined. In the model, all objects have fixed
//! addresses; a comparison that depends on these is outside the model.

use lapidary_expr::Term;

use super::Lowerer;
use crate::c::flat::points_to::Target;
use crate::c::flat::{ObjectId, Value};
use crate::c::ir::{Binary, CONSTANT_LITERAL, STRING};
use crate::c::lower::layout::{FIRST_ADDRESS, N_LAST_MARKS};

/// What an address may be in a comparison.
struct Side {
    address: Term,
    /// The objects that it may be in, and whether it may be at the end of each.
    objects: Vec<(ObjectId, bool)>,
    /// Whether it may be somewhere else; null does not count.
    is_elsewhere: bool,
    /// Whether it may be that of a function.
    is_function: bool,
    made: Made,
}

/// Whether an address may be one that is not of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Made {
    Never,
    /// At a distance from null.
    BesideNull,
    OfNumber,
}

impl Lowerer<'_> {
    /// A comparison of two pointers: its outcome must not depend on where objects are.
    pub(super) fn check_comparison(&mut self, op: Binary, left: &Value, right: &Value) {
        let Some([a, b]) = self.sides(left, right) else { return };
        match op {
            Binary::Eq | Binary::Ne => self.check_equality(&a, &b),
            _ => self.check_order(&a, &b, "pointers to different objects are compared"),
        }
    }

    /// The distance of two pointers.
    pub(super) fn check_distance(&mut self, left: &Value, right: &Value) {
        self.check_distance_from_null(left, right);
        if let Some([a, b]) = self.sides(left, right) {
            self.check_order(&a, &b, "the distance of pointers to different objects");
        }
    }

    /// The distance between null and something else is where that is in memory.
    fn check_distance_from_null(&mut self, left: &Value, right: &Value) {
        let may_be_null = |value: &Value| {
            let targets = self.pointers.value(value);
            targets.contains(&Target::Null) || targets.iter().any(Target::is_unknown)
        };
        if self.types.pointee(left.ty).is_none() || ![left, right].into_iter().any(may_be_null) {
            return;
        }
        let null = self.numbers.constant(self.types.long(false), 0).term();
        let [a, b] = [left, right].map(|value| self.number(value).term().equals(null));
        self.escape(a.equals(b).not(), "the distance of a null pointer from another one");
    }

    /// Both sides; none if they are no pointers, or one is null, or both are always in the same object.
    fn sides(&mut self, left: &Value, right: &Value) -> Option<[Side; 2]> {
        self.types.pointee(left.ty)?;
        self.types.pointee(right.ty)?;
        if left.as_int() == Some(0) || right.as_int() == Some(0) {
            return None;
        }
        let [mut a, mut b] = [left, right].map(|value| self.side(value));
        let first = a.objects.first().map(|(object, _)| *object);
        let is_first = |(object, _): &(ObjectId, bool)| {
            Some(*object) == first && self.flat.objects[object.index()].region.is_none()
        };
        let are_apart = !a.objects.iter().chain(&b.objects).all(is_first);
        let is_made = |side: &Side| side.made > Made::Never;
        let is_freed = |(object, _): &(ObjectId, bool)| self.flat.objects[object.index()].is_freed;
        let are_apart = are_apart || a.objects.iter().chain(&b.objects).any(is_freed);
        if !are_apart && !a.is_function && !b.is_function && !is_made(&a) && !is_made(&b) {
            return None;
        }
        a.address = self.number(left).term();
        b.address = self.number(right).term();
        Some([a, b])
    }

    /// What a side may be, without its address.
    fn side(&self, value: &Value) -> Side {
        let targets = self.pointers.value(value);
        let mut side = Side {
            address: false.into(),
            objects: Vec::new(),
            is_elsewhere: targets.is_empty(),
            is_function: false,
            made: Made::Never,
        };
        for target in targets {
            match target {
                Target::Null => {}
                Target::Unknown => side.is_elsewhere = true,
                Target::Number => (side.is_elsewhere, side.made) = (true, Made::OfNumber),
                Target::BesideNull => {
                    (side.is_elsewhere, side.made) = (true, side.made.max(Made::BesideNull));
                }
                Target::Function(_) => side.is_function = true,
                Target::Beside { object, .. } => side.objects.push((object, true)),
                Target::Part { object, exact, .. } => {
                    match side.objects.iter_mut().find(|(known, _)| *known == object) {
                        Some((_, is_moved)) => *is_moved |= !exact,
                        None => side.objects.push((object, !exact)),
                    }
                }
            }
        }
        side
    }

    /// Whether an address is in an object, or at its end.
    fn is_in(&self, address: Term, object: ObjectId) -> Term {
        if self.flat.objects[object.index()].has_slot() {
            return self.is_in_slots(address, object);
        }
        let [start, end] = self.bounds(object);
        Term::and([self.at_most(start, address), self.at_most(address, end)])
    }

    /// The first address of an object, and the first after it.
    fn bounds(&self, object: ObjectId) -> [Term; 2] {
        let start = self.layouts[object.index()].address;
        let size = self.types.size(self.object_type(object)).unwrap_or(1);
        [start, start + i128::from(size)].map(|address| self.at(address))
    }

    /// Whether an address is at the end of an object.
    fn is_end(&self, address: Term, object: ObjectId) -> Term {
        if self.flat.objects[object.index()].region.is_some() {
            let is_inside = self.is_in_instance(address, object, false);
            return Term::and([self.is_in_slots(address, object), is_inside.not()]);
        }
        address.equals(self.bounds(object)[1])
    }

    fn at_most(&self, a: Term, b: Term) -> Term {
        let unsigned = self.types.long(false);
        let [a, b] = [a, b].map(|term| self.numbers.of_type(term, unsigned));
        self.numbers.compare(Binary::Le, a, b, unsigned)
    }

    /// Whether both addresses are in one object.
    fn are_together(&self, a: &Side, b: &Side) -> Term {
        let is_common = |object: &ObjectId| b.objects.iter().any(|(other, _)| other == object);
        let common = a.objects.iter().map(|(object, _)| *object).filter(is_common);
        Term::or(common.map(|object| {
            let are_in = [self.is_in(a.address, object), self.is_in(b.address, object)];
            match self.flat.objects[object.index()].region {
                Some(_) => {
                    let [one, other] = [a, b].map(|side| self.instance(side.address));
                    Term::and(are_in.into_iter().chain([one.equals(other)]))
                }
                None => Term::and(are_in),
            }
        }))
    }

    /// Whether an address is in one of its objects and not at the end, so that no other object can be there.
    fn is_inside(&self, side: &Side) -> Term {
        if !side.objects.iter().any(|(_, is_moved)| *is_moved) {
            return true.into();
        }
        Term::or(side.objects.iter().map(|(object, is_moved)| {
            let [start, end] = self.bounds(*object);
            if !is_moved {
                return self.is_in(side.address, *object);
            }
            if self.flat.objects[object.index()].region.is_some() {
                return self.is_in_instance(side.address, *object, false);
            }
            if self.length(*object).is_some() {
                // Its end is not known.
                return false.into();
            }
            let is_end = side.address.equals(end);
            let is_start = self.at_most(start, side.address);
            Term::and([is_start, self.at_most(side.address, end), is_end.not()])
        }))
    }

    fn are_set(&self, a: &Side, b: &Side) -> Term {
        let null = self.numbers.constant(self.types.long(false), 0).term();
        Term::and([a, b].map(|side| side.address.equals(null).not()))
    }

    /// Whether an object is a string literal.
    pub(super) fn is_string(&self, object: ObjectId) -> bool {
        self.flat.objects[object.index()].name.starts_with(STRING)
    }

    /// Whether the memory of an object may be that of another one, too.
    fn may_be_shared(&self, object: ObjectId) -> bool {
        self.is_string(object) || self.flat.objects[object.index()].name.contains(CONSTANT_LITERAL)
    }

    fn check_equality(&mut self, a: &Side, b: &Side) {
        let mut strings = Vec::new();
        for (first, _) in a.objects.iter().filter(|(object, _)| self.may_be_shared(*object)) {
            for (second, _) in b.objects.iter().filter(|(object, _)| self.may_be_shared(*object)) {
                if first != second {
                    let both = [self.is_in(a.address, *first), self.is_in(b.address, *second)];
                    strings.push(Term::and(both));
                }
            }
        }
        self.escape(Term::or(strings), "addresses of different strings are compared");
        self.check_numbers(a, b);
        self.check_freed(a, b);
        self.check_empty(a, b);
        let is_moved = |side: &Side| side.objects.iter().any(|(_, is_moved)| *is_moved);
        if !is_moved(a) && !is_moved(b) {
            return;
        }
        let are_inside = match a.is_elsewhere || b.is_elsewhere {
            // Whatever is elsewhere may be any address.
            true => return self.check_ends(a, b),
            false => Term::and([self.is_inside(a), self.is_inside(b)]),
        };
        let differ = a.address.equals(b.address).not();
        let are_apart = self.are_together(a, b).not();
        let is_open = Term::and([differ, self.are_set(a, b), are_apart, are_inside.not()]);
        self.escape(is_open, AT_THE_END);
    }

    /// As above, for addresses that may also be elsewhere: only ends of known objects count.
    fn check_ends(&mut self, a: &Side, b: &Side) {
        let mut ends = Vec::new();
        for (one, other) in [(a, b), (b, a)] {
            for (object, _) in one.objects.iter().filter(|(_, is_moved)| *is_moved) {
                for (second, _) in other.objects.iter().filter(|(second, _)| second != object) {
                    let is_end = self.is_end(one.address, *object);
                    ends.push(Term::and([is_end, self.is_in(other.address, *second)]));
                }
            }
        }
        self.escape(Term::or(ends), AT_THE_END);
    }

    /// Other memory may be where something was that has been freed.
    fn check_freed(&mut self, a: &Side, b: &Side) {
        let mut dead = Vec::new();
        for (one, other) in [(a, b), (b, a)] {
            for (object, _) in &one.objects {
                if !self.flat.objects[object.index()].is_freed {
                    continue;
                }
                let is_region = self.flat.objects[object.index()].region.is_some();
                let instance = match is_region {
                    true => self.instance(one.address),
                    false => one.address,
                };
                let is_dead = self.is_live(*object, instance).not();
                let is_here = self.is_in(one.address, *object);
                let differ = one.address.equals(other.address).not();
                dead.push(Term::and([is_here, is_dead, differ, self.are_set(one, other)]));
            }
        }
        self.escape(Term::or(dead), "an address of freed memory is compared");
    }

    fn check_order(&mut self, a: &Side, b: &Side, what: &str) {
        self.check_numbers(a, b);
        let are_apart = match a.is_elsewhere || b.is_elsewhere {
            true => {
                let is_known = |side: &Side| {
                    let objects = side.objects.iter();
                    Term::or(objects.map(|(object, _)| self.is_in(side.address, *object)))
                };
                Term::and([is_known(a), is_known(b), self.are_together(a, b).not()])
            }
            false => Term::and([self.are_set(a, b), self.are_together(a, b).not()]),
        };
        self.escape(are_apart, what);
    }
}

/// Addresses that are made of numbers, and objects without a size.
impl Lowerer<'_> {
    /// Any object may be where a number says. Small numbers and the last ones are marks, and the addresses of nothing.
    fn check_numbers(&mut self, a: &Side, b: &Side) {
        for (made, other) in [(a, b), (b, a)] {
            let is_of_program = other.is_function || !other.objects.is_empty();
            if !is_of_program || made.made == Made::Never {
                continue;
            }
            let unsigned = self.types.long(false);
            let last = unsigned.greatest() - i128::from(N_LAST_MARKS);
            let [first, last] = [i128::from(FIRST_ADDRESS), last]
                .map(|address| self.numbers.constant(unsigned, address).term());
            let is_here = match made.made {
                Made::OfNumber => false.into(),
                _ => self.is_known(made),
            };
            let is_there = match other.is_function {
                true => self.are_set(other, other),
                false => self.is_known(other),
            };
            let is_address = [self.at_most(first, made.address), self.at_most(made.address, last)];
            let is_open = is_address.into_iter().chain([is_here.not(), is_there]);
            self.escape(Term::and(is_open), "an address is compared with a number");
        }
    }

    /// Whether an address is in one of its objects.
    fn is_known(&self, side: &Side) -> Term {
        Term::or(side.objects.iter().map(|(object, _)| self.is_in(side.address, *object)))
    }

    /// An object without a size may be where another one or a function is.
    fn check_empty(&mut self, a: &Side, b: &Side) {
        let mut shared = Vec::new();
        for (one, other) in [(a, b), (b, a)] {
            for (object, _) in &one.objects {
                let is_empty = self.is_empty(*object);
                let is_here = self.is_in(one.address, *object);
                let is_there = self.is_in(other.address, *object).not();
                let is_set = self.are_set(one, other);
                shared.push(Term::and([is_empty, is_here, is_there, is_set]));
            }
        }
        self.escape(Term::or(shared), "the address of an object without a size is compared");
    }

    fn is_empty(&self, object: ObjectId) -> Term {
        if self.flat.objects[object.index()].region.is_some() {
            return false.into();
        }
        match self.length(object) {
            Some(length) => length.term().equals(self.word_constant(0)),
            None => (self.types.size(self.object_type(object)) == Some(0)).into(),
        }
    }
}

/// Why an equality of addresses is outside the model.
const AT_THE_END: &str = "the end of an object is compared with another object";
