//! Reading and writing arrays.

use crate::op::Op;
use crate::term::Term;

pub(super) fn select(mut array: Term, index: Term) -> Option<Term> {
    let mut skipped = false;
    while let (Op::Store, [inner, written, element]) = (array.op(), array.args()) {
        if *written == index {
            return Some(*element);
        }
        if written.as_lit().is_none() || index.as_lit().is_none() {
            break;
        }
        (array, skipped) = (*inner, true);
    }
    match array.op() {
        Op::ConstArray(_) => Some(array.args()[0]),
        Op::Lit(value) if index.as_lit().is_none() => {
            // Unknown index into an array without entries: the default it is.
            let array = value.as_array();
            (array.entries().next().is_none()).then(|| Term::lit(array.default().clone()))
        }
        _ if skipped => Some(array.select(index)),
        _ => None,
    }
}

pub(super) fn store(array: Term, index: Term, element: Term) -> Option<Term> {
    match (array.op(), array.args()) {
        // The later write wins.
        (Op::Store, [inner, written, _]) if *written == index => Some(inner.store(index, element)),
        (Op::ConstArray(_), [everywhere]) if *everywhere == element => Some(array),
        _ => match (element.op(), element.args()) {
            (Op::Select, [from, at]) if *from == array && *at == index => Some(array),
            _ => None,
        },
    }
}
