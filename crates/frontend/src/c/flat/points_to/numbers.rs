//! Numbers in unions, where they can be read as addresses.

use super::{PointsTo, Target};
use crate::c::flat::{Op, Place};
use crate::c::types::parts::is_union;
use crate::c::types::{Type, TypeId};

impl PointsTo<'_> {
    /// Notes whether a number may be in a union, once it is known what pointers point to. Then they may point to more.
    pub(super) fn find_numbers(&mut self, ops: &[&Op]) {
        if self.has_numbers_in_unions || !self.is_any_union_mixed() {
            return;
        }
        let is_in_union = |part: &Target| match part {
            Target::Part { object, keys, .. } => self.crosses_union(*object, keys),
            _ => false,
        };
        let mut places = ops.iter().filter_map(|op| self.number_of(op));
        self.has_numbers_in_unions = places.any(|place| self.place(place).iter().any(is_in_union));
        self.changed = self.has_numbers_in_unions;
    }

    /// Whether any union has both addresses and something else.
    fn is_any_union_mixed(&self) -> bool {
        let types = 0..self.types.all.len() as u32;
        types.map(TypeId).any(|ty| is_union(self.types, ty) && self.has_pointers(ty))
    }

    /// The place that gets a number by an operation, if it matters whether that is in a union.
    fn number_of<'o>(&self, op: &'o Op) -> Option<&'o Place> {
        let place = match op {
            Op::Assign(_, value) if value.as_int() == Some(0) => return None,
            Op::Assign(place, _)
            | Op::Havoc { place, .. }
            | Op::Nondet { place: Some(place), .. } => place,
            _ => return None,
        };
        let is_number = matches!(self.types.get(place.ty), Type::Int(_) | Type::Float(_));
        is_number.then_some(place)
    }
}
