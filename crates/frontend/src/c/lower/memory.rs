//! Places as variables: which parts of which objects a place may be, and how they are read and written.

use lapidary_expr::{Op as TermOp, Term};

use super::Lowerer;
use crate::c::arith::Number;
use crate::c::flat::{ObjectId, Place, Root, Step, Value, ValueKind};
use crate::c::ir::Binary;
use crate::c::layout::{Key, LONGEST_SPLIT, Leaf, at, is_union, offset_of};
use crate::c::points_to::Target;
use crate::c::types::{IntType, Type, TypeId};

/// A part of an object that a place may be.
#[derive(Clone, Debug)]
pub(super) struct Access {
    /// When it is this part.
    pub(super) guard: Term,
    pub(super) object: ObjectId,
    pub(super) keys: Vec<Key>,
    /// The number of the element, counted through all arrays on the way.
    pub(super) index: Option<Term>,
    /// Inside a union: the first bit.
    pub(super) bits: Option<u64>,
    /// The width of a bit-field inside a union.
    field: Option<u32>,
    ty: TypeId,
}

impl Access {
    /// Whether the index is that of a single element of a leaf.
    pub(super) fn is_element_of(&self, leaf: &Leaf) -> bool {
        let arrays = |keys: &[Key]| keys.iter().filter(|key| **key == Key::Element).count();
        arrays(&self.keys) == arrays(&leaf.keys)
    }
}

