//! The operators on sets of values.

use lapidary_expr::{Op, Sort, Value};

use super::abs::Abs;
use lapidary_expr::interval::{GREATEST, LEAST, Range};

/// A set with all values that the operator has on the arguments; `sort` is that of the result.
pub(in crate::pass) fn apply(op: &Op, sort: Sort, args: &[Abs]) -> Abs {
    let result = match args {
        [Abs::Truth(_), ..] => truths(op, args),
        [Abs::Int(_), ..] => integers(op, args),
        [Abs::Bits(width, ..), ..] => bits(op, *width, args),
        [] | [Abs::Any, ..] => None,
    };
    let all = Abs::all(sort);
    result.and_then(|result| all.meet(result)).unwrap_or(all)
}

/// The value for single values, by the table.
fn concrete(op: &Op, args: &[Abs]) -> Option<Value> {
    let values = args.iter().map(|arg| arg.value()).collect::<Option<Vec<_>>>()?;
    op.info().map(|info| (info.eval)(op, &values))
}

fn truths(op: &Op, args: &[Abs]) -> Option<Abs> {
    let known = |truth: bool| args.iter().any(|arg| arg.as_truth() == Some(truth));
    let all = |truth: bool| args.iter().all(|arg| arg.as_truth() == Some(truth));
    let value = match (op, args) {
        (Op::Not, [arg]) => !arg.as_truth()?,
        (Op::And, _) if known(false) => false,
        (Op::And, _) if all(true) => true,
        (Op::Or, _) if known(true) => true,
        (Op::Or, _) if all(false) => false,
        (Op::Eq, [left, right]) => left.as_truth()? == right.as_truth()?,
        _ => return None,
    };
    Some(Abs::truth(value))
}

/// A comparison of any elements.
pub(in crate::pass) fn compare(left: Range, right: Range, is_strict: bool) -> Abs {
    let strict = i128::from(is_strict);
    if left.hi != GREATEST && right.lo != LEAST && left.hi + strict <= right.lo {
        Abs::truth(true)
    } else if left.lo != LEAST && right.hi != GREATEST && left.lo + strict > right.hi {
        Abs::truth(false)
    } else {
        Abs::all(Sort::Bool)
    }
}

/// Whether elements are equal, if that is the same for all.
fn equal(left: Range, right: Range) -> Option<Abs> {
    match (left.value(), right.value()) {
        (Some(left), Some(right)) => Some(Abs::truth(left == right)),
        _ => left.meet(right).is_none().then_some(Abs::truth(false)),
    }
}

fn integers(op: &Op, args: &[Abs]) -> Option<Abs> {
    let range = |arg: &Abs| match arg {
        Abs::Int(range) => Some(*range),
        _ => None,
    };
    let fold = |combine: fn(Range, Range) -> Range| {
        args[1..].iter().try_fold(range(&args[0])?, |all, arg| Some(combine(all, range(arg)?)))
    };
    let (first, second) = (range(&args[0])?, args.get(1).and_then(range));
    Some(match op {
        Op::Add => Abs::Int(fold(Range::plus)?),
        Op::Mul => Abs::Int(fold(Range::times)?),
        Op::Le => compare(first, second?, false),
        Op::Lt => compare(first, second?, true),
        Op::Eq => equal(first, second?)?,
        Op::Div => Abs::Int(first.div_euclid(second?)),
        Op::Mod => Abs::Int(first.rem_euclid(second?)),
        Op::Rem => Abs::Int(first.rem_trunc(second?)),
        Op::IntToBv(width) => Abs::unsigned(*width, first),
        _ => return None,
    })
}

/// Folds ranges of both kinds of numbers.
fn fold(width: u32, args: &[(Range, Range)], combine: fn(Range, Range) -> Range) -> Option<Abs> {
    let unsigned = args.iter().map(|arg| arg.0).reduce(combine)?;
    let signed = args.iter().map(|arg| arg.1).reduce(combine)?;
    Some(Abs::wrapped(width, unsigned, signed))
}

