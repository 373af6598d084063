//! The text form: what is refused and why, names, sharing.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use lapidary_expr::text::{SExpr, parse, read_all};
use lapidary_expr::{Op, Sort, Term, Var};

/// Declared in this order, which is the order of monomials.
static SCOPE: LazyLock<BTreeMap<String, Var>> = LazyLock::new(|| {
    let ints = ["x", "y", "let", "a b", "?0", ""].map(|name| (name, Sort::Int));
    let others = [("p", Sort::Bool), ("u", Sort::Bv(4)), ("r", Sort::Rat)];
    let declare = |(name, sort): (&str, Sort)| {
        let var = Var::new(name, sort);
        let _in_this_order = Term::var(var);
        (name.to_string(), var)
    };
    ints.into_iter().chain(others).map(declare).collect()
});

fn check_error(text: &str, expected: &str) {
    let error = parse(text, &*SCOPE).expect_err(text);
    assert_eq!(error.to_string(), expected, "{text}");
}

fn check(text: &str, expected: &str) {
    let term = parse(text, &*SCOPE).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(term.to_string(), expected, "{text}");
}

#[test]
fn broken_text() {
    check_error("", "a term was expected, found nothing");
    check_error("; only a comment", "a term was expected, found nothing");
    check_error("x y", "one term was expected, found several");
    check_error("(+ x 1", "`(` is never closed at byte 0");
    check_error("(+ x (* 2 y)", "`(` is never closed at byte 0");
    check_error("(+ x 1))", "unexpected `)` at byte 7");
    check_error("(+ x |y)", "`|` is never closed at byte 5");
    check_error("(+ x \"y)", "string is never closed at byte 5");
    check_error("(+ x \"y\")", "strings are not supported");
    check_error("()", "a term was expected, found `()`");
    check_error("(\"f\" x)", "strings are not supported");
}

#[test]
fn unknown_words() {
    check_error("w", "`w` is not declared");
    check_error("(f x)", "`f` is no operator");
    check_error("(and)", "`and` has no arguments");
    check_error("((_ rotate 3) u)", "`(_ rotate 3 …)` is no operator");
    check_error("(let ((w x)) v)", "`v` is not declared");
    check_error("(+ (let ((w x)) w) w)", "`w` is not declared");
    check_error("((as const Int) x)", "`Int` is no array sort");
    check_error("((as const (Array Int Word)) x)", "`Word` is no sort");
    check_error("((as const (Array Int (_ BitVec 0))) u)", "bit-vectors have at least one bit");
}

#[test]
fn broken_numbers() {
    check_error("1_000", "`1_000` is not declared");
    check_error("#b1_0", "`#b1_0` is not declared");
    check_error("#b12", "`#b12` is not declared");
    check_error("#x", "`#x` is not declared");
    check_error("1.", "`1.` is not declared");
    check_error(".5", "`.5` is not declared");
    check_error("1.5_0", "`1.5_0` is not declared");
    check_error("-1", "`-1` is not declared");
    check_error("(_ bv1 0)", "`(_ bv1 0)` is no bit-vector");
    check_error("(_ bv1_0 8)", "`(_ bv1_0 8)` is no bit-vector");
    check_error("((_ zero_extend +1) u)", "`+1` is no index");
    check_error("((_ zero_extend 9999999999) u)", "`9999999999` is no index");
    check_error("((_ repeat 4000000000) u)", "`repeat` 4000000000 times is too often");
}

#[test]
fn ill_sorted() {
    check_error("(+ x p)", "`+` cannot be applied to Int, Bool");
    check_error("(not x)", "`not` cannot be applied to Int");
    check_error("(ite x x x)", "`ite` cannot be applied to Int, Int, Int");
    check_error("(div r 2)", "`div` cannot be applied to Real, Int");
    check_error("(bvadd u #b1)", "`bvadd` cannot be applied to (_ BitVec 4), (_ BitVec 1)");
    check_error("((_ extract 4 0) u)", "`(_ extract 4 0)` cannot be applied to (_ BitVec 4)");
    check_error("((_ extract 0 1) u)", "`(_ extract 0 1)` cannot be applied to (_ BitVec 4)");
    check_error("((_ int_to_bv 0) x)", "`(_ int_to_bv 0)` cannot be applied to Int");
    check_error("(select x 1)", "`select` cannot be applied to Int, Int");
    check_error("(- p)", "`-` takes numbers");
    check_error("(xor x y)", "`xor` takes formulas");
    check_error("(bvcomp x y)", "`bvcomp` takes bits");
    check_error("(abs r)", "`abs` is no operator");
    check_error("((_ rotate_left 1) x)", "`rotate_left` takes a bit-vector");
    check_error("((_ repeat 1) u u)", "one argument was expected");
    check_error("(let (x) x)", "`let` binds pairs");
    check_error("(let ((x)) x)", "`let` binds a name to a term");
    check_error(
        "((_ zero_extend 4294967295) u)",
        "`(_ zero_extend 4294967295)` cannot be applied to (_ BitVec 4)",
    );
}

#[test]
fn names() {
    check("|x|", "x");
    check("|a b|", "|a b|");
    check("|let|", "|let|");
    check("||", "||");
    check("(let ((x y) (y x)) (- x y))", "(+ (* (- 1) x) y)");
    check("(let ((x 1)) (let ((x 2)) (+ x y)))", "(+ y 2)");
    check("(+ (let ((x 1)) x) x)", "(+ x 1)");
    check("(! (<= x 1) :named bound)", "(<= x 1)");
    assert_eq!(Var::new("x", Sort::Int).at(3).to_string(), "x@3");
    assert_eq!(Var::new("a b", Sort::Int).at(3).to_string(), "|a b@3|");
}

/// A name that the printer makes up must not be one that is there.
#[test]
fn sharing_captures_no_variable() {
    let [zero, x] = ["?0", "x"].map(|name| Term::var(SCOPE[name]));
    let large = (0..8).fold(x, |sum, n| sum.times(zero).plus(Term::int(n)));
    let twice = Term::verbatim(Op::Mul, vec![large, large]).expect("two numbers");
    let term = Term::verbatim(Op::Add, vec![twice, zero]).expect("two numbers");
    assert!(term.to_string().starts_with("(let ((?1 "), "{term}");
    assert_eq!(parse(&term.to_string(), &*SCOPE), Ok(term.simplified()));
}

#[test]
fn sharing_keeps_text_small() {
    let mut term = Term::var(SCOPE["x"]);
    for _ in 0..100 {
        term = Term::verbatim(Op::Mul, vec![term, term]).expect("two numbers");
    }
    assert_eq!(term.size(), u32::MAX);
    assert!(term.to_string().len() < 4000, "{}", term.to_string().len());
}

#[test]
fn s_expressions() {
    let atom = |word: &str| SExpr::Atom(word.into());
    let read = read_all("(a |b c| \"d\"\"e\") ; comment\nf").expect("well-formed");
    let list = SExpr::List(vec![atom("a"), atom("b c"), SExpr::Text("d\"e".into())]);
    assert_eq!(read, [list, atom("f")]);
}
