//! Values as terms.

use lapidary_expr::Term;

use super::Lowerer;
use crate::c::flat::{Value, ValueKind};
use crate::c::ir::{Binary, Unary};
use crate::c::lower::arith::Number;
use crate::c::types::IntType;

impl Lowerer<'_> {
    /// The number that a value is.
    pub(super) fn number(&mut self, value: &Value) -> Number {
        let Some(int) = self.int_of(value.ty) else {
            self.escape(true.into(), "a value that is no number");
            return self.numbers.constant(IntType::INT, 0);
        };
        match &value.kind {
            ValueKind::Int(constant) => self.numbers.constant(int, *constant),
            ValueKind::Load(place) => self.load(place),
            ValueKind::Address(place) => self.address(place),
            ValueKind::Function(function) => {
                let address = self.functions + 16 * u64::from(*function);
                self.numbers.constant(int, i128::from(address))
            }
            ValueKind::Unary(op @ (Unary::Neg | Unary::Not), inner) => {
                let number = self.number(inner);
                self.numbers.unary(*op, number, int)
            }
            ValueKind::Apply(function, inner) => {
                let number = self.number(inner);
                match int.format() {
                    Some(format) => self.numbers.any(function.of(number.term(), format)),
                    None => {
                        self.escape(
                            true.into(),
                            "a function of something that is no floating number",
                        );
                        number
                    }
                }
            }
            ValueKind::Binary(op, left, right) if int.is_float() => {
                self.float_binary(*op, left, right, int)
            }
            ValueKind::Binary(op, left, right) if !op.is_comparison() => {
                self.binary(*op, left, right, int)
            }
            ValueKind::Move(pointer, offset) => {
                let address = self.number(pointer);
                let size = self.types.pointee(pointer.ty).and_then(|to| self.types.size(to));
                let Some(size) = size else {
                    self.escape(true.into(), "a pointer to an incomplete type is moved");
                    return address;
                };
                let word = self.word();
                let number = self.number(offset);
                let from = self.int_of(offset.ty).unwrap_or(word);
                let number = self.numbers.convert(number, from, word);
                let size = self.numbers.constant(word, i128::from(size));
                let distance = self.numbers.without_wrap(Binary::Mul, number, size, word);
                let moved = self.numbers.without_wrap(Binary::Add, address, distance, word);
                self.check_move(pointer, address.term(), moved.term());
                self.numbers.of_type(moved.term(), int)
            }
            ValueKind::Distance(left, right) => {
                self.check_distance(left, right);
                let [a, b] = [left, right].map(|pointer| self.number(pointer));
                let size = self.types.pointee(left.ty).and_then(|to| self.types.size(to));
                let Some(size @ 1..) = size else {
                    self.escape(true.into(), "the distance of pointers to an incomplete type");
                    return a;
                };
                let distance = self.numbers.without_wrap(Binary::Sub, a, b, int);
                let size = self.numbers.constant(int, i128::from(size));
                self.numbers.binary(Binary::Div, distance, size, int)
            }
            ValueKind::Conditional(condition, then, otherwise) => {
                let condition = self.truth(condition);
                let then = self.guarded(condition, then);
                let otherwise = self.guarded(condition.not(), otherwise);
                self.numbers.choice(condition, then, otherwise)
            }
            ValueKind::Convert(inner) => match self.int_of(inner.ty) {
                Some(from) => {
                    let number = self.number(inner);
                    self.converted(number, from, int)
                }
                None => {
                    self.escape(true.into(), "a conversion of something that is no number");
                    self.numbers.constant(int, 0)
                }
            },
            ValueKind::Unary(Unary::Zero, _)
            | ValueKind::Binary(..)
            | ValueKind::And(..)
            | ValueKind::Or(..)
            | ValueKind::IsNegative(_)
            | ValueKind::Truth(_) => {
                let truth = self.truth(value);
                self.numbers.of_bool(truth, int)
            }
        }
    }

    fn guarded(&mut self, guard: Term, value: &Value) -> Number {
        self.guards.push(guard);
        let number = self.number(value);
        self.guards.pop();
        number
    }

    fn guarded_truth(&mut self, guard: Term, value: &Value) -> Term {
        self.guards.push(guard);
        let truth = self.truth(value);
        self.guards.pop();
        truth
    }

    fn binary(&mut self, op: Binary, left: &Value, right: &Value, int: IntType) -> Number {
        let (a, mut b) = (self.number(left), self.number(right));
        match op {
            Binary::Shl | Binary::Shr => {
                let from = self.int_of(right.ty).unwrap_or(int);
                b = self.numbers.convert(b, from, int);
                if b.range().hi < 0 || b.range().lo >= i128::from(int.width) {
                    self.escape(true.into(), "a shift by more than the width");
                }
            }
            // As in gcc, which does not divide here.
            Binary::Div if right.as_int() == Some(-1) => {
                return self.numbers.unary(Unary::Neg, a, int);
            }
            Binary::Rem if right.as_int() == Some(-1) => return self.numbers.constant(int, 0),
            Binary::Div | Binary::Rem => {
                // Division by zero ends the program.
                let is_set = self.numbers.truth(b, int);
                self.need(is_set);
                // And so does the one quotient that is too large.
                if int.signed && a.range().has(int.least()) && b.range().has(-1) {
                    let [least, minus_one] =
                        [int.least(), -1].map(|value| self.numbers.constant(int, value).term());
                    let both = [a.term().equals(least), b.term().equals(minus_one)];
                    self.need(Term::and(both).not());
                }
            }
            _ => {}
        }
        self.numbers.binary(op, a, b, int)
    }

    /// Whether a value is not zero.
    pub(super) fn truth(&mut self, value: &Value) -> Term {
        match &value.kind {
            ValueKind::Int(constant) => (*constant != 0).into(),
            ValueKind::Truth(inner) => self.truth(inner),
            ValueKind::Unary(Unary::Zero, inner) => self.truth(inner).not(),
            ValueKind::IsNegative(inner) => {
                let format = self.int_of(inner.ty).and_then(IntType::format);
                let number = self.number(inner);
                self.look_at_bits(true.into(), inner, number.term());
                format.map_or(false.into(), |format| format.is_negative(number.term()))
            }
            ValueKind::And(left, right) => {
                let left = self.truth(left);
                let right = self.guarded_truth(left, right);
                Term::and([left, right])
            }
            ValueKind::Or(left, right) => {
                let left = self.truth(left);
                let right = self.guarded_truth(left.not(), right);
                Term::or([left, right])
            }
            ValueKind::Conditional(condition, then, otherwise) => {
                let condition = self.truth(condition);
                let then = self.guarded_truth(condition, then);
                let otherwise = self.guarded_truth(condition.not(), otherwise);
                condition.ite(then, otherwise)
            }
            ValueKind::Binary(op @ (Binary::Eq | Binary::Ne), left, right)
                if right.as_int() == Some(0) =>
            {
                let truth = self.truth(left);
                if *op == Binary::Eq { truth.not() } else { truth }
            }
            ValueKind::Binary(op, left, right) if op.is_comparison() => {
                self.check_comparison(*op, left, right);
                let int = self.int_of(left.ty).unwrap_or(IntType::INT);
                let (a, b) = (self.number(left), self.number(right));
                self.numbers.compare(*op, a, b, int)
            }
            ValueKind::Convert(inner) if self.keeps_truth(value, inner) => self.truth(inner),
            _ => {
                let int = self.int_of(value.ty).unwrap_or(IntType::INT);
                let number = self.number(value);
                self.numbers.truth(number, int)
            }
        }
    }

    /// Whether a conversion cannot make zero of something else.
    fn keeps_truth(&self, value: &Value, inner: &Value) -> bool {
        match (self.int_of(value.ty), self.int_of(inner.ty)) {
            (Some(to), Some(from)) if from.is_float() && !to.is_float() => to.is_bool(),
            (Some(to), Some(from)) if to.is_float() && !from.is_float() => true,
            (Some(to), Some(from)) => to.is_bool() || to.width >= from.width,
            _ => false,
        }
    }
}
