//! Formulas as C expressions, exactly: an expression is only written if no part of it can overflow or be converted.
//!
//! Integers are written in `int` where that is wide enough for every value on the way, else in `long long`, else not
//! at all. Bit-vectors are written as unsigned numbers of their width, which wrap around as they do.

use std::cell::Cell;

use lapidary_expr::interval::Range;
use lapidary_expr::{IBig, Op, Sort, Term, Value, Var};
use rustc_hash::FxHashMap;

use crate::c::evidence::loops::Name;

/// Formulas with more nodes than this, written as trees, are not for people or tools to read.
const LARGEST: u32 = 60;

/// The variables that have names.
pub(super) struct Names<'n> {
    of: FxHashMap<Var, &'n Name>,
    /// How many nodes may still be written.
    left: Cell<u32>,
}

/// A number with the range that it is in.
struct Number {
    text: String,
    range: Range,
}

/// The type in which integers are written.
#[derive(Clone, Copy, PartialEq)]
enum Wide {
    Int,
    LongLong,
}

impl Wide {
    fn fits(self, number: &Number) -> bool {
        let bits = if self == Wide::Int { 31 } else { 63 };
        number.range.is_within(-(1 << bits), (1 << bits) - 1)
    }
}

impl<'n> Names<'n> {
    pub(super) fn new(names: &'n [Name]) -> Names<'n> {
        let of = names.iter().map(|name| (name.var, name)).collect();
        Names { of, left: Cell::new(0) }
    }

    /// A formula that a conjunction implies: the parts of it that can be written, if there are any.
    pub(super) fn weakened(&self, formula: Term) -> Option<String> {
        let written = |part| {
            self.left.set(LARGEST);
            self.condition(part)
        };
        let parts: Vec<String> = formula.conjuncts().into_iter().filter_map(written).collect();
        match parts.is_empty() {
            true => None,
            false => Some(parts.join(" && ")),
        }
    }

    /// Counts a node; none if there were too many.
    fn count(&self) -> Option<()> {
        self.left.set(self.left.get().checked_sub(1)?);
        Some(())
    }

    /// A formula, in parentheses unless it is a constant.
    fn condition(&self, term: Term) -> Option<String> {
        self.count()?;
        let args = term.args();
        let join = |op: &str| {
            let parts: Option<Vec<String>> = args.iter().map(|arg| self.condition(*arg)).collect();
            parts.map(|parts| format!("({})", parts.join(op)))
        };
        match term.op() {
            Op::Lit(Value::Bool(truth)) => Some(u8::from(*truth).to_string()),
            Op::And => join(" && "),
            Op::Or => join(" || "),
            Op::Not => match args[0].op() {
                Op::Eq if args[0].args()[0].sort() != Sort::Bool => {
                    self.comparison("!=", args[0].args(), false)
                }
                _ => Some(format!("!{}", self.condition(args[0])?)),
            },
            Op::Eq if args[0].sort() == Sort::Bool => join(" == "),
            Op::Eq => self.comparison("==", args, false),
            Op::Le | Op::BvUle => self.comparison("<=", args, false),
            Op::Lt | Op::BvUlt => self.comparison("<", args, false),
            Op::BvSle => self.comparison("<=", args, true),
            Op::BvSlt => self.comparison("<", args, true),
            Op::Ite => {
                let [condition, then, otherwise] = args else { return None };
                let (condition, then) = (self.condition(*condition)?, self.condition(*then)?);
                Some(format!("({condition} ? {then} : {})", self.condition(*otherwise)?))
            }
            _ => None,
        }
    }

    fn comparison(&self, op: &str, args: &[Term], is_signed: bool) -> Option<String> {
        let [left, right] = args else { return None };
        // Equality is the same either way; signed variables need no conversion then.
        let is_signed_var = |term: &Term| {
            term.as_var().and_then(|var| self.of.get(&var)).is_some_and(|name| name.is_signed)
        };
        let is_signed = is_signed || matches!(op, "==" | "!=") && args.iter().any(is_signed_var);
        let (left, right) = match left.sort() {
            Sort::Int => {
                let in_wide = |wide| {
                    Some((self.integer(*left, wide)?.text, self.integer(*right, wide)?.text))
                };
                in_wide(Wide::Int).or_else(|| in_wide(Wide::LongLong))?
            }
            Sort::Bv(width) => {
                (self.operand(*left, width, is_signed)?, self.operand(*right, width, is_signed)?)
            }
            _ => return None,
        };
        Some(format!("({left} {op} {right})"))
    }

    /// A bit-vector as a number to compare, signed or not.
    fn operand(&self, term: Term, width: u32, is_signed: bool) -> Option<String> {
        let ty = if is_signed { signed(width)? } else { unsigned(width)? };
        match term.op() {
            Op::Lit(Value::Bv(value)) if is_signed => literal(small(&value.signed())?),
            Op::Var(var) => {
                let name = self.of.get(var).filter(|name| name.width == width)?;
                Some(match name.is_signed == is_signed {
                    true => name.text.clone(),
                    false => format!("({ty}) {}", name.text),
                })
            }
            _ if is_signed => Some(format!("({ty}) {}", self.bits(term)?)),
            _ => self.bits(term),
        }
    }

    /// An integer, if all that is computed on the way fits.
    fn integer(&self, term: Term, wide: Wide) -> Option<Number> {
        self.count()?;
        let args = term.args();
        let number = match term.op() {
            Op::Lit(Value::Int(value)) => {
                let value = i128::try_from(value).ok()?;
                Number { text: literal(value)?, range: Range::single(value) }
            }
            Op::Var(var) => Self::variable(self.of.get(var)?, wide)?,
            Op::Add => self.folded(args, wide, " + ", Range::plus)?,
            Op::Mul => self.folded(args, wide, " * ", Range::times)?,
            Op::Ite => {
                let condition = self.condition(args[0])?;
                let (a, b) = (self.integer(args[1], wide)?, self.integer(args[2], wide)?);
                Number {
                    text: format!("({condition} ? {} : {})", a.text, b.text),
                    range: a.range.join(b.range),
                }
            }
            // The remainders of C and of mathematics differ for negative numbers.
            Op::Mod | Op::Div => {
                let (a, b) = (self.integer(args[0], wide)?, self.integer(args[1], wide)?);
                let divisor = b.range.value().filter(|divisor| *divisor > 0)?;
                if a.range.lo < 0 {
                    return None;
                }
                let (op, range) = match term.op() {
                    Op::Mod => ("%", a.range.modulo(divisor)),
                    _ => ("/", a.range.floor_div(divisor)),
                };
                Number { text: format!("({} {op} {})", a.text, b.text), range }
            }
            _ => return None,
        };
        wide.fits(&number).then_some(number)
    }

    fn variable(name: &Name, wide: Wide) -> Option<Number> {
        if name.width > 64 {
            return None;
        }
        let (low, high) = match name.is_signed {
            true => (-(1 << (name.width - 1)), (1 << (name.width - 1)) - 1),
            false => (0, (1 << name.width) - 1),
        };
        // An `unsigned` number would make everything unsigned.
        let text = match wide {
            Wide::Int if name.is_signed || name.width < 32 => name.text.clone(),
            Wide::Int => return None,
            Wide::LongLong => format!("(long long) {}", name.text),
        };
        Some(Number { text, range: Range::between(low, high) })
    }

    fn folded(
        &self,
        args: &[Term],
        wide: Wide,
        op: &str,
        compute: fn(Range, Range) -> Range,
    ) -> Option<Number> {
        let mut all = self.integer(*args.first()?, wide)?;
        for arg in &args[1..] {
            let next = self.integer(*arg, wide)?;
            all = Number {
                text: format!("{}{op}{}", all.text, next.text),
                range: compute(all.range, next.range),
            };
            if !wide.fits(&all) {
                return None;
            }
        }
        all.text = format!("({})", all.text);
        Some(all)
    }

    /// A bit-vector as an unsigned number of its width.
    fn bits(&self, term: Term) -> Option<String> {
        self.count()?;
        let Sort::Bv(width) = term.sort() else { return None };
        let ty = unsigned(width)?;
        let args = term.args();
        let of = |op: &str| {
            let parts: Option<Vec<String>> = args.iter().map(|arg| self.bits(*arg)).collect();
            parts.map(|parts| format!("({ty}) ({})", parts.join(op)))
        };
        match term.op() {
            Op::Lit(Value::Bv(value)) => Some(format!("{}ULL", value.unsigned())),
            Op::Var(var) => {
                let name = self.of.get(var).filter(|name| name.width == width)?;
                Some(format!("({ty}) {}", name.text))
            }
            Op::BvAdd => of(" + "),
            Op::BvSub => of(" - "),
            Op::BvMul if width >= 32 => of(" * "),
            Op::BvAnd => of(" & "),
            Op::BvOr => of(" | "),
            Op::BvXor => of(" ^ "),
            Op::BvNot => Some(format!("({ty}) ~({})", self.bits(args[0])?)),
            Op::BvNeg => Some(format!("({ty}) -({})", self.bits(args[0])?)),
            Op::ZeroExtend(_) | Op::Extract(_, 0) => {
                Some(format!("({ty}) ({})", self.bits(args[0])?))
            }
            Op::SignExtend(by) => {
                let from = signed(width - by)?;
                Some(format!("({ty}) ({from}) ({})", self.bits(args[0])?))
            }
            Op::Ite => {
                let condition = self.condition(args[0])?;
                let (a, b) = (self.bits(args[1])?, self.bits(args[2])?);
                Some(format!("({ty}) ({condition} ? {a} : {b})"))
            }
            _ => None,
        }
    }
}

fn unsigned(width: u32) -> Option<&'static str> {
    Some(match width {
        8 => "unsigned char",
        16 => "unsigned short",
        32 => "unsigned int",
        64 => "unsigned long long",
        _ => return None,
    })
}

