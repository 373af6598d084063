//! Operators as terms. Vectors of one bit are truth values; where an operator needs bits, they become bits.

use lapidary_expr::{Op, Sort, Term, Value};

use super::Operator;

/// The sort of terms for a sort of the format.
pub(super) fn sort_of(sort: super::Sort) -> Sort {
    match sort {
        super::Sort::Bits(1) => Sort::Bool,
        super::Sort::Bits(width) => Sort::Bv(width),
        super::Sort::Array(index, element) => Sort::array(Sort::Bv(index), Sort::Bv(element)),
    }
}

/// The operator applied to operands, which have the right sorts for it: parsing has checked them.
pub(super) fn translate(operator: Operator, operands: &[Term]) -> Term {
    use Operator::*;
    match (operator, operands) {
        (Ite, [condition, then, otherwise]) => condition.ite(*then, *otherwise),
        (Eq | Iff, [left, right]) => left.equals(*right),
        (Neq, [left, right]) => left.equals(*right).not(),
        (Implies, [left, right]) => left.implies(*right),
        (Read, [array, index]) => truth(array.select(bits(*index))),
        (Write, [array, index, element]) => array.store(bits(*index), bits(*element)),
        (_, [only]) if only.sort() == Sort::Bool => of_bit(operator, *only),
        (_, [left, right]) if left.sort() == Sort::Bool && right.sort() == Sort::Bool => {
            of_two_bits(operator, *left, *right)
        }
        (_, [only]) => truth(unary(operator, *only)),
        (_, [left, right]) => truth(binary(operator, bits(*left), bits(*right))),
        _ => unreachable!("{operator:?} has no {} operands", operands.len()),
    }
}

/// A vector, of one bit if it is a truth value.
pub(super) fn bits(term: Term) -> Term {
    match term.sort() {
        Sort::Bool => term.ite(Term::bv(1, 1), Term::bv(1, 0)),
        _ => term,
    }
}

/// A truth value, if the term is a vector of one bit.
pub(super) fn truth(term: Term) -> Term {
    if term.sort() != Sort::Bv(1) {
        return term;
    }
    let bit = |term: Term| match term.as_lit() {
        Some(Value::Bv(bit)) => Some(bit.unsigned().is_one()),
        _ => None,
    };
    match (term.op(), term.args()) {
        (Op::Lit(_), _) => bit(term).unwrap_or(false).into(),
        (Op::Ite, [condition, then, otherwise]) => match (bit(*then), bit(*otherwise)) {
            (Some(true), Some(false)) => *condition,
            (Some(false), Some(true)) => condition.not(),
            _ => term.equals(Term::bv(1, 1)),
        },
        _ => term.equals(Term::bv(1, 1)),
    }
}

fn app(op: Op, args: &[Term]) -> Term {
    Term::app(op, args.to_vec())
        .unwrap_or_else(|error| unreachable!("parsing checks sorts: {error}"))
}

fn width(term: Term) -> u32 {
    match term.sort() {
        Sort::Bv(width) => width,
        _ => 1,
    }
}

fn of_bit(operator: Operator, bit: Term) -> Term {
    use Operator::*;
    match operator {
        Not | Inc | Dec => bit.not(),
        Neg | Redand | Redor | Redxor | Slice(..) => bit,
        _ => truth(unary(operator, bits(bit))),
    }
}

fn of_two_bits(operator: Operator, left: Term, right: Term) -> Term {
    use Operator::*;
    match operator {
        And | Mul => Term::and([left, right]),
        Nand => Term::and([left, right]).not(),
        Or => Term::or([left, right]),
        Nor => Term::or([left, right]).not(),
        Xor | Add | Sub => left.equals(right).not(),
        Xnor => left.equals(right),
        Ugt | Slt => Term::and([left, right.not()]),
        Ult | Sgt => Term::and([left.not(), right]),
        Ugte | Slte => Term::or([left, right.not()]),
        Ulte | Sgte => Term::or([left.not(), right]),
        _ => truth(binary(operator, bits(left), bits(right))),
    }
}

