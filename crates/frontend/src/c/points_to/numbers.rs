//! Numbers in unions, where they can be read as addresses.

use super::PointsTo;
use crate::c::flat::{Op, Place};
use crate::c::layout::is_union;
use crate::c::types::{Type, TypeId};

impl PointsTo<'_> {
    /// Whether any union has both addresses and something else.
    pub(super) fn is_any_union_mixed(&self) -> bool {
        let types = 0..self.types.all.len() as u32;
        types.map(TypeId).any(|ty| is_union(self.types, ty) && self.has_pointers(ty))
    }

    /// The place that gets a number by an operation, if it matters whether that is in a union.
    pub(super) fn number_of<'o>(&self, op: &'o Op) -> Option<&'o Place> {
        let place = match op {
            Op::Assign(_, value) if value.as_int() == Some(0) => return None,
            Op::Assign(place, _)
            | Op::Havoc { place, .. }
            | Op::Nondet { place: Some(place), .. } => place,
            _ => return None,
        };
        let is_number = matches!(self.types.get(place.ty), Type::Int(_) | Type::Float(_));
        (self.has_mixed_unions && is_number).then_some(place)
    }
}
