//! The operators on vectors as circuits: each bit of the result as a formula over the bits of the arguments.

use crate::op::Op;
use crate::term::Term;

/// About how many gates `op` applied to arguments with these bits takes; none if it is no operator on bits.
pub(super) fn n_gates(op: &Op, args: &[&[Term]], width: usize) -> Option<usize> {
    let longest = args.iter().map(|arg| arg.len()).max().unwrap_or(width);
    let stages = args.last().map_or(0, |arg| arg.len());
    Some(match op {
        Op::Apply(_) => return None,
        Op::BvMul => 3 * width * width * (args.len() - 1),
        Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod => 4 * width * width,
        Op::BvShl | Op::BvLshr | Op::BvAshr => width * stages,
        _ => 3 * longest.max(width),
    })
}

/// The bits of `op` applied to arguments with these bits; there are `width` of them.
pub(super) fn apply(op: &Op, args: &[&[Term]], width: usize) -> Vec<Term> {
    let first = args[0];
    let second = || args[1];
    let all = |join: fn(&[Term], &[Term]) -> Vec<Term>| {
        args[1..].iter().fold(first.to_vec(), |bits, arg| join(&bits, arg))
    };
    match op {
        Op::Not | Op::BvNot => first.iter().map(|bit| bit.not()).collect(),
        Op::And => vec![Term::and(args.iter().map(|arg| arg[0]))],
        Op::Or => vec![Term::or(args.iter().map(|arg| arg[0]))],
        Op::Eq => vec![equal(first, second())],
        Op::Ite => choose(first[0], args[1], args[2]),
        Op::BvAnd => all(|a, b| bitwise(a, b, |a, b| Term::and([a, b]))),
        Op::BvOr => all(|a, b| bitwise(a, b, |a, b| Term::or([a, b]))),
        Op::BvXor => all(|a, b| bitwise(a, b, |a, b| a.equals(b).not())),
        Op::BvAdd => all(|a, b| add(a, b, false.into()).0),
        Op::BvSub => subtract(first, second()).0,
        Op::BvNeg => negate(first),
        Op::BvMul => all(multiply),
        Op::BvUdiv => divide(first, second()).0,
        Op::BvUrem => divide(first, second()).1,
        Op::BvSdiv => {
            let quotient = divide(&magnitude(first), &magnitude(second())).0;
            negate_if(sign(first).equals(sign(second())).not(), &quotient)
        }
        Op::BvSrem => {
            let remainder = divide(&magnitude(first), &magnitude(second())).1;
            negate_if(sign(first), &remainder)
        }
        Op::BvSmod => modulo(first, second()),
        Op::BvShl => shift_left(first, second()),
        Op::BvLshr => shift_right(first, second(), false.into()),
        Op::BvAshr => shift_right(first, second(), sign(first)),
        Op::BvUlt => vec![less(first, second())],
        Op::BvUle => vec![less(second(), first).not()],
        Op::BvSlt => vec![less(&from_signed(first), &from_signed(second()))],
        Op::BvSle => vec![less(&from_signed(second()), &from_signed(first)).not()],
        Op::Concat => args.iter().rev().flat_map(|arg| arg.iter().copied()).collect(),
        Op::Extract(high, low) => first[*low as usize..=*high as usize].to_vec(),
        Op::ZeroExtend(_) => extended(first, width, false.into()),
        Op::SignExtend(_) => extended(first, width, sign(first)),
        Op::Select => element(first, second()),
        Op::Store => store(first, second(), args[2]),
        Op::ConstArray(_) => first.repeat(width / first.len()),
        _ => unreachable!("`{op}` is no operator on bits"),
    }
}

fn bitwise(a: &[Term], b: &[Term], gate: impl Fn(Term, Term) -> Term) -> Vec<Term> {
    a.iter().zip(b).map(|(a, b)| gate(*a, *b)).collect()
}

fn equal(a: &[Term], b: &[Term]) -> Term {
    Term::and(a.iter().zip(b).map(|(a, b)| a.equals(*b)))
}

fn choose(condition: Term, then: &[Term], otherwise: &[Term]) -> Vec<Term> {
    bitwise(then, otherwise, |then, otherwise| condition.ite(then, otherwise))
}

/// The highest bit.
fn sign(bits: &[Term]) -> Term {
    *bits.last().expect("vectors have bits")
}

/// Signed numbers in the order of unsigned ones.
fn from_signed(bits: &[Term]) -> Vec<Term> {
    let mut bits = bits.to_vec();
    let sign = bits.last_mut().expect("vectors have bits");
    *sign = sign.not();
    bits
}

fn extended(bits: &[Term], width: usize, by: Term) -> Vec<Term> {
    let mut bits = bits.to_vec();
    bits.resize(width, by);
    bits
}

