//! What the pass `wraps` removes, and what it tells in a proof.

use std::collections::BTreeMap;

use lapidary_expr::text::parse;
use lapidary_expr::{Sort, Term, Var};
use lapidary_model::pass::{Pass, Wraps};
use lapidary_model::{Cfa, CfaBuilder, Loc, Proof, ProofState, Stmt};

fn vars() -> Vec<Var> {
    let array = Sort::array(Sort::Int, Sort::Int);
    let sorts = [("x", Sort::Int), ("y", Sort::Int), ("n", Sort::Int), ("u", Sort::Bv(8))];
    let words = sorts.map(|(name, sort)| Var::new(name, sort));
    words.into_iter().chain([Var::new("v", Sort::Bv(8)), Var::new("a", array)]).collect()
}

fn read(text: &str) -> Term {
    let scope: BTreeMap<String, Var> =
        vars().into_iter().map(|var| (var.to_string(), var)).collect();
    parse(text, &scope).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// `x := e`, `havoc x` or a condition.
fn stmt(text: &str) -> Stmt {
    let var = |name: &str| vars().into_iter().find(|var| var.name() == name).expect("a variable");
    match (text.strip_prefix("havoc "), text.split_once(" := ")) {
        (Some(name), _) => Stmt::Havoc(vec![var(name)]),
        (_, Some((name, term))) => Stmt::assign(var(name), read(term)),
        _ => Stmt::Assume(read(text)),
    }
}

/// The edges of an automaton: 0 is the entry, 9 the error. Statements are separated by semicolons.
fn automaton(edges: &[(usize, &str, usize)]) -> Cfa {
    let mut builder = CfaBuilder::new("wraps", "l0");
    builder.vars(&vars());
    let locs: Vec<Loc> = std::iter::once(builder.entry())
        .chain((1..10).map(|i| builder.loc(&format!("l{i}"))))
        .collect();
    for (source, text, target) in edges {
        let stmts = Stmt::seq(text.split("; ").map(stmt));
        builder.edge(locs[*source], stmts, locs[*target], None);
    }
    builder.error(locs[9]);
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

/// The edges after the pass.
fn after(cfa: &Cfa) -> Vec<String> {
    let (smaller, _) = Wraps.run(cfa);
    let text =
        |edge: &lapidary_model::Edge| format!("{} {} {}", edge.source.0, edge.stmt, edge.target.0);
    smaller.edges().map(|(_, edge)| text(edge)).collect()
}

/// What a proof gets at a location.
fn told(cfa: &Cfa, loc: u32) -> String {
    let state = ProofState { loc: Loc(loc), formula: true.into(), successors: vec![] };
    let proof = Wraps.run(cfa).1.proof(Proof::of(vec![state]));
    let mut facts: Vec<String> =
        proof.invariant(Loc(loc)).conjuncts().iter().map(Term::to_string).collect();
    facts.sort();
    facts.join(", ")
}

const WRAP: &str = "x := (ite (<= x 126) (+ x 1) (+ x (- 255)))";

/// A loop that ends before the counter wraps around, and a variable that has nothing to do with it.
#[test]
fn counters_that_stay_small_do_not_wrap() {
    let edges = [
        (0, "x := 0; y := 5", 1),
        (1, "(< x 10)", 2),
        (2, WRAP, 1),
        (1, "(<= 10 x)", 3),
        (3, "(= y 7)", 4),
        (4, "(= n 1)", 9),
    ];
    let cfa = automaton(&edges);
    assert!(after(&cfa).contains(&"2 x := (+ x 1) 1".to_string()), "{:?}", after(&cfa));
    // Only what is used is told; the error needs no range, and `y` neither.
    assert_eq!(told(&cfa, 2), "(<= 0 x), (<= x 9)");
    assert_eq!(told(&cfa, 3), "");
}

#[test]
fn counters_that_may_wrap_stay() {
    let edges =
        [(0, "x := 0", 1), (1, "(< x n)", 2), (2, WRAP, 1), (1, "(<= n x)", 3), (3, "(= n 1)", 9)];
    let cfa = automaton(&edges);
    let same: Vec<String> = cfa
        .edges()
        .map(|(_, edge)| format!("{} {} {}", edge.source.0, edge.stmt, edge.target.0))
        .collect();
    assert_eq!(after(&cfa), same);
    // With `n` at most 127 they do not.
    let mut bounded = edges.to_vec();
    bounded[0].1 = "x := 0; havoc n; (<= n 127)";
    let cfa = automaton(&bounded);
    assert!(after(&cfa).contains(&"2 x := (+ x 1) 1".to_string()), "{:?}", after(&cfa));
}

/// One step from the edge: where the range of the counter ends with the last number that does not wrap, and beyond it.
#[test]
fn bounds_are_exact() {
    for (bound, is_removed) in [(126, true), (127, true), (128, false)] {
        let guard = format!("(< x {bound})");
        let edges = [(0, "havoc x", 1), (1, guard.as_str(), 2), (2, WRAP, 3), (3, "(= x n)", 9)];
        let cfa = automaton(&edges);
        let is_simple = after(&cfa).contains(&"2 x := (+ x 1) 3".to_string());
        assert_eq!(is_simple, is_removed, "{bound}");
    }
}

#[test]
fn remainders_and_masks_go_where_they_change_nothing() {
    let remainder = "y := (- (mod (+ x 128) 256) 128)";
    for (range, expected) in [
        ("(and (<= (- 128) x) (<= x 127))", Some("y := x")),
        ("(and (<= 0 x) (<= x 5))", Some("y := x")),
        ("(and (<= 128 x) (<= x 300))", Some("y := (+ x (- 256))")),
        ("(and (<= (- 129) x) (<= x 127))", None),
        ("(and (<= 0 x) (<= x 128))", None),
    ] {
        let range = format!("havoc x; {range}");
        let cfa = automaton(&[(0, &range, 1), (1, remainder, 2), (2, "(= y n)", 9)]);
        let edge = after(&cfa)[1].clone();
        match expected {
            Some(expected) => assert_eq!(edge, format!("1 {expected} 2"), "{range}"),
            None => assert!(edge.contains("mod"), "{range}: {edge}"),
        }
    }
    for (most, stays) in [("#x07", false), ("#x08", true)] {
        let range = format!("havoc u; (bvule u {most})");
        let shift = "v := (bvshl v (bvand u #x07))";
        let cfa = automaton(&[(0, &range, 1), (1, shift, 2), (2, "(= v #x01)", 9)]);
        assert_eq!(after(&cfa)[1].contains("bvand"), stays);
    }
}

/// A bounds check is an edge to the error, and a condition on the edge beside it.
#[test]
fn checks_that_cannot_fail_go() {
    let edges = |least: &'static str| {
        [
            (0, least, 1),
            (1, "(not (and (<= 0 x) (< x 10)))", 9),
            (1, "(and (<= 0 x) (< x 10)); y := (select a x)", 2),
            (2, "(= y n)", 9),
        ]
    };
    let cfa = automaton(&edges("havoc x; (and (<= 0 x) (<= x 9))"));
    assert_eq!(after(&cfa).len(), 3);
    assert!(after(&cfa)[1].starts_with("1 y := "), "{:?}", after(&cfa));
    assert_eq!(told(&cfa, 1), "(<= 0 x), (<= x 9)");
    let cfa = automaton(&edges("havoc x; (and (<= 0 x) (<= x 10))"));
    assert_eq!(after(&cfa).len(), 4);
    assert_eq!(told(&cfa, 1), "");
}

/// What a condition says about an element counts until the array or the index changes.
#[test]
fn elements_have_ranges_within_a_statement() {
    let read = "(and (<= 0 (select a x)) (<= (select a x) 7))";
    for (between, is_removed) in [("y := 0", true), ("x := (+ x 1)", false), ("havoc a", false)] {
        let text = format!("{read}; {between}; y := (mod (select a x) 8)");
        let cfa = automaton(&[(0, &text, 1), (1, "(= y n)", 9)]);
        assert_eq!(!after(&cfa)[0].contains("mod"), is_removed, "{between}: {:?}", after(&cfa));
    }
}
