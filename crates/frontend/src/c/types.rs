//! Types and their layout in memory, for the data models ILP32 and LP64.

mod number;
pub(in crate::c) mod parts;
pub(in crate::c) mod qualifiers;

use std::fmt;

use rustc_hash::FxHashMap;

use crate::c::types::qualifiers::{Qualified, Qualifier};
pub(super) use number::{IntType, Rank};

/// A type, in the table of its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct TypeId(pub(super) u32);

/// The type of lists of arguments whose number is not fixed.
pub(super) const VARIABLE_ARGUMENTS: &str = "va_list";

/// What a type is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Type {
    Void,
    Int(IntType),
    /// A floating type of so many bytes.
    Float(u8),
    Pointer(TypeId),
    /// An array; the length is unknown in `extern int a[]`.
    Array(TypeId, Option<u64>),
    /// An array whose length is computed.
    Variable(TypeId),
    Function(Signature),
    Record(u32),
    /// What is known by name only, such as `__builtin_va_list`.
    Opaque(&'static str),
}

/// The type of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Signature {
    pub(super) result: TypeId,
    pub(super) params: Vec<TypeId>,
    /// Whether more arguments may follow, or nothing is said about them.
    pub(super) open: bool,
}

/// A structure or union.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) name: String,
    pub(super) is_union: bool,
    /// None while it is incomplete.
    pub(super) members: Option<Vec<Member>>,
    pub(super) size: u64,
    pub(super) align: u64,
    /// How many scalar parts it has, an array counting as one element.
    pub(super) n_parts: u64,
}

/// A member of a structure or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    /// Empty for an unnamed structure, whose members count as members of the outer one.
    pub(super) name: String,
    pub(super) ty: TypeId,
    pub(super) offset: u64,
    /// For a bit-field: where it starts in the byte at `offset`, and its width.
    pub(super) bits: Option<(u32, u32)>,
    /// The alignment of the member itself.
    pub(super) align: u64,
}

/// The sizes that differ between machines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    #[default]
    Ilp32,
    /// `long` and pointers have 64 bits.
    Lp64,
}

impl DataModel {
    /// The name of the data model.
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }

    /// The number of bits of `long` and of pointers.
    pub fn word(self) -> u32 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }
}

/// All types of a program.
#[derive(Clone, Debug)]
pub(super) struct Types {
    pub(super) model: DataModel,
    pub(super) all: Vec<Type>,
    ids: FxHashMap<Type, TypeId>,
    pub(super) records: Vec<Record>,
    /// The types with the qualifier that is kept, if there is one.
    pub(super) kept: Option<Qualified>,
    /// Whether constants that wrap around are told from others.
    pub(super) keeps_overflow: bool,
}

impl Types {
    /// No types yet; qualifiers are forgotten but for the one to keep.
    pub(super) fn new(model: DataModel, keep: Option<Qualifier>) -> Types {
        let kept = keep.map(Qualified::new);
        let (all, ids, records) = (Vec::new(), FxHashMap::default(), Vec::new());
        Types { model, all, ids, records, kept, keeps_overflow: false }
    }

    pub(super) fn id(&mut self, ty: Type) -> TypeId {
        if let Some(id) = self.ids.get(&ty) {
            return *id;
        }
        let id = TypeId(self.all.len() as u32);
        self.all.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    pub(super) fn get(&self, id: TypeId) -> &Type {
        &self.all[id.0 as usize]
    }

    pub(super) fn int(&mut self, ty: IntType) -> TypeId {
        self.id(Type::Int(ty))
    }

    /// The type of these integers, if it occurs.
    pub(super) fn find_int(&self, ty: IntType) -> Option<TypeId> {
        self.ids.get(&Type::Int(ty)).copied()
    }

    pub(super) fn pointer(&mut self, to: TypeId) -> TypeId {
        self.id(Type::Pointer(to))
    }

    /// `long`, or `unsigned long`.
    pub(super) fn long(&self, signed: bool) -> IntType {
        IntType { width: self.model.word(), signed, rank: Rank::Long }
    }

    pub(super) fn record(&mut self, name: &str, is_union: bool) -> TypeId {
        self.records.push(Record {
            name: name.into(),
            is_union,
            members: None,
            size: 0,
            align: 1,
            n_parts: 0,
        });
        self.id(Type::Record(self.records.len() as u32 - 1))
    }

    pub(super) fn as_int(&self, id: TypeId) -> Option<IntType> {
        match self.get(id) {
            Type::Int(ty) => Some(*ty),
            _ => None,
        }
    }

    pub(super) fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match self.get(id) {
            Type::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    pub(super) fn element(&self, id: TypeId) -> Option<TypeId> {
        match self.get(id) {
            Type::Array(element, _) | Type::Variable(element) => Some(*element),
            _ => None,
        }
    }

    /// Whether values of a type are not modelled: floating numbers other than `float` and `double`, and what is known by
    /// name only.
    pub(super) fn is_unmodelled(&self, id: TypeId) -> bool {
        match self.get(id) {
            Type::Float(bytes) => IntType::float(*bytes).is_none(),
            Type::Opaque(_) => true,
            _ => false,
        }
    }

    /// The bits of a floating type that is modelled.
    pub(super) fn as_float(&self, id: TypeId) -> Option<IntType> {
        match self.get(id) {
            Type::Float(bytes) => IntType::float(*bytes),
            _ => None,
        }
    }

    pub(super) fn is_scalar(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Int(_) | Type::Float(_) | Type::Pointer(_))
    }

    pub(super) fn members(&self, id: TypeId) -> Option<&[Member]> {
        match self.get(id) {
            Type::Record(record) => self.records[*record as usize].members.as_deref(),
            _ => None,
        }
    }

    /// Whether a type is a union.
    pub(super) fn is_union(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Record(record) if self.records[*record as usize].is_union)
    }