fn signed(width: u32) -> Option<&'static str> {
    Some(match width {
        8 => "signed char",
        16 => "short",
        32 => "int",
        64 => "long long",
        _ => return None,
    })
}

/// A number as a constant, of type `int` if it fits.
pub(super) fn literal(value: i128) -> Option<String> {
    let is_int = i32::try_from(value).is_ok();
    let suffix = if is_int { "" } else { "LL" };
    Some(match i64::try_from(value) {
        Ok(i64::MIN) => "(-9223372036854775807LL - 1)".into(),
        // There are no negative constants: `-2147483648` would be wider than `int`.
        Ok(_) if value == i128::from(i32::MIN) => "(-2147483647 - 1)".into(),
        Ok(value) => format!("{value}{suffix}"),
        Err(_) => format!("{}ULL", u64::try_from(value).ok()?),
    })
}

/// The value of a number, if it is not too large.
pub(super) fn small(value: &IBig) -> Option<i128> {
    i128::try_from(value).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(formula: Term, expected: Option<&str>) {
        let name = |text: &str, sort, is_signed, width| Name {
            var: Var::new(text, sort),
            text: text.into(),
            is_signed,
            width,
        };
        let names = [
            name("x", Sort::Int, true, 32),
            name("u", Sort::Int, false, 32),
            name("c", Sort::Int, true, 8),
            name("l", Sort::Int, true, 64),
            name("b", Sort::Bv(32), true, 32),
        ];
        let written = Names::new(&names).weakened(formula);
        assert_eq!(written.as_deref(), expected, "{formula}");
    }

    #[test]
    fn what_is_written_does_not_overflow() {
        let var = |name: &str| Term::var(Var::new(name, Sort::Int));
        let int = |value: i64| Term::int(value);
        let (x, c) = (var("x"), var("c"));
        check(x.at_most(int(10)), Some("(x <= 10)"));
        check(x.plus(c).at_most(int(10)), Some("(((long long) x + (long long) c) <= 10)"));
        check(var("u").at_most(int(3)), Some("((long long) u <= 3)"));
        check(x.equals(int(5)).not(), Some("(x != 5)"));
        check(var("l").plus(x).at_most(int(3)), None);
        // The other part can be written.
        check(Term::and([x.equals(int(-3)), var("hidden").equals(int(1))]), Some("(x == -3)"));
        check(Term::or([x.equals(int(-3)), var("hidden").equals(int(1))]), None);
        check(Term::and([x.equals(int(1)), c.equals(int(2))]), Some("(x == 1) && (c == 2)"));
    }

    #[test]
    fn bits_are_unsigned_numbers() {
        let b = Term::var(Var::new("b", Sort::Bv(32)));
        let less = Term::app(Op::BvSlt, vec![b, Term::bv(32, 7)]).expect("well-sorted");
        check(less, Some("(b < 7)"));
        let next = Term::app(Op::BvAdd, vec![b, Term::bv(32, 1)]).expect("well-sorted");
        let large = Term::app(Op::BvUle, vec![Term::bv(32, 9), next]).expect("well-sorted");
        check(large, Some("(9ULL <= (unsigned int) ((unsigned int) b + 1ULL))"));
    }

    #[test]
    fn large_formulas_are_left_out() {
        let x = Term::var(Var::new("x", Sort::Int));
        let mut term = x;
        for i in 0..100 {
            let next = term.plus(Term::int(i));
            term = term.at_most(Term::int(i)).ite(next, x);
        }
        check(term.at_most(Term::int(3)), None);
    }
}
