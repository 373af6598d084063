//! Pointers that are moved by constant distances in bytes, and seen as what is around them: from a member to its structure
//! and back.

use super::{PointsTo, Target, extended};
use crate::c::flat::{ObjectId, Place, Root, Step, Value, ValueKind};
use crate::c::ir::Unary;
use crate::c::types::parts::{Key, is_union, offset_of};
use crate::c::types::{Type, TypeId};

impl PointsTo<'_> {
    /// A pointer to a part whose address is known, moved by so many bytes; none if it is moved between elements.
    pub(super) fn shifted(&self, target: &Target, bytes: i64) -> Option<Target> {
        match target {
            Target::Part { object, keys, exact: true } => {
                let whole = self.flat.objects[object.index()].ty;
                let (offset, ty) = offset_of(self.types, whole, keys)?;
                if keys.last() == Some(&Key::Element) && self.types.size(ty)? == 1 {
                    return None;
                }
                self.at(*object, i64::try_from(offset).ok()?.checked_add(bytes)?)
            }
            Target::Beside { object, offset } => self.at(*object, offset.checked_add(bytes)?),
            _ => None,
        }
    }

    /// The outermost part that starts at a distance from the start of an object, or of the first element of an array.
    fn at(&self, object: ObjectId, offset: i64) -> Option<Target> {
        let whole = self.flat.objects[object.index()].ty;
        let (mut keys, mut ty) = match self.types.get(whole) {
            Type::Array(element, _) => (vec![Key::Element], *element),
            _ => (Vec::new(), whole),
        };
        let size = i64::try_from(self.types.size(ty)?).ok()?;
        if !(0..size).contains(&offset) {
            return Some(Target::Beside { object, offset });
        }
        let mut rest = u64::try_from(offset).ok()?;
        while rest > 0 {
            if is_union(self.types, ty) {
                return None;
            }
            let mut members = self.types.members(ty)?.iter().enumerate();
            let (i, member) = members.rfind(|(_, member)| member.offset <= rest)?;
            if member.bits.is_some() {
                return None;
            }
            rest -= member.offset;
            keys.push(Key::Member(i as u32));
            ty = member.ty;
        }
        Some(Target::Part { object, keys, exact: true })
    }

    /// The part of a type that has the target as its first part.
    pub(super) fn around(&self, target: &Target, to: TypeId) -> Option<Target> {
        let Target::Part { object, keys, exact } = target else { return None };
        let whole = self.flat.objects[object.index()].ty;
        let mut keys = keys.clone();
        let (start, _) = offset_of(self.types, whole, &keys)?;
        while let Some(Key::Member(_)) = keys.last() {
            keys.pop();
            let (offset, ty) = offset_of(self.types, whole, &keys)?;
            if offset != start || !matches!(self.types.get(ty), Type::Record(_)) {
                return None;
            }
            if self.is_like(ty, to) {
                return Some(Target::Part { object: *object, keys, exact: *exact });
            }
        }
        None
    }

    /// A part of something of a type that would be beside an object: the part may be in the object.
    pub(super) fn beside(&self, target: &Target, to: TypeId, place: &Place) -> Target {
        let Root::Pointer(_) = place.root else { return Target::Unknown };
        let (mut bytes, mut ty) = (0i64, to);
        for step in &place.path {
            let Step::Member(i) = step else { return Target::Unknown };
            let member = self.types.members(ty).and_then(|members| members.get(*i));
            let Some(member) = member else { return Target::Unknown };
            let Ok(offset) = i64::try_from(member.offset) else { return Target::Unknown };
            bytes += offset;
            ty = member.ty;
        }
        match self.shifted(target, bytes) {
            Some(part @ Target::Part { .. }) => extended(self.seen_as(&part, place.ty), &[]),
            Some(beside) => beside,
            None => Target::Unknown,
        }
    }
}

/// The constant that a value is.
pub(super) fn constant(value: &Value) -> Option<i128> {
    match &value.kind {
        ValueKind::Int(value) => Some(*value),
        ValueKind::Unary(Unary::Neg, inner) => constant(inner)?.checked_neg(),
        _ => None,
    }
}
