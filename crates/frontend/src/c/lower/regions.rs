//! Allocated memory: accesses to instances of regions, and what allocation and `free` do.
//!
//! The parts of a region are arrays that are indexed by the address of the part, less its offset in an element. So nothing is
//! divided to read and write; to which instance an address belongs is asked only where a pointer has been moved.

use lapidary_expr::{Op as TermOp, Term, Var};

use super::Lowerer;
use super::memory::Access;
use crate::c::checks::Check;
use crate::c::flat::points_to::Target;
use crate::c::flat::{ObjectId, Value, written};
use crate::c::ir::Binary;
use crate::c::lower::arith::Number;
use crate::c::lower::layout::Leaf;
use crate::c::types::parts::{Key, offset_of};

/// Why an access is outside of the model.
pub(super) const FREED: &str = "memory that was freed is used";

/// A pointer to a part of a region.
pub(super) struct Pointed {
    pub(super) object: ObjectId,
    pub(super) keys: Vec<Key>,
    /// Whether it has not been moved.
    pub(super) is_exact: bool,
    /// The number of elements that it is moved by here.
    pub(super) offset: Option<Number>,
    /// Whether it may be no pointer to any object.
    pub(super) is_unknown: bool,
    pub(super) others: Others,
}

/// What else a pointer may point to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Others {
    Nothing,
    Objects,
    /// Other parts of the same region, and perhaps other objects.
    Parts,
}

