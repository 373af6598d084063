//! Declaration specifiers: storage, qualifiers and the type that a declaration starts with.

use super::attributes::Attributes;
use super::names::{is_qualifier, is_storage};
use super::validity::is_place;
use super::{Entry, Parsed, Parser};
use crate::c::ir::Kind as ExprKind;
use crate::c::parse::lexer::Kind;
use crate::c::types::{DataModel, IntType, Type, TypeId};

/// What stands before the declarators.
#[derive(Clone, Copy, Debug)]
pub(super) struct Specifiers {
    pub(super) ty: TypeId,
    pub(super) storage: Storage,
    /// What holds for all declarators that follow.
    pub(super) attributes: Attributes,
}

/// The storage class that matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    Plain,
    Typedef,
    Extern,
    Static,
}

/// The words of an arithmetic type, counted.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a word that may be there or not")]
struct Words {
    int: bool,
    complex: bool,
    /// Whether there are two words for the type.
    is_double: bool,
    signed: bool,
    unsigned: bool,
    long: u32,
    short: bool,
    base: Option<&'static str>,
}

impl Parser<'_> {
    /// Reads specifiers. Without any type among them it is `int`, as it was in old C.
    pub(super) fn specifiers(&mut self) -> Parsed<Specifiers> {
        self.attributes = Attributes::default();
        let mut storage = Storage::Plain;
        let mut words = Words::default();
        let mut qualifier = None;
        let (mut ty, mut has_storage, mut atomic) = (None, false, None);
        loop {
            self.skip_attributes()?;
            let token = self.peek();
            if token.kind != Kind::Word {
                break;
            }
            let has_type = ty.is_some() || words.any();
            if is_storage_class(token.text) && std::mem::replace(&mut has_storage, true) {
                return Err(self.error_at(token, "more than one storage class"));
            }
            match token.text {
                "typedef" => storage = Storage::Typedef,
                "extern" => storage = Storage::Extern,
                "static" => storage = Storage::Static,
                "_Noreturn" => self.attributes.is_noreturn = true,
                word if is_storage(word) => {}
                "_Atomic" if self.peek_at(1).text == "(" && !has_type => {
                    self.advance();
                    self.advance();
                    ty = Some(self.type_name()?);
                    self.expect(")")?;
                    atomic = Some(token.start);
                    continue;
                }
                word if is_qualifier(word) => {
                    qualifier = qualifier.or(self.types.kept_qualifier(word));
                    if word == "_Atomic" {
                        atomic = Some(token.start);
                    }
                }
                "__auto_type" => return Err(self.error_at(token, "`__auto_type` is not supported")),
                "_Alignas" => {
                    self.advance();
                    self.alignment()?;
                    continue;
                }
                "struct" | "union" => {
                    ty = Some(self.record()?);
                    continue;
                }
                "enum" => {
                    ty = Some(self.enumeration()?);
                    continue;
                }
                "typeof" | "__typeof" | "__typeof__" => {
                    self.advance();
                    ty = Some(self.type_of()?);
                    continue;
                }
                word if words.take(word) => {}
                word => match self.lookup(word) {
                    Some(Entry::Typedef(named)) if !has_type => {
                        self.attributes.type_align = self.typedef_align(word);
                        ty = Some(named);
                    }
                    _ => break,
                },
            }
            self.advance();
        }
        if words.is_contradictory() || ty.is_some() && words.any() {
            return Err(self.error_at(self.before(), "these words do not make a type together"));
        }
        if words.base == Some("__int128") && self.types.model == DataModel::Ilp32 {
            let message = "`__int128` exists only where pointers have 64 bits (`--bits 64`)";
            return Err(self.error_at(self.before(), message));
        }
        let ty = match ty {
            Some(ty) => ty,
            None => self.arithmetic_type(&words),
        };
        let ty = self.with_mode(ty);
        if let Some(start) = atomic {
            self.align_atomic(ty, start);
        }
        let ty = qualifier.map_or(ty, |qualifier| self.types.qualified(ty, qualifier));
        Ok(Specifiers { ty, storage, attributes: self.attributes })
    }

    fn type_of(&mut self) -> Parsed<TypeId> {
        self.expect("(")?;
        let ty = match self.starts_type() {
            true => {
                let (ty, align) = self.aligned_type_name()?;
                self.attributes.type_align = align;
                ty
            }
            false => {
                let value = self.expression()?;
                self.attributes.type_align = match value.kind {
                    ExprKind::Var(var) => self.aligns.get(&var).and_then(|align| align.ty),
                    _ => None,
                };
                // Only what names an object is `const`.
                match is_place(&value) && !matches!(value.kind, ExprKind::Unsupported(_)) {
                    true => value.ty,
                    false => self.types.without_const(value.ty),
                }
            }
        };
        self.expect(")")?;
        Ok(ty)
    }

    fn arithmetic_type(&mut self, words: &Words) -> TypeId {
        if words.complex {
            return self.types.id(Type::Opaque("_Complex"));
        }
        let long = self.types.long(true);
        let int = match (words.base, words.long) {
            (Some("void"), _) => return self.types.id(Type::Void),
            (Some("float"), _) => return self.types.id(Type::Float(4)),
            (Some("double"), 0) => return self.types.id(Type::Float(8)),
            (Some("__float128"), _) => return self.types.id(Type::Float(16)),
            (Some("double"), _) => {
                let ty = self.long_double();
                return self.types.id(ty);
            }
            (Some("_Bool"), _) => return self.types.int(IntType::BOOL),
            (Some("char"), _) => IntType::CHAR,
            (Some("__int128"), _) => IntType::INT128,
            (_, 2..) => IntType::LLONG,
            (_, 1) => long,
            _ if words.short => IntType::SHORT,
            _ => IntType::INT,
        };
        self.types.int(if words.unsigned { int.unsigned() } else { int })
    }

    /// A type without a name for what has it, as in a cast.
    pub(super) fn type_name(&mut self) -> Parsed<TypeId> {
        Ok(self.aligned_type_name()?.0)
    }

    /// The same, with the alignment that attributes of type names in it set.
    pub(super) fn aligned_type_name(&mut self) -> Parsed<(TypeId, Option<u64>)> {
        let saved = self.attributes;
        let specifiers = self.specifiers()?;
        let declarator = self.declarator(specifiers.ty, true)?;
        let align = std::mem::replace(&mut self.attributes, saved).type_align;
        self.check_lengths(&declarator.lengths)?;
        let is_base = self.is_made_of(declarator.ty, specifiers.ty);
        Ok((declarator.ty, align.filter(|_| is_base)))
    }
}