fn bits(op: &Op, width: u32, args: &[Abs]) -> Option<Abs> {
    let ranges = args.iter().map(|arg| match arg {
        Abs::Bits(_, unsigned, signed) => Some((*unsigned, *signed)),
        _ => None,
    });
    let ranges = ranges.collect::<Option<Vec<_>>>()?;
    let (unsigned, signed) = ranges[0];
    Some(match (op, ranges.get(1)) {
        (Op::BvAdd, _) => fold(width, &ranges, Range::plus)?,
        (Op::BvSub, _) => fold(width, &ranges, Range::minus)?,
        (Op::BvMul, _) => fold(width, &ranges, Range::times)?,
        (Op::BvNeg, _) => Abs::wrapped(width, unsigned.negated(), signed.negated()),
        (Op::BvNot, _) => {
            let minus_one = Range::single(-1);
            Abs::wrapped(width, minus_one.minus(unsigned), minus_one.minus(signed))
        }
        (Op::BvUlt, Some(other)) => compare(unsigned, other.0, true),
        (Op::BvUle, Some(other)) => compare(unsigned, other.0, false),
        (Op::BvSlt, Some(other)) => compare(signed, other.1, true),
        (Op::BvSle, Some(other)) => compare(signed, other.1, false),
        (Op::Eq, Some(other)) => equal(unsigned, other.0).or_else(|| equal(signed, other.1))?,
        _ if ranges.iter().all(|arg| arg.0.value().is_some()) => Abs::of(&concrete(op, args)?),
        (Op::BvAnd | Op::BvOr | Op::BvXor, _) => bitwise(op, width, &ranges)?,
        (Op::BvShl | Op::BvLshr | Op::BvAshr, Some(by)) => shift(op, width, ranges[0], by.0)?,
        (Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem, Some(other)) => {
            division(op, width, ranges[0], *other)?
        }
        (Op::Concat, _) => concat(args),
        (Op::Extract(high, low), _) => {
            Abs::unsigned(high - low + 1, unsigned.floor_div(1i128 << low))
        }
        (Op::ZeroExtend(n), _) => Abs::unsigned(width + n, unsigned),
        (Op::SignExtend(n), _) => Abs::unsigned(width + n, signed),
        (Op::BvToInt, _) => Abs::Int(unsigned),
        (Op::BvToSigned, _) => Abs::Int(signed),
        _ => return None,
    })
}

/// Bits that are combined one by one.
fn bitwise(op: &Op, width: u32, args: &[(Range, Range)]) -> Option<Abs> {
    let all_below = |bound: i128| (1i128 << (128 - bound.leading_zeros())) - 1;
    let most = args.iter().map(|arg| arg.0.hi).max()?;
    let range = match op {
        Op::BvAnd => {
            masked(args).unwrap_or(Range::between(0, args.iter().map(|arg| arg.0.hi).min()?))
        }
        Op::BvOr => Range::between(args.iter().map(|arg| arg.0.lo).max()?, all_below(most)),
        _ => Range::between(0, all_below(most)),
    };
    Some(Abs::unsigned(width, range))
}

/// The conjunction with a number whose ones are at the low end is a remainder.
fn masked(args: &[(Range, Range)]) -> Option<Range> {
    let [left, right] = args else { return None };
    let of = |mask: Range, other: Range| {
        let mask = mask.value()?;
        (mask & (mask + 1) == 0).then(|| other.modulo(mask + 1))
    };
    of(left.0, right.0).or_else(|| of(right.0, left.0))
}

fn shift(op: &Op, width: u32, bits: (Range, Range), by: Range) -> Option<Abs> {
    let (unsigned, signed) = bits;
    let distance = by.value().filter(|n| *n < i128::from(width));
    Some(match (op, distance) {
        (Op::BvShl, Some(n)) => {
            let factor = Range::single(1i128 << n);
            Abs::wrapped(width, unsigned.times(factor), signed.times(factor))
        }
        (Op::BvLshr, Some(n)) => Abs::unsigned(width, unsigned.floor_div(1i128 << n)),
        (Op::BvLshr, None) => Abs::unsigned(width, Range::between(0, unsigned.hi)),
        (Op::BvAshr, Some(n)) => Abs::unsigned(width, signed.floor_div(1i128 << n)),
        (Op::BvAshr, None) => {
            // The rest of a negative number is at most -1, that of another one at least 0.
            let lo = signed.lo.min(0);
            let hi = if signed.hi < 0 { -1 } else { signed.hi };
            Abs::unsigned(width, Range::between(lo, hi))
        }
        _ => return None,
    })
}

/// Quotients by zero are what the table says; remainders by zero are the dividend.
fn division(op: &Op, width: u32, dividend: (Range, Range), divisor: (Range, Range)) -> Option<Abs> {
    let may_be_zero = divisor.0.has(0);
    Some(match op {
        Op::BvUdiv | Op::BvSdiv if may_be_zero => return None,
        Op::BvUdiv => Abs::unsigned(width, dividend.0.div_trunc(divisor.0)),
        Op::BvUrem => Abs::unsigned(width, dividend.0.rem_euclid(divisor.0)),
        Op::BvSdiv => Abs::unsigned(width, dividend.1.div_trunc(divisor.1)),
        _ => Abs::unsigned(width, dividend.1.rem_trunc(divisor.1)),
    })
}

fn concat(args: &[Abs]) -> Abs {
    let join = |high: Abs, low: &Abs| match (high, *low) {
        (Abs::Bits(above, high, _), Abs::Bits(below, low, _)) => {
            let shifted = high.times(Range::single(1i128 << below));
            Abs::unsigned(above + below, shifted.plus(low))
        }
        _ => Abs::Any,
    };
    args[1..].iter().fold(args[0], join)
}
