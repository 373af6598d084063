//! The rules that keep the search sound, one by one.
//!
//! Most are about the graph alone, which is driven here by hand; the others are programs on which a search
//! without the rule would give a wrong answer or none.

use lapidary_cegar::arg::{Arg, CoverIndex, NodeId};
use lapidary_cegar::checker::Checker;
use lapidary_cegar::config::{Config, DomainKind};
use lapidary_cegar::domain::explicit::MaxEnum;
use lapidary_cegar::passes::Passes;
use lapidary_cegar::precision::Granularity;
use lapidary_cegar::refinement::Prune;
use lapidary_cegar::search::Search;
use lapidary_engine::{Unknown, Verdict, verify};
use lapidary_model::{Cfa, EdgeId};
use lapidary_solver::interpolate::Engine;
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;

fn automaton(text: &str) -> Cfa {
    lapidary_frontend::load("test.cfa", text)
        .unwrap_or_else(|error| panic!("{error}"))
        .model
        .into_cfa()
}

fn verdict(text: &str, config: &Config) -> Verdict {
    verify(&automaton(text), config, &Z3::new(&Watch::default()).unwrap(), &mut ())
}

fn name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Safe(_) => "safe",
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Unknown(_) => "unknown",
    }
}

/// Every combination of the small axes.
fn configurations() -> Vec<Config> {
    let mut all = Vec::new();
    for domain in DomainKind::ALL {
        for search in Search::ALL {
            for prune in Prune::ALL {
                for checker in Checker::ALL {
                    all.push(Config { domain, search, prune, checker, ..Config::default() });
                }
            }
        }
    }
    all
}

/// All nodes of a location are candidates.
#[derive(Debug, Default)]
struct All(Vec<NodeId>);

impl CoverIndex<u32> for All {
    fn insert(&mut self, node: NodeId, _: &u32) {
        self.0.push(node);
    }

    fn remove(&mut self, node: NodeId, _: &u32) {
        self.0.retain(|other| *other != node);
    }

    fn candidates(&self, _: &u32) -> Vec<NodeId> {
        self.0.clone()
    }
}

const DIAMOND: &str = "main process diamond {
    var x : int
    init loc A  loc B  error loc E
    A -> B { x := 0 }
    A -> B { x := 1 }
    B -> B { x := x }
    B -> E { assume x = 2 }
}";

fn graph(cfa: &Cfa) -> Arg<u32, All> {
    Arg::new(cfa, 0)
}

fn ok(arg: &Arg<u32, All>) {
    arg.check_invariants().unwrap();
}

#[test]
fn no_node_covers_itself() {
    let cfa = automaton(DIAMOND);
    let mut arg = graph(&cfa);
    let root = arg.root();
    assert_eq!(arg.may_cover(root), []);
    let child = arg.add(&cfa, root, EdgeId(0), 7);
    assert_eq!(arg.may_cover(child), []);
}

/// With self-covering, the loop head would cover itself before it is expanded: a wrong `safe`.
#[test]
fn a_loop_head_is_expanded_before_it_is_covered() {
    let text = "main process p {
        var x : int
        init loc A  error loc E
        A -> A { x := x + 1 }
        A -> E { assume x = 5 }
    }";
    for config in configurations() {
        assert_ne!(name(&verdict(text, &config)), "safe", "{config}");
    }
    assert_eq!(name(&verdict(text, &Config::default())), "unsafe");
}

#[test]
fn equal_nodes_do_not_cover_each_other() {
    let cfa = automaton(DIAMOND);
    let mut arg = graph(&cfa);
    let root = arg.root();
    arg.take_pending(root);
    let first = arg.add(&cfa, root, EdgeId(0), 7);
    let second = arg.add(&cfa, root, EdgeId(1), 7);
    assert_eq!(arg.may_cover(first), [second]);
    arg.cover(first, second);
    assert_eq!(arg.may_cover(second), [], "a covered node covers nothing");
    ok(&arg);
}