impl Words {
    fn any(&self) -> bool {
        self.is_sized() || self.signed || self.unsigned || self.int || self.base.is_some()
    }

    fn is_sized(&self) -> bool {
        self.long > 0 || self.short || self.complex
    }

    /// Whether no type is written like that.
    fn is_contradictory(&self) -> bool {
        let is_signed = self.signed || self.unsigned;
        self.is_double
            || self.signed && self.unsigned
            || self.short && self.long > 0
            || self.long > 2
            || match self.base {
                None => false,
                Some("double") => is_signed || self.int || self.short || self.long > 1,
                Some("char" | "__int128") => self.int || self.short || self.long > 0,
                Some(_) => is_signed || self.int || self.short || self.long > 0,
            }
    }

    /// Counts a word; whether it is one of an arithmetic type.
    fn take(&mut self, word: &str) -> bool {
        let base = match word {
            "signed" | "__signed" | "__signed__" => return set(&mut self.signed),
            "unsigned" => return set(&mut self.unsigned),
            "short" => return set(&mut self.short),
            "_Complex" | "__complex__" | "__complex" => return set(&mut self.complex),
            "long" => {
                self.long += 1;
                return true;
            }
            "int" => {
                self.is_double |= self.int;
                return set(&mut self.int);
            }
            "void" => "void",
            "char" => "char",
            "float" | "_Float32" => "float",
            "double" | "_Float64" | "_Float32x" => "double",
            "_Float64x" => {
                self.long = 1;
                "double"
            }
            "__float128" | "_Float128" => "__float128",
            "_Bool" => "_Bool",
            "__int128" => "__int128",
            _ => return false,
        };
        self.is_double |= self.base.replace(base).is_some();
        true
    }
}

fn set(word: &mut bool) -> bool {
    *word = true;
    true
}

/// Whether a word is a storage class, of which a declaration has one.
fn is_storage_class(word: &str) -> bool {
    matches!(word, "typedef" | "extern" | "static" | "auto" | "register")
}
