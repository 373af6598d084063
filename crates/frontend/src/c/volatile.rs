//! Types of what something else than the program may change.

use super::types::{Type, TypeId, Types};

impl Types {
    /// The same type for something that is `volatile`. It differs from the plain one by its number only.
    pub(super) fn volatile(&mut self, ty: TypeId) -> TypeId {
        match *self.get(ty) {
            Type::Array(element, length) => {
                let element = self.volatile(element);
                return self.id(Type::Array(element, length));
            }
            Type::Int(_) | Type::Float(_) | Type::Pointer(_) | Type::Record(_) => {}
            _ => return ty,
        }
        if self.is_volatile(ty) {
            return ty;
        }
        let next = TypeId(self.all.len() as u32);
        let Some(known) = &mut self.volatile else { return ty };
        let id = *known.entry(ty).or_insert(next);
        if id == next {
            self.all.push(self.get(ty).clone());
        }
        id
    }

    /// Whether something else may change what has this type.
    pub(super) fn is_volatile(&self, ty: TypeId) -> bool {
        self.volatile.as_ref().is_some_and(|known| known.values().any(|id| *id == ty))
    }
}
