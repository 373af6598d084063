//! Chains and blocks: which locations stay, and how large the statements between them get.

use lapidary_expr::{Sort, Term, Var};
use lapidary_model::pass::{Blocks, Chains, Pass};
use lapidary_model::{Cfa, CfaBuilder, Loc, Stmt};

/// Location 0 is the entry, the last one the error; the edges assume different things.
fn automaton(n_locs: usize, edges: &[(usize, usize)]) -> Cfa {
    let x = Var::new("x", Sort::Int);
    let mut builder = CfaBuilder::new("graph", "L0");
    builder.var(x);
    let mut locs = vec![builder.entry()];
    locs.extend((1..n_locs).map(|n| builder.loc(&format!("L{n}"))));
    for (i, (source, target)) in edges.iter().enumerate() {
        let stmt = Stmt::Assume(Term::var(x).equals(Term::int(i64::try_from(i).unwrap_or(0))));
        builder.edge(locs[*source], stmt, locs[*target], None);
    }
    builder.error(locs[n_locs - 1]);
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

fn run(pass: &dyn Pass, cfa: &Cfa) -> Cfa {
    pass.run(cfa).0
}

fn names(cfa: &Cfa) -> Vec<&str> {
    cfa.locs().map(|loc| cfa.loc_name(loc)).collect()
}

/// The statements by their ends, with edges by number.
fn edges(cfa: &Cfa) -> Vec<String> {
    let name = |loc: Loc| cfa.loc_name(loc);
    let text = |stmt: &Stmt| stmt.to_string().replace("[(= x ", "").replace(")]", "");
    cfa.edges()
        .map(|(_, e)| format!("{} {}: {}", name(e.source), name(e.target), text(&e.stmt)))
        .collect()
}

fn size(stmt: &Stmt) -> usize {
    match stmt {
        Stmt::Seq(parts) | Stmt::Choice(parts) => parts.iter().map(size).sum(),
        _ => 1,
    }
}

fn depth(stmt: &Stmt) -> usize {
    match stmt {
        Stmt::Seq(parts) | Stmt::Choice(parts) => {
            1 + parts.iter().map(depth).max().unwrap_or_default()
        }
        _ => 0,
    }
}

fn largest(cfa: &Cfa, measure: fn(&Stmt) -> usize) -> usize {
    cfa.edges().map(|(_, edge)| measure(&edge.stmt)).max().unwrap_or_default()
}

#[test]
fn chains_end_where_paths_part_or_meet() {
    let cfa = automaton(6, &[(0, 1), (1, 2), (2, 3), (2, 3), (3, 4), (4, 2), (3, 5)]);
    let chains = run(&Chains, &cfa);
    assert_eq!(edges(&chains), ["L0 L2: 0; 1", "L2 L3: 2", "L2 L3: 3", "L3 L2: 4; 5", "L3 L5: 6"]);
}

#[test]
fn a_cycle_without_branches_keeps_a_location() {
    let cfa = automaton(4, &[(0, 3), (1, 2), (2, 1)]);
    assert_eq!(edges(&run(&Chains, &cfa)), ["L0 L3: 0", "L1 L1: 1; 2"]);
    assert_eq!(edges(&run(&Blocks, &cfa)), ["L0 L3: 0", "L1 L1: 1; 2"]);
}

#[test]
fn blocks_end_at_loop_heads() {
    // 1 is a loop head with a diamond in the loop; 5 is behind it.
    let edges_of = [(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 1), (1, 5), (5, 6)];
    let blocks = run(&Blocks, &automaton(7, &edges_of));
    assert_eq!(names(&blocks), ["L0", "L1", "L6"]);
    assert_eq!(edges(&blocks), ["L0 L1: 0", "L1 L1: (1; 3 | 2; 4); 5", "L1 L6: 6; 7"]);
}

/// The cycle of 1 and 2 can be entered at both.
#[test]
fn blocks_end_in_irreducible_cycles() {
    let blocks = run(&Blocks, &automaton(4, &[(0, 1), (0, 2), (1, 2), (2, 1), (2, 3)]));
    assert_eq!(names(&blocks), ["L0", "L1", "L3"]);
    assert_eq!(edges(&blocks), ["L0 L1: (0 | 1; 3)", "L0 L3: 1; 4", "L1 L1: 2; 3", "L1 L3: 2; 4"]);
}

#[test]
fn nothing_leaves_the_error() {
    let blocks = run(&Blocks, &automaton(3, &[(0, 2), (2, 1), (1, 0)]));
    assert_eq!(edges(&blocks), ["L0 L2: 0"]);
}

/// What stands before a branch is written once: the ways to 3, by `a || b`, share the beginning.
#[test]
fn a_common_beginning_is_written_once() {
    // 0 -a-> 3, 0 -> 1 -b-> 3, 1 -> 2, and both 2 and 3 go to 4.
    let blocks = run(
        &Blocks,
        &automaton(7, &[(0, 1), (1, 3), (1, 2), (2, 3), (2, 4), (3, 5), (4, 5), (5, 6)]),
    );
    assert_eq!(edges(&blocks), ["L0 L6: 0; ((1 | 2; 3); 5 | 2; 4; 6); 7"]);
}

/// A diamond from `k` to `k + 3`, `n` times, in a loop.
fn diamonds(n: usize) -> Cfa {
    let mut edges = vec![(0, 1)];
    for k in (1..=3 * n).step_by(3) {
        edges.extend([(k, k + 1), (k, k + 2), (k + 1, k + 3), (k + 2, k + 3)]);
    }
    edges.extend([(3 * n + 1, 1), (1, 3 * n + 2)]);
    automaton(3 * n + 3, &edges)
}

#[test]
fn diamonds_in_a_row_take_linear_space() {
    for n in [10, 20, 40, 4_000] {
        let blocks = run(&Blocks, &diamonds(n));
        assert_eq!(names(&blocks), ["L0", "L1", &format!("L{}", 3 * n + 2)]);
        assert_eq!(largest(&blocks, size), 4 * n + 1);
        assert_eq!(largest(&blocks, depth), 3);
    }
}

/// From each location to the next and to the one after it: paths are as many as Fibonacci's numbers, and no
/// two of them have a location in common that all others pass.
#[test]
fn jumps_between_branches_do_not_explode() {
    let n = 300;
    let edges: Vec<(usize, usize)> =
        (0..n).map(|k| (k, k + 1)).chain((0..n - 1).map(|k| (k, k + 2))).collect();
    let blocks = run(&Blocks, &automaton(n + 1, &edges));
    assert!(largest(&blocks, size) <= 16 * edges.len() + 256, "{}", largest(&blocks, size));
    assert!(blocks.n_locs() < n / 3, "{} locations are left", blocks.n_locs());
    let few: Vec<(usize, usize)> = edges.into_iter().filter(|(_, target)| *target <= 10).collect();
    let few = run(&Blocks, &automaton(11, &few));
    assert_eq!(few.n_locs(), 2, "few jumps need no other end");
}

/// Straight code that can leave for the error everywhere: choices within choices.
#[test]
fn many_ways_out_do_not_nest_too_deep() {
    let n = 2_000;
    let edges: Vec<(usize, usize)> =
        (0..n).flat_map(|k| [(k, k + 1), (k, n + 1)]).chain([(n, n + 1)]).collect();
    let blocks = run(&Blocks, &automaton(n + 2, &edges));
    assert!(largest(&blocks, depth) <= 202, "{}", largest(&blocks, depth));
    assert!(blocks.n_locs() <= 45, "{} locations are left", blocks.n_locs());
    let total: usize = blocks.edges().map(|(_, edge)| size(&edge.stmt)).sum();
    assert!(total <= 3 * edges.len(), "{total}");
}
