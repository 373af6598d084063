//! Terms nested far deeper than the stack of a test thread.

use std::collections::BTreeMap;

use lapidary_expr::text::{SExpr, parse, read_all};
use lapidary_expr::{Op, Sort, Term, Valuation, Value, Var};

const DEPTH: usize = 100_000;

fn scope() -> BTreeMap<String, Var> {
    let sorts = [("x", Sort::Bool), ("y", Sort::Bool), ("n", Sort::Int), ("u", Sort::Bv(8))];
    sorts.into_iter().map(|(name, sort)| (name.to_string(), Var::new(name, sort))).collect()
}

/// Does to a deep term what is done to terms.
fn check(term: Term, expected: &Value) {
    let scope = scope();
    let values: Valuation = [
        (scope["x"], Value::Bool(true)),
        (scope["y"], Value::Bool(false)),
        (scope["n"], Value::int(3)),
        (scope["u"], Term::bv(8, 7).as_lit().cloned().expect("a value")),
    ]
    .into_iter()
    .collect();
    assert_eq!(term.eval(&values).as_ref(), Some(expected));
    assert_eq!(term.eval(&Valuation::new()), None);
    let next = term.map_vars(&|var| Some(var.primed().into()));
    assert!(next.vars().iter().all(|var| var.version() == 1));
    assert_eq!(next.vars().len(), term.vars().len());
    let text = term.to_string();
    assert!(parse(&text, &scope) == Ok(term), "a text of {} bytes is read back", text.len());
    if term.sort() == Sort::Bool {
        assert_ne!(term.not(), term);
        assert!(!term.atoms().is_empty());
        assert_eq!(term.positive().not().positive(), term.positive());
    }
}

fn var(name: &str) -> Term {
    Term::var(scope()[name])
}

fn app(op: Op, args: &[Term]) -> Term {
    Term::app(op, args.to_vec()).expect("well-sorted")
}

/// `step` applied over and over.
fn nest(start: Term, step: impl Fn(usize, Term) -> Term) -> Term {
    (0..DEPTH).fold(start, |term, i| step(i, term))
}

#[test]
fn connectives() {
    let [x, y] = [var("x"), var("y")];
    let step = |i: usize, term: Term| match i % 2 {
        0 => Term::and([x, term]).not(),
        _ => Term::or([y, term]).not(),
    };
    check(nest(x, step), &Value::Bool(true));
}

#[test]
fn conditionals() {
    let [n, y] = [var("n"), var("y")];
    check(nest(n, |i, term| y.ite(Term::int(i), term)), &Value::int(3));
}

#[test]
fn conditions_of_conditionals() {
    let [x, y] = [var("x"), var("y")];
    check(
        nest(x, |i, term| term.equals(y).ite(if i % 2 == 0 { x } else { y }, x.not())),
        &Value::Bool(false),
    );
}

#[test]
fn sums() {
    let n = var("n");
    let step = |_, term: Term| app(Op::Mod, &[term, Term::int(7)]).plus(n);
    check(nest(n, step), &Value::int((0..DEPTH).fold(3, |sum, _| sum % 7 + 3)));
}

#[test]
fn bits() {
    let u = var("u");
    check(nest(u, |_, term| app(Op::BvXor, &[app(Op::BvNot, &[term]), u])), &u_value(7));
}

fn u_value(n: u32) -> Value {
    Term::bv(8, n).as_lit().cloned().expect("a value")
}

#[test]
fn shared_parts() {
    let u = var("u");
    let double = |_, term: Term| app(Op::BvUdiv, &[app(Op::BvAdd, &[term, term, u]), term]);
    let doubled = |u: u8, _| u.wrapping_mul(2).wrapping_add(7).checked_div(u).unwrap_or(255);
    check(nest(u, double), &u_value((0..DEPTH).fold(7, doubled).into()));
}

#[test]
fn many_variables() {
    let step = |i: usize, term: Term| {
        let [b, c] = ["b", "c"].map(|name| Term::var(Var::new(&format!("{name}{i}"), Sort::Bool)));
        b.ite(c, term)
    };
    let term = nest(var("x"), step);
    assert_eq!(term.vars().len(), 2 * DEPTH + 1);
    assert_eq!(term.map_vars(&|_| Some(var("y"))), var("y"));
}

#[test]
fn text() {
    let text = format!("{}x{}", "(not ".repeat(DEPTH), ")".repeat(DEPTH));
    assert_eq!(parse(&text, &scope()), Ok(var("x")));
    let text = format!("{}x{}", "(let ((x (not x))) ".repeat(DEPTH + 1), ")".repeat(DEPTH + 1));
    assert_eq!(parse(&text, &scope()), Ok(var("x").not()));
    let text = format!("{}x{}", "(".repeat(DEPTH), ")".repeat(DEPTH));
    assert!(matches!(read_all(&text).as_deref(), Ok([SExpr::List(_)])));
    assert!(parse(&text, &scope()).is_err());
}

#[test]
fn wide_values_are_written() {
    let value = lapidary_expr::Value::Bv(lapidary_expr::Bv::wrap(1_000_000, &1.into()));
    let text = value.to_string();
    assert_eq!((text.len(), &text[..4], &text[text.len() - 2..]), (250_002, "#x00", "01"));
}
