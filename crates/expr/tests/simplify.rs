//! Normal forms, as text.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use lapidary_expr::text::parse;
use lapidary_expr::{ArraySort, Op, Sort, Term, Value, Var};

/// Declared in this order, which is the order of monomials.
static SCOPE: LazyLock<BTreeMap<String, Var>> = LazyLock::new(|| {
    let names = [
        (Sort::Bool, "a b c"),
        (Sort::Int, "x y z"),
        (Sort::Rat, "r s"),
        (Sort::Bv(4), "u v"),
        (Sort::array(Sort::Int, Sort::Int), "m n"),
        (Sort::array(Sort::Bv(2), Sort::Bool), "p q"),
    ];
    let all = names.into_iter().flat_map(|(sort, text)| text.split(' ').map(move |n| (n, sort)));
    all.map(|(name, sort)| {
        let var = Var::new(name, sort);
        let _in_this_order = Term::var(var);
        (name.to_string(), var)
    })
    .collect()
});

fn read(text: &str) -> Term {
    parse(text, &*SCOPE).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn check(input: &str, expected: &str) {
    assert_eq!(read(input).to_string(), expected, "{input}");
}

fn check_list(terms: &[Term], expected: &str) {
    let texts: Vec<String> = terms.iter().map(Term::to_string).collect();
    assert_eq!(texts.join("; "), expected);
}

#[test]
fn sums_read_the_same_whatever_was_built_before() {
    let [first, later] = ["w1", "w2"].map(|name| Var::new(name, Sort::Int));
    let remainder =
        |var: Var| Term::app(Op::Mod, vec![var.into(), Term::int(8)]).expect("integers");
    for (version, built) in [(3, [first, later]), (7, [later, first])] {
        for var in built.map(|var| var.at(version)) {
            let _in_this_order = remainder(var);
        }
        let [x, y] = [first, later].map(|var| var.at(version));
        let sum = remainder(y).plus(y.into()).plus(x.into()).plus(remainder(x));
        assert_eq!(sum.to_string(), format!("(+ {x} {y} (mod {x} 8) (mod {y} 8))"));
    }
}

#[test]
fn connectives() {
    check("(and a true)", "a");
    check("(and a false)", "false");
    check("(and a a)", "a");
    check("(and a (not a))", "false");
    check("(and a (and b c) a)", "(and a b c)");
    check("(and (<= x 1) (> x 1))", "false");
    check("(or a false)", "a");
    check("(or a true)", "true");
    check("(or (not a) a)", "true");
    check("(or a (or b c) b)", "(or a b c)");
    check("(or (< x 1) (>= x 1))", "true");
    check("(not true)", "false");
    check("(not (not a))", "a");
    check("(not (and a b))", "(not (and a b))");
    check("(=> a b)", "(or (not a) b)");
    check("(=> a b c)", "(or (not a) (not b) c)");
    check("(xor a b)", "(not (= a b))");
    check("(xor a b c)", "(= (= a b) c)");
    check("(xor a b a)", "(= (= a b) a)");
    check("(= a true)", "a");
    check("(= false a)", "(not a)");
    check("(= a a)", "true");
    check("(= a (not a))", "false");
    check("(= (not a) (not b))", "(= a b)");
    check("(= (not a) b)", "(not (= a b))");
    check("(= a b c)", "(and (= a b) (= b c))");
    check("(distinct a b)", "(not (= a b))");
    check("(and a)", "a");
}

#[test]
fn conditionals() {
    check("(ite true x y)", "x");
    check("(ite false x y)", "y");
    check("(ite a x x)", "x");
    check("(ite (not a) x y)", "(ite a y x)");
    check("(ite a true b)", "(or a b)");
    check("(ite a false b)", "(and (not a) b)");
    check("(ite a b true)", "(or (not a) b)");
    check("(ite a b false)", "(and a b)");
    check("(ite a true false)", "a");
    check("(ite a false true)", "(not a)");
    check("(ite (<= x 3) 1 2)", "(ite (<= x 3) 1 2)");
}

#[test]
fn sums_and_products() {
    check("(+ 1 x 2)", "(+ x 3)");
    check("(+ x (- x))", "0");
    check("(+ y x)", "(+ x y)");
    check("(+ x x)", "(* 2 x)");
    check("(- x y)", "(+ x (* (- 1) y))");
    check("(- x)", "(* (- 1) x)");
    check("(* 2 (+ x 3))", "(+ (* 2 x) 6)");
    check("(* 0 x y)", "0");
    check("(* x 3 y 2)", "(* 6 (* x y))");
    check("(* y x)", "(* x y)");
    check("(- (* 2 x) (+ x x))", "0");
    check("(/ r 2.0)", "(* (/ 1 2) r)");
    check("(/ r 0.0)", "0.0");
    check("(/ r s)", "(/ r s)");
    check("(* (- 0.5) r)", "(* (- (/ 1 2)) r)");
    check("(div x 1)", "x");
    check("(div x (- 1))", "(* (- 1) x)");
    check("(div x 0)", "0");
    check("(mod x 0)", "x");
    check("(mod x (- 1))", "0");
    check("(rem x 1)", "0");
    check("(rem x 0)", "x");
    check("(mod 7 (- 3))", "1");
    check("(rem (- 7) 3)", "(- 1)");
    check("(abs x)", "(ite (<= 0 x) x (* (- 1) x))");
}

#[test]
fn comparisons_collect_their_sides() {
    check("(<= (+ x 1) (+ y 3))", "(<= x (+ y 2))");
    check("(< x y)", "(<= x (+ y (- 1)))");
    check("(> x y)", "(<= y (+ x (- 1)))");
    check("(>= x 5)", "(<= 5 x)");
    check("(< 5 x)", "(<= 6 x)");
    check("(<= (- x) 3)", "(<= (- 3) x)");
    check("(<= x x)", "true");
    check("(< x x)", "false");
    check("(< x (+ x 1))", "true");
    check("(<= (- x y) (- x z))", "(<= z y)");
    check("(= (+ x 1) 3)", "(= x 2)");
    check("(= 5 x)", "(= x 5)");
    check("(= (- y) x)", "(= (+ x y) 0)");
    check("(= (- x) (- y))", "(= x y)");
    check("(= (+ x 1) x)", "false");
    check("(<= 1 x 5)", "(and (<= 1 x) (<= x 5))");
    check("(< r s)", "(< r s)");
    check("(< (* 2.0 r) 3)", "(< r (/ 3 2))");
    check("(<= (/ r 3.0) (/ s 2.0))", "(<= (* 2.0 r) (* 3.0 s))");
    check("(< r 0.5 s)", "(and (< r (/ 1 2)) (< (/ 1 2) s))");
}

#[test]
fn integer_bounds_are_tightened() {
    check("(< (* 2 x) 5)", "(<= x 2)");
    check("(<= (* 2 x) 5)", "(<= x 2)");
    check("(< (* 2 x) 4)", "(<= x 1)");
    check("(<= 5 (* 2 x))", "(<= 3 x)");
    check("(<= (- 5) (* 2 x))", "(<= (- 2) x)");
    check("(<= (* 6 x) (+ (* 4 y) 3))", "(<= (* 3 x) (+ (* 2 y) 1))");
    check("(<= (* 6 x) (- (* 4 y) 3))", "(<= (* 3 x) (+ (* 2 y) (- 2)))");
    check("(= (* 2 x) 5)", "false");
    check("(= (* 2 x) (+ (* 4 y) 1))", "false");
    check("(= (* 4 x) (* 6 y))", "(= (* 2 x) (* 3 y))");
    check("(= (* 2.0 r) 5.0)", "(= r (/ 5 2))");
}

#[test]
fn negation_goes_into_inequalities() {
    check("(not (<= x 5))", "(<= 6 x)");
    check("(not (< x y))", "(<= y x)");
    check("(not (<= r s))", "(< s r)");
    check("(not (< r 1.0))", "(<= 1.0 r)");
    check("(not (bvule u v))", "(bvult v u)");
    check("(not (bvult u v))", "(bvule v u)");
    check("(not (bvsle u v))", "(bvslt v u)");
    check("(not (bvsge u v))", "(bvslt u v)");
    check("(not (= x 5))", "(not (= x 5))");
}

#[test]
fn bit_vectors() {
    check("(bvand u #xf)", "u");
    check("(bvand u #x0 v)", "#x0");
    check("(bvand u v u)", "(bvand u v)");
    check("(bvor u #x0)", "u");
    check("(bvor u #xf)", "#xf");
    check("(bvxor u #x0)", "u");
    check("(bvxor #x1 u #x3)", "(bvxor u #x2)");
    check("(bvadd #x9 (bvadd u #x7))", "u");
    check("(bvadd u u)", "(bvadd u u)");
    check("(bvmul #x1 u)", "u");
    check("(bvmul u #x4 #x4)", "#x0");
    check("(bvsub u u)", "#x0");
    check("(bvsub u #x0)", "u");
    check("(bvshl u #x0)", "u");
    check("(bvneg (bvneg u))", "u");
    check("(bvnot (bvnot u))", "u");
    check("(bvult u #x0)", "false");
    check("(bvule #x0 u)", "true");
    check("(bvuge u #x3)", "(bvule #x3 u)");
    check("(= #x5 u)", "(= u #x5)");
    check("((_ extract 3 0) u)", "u");
    check("((_ zero_extend 0) u)", "u");
    check("(concat u (concat v u))", "(concat u v u)");
    check("(bvcomp u u)", "#b1");
    check("((_ rotate_left 4) u)", "u");
    check("(_ bv17 4)", "#x1");
}

#[test]
fn arrays() {
    check("(select (store m x 5) x)", "5");
    check("(select (store m x 5) y)", "(select (store m x 5) y)");
    check("(select (store (store m 1 5) 2 6) 1)", "5");
    check("(select (store (store m 1 5) 2 6) 3)", "(select m 3)");
    check("(select (store (store m x 5) 2 6) 3)", "(select (store m x 5) 3)");
    check("(select ((as const (Array Int Int)) y) x)", "y");
    check("(select ((as const (Array Int Int)) 7) x)", "7");
    check("(select (store ((as const (Array Int Int)) 7) 1 2) 1)", "2");
    check("(store (store m x 5) x 6)", "(store m x 6)");
    check("(store m x (select m x))", "m");
    check("(store ((as const (Array Int Int)) y) x y)", "((as const (Array Int Int)) y)");
    check("(store ((as const (Array Int Int)) 7) 1 7)", "((as const (Array Int Int)) 7)");
    check(
        "(= (store (store ((as const (Array Int Int)) 0) 1 5) 2 6) (store (store ((as const (Array Int Int)) 0) 2 6) 1 5))",
        "true",
    );
}

#[test]
fn conjuncts_and_disjuncts() {
    check_list(&read("true").conjuncts(), "");
    check_list(&read("false").conjuncts(), "false");
    check_list(&read("(and a b (and c a))").conjuncts(), "a; b; c");
    check_list(&read("(or a b)").conjuncts(), "(or a b)");
    check_list(&read("false").disjuncts(), "");
    check_list(&read("true").disjuncts(), "true");
    check_list(&read("(or a (<= x 1))").disjuncts(), "a; (<= x 1)");
}

#[test]
fn atoms() {
    let check = |text: &str, expected: &str| check_list(&read(text).atoms(), expected);
    check("true", "");
    check("(not a)", "a");
    check("(and (or a b) (not (and b c)))", "a; b; c");
    check("(or (<= x 1) (and a (> x 1)))", "(<= x 1); a");
    check("(or (> x 1) (and a (<= x 1)))", "(<= x 1); a");
    check("(ite a (= x 1) (not (= x 1)))", "a; (= x 1)");
    check("(= a (< r s))", "a; (<= s r)");
    check("(= u v)", "(= u v)");
    check("(and (bvult u v) (bvule v u))", "");
    check("(or (bvult u v) (bvslt u v))", "(bvule v u); (bvsle v u)");
}

#[test]
fn positive() {
    let check = |text: &str, expected: &str| {
        let term = read(text);
        assert_eq!(term.positive().to_string(), expected, "{text}");
        assert_eq!(term.not().positive().to_string(), expected, "(not {text})");
    };
    check("a", "a");
    check("(and a b)", "(and a b)");
    check("(<= x 5)", "(<= x 5)");
    check("(<= 5 x)", "(<= x 4)");
    check("(<= y x)", "(<= x (+ y (- 1)))");
    check("(<= (+ y z) x)", "(<= x (+ y z (- 1)))");
    check("(< r s)", "(<= s r)");
    check("(bvslt u v)", "(bvsle v u)");
    // Both sides have the same first variable.
    let (product, square) = (read("(* x y)"), read("(* x x)"));
    assert!(product < square);
    check("(<= (* x y) (* x x))", "(<= (* x y) (* x x))");
    check("(<= (* x x) (* x y))", "(<= (* x y) (+ (* x x) (- 1)))");
}

/// All maps from two bits to a truth value, each built in several orders and from both defaults.
#[test]
fn equal_maps_are_equal_values() {
    let Sort::Array(sort) = Sort::array(Sort::Bv(2), Sort::Bool) else { unreachable!("an array") };
    let orders = [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2]];
    let mut seen = Vec::new();
    for map in 0..16u32 {
        let built = orders.iter().flat_map(|order| {
            [false, true].map(|default| {
                let start = Value::array(sort, Value::Bool(default), BTreeMap::new());
                order.iter().fold(Term::lit(start), |array, index| {
                    array.store(Term::bv(2, *index), (map >> index & 1 == 1).into())
                })
            })
        });
        let built: Vec<Term> = built.collect();
        assert!(built.iter().all(|term| *term == built[0]), "map {map:04b}: {built:?}");
        assert!(built[0].as_lit().is_some());
        for index in 0..4 {
            let element = built[0].select(Term::bv(2, index));
            assert_eq!(element, (map >> index & 1 == 1).into(), "map {map:04b} at {index}");
        }
        assert!(!seen.contains(&built[0]), "map {map:04b} equals another");
        seen.push(built[0]);
    }
}

fn array(index: Sort, element: Sort) -> ArraySort {
    match Sort::array(index, element) {
        Sort::Array(sort) => sort,
        other => unreachable!("{other} is no array sort"),
    }
}

/// An index sort can itself be a small array: four indices here, all of them written.
#[test]
fn equal_maps_from_maps_are_equal_values() {
    let bools = array(Sort::Bool, Sort::Bool);
    let indices: Vec<Value> = [[false, false], [false, true], [true, false], [true, true]]
        .map(|elements| {
            let entries = [false, true].map(Value::Bool).into_iter().zip(elements.map(Value::Bool));
            Value::array(bools, Value::Bool(false), entries.collect())
        })
        .to_vec();
    let sort = array(Sort::Array(bools), Sort::Int);
    let filled = |default: i32| {
        let entries =
            indices.iter().enumerate().map(|(i, index)| (index.clone(), Value::int(i % 2)));
        Value::array(sort, Value::int(default), entries.collect())
    };
    assert_eq!(filled(7), filled(0));
    assert_eq!(filled(7), filled(1));
}
