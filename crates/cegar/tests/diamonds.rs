//! What large blocks are for: `n` independent diamonds in a loop, in each encoding.
//!
//! Each diamond remembers in `x` which way it went, and the error needs one that remembers the wrong way. With single
//! edges, what is known after the diamonds differs for each of the `2ⁿ` ways; with blocks, there is no state between
//! them. `docs/algorithms.md` has the figures; this prints them:
//!
//! ```sh
//! DIAMONDS=8,10,20,40 cargo test --release -p lapidary-cegar --test diamonds -- --nocapture
//! ```
//!
//! where `DIAMONDS` are further numbers for `sbe`, which ends after 200,000 queries and successors.

mod budget;

use budget::Budgeted;
use lapidary_cegar::Config;
use lapidary_engine::observer::Statistics;
use lapidary_engine::{Verdict, verify};
use lapidary_model::Cfa;
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;

fn diamonds(n: usize) -> Cfa {
    let declare = |i: usize| format!("var p{i} : bool var x{i} : int");
    let place = |i: usize| format!("loc I{i} loc T{i} loc F{i} loc D{}", i + 1);
    let connect = |i: usize| {
        let end = i + 1;
        format!(
            "D{i} -> I{i} {{ havoc p{i} }}
             I{i} -> T{i} {{ assume p{i} }}
             I{i} -> F{i} {{ assume not p{i} }}
             T{i} -> D{end} {{ x{i} := 1 }}
             F{i} -> D{end} {{ x{i} := 0 }}
             D{n} -> E {{ assume p{i} and x{i} /= 1 }}"
        )
    };
    let all = |part: &dyn Fn(usize) -> String| (0..n).map(part).collect::<Vec<_>>().join("\n");
    let text = format!(
        "main process diamonds {{
             {}
             init loc START loc D0 error loc E {}
             START -> D0 {{ }} {}
             D{n} -> D0 {{ }}
         }}",
        all(&declare),
        all(&place),
        all(&connect)
    );
    lapidary_frontend::load("diamonds.cfa", &text)
        .unwrap_or_else(|error| panic!("{error}"))
        .model
        .into_cfa()
}

/// What one encoding needs: the verdict, and the nodes of the last graph.
fn cost(n: usize, line: &str, queries: usize) -> (&'static str, usize) {
    let mut config = Config::default();
    config.set_line(line).unwrap();
    let z3 = Z3::new(&Watch::default()).unwrap();
    let mut statistics = Statistics::default();
    let verdict = verify(&diamonds(n), &config, &Budgeted::new(&z3, queries), &mut statistics);
    let verdict = match verdict {
        Verdict::Safe(_) => "safe",
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Unknown(_) => "unknown",
    };
    (verdict, statistics.nodes)
}

#[test]
#[expect(clippy::print_stdout, reason = "figures for who runs it with --nocapture")]
fn blocks_do_not_multiply_states() {
    for domain in ["predicate", "explicit"] {
        for n in [10, 20, 40] {
            let (verdict, nodes) = cost(n, &format!("domain={domain} encoding=lbe"), 10_000);
            println!("{domain} lbe {n}: {verdict}, {nodes} nodes");
            assert_eq!(verdict, "safe", "{domain} {n}");
            assert!(nodes <= 4, "{domain} {n}: {nodes} nodes");
        }
    }
    let mut last = 0;
    for n in [2, 4, 6] {
        for encoding in ["sbe", "chain"] {
            let (verdict, nodes) = cost(n, &format!("encoding={encoding}"), 200_000);
            println!("predicate {encoding} {n}: {verdict}, {nodes} nodes");
            assert_eq!(verdict, "safe", "{encoding} {n}");
            if encoding == "sbe" {
                assert!(nodes > 3 * last, "single edges: {last} nodes, then {nodes}");
                last = nodes;
            }
        }
    }
    let more = std::env::var("DIAMONDS").unwrap_or_default();
    for n in more.split(',').filter_map(|n| n.trim().parse().ok()) {
        let (verdict, nodes) = cost(n, "encoding=sbe", 200_000);
        println!("predicate sbe {n}: {verdict}, {nodes} nodes");
    }
}