impl Lowerer<'_> {
    /// The parts that a place may be. What else it may be is an escape.
    pub(super) fn accesses(&mut self, place: &Place) -> Vec<Access> {
        let starts = match &place.root {
            Root::Object(object) => vec![Access {
                guard: true.into(),
                object: *object,
                keys: Vec::new(),
                index: None,
                bits: None,
                field: None,
                ty: self.object_type(*object),
            }],
            Root::Pointer(pointer) => self.pointed(pointer),
        };
        let mut accesses = Vec::new();
        for start in starts {
            let guard = start.guard;
            match self.walk(start, &place.path) {
                Some(access) => accesses.push(access),
                None => self.escape(guard, "an access that is not modelled"),
            }
        }
        accesses
    }

    fn walk(&mut self, mut access: Access, path: &[Step]) -> Option<Access> {
        for step in path {
            let ty = access.ty;
            match step {
                Step::Member(i) => {
                    let member = self.types.members(ty)?.get(*i)?.clone();
                    if is_union(self.types, ty) || access.bits.is_some() {
                        let first = member.offset * 8
                            + u64::from(member.bits.map_or(0, |(first, _)| first));
                        access.bits = Some(access.bits.unwrap_or(0) + first);
                        access.field = member.bits.map(|(_, width)| width);
                    } else {
                        access.keys.push(Key::Member(*i as u32));
                    }
                    access.ty = member.ty;
                }
                Step::Index(index) => {
                    let Type::Array(element, length) = *self.types.get(ty) else { return None };
                    access.ty = element;
                    if let Some(bits) = access.bits {
                        let index = u64::try_from(index.as_int()?).ok()?;
                        access.bits = Some(
                            bits.checked_add(index.checked_mul(self.types.size(element)? * 8)?)?,
                        );
                        continue;
                    }
                    let is_short = length.is_some_and(|length| length <= LONGEST_SPLIT);
                    if let Some(constant) = index.as_int().filter(|_| is_short)
                        && self.is_split(access.object, &access.keys)
                    {
                        access.keys.push(Key::Member(u32::try_from(constant).ok()?));
                        continue;
                    }
                    let number = self.number(index);
                    let number = self.as_word(number, index.ty)?;
                    if let (Some(length), true) = (length, access.index.is_none()) {
                        self.within(access.guard, number, length);
                    }
                    access.index = Some(match access.index {
                        None => number,
                        Some(outer) => {
                            let length = self.word_constant(length?);
                            let outer = self.calculate(Binary::Mul, outer, length);
                            self.calculate(Binary::Add, outer, number)
                        }
                    });
                    access.keys.push(Key::Element);
                }
            }
        }
        Some(access)
    }

    /// Whether the array at this part of an object was split into variables.
    fn is_split(&self, object: ObjectId, keys: &[Key]) -> bool {
        let first = [keys, &[Key::Member(0)]].concat();
        self.layouts[at(object)].below(&first).next().is_some()
    }

    fn as_word(&self, number: Number, ty: TypeId) -> Option<Term> {
        Some(self.numbers.convert(number, self.int_of(ty)?, self.word()).term)
    }

    fn word_constant(&self, value: u64) -> Term {
        self.numbers.constant(self.word(), i128::from(value)).term
    }

    /// Calculates with indices, which do not wrap in a program that has a meaning.
    fn calculate(&self, op: Binary, a: Term, b: Term) -> Term {
        let [a, b] = [a, b].map(|term| Number { term, range: Some((0, 0)) });
        self.numbers.binary(op, a, b, self.word()).term
    }

    /// What a pointer may point to.
    fn pointed(&mut self, pointer: &Value) -> Vec<Access> {
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
            match self.pointers.seen_as(target, to) {
                Target::Null => {}
                Target::Part { object, keys, exact } => parts.push((object, keys, exact)),
                Target::Unknown | Target::Function(_) => is_unknown = true,
            }
        }
        let address = self.number(base).term;
        let mut offset: Option<Term> = None;
        for step in moves {
            let number = self.number(step);
            let Some(number) = self.as_word(number, step.ty) else { continue };
            offset = Some(offset.map_or(number, |sum| self.calculate(Binary::Add, sum, number)));
        }
        let is_only = parts.len() == 1 && !is_unknown;
        let mut accesses = Vec::new();
        for (object, keys, exact) in parts {
            match self.part_at(address, object, keys, exact, offset) {
                Some(mut access) => {
                    if is_only {
                        access.guard = true.into();
                    }
                    accesses.push(access);
                }
                None => is_unknown = true,
            }
        }
        let null = self.numbers.constant(self.types.long(false), 0).term;
        let is_set = address.equals(null).not();
        if is_null || is_unknown {
            self.need(is_set);
        }
        if is_unknown {
            let known = Term::or(accesses.iter().map(|access| access.guard));
            self.escape(Term::and([is_set, known.not()]), "a pointer whose target is not known");
        }
        accesses
    }

    /// The part of an object that an address is, if it is in that object.
    fn part_at(
        &mut self,
        address: Term,
        object: ObjectId,
        keys: Vec<Key>,
        exact: bool,
        offset: Option<Term>,
    ) -> Option<Access> {
        let whole = self.object_type(object);
        let (bytes, ty) = offset_of(self.types, whole, &keys)?;
        let unsigned = self.types.long(false);
        let start = i128::from(self.layouts[at(object)].address + bytes);
        let start = self.numbers.constant(unsigned, start).term;
        let is_element = keys.last() == Some(&Key::Element);
        let has_elements = keys.contains(&Key::Element);
        let (guard, mut index) = match exact {
            true => {
                let zero = has_elements.then(|| self.word_constant(0));
                (address.equals(start), zero)
            }
            false if has_elements => {
                let (stride, count) = self.stride(whole, &keys)?;
                let last = self
                    .numbers
                    .constant(unsigned, i128::from(stride) * i128::from(count.checked_sub(1)?))
                    .term;
                let distance = self.numbers_sub(address, start);
                let end = self.numbers_add(start, last);
                let number = |term| Number { term, range: None };
                let least =
                    self.numbers.compare(Binary::Le, number(start), number(address), unsigned);
                let most = self.numbers.compare(Binary::Le, number(address), number(end), unsigned);
                let stride = Number {
                    term: self.numbers.constant(unsigned, i128::from(stride)).term,
                    range: Some((1, 1)),
                };
                let positive = Number { term: distance, range: Some((0, 0)) };
                let index = self.numbers.binary(Binary::Div, positive, stride, unsigned).term;
                (Term::and([least, most]), Some(index))
            }
            false => (address.equals(start), None),
        };
        if let Some(offset) = offset {
            if !is_element {
                // A pointer to a single thing that is moved leads nowhere, unless it stays.
                let stays = offset.equals(self.word_constant(0));
                let guard = Term::and([guard, stays]);
                self.need(guard.implies(stays));
                return Some(Access { guard, object, keys, index, bits: None, field: None, ty });
            }
            let moved = index.map_or(offset, |index| self.calculate(Binary::Add, index, offset));
            if let Some((_, count)) = self.stride(whole, &keys) {
                self.within(guard, moved, count);
            }
            index = Some(moved);
        }
        Some(Access { guard, object, keys, index, bits: None, field: None, ty })
    }

    fn numbers_sub(&self, a: Term, b: Term) -> Term {
        self.calculate(Binary::Sub, a, b)
    }

    fn numbers_add(&self, a: Term, b: Term) -> Term {
        self.calculate(Binary::Add, a, b)
    }

    /// The distance of elements and their number; none if several arrays on the way leave gaps.
    fn stride(&self, whole: TypeId, keys: &[Key]) -> Option<(u64, u64)> {
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

    /// The value of a place.
    pub(super) fn load(&mut self, place: &Place) -> Number {
        let int = self.int_of(place.ty).unwrap_or(IntType::INT);
        let accesses = self.accesses(place);
        let mut value: Option<Number> = None;
        for access in accesses.iter().rev() {
            let Some(read) = self.read(access, int) else {
                self.escape(access.guard, "a part that is not modelled is read");
                continue;
            };
            value = Some(match value {
                None => read,
                Some(other) => Number {
                    term: access.guard.ite(read.term, other.term),
                    range: join(read, other),
                },
            });
        }
        value.unwrap_or_else(|| self.numbers.constant(int, 0))
    }

    fn read(&mut self, access: &Access, to: IntType) -> Option<Number> {
        let leaf = self.layouts[at(access.object)].leaf(&access.keys)?.clone();
        let mut term = Term::var(leaf.var);
        if leaf.is_repeated {
            term = term.select(access.index?);
            if !leaf.is_union
                && let Some(range) = self.numbers.in_range(term, leaf.int)
            {
                self.need(range);
            }
        }
        if !leaf.is_union {
            return Some(self.numbers.convert(self.numbers.of_type(term, leaf.int), leaf.int, to));
        }
        let from = access.field.map_or(to, |width| to.narrowed(width));
        let first = u32::try_from(access.bits?).ok()?;
        let width = if from.is_bool() { 8 } else { from.width };
        let last =
            first.checked_add(width)?.checked_sub(1).filter(|last| *last < leaf.int.width)?;
        let bits = Term::app(TermOp::Extract(last, first), vec![term]).ok()?;
        let from = IntType { width, rank: from.rank.max(1), ..from };
        let number = match self.numbers.sort(from) {
            lapidary_expr::Sort::Int => {
                let op = if from.signed { TermOp::BvToSigned } else { TermOp::BvToInt };
                self.numbers.of_type(Term::app(op, vec![bits]).ok()?, from)
            }
            _ => self.numbers.of_type(bits, from),
        };
        Some(self.numbers.convert(number, from, to))
    }

    /// The new value of a leaf after storing a number in it.
    pub(super) fn stored(
        &self,
        current: Term,
        leaf: &Leaf,
        access: &Access,
        number: Number,
        from: IntType,
    ) -> Option<Term> {
        if !leaf.is_union {
            let number = self.numbers.convert(number, from, leaf.int).term;
            return Some(match leaf.is_repeated {
                true => current.store(access.index?, number),
                false => number,
            });
        }
        let old = match leaf.is_repeated {
            true => current.select(access.index?),
            false => current,
        };
        let width = access.field.unwrap_or(from.width.max(8));
        let first = u32::try_from(access.bits?).ok()?;
        let end = first.checked_add(width).filter(|end| *end <= leaf.int.width)?;
        let bits = match self.numbers.sort(from) {
            lapidary_expr::Sort::Int => {
                Term::app(TermOp::IntToBv(width), vec![number.term]).ok()?
            }
            _ => self.numbers.convert(number, from, IntType { width, rank: 3, ..from }).term,
        };
        let mut pieces = Vec::new();
        if end < leaf.int.width {
            pieces.push(Term::app(TermOp::Extract(leaf.int.width - 1, end), vec![old]).ok()?);
        }
        pieces.push(bits);
        if first > 0 {
            pieces.push(Term::app(TermOp::Extract(first - 1, 0), vec![old]).ok()?);
        }
        let new =
            if pieces.len() == 1 { pieces[0] } else { Term::app(TermOp::Concat, pieces).ok()? };
        Some(match leaf.is_repeated {
            true => current.store(access.index?, new),
            false => new,
        })
    }

    /// The address of a place, as a number.
    pub(super) fn address(&mut self, place: &Place) -> Number {
        let unsigned = self.types.long(false);
        let (mut term, mut ty) = match &place.root {
            Root::Object(object) => {
                let address = i128::from(self.layouts[at(*object)].address);
                (self.numbers.constant(unsigned, address).term, self.object_type(*object))
            }
            Root::Pointer(pointer) => {
                let to = self.types.pointee(pointer.ty).unwrap_or(place.ty);
                (self.number(pointer).term, to)
            }
        };
        for step in &place.path {
            let offset = match step {
                Step::Member(i) => {
                    let member =
                        self.types.members(ty).and_then(|members| members.get(*i)).cloned();
                    let Some(member) = member else { break };
                    ty = member.ty;
                    self.word_constant(member.offset)
                }
                Step::Index(index) => {
                    let Some(element) = self.types.element(ty) else { break };
                    ty = element;
                    let size = self.word_constant(self.types.size(element).unwrap_or(0));
                    let number = self.number(index);
                    let Some(number) = self.as_word(number, index.ty) else { break };
                    self.calculate(Binary::Mul, number, size)
                }
            };
            term = self.calculate(Binary::Add, term, offset);
        }
        self.numbers.of_type(term, unsigned)
    }
}

fn join(a: Number, b: Number) -> Option<(i128, i128)> {
    let ((a0, a1), (b0, b1)) = (a.range?, b.range?);
    Some((a0.min(b0), a1.max(b1)))
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
