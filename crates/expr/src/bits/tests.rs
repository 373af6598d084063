//! Circuits against the reference semantics, on all values of narrow vectors.

use crate::bits::{Blaster, bit_of, bits_of, n_bits, value_of};
use crate::{Op, Sort, Term, Valuation, Value, Var};

/// One variable for each bit of `var`.
fn bit_vars(var: Var) -> Vec<Var> {
    let n = n_bits(var.sort()).expect("the variables of these tests have bits");
    (0..n).map(|i| Var::new(&format!("{}.{i}", var.name()), Sort::Bool)).collect()
}

fn bit_terms(var: Var) -> Vec<Term> {
    bit_vars(var).into_iter().map(Term::var).collect()
}

/// Calls `visit` with every valuation of the variables, and with that of their bits.
fn for_all(vars: &[Var], visit: &mut dyn FnMut(&Valuation, &Valuation)) {
    let sizes: Vec<usize> = vars.iter().filter_map(|var| n_bits(var.sort())).collect();
    for number in 0..1_u32 << sizes.iter().sum::<usize>() {
        let (mut words, mut bits, mut rest) = (Valuation::new(), Valuation::new(), number);
        for (var, size) in vars.iter().zip(&sizes) {
            let values: Vec<bool> = (0..*size).map(|i| rest >> i & 1 == 1).collect();
            rest >>= size;
            words.set(*var, value_of(var.sort(), &values));
            let pairs = bit_vars(*var).into_iter().zip(values);
            pairs.for_each(|(bit, value)| bits.set(bit, Value::Bool(value)));
        }
        visit(&words, &bits);
    }
}

/// Checks the bits of a term against its value, for all values of its variables.
fn check(term: Term) {
    let mut blaster = Blaster::new(&bit_terms, usize::MAX);
    let bits = blaster.bits(term).expect("it is made of bits");
    for_all(term.vars(), &mut |words, values| {
        let expected = bits_of(&term.eval(words).expect("all variables have values"));
        let found: Vec<Value> =
            bits.iter().map(|bit| bit.eval(values).expect("all bits have values")).collect();
        let expected: Vec<Value> = expected.into_iter().map(Value::Bool).collect();
        assert_eq!(found, expected, "{term} with {words:?}");
    });
}

/// The operator on new variables of these sorts.
fn applied(op: Op, sorts: &[Sort]) -> Term {
    let var = |(i, sort): (usize, &Sort)| Term::var(Var::new(&format!("blast{i}"), *sort));
    let args = sorts.iter().enumerate().map(var).collect();
    Term::verbatim(op, args).expect("the sorts fit")
}

#[test]
fn operators_on_vectors_are_as_in_the_table() {
    for width in 1..=4 {
        let bv = Sort::Bv(width);
        for op in [Op::BvNot, Op::BvNeg] {
            check(applied(op, &[bv]));
        }
        for op in Op::PLAIN {
            let is_binary = op.sort_of(&[bv, bv]).is_ok() && !matches!(op, Op::Apply(_));
            if is_binary {
                check(applied(op.clone(), &[bv, bv]));
            }
        }
    }
}

#[test]
fn all_binary_operators_on_vectors_are_among_them() {
    let bv = Sort::Bv(4);
    let n = Op::PLAIN.iter().filter(|op| op.sort_of(&[bv, bv]).is_ok()).count();
    assert_eq!(n, 20, "has the table another operator on vectors?");
}

#[test]
fn operators_with_several_arguments() {
    let bv = Sort::Bv(2);
    for op in [Op::BvAdd, Op::BvMul, Op::BvAnd, Op::BvOr, Op::BvXor, Op::Concat] {
        check(applied(op, &[bv, bv, bv]));
    }
    check(applied(Op::And, &[Sort::Bool; 3]));
    check(applied(Op::Or, &[Sort::Bool; 3]));
    check(applied(Op::Ite, &[Sort::Bool, bv, bv]));
    check(applied(Op::Eq, &[Sort::Bool; 2]));
}

#[test]
fn parts_and_extensions() {
    let bv = Sort::Bv(3);
    for (high, low) in [(0, 0), (2, 0), (2, 1), (1, 1)] {
        check(applied(Op::Extract(high, low), &[bv]));
    }
    for by in 0..3 {
        check(applied(Op::ZeroExtend(by), &[bv]));
        check(applied(Op::SignExtend(by), &[bv]));
    }
}

#[test]
fn small_arrays() {
    let (index, element) = (Sort::Bv(2), Sort::Bv(2));
    let array = Sort::array(index, element);
    let Sort::Array(sort) = array else { unreachable!("it is an array") };
    check(applied(Op::Select, &[array, index]));
    check(applied(Op::Store, &[array, index, element]));
    check(applied(Op::ConstArray(sort), &[element]));
    check(applied(Op::Eq, &[Sort::array(Sort::Bv(1), element); 2]));
}

#[test]
fn bits_lead_back_to_words() {
    let array = Sort::array(Sort::Bv(1), Sort::Bv(3));
    let vars = [("b", Sort::Bool), ("v", Sort::Bv(5)), ("a", array)];
    let vars = vars.map(|(name, sort)| Var::new(name, sort));
    for_all(&vars, &mut |words, bits| {
        for var in vars {
            for (i, bit) in bit_vars(var).into_iter().enumerate() {
                assert_eq!(bit_of(Term::var(var), i).eval(words).as_ref(), bits.get(bit));
            }
        }
    });
}

#[test]
fn numbers_and_large_circuits_are_declined() {
    let mut blaster = Blaster::new(&bit_terms, 1_000);
    let number = Term::var(Var::new("n", Sort::Int));
    assert!(blaster.truth(number.less(Term::int(3))).is_none());
    assert!(blaster.bits(applied(Op::BvMul, &[Sort::Bv(64); 2])).is_none());
    let wide = Sort::array(Sort::Bv(32), Sort::Bv(8));
    assert!(blaster.bits(applied(Op::Select, &[wide, Sort::Bv(32)])).is_none());
    assert!(blaster.bits(applied(Op::BvAdd, &[Sort::Bv(8); 2])).is_some());
}
