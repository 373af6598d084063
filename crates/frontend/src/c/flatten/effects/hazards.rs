//! What may keep an evaluation from going on: it ends the program, violates the property, or leaves the model.
//!
//! The order of operands decides which of these comes first. An operand that ends the program must not hide that another
//! one violates the property or leaves the model. What leaves the model is only known when memory has been laid out, so
//! here everything counts that is not plainly arithmetic on variables.

use crate::c::checks::{Check, Checks, Meaning};
use crate::c::ir::{Binary, Expr, Kind};
use crate::c::types::{Type, TypeId, Types};

use super::access::is_union;

/// Whether operations of a type may be violations as they overflow.
pub(super) fn overflows(ty: TypeId, types: &Types, checks: Checks) -> bool {
    checks.ask(Check::Overflow) && types.as_int(ty).is_some_and(|int| int.signed)
}

/// What an evaluation may do besides yielding a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hazards {
    /// It violates the property, or leaves the model.
    pub(super) fails: bool,
    /// It ends the program. So does a violation, for all other properties.
    pub(super) ends: bool,
}

impl Hazards {
    /// Adds others; whether that is new.
    pub(super) fn join(&mut self, other: Hazards) -> bool {
        let before = *self;
        self.fails |= other.fails;
        self.ends |= other.ends;
        *self != before
    }

    /// Those of an operator on its operands alone.
    pub(super) fn of_operator(
        op: Binary,
        left: TypeId,
        right: &Expr,
        types: &Types,
        checks: Checks,
    ) -> Hazards {
        let is_number = types.as_int(left).is_some();
        let is_machine = |check| checks.meaning(check) == Meaning::Machine;
        let may_be_zero = is_number
            && matches!(op, Binary::Div | Binary::Rem)
            && right.as_int().is_none_or(|divisor| divisor == 0);
        let ends = may_be_zero && is_machine(Check::Division);
        let fails = match op {
            Binary::Shl | Binary::Shr => {
                right.as_int().is_some()
                    || !is_machine(Check::Shift)
                    || overflows(left, types, checks)
            }
            Binary::Add | Binary::Sub | Binary::Mul => overflows(left, types, checks),
            Binary::Div | Binary::Rem => may_be_zero && !ends || overflows(left, types, checks),
            _ => false,
        };
        Hazards { fails: fails || types.pointee(left).is_some(), ends }
    }

    /// Those of a conversion: between integers it always has a value.
    pub(super) fn of_conversion(from: TypeId, to: TypeId, types: &Types) -> Hazards {
        let are_numbers = types.as_int(from).is_some() && types.as_int(to).is_some();
        Hazards { fails: !are_numbers, ends: false }
    }

    /// Those of reading or writing a place.
    pub(super) fn of_access(place: &Expr, types: &Types) -> Hazards {
        let mut inner = place;
        let is_plain = loop {
            match &inner.kind {
                Kind::Var(_) => break true,
                Kind::Member(record, _) if !is_union(types, record.ty) => inner = record,
                _ => break false,
            }
        };
        let is_number =
            matches!(types.get(place.ty), Type::Int(_) | Type::Float(_) | Type::Pointer(_));
        Hazards { fails: !(is_plain && is_number), ends: false }
    }

    /// Leaving the model.
    pub(super) const LEAVES: Hazards = Hazards { fails: true, ends: false };
}
