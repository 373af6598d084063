//! Calculations with addresses, also with constant ones: `&((struct s *)0)->member`, as old `offsetof` macros have it.

use super::Parser;
use crate::c::ir::{Expr, Kind, Unary};

impl Parser<'_> {
    pub(super) fn moved(&mut self, pointer: Expr, offset: Expr) -> Expr {
        let pointer = self.value_of(pointer);
        let (ty, start) = (pointer.ty, pointer.start);
        if offset.as_int() == Some(0) {
            return pointer;
        }
        Expr::new(Kind::Move(Box::new(pointer), Box::new(offset)), ty, start)
    }

    pub(super) fn pointer_minus(&mut self, left: Expr, right: Expr) -> Expr {
        let start = left.start;
        if self.types.pointee(right.ty).is_some() {
            let long = self.types.long(true);
            let long = self.types.int(long);
            if let Some(distance) = self.constant_distance(&left, &right) {
                return Expr::new(Kind::Int(distance), long, start);
            }
            return Expr::new(Kind::Distance(Box::new(left), Box::new(right)), long, start);
        }
        let offset = self.offset(right);
        let offset = self.unary(Unary::Back, offset, start);
        self.moved(left, offset)
    }

    /// The number that a pointer is, if it is calculated from constants only.
    pub(super) fn constant_address(&self, pointer: &Expr) -> Option<i128> {
        let to = self.types.pointee(pointer.ty)?;
        let address = match &pointer.kind {
            Kind::Int(address) => *address,
            Kind::Convert(pointer) => self.constant_address(pointer)?,
            Kind::Address(place) | Kind::Decay(place) => self.constant_place(place)?,
            Kind::Move(pointer, by) => {
                self.constant_address(pointer)? + by.as_int()? * i128::from(self.types.size(to)?)
            }
            _ => return None,
        };
        Some(self.types.long(false).wrap(address))
    }

    /// Where something lies whose address is calculated from constants only.
    fn constant_place(&self, place: &Expr) -> Option<i128> {
        match &place.kind {
            Kind::Deref(pointer) => self.constant_address(pointer),
            Kind::Member(record, index) => {
                let member = self.types.members(record.ty)?.get(*index)?;
                Some(self.constant_place(record)? + i128::from(member.offset))
            }
            Kind::Index(array, index) => {
                let size = self.types.size(place.ty)?;
                Some(self.constant_place(array)? + index.as_int()? * i128::from(size))
            }
            _ => None,
        }
    }

    /// The number of elements between constant addresses.
    fn constant_distance(&self, left: &Expr, right: &Expr) -> Option<i128> {
        let bytes = self.constant_address(left)? - self.constant_address(right)?;
        let size = self.types.pointee(left.ty).and_then(|to| self.types.size(to))?;
        self.types.long(true).wrap(bytes).checked_div(i128::from(size))
    }
}
