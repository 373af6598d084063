//! Places as variables: which parts of which objects a place may be, and how they are read and written.

use crate::c::types::Rank;
use lapidary_expr::{Op as TermOp, Term};

use super::Lowerer;
use crate::c::flat::{ObjectId, Place, Root, Step};
use crate::c::ir::Binary;
use crate::c::lower::arith::Number;
use crate::c::lower::layout::{LONGEST_SPLIT, Leaf};
use crate::c::types::parts::{Key, is_union};
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
    pub(super) field: Option<u32>,
    pub(super) ty: TypeId,
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
            match self.walk(start, place) {
                Some(access) if access.guard.is_false() => {}
                Some(access) => accesses.push(access),
                None => self.escape(guard, "an access that is not modelled"),
            }
        }
        accesses
    }

    fn walk(&mut self, mut access: Access, place: &Place) -> Option<Access> {
        let mut reach = self.reach(&access);
        for step in &place.path {
            let ty = access.ty;
            match step {
                Step::Member(i) => {
                    let member = self.types.members(ty)?.get(*i)?.clone();
                    reach.offset = self.add_bytes(reach.offset, member.offset);
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
                        reach.offset = None;
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
                        let number = self.numbers.constant(self.word(), constant);
                        let end = self.numbers.constant(self.word(), i128::from(length?));
                        self.step(&mut reach, &access, number, end, index.start);
                        if reach.is_never() {
                            break;
                        }
                        access.keys.push(Key::Member(u32::try_from(constant).ok()?));
                        continue;
                    }
                    let number = self.number(index);
                    let number = self.as_word(number, index.ty)?;
                    let end = match self.length(access.object).filter(|_| access.keys.is_empty()) {
                        Some(length) => length,
                        None => self.numbers.constant(self.word(), i128::from(length?)),
                    };
                    self.step(&mut reach, &access, number, end, index.start);
                    let is_region = self.flat.objects[access.object.index()].region.is_some();
                    access.index = Some(match access.index {
                        None => number.term(),
                        Some(start) if is_region => {
                            let size = self.word_constant(self.types.size(element)?);
                            let distance = self.calculate(Binary::Mul, number.term(), size);
                            self.calculate(Binary::Add, start, distance)
                        }
                        Some(outer) => {
                            let length = self.word_constant(length?);
                            let outer = self.calculate(Binary::Mul, outer, length);
                            self.calculate(Binary::Add, outer, number.term())
                        }
                    });
                    access.keys.push(Key::Element);
                }
            }
        }
        if reach.is_never() {
            self.check_reach(&access, &reach, place);
            access.guard = false.into();
        } else {
            self.check_reach(&access, &reach, place);
        }
        Some(access)
    }

    /// The number of elements of an object that is an array of variable length.
    pub(super) fn length(&self, object: ObjectId) -> Option<Number> {
        let length = self.flat.objects[object.index()].length?;
        let leaf = self.layouts[length.index()].leaf(&[])?;
        Some(self.numbers.any(Term::var(leaf.var)))
    }

    /// Whether the array at this part of an object was split into variables.
    fn is_split(&self, object: ObjectId, keys: &[Key]) -> bool {
        let first = [keys, &[Key::Member(0)]].concat();
        self.layouts[object.index()].below(&first).next().is_some()
    }

    pub(super) fn as_word(&self, number: Number, ty: TypeId) -> Option<Number> {
        Some(self.numbers.convert(number, self.int_of(ty)?, self.word()))
    }

    pub(super) fn word_constant(&self, value: u64) -> Term {
        self.numbers.constant(self.word(), i128::from(value)).term()
    }

    /// Calculates with indices and addresses.
    pub(super) fn calculate(&self, op: Binary, a: Term, b: Term) -> Term {
        let [a, b] = [a, b].map(|term| self.numbers.any(term));
        self.numbers.without_wrap(op, a, b, self.word()).term()
    }

    /// The value of a place.
    pub(super) fn load(&mut self, place: &Place) -> Number {
        let int = self.int_of(place.ty).unwrap_or(IntType::INT);
        let accesses = self.accesses(place);
        let is_number = !matches!(self.types.get(place.ty), Type::Pointer(_));
        let mut value: Option<Number> = None;
        for access in accesses.iter().rev() {
            if is_number && self.may_be_address(access) {
                self.escape(access.guard, "an address in a union may be read as a number");
            }
            let Some(read) = self.read(access, int) else {
                self.escape(access.guard, "a part that is not modelled is read");
                continue;
            };
            value = Some(match value {
                None => read,
                Some(other) => self.numbers.choice(access.guard, read, other),
            });
        }
        value.unwrap_or_else(|| self.numbers.constant(int, 0))
    }

    /// Whether a part of a union is read where there may be an address: real addresses differ from ours.
    fn may_be_address(&self, access: &Access) -> bool {
        let leaf = self.layouts[access.object.index()].leaf(&access.keys);
        self.has_addresses_in_unions
            && leaf.is_some_and(|leaf| leaf.is_union && self.pointers.has_pointers(leaf.ty))
    }

    fn read(&mut self, access: &Access, to: IntType) -> Option<Number> {
        let leaf = self.layouts[access.object.index()].leaf(&access.keys)?.clone();
        let mut term = Term::var(leaf.var);
        if leaf.is_repeated {
            self.check_set(access.guard, &leaf, access.index?);
            term = leaf.element(term, access.index?);
            // Addresses may be outside of their range.
            if !leaf.is_union
                && !leaf.int.is_address()
                && let Some(range) = self.numbers.in_range(term, leaf.int)
            {
                self.need(range);
            }
        }
        if !leaf.is_union {
            if leaf.int.is_float() != to.is_float() && leaf.int.width != to.width {
                return None;
            }
            if leaf.int.is_float() && !to.is_float() {
                self.look_at_part(access.guard, access.object, term, leaf.int);
            }
            let number = self.numbers.of_type(term, leaf.int);
            return Some(self.numbers.convert(number, leaf.int, to));
        }
        let from = access.field.map_or(to, |width| to.narrowed(width));
        let first = u32::try_from(access.bits?).ok()?;
        let width = access.field.unwrap_or(from.width.max(8));
        let last =
            first.checked_add(width)?.checked_sub(1).filter(|last| *last < leaf.int.width)?;
        let bits = Term::app(TermOp::Extract(last, first), vec![term]).ok()?;
        let from = IntType { width, rank: from.rank.max(Rank::Char), ..from };
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
            if leaf.int.is_float() != from.is_float() && leaf.int.width != from.width {
                return None;
            }
            let number = self.numbers.convert(number, from, leaf.int).term();
            return Some(match leaf.is_repeated {
                true => leaf.with_element(current, access.index?, number),
                false => number,
            });
        }
        let old = match leaf.is_repeated {
            true => leaf.element(current, access.index?),
            false => current,
        };
        let width = access.field.unwrap_or(from.width.max(8));
        let first = u32::try_from(access.bits?).ok()?;
        let end = first.checked_add(width).filter(|end| *end <= leaf.int.width)?;
        let bits = match self.numbers.sort(from) {
            _ if from.is_float() => number.term(),
            lapidary_expr::Sort::Int => {
                Term::app(TermOp::IntToBv(width), vec![number.term()]).ok()?
            }
            _ => self
                .numbers
                .convert(number, from, IntType { width, rank: Rank::Int, ..from })
                .term(),
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
            true => leaf.with_element(current, access.index?, new),
            false => new,
        })
    }

    /// The address of a place, as a number.
    pub(super) fn address(&mut self, place: &Place) -> Number {
        let unsigned = self.types.long(false);
        let (mut term, mut ty) = match &place.root {
            Root::Object(object) => {
                let address = self.layouts[object.index()].address;
                (self.at(address), self.object_type(*object))
            }
            Root::Pointer(pointer) => {
                let to = self.types.pointee(pointer.ty).unwrap_or(place.ty);
                (self.number(pointer).term(), to)
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
                    let Some(size) = self.types.size(element) else {
                        self.escape(true.into(), "an element of an array of incomplete types");
                        break;
                    };
                    let size = self.word_constant(size);
                    let number = self.number(index);
                    let Some(number) = self.as_word(number, index.ty) else { break };
                    self.calculate(Binary::Mul, number.term(), size)
                }
            };
            term = self.calculate(Binary::Add, term, offset);
        }
        self.numbers.of_type(term, IntType::address(unsigned.width))
    }
}
