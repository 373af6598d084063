//! Parts of objects: how they are named, and where they are.

use super::{Type, TypeId, Types};

/// A step to a part, whatever the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::c) enum Key {
    Member(u32),
    Element,
}

/// Whether a type is a union.
pub(in crate::c) fn is_union(types: &Types, ty: TypeId) -> bool {
    matches!(types.get(ty), Type::Record(record) if types.records[*record as usize].is_union)
}

/// The offset of a part in bytes, all indices being zero, and the size of what is repeated last.
pub(in crate::c) fn offset_of(types: &Types, ty: TypeId, keys: &[Key]) -> Option<(u64, TypeId)> {
    let (mut offset, mut ty) = (0, ty);
    for key in keys {
        match (key, types.get(ty)) {
            (Key::Member(i), Type::Array(element, _)) => {
                offset += u64::from(*i) * types.size(*element)?;
                ty = *element;
            }
            (Key::Member(i), _) => {
                let member = types.members(ty)?.get(*i as usize)?;
                offset += member.offset;
                ty = member.ty;
            }
            (Key::Element, Type::Array(element, _)) => ty = *element,
            (Key::Element, _) => return None,
        }
    }
    Some((offset, ty))
}
