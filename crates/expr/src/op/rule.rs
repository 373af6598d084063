//! Sort rules: the sort of an application, or none where the arguments do not fit.
//!
//! The arity has been checked before a rule is asked.

use super::Op;
use crate::sort::Sort;

fn all(args: &[Sort], sort: Sort) -> bool {
    args.iter().all(|s| *s == sort)
}

fn same(args: &[Sort]) -> Option<Sort> {
    args.first().copied().filter(|first| all(args, *first))
}

pub(super) fn booleans(_: &Op, args: &[Sort]) -> Option<Sort> {
    all(args, Sort::Bool).then_some(Sort::Bool)
}

pub(super) fn equality(_: &Op, args: &[Sort]) -> Option<Sort> {
    same(args).map(|_| Sort::Bool)
}

pub(super) fn ite(_: &Op, args: &[Sort]) -> Option<Sort> {
    if args[0] == Sort::Bool { same(&args[1..]) } else { None }
}

pub(super) fn numbers(_: &Op, args: &[Sort]) -> Option<Sort> {
    same(args).filter(|sort| sort.is_arithmetic())
}

pub(super) fn comparison(op: &Op, args: &[Sort]) -> Option<Sort> {
    numbers(op, args).map(|_| Sort::Bool)
}

pub(super) fn integers(_: &Op, args: &[Sort]) -> Option<Sort> {
    all(args, Sort::Int).then_some(Sort::Int)
}

pub(super) fn rationals(_: &Op, args: &[Sort]) -> Option<Sort> {
    all(args, Sort::Rat).then_some(Sort::Rat)
}

pub(super) fn int_to_rat(_: &Op, args: &[Sort]) -> Option<Sort> {
    all(args, Sort::Int).then_some(Sort::Rat)
}

pub(super) fn rat_to_int(_: &Op, args: &[Sort]) -> Option<Sort> {
    all(args, Sort::Rat).then_some(Sort::Int)
}

pub(super) fn bits(_: &Op, args: &[Sort]) -> Option<Sort> {
    same(args).filter(|sort| matches!(sort, Sort::Bv(_)))
}

pub(super) fn bits_comparison(op: &Op, args: &[Sort]) -> Option<Sort> {
    bits(op, args).map(|_| Sort::Bool)
}

pub(super) fn bits_to_int(op: &Op, args: &[Sort]) -> Option<Sort> {
    bits(op, args).map(|_| Sort::Int)
}

pub(super) fn int_to_bits(op: &Op, args: &[Sort]) -> Option<Sort> {
    match (op, args) {
        (Op::IntToBv(width), [Sort::Int]) if *width > 0 => Some(Sort::Bv(*width)),
        _ => None,
    }
}

pub(super) fn concat(_: &Op, args: &[Sort]) -> Option<Sort> {
    let mut width = 0u32;
    for sort in args {
        match sort {
            Sort::Bv(n) => width = width.checked_add(*n)?,
            _ => return None,
        }
    }
    Some(Sort::Bv(width))
}

pub(super) fn extract(op: &Op, args: &[Sort]) -> Option<Sort> {
    match (op, args) {
        (Op::Extract(high, low), [Sort::Bv(width)]) if low <= high && high < width => {
            Some(Sort::Bv(high - low + 1))
        }
        _ => None,
    }
}

pub(super) fn extend(op: &Op, args: &[Sort]) -> Option<Sort> {
    match (op, args) {
        (Op::ZeroExtend(n) | Op::SignExtend(n), [Sort::Bv(width)]) => {
            width.checked_add(*n).map(Sort::Bv)
        }
        _ => None,
    }
}

pub(super) fn select(_: &Op, args: &[Sort]) -> Option<Sort> {
    match args {
        [Sort::Array(array), index] if *index == array.index() => Some(array.element()),
        _ => None,
    }
}

pub(super) fn store(_: &Op, args: &[Sort]) -> Option<Sort> {
    match args {
        [Sort::Array(array), index, element]
            if *index == array.index() && *element == array.element() =>
        {
            Some(args[0])
        }
        _ => None,
    }
}

pub(super) fn const_array(op: &Op, args: &[Sort]) -> Option<Sort> {
    match op {
        Op::ConstArray(array) if args[0] == array.element() => Some(Sort::Array(*array)),
        _ => None,
    }
}

pub(super) fn apply(op: &Op, args: &[Sort]) -> Option<Sort> {
    match op {
        Op::Apply(func) if func.params() == args => Some(func.result()),
        _ => None,
    }
}
