//! Floating numbers: conversions, and what programs do with them that has no meaning.

use lapidary_expr::Term;
use rustc_hash::FxHashSet;

use super::Lowerer;
use crate::c::flat::{Flat, ObjectId, Op, Root, Value, ValueKind};
use crate::c::ir::Binary;
use crate::c::lower::arith::Number;
use crate::c::types::{IntType, TypeId, Types};

impl Lowerer<'_> {
    /// A number as one of another type.
    pub(super) fn converted(&mut self, number: Number, from: IntType, to: IntType) -> Number {
        match (from.format(), to.format()) {
            (None, None) => self.numbers.convert(number, from, to),
            (None, Some(format)) => self.numbers.to_float(number, from, format),
            (Some(format), Some(other)) => self.numbers.any(format.to_format(number.term(), other)),
            (Some(_), None) if to.is_bool() => {
                self.numbers.of_bool(self.numbers.truth(number, from), to)
            }
            (Some(format), None) => {
                let (number, fits) = self.numbers.of_float(number.term(), format, to);
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

/// Which floating numbers may be results of operations. If such a number is NaN, the standard does not say which of them,
/// and machines and compilers differ.
pub(super) struct Computed {
    objects: FxHashSet<ObjectId>,
    /// Whether one was written by a pointer.
    is_anywhere: bool,
}

impl Computed {
    pub(super) fn of(flat: &Flat, types: &Types) -> Computed {
        let mut computed = Computed { objects: FxHashSet::default(), is_anywhere: false };
        let is_number = |ty: TypeId| types.as_float(ty).is_some() || !types.is_scalar(ty);
        let mut is_changed = true;
        while std::mem::take(&mut is_changed) {
            for op in flat.edges.iter().flat_map(|edge| &edge.ops) {
                let Op::Assign(place, value) = op else { continue };
                if !is_number(value.ty) || !computed.has(value, types) {
                    continue;
                }
                is_changed |= match place.root {
                    Root::Object(object) => computed.objects.insert(object),
                    Root::Pointer(_) => !std::mem::replace(&mut computed.is_anywhere, true),
                };
            }
        }
        computed
    }

    fn is_from(&self, object: ObjectId) -> bool {
        self.is_anywhere || self.objects.contains(&object)
    }

    /// Whether a value may be the result of an operation, or have one in it.
    fn has(&self, value: &Value, types: &Types) -> bool {
        match &value.kind {
            ValueKind::Binary(..) | ValueKind::Apply(..) => true,
            ValueKind::Convert(inner) => types.as_float(inner.ty).is_some(),
            ValueKind::Unary(_, inner) => self.has(inner, types),
            ValueKind::Conditional(_, a, b) => self.has(a, types) || self.has(b, types),
            ValueKind::Load(place) => match place.root {
                Root::Object(object) => self.is_from(object),
                Root::Pointer(_) => self.is_anywhere || !self.objects.is_empty(),
            },
            _ => false,
        }
    }
}

impl Lowerer<'_> {
    /// The bits of a value are looked at, which are not known if it is a NaN that was computed.
    pub(super) fn look_at_bits(&mut self, guard: Term, value: &Value, x: Term) {
        if self.computed.has(value, self.types) {
            let ty = value.ty;
            self.look_at_nan(guard, x, self.types.as_float(ty));
        }
    }

    /// The same for a part of an object.
    pub(super) fn look_at_part(&mut self, guard: Term, object: ObjectId, x: Term, ty: IntType) {
        if self.computed.is_from(object) {
            self.look_at_nan(guard, x, Some(ty));
        }
    }

    fn look_at_nan(&mut self, guard: Term, x: Term, ty: Option<IntType>) {
        if let Some(format) = ty.and_then(IntType::format) {
            let is_computed = format.absolute(x).equals(format.nan());
            self.escape(Term::and([guard, is_computed]), "the bits of a NaN that was computed");
        }
    }
}
