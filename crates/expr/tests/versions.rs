//! Laws of versions along a path.

use std::collections::BTreeMap;

use lapidary_expr::text::parse;
use lapidary_expr::{Sort, Term, Var, Versions};

fn var(name: &str) -> Var {
    Var::new(name, Sort::Int)
}

/// `x`, `y` and their versions up to 3, by the names they print as.
fn read(text: &str) -> Term {
    let versions = ["x", "y"].into_iter().flat_map(|name| (0..4).map(move |n| var(name).at(n)));
    let scope: BTreeMap<String, Var> = versions.map(|var| (var.to_string(), var)).collect();
    parse(text, &scope).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// `x` written twice, `y` never.
fn sample() -> Versions {
    let mut versions = Versions::new();
    versions.advance(var("x"));
    versions.advance(var("x"));
    versions
}

fn check(term: Term, expected: &str) {
    assert_eq!(term, read(expected), "{term} is not {expected}");
}

#[test]
fn at_first_everything_is_itself() {
    let versions = Versions::new();
    assert_eq!(versions.current(var("x")), var("x"));
    check(versions.now(read("(<= x y)")), "(<= x y)");
    check(versions.forget(read("(<= x y)")), "(<= x y)");
}

#[test]
fn now_speaks_of_the_current_versions() {
    check(sample().now(read("(<= (+ x 1) y)")), "(<= (+ x@2 1) y)");
    check(sample().now(read("(* x x)")), "(* x@2 x@2)");
}

#[test]
fn step_relates_two_points() {
    let (before, mut after) = (sample(), sample());
    after.advance(var("x"));
    check(before.step(&after, read("(= x@1 (+ x 1))")), "(= x@3 (+ x@2 1))");
    check(before.step(&after, read("(= y@1 x)")), "(= y x@2)");
    check(before.step(&before, read("(= x@1 x)")), "true");
}

#[test]
fn forget_undoes_now() {
    let versions = sample();
    for text in ["(<= x y)", "(= (* x y) 7)", "(and (<= x 1) (<= 0 x))", "true"] {
        check(versions.forget(versions.now(read(text))), text);
    }
    for text in ["(<= x@2 y)", "(<= x@1 7)"] {
        check(versions.forget(read(text)), &text.replace("@2", ""));
    }
}

/// What is not current never looks as if it were.
#[test]
fn forget_keeps_points_apart() {
    let versions = sample();
    check(versions.forget(read("(<= x x@2)")), "(<= x@2 x)");
    check(versions.forget(read("(= x@1 (+ x x@2))")), "(= x@1 (+ x@2 x))");
    let stale = versions.forget(read("(= x 5)"));
    assert!(stale.vars().iter().all(|var| var.version() > 0), "{stale}");
}

#[test]
fn advance_makes_unused_versions() {
    let mut versions = Versions::new();
    let made: Vec<Var> = (0..5).map(|_| versions.advance(var("x"))).collect();
    assert_eq!(made, (1..=5).map(|n| var("x").at(n)).collect::<Vec<_>>());
    assert_eq!(versions.current(var("x")), var("x").at(5));
    assert_eq!(versions.current(var("x").at(2)), var("x").at(5), "versions share one current one");
    assert_eq!(versions.current(var("y")), var("y"));
}

#[test]
fn raise_never_goes_back() {
    let mut versions = sample();
    versions.raise(var("x"), 1);
    assert_eq!(versions.current(var("x")).version(), 2);
    versions.raise(var("x"), 7);
    assert_eq!(versions.advance(var("x")).version(), 8);
}
