//! What the analysis says about cells: the parts of objects that hold pointers.

use std::collections::BTreeMap;

use super::{PointsTo, Target, Targets};
use crate::c::flat::ObjectId;
use crate::c::types::Type;
use crate::c::types::parts::{Key, is_union};

impl PointsTo<'_> {
    /// What all pointers may point to.
    pub(in crate::c) fn cells(&self) -> &BTreeMap<(ObjectId, Vec<Key>), Targets> {
        &self.cells
    }

    /// The objects that may hold the address of another one, with that one.
    pub(in crate::c) fn holders(&self) -> impl Iterator<Item = (ObjectId, ObjectId)> {
        self.cells.iter().flat_map(|((holder, _), targets)| {
            targets.iter().filter_map(|target| match target {
                Target::Part { object, .. } => Some((*holder, *object)),
                _ => None,
            })
        })
    }

    /// Whether an address may be in a union, where it can be read as something else.
    pub(in crate::c) fn has_addresses_in_unions(&self) -> bool {
        let is_address =
            |target: &Target| matches!(target, Target::Part { .. } | Target::Function(_));
        self.cells.iter().any(|((object, keys), targets)| {
            targets.iter().any(is_address) && self.crosses_union(*object, keys)
        })
    }

    pub(in crate::c) fn crosses_union(&self, object: ObjectId, keys: &[Key]) -> bool {
        let mut ty = self.flat.objects[object.0 as usize].ty;
        for key in keys {
            if is_union(self.types, ty) {
                return true;
            }
            ty = match (key, self.types.get(ty)) {
                (_, Type::Array(element, _)) => *element,
                (Key::Member(i), _) => {
                    match self.types.members(ty).and_then(|members| members.get(*i as usize)) {
                        Some(member) => member.ty,
                        None => return true,
                    }
                }
                (Key::Element, _) => return true,
            };
        }
        is_union(self.types, ty)
    }
}
