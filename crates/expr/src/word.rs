//! Evaluation in machine words, for what is evaluated millions of times.
//!
//! A truth value, an integer that fits and a bit-vector of at most 64 bits are one word each
//! ([`Value::pack`](crate::Value::pack)); most operators then take an instruction or two. What leaves this range (an
//! overflow, a wider vector, an array) is no error: evaluation in [`Value`]s knows it all, and is the meaning that
//! this one is tested against.

use crate::eval::{Assignment, Beyond};
use crate::op::Op;
use crate::sort::Sort;
use crate::term::{SMALL, Term};
use crate::value::Value;

/// An operator on words; bit-vectors know their width here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names are those of `Op`
pub enum WordOp {
    Not,
    And,
    Or,
    Eq,
    Add,
    Mul,
    Le,
    Lt,
    Div,
    Mod,
    Rem,
    BvNot(u32),
    BvNeg(u32),
    BvAnd,
    BvOr,
    BvXor,
    BvAdd(u32),
    BvSub(u32),
    BvMul(u32),
    BvUdiv(u32),
    BvUrem,
    BvSdiv(u32),
    BvSrem(u32),
    BvSmod(u32),
    BvShl(u32),
    BvLshr(u32),
    BvAshr(u32),
    BvUlt,
    BvUle,
    BvSlt(u32),
    BvSle(u32),
    /// The width of the second argument.
    Concat(u32),
    BvToInt,
    BvToSigned(u32),
    /// The high bit and the low one.
    Extract(u32, u32),
    ZeroExtend,
    /// The width before and after.
    SignExtend(u32, u32),
    IntToBv(u32),
}

impl WordOp {
    /// The operator between two arguments that follow each other, or of the only one; none if words do not know it.
    pub fn new(op: &Op, args: &[Term]) -> Option<WordOp> {
        let fits = |sort: Sort| matches!(sort, Sort::Bool | Sort::Int | Sort::Bv(..=64));
        if !args.iter().all(|arg| fits(arg.sort())) {
            return None;
        }
        let last = match args.last()?.sort() {
            Sort::Bv(width) => width,
            _ => 0,
        };
        Some(match op {
            Op::Not => WordOp::Not,
            Op::And => WordOp::And,
            Op::Or => WordOp::Or,
            Op::Eq => WordOp::Eq,
            Op::Add => WordOp::Add,
            Op::Mul => WordOp::Mul,
            Op::Le => WordOp::Le,
            Op::Lt => WordOp::Lt,
            Op::Div => WordOp::Div,
            Op::Mod => WordOp::Mod,
            Op::Rem => WordOp::Rem,
            Op::BvNot => WordOp::BvNot(last),
            Op::BvNeg => WordOp::BvNeg(last),
            Op::BvAnd => WordOp::BvAnd,
            Op::BvOr => WordOp::BvOr,
            Op::BvXor => WordOp::BvXor,
            Op::BvAdd => WordOp::BvAdd(last),
            Op::BvSub => WordOp::BvSub(last),
            Op::BvMul => WordOp::BvMul(last),
            Op::BvUdiv => WordOp::BvUdiv(last),
            Op::BvUrem => WordOp::BvUrem,
            Op::BvSdiv => WordOp::BvSdiv(last),
            Op::BvSrem => WordOp::BvSrem(last),
            Op::BvSmod => WordOp::BvSmod(last),
            Op::BvShl => WordOp::BvShl(last),
            Op::BvLshr => WordOp::BvLshr(last),
            Op::BvAshr => WordOp::BvAshr(last),
            Op::BvUlt => WordOp::BvUlt,
            Op::BvUle => WordOp::BvUle,
            Op::BvSlt => WordOp::BvSlt(last),
            Op::BvSle => WordOp::BvSle(last),
            Op::Concat => match args {
                [_, _] if fits(Sort::Bv(args.iter().map(|arg| bits(*arg)).sum())) => {
                    WordOp::Concat(last)
                }
                _ => return None,
            },
            Op::BvToInt => WordOp::BvToInt,
            Op::BvToSigned => WordOp::BvToSigned(last),
            Op::Extract(high, low) => WordOp::Extract(*high, *low),
            Op::ZeroExtend(by) if last + by <= 64 => WordOp::ZeroExtend,
            Op::SignExtend(by) if last + by <= 64 => WordOp::SignExtend(last, last + by),
            Op::IntToBv(width) if *width <= 64 => WordOp::IntToBv(*width),
            _ => return None,
        })
    }

