//! Values of bit-fields, which may have fewer bits than their types.

use super::Parser;
use crate::c::ir::{Expr, Kind};
use crate::c::types::{Type, TypeId};

impl Parser<'_> {
    /// A bit-field has no size and no alignment. The operand starts at the token `first`; a `+` may make a value of it.
    pub(super) fn check_no_field(&mut self, first: usize, operand: &Expr) {
        let has_plus = self.tokens[first..self.at].iter().any(|token| token.text == "+");
        let is_place = matches!(operand.kind, Kind::Member(..)) && !has_plus;
        if is_place && self.bit_field(operand).is_some() {
            self.complain(operand.start, "a bit-field has no size, alignment or offset");
        }
    }

    /// A value as it is assigned to a place.
    pub(super) fn stored(&mut self, value: Expr, place: &Expr) -> Expr {
        let field = self.field_type(place);
        self.narrowed(value, field, place.ty)
    }

    /// A value as a type. In a bit-field, a floating number must fit the width of the field and not that of its type.
    pub(super) fn narrowed(&mut self, value: Expr, field: Option<TypeId>, ty: TypeId) -> Expr {
        let is_float = matches!(self.types.get(value.ty), Type::Float(_));
        match field.filter(|_| is_float) {
            Some(field) => {
                let value = self.converted(value, field);
                self.converted(value, ty)
            }
            None => self.converted(value, ty),
        }
    }

    /// The numbers of a bit-field, as a type; none if a place is no bit-field, or one of truth values.
    pub(super) fn field_type(&mut self, place: &Expr) -> Option<TypeId> {
        let (_, width) = self.bit_field(place)?;
        self.type_of_field(place.ty, width)
    }

    /// The numbers of a bit-field of a declared type and a width, as a type.
    pub(super) fn type_of_field(&mut self, ty: TypeId, width: u32) -> Option<TypeId> {
        let int = self.types.as_int(ty).filter(|int| !int.is_bool())?;
        Some(self.types.int(int.narrowed(width)))
    }
}