/// The sum, and what is carried out of it.
fn add(a: &[Term], b: &[Term], mut carry: Term) -> (Vec<Term>, Term) {
    let mut sum = Vec::with_capacity(a.len());
    for (a, b) in a.iter().zip(b) {
        let same = a.equals(*b);
        sum.push(same.equals(carry));
        carry = same.ite(*a, carry);
    }
    (sum, carry)
}

fn inverted(bits: &[Term]) -> Vec<Term> {
    bits.iter().map(|bit| bit.not()).collect()
}

/// The difference, and whether the first is at least the second.
fn subtract(a: &[Term], b: &[Term]) -> (Vec<Term>, Term) {
    add(a, &inverted(b), true.into())
}

fn negate(bits: &[Term]) -> Vec<Term> {
    subtract(&vec![false.into(); bits.len()], bits).0
}

fn negate_if(condition: Term, bits: &[Term]) -> Vec<Term> {
    choose(condition, &negate(bits), bits)
}

fn magnitude(bits: &[Term]) -> Vec<Term> {
    negate_if(sign(bits), bits)
}

fn less(a: &[Term], b: &[Term]) -> Term {
    // From the lowest bit up: where two bits differ, they decide.
    a.iter().zip(b).fold(false.into(), |less, (a, b)| a.equals(*b).ite(less, *b))
}

/// The sum of the first, shifted, for every bit of the second.
fn multiply(a: &[Term], b: &[Term]) -> Vec<Term> {
    let n = a.len();
    let mut product: Vec<Term> = vec![false.into(); n];
    for (i, bit) in b.iter().enumerate() {
        if !bit.is_false() {
            let row: Vec<Term> = a[..n - i].iter().map(|a| Term::and([*bit, *a])).collect();
            let high = add(&product[i..], &row, false.into()).0;
            product.splice(i.., high);
        }
    }
    product
}

/// Quotient and remainder by long division. A divisor of zero fits every time: the quotient is all ones and the
/// remainder the dividend, as it should be.
fn divide(a: &[Term], b: &[Term]) -> (Vec<Term>, Vec<Term>) {
    let n = a.len();
    let divisor = extended(b, n + 1, false.into());
    let mut quotient = vec![false.into(); n];
    let mut rest: Vec<Term> = vec![false.into(); n];
    for i in (0..n).rev() {
        rest.insert(0, a[i]);
        let (difference, fits) = subtract(&rest, &divisor);
        quotient[i] = fits;
        rest = choose(fits, &difference, &rest);
        rest.pop();
    }
    (quotient, rest)
}

/// The remainder with the sign of the divisor.
fn modulo(a: &[Term], b: &[Term]) -> Vec<Term> {
    let rest = divide(&magnitude(a), &magnitude(b)).1;
    let signed = negate_if(sign(a), &rest);
    let moved = add(&signed, b, false.into()).0;
    let is_zero = Term::or(rest.iter().copied()).not();
    let stays = Term::or([is_zero, sign(a).equals(sign(b))]);
    choose(stays, &signed, &moved)
}

/// Shifted toward the low end, `fill` coming in: by each power of two that the second has.
fn shift_right(bits: &[Term], by: &[Term], fill: Term) -> Vec<Term> {
    let n = bits.len();
    let mut shifted = bits.to_vec();
    for (i, bit) in by.iter().enumerate() {
        let distance = if i < usize::BITS as usize - 1 { n.min(1 << i) } else { n };
        let further = extended(&shifted[distance..], n, fill);
        shifted = choose(*bit, &further, &shifted);
    }
    shifted
}

fn shift_left(bits: &[Term], by: &[Term]) -> Vec<Term> {
    let reversed: Vec<Term> = bits.iter().rev().copied().collect();
    let mut shifted = shift_right(&reversed, by, false.into());
    shifted.reverse();
    shifted
}

/// The element at an index: halves of the array by its bits, from the highest down.
fn element(array: &[Term], index: &[Term]) -> Vec<Term> {
    let halve = |array: Vec<Term>, bit: &Term| {
        let (low, high) = array.split_at(array.len() / 2);
        choose(*bit, high, low)
    };
    index.iter().rev().fold(array.to_vec(), halve)
}

fn store(array: &[Term], index: &[Term], new: &[Term]) -> Vec<Term> {
    let here = chosen(index);
    let elements = array.chunks(new.len()).zip(here);
    elements.flat_map(|(old, here)| choose(here, new, old)).collect()
}

/// For each index in turn, whether it is this one.
fn chosen(index: &[Term]) -> Vec<Term> {
    index.iter().fold(vec![true.into()], |chosen: Vec<Term>, bit| {
        let with = |bit: Term| chosen.iter().map(move |so_far| Term::and([*so_far, bit]));
        with(bit.not()).chain(with(*bit)).collect()
    })
}