fn unary(operator: Operator, arg: Term) -> Term {
    use Operator::*;
    let width = width(arg);
    match operator {
        Not => app(Op::BvNot, &[arg]),
        Neg => app(Op::BvNeg, &[arg]),
        Inc => app(Op::BvAdd, &[arg, Term::bv(width, 1)]),
        Dec => app(Op::BvSub, &[arg, Term::bv(width, 1)]),
        Redand => arg.equals(Term::bv(width, -1)),
        Redor => arg.equals(Term::bv(width, 0)).not(),
        Redxor => {
            let parity = |parity: Term, i| parity.equals(bit_of(arg, i)).not();
            (0..width).fold(false.into(), parity)
        }
        Sext(more) => app(Op::SignExtend(more), &[arg]),
        Uext(more) => app(Op::ZeroExtend(more), &[arg]),
        Slice(high, low) => app(Op::Extract(high, low), &[arg]),
        _ => unreachable!("{operator:?} has more operands"),
    }
}

/// A bit as a truth value.
fn bit_of(vector: Term, i: u32) -> Term {
    truth(app(Op::Extract(i, i), &[vector]))
}

fn binary(operator: Operator, left: Term, right: Term) -> Term {
    use Operator::*;
    let both = [left, right];
    match operator {
        Sgt => app(Op::BvSlt, &[right, left]),
        Ugt => app(Op::BvUlt, &[right, left]),
        Sgte => app(Op::BvSle, &[right, left]),
        Ugte => app(Op::BvUle, &[right, left]),
        Slt => app(Op::BvSlt, &both),
        Ult | Usubo => app(Op::BvUlt, &both),
        Slte => app(Op::BvSle, &both),
        Ulte => app(Op::BvUle, &both),
        And => app(Op::BvAnd, &both),
        Nand => app(Op::BvNot, &[app(Op::BvAnd, &both)]),
        Or => app(Op::BvOr, &both),
        Nor => app(Op::BvNot, &[app(Op::BvOr, &both)]),
        Xor => app(Op::BvXor, &both),
        Xnor => app(Op::BvNot, &[app(Op::BvXor, &both)]),
        Rol => left.rotate_left(right).unwrap_or_else(|error| unreachable!("checked: {error}")),
        Ror => left.rotate_right(right).unwrap_or_else(|error| unreachable!("checked: {error}")),
        Sll => app(Op::BvShl, &both),
        Sra => app(Op::BvAshr, &both),
        Srl => app(Op::BvLshr, &both),
        Add => app(Op::BvAdd, &both),
        Sub => app(Op::BvSub, &both),
        Mul => app(Op::BvMul, &both),
        Sdiv => app(Op::BvSdiv, &both),
        Udiv => app(Op::BvUdiv, &both),
        Smod => app(Op::BvSmod, &both),
        Srem => app(Op::BvSrem, &both),
        Urem => app(Op::BvUrem, &both),
        Concat => app(Op::Concat, &both),
        Saddo | Ssubo | Smulo | Uaddo | Umulo | Sdivo | Udivo => overflow(operator, left, right),
        _ => unreachable!("{operator:?} is translated before"),
    }
}

/// Overflow: the exact result, in more bits, is not that of the operands' width.
fn overflow(operator: Operator, left: Term, right: Term) -> Term {
    use Operator::*;
    let width = width(left);
    let more = if matches!(operator, Smulo | Umulo) { width } else { 1 };
    let is_signed = matches!(operator, Saddo | Ssubo | Smulo);
    let extend = |term: Term| {
        app(if is_signed { Op::SignExtend(more) } else { Op::ZeroExtend(more) }, &[term])
    };
    let exact = match operator {
        Saddo | Uaddo => app(Op::BvAdd, &[extend(left), extend(right)]),
        Ssubo => app(Op::BvSub, &[extend(left), extend(right)]),
        Smulo | Umulo => app(Op::BvMul, &[extend(left), extend(right)]),
        // The only quotient that does not fit is that of the smallest number by -1.
        Sdivo => {
            let smallest = app(Op::Concat, &[Term::bv(1, 1), Term::bv(width.max(2) - 1, 0)]);
            let smallest = if width == 1 { Term::bv(1, 1) } else { smallest };
            return Term::and([left.equals(smallest), right.equals(Term::bv(width, -1))]);
        }
        _ => return false.into(),
    };
    extend(app(Op::Extract(width - 1, 0), &[exact])).equals(exact).not()
}