    /// The operator of one argument.
    #[inline]
    pub fn unary(self, x: i64) -> Result<i64, Beyond> {
        Ok(match self {
            WordOp::Not => x ^ 1,
            WordOp::BvNot(width) => !x & mask(width),
            WordOp::BvNeg(width) => x.wrapping_neg() & mask(width),
            WordOp::BvToInt if x < 0 => return Err(Beyond),
            WordOp::BvToInt | WordOp::ZeroExtend => x,
            WordOp::BvToSigned(width) => signed(x, width),
            WordOp::Extract(high, low) => {
                (x.cast_unsigned() >> low).cast_signed() & mask(high - low + 1)
            }
            WordOp::SignExtend(from, to) => signed(x, from) & mask(to),
            WordOp::IntToBv(width) => x & mask(width),
            _ => return Err(Beyond),
        })
    }

    /// The operator between two arguments.
    #[inline]
    pub fn binary(self, x: i64, y: i64) -> Result<i64, Beyond> {
        let (a, b) = (x.cast_unsigned(), y.cast_unsigned());
        let exact = |value: Option<i64>| value.ok_or(Beyond);
        Ok(match self {
            WordOp::And | WordOp::BvAnd => x & y,
            WordOp::Or | WordOp::BvOr => x | y,
            WordOp::BvXor => x ^ y,
            WordOp::Eq => i64::from(x == y),
            WordOp::Add => return exact(x.checked_add(y)),
            WordOp::Mul => return exact(x.checked_mul(y)),
            WordOp::Le => i64::from(x <= y),
            WordOp::Lt => i64::from(x < y),
            WordOp::Div if y == 0 => 0,
            WordOp::Div => return exact(x.checked_div_euclid(y)),
            // The dividend for a divisor that is zero.
            WordOp::Mod | WordOp::Rem | WordOp::BvSrem(_) | WordOp::BvSmod(_) if y == 0 => x,
            WordOp::Mod => x.wrapping_rem_euclid(y),
            WordOp::Rem => x.wrapping_rem(y),
            WordOp::BvAdd(width) => x.wrapping_add(y) & mask(width),
            WordOp::BvSub(width) => x.wrapping_sub(y) & mask(width),
            WordOp::BvMul(width) => x.wrapping_mul(y) & mask(width),
            WordOp::BvUdiv(width) => a.checked_div(b).map_or(mask(width), u64::cast_signed),
            WordOp::BvUrem => a.checked_rem(b).map_or(x, u64::cast_signed),
            WordOp::BvSdiv(width) => match (signed(x, width), signed(y, width)) {
                (..0, 0) => 1,
                (_, 0) => mask(width),
                (x, y) => x.wrapping_div(y) & mask(width),
            },
            WordOp::BvSrem(width) => signed(x, width).wrapping_rem(signed(y, width)) & mask(width),
            WordOp::BvSmod(width) => {
                let (x, y) = (signed(x, width), signed(y, width));
                let rest = x.wrapping_rem(y);
                let differs = rest != 0 && (rest < 0) != (y < 0);
                (if differs { rest.wrapping_add(y) } else { rest }) & mask(width)
            }
            WordOp::BvShl(width) if b >= u64::from(width) => 0,
            WordOp::BvShl(width) => (x << y) & mask(width),
            WordOp::BvLshr(width) if b >= u64::from(width) => 0,
            WordOp::BvLshr(_) => (a >> b).cast_signed(),
            WordOp::BvAshr(width) => {
                (signed(x, width) >> b.min(u64::from(width) - 1)) & mask(width)
            }
            WordOp::BvUlt => i64::from(a < b),
            WordOp::BvUle => i64::from(a <= b),
            WordOp::BvSlt(width) => i64::from(signed(x, width) < signed(y, width)),
            WordOp::BvSle(width) => i64::from(signed(x, width) <= signed(y, width)),
            WordOp::Concat(width) => (x << width) | y,
            _ => return Err(Beyond),
        })
    }
}

