//! Types of numbers: integers, and floating numbers and addresses as their bits.

use lapidary_expr::float::Format;

/// The types of numbers by what they can hold. `char` is signed, enumerations are what gcc makes of them. Floating numbers
/// are their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::c) struct IntType {
    /// The number of bits, 1 for `_Bool`.
    pub(in crate::c) width: u32,
    /// Whether it has negative numbers.
    pub(in crate::c) signed: bool,
    pub(in crate::c) rank: Rank,
}

/// The conversion rank: `long` and `int` may have the same bits, but not the same rank. What is no integer of C follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::c) enum Rank {
    Bool,
    Char,
    Short,
    Int,
    Long,
    LongLong,
    Int128,
    /// A floating number.
    Float,
    /// The bits of a union.
    Union,
    /// An address, which is calculated without wrap-around.
    Address,
}

impl IntType {
    pub(in crate::c) const BOOL: IntType = IntType { width: 1, signed: false, rank: Rank::Bool };
    pub(in crate::c) const CHAR: IntType = IntType { width: 8, signed: true, rank: Rank::Char };
    pub(in crate::c) const SHORT: IntType = IntType { width: 16, signed: true, rank: Rank::Short };
    pub(in crate::c) const INT: IntType = IntType { width: 32, signed: true, rank: Rank::Int };
    pub(in crate::c) const UINT: IntType = IntType { width: 32, signed: false, rank: Rank::Int };
    pub(in crate::c) const LLONG: IntType =
        IntType { width: 64, signed: true, rank: Rank::LongLong };
    pub(in crate::c) const INT128: IntType =
        IntType { width: 128, signed: true, rank: Rank::Int128 };

    /// The floating type of so many bytes, if it is `float` or `double`.
    pub(in crate::c) fn float(bytes: u8) -> Option<IntType> {
        let width = u32::from(bytes) * 8;
        matches!(bytes, 4 | 8).then_some(IntType { width, signed: false, rank: Rank::Float })
    }

    /// The format, if this is a floating type.
    pub(in crate::c) fn format(self) -> Option<Format> {
        match (self.rank, self.width) {
            (Rank::Float, 32) => Some(Format::SINGLE),
            (Rank::Float, _) => Some(Format::DOUBLE),
            _ => None,
        }
    }

    pub(in crate::c) fn is_float(self) -> bool {
        self.rank == Rank::Float
    }

    /// Addresses of so many bits.
    pub(in crate::c) fn address(width: u32) -> IntType {
        IntType { width, signed: false, rank: Rank::Address }
    }

    /// Whether these are addresses, which are calculated without wrap-around.
    pub(in crate::c) fn is_address(self) -> bool {
        self.rank == Rank::Address
    }

    pub(in crate::c) fn unsigned(self) -> IntType {
        IntType { signed: false, ..self }
    }

    /// A field of so many bits.
    pub(in crate::c) fn narrowed(self, width: u32) -> IntType {
        IntType { width, ..self }
    }

    /// Whether this is `_Bool`, where every number but zero becomes one.
    pub(in crate::c) fn is_bool(self) -> bool {
        self.rank == Rank::Bool
    }

    /// The smallest value.
    pub(in crate::c) fn least(self) -> i128 {
        if self.signed { -1 << (self.width - 1) } else { 0 }
    }

    /// The largest value; that of an unsigned type of 128 bits does not fit and is cut.
    pub(in crate::c) fn greatest(self) -> i128 {
        match (self.signed, self.width) {
            (true, width) => !(-1 << (width - 1)),
            (false, 127..) => i128::MAX,
            (false, width) => (1 << width) - 1,
        }
    }

    /// The value modulo 2^width.
    pub(in crate::c) fn wrap(self, value: i128) -> i128 {
        if self.is_bool() {
            return i128::from(value != 0);
        }
        if self.width >= 128 {
            return value;
        }
        let cut = value & ((1 << self.width) - 1);
        let is_negative = self.signed && cut >> (self.width - 1) & 1 == 1;
        if is_negative { cut - (1 << self.width) } else { cut }
    }

    /// The bits of the floating number that is nearest to an integer.
    #[expect(clippy::cast_precision_loss, reason = "that is what rounding is")]
    pub(in crate::c) fn bits_of_integer(self, value: i128) -> i128 {
        match self.width {
            32 => i128::from((value as f32).to_bits()),
            _ => i128::from((value as f64).to_bits()),
        }
    }
}
