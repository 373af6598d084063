//! Qualified types. Types forget their qualifiers, but for the one that a pass over the program is about.

use rustc_hash::FxHashMap;

use crate::c::types::{Type, TypeId, Types};

/// The qualifier that types keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::c) enum Qualifier {
    /// Something else than the program may change the object.
    Volatile,
    /// The program must not assign the object.
    Const,
}

/// The qualifier that a word names, if it is one of these.
pub(in crate::c) fn named(word: &str) -> Option<Qualifier> {
    match word {
        "volatile" | "__volatile" | "__volatile__" => Some(Qualifier::Volatile),
        "const" | "__const" | "__const__" => Some(Qualifier::Const),
        _ => None,
    }
}

/// The types with the qualifier that is kept. They differ from the plain ones by their numbers only.
#[derive(Clone, Debug)]
pub(in crate::c) struct Qualified {
    qualifier: Qualifier,
    by_plain: FxHashMap<TypeId, TypeId>,
    plain: FxHashMap<TypeId, TypeId>,
}

impl Qualified {
    pub(in crate::c) fn new(qualifier: Qualifier) -> Qualified {
        Qualified { qualifier, by_plain: FxHashMap::default(), plain: FxHashMap::default() }
    }
}

impl Types {
    /// The type with a qualifier; the type itself if that qualifier is not kept.
    pub(in crate::c) fn qualified(&mut self, ty: TypeId, qualifier: Qualifier) -> TypeId {
        if !self.keeps(qualifier) {
            return ty;
        }
        match *self.get(ty) {
            Type::Array(element, length) => {
                let element = self.qualified(element, qualifier);
                return self.id(Type::Array(element, length));
            }
            Type::Int(_) | Type::Float(_) | Type::Pointer(_) | Type::Record(_) => {}
            _ => return ty,
        }
        if self.is_qualified(ty, qualifier) {
            return ty;
        }
        let next = TypeId(self.all.len() as u32);
        let Some(known) = &mut self.kept else { return ty };
        let id = *known.by_plain.entry(ty).or_insert(next);
        if id == next {
            known.plain.insert(id, ty);
            self.all.push(self.get(ty).clone());
        }
        id
    }

    /// The type of a part of something: it has the qualifier of the whole.
    pub(in crate::c) fn part_of(&mut self, whole: TypeId, part: TypeId) -> TypeId {
        match self.kept.as_ref().map(|kept| kept.qualifier) {
            Some(qualifier) if self.is_qualified(whole, qualifier) => {
                self.qualified(part, qualifier)
            }
            _ => part,
        }
    }

    /// The qualifier that a word names, if that is kept.
    pub(in crate::c) fn kept_qualifier(&self, word: &str) -> Option<Qualifier> {
        named(word).filter(|qualifier| self.keeps(*qualifier))
    }

    fn keeps(&self, qualifier: Qualifier) -> bool {
        self.kept.as_ref().is_some_and(|kept| kept.qualifier == qualifier)
    }

    /// Whether a type has a qualifier that is kept.
    pub(in crate::c) fn is_qualified(&self, ty: TypeId, qualifier: Qualifier) -> bool {
        let kept = self.kept.as_ref().filter(|kept| kept.qualifier == qualifier);
        kept.is_some_and(|kept| kept.plain.contains_key(&ty))
    }

    /// The type of a value that is read from something of this type: values are not `const`.
    pub(in crate::c) fn without_const(&self, ty: TypeId) -> TypeId {
        let kept = self.kept.as_ref().filter(|kept| kept.qualifier == Qualifier::Const);
        kept.and_then(|kept| kept.plain.get(&ty).copied()).unwrap_or(ty)
    }

    /// Whether types differ in the qualifier at most, of themselves or of the elements of an array.
    pub(in crate::c) fn is_same_unqualified(&self, a: TypeId, b: TypeId) -> bool {
        match (self.get(a), self.get(b)) {
            (Type::Array(a, n), Type::Array(b, m)) => n == m && self.is_same_unqualified(*a, *b),
            (a, b) => a == b,
        }
    }

    /// Whether objects of a type are `const` as a whole.
    pub(in crate::c) fn is_const(&self, ty: TypeId) -> bool {
        match self.get(ty) {
            Type::Array(element, _) | Type::Variable(element) => self.is_const(*element),
            _ => self.is_qualified(ty, Qualifier::Const),
        }
    }

    /// Whether no object of this type can be assigned: it is `const`, or a part of it is.
    pub(in crate::c) fn is_read_only(&self, ty: TypeId) -> bool {
        self.is_qualified(ty, Qualifier::Const)
            || match self.get(ty) {
                Type::Array(element, _) => self.is_read_only(*element),
                Type::Record(_) => {
                    let members = self.members(ty).unwrap_or_default();
                    members.iter().any(|member| self.is_read_only(member.ty))
                }
                _ => false,
            }
    }
}
