//! Bounds of objects: whether an access is inside of its object, and inside of the array that it names.
//!
//! An index beyond an array that is a part of an object may still be in the object. C leaves that undefined, and tools
//! disagree: it is outside the model. What is outside of the whole object violates the check.

use lapidary_expr::Term;

use super::Lowerer;
use super::memory::Access;
use crate::c::checks::{Check, Meaning};
use crate::c::flat::{ObjectId, Place, Value, written};
use crate::c::ir::Binary;
use crate::c::lower::arith::Number;
use crate::c::types::parts::{Key, offset_of};
use crate::c::types::{Type, TypeId};

/// How far into an object an access goes.
pub(super) struct Reach {
    /// The distance from the start of the object in bytes, where it is known.
    pub(super) offset: Option<Term>,
    /// Where indices are within their arrays; plain ones are left out.
    inside: Vec<Term>,
    /// Whether all of these are about an array that is the whole object.
    is_top: bool,
    start: usize,
}

impl Reach {
    /// Whether an index is never within its array.
    pub(super) fn is_never(&self) -> bool {
        self.inside.iter().any(|inside| inside.is_false())
    }
}

/// What is said about an index.
const INDEX: &str = "an index outside of its array";

impl Lowerer<'_> {
    /// Where an access starts.
    pub(super) fn reach(&mut self, access: &Access) -> Reach {
        let offset = self.offset_of_part(access.object, &access.keys, access.index);
        Reach { offset, inside: Vec::new(), is_top: true, start: 0 }
    }

    fn offset_of_part(&self, object: ObjectId, keys: &[Key], index: Option<Term>) -> Option<Term> {
        let whole = self.object_type(object);
        let (bytes, _) = offset_of(self.types, whole, keys)?;
        let bytes = self.word_constant(bytes);
        match index {
            None => Some(bytes),
            Some(index) => {
                let (stride, _) = self.stride(whole, keys)?;
                let distance = self.calculate(Binary::Mul, index, self.word_constant(stride));
                Some(self.calculate(Binary::Add, bytes, distance))
            }
        }
    }

    pub(super) fn add_bytes(&self, offset: Option<Term>, bytes: u64) -> Option<Term> {
        Some(self.calculate(Binary::Add, offset?, self.word_constant(bytes)))
    }

    /// An index of an array; the access has not gone into it yet, but has the type of its elements.
    pub(super) fn step(
        &mut self,
        reach: &mut Reach,
        access: &Access,
        index: Number,
        length: Number,
        start: usize,
    ) {
        reach.offset = reach.offset.and_then(|offset| {
            let size = self.word_constant(self.types.size(access.ty)?);
            let distance = self.calculate(Binary::Mul, index.term(), size);
            Some(self.calculate(Binary::Add, offset, distance))
        });
        let inside = self.is_within(index, length);
        if !inside.is_true() {
            if reach.inside.is_empty() {
                reach.start = start;
            }
            reach.is_top &= access.keys.is_empty();
            reach.inside.push(inside);
        }
    }

    fn is_within(&self, index: Number, length: Number) -> Term {
        if index.range().lo >= 0 && index.range().hi < length.range().lo {
            return true.into();
        }
        let word = self.word();
        let zero = self.numbers.constant(word, 0);
        let low = self.numbers.compare(Binary::Le, zero, index, word);
        let high = self.numbers.compare(Binary::Lt, index, length, word);
        Term::and([low, high])
    }

    /// The indices on the way to a part have to be within their arrays.
    pub(super) fn check_reach(&mut self, access: &Access, reach: &Reach, place: &Place) {
        let (flat, types) = (self.flat, self.types);
        let text = || written::place(flat, types, place);
        self.bounded(access.guard, access.object, access.ty, reach, &text);
    }

    /// An element that a pointer is moved to has to be one of the object.
    #[expect(clippy::too_many_arguments, reason = "all of them say where the pointer points")]
    pub(super) fn within(
        &mut self,
        guard: Term,
        object: ObjectId,
        keys: &[Key],
        ty: TypeId,
        index: Number,
        length: Number,
        pointer: &Value,
    ) {
        let inside = self.is_within(index, length);
        if inside.is_true() {
            return;
        }
        let offset = self.offset_of_part(object, keys, Some(index.term()));
        let is_top = keys.iter().all(|key| *key == Key::Element);
        let reach = Reach { offset, inside: vec![inside], is_top, start: pointer.start };
        let (flat, types) = (self.flat, self.types);
        let text = || written::pointed(flat, types, pointer);
        self.bounded(guard, object, ty, &reach, &text);
    }

    fn bounded(
        &mut self,
        guard: Term,
        object: ObjectId,
        ty: TypeId,
        reach: &Reach,
        text: &dyn Fn() -> String,
    ) {
        let leaves = Term::and([guard, Term::and(reach.inside.iter().copied()).not()]);
        if leaves.is_false() {
            return;
        }
        if self.checks.meaning(Check::Bounds) != Meaning::Violated {
            return self.escape(leaves, INDEX);
        }
        if reach.is_top {
            return self.check(Check::Bounds, leaves, INDEX, reach.start, text);
        }
        if let Some(is_outside) = self.is_beyond(object, ty, reach.offset) {
            let violated = Term::and([leaves, is_outside]);
            self.check(Check::Bounds, violated, INDEX, reach.start, text);
        }
        self.escape(leaves, "an index outside of its array, but inside of the object");
    }

    /// Whether a part of a type at an offset has no byte in common with its object.
    fn is_beyond(&self, object: ObjectId, ty: TypeId, offset: Option<Term>) -> Option<Term> {
        if self.flat.objects[object.index()].region.is_some() {
            return None;
        }
        let total = self.size_in_bytes(object)?;
        self.is_beyond_end(total, ty, offset?)
    }

    /// Whether a part of a type at an offset has no byte in common with something of a size.
    pub(super) fn is_beyond_end(&self, total: Term, ty: TypeId, offset: Term) -> Option<Term> {
        let word = self.word();
        let size = self.word_constant(self.types.size(ty)?);
        let number = |term| self.numbers.any(term);
        let end = number(self.calculate(Binary::Add, offset, size));
        let zero = self.numbers.constant(word, 0);
        let before = self.numbers.compare(Binary::Le, end, zero, word);
        let behind = self.numbers.compare(Binary::Le, number(total), number(offset), word);
        Some(Term::or([before, behind]))
    }

    /// The size of an object in bytes.
    fn size_in_bytes(&self, object: ObjectId) -> Option<Term> {
        let ty = self.object_type(object);
        match (self.length(object), self.types.get(ty)) {
            (Some(length), Type::Array(element, _)) => {
                let size = self.word_constant(self.types.size(*element)?);
                Some(self.calculate(Binary::Mul, length.term(), size))
            }
            (Some(_), _) => None,
            (None, _) => Some(self.word_constant(self.types.size(ty)?)),
        }
    }

    /// Whether what is at an address, moved by a number of elements, is outside of all these objects.
    pub(super) fn is_outside_of(
        &self,
        objects: &[ObjectId],
        address: Term,
        offset: Option<Number>,
        to: TypeId,
    ) -> Term {
        let Some(size) = self.types.size(to) else { return false.into() };
        let distance = match offset {
            None => self.word_constant(0),
            Some(offset) => self.calculate(Binary::Mul, offset.term(), self.word_constant(size)),
        };
        let address = self.calculate(Binary::Add, address, distance);
        Term::and(objects.iter().map(|object| {
            let start = self.at(self.layouts[object.index()].address);
            let distance = self.calculate(Binary::Sub, address, start);
            self.is_beyond(*object, to, Some(distance)).unwrap_or(false.into())
        }))
    }
}

/// Memory that is over.
impl Lowerer<'_> {
    /// What is accessed has to be there.
    pub(super) fn check_ended(&mut self, accesses: &[Access]) {
        if !self.checks.ask_memory() {
            return;
        }
        for access in accesses {
            if self.ended.contains(&access.object) {
                self.escape(access.guard, "a pointer to an object that may be over");
            }
        }
    }
}
