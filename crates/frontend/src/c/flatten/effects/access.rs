//! Parts of memory that an expression reads or writes, as coarse as their syntax: no addresses are known yet.

use crate::c::ir::{Expr, Kind, VarRef};
use crate::c::types::{Type, TypeId, Types};

/// Where an access starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Base {
    Variable(VarRef),
    /// What some pointer points to.
    Memory,
}

/// What is accessed. The memory model lets a pointer access only parts that look like its own type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Class {
    Bits(u64),
    Pointer,
    /// A structure, an array or a part of a union.
    Any,
}

/// A read or a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Access {
    pub(super) base: Base,
    /// The last member on the way, of a structure that is no union.
    member: Option<(TypeId, usize)>,
    class: Class,
}

impl Access {
    /// The access to a place; none if that is no place in memory, such as the result of a call.
    pub(super) fn to(place: &Expr, types: &Types) -> Option<Access> {
        let (mut inner, mut member, mut is_in_union) = (place, None, false);
        let base = loop {
            match &inner.kind {
                Kind::Member(record, i) => {
                    is_in_union |= is_union(types, record.ty);
                    member = member.or(Some((record.ty, *i)));
                    inner = record;
                }
                Kind::Index(array, _) => inner = array,
                Kind::Var(var) | Kind::Literal(var, _) => break Base::Variable(*var),
                Kind::Deref(_) => break Base::Memory,
                _ => return None,
            }
        };
        let class = match types.get(place.ty) {
            _ if is_in_union => Class::Any,
            Type::Pointer(_) => Class::Pointer,
            Type::Int(int) => Class::Bits(u64::from(int.width)),
            Type::Float(bytes) => Class::Bits(8 * u64::from(*bytes)),
            _ => Class::Any,
        };
        let member = member.filter(|_| class != Class::Any);
        Some(Access { base, member, class })
    }

    /// All that pointers point to.
    pub(super) const MEMORY: Access =
        Access { base: Base::Memory, member: None, class: Class::Any };

    /// All of a variable.
    pub(super) fn whole(var: VarRef) -> Access {
        Access { base: Base::Variable(var), member: None, class: Class::Any }
    }

    /// Whether both may be the same memory; pointers point to variables whose address is taken.
    pub(super) fn may_overlap(self, other: Access, is_addressed: impl Fn(VarRef) -> bool) -> bool {
        let is_same_member =
            self.member.is_none_or(|member| other.member.is_none_or(|other| member == other));
        let is_alike =
            self.class == other.class || self.class == Class::Any || other.class == Class::Any;
        match (self.base, other.base) {
            (Base::Variable(a), Base::Variable(b)) => a == b && is_same_member,
            (Base::Memory, Base::Memory) => is_same_member && is_alike,
            (Base::Variable(var), Base::Memory) | (Base::Memory, Base::Variable(var)) => {
                is_addressed(var) && is_same_member && is_alike
            }
        }
    }
}

pub(super) fn is_union(types: &Types, ty: TypeId) -> bool {
    crate::c::types::parts::is_union(types, ty)
}
