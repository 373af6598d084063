//! What slicing and the cone of influence take away, and what they must not.

use std::collections::BTreeMap;

use lapidary_expr::text::parse;
use lapidary_expr::{Sort, Term, Var};
use lapidary_model::pass::{Cone, Pass, Slice};
use lapidary_model::{Cfa, CfaBuilder, Stmt};

fn vars() -> [Var; 3] {
    [("p", Sort::Bool), ("u", Sort::Bv(2)), ("v", Sort::Bv(2))]
        .map(|(name, sort)| Var::new(name, sort))
}

fn read(text: &str) -> Term {
    let scope: BTreeMap<String, Var> = vars().map(|var| (var.to_string(), var)).into();
    parse(text, &scope).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Location 0 is the entry, the last one the error. Statements are `[formula]`, `p := term`, `havoc p`, several
/// with `;` between them.
fn automaton(n_locs: usize, edges: &[(usize, &str, usize)]) -> Cfa {
    let mut builder = CfaBuilder::new("test", "L0");
    builder.vars(&vars());
    let mut locs = vec![builder.entry()];
    locs.extend((1..n_locs).map(|n| builder.loc(&format!("L{n}"))));
    for (source, text, target) in edges {
        let parts = text.split("; ").filter(|part| !part.is_empty()).map(stmt);
        builder.edge(locs[*source], Stmt::seq(parts), locs[*target], None);
    }
    builder.error(locs[n_locs - 1]);
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

fn stmt(text: &str) -> Stmt {
    let var =
        |name: &str| vars().into_iter().find(|var| var.to_string() == name).expect("a variable");
    if let Some(name) = text.strip_prefix("havoc ") {
        return Stmt::Havoc(vec![var(name)]);
    }
    match text.split_once(" := ") {
        Some((name, term)) => Stmt::assign(var(name), read(term)),
        None => Stmt::Assume(read(text.trim_matches(['[', ']']))),
    }
}

fn text(cfa: &Cfa) -> Vec<String> {
    let name = |loc| cfa.loc_name(loc);
    cfa.edges().map(|(_, e)| format!("{} {}: {}", name(e.source), name(e.target), e.stmt)).collect()
}

fn sliced(n_locs: usize, edges: &[(usize, &str, usize)]) -> Vec<String> {
    text(&Slice.run(&automaton(n_locs, edges)).0)
}

fn is_kept(n_locs: usize, edges: &[(usize, &str, usize)]) {
    let cfa = automaton(n_locs, edges);
    assert_eq!(text(&Slice.run(&cfa).0), text(&cfa));
}

/// `v` does not matter to the error, so neither does `u`, which decides about it.
#[test]
fn branches_that_do_not_matter_go() {
    let edges = [
        (0, "[(= u #b01)]", 1),
        (0, "[(not (= u #b01))]", 2),
        (1, "v := #b01", 3),
        (2, "v := #b10", 3),
        (3, "[p]", 4),
    ];
    assert_eq!(sliced(5, &edges), ["L0 L3: havoc v", "L3 L4: [p]"]);
}

/// The conditions of an irrelevant branch keep nothing alive: a branch before it that writes their variable
/// is irrelevant, too.
#[test]
fn branches_that_matter_only_to_others_that_go_go() {
    let edges = [
        (0, "[p]; u := #b01", 1),
        (0, "[(not p)]; u := #b10", 1),
        (1, "[(= u #b01)]; v := #b01", 2),
        (1, "[(not (= u #b01))]; v := #b10", 2),
        (2, "[p]", 3),
    ];
    assert_eq!(sliced(4, &edges), ["L0 L1: havoc u", "L1 L2: havoc v", "L2 L3: [p]"]);
}

#[test]
fn branches_that_write_what_matters_stay() {
    is_kept(4, &[(0, "[p]; v := #b01", 1), (0, "[(not p)]", 1), (1, "[(= v #b01)]", 3)]);
}

#[test]
fn conditions_that_can_block_stay() {
    is_kept(4, &[(0, "[(= u #b01)]; v := #b01", 1), (0, "[(= u #b10)]", 1), (1, "[p]", 3)]);
    // Within one of the ways.
    is_kept(5, &[(0, "[p]", 1), (0, "[(not p)]", 2), (1, "[(= u v)]", 2), (2, "[(= v #b01)]", 4)]);
    is_kept(4, &[(0, "[p]; [(= u v)]", 1), (0, "[(not p)]", 1), (1, "[(= v #b01)]", 3)]);
}

/// For `u = 0` the loop at 1 does not end.
#[test]
fn loops_that_may_not_end_stay() {
    let edges = [
        (0, "[p]", 1),
        (0, "[(not p)]", 2),
        (1, "[(= u #b00)]", 1),
        (1, "[(not (= u #b00))]", 2),
        (2, "", 3),
    ];
    is_kept(4, &edges);
}

/// The location between is also reached from elsewhere.
#[test]
fn ways_that_are_entered_from_elsewhere_stay() {
    let edges = [
        (0, "[p]", 1),
        (0, "[(= u #b01)]", 2),
        (1, "[p]", 2),
        (1, "[(not p)]", 3),
        (2, "", 3),
        (3, "[(= u v)]", 4),
    ];
    is_kept(5, &edges);
}

/// `v` counts itself and matters to nothing; the first value of `u` is overwritten.
#[test]
fn values_that_do_not_matter_go() {
    let cfa = automaton(
        4,
        &[
            (0, "u := #b01; v := #b00", 1),
            (1, "v := (bvadd v #b01); havoc u", 1),
            (1, "u := #b11; havoc p", 2),
            (2, "[(= u #b10)]", 3),
        ],
    );
    let cone = Cone.run(&cfa).0;
    assert_eq!(cone.vars(), &vars()[1..2]);
    assert_eq!(
        text(&cone),
        [
            "L0 L1: havoc u; skip",
            "L1 L1: skip; havoc u",
            "L1 L2: u := #b11; skip",
            "L2 L3: [(= u #b10)]"
        ]
    );
}
