//! Bit-vector identities.

use crate::op::Op;
use crate::sort::Sort;
use crate::term::Term;
use crate::value::{Value, ones};

pub(super) fn simplify(op: &Op, args: &[Term], sort: Sort) -> Option<Term> {
    match op {
        Op::BvNot | Op::BvNeg if args[0].op() == op => Some(args[0].args()[0]),
        Op::BvAnd => nary(op, args, sort, Literal::Ones, Some(Literal::Zero)),
        Op::BvOr => nary(op, args, sort, Literal::Zero, Some(Literal::Ones)),
        Op::BvXor | Op::BvAdd => nary(op, args, sort, Literal::Zero, None),
        Op::BvMul => nary(op, args, sort, Literal::One, Some(Literal::Zero)),
        Op::BvSub if args[0] == args[1] => Some(Term::lit(Value::default_of(sort))),
        Op::BvSub | Op::BvShl | Op::BvLshr | Op::BvAshr if is(args[1], Literal::Zero) => {
            Some(args[0])
        }
        Op::BvUlt | Op::BvSlt if args[0] == args[1] => Some(false.into()),
        Op::BvUlt if is(args[1], Literal::Zero) => Some(false.into()),
        Op::BvUle | Op::BvSle if args[0] == args[1] => Some(true.into()),
        Op::BvUle if is(args[0], Literal::Zero) => Some(true.into()),
        Op::Extract(_, 0) if sort == args[0].sort() => Some(args[0]),
        Op::ZeroExtend(0) | Op::SignExtend(0) => Some(args[0]),
        Op::Concat => flat_concat(args, sort),
        _ => None,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Literal {
    Zero,
    One,
    Ones,
}

fn is(term: Term, literal: Literal) -> bool {
    match term.as_lit() {
        Some(Value::Bv(bv)) => match literal {
            Literal::Zero => bv.unsigned().is_zero(),
            Literal::One => bv.unsigned().is_one(),
            Literal::Ones => *bv.unsigned() == ones(bv.width()),
        },
        _ => false,
    }
}

/// Parts with more arguments than this do not become flat: were they, doubling a sum again and again would
/// double the term again and again.
const WIDE: usize = 32;

/// The arguments of `part` if it can become flat in `op`, itself otherwise.
fn flat<'a>(op: &Op, part: &'a Term) -> &'a [Term] {
    let joins = part.op() == op && part.args().len() <= WIDE;
    if joins { part.args() } else { std::slice::from_ref(part) }
}

/// An associative and commutative operator: flat, its values folded into one at the end.
fn nary(
    op: &Op,
    args: &[Term],
    sort: Sort,
    neutral: Literal,
    dominant: Option<Literal>,
) -> Option<Term> {
    let parts = args.iter().flat_map(|arg| flat(op, arg));
    let (values, mut rest): (Vec<Term>, Vec<Term>) =
        parts.partition(|part| part.as_lit().is_some());
    let info = op.info()?;
    let values: Vec<Value> =
        values.into_iter().filter_map(|value| value.as_lit().cloned()).collect();
    if !values.is_empty() {
        let value =
            Term::lit(if values.len() == 1 { values[0].clone() } else { (info.eval)(op, &values) });
        if dominant.is_some_and(|dominant| is(value, dominant)) {
            return Some(value);
        }
        if !is(value, neutral) || rest.is_empty() {
            rest.push(value);
        }
    }
    if matches!(op, Op::BvAnd | Op::BvOr) {
        let mut seen = rustc_hash::FxHashSet::default();
        rest.retain(|part| seen.insert(*part));
    }
    match rest[..] {
        [only] => Some(only),
        _ if rest == args => None,
        _ => Some(Term::intern(op.clone(), rest.into(), sort)),
    }
}

fn flat_concat(args: &[Term], sort: Sort) -> Option<Term> {
    let parts: Vec<Term> = args.iter().flat_map(|arg| flat(&Op::Concat, arg)).copied().collect();
    (parts != args).then(|| Term::intern(Op::Concat, parts.into(), sort))
}
