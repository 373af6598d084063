//! Invariants of the classic loops, which the pass finds by itself.

use std::collections::BTreeMap;

use lapidary_expr::text::parse;
use lapidary_expr::{Sort, Term, Var};
use lapidary_model::pass::{Invariants, Pass};
use lapidary_model::{Cfa, CfaBuilder, Loc, Proof, Stmt};

fn vars() -> Vec<Var> {
    let sorts = [
        ("x", Sort::Int),
        ("y", Sort::Int),
        ("n", Sort::Int),
        ("u", Sort::Bv(8)),
        ("p", Sort::Bool),
    ];
    sorts.map(|(name, sort)| Var::new(name, sort)).into()
}

fn read(text: &str) -> Term {
    let scope: BTreeMap<String, Var> =
        vars().into_iter().map(|var| (var.to_string(), var)).collect();
    parse(text, &scope).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// `x := e, y := f`, `havoc x` or a condition.
fn stmt(text: &str) -> Stmt {
    let var = |name: &str| vars().into_iter().find(|var| var.name() == name).expect("a variable");
    let assignment = |text: &str| {
        let (name, term) = text.split_once(" := ").expect("an assignment");
        (var(name), read(term))
    };
    match text.strip_prefix("havoc ") {
        Some(name) => Stmt::Havoc(vec![var(name)]),
        None if text.contains(" := ") => Stmt::Assign(text.split(", ").map(assignment).collect()),
        None => Stmt::Assume(read(text)),
    }
}

/// The program `start; while guard { body }; assert goal` with the loop at location 1.
fn looping(start: &[&str], guard: &str, body: &[&str], goal: &str) -> Cfa {
    let mut builder = CfaBuilder::new("loop", "entry");
    builder.vars(&vars());
    let [head, inner, after, error] =
        ["head", "inner", "after", "error"].map(|name| builder.loc(name));
    let seq = |texts: &[&str]| Stmt::seq(texts.iter().map(|text| stmt(text)));
    builder.edge(builder.entry(), seq(start), head, None);
    builder.edge(head, stmt(guard), inner, None);
    builder.edge(inner, seq(body), head, None);
    builder.edge(head, Stmt::Assume(read(guard).not()), after, None);
    builder.edge(after, Stmt::Assume(read(goal).not()), error, None);
    builder.error(error);
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

/// What is known at the head of the loop.
fn head(cfa: &Cfa) -> String {
    let state =
        lapidary_model::ProofState { loc: Loc(1), formula: true.into(), successors: vec![] };
    let proof = Invariants::Assumed.run(cfa).1.proof(Proof::of(vec![state]));
    let mut facts: Vec<String> =
        proof.invariant(Loc(1)).conjuncts().iter().map(Term::to_string).collect();
    facts.sort();
    facts.join(", ")
}

/// Whether the pass needs no search to see that the error is not reached.
fn is_decided(cfa: &Cfa) -> bool {
    let [assumed, decisive] = [Invariants::Assumed, Invariants::Decisive]
        .map(|pass| pass.run(cfa).0.distances_to_error()[0].is_none());
    assert_eq!(assumed, decisive);
    assumed
}

#[test]
fn counting_to_ten() {
    let cfa = looping(&["x := 0"], "(< x 10)", &["x := (+ x 1)"], "(= x 10)");
    assert_eq!(head(&cfa), "(<= 0 x), (<= x 10)");
    assert!(is_decided(&cfa));
    let cfa = looping(&["x := 0"], "(< x n)", &["x := (+ x 1)"], "(< x 0)");
    assert_eq!(head(&cfa), "(<= 0 x)");
    assert!(!is_decided(&cfa), "the error is reached");
}

#[test]
fn counting_bits() {
    let cfa = looping(&["u := #x00"], "(bvult u #x64)", &["u := (bvadd u #x01)"], "(= u #x64)");
    assert_eq!(head(&cfa), "(bvule u #x64)");
    assert!(is_decided(&cfa));
    // Steps of four jump over 255.
    let cfa = looping(&["u := #x00"], "(bvult u #xff)", &["u := (bvadd u #x04)"], "(= u #xff)");
    assert_eq!(head(&cfa), "(= (bvurem u #x04) #x00)");
}

#[test]
fn parity() {
    let cfa =
        looping(&["x := 0", "havoc n"], "(not (= x n))", &["x := (+ x 2)"], "(= (mod x 2) 0)");
    assert_eq!(head(&cfa), "(<= 0 x), (= (mod x 2) 0)");
    assert!(is_decided(&cfa));
}

/// The truth value of an assertion is a number in C.
#[test]
fn conditions_that_are_numbers() {
    let body = ["x := (+ x 1)", "y := (ite (<= x 10) 1 0)"];
    let cfa = looping(&["x := 0, y := 1"], "(< x 10)", &body, "(not (= y 0))");
    assert_eq!(head(&cfa), "(<= 0 x), (<= x 10), (= y 1)");
    assert!(is_decided(&cfa));
}

/// Karr's example: no interval, but a sum.
#[test]
fn sums() {
    let body = ["x := (+ x 1), y := (+ y (- 1))"];
    let cfa = looping(&["x := 0", "y := n"], "(< 0 y)", &body, "(= (+ x y) n)");
    assert!(is_decided(&cfa));
    let cfa =
        looping(&["x := 0", "y := n"], "(< 0 y)", &["x := (+ x 2)", "y := (+ y 1)"], "(< x n)");
    assert!(is_decided(&looping(
        &["x := 0", "y := n"],
        "(< 0 y)",
        &["x := (+ x 2)", "y := (+ y 1)"],
        "(= x (* 2 (+ y (* (- 1) n))))",
    )));
    assert!(!is_decided(&cfa), "the error is reached");
}
