//! The operator table: each operator's name, arity, sort rule and evaluation, in one line.
//!
//! Names are SMT-LIB's wherever SMT-LIB has the operator. All operators are total, with the meaning that
//! [`Info::eval`] gives; a solver whose own meaning differs (integer division by zero) must be told by
//! its translation. SMT-LIB's other operators (`-`, `>`, `>=`, `=>`, `xor`, `distinct`) are sugar: the
//! constructors of [`Term`](crate::Term) and the parser of [`text`](crate::text) know them.
//!
//! Three operators have no SMT-LIB counterpart with the same meaning:
//! - `div` and `mod` are SMT-LIB's Euclidean ones, with `x div 0 = 0` and `x mod 0 = x`, so that
//!   `x = y * (x div y) + x mod y` always holds;
//! - `rem` takes the sign of the dividend, like C's `%`, with `x rem 0 = x`;
//! - `/` on rationals has `x / 0 = 0`.

mod bv;
mod rule;
mod semantics;

use std::fmt;

use crate::sort::{ArraySort, Sort};
use crate::value::Value;
use crate::var::{Func, Var};

/// How many arguments an operator takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// Exactly this many.
    Exactly(usize),
    /// Two or more.
    Many,
}

/// What the table says about an operator.
#[derive(Clone, Copy)]
pub struct Info {
    /// The name, without indices.
    pub name: &'static str,
    /// The number of arguments.
    pub arity: Arity,
    /// The sort of the result, if the arguments fit.
    pub sort: fn(&Op, &[Sort]) -> Option<Sort>,
    /// The value for the values of the arguments.
    pub eval: fn(&Op, &[Value]) -> Value,
}

