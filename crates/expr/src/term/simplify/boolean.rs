//! Connectives.

use rustc_hash::FxHashSet;

use super::verbatim;
use crate::op::Op;
use crate::sort::Sort;
use crate::term::Term;

pub(super) fn not(arg: Term) -> Option<Term> {
    let swap = |op: Op| {
        let [left, right] = *arg.args() else { unreachable!("a comparison has two arguments") };
        Some(
            Term::app(op, vec![right, left])
                .unwrap_or_else(|e| unreachable!("swapped comparison: {e}")),
        )
    };
    match arg.op() {
        Op::Not => Some(arg.args()[0]),
        Op::Le => swap(Op::Lt),
        Op::Lt => swap(Op::Le),
        Op::BvUle => swap(Op::BvUlt),
        Op::BvUlt => swap(Op::BvUle),
        Op::BvSle => swap(Op::BvSlt),
        Op::BvSlt => swap(Op::BvSle),
        _ => None,
    }
}

/// A part with more arguments than this becomes flat only among siblings that are not much smaller.
const WIDE: usize = 64;
/// How much larger a wide part may be than its siblings together.
const RATIO: usize = 8;
/// Parts with more arguments than this never become flat.
const WIDEST: usize = 1 << 12;

/// `and` (dominated by `false`) or `or` (dominated by `true`): flat, each argument once.
///
/// A circuit is a chain of gates, each of which has the one before it as an argument: were all of them flat,
/// the terms would be quadratic in the circuit. So a wide part stays as it is where little is added to it.
pub(super) fn connective(op: Op, args: Vec<Term>, dominant: bool) -> Term {
    let mut flat = Vec::with_capacity(args.len());
    let mut seen = FxHashSet::default();
    let width = |arg: &Term| if *arg.op() == op { arg.args().len() } else { 1 };
    let total: usize = args.iter().map(width).sum();
    let joins = |arg: &Term| {
        let own = width(arg);
        *arg.op() == op && (own <= WIDE || own <= WIDEST.min((total - own) * RATIO))
    };
    for arg in args {
        let parts = if joins(&arg) { arg.args() } else { std::slice::from_ref(&arg) };
        for part in parts {
            if part.is_true() || part.is_false() {
                if part.is_true() == dominant {
                    return dominant.into();
                }
                continue;
            }
            if seen.contains(&part.not()) {
                return dominant.into();
            }
            if seen.insert(*part) {
                flat.push(*part);
            }
        }
    }
    match flat[..] {
        [] => (!dominant).into(),
        [only] => only,
        _ => Term::intern(op, flat.into(), Sort::Bool),
    }
}

/// Equality of truth values.
pub(super) fn equivalence(left: Term, right: Term) -> Option<Term> {
    for (side, other) in [(left, right), (right, left)] {
        if side.is_true() {
            return Some(other);
        }
        if side.is_false() {
            return Some(other.not());
        }
    }
    if left == right.not() {
        return Some(false.into());
    }
    // `¬a = b` and `a = ¬b` are `¬(a = b)`.
    match (left.op(), right.op()) {
        (Op::Not, Op::Not) => Some(verbatim(Op::Eq, [left.args()[0], right.args()[0]], Sort::Bool)),
        (Op::Not, _) => Some(left.args()[0].equals(right).not()),
        (_, Op::Not) => Some(left.equals(right.args()[0]).not()),
        _ => None,
    }
}

/// `ite(c, 1, 0) = 0` is `¬c`: a comparison of a value with a choice between two values, which is how C programs keep
/// truth values.
pub(super) fn compared_choice(op: &Op, left: Term, right: Term) -> Option<Term> {
    let is_comparison = matches!(op, Op::Eq | Op::Le | Op::Lt)
        || matches!(op, Op::BvUle | Op::BvUlt | Op::BvSle | Op::BvSlt);
    if !is_comparison {
        return None;
    }
    let choice = |term: Term| match (term.op(), term.args()) {
        (Op::Ite, [condition, then, otherwise]) => {
            then.as_lit().and(otherwise.as_lit())?;
            Some((*condition, *then, *otherwise))
        }
        _ => None,
    };
    let apply = |args: Vec<Term>| Term::app(op.clone(), args).ok();
    let (condition, then, otherwise) = match (left.as_lit(), right.as_lit()) {
        (None, Some(_)) => {
            let (condition, then, otherwise) = choice(left)?;
            (condition, apply(vec![then, right])?, apply(vec![otherwise, right])?)
        }
        (Some(_), None) => {
            let (condition, then, otherwise) = choice(right)?;
            (condition, apply(vec![left, then])?, apply(vec![left, otherwise])?)
        }
        _ => return None,
    };
    Some(condition.ite(then, otherwise))
}

pub(super) fn ite(condition: Term, then: Term, otherwise: Term) -> Option<Term> {
    if condition.is_true() || then == otherwise {
        return Some(then);
    }
    if condition.is_false() {
        return Some(otherwise);
    }
    if then.is_true() {
        return Some(Term::or([condition, otherwise]));
    }
    if then.is_false() {
        return Some(Term::and([condition.not(), otherwise]));
    }
    if otherwise.is_true() {
        return Some(Term::or([condition.not(), then]));
    }
    if otherwise.is_false() {
        return Some(Term::and([condition, then]));
    }
    match condition.op() {
        Op::Not => Some(condition.args()[0].ite(otherwise, then)),
        _ => None,
    }
}