/// Two equal successors of one state: with mutual covering neither would be expanded.
#[test]
fn one_of_two_equal_nodes_is_expanded() {
    let text = "main process p {
        var x : int
        init loc A  loc B  error loc E
        A -> B { x := 1 }
        A -> B { x := 1 }
        B -> E { assume x = 1 }
    }";
    for config in configurations() {
        assert_eq!(name(&verdict(text, &config)), "unsafe", "{config}");
    }
}

#[test]
fn what_a_covered_node_covered_goes_over_to_its_coverer() {
    let cfa = automaton(DIAMOND);
    let mut arg = graph(&cfa);
    let root = arg.root();
    arg.take_pending(root);
    let nodes: Vec<NodeId> = (0..3).map(|i| arg.add(&cfa, root, EdgeId(i % 2), i)).collect();
    arg.cover(nodes[0], nodes[1]);
    arg.cover(nodes[1], nodes[2]);
    assert_eq!(arg.covered_by(nodes[0]), Some(nodes[2]));
    ok(&arg);
}

#[test]
fn a_node_that_loses_its_coverer_waits_again() {
    let cfa = automaton(DIAMOND);
    let mut arg = graph(&cfa);
    let root = arg.root();
    arg.take_pending(root);
    let coverer = arg.add(&cfa, root, EdgeId(0), 1);
    let covered = arg.add(&cfa, root, EdgeId(1), 1);
    arg.cover(covered, coverer);
    let again = arg.prune(coverer);
    assert_eq!(again, [root, covered]);
    assert!(arg.is_unmarked(covered) && !arg.is_alive(coverer));
    ok(&arg);
}

#[test]
fn a_node_below_its_own_coverer_goes_with_it() {
    let cfa = automaton(DIAMOND);
    let mut arg = graph(&cfa);
    let root = arg.root();
    arg.take_pending(root);
    let coverer = arg.add(&cfa, root, EdgeId(0), 1);
    arg.take_pending(coverer);
    let covered = arg.add(&cfa, coverer, EdgeId(2), 1);
    arg.cover(covered, coverer);
    assert_eq!(arg.prune(coverer), [root]);
    assert!(!arg.is_alive(covered));
    assert_eq!(arg.len(), 1);
    ok(&arg);
}

#[test]
fn pruning_removes_all_children_of_the_edge_and_no_others() {
    let cfa = automaton(DIAMOND);
    let mut arg = graph(&cfa);
    let root = arg.root();
    arg.take_pending(root);
    let siblings: Vec<NodeId> = (0..3).map(|i| arg.add(&cfa, root, EdgeId(0), i)).collect();
    let other = arg.add(&cfa, root, EdgeId(1), 9);
    assert_eq!(arg.prune(siblings[1]), [root]);
    assert!(siblings.iter().all(|node| !arg.is_alive(*node)) && arg.is_alive(other));
    assert_eq!(arg.take_pending(root)[..], [EdgeId(0)], "only the pruned edge is expanded again");
    ok(&arg);
}

/// Several counterexamples may want to prune nodes of one edge, or one below the other.
#[test]
fn pruning_twice_changes_nothing() {
    let cfa = automaton(DIAMOND);
    let mut arg = graph(&cfa);
    let root = arg.root();
    arg.take_pending(root);
    let siblings: Vec<NodeId> = (0..2).map(|i| arg.add(&cfa, root, EdgeId(0), i)).collect();
    assert_eq!(arg.prune(siblings[0]), [root]);
    assert_eq!(arg.prune(siblings[1]), []);
    assert_eq!(arg.take_pending(root)[..], [EdgeId(0)]);
    assert_eq!(arg.len(), 1);
    ok(&arg);
}

#[test]
fn pruning_everything_leaves_the_entry() {
    let cfa = automaton(DIAMOND);
    let mut arg = graph(&cfa);
    let root = arg.root();
    arg.take_pending(root);
    arg.add(&cfa, root, EdgeId(0), 1);
    arg.add(&cfa, root, EdgeId(1), 2);
    assert_eq!(arg.prune_all(), [root]);
    assert_eq!(arg.len(), 1);
    assert_eq!(arg.take_pending(root)[..], [EdgeId(0), EdgeId(1)]);
    ok(&arg);
}

