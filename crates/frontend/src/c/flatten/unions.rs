//! What an initialiser of a variable that is not static leaves open: the bits of a union beyond the parts of the member that
//! it sets. Compilers differ in whether these are zero.

use super::Flattener;
use crate::c::flat::{Op, Place, Step, Value};
use crate::c::ir::Init;
use crate::c::types::parts::is_union;
use crate::c::types::{Type, TypeId};

/// Longer arrays of unions have any elements.
const LONGEST: u64 = 2000;

/// The parts of an initialiser that are about a part of a variable, and the length of the path to that part.
#[derive(Clone)]
struct Items<'a> {
    all: Vec<&'a Init>,
    depth: usize,
}

impl<'a> Items<'a> {
    /// Whether the part gets a value as a whole.
    fn is_whole(&self) -> bool {
        self.all.iter().any(|init| init.path.len() <= self.depth)
    }

    /// The items about a part of the part.
    fn below(&self, step: u64) -> Items<'a> {
        let is_here = |init: &&Init| init.path.get(self.depth) == Some(&step);
        Items { all: self.all.iter().copied().filter(is_here).collect(), depth: self.depth + 1 }
    }

    /// The member of a union that is set: the first one, if none is named.
    fn member(&self) -> u64 {
        self.all.first().and_then(|init| init.path.get(self.depth).copied()).unwrap_or(0)
    }
}

impl Flattener<'_> {
    /// Zero, before the parts that an initialiser mentions get their values.
    pub(super) fn clear(&mut self, is_local: bool, place: &Place, init: &[Init], start: usize) {
        match is_local {
            true => {
                let items = Items { all: init.iter().collect(), depth: 0 };
                self.clear_part(place, &items, start);
            }
            false => self.ops.push(Op::Zero(place.clone())),
        }
    }

    fn clear_part(&mut self, place: &Place, items: &Items<'_>, start: usize) {
        let (types, ty) = (&self.program.types, place.ty);
        if self.is_determined(ty, items) {
            self.ops.push(Op::Zero(place.clone()));
        } else if let (false, Some(members)) = (is_union(types, ty), types.members(ty)) {
            for (i, member) in members.iter().enumerate() {
                let part = place.clone().step(Step::Member(i), member.ty);
                self.clear_part(&part, &items.below(i as u64), start);
            }
        } else {
            self.ops.push(Op::Havoc { place: place.clone(), is_external: true });
            let what = "the bits of a union that its initialiser does not set are not modelled";
            self.ops.push(Op::Approximate(what.into()));
            self.zero_parts(place, items, false, start);
        }
    }

    fn has_unions(&self, ty: TypeId) -> bool {
        let types = &self.program.types;
        match types.get(ty) {
            Type::Array(element, _) => self.has_unions(*element),
            Type::Record(_) => {
                let members = types.members(ty).unwrap_or_default();
                is_union(types, ty) || members.iter().any(|member| self.has_unions(member.ty))
            }
            _ => false,
        }
    }

    /// Whether an initialiser sets all bits of all unions.
    fn is_determined(&self, ty: TypeId, items: &Items<'_>) -> bool {
        let types = &self.program.types;
        if items.is_whole() || !self.has_unions(ty) {
            return true;
        }
        match types.get(ty) {
            Type::Array(element, Some(length)) if *length <= LONGEST => {
                (0..*length).all(|i| self.is_determined(*element, &items.below(i)))
            }
            Type::Record(_) if is_union(types, ty) => {
                types.size(ty).is_some_and(|size| self.n_set_bits(ty, items) == size * 8)
            }
            Type::Record(_) => {
                let members = types.members(ty).unwrap_or_default().iter().enumerate();
                members.fold(true, |all, (i, member)| {
                    all && self.is_determined(member.ty, &items.below(i as u64))
                })
            }
            _ => false,
        }
    }

    /// How many bits of a part have a value.
    fn n_set_bits(&self, ty: TypeId, items: &Items<'_>) -> u64 {
        let types = &self.program.types;
        let members = types.members(ty).unwrap_or_default();
        let of_member = |i: usize| match members.get(i) {
            Some(member) => match member.bits {
                Some((_, width)) => u64::from(width),
                None => self.n_set_bits(member.ty, &items.below(i as u64)),
            },
            None => 0,
        };
        match types.get(ty) {
            Type::Record(_) if is_union(types, ty) => of_member(items.member() as usize),
            Type::Record(_) => (0..members.len()).map(of_member).sum(),
            Type::Array(element, Some(length)) if self.has_unions(*element) => {
                let length = if *length > LONGEST { 0 } else { *length };
                (0..length).map(|i| self.n_set_bits(*element, &items.below(i))).sum()
            }
            Type::Array(element, Some(length)) => {
                length.saturating_mul(self.n_set_bits(*element, &items.below(0)))
            }
            _ if types.is_unmodelled(ty) => 0,
            _ => types.size(ty).unwrap_or(0) * 8,
        }
    }

    /// Zero for all parts but what is left open in unions.
    fn zero_parts(&mut self, place: &Place, items: &Items<'_>, is_in_union: bool, start: usize) {
        let types = &self.program.types;
        let ty = place.ty;
        if items.is_whole() {
            return;
        }
        if !is_in_union && !self.has_unions(ty) {
            self.ops.push(Op::Zero(place.clone()));
            return;
        }
        match types.get(ty) {
            Type::Record(_) => {
                let is_union = is_union(types, ty);
                let members = types.members(ty).unwrap_or_default();
                for (i, member) in members.iter().enumerate() {
                    if !is_union || i as u64 == items.member() {
                        let part = place.clone().step(Step::Member(i), member.ty);
                        let inner = is_in_union || is_union;
                        self.zero_parts(&part, &items.below(i as u64), inner, start);
                    }
                }
            }
            Type::Array(element, Some(length)) if *length <= LONGEST => {
                for i in 0..*length {
                    let index = Value::int(i128::from(i), self.long_type(), start);
                    let part = place.clone().step(Step::Index(index), *element);
                    self.zero_parts(&part, &items.below(i), is_in_union, start);
                }
            }
            _ if types.is_scalar(ty) && !types.is_unmodelled(ty) => {
                self.assign(place.clone(), Value::int(0, ty, start));
            }
            _ => {}
        }
    }
}