impl Lowerer<'_> {
    /// An address of the model.
    pub(super) fn at(&self, address: i128) -> Term {
        match self.numbers.is_of_bits() {
            true => Term::bv(self.types.long(false).width, address),
            false => Term::int(address),
        }
    }

    pub(super) fn plus(&self, a: Term, b: Term) -> Term {
        self.calculate(Binary::Add, a, b)
    }

    pub(super) fn minus(&self, a: Term, b: Term) -> Term {
        self.calculate(Binary::Sub, a, b)
    }

    /// `a <= b`, of addresses.
    pub(super) fn not_after(&self, a: Term, b: Term) -> Term {
        let [a, b] = [a, b].map(|term| self.numbers.any(term));
        self.numbers.compare(Binary::Le, a, b, self.types.long(false))
    }

    /// `a <= b`, of distances.
    fn at_most_signed(&self, a: Term, b: Term) -> Term {
        let [a, b] = [a, b].map(|term| self.numbers.any(term));
        self.numbers.compare(Binary::Le, a, b, self.word())
    }

    /// What remains of a distance to the first slot, divided by a power of two.
    fn remainder(&self, address: Term, by: i128) -> Term {
        let distance = self.minus(address, self.at(self.slots.first));
        let (op, by) = match self.numbers.is_of_bits() {
            true => (TermOp::BvAnd, self.at(by - 1)),
            false => (TermOp::Mod, self.at(by)),
        };
        Term::app(op, vec![distance, by]).unwrap_or(distance)
    }

    /// The start of the instance in whose slot an address is.
    pub(super) fn instance(&self, address: Term) -> Term {
        let start = self.minus(address, self.remainder(address, self.slots.size));
        self.plus(start, self.at(self.slots.before()))
    }

    /// Whether an address is in the slots of an object.
    pub(super) fn is_in_slots(&self, address: Term, object: ObjectId) -> Term {
        let first = self.layouts[object.index()].address - self.slots.before();
        let is_after = self.not_after(self.at(first), address);
        let stride = self.slots.stride();
        if self.flat.objects[object.index()].region.is_none() {
            let last = self.at(first + self.slots.size - 1);
            return Term::and([is_after, self.not_after(address, last)]);
        }
        if stride == self.slots.size {
            return is_after;
        }
        let place = self.remainder(address, stride);
        let first = first - self.slots.first;
        let last = self.at(first + self.slots.size - 1);
        Term::and([is_after, self.not_after(self.at(first), place), self.not_after(place, last)])
    }

    /// Whether an instance of an allocated object is live.
    pub(super) fn is_live(&self, object: ObjectId, instance: Term) -> Term {
        match self.layouts[object.index()].ghosts.live {
            Some(live) => of_address(live, instance).equals(self.word_constant(1)),
            None => true.into(),
        }
    }

    /// The size of an instance of a region in bytes.
    fn size_of(&self, object: ObjectId, instance: Term) -> Term {
        let region = self.flat.objects[object.index()].region;
        let bytes = region.and_then(|region| self.flat.regions[region as usize].bytes);
        match (bytes, self.layouts[object.index()].ghosts.size) {
            (None, Some(size)) => of_address(size, instance),
            _ => self.word_constant(bytes.unwrap_or(0)),
        }
    }

    /// Whether an address is in a region, and not beyond its instance; if `is_end_in`, its end counts.
    pub(super) fn is_in_instance(&self, address: Term, object: ObjectId, is_end_in: bool) -> Term {
        let instance = self.instance(address);
        let end = self.plus(instance, self.size_of(object, instance));
        let is_below = self.not_after(address, end);
        let is_inside = match is_end_in {
            true => is_below,
            false => Term::and([is_below, address.equals(end).not()]),
        };
        let is_after = self.not_after(instance, address);
        Term::and([self.is_in_slots(address, object), is_after, is_inside])
    }

    /// The access to what a pointer into a region points to.
    pub(super) fn region_part(
        &mut self,
        pointer: &Value,
        address: Term,
        pointed: &Pointed,
    ) -> Option<Access> {
        let Pointed { object, ref keys, is_exact, offset, is_unknown, others, .. } = *pointed;
        let whole = self.object_type(object);
        let (bytes, ty) = offset_of(self.types, whole, keys)?;
        let start = self.minus(address, self.word_constant(bytes));
        let instance = if is_exact { start } else { self.instance(address) };
        let mut guard: Term = true.into();
        if is_unknown {
            guard = self.is_allocated(object, keys, start, instance)?;
        } else if others != Others::Nothing {
            guard = match self.slots.stride() == self.slots.size {
                true => self.not_after(self.at(self.slots.first), address),
                false => self.is_in_slots(address, object),
            };
        }
        if others == Others::Parts {
            guard = Term::and([guard, self.is_part(address, start, pointed)?]);
        }
        let is_element = keys.last() == Some(&Key::Element);
        let mut index = start;
        if let Some(offset) = offset {
            if is_element {
                let size = self.word_constant(self.types.size(ty)?);
                let distance = self.calculate(Binary::Mul, offset.term(), size);
                index = self.plus(start, distance);
            } else {
                // A pointer to a single thing that is moved leads nowhere, unless it stays.
                let stays = offset.term().equals(self.word_constant(0));
                guard = Term::and([guard, stays]);
            }
        }
        self.check_instance(guard, pointed, pointer, instance, index)?;
        let (object, keys) = (object, keys.clone());
        Some(Access { guard, object, keys, index: Some(index), bits: None, field: None, ty })
    }

    /// An access must be to a live instance and inside it.
    fn check_instance(
        &mut self,
        guard: Term,
        pointed: &Pointed,
        pointer: &Value,
        instance: Term,
        index: Term,
    ) -> Option<()> {
        let Pointed { object, ref keys, is_exact, offset, .. } = *pointed;
        let dead = self.is_live(object, instance).not();
        let (flat, types) = (self.flat, self.types);
        let text = || written::pointed(flat, types, pointer);
        let condition = Term::and([guard, dead]);
        self.check(Check::Pointer, condition, FREED, pointer.start, text);
        let region = self.flat.objects[object.index()].region?;
        let region = self.flat.regions[region as usize];
        let element = self.types.size(region.element)?;
        let is_moved = !is_exact || offset.is_some();
        if !is_moved && region.bytes.is_some_and(|bytes| bytes >= element) {
            return Some(());
        }
        let distance = self.minus(index, instance);
        let last = match &keys[1..] {
            inner if inner.contains(&Key::Element) => {
                // The array is inside of an element, which is the only one where that is not known.
                let (stride, count) = self.stride(region.element, inner)?;
                let is_only = region.bytes == Some(element) || is_exact;
                if !is_only {
                    return None;
                }
                self.word_constant(stride * count.checked_sub(1)?)
            }
            _ => self.minus(self.size_of(object, instance), self.word_constant(element)),
        };
        let zero = self.word_constant(0);
        let inside = [self.at_most_signed(zero, distance), self.at_most_signed(distance, last)];
        let outside = Term::and(inside).not();
        let what = "an index outside of its array";
        let whole = self.object_type(object);
        let (bytes, ty) = offset_of(self.types, whole, keys)?;
        let (bytes, size) = (self.word_constant(bytes), self.size_of(object, instance));
        if let Some(is_beyond) = self.is_beyond_end(size, ty, self.plus(distance, bytes)) {
            let condition = Term::and([guard, outside, is_beyond]);
            self.check(Check::Bounds, condition, what, pointer.start, text);
        }
        self.escape(Term::and([guard, outside]), what);
        Some(())
    }

    /// Whether an address is that of a part and of no other part of its instance.
    fn is_part(&self, address: Term, start: Term, pointed: &Pointed) -> Option<Term> {
        let instance = self.instance(address);
        if pointed.is_exact {
            return Some(start.equals(instance));
        }
        if pointed.keys[1..].contains(&Key::Element) {
            return None;
        }
        let size = self.types.size(self.types.element(self.object_type(pointed.object))?)?;
        let distance = self.numbers.any(self.minus(start, instance));
        let by = self.numbers.constant(self.word(), i128::from(size));
        let quotient = self.numbers.without_wrap(Binary::Div, distance, by, self.word());
        let whole = self.calculate(Binary::Mul, quotient.term(), by.term());
        Some(whole.equals(distance.term()))
    }

    /// Whether an address that may be any is that of a part of an instance that was allocated.
    fn is_allocated(
        &mut self,
        object: ObjectId,
        keys: &[Key],
        start: Term,
        instance: Term,
    ) -> Option<Term> {
        let next = self.layouts[object.index()].ghosts.next?;
        let stride = match &keys[1..] {
            inner if inner.contains(&Key::Element) => return None,
            _ => self.types.size(self.types.element(self.object_type(object))?)?,
        };
        let is_start = self.instance(start).equals(instance);
        let distance = self.numbers.any(self.minus(start, instance));
        let by = self.numbers.constant(self.word(), i128::from(stride));
        let rest = self.numbers.without_wrap(Binary::Rem, distance, by, self.word());
        let is_aligned = rest.term().equals(self.word_constant(0));
        let is_before = self.not_after(Term::var(next), instance).not();
        let is_base = self.instance(instance).equals(instance);
        let in_slots = self.is_in_slots(start, object);
        Some(Term::and([in_slots, is_start, is_base, is_aligned, is_before]))
    }

    /// A pointer that is moved must not leave the slot of its instance: beyond are other instances.
    pub(super) fn check_move(&mut self, moved: &Value, pointer: &Value, from: Term, to: Term) {
        let is_near = |target: &Target| match target {
            Target::Part { exact, .. } => *exact,
            Target::Beside { offset, .. } => i128::from(offset.abs()) < self.slots.before(),
            _ => false,
        };
        if self.pointers.value(moved).iter().all(is_near) {
            return;
        }
        let targets = self.pointers.value(pointer);
        let (mut is_region, mut has_others) = (false, false);
        for target in targets {
            match target {
                Target::Part { object, .. }
                    if self.flat.objects[object.index()].region.is_some() =>
                {
                    is_region = true;
                }
                Target::Null => {}
                _ => has_others = true,
            }
        }
        if !is_region {
            return;
        }
        let before = self.remainder(from, self.slots.size);
        let after = self.plus(before, self.minus(to, from));
        let stays = [
            self.at_most_signed(self.word_constant(0), after),
            self.at_most_signed(after, self.at(self.slots.size - 1)),
        ];
        let first = self.at(self.slots.first);
        let is_here = if has_others { self.not_after(first, from) } else { true.into() };
        let null = self.word_constant(0);
        let is_set = from.equals(null).not();
        let leaves = Term::and([is_here, is_set, Term::and(stays).not()]);
        self.escape(leaves, "a pointer that is moved far beyond its object");
    }

    /// A pointer is read that has no value yet.
    pub(super) fn check_set(&mut self, guard: Term, leaf: &Leaf, index: Term) {
        if let Some(mark) = leaf.mark.filter(|mark| mark.initial.is_none()) {
            let is_unset = Term::var(leaf.var).select(index).equals(mark.value);
            self.escape(Term::and([guard, is_unset]), "a pointer without a value is read");
        }
    }
}

/// What a ghost says of an instance.
fn of_address(ghost: Var, instance: Term) -> Term {
    match ghost.sort() {
        lapidary_expr::Sort::Array(_) => Term::var(ghost).select(instance),
        _ => Term::var(ghost),
    }
}
