//! Programs of several files: what each file has for itself, and what all have in common.
//!
//! The texts of the files stand one behind the other. Names with external linkage are those of the program; declarations that
//! conflict are errors wherever they are. Structures of different files are one type if they have the same name and the same
//! members, so that objects can go from one file to another.

use super::conflicts::Linkage;
use super::{Parser, Scope};
use crate::c::types::{Type, TypeId};

impl Parser<'_> {
    /// Begins the next file if its text is reached.
    pub(super) fn begin_unit(&mut self) {
        let is_reached = |start: &usize| *start < self.peek().start;
        if !self.pragmas.units.get(self.n_units).is_some_and(is_reached) {
            return;
        }
        self.n_units += 1;
        let internal: Vec<&str> = {
            let linked = self.checks.linked.iter();
            let is_internal = linked.filter(|(_, known)| known.sort.linkage() == Linkage::Internal);
            is_internal.map(|(name, _)| *name).collect()
        };
        for name in internal {
            self.checks.linked.remove(name);
            self.linked.remove(name);
            let functions = self.functions.iter().enumerate();
            let own = functions.filter(|(_, function)| function.name == name);
            self.hidden.extend(own.map(|(i, _)| i));
        }
        let tags = self.scopes.pop().unwrap_or_default().tags;
        let is_record = |ty: &TypeId| matches!(self.types.get(*ty), Type::Record(_));
        let tags = tags.into_iter().filter(|(_, ty)| is_record(ty)).collect();
        self.scopes = vec![Scope { tags, ..Scope::default() }];
        self.n_earlier = self.types.records.len();
        self.builtin_names();
    }

    /// The function of a name, if there is one and it is not one of an earlier file alone.
    pub(super) fn function_named(&self, name: &str) -> Option<usize> {
        let is_it = |i: &usize| self.functions[*i].name == name && !self.hidden.contains(i);
        (0..self.functions.len()).find(is_it)
    }

    /// Whether a structure is one of an earlier file.
    pub(super) fn is_earlier(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Record(record) if (*record as usize) < self.n_earlier)
    }

    /// A structure of an earlier file with the name and the members of this one.
    pub(super) fn earlier_record(&mut self, ty: TypeId) -> Option<TypeId> {
        let Type::Record(new) = self.types.get(ty) else { return None };
        let new = &self.types.records[*new as usize];
        let is_same = |number: &usize| {
            let old = &self.types.records[*number];
            let members = old.members.as_ref().zip(new.members.as_ref());
            old.name == new.name
                && old.is_union == new.is_union
                && (old.size, old.align) == (new.size, new.align)
                && members.is_some_and(|(old, new)| old == new)
        };
        let found = (0..self.n_earlier).find(is_same)?;
        Some(self.types.id(Type::Record(found as u32)))
    }
}
