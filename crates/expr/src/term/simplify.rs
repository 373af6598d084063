//! The local simplifier: the normal form of one application whose arguments are in normal form.
//!
//! - Values are folded; neutral and dominating arguments go.
//! - `and`, `or` are flat (up to a width that keeps circuits linear), without repetitions or complementary
//!   arguments.
//! - Linear arithmetic is collected (see [`linear`]): `x + 1 <= y + 3` becomes `x <= y + 2`, and the
//!   integer `2 * x < 5` becomes `x <= 2`.
//! - Negation is pushed into inequalities, so that `not` stands before equalities, connectives and
//!   other atoms only.
//! - Reading an array at a value goes through writes at other values.
//!
//! Only one node is looked at, so the cost of building a term is linear in its size.

mod arrays;
mod bits;
mod boolean;
pub mod linear;

use crate::op::Op;
use crate::sort::Sort;
use crate::term::Term;
use crate::value::Value;

/// The normal form of `op` applied to `args`, which have the right sorts for it.
pub(crate) fn app(op: Op, args: Vec<Term>, sort: Sort) -> Term {
    if let Some(value) = fold(&op, &args) {
        return Term::lit(value);
    }
    if let [left, right] = args[..]
        && let Some(simpler) = boolean::compared_choice(&op, left, right)
    {
        return simpler;
    }
    let simpler = match op {
        Op::Not => boolean::not(args[0]),
        Op::And => Some(boolean::connective(Op::And, args.clone(), false)),
        Op::Or => Some(boolean::connective(Op::Or, args.clone(), true)),
        Op::Eq => equality(args[0], args[1]),
        Op::Ite => boolean::ite(args[0], args[1], args[2]),
        Op::Add => Some(linear::sum(&args, sort)),
        Op::Mul => Some(linear::product(&args, sort)),
        Op::Le | Op::Lt => Some(linear::comparison(op.clone(), args[0], args[1])),
        Op::Div | Op::Mod | Op::Rem => linear::division(&op, args[0], args[1]),
        Op::RatDiv => linear::quotient(args[0], args[1]),
        Op::Select => arrays::select(args[0], args[1]),
        Op::Store => arrays::store(args[0], args[1], args[2]),
        _ => bits::simplify(&op, &args, sort),
    };
    simpler.unwrap_or_else(|| Term::intern(op, args.into(), sort))
}

/// The value, if all arguments are values.
fn fold(op: &Op, args: &[Term]) -> Option<Value> {
    if matches!(op, Op::Apply(_)) {
        return None;
    }
    let info = op.info()?;
    let values: Vec<Value> = args.iter().map(|arg| arg.as_lit().cloned()).collect::<Option<_>>()?;
    Some((info.eval)(op, &values))
}

fn equality(left: Term, right: Term) -> Option<Term> {
    if left == right {
        return Some(true.into());
    }
    match left.sort() {
        Sort::Bool => boolean::equivalence(left, right),
        Sort::Int | Sort::Rat => Some(linear::comparison(Op::Eq, left, right)),
        // The value goes to the right, so that `5 = x` and `x = 5` are one term.
        _ if left.as_lit().is_some() => Some(verbatim(Op::Eq, [right, left], Sort::Bool)),
        _ => None,
    }
}

/// A node just as given.
fn verbatim<const N: usize>(op: Op, args: [Term; N], sort: Sort) -> Term {
    Term::intern(op, Box::from(args), sort)
}