macro_rules! operators {
    (
        plain { $($(#[$doc:meta])* $op:ident $name:literal $arity:expr, $rule:path, $eval:path;)* }
        indexed { $($(#[$idoc:meta])* $iop:ident($($index:ty),*) $iname:literal $iarity:expr, $irule:path, $ieval:path;)* }
    ) => {
        /// The head of a term.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Op {
            /// A value.
            Lit(Value),
            /// A variable.
            Var(Var),
            $($(#[$doc])* $op,)*
            $($(#[$idoc])* $iop($($index),*),)*
        }

        impl Op {
            /// The operators without indices.
            pub const PLAIN: &[Op] = &[$(Op::$op),*];

            /// The operator's line of the table; none for values and variables.
            pub fn info(&self) -> Option<&'static Info> {
                match self {
                    Op::Lit(_) | Op::Var(_) => None,
                    $(Op::$op => Some(&Info { name: $name, arity: $arity, sort: $rule, eval: $eval }),)*
                    $(Op::$iop { .. } => Some(&Info { name: $iname, arity: $iarity, sort: $irule, eval: $ieval }),)*
                }
            }
        }
    };
}

use Arity::{Exactly, Many};

operators! {
    plain {
        /// Negation.
        Not "not" Exactly(1), rule::booleans, semantics::not;
        /// Conjunction.
        And "and" Many, rule::booleans, semantics::and;
        /// Disjunction.
        Or "or" Many, rule::booleans, semantics::or;
        /// Equality of two terms of one sort.
        Eq "=" Exactly(2), rule::equality, semantics::eq;
        /// If-then-else.
        Ite "ite" Exactly(3), rule::ite, semantics::ite;
        /// Sum of numbers.
        Add "+" Many, rule::numbers, semantics::add;
        /// Product of numbers.
        Mul "*" Many, rule::numbers, semantics::mul;
        /// Less or equal, of numbers.
        Le "<=" Exactly(2), rule::comparison, semantics::le;
        /// Less, of numbers.
        Lt "<" Exactly(2), rule::comparison, semantics::lt;
        /// Euclidean division of integers.
        Div "div" Exactly(2), rule::integers, semantics::div;
        /// Euclidean remainder of integers, never negative unless the divisor is zero.
        Mod "mod" Exactly(2), rule::integers, semantics::modulo;
        /// Remainder of integers with the sign of the dividend.
        Rem "rem" Exactly(2), rule::integers, semantics::rem;
        /// Division of rationals.
        RatDiv "/" Exactly(2), rule::rationals, semantics::rat_div;
        /// An integer as a rational.
        ToRat "to_real" Exactly(1), rule::int_to_rat, semantics::to_rat;
        /// The greatest integer not above a rational.
        Floor "to_int" Exactly(1), rule::rat_to_int, semantics::floor;
        /// Bitwise complement.
        BvNot "bvnot" Exactly(1), rule::bits, bv::not;
        /// Two's complement negation.
        BvNeg "bvneg" Exactly(1), rule::bits, bv::neg;
        /// Bitwise conjunction.
        BvAnd "bvand" Many, rule::bits, bv::and;
        /// Bitwise disjunction.
        BvOr "bvor" Many, rule::bits, bv::or;
        /// Bitwise exclusive disjunction.
        BvXor "bvxor" Many, rule::bits, bv::xor;
        /// Addition modulo 2^n.
        BvAdd "bvadd" Many, rule::bits, bv::add;
        /// Subtraction modulo 2^n.
        BvSub "bvsub" Exactly(2), rule::bits, bv::sub;
        /// Multiplication modulo 2^n.
        BvMul "bvmul" Many, rule::bits, bv::mul;
        /// Unsigned division; all ones for a zero divisor.
        BvUdiv "bvudiv" Exactly(2), rule::bits, bv::udiv;
        /// Unsigned remainder; the dividend for a zero divisor.
        BvUrem "bvurem" Exactly(2), rule::bits, bv::urem;
        /// Signed division toward zero; 1 or -1 against the dividend's sign for a zero divisor.
        BvSdiv "bvsdiv" Exactly(2), rule::bits, bv::sdiv;
        /// Signed remainder with the sign of the dividend; the dividend for a zero divisor.
        BvSrem "bvsrem" Exactly(2), rule::bits, bv::srem;
        /// Signed remainder with the sign of the divisor; the dividend for a zero divisor.
        BvSmod "bvsmod" Exactly(2), rule::bits, bv::smod;
        /// Shift left; zero beyond the width.
        BvShl "bvshl" Exactly(2), rule::bits, bv::shl;
        /// Logical shift right; zero beyond the width.
        BvLshr "bvlshr" Exactly(2), rule::bits, bv::lshr;
        /// Arithmetic shift right; all signs beyond the width.
        BvAshr "bvashr" Exactly(2), rule::bits, bv::ashr;
        /// Unsigned less.
        BvUlt "bvult" Exactly(2), rule::bits_comparison, bv::ult;
        /// Unsigned less or equal.
        BvUle "bvule" Exactly(2), rule::bits_comparison, bv::ule;
        /// Signed less.
        BvSlt "bvslt" Exactly(2), rule::bits_comparison, bv::slt;
        /// Signed less or equal.
        BvSle "bvsle" Exactly(2), rule::bits_comparison, bv::sle;
        /// Concatenation, the first argument at the high end.
        Concat "concat" Many, rule::concat, bv::concat;
        /// The unsigned number that the bits say.
        BvToInt "ubv_to_int" Exactly(1), rule::bits_to_int, bv::to_int;
        /// The signed number that the bits say.
        BvToSigned "sbv_to_int" Exactly(1), rule::bits_to_int, bv::to_signed;
        /// The element of an array at an index.
        Select "select" Exactly(2), rule::select, semantics::select;
        /// An array with one element replaced.
        Store "store" Exactly(3), rule::store, semantics::store;
    }
    indexed {
        /// Bits from the first index down to the second, both included.
        Extract(u32, u32) "extract" Exactly(1), rule::extract, bv::extract;
        /// That many zeros at the high end.
        ZeroExtend(u32) "zero_extend" Exactly(1), rule::extend, bv::zero_extend;
        /// That many copies of the sign at the high end.
        SignExtend(u32) "sign_extend" Exactly(1), rule::extend, bv::sign_extend;
        /// An integer modulo 2^n.
        IntToBv(u32) "int_to_bv" Exactly(1), rule::int_to_bits, bv::from_int;
        /// The array with one element everywhere.
        ConstArray(ArraySort) "const" Exactly(1), rule::const_array, semantics::const_array;
        /// Application of an uninterpreted function, evaluated by a valuation and not by the table.
        Apply(Func) "apply" Exactly(1), rule::apply, semantics::apply;
    }
}

impl Op {
    /// The operator without indices that has this name.
    pub fn plain(name: &str) -> Option<&'static Op> {
        Op::PLAIN.iter().find(|op| op.info().is_some_and(|info| info.name == name))
    }

    /// The sort of this operator applied to arguments of the given sorts.
    pub fn sort_of(&self, args: &[Sort]) -> Result<Sort, IllSorted> {
        let sort = match self {
            Op::Lit(value) => Some(value.sort()),
            Op::Var(var) => Some(var.sort()),
            _ => self
                .info()
                .filter(|info| self.fits(info.arity, args))
                .and_then(|info| (info.sort)(self, args)),
        };
        sort.ok_or_else(|| IllSorted { op: self.to_string(), args: args.to_vec() })
    }

    fn fits(&self, arity: Arity, args: &[Sort]) -> bool {
        match (self, arity) {
            (Op::Apply(func), _) => args.len() == func.params().len(),
            (_, Exactly(n)) => args.len() == n,
            (_, Many) => args.len() >= 2,
        }
    }
}

/// The operator as it stands at the head of a term.
impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.info().map_or("", |info| info.name);
        match self {
            Op::Lit(value) => write!(f, "{value}"),
            Op::Var(var) => write!(f, "{var}"),
            Op::Extract(high, low) => write!(f, "(_ {name} {high} {low})"),
            Op::ZeroExtend(n) | Op::SignExtend(n) | Op::IntToBv(n) => write!(f, "(_ {name} {n})"),
            Op::ConstArray(sort) => write!(f, "(as {name} {})", Sort::Array(*sort)),
            Op::Apply(func) => write!(f, "{func}"),
            _ => f.write_str(name),
        }
    }
}

/// An operator was applied to arguments that it does not take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllSorted {
    op: String,
    args: Vec<Sort>,
}

impl fmt::Display for IllSorted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` cannot be applied to", self.op)?;
        if self.args.is_empty() {
            return f.write_str(" no arguments");
        }
        self.args.iter().enumerate().try_for_each(|(i, sort)| {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma} {sort}")
        })
    }
}

impl std::error::Error for IllSorted {}

/// Whether SMT-LIB text would read `name` as one of our operators.
pub(crate) fn is_operator_name(name: &str) -> bool {
    Op::plain(name).is_some()
        || matches!(
            name,
            "-" | ">" | ">=" | "=>" | "xor" | "distinct" | "const" | "extract" | "apply"
        )
        || matches!(
            name,
            "bvuge" | "bvugt" | "bvsge" | "bvsgt" | "bvnand" | "bvnor" | "bvxnor" | "bvcomp"
        )
        || matches!(
            name,
            "zero_extend" | "sign_extend" | "int_to_bv" | "int2bv" | "bv2int" | "bv2nat" | "repeat"
        )
        || matches!(name, "rotate_left" | "rotate_right" | "abs" | "is_int")
}
