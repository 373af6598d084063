//! Floating numbers: conversions, and what programs do with them that has no meaning.

use super::Lowerer;
use crate::c::arith::Number;
use crate::c::flat::Value;
use crate::c::ir::Binary;
use crate::c::types::IntType;

impl Lowerer<'_> {
    /// A number as one of another type.
    pub(super) fn converted(&mut self, number: Number, from: IntType, to: IntType) -> Number {
        match (from.format(), to.format()) {
            (None, None) => self.numbers.convert(number, from, to),
            (None, Some(format)) => self.numbers.to_float(number, from, format),
            (Some(format), Some(other)) => {
                Number { term: format.to_format(number.term, other), range: None }
            }
            (Some(_), None) if to.is_bool() => {
                self.numbers.of_bool(self.numbers.truth(number, from), to)
            }
            (Some(format), None) => {
                let (number, fits) = self.numbers.of_float(number.term, format, to);
                self.escape(fits.not(), "a floating number that is too large for an integer");
                number
            }
        }
    }

    /// An operator on floating numbers, if it is one. Division by zero has a value.
    pub(super) fn float_binary(
        &mut self,
        op: Binary,
        left: &Value,
        right: &Value,
        int: IntType,
    ) -> Number {
        let (a, b) = (self.number(left), self.number(right));
        if matches!(op, Binary::Add | Binary::Sub | Binary::Mul | Binary::Div) {
            return self.numbers.binary(op, a, b, int);
        }
        self.escape(true.into(), "an operator that floating numbers do not have");
        a
    }
}
