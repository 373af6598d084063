//! The operators: their names and the sorts that they take.

use super::Sort;

macro_rules! operators {
    ($($(#[$doc:meta])* $op:ident $name:literal,)*) => {
        /// An operator.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Operator {
            $($(#[$doc])* $op,)*
            /// That many copies of the sign at the high end.
            Sext(u32),
            /// That many zeros at the high end.
            Uext(u32),
            /// The bits from the first down to the second.
            Slice(u32, u32),
        }

        impl Operator {
            /// All operators without indices.
            pub const PLAIN: &[Operator] = &[$(Operator::$op),*];

            /// Its name.
            pub fn name(self) -> &'static str {
                match self {
                    $(Operator::$op => $name,)*
                    Operator::Sext(_) => "sext",
                    Operator::Uext(_) => "uext",
                    Operator::Slice(..) => "slice",
                }
            }
        }
    };
}

operators! {
    /// All bits flipped.
    Not "not",
    /// One more.
    Inc "inc",
    /// One less.
    Dec "dec",
    /// Two's complement negation.
    Neg "neg",
    /// Whether all bits are set.
    Redand "redand",
    /// Whether any bit is set.
    Redor "redor",
    /// Whether an odd number of bits is set.
    Redxor "redxor",
    /// Equivalence of bits.
    Iff "iff",
    /// Implication of bits.
    Implies "implies",
    /// Equality.
    Eq "eq",
    /// Inequality.
    Neq "neq",
    /// Signed greater.
    Sgt "sgt",
    /// Unsigned greater.
    Ugt "ugt",
    /// Signed greater or equal.
    Sgte "sgte",
    /// Unsigned greater or equal.
    Ugte "ugte",
    /// Signed less.
    Slt "slt",
    /// Unsigned less.
    Ult "ult",
    /// Signed less or equal.
    Slte "slte",
    /// Unsigned less or equal.
    Ulte "ulte",
    /// Bitwise and.
    And "and",
    /// Bitwise nand.
    Nand "nand",
    /// Bitwise nor.
    Nor "nor",
    /// Bitwise or.
    Or "or",
    /// Bitwise xnor.
    Xnor "xnor",
    /// Bitwise xor.
    Xor "xor",
    /// Rotation to the left.
    Rol "rol",
    /// Rotation to the right.
    Ror "ror",
    /// Shift to the left.
    Sll "sll",
    /// Shift to the right with copies of the sign.
    Sra "sra",
    /// Shift to the right.
    Srl "srl",
    /// Sum.
    Add "add",
    /// Product.
    Mul "mul",
    /// Signed quotient, toward zero.
    Sdiv "sdiv",
    /// Unsigned quotient; all ones for a zero divisor.
    Udiv "udiv",
    /// Signed remainder with the sign of the divisor.
    Smod "smod",
    /// Signed remainder with the sign of the dividend.
    Srem "srem",
    /// Unsigned remainder.
    Urem "urem",
    /// Difference.
    Sub "sub",
    /// Whether the signed sum overflows.
    Saddo "saddo",
    /// Whether the unsigned sum overflows.
    Uaddo "uaddo",
    /// Whether the signed quotient overflows.
    Sdivo "sdivo",
    /// Whether the unsigned quotient overflows, which it never does.
    Udivo "udivo",
    /// Whether the signed product overflows.
    Smulo "smulo",
    /// Whether the unsigned product overflows.
    Umulo "umulo",
    /// Whether the signed difference overflows.
    Ssubo "ssubo",
    /// Whether the unsigned difference overflows.
    Usubo "usubo",
    /// Concatenation, the first operand at the high end.
    Concat "concat",
    /// The element of an array.
    Read "read",
    /// If-then-else.
    Ite "ite",
    /// An array with one element replaced.
    Write "write",
}

impl Operator {
    /// The operator without indices that has this name.
    pub fn plain(name: &str) -> Option<Operator> {
        Operator::PLAIN.iter().copied().find(|operator| operator.name() == name)
    }

    /// The number of operands.
    pub fn arity(self) -> usize {
        use Operator::*;
        match self {
            Not | Inc | Dec | Neg | Redand | Redor | Redxor | Sext(_) | Uext(_) | Slice(..) => 1,
            Ite | Write => 3,
            _ => 2,
        }
    }

    /// The sort of the result for operands of these sorts; none if it does not take them.
    pub fn result(self, operands: &[Sort]) -> Option<Sort> {
        use Operator::*;
        let bit = Sort::Bits(1);
        Some(match (self, operands) {
            (Not | Inc | Dec | Neg, [sort @ Sort::Bits(_)]) => *sort,
            (Redand | Redor | Redxor, [Sort::Bits(_)])
            | (Iff | Implies, [Sort::Bits(1), Sort::Bits(1)]) => bit,
            (Sext(more) | Uext(more), [Sort::Bits(width)]) => Sort::Bits(width.checked_add(more)?),
            (Slice(high, low), [Sort::Bits(width)]) if low <= high && high < *width => {
                Sort::Bits(high - low + 1)
            }
            (Eq | Neq, [left, right]) if left == right => bit,
            (Concat, [Sort::Bits(high), Sort::Bits(low)]) => Sort::Bits(high.checked_add(*low)?),
            (Read, [Sort::Array(index, element), Sort::Bits(at)]) if at == index => {
                Sort::Bits(*element)
            }
            (Ite, [Sort::Bits(1), then, otherwise]) if then == otherwise => *then,
            (Write, [array @ Sort::Array(index, element), Sort::Bits(at), Sort::Bits(new)])
                if at == index && new == element =>
            {
                *array
            }
            (Eq | Neq | Concat | Read | Ite | Write | Iff | Implies, _) => return None,
            (operator, [left @ Sort::Bits(_), right]) if left == right => match operator {
                Sgt | Ugt | Sgte | Ugte | Slt | Ult | Slte | Ulte | Saddo | Uaddo | Sdivo
                | Udivo | Smulo | Umulo | Ssubo | Usubo => bit,
                _ => *left,
            },
            _ => return None,
        })
    }
}
