//! GNU attributes: most say nothing about the meaning, a few do.

use super::{Parsed, Parser};
use crate::c::ir::{WEAK, unmodelled};
use crate::c::lexer::Kind;
use crate::c::types::{IntType, Type, TypeId};

/// What attributes said.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Attributes {
    pub(super) is_packed: bool,
    pub(super) align: Option<u64>,
    pub(super) is_noreturn: bool,
    /// One that makes a name mean something else, or calls functions that nobody names.
    pub(super) unmodelled: Option<&'static str>,
    /// The number of bits that `mode` asks for.
    mode: Option<u32>,
    /// Whether a vector type was asked for.
    pub(super) is_vector: bool,
}

impl Parser<'_> {
    /// Reads attributes, `asm("name")` and `__extension__` as they stand around declarators.
    pub(super) fn skip_attributes(&mut self) -> Parsed<()> {
        loop {
            match self.peek().text {
                "__attribute__" | "__attribute" => {
                    self.advance();
                    self.expect("(")?;
                    self.expect("(")?;
                    self.attribute_list()?;
                    self.expect(")")?;
                    self.expect(")")?;
                }
                "asm" | "__asm__" | "__asm" if self.peek_at(1).text == "(" => {
                    self.advance();
                    self.skip_parenthesized()?;
                }
                "__extension__" => {
                    self.advance();
                }
                _ => return Ok(()),
            }
        }
    }

    fn attribute_list(&mut self) -> Parsed<()> {
        while !self.is(")") {
            let name = self.advance();
            if name.kind == Kind::End {
                return Err(self.unexpected("`)`"));
            }
            let start = name.start;
            let name = name.text.trim_matches('_');
            let has_argument = self.is("(");
            match name {
                "constructor" | "destructor" | "scalar_storage_order" => {
                    self.unmodelled.get_or_insert((unmodelled(name), start));
                }
                "cleanup" => self.attributes.unmodelled = Some("cleanup"),
                "alias" => self.attributes.unmodelled = Some("alias"),
                "ifunc" => self.attributes.unmodelled = Some("ifunc"),
                "weak" | "weakref" => {
                    self.attributes.unmodelled = self.attributes.unmodelled.or(Some(WEAK));
                }
                "packed" => self.attributes.is_packed = true,
                "noreturn" => self.attributes.is_noreturn = true,
                "vector_size" => self.attributes.is_vector = true,
                "aligned" if has_argument => {
                    self.alignment()?;
                    continue;
                }
                "aligned" => self.attributes.align = Some(16),
                "mode" if has_argument => {
                    self.attributes.mode = match self.peek_at(1).text.trim_matches('_') {
                        "QI" | "byte" => Some(8),
                        "HI" => Some(16),
                        "SI" => Some(32),
                        "DI" => Some(64),
                        "TI" => Some(128),
                        "word" | "pointer" => Some(self.types.model.word()),
                        _ => None,
                    };
                }
                _ => {}
            }
            if has_argument {
                self.skip_parenthesized()?;
            }
        }
        Ok(())
    }

    /// `(n)` or `(type)`: the least alignment.
    pub(super) fn alignment(&mut self) -> Parsed<()> {
        self.expect("(")?;
        let align = match self.starts_type() {
            true => {
                let saved = self.attributes;
                let ty = self.type_name()?;
                self.attributes = saved;
                Some(self.types.align(ty))
            }
            false => {
                let align = self.assignment_expression()?;
                align.as_int().and_then(|align| u64::try_from(align).ok())
            }
        };
        self.attributes.align = self.attributes.align.max(align);
        self.expect(")")?;
        Ok(())
    }

    /// Skips from an opening parenthesis to the closing one.
    pub(super) fn skip_parenthesized(&mut self) -> Parsed<()> {
        let opening = self.expect("(")?;
        let mut open = 1;
        while open > 0 {
            match self.advance() {
                token if token.kind == Kind::End => {
                    return Err(self.error_at(opening, "this parenthesis is not closed"));
                }
                token if token.kind != Kind::Mark => {}
                token if token.text == "(" => open += 1,
                token if token.text == ")" => open -= 1,
                _ => {}
            }
        }
        Ok(())
    }

    /// The type that `mode` and `vector_size` make of a type.
    pub(super) fn with_mode(&mut self, ty: TypeId) -> TypeId {
        if self.attributes.is_vector {
            return self.types.id(Type::Opaque("vector"));
        }
        match (self.attributes.mode, self.types.as_int(ty)) {
            (Some(width), Some(int)) => {
                let long = self.types.long(int.signed);
                let like = match width {
                    8 => IntType::CHAR,
                    16 => IntType::SHORT,
                    32 => IntType::INT,
                    64 if long.width == 64 => long,
                    64 => IntType::LLONG,
                    _ => IntType::INT128,
                };
                self.types.int(IntType { signed: int.signed, ..like })
            }
            _ => ty,
        }
    }
}