/// `x` has four values after the first edge; refinement below one of them must not lose the others.
#[test]
fn several_successors_of_an_edge_survive_refinement() {
    let text = |error: &str| {
        format!(
            "main process p {{
                var x : int  var y : int
                init loc A  loc B  loc C  error loc E
                A -> B {{ assume 0 < x and x < 5 }}
                B -> C {{ y := 2 * x }}
                C -> E {{ assume {error} }}
            }}"
        )
    };
    for prune in Prune::ALL {
        for search in Search::ALL {
            let config = Config {
                domain: DomainKind::Explicit,
                max_enum: MaxEnum::Limit(4),
                prune,
                search,
                ..Config::default()
            };
            assert_eq!(name(&verdict(&text("y = 6"), &config)), "unsafe", "{config}");
            assert_eq!(name(&verdict(&text("y = 12"), &config)), "safe", "{config}");
        }
    }
}

/// The interpolant of the longest feasible prefix follows from the concrete path only: Cartesian abstraction
/// cannot prove it from the abstract state before, and the same counterexample comes back for ever.
#[test]
fn no_progress_is_noticed() {
    let text = "main process p {
        var x : int
        init loc A  loc B  loc C  error loc E
        A -> B { havoc x assume x = 0 }
        B -> C { x := x + 1 }
        C -> E { assume x = 3 }
    }";
    let stuck = Config {
        checker: Checker::Forward,
        interpolation: Engine::Sp,
        passes: Passes::NONE,
        ..Config::default()
    };
    for prune in Prune::ALL {
        match verdict(text, &Config { prune, ..stuck }) {
            Verdict::Unknown(why @ Unknown::NoProgress { length: 3 }) => {
                assert!(why.to_string().starts_with("no progress"));
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(name(&verdict(text, &Config { checker: Checker::Backward, ..stuck })), "safe");
}

/// Both variables are tracked at once and their values stay unknown: refinement has nothing to add.
#[test]
fn explicit_values_without_values_make_no_progress() {
    let text = "main process p {
        var x : int
        init loc A  loc B  error loc E
        A -> B { assume x /= 0 }
        B -> E { assume x = 0 }
    }";
    let config = Config { domain: DomainKind::Explicit, ..Config::default() };
    assert!(matches!(verdict(text, &config), Verdict::Unknown(Unknown::NoProgress { .. })));
    assert_eq!(name(&verdict(text, &Config::default())), "safe");
}

/// A predicate that only the next location tracks follows from what is known before a statement that does
/// not touch it. Carrying over what was asked before is not enough there.
#[test]
fn local_precision_asks_about_predicates_that_are_new_at_a_location() {
    let text = "main process p {
        var x : int  var y : int
        init loc A  loc B  loc C  error loc E
        A -> B { assume x <= y  assume y <= 5 }
        B -> E { assume x > y }
        B -> E { assume y > 5 }
        B -> C { y := 0 }
        C -> E { assume x > 5 }
    }";
    for checker in Checker::ALL {
        let (precision, passes) = (Granularity::Local, Passes::NONE);
        let config = Config { precision, passes, checker, ..Config::default() };
        assert_eq!(name(&verdict(text, &config)), "safe", "{config}");
    }
}

/// One edge with hundreds of statements, as cyclic programs have them: validation must not take longer than
/// the search.
#[test]
fn long_edges_are_validated_by_evaluation() {
    let n = 300;
    let each = |text: &str| {
        let lines: Vec<String> = (0..n).map(|i| text.replace('#', &format!("v{i}"))).collect();
        lines.join("\n")
    };
    let (vars, start, step) = (each("var # : int"), each("# := 0"), each("# := (# + 1) mod 3"));
    let sum = each("+ #");
    let text = format!(
        "main process p {{ {vars} init loc A  loc B  error loc E
            A -> B {{ {start} }}
            B -> B {{ {step} }}
            B -> E {{ assume 0 {sum} = 1 }} }}"
    );
    let config = Config { domain: DomainKind::Explicit, ..Config::default() };
    assert_eq!(name(&verdict(&text, &config)), "safe");
}