    /// The size in bytes; none if the type is incomplete or too large to be real.
    pub(super) fn size(&self, id: TypeId) -> Option<u64> {
        match self.get(id) {
            // GNU C: one, so that pointers to them can be moved.
            Type::Void | Type::Function(_) => Some(1),
            Type::Int(ty) => Some(u64::from(ty.width.div_ceil(8))),
            Type::Float(size) => Some(u64::from(*size)),
            Type::Pointer(_) => Some(u64::from(self.model.word() / 8)),
            Type::Opaque(VARIABLE_ARGUMENTS) => match self.model {
                DataModel::Ilp32 => Some(4),
                DataModel::Lp64 => Some(24),
            },
            Type::Array(element, length) => {
                self.size(*element)?.checked_mul((*length)?).filter(|size| *size < 1 << 40)
            }
            Type::Variable(_) | Type::Opaque(_) => None,
            Type::Record(record) => {
                let record = &self.records[*record as usize];
                record.members.is_some().then_some(record.size)
            }
        }
    }

    /// Whether a type is an array of variable length, or an array of such arrays.
    pub(super) fn is_variable(&self, id: TypeId) -> bool {
        match self.get(id) {
            Type::Variable(_) => true,
            Type::Array(element, _) => self.is_variable(*element),
            _ => false,
        }
    }

    /// How many scalar parts an object of a type has, an array counting as one element.
    pub(super) fn n_parts(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Array(element, _) => self.n_parts(*element),
            Type::Record(record) => self.records[*record as usize].n_parts,
            _ => 1,
        }
    }

    /// The alignment in bytes, that of gcc inside structures.
    pub(super) fn align(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Array(element, _) | Type::Variable(element) => self.align(*element),
            Type::Record(record) => self.records[*record as usize].align,
            Type::Opaque(_) => u64::from(self.model.word() / 8),
            // `__float128`, also where other types are less aligned.
            Type::Float(16) => 16,
            _ => {
                let most = if self.model == DataModel::Lp64 { 16 } else { 4 };
                self.size(id).unwrap_or(1).clamp(1, most)
            }
        }
    }

    /// The alignment in bytes outside of structures, where numbers of 64 bits have the same in both data models.
    pub(super) fn natural_align(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Array(element, _) | Type::Variable(element) => self.natural_align(*element),
            Type::Int(IntType { width: 64, .. }) | Type::Float(8) => 8,
            _ => self.align(id),
        }
    }

    /// Finds a member by name, also in unnamed structures: the indices that lead to it.
    pub(super) fn find_member(&self, id: TypeId, name: &str) -> Option<Vec<usize>> {
        let members = self.members(id)?;
        if let Some(i) = members.iter().position(|member| member.name == name) {
            return Some(vec![i]);
        }
        members.iter().enumerate().filter(|(_, member)| member.name.is_empty()).find_map(
            |(i, member)| {
                let mut path = self.find_member(member.ty, name)?;
                path.insert(0, i);
                Some(path)
            },
        )
    }

    /// A type as people write it.
    pub(super) fn name(&self, id: TypeId) -> String {
        match self.get(id) {
            Type::Void => "void".into(),
            Type::Int(ty) => ty.to_string(),
            Type::Float(4) => "float".into(),
            Type::Float(8) => "double".into(),
            Type::Float(_) => "long double".into(),
            Type::Pointer(to) => match self.get(*to) {
                Type::Function(_) => format!("pointer to {}", self.name(*to)),
                _ => format!("{} *", self.name(*to)),
            },
            Type::Array(element, Some(n)) => format!("{}[{n}]", self.name(*element)),
            Type::Array(element, None) | Type::Variable(element) => {
                format!("{}[]", self.name(*element))
            }
            Type::Function(signature) => {
                format!("function returning {}", self.name(signature.result))
            }
            Type::Record(record) => {
                let record = &self.records[*record as usize];
                format!("{} {}", if record.is_union { "union" } else { "struct" }, record.name)
            }
            Type::Opaque(name) => (*name).into(),
        }
    }
}

impl fmt::Display for IntType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.signed { "" } else { "unsigned " };
        match self.rank {
            Rank::Bool => f.write_str("_Bool"),
            Rank::Char => write!(f, "{sign}char"),
            Rank::Short => write!(f, "{sign}short"),
            Rank::Int => write!(f, "{sign}int"),
            Rank::Long => write!(f, "{sign}long"),
            Rank::LongLong => write!(f, "{sign}long long"),
            _ => write!(f, "{sign}__int128"),
        }
    }
}
