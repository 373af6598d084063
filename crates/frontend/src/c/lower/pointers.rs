//! Pointers as places: which parts of which objects they may point to, and what if they point elsewhere.

use lapidary_expr::Term;

use super::Lowerer;
use super::memory::Access;
use super::regions::{FREED, Others, Pointed};
use crate::c::checks::Check;
use crate::c::flat::points_to::Target;
use crate::c::flat::{ObjectId, Value, ValueKind, written};
use crate::c::ir::Binary;
use crate::c::lower::arith::Number;
use crate::c::types::parts::{Key, offset_of};
use crate::c::types::{Type, TypeId};

impl Lowerer<'_> {
    /// What a pointer may point to.
    pub(super) fn pointed(&mut self, pointer: &Value) -> Vec<Access> {
        let Some(to) = self.types.pointee(pointer.ty) else {
            self.escape(true.into(), "a pointer to nothing");
            return Vec::new();
        };
        let (base, moves) = moves_of(pointer);
        let targets = self.pointers.value(base);
        let is_null = targets.contains(&Target::Null);
        let mut parts = Vec::new();
        let mut is_unknown = targets.is_empty();
        for target in targets {
            match self.pointers.seen_as(&target, to) {
                Target::Null => {}
                Target::Part { object, keys, exact } => parts.push((object, keys, exact)),
                _ => is_unknown = true,
            }
        }
        let address = self.number(base).term();
        let objects: Vec<ObjectId> = parts.iter().map(|(object, ..)| *object).collect();
        let mut offset: Option<Number> = None;
        for step in moves {
            let number = self.number(step);
            let Some(number) = self.as_word(number, step.ty) else {
                is_unknown = true;
                continue;
            };
            let word = self.word();
            let sum = |sum: Number| self.numbers.without_wrap(Binary::Add, sum, number, word);
            offset = Some(offset.map_or(number, sum));
        }
        // A pointer that is not moved is one of its targets; one that is may be elsewhere.
        let is_fixed = |(_, keys, exact): &(ObjectId, Vec<Key>, bool)| {
            *exact && (offset.is_none() || keys.last() == Some(&Key::Element))
        };
        let is_fixed = !is_unknown && parts.iter().all(is_fixed);
        let is_only = parts.len() == 1 && is_fixed;
        let null = self.numbers.constant(self.types.long(false), 0).term();
        let is_set = address.equals(null).not();
        if is_null {
            let (flat, types) = (self.flat, self.types);
            let text = || written::pointed(flat, types, pointer);
            let what = "a null pointer is dereferenced";
            self.check(Check::Pointer, is_set.not(), what, pointer.start, text);
        }
        let mut accesses = Vec::new();
        for (object, keys, exact) in parts {
            if self.flat.objects[object.index()].region.is_some() {
                let others = match objects.iter().filter(|other| **other == object).count() {
                    1 if objects.len() == 1 => Others::Nothing,
                    1 => Others::Objects,
                    _ => Others::Parts,
                };
                let pointed = Pointed { object, keys, is_exact: exact, offset, is_unknown, others };
                match self.region_part(pointer, address, &pointed) {
                    Some(access) => accesses.push(access),
                    None => is_unknown = true,
                }
                continue;
            }
            let address = (!is_only).then_some(address);
            match self.part_at(pointer, address, object, keys, exact, offset) {
                Some(access) => {
                    self.check_live(&access, pointer);
                    accesses.push(access);
                }
                None => is_unknown = true,
            }
        }
        if !is_null && is_unknown && !self.checks.ask_memory() {
            // A pointer from outside the program that is used is taken to be one.
            self.need(is_set);
        }
        if is_unknown || !is_fixed {
            let known = Term::or(accesses.iter().map(|access| access.guard));
            let what = match is_unknown {
                true => "a pointer whose target is not known",
                false => "a pointer that has left what it points to",
            };
            let is_set = if is_null || is_unknown { is_set } else { true.into() };
            let is_set = if self.checks.ask_memory() && !is_null { true.into() } else { is_set };
            let is_elsewhere = Term::and([is_set, known.not()]);
            if !is_unknown {
                let is_outside = self.is_outside_of(&objects, address, offset, to);
                let (flat, types) = (self.flat, self.types);
                let text = || written::pointed(flat, types, pointer);
                let condition = Term::and([is_elsewhere, is_outside]);
                self.check(Check::Bounds, condition, what, pointer.start, text);
            }
            self.escape(is_elsewhere, what);
        }
        self.check_ended(&accesses);
        accesses
    }

    /// What was freed is not accessed.
    fn check_live(&mut self, access: &Access, pointer: &Value) {
        let dead = self.is_live(access.object, false.into()).not();
        let (flat, types) = (self.flat, self.types);
        let text = || written::pointed(flat, types, pointer);
        let condition = Term::and([access.guard, dead]);
        self.check(Check::Pointer, condition, FREED, pointer.start, text);
    }

    /// The part of an object that an address is, if it is in that object; without an address it is there.
    fn part_at(
        &mut self,
        pointer: &Value,
        address: Option<Term>,
        object: ObjectId,
        keys: Vec<Key>,
        exact: bool,
        offset: Option<Number>,
    ) -> Option<Access> {
        let whole = self.object_type(object);
        let (bytes, ty) = offset_of(self.types, whole, &keys)?;
        let unsigned = self.types.long(false);
        let start = self.at(self.layouts[object.index()].address + i128::from(bytes));
        let is_element = keys.last() == Some(&Key::Element);
        let has_elements = keys.contains(&Key::Element);
        let is_start = address.map_or(true.into(), |address| address.equals(start));
        let (guard, mut index) = match (exact, address) {
            (true, _) => (is_start, has_elements.then(|| self.word_constant(0))),
            (false, Some(address)) if has_elements => {
                let (stride, count) = self.stride(whole, &keys)?;
                let last = self.last(object, stride, count)?;
                let distance = self.numbers_sub(address, start);
                let end = self.numbers_add(start, last);
                let number = |term| self.numbers.any(term);
                let least =
                    self.numbers.compare(Binary::Le, number(start), number(address), unsigned);
                let most = self.numbers.compare(Binary::Le, number(address), number(end), unsigned);
                // Where the address is in the object, the distance is not negative.
                let stride = self.numbers.constant(unsigned, i128::from(stride));
                let distance = number(distance);
                let index = self.numbers.without_wrap(Binary::Div, distance, stride, unsigned);
                let index = index.term();
                (Term::and([least, most]), Some(index))
            }
            (false, _) => (is_start, None),
        };
        if let Some(offset) = offset {
            if !is_element {
                // A pointer to a single thing that is moved leads nowhere, unless it stays.
                let stays = offset.term().equals(self.word_constant(0));
                let guard = Term::and([guard, stays]);
                return Some(Access { guard, object, keys, index, bits: None, field: None, ty });
            }
            let add = |index| self.calculate(Binary::Add, index, offset.term());
            let moved = match (exact, index) {
                (false, Some(index)) => self.numbers.any(add(index)),
                _ => offset,
            };
            let (_, count) = self.stride(whole, &keys)?;
            let count = self.count(object, count);
            self.within(guard, object, &keys, ty, moved, count, pointer);
            index = Some(moved.term());
        } else if let (true, Some(length)) = (exact, self.length(object)) {
            // There may be no first element.
            let first = self.numbers.constant(self.word(), 0);
            self.within(guard, object, &keys, ty, first, length, pointer);
        }
        Some(Access { guard, object, keys, index, bits: None, field: None, ty })
    }

    /// The number of innermost elements of an object that has at most so many.
    fn count(&self, object: ObjectId, most: u64) -> Number {
        match (self.length(object), self.types.get(self.object_type(object))) {
            (Some(length), Type::Array(_, Some(longest @ 1..))) => {
                let inner = self.word_constant(most / longest);
                self.numbers.any(self.calculate(Binary::Mul, length.term(), inner))
            }
            _ => self.numbers.constant(self.word(), i128::from(most)),
        }
    }

    /// The distance of the last element from the first.
    fn last(&self, object: ObjectId, stride: u64, most: u64) -> Option<Term> {
        if self.length(object).is_none() {
            let distance = i128::from(stride) * i128::from(most.checked_sub(1)?);
            return Some(self.numbers.constant(self.types.long(false), distance).term());
        }
        let before = self.numbers_sub(self.count(object, most).term(), self.word_constant(1));
        Some(self.calculate(Binary::Mul, before, self.word_constant(stride)))
    }

    fn numbers_sub(&self, a: Term, b: Term) -> Term {
        self.calculate(Binary::Sub, a, b)
    }

    fn numbers_add(&self, a: Term, b: Term) -> Term {
        self.calculate(Binary::Add, a, b)
    }

    /// The distance of elements and their number; none if several arrays on the way leave gaps.
    pub(super) fn stride(&self, whole: TypeId, keys: &[Key]) -> Option<(u64, u64)> {
        let (mut ty, mut count, mut stride, mut contiguous) = (whole, 1u64, 0, true);
        for key in keys {
            match (key, self.types.get(ty)) {
                (Key::Element, Type::Array(element, length)) => {
                    if !contiguous {
                        return None;
                    }
                    count = count.checked_mul((*length)?)?;
                    stride = self.types.size(*element)?;
                    ty = *element;
                }
                (Key::Member(i), _) => {
                    contiguous = stride == 0;
                    ty = self.types.members(ty)?.get(*i as usize)?.ty;
                }
                (Key::Element, _) => return None,
            }
        }
        (stride > 0).then_some((stride, count))
    }
}

/// A pointer without its moves and conversions, and the moves.
fn moves_of(pointer: &Value) -> (&Value, Vec<&Value>) {
    let (mut base, mut moves) = (pointer, Vec::new());
    while let ValueKind::Move(inner, step) = &base.kind {
        moves.push(&**step);
        base = inner;
    }
    (base, moves)
}