fn bits(term: Term) -> u32 {
    match term.sort() {
        Sort::Bv(width) => width,
        _ => 0,
    }
}

/// The low bits.
#[inline]
fn mask(width: u32) -> i64 {
    if width >= 64 { -1 } else { ((1u64 << width) - 1).cast_signed() }
}

/// A bit-vector as a two's complement number.
#[inline]
fn signed(x: i64, width: u32) -> i64 {
    let unused = 64 - width;
    (x << unused) >> unused
}

/// The value of a small term in words; none if the known values do not decide it.
pub(crate) fn word(term: Term, known: &impl Assignment) -> Result<Option<i64>, Beyond> {
    match (term.op(), term.args()) {
        (Op::Lit(value), _) => value.pack().map(Some).ok_or(Beyond),
        (Op::Var(var), _) => known.word(*var),
        (Op::And, args) => connective(args, known, 0),
        (Op::Or, args) => connective(args, known, 1),
        (Op::Not, [only]) => Ok(word(*only, known)?.map(|truth| truth ^ 1)),
        (Op::Ite, [condition, then, otherwise]) => match word(*condition, known)? {
            Some(0) => word(*otherwise, known),
            Some(_) => word(*then, known),
            None => {
                let then = word(*then, known)?;
                Ok(then.filter(|_| word(*otherwise, known) == Ok(then)))
            }
        },
        (Op::Mul, args) => product(args, known),
        (op, [only]) => match word(*only, known)? {
            Some(x) => WordOp::new(op, &[*only]).ok_or(Beyond)?.unary(x).map(Some),
            None => Ok(None),
        },
        (op, [first, rest @ ..]) => {
            let on_words = WordOp::new(op, term.args()).ok_or(Beyond)?;
            let Some(mut value) = word(*first, known)? else { return Ok(None) };
            for arg in rest {
                let Some(x) = word(*arg, known)? else { return Ok(None) };
                value = on_words.binary(value, x)?;
            }
            Ok(Some(value))
        }
        (_, []) => Err(Beyond),
    }
}

/// One argument with the value `dominant` decides, whatever is unknown about the others.
fn connective(
    args: &[Term],
    known: &impl Assignment,
    dominant: i64,
) -> Result<Option<i64>, Beyond> {
    let mut unknown = false;
    for arg in args {
        match word(*arg, known)? {
            Some(truth) if truth == dominant => return Ok(Some(dominant)),
            Some(_) => {}
            None => unknown = true,
        }
    }
    Ok((!unknown).then_some(1 - dominant))
}

/// Zero times anything is zero.
fn product(args: &[Term], known: &impl Assignment) -> Result<Option<i64>, Beyond> {
    let mut product = Some(1);
    for arg in args {
        product = match (word(*arg, known)?, product) {
            (Some(0), _) => return Ok(Some(0)),
            (Some(x), Some(product)) => Some(WordOp::Mul.binary(product, x)?),
            _ => None,
        };
    }
    Ok(product)
}

impl Term {
    /// [`eval`](Term::eval) that tries words first: what is looked up in words had better not become big numbers.
    pub fn eval_packed(self, known: &impl Assignment) -> Option<Value> {
        match self.as_word(known) {
            Ok(word) => word.map(|word| Value::unpack(self.sort(), word)),
            Err(Beyond) => self.eval(known),
        }
    }

    /// [`holds`](Term::holds) that tries words first.
    pub fn holds_packed(self, known: &impl Assignment) -> Option<bool> {
        match self.as_word(known) {
            Ok(word) => word.map(|word| word != 0),
            Err(Beyond) => self.holds(known),
        }
    }

    /// The value as a word, if the known values decide it.
    pub fn as_word(self, known: &impl Assignment) -> Result<Option<i64>, Beyond> {
        if self.size() <= SMALL { word(self, known) } else { Err(Beyond) }
    }
}
