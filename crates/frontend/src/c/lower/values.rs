//! Values as terms.

use lapidary_expr::Term;

use super::Lowerer;
use crate::c::checks::{Check, Meaning};
use crate::c::flat::{Value, ValueKind, written};
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
            ValueKind::Unary(Unary::Neg, inner) if self.is_overflow_checked(int) => {
                let number = self.number(inner);
                let (result, overflows) = self.numbers.checked_negation(number, int);
                self.check_overflow(overflows, value);
                result
            }
            ValueKind::Unary(op @ (Unary::Neg | Unary::Back | Unary::Not), inner) => {
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
                self.binary(*op, left, right, value, int)
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
                self.check_move(value, pointer, address.term(), moved.term());
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

    fn is_overflow_checked(&self, int: IntType) -> bool {
        self.checks.ask(Check::Overflow) && int.signed && !int.is_float()
    }

    fn check_overflow(&mut self, overflows: Term, value: &Value) {
        let (flat, types) = (self.flat, self.types);
        let text = || written::value(flat, types, value);
        self.check(Check::Overflow, overflows, "a signed overflow", value.start, text);
    }

    fn binary(
        &mut self,
        op: Binary,
        left: &Value,
        right: &Value,
        value: &Value,
        int: IntType,
    ) -> Number {
        let (a, mut b) = (self.number(left), self.number(right));
        let is_checked = self.is_overflow_checked(int);
        match op {
            Binary::Shl | Binary::Shr => b = self.distance_of_shift(b, right, value, int),
            Binary::Div | Binary::Rem => {
                let (flat, types) = (self.flat, self.types);
                let text = || written::value(flat, types, value);
                let is_zero = self.numbers.truth(b, int).not();
                self.check(Check::Division, is_zero, "a division by zero", value.start, text);
                // One quotient is too large.
                let is_too_large = self.is_too_large(a, b, int);
                match (is_checked, right.as_int() == Some(-1)) {
                    (true, _) => self.check_overflow(is_too_large, value),
                    // As in gcc, which does not divide here.
                    (false, true) if op == Binary::Div => {
                        return self.numbers.unary(Unary::Neg, a, int);
                    }
                    (false, true) => return self.numbers.constant(int, 0),
                    (false, false) => match self.checks.meaning(Check::Division) {
                        Meaning::Machine if self.flat.n_live.is_none() => {
                            self.need(is_too_large.not());
                        }
                        _ => self.escape(is_too_large, "a quotient that does not fit its type"),
                    },
                }
            }
            _ => {}
        }
        if is_checked && matches!(op, Binary::Add | Binary::Sub | Binary::Mul | Binary::Shl) {
            let (result, overflows) = self.numbers.checked(op, a, b, int);
            self.check_overflow(overflows, value);
            return result;
        }
        self.numbers.binary(op, a, b, int)
    }

    /// Whether a quotient does not fit its type: that of the least number and minus one.
    fn is_too_large(&self, a: Number, b: Number, int: IntType) -> Term {
        if !int.signed || !a.range().has(int.least()) || !b.range().has(-1) {
            return false.into();
        }
        let [least, minus_one] =
            [int.least(), -1].map(|value| self.numbers.constant(int, value).term());
        Term::and([a.term().equals(least), b.term().equals(minus_one)])
    }

    /// The distance of a shift as a number of the type that is shifted.
    fn distance_of_shift(
        &mut self,
        by: Number,
        right: &Value,
        value: &Value,
        int: IntType,
    ) -> Number {
        let from = self.int_of(right.ty).unwrap_or(int);
        let distance = self.numbers.convert(by, from, int);
        let width = i128::from(int.width);
        if by.range().lo >= 0 && by.range().hi < width {
            return distance;
        }
        let is_plain = by.range().hi < 0 || by.range().lo >= width;
        let is_machine = self.checks.meaning(Check::Shift) == Meaning::Machine;
        let [zero, width] = [0, width].map(|value| self.numbers.constant(from, value));
        let low = self.numbers.compare(Binary::Le, zero, by, from);
        let high = self.numbers.compare(Binary::Lt, by, width, from);
        let outside = Term::and([low, high]).not();
        let what = "a shift by more than the width";
        match (is_machine, is_plain) {
            (true, true) => self.escape(true.into(), what),
            (true, false) => {}
            (false, _) => {
                let (flat, types) = (self.flat, self.types);
                let text = || written::value(flat, types, value);
                self.check(Check::Shift, outside, what, value.start, text);
            }
        }
        distance
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
