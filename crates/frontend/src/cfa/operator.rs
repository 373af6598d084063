//! The operators between two operands: how they are written and how tightly they bind.

use lapidary_expr::Op;

/// How tightly an operator binds, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Iff,
    Imply,
    Or,
    Xor,
    And,
    Not,
    Equality,
    Relation,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Concat,
    Extend,
    Unary,
}

/// How operators of one level group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Associativity {
    Left,
    Right,
    /// Only one operator without parentheses.
    None,
}

impl Level {
    const ALL: [Level; 17] = {
        use Level::*;
        [
            Iff, Imply, Or, Xor, And, Not, Equality, Relation, BitOr, BitXor, BitAnd, Shift, Sum,
            Product, Concat, Extend, Unary,
        ]
    };

    /// The next level that binds tighter.
    pub(crate) fn tighter(self) -> Level {
        Level::ALL.get(self as usize + 1).copied().unwrap_or(Level::Unary)
    }

    pub(crate) fn associativity(self) -> Associativity {
        match self {
            Level::Iff | Level::Imply | Level::Xor => Associativity::Right,
            Level::Equality | Level::Relation => Associativity::None,
            _ => Associativity::Left,
        }
    }
}

/// An operator between two operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Infix {
    Iff,
    Imply,
    Or,
    Xor,
    And,
    Equal,
    Different,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Plus,
    Minus,
    Times,
    Divide,
    Mod,
    Rem,
    Concat,
    RotateLeft,
    RotateRight,
    /// An operator on bit-vectors of one width.
    Bits(Op),
    /// The same with its operands exchanged.
    BitsSwapped(Op),
    /// An extension to the width that follows.
    ZeroExtend,
    /// An extension by copies of the sign to the width that follows.
    SignExtend,
}

impl Infix {
    /// The operator that is written like this, and its level.
    pub(crate) fn of(text: &str) -> Option<(Level, Infix)> {
        Some(match text {
            "iff" => (Level::Iff, Infix::Iff),
            "imply" => (Level::Imply, Infix::Imply),
            "or" => (Level::Or, Infix::Or),
            "xor" => (Level::Xor, Infix::Xor),
            "and" => (Level::And, Infix::And),
            "=" => (Level::Equality, Infix::Equal),
            "/=" => (Level::Equality, Infix::Different),
            "<" => (Level::Relation, Infix::Less),
            "<=" => (Level::Relation, Infix::AtMost),
            ">" => (Level::Relation, Infix::Greater),
            ">=" => (Level::Relation, Infix::AtLeast),
            "bvult" => (Level::Relation, Infix::Bits(Op::BvUlt)),
            "bvule" => (Level::Relation, Infix::Bits(Op::BvUle)),
            "bvugt" => (Level::Relation, Infix::BitsSwapped(Op::BvUlt)),
            "bvuge" => (Level::Relation, Infix::BitsSwapped(Op::BvUle)),
            "bvslt" => (Level::Relation, Infix::Bits(Op::BvSlt)),
            "bvsle" => (Level::Relation, Infix::Bits(Op::BvSle)),
            "bvsgt" => (Level::Relation, Infix::BitsSwapped(Op::BvSlt)),
            "bvsge" => (Level::Relation, Infix::BitsSwapped(Op::BvSle)),
            "bvor" => (Level::BitOr, Infix::Bits(Op::BvOr)),
            "bvxor" => (Level::BitXor, Infix::Bits(Op::BvXor)),
            "bvand" => (Level::BitAnd, Infix::Bits(Op::BvAnd)),
            "bvshl" => (Level::Shift, Infix::Bits(Op::BvShl)),
            "bvashr" => (Level::Shift, Infix::Bits(Op::BvAshr)),
            "bvlshr" => (Level::Shift, Infix::Bits(Op::BvLshr)),
            "bvrol" => (Level::Shift, Infix::RotateLeft),
            "bvror" => (Level::Shift, Infix::RotateRight),
            "+" => (Level::Sum, Infix::Plus),
            "-" => (Level::Sum, Infix::Minus),
            "bvadd" => (Level::Sum, Infix::Bits(Op::BvAdd)),
            "bvsub" => (Level::Sum, Infix::Bits(Op::BvSub)),
            "*" => (Level::Product, Infix::Times),
            "/" => (Level::Product, Infix::Divide),
            "mod" => (Level::Product, Infix::Mod),
            "rem" => (Level::Product, Infix::Rem),
            "bvmul" => (Level::Product, Infix::Bits(Op::BvMul)),
            "bvudiv" => (Level::Product, Infix::Bits(Op::BvUdiv)),
            "bvsdiv" => (Level::Product, Infix::Bits(Op::BvSdiv)),
            "bvsmod" => (Level::Product, Infix::Bits(Op::BvSmod)),
            "bvurem" => (Level::Product, Infix::Bits(Op::BvUrem)),
            "bvsrem" => (Level::Product, Infix::Bits(Op::BvSrem)),
            "++" => (Level::Concat, Infix::Concat),
            "bv_zero_extend" => (Level::Extend, Infix::ZeroExtend),
            "bv_sign_extend" => (Level::Extend, Infix::SignExtend),
            _ => return None,
        })
    }

    /// Whether a chain of `self` and `other` is built as one term. Building long chains two operands at a
    /// time would be quadratic.
    pub(crate) fn joins(&self, other: &Infix) -> bool {
        use Infix::{And, Bits, Concat, Minus, Or, Plus, Times};
        match (self, other) {
            (Plus | Minus, Plus | Minus)
            | (And, And)
            | (Or, Or)
            | (Times, Times)
            | (Concat, Concat) => true,
            (Bits(op), Bits(next)) => {
                op == next && matches!(op, Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul)
            }
            _ => false,
        }
    }
}
