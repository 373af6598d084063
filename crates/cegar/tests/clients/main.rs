//! Clients that ask more of the traits than the first two domains do, small but working: they are run by the
//! same loop, and their verdicts are validated.
//!
//! - [`product`]: explicit values × predicates with flagged variables (third paper): each side sees the other's
//!   state, flags live in the domain and travel with the precision;
//! - [`split`]: one state per cube (first paper, §3.1.3): several successors along one edge;
//! - large blocks: edges that are choices of sequences, with relations inside.

mod product;
mod split;

use lapidary_cegar::Domain;
use lapidary_cegar::cegar::{Outcome, cegar};
use lapidary_cegar::checker::{Checker, NewtonOptions};
use lapidary_cegar::config::{AXES, Config};
use lapidary_cegar::domain::States;
use lapidary_cegar::domain::explicit::MaxEnum;
use lapidary_cegar::precision::{Granularity, PrecisionMap};
use lapidary_cegar::refinement::{Prune, Refiner};
use lapidary_cegar::search::Search;
use lapidary_engine::{Verdict, verify};
use lapidary_expr::{Sort, Term, Var, VarSet};
use lapidary_model::{Cfa, CfaBuilder, Stmt};
use lapidary_solver::Backend;
use lapidary_solver::interpolate::Engine;
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;
use lapidary_validate::{validate_execution, validate_proof};

fn automaton(text: &str) -> Cfa {
    lapidary_frontend::load("test.cfa", text)
        .unwrap_or_else(|error| panic!("{error}"))
        .model
        .into_cfa()
}

const COUNTER: &str = "main process counter {
    var x : int
    var y : int
    init loc A  loc B  loc C  error loc E
    A -> B { x := 0 havoc y }
    B -> B { assume x < 3 x := x + 1 }
    B -> C { assume x >= 3 }
    C -> E { assume x /= 3 }
}";

const UNSAFE: &str = "main process counter {
    var x : int
    var y : int
    init loc A  loc B  error loc E
    A -> B { x := 0 havoc y }
    B -> B { assume x < 3 x := x + 1 }
    B -> E { assume x = 3 and y > 5 }
}";

/// Two flags that are always equal: needs a relation between them, or both values.
const EQUAL: &str = "main process equal {
    var p : bool
    var q : bool
    init loc A  loc B  error loc E
    A -> B { q := p }
    B -> B { p := not p q := not q }
    B -> E { assume not (p iff q) }
}";

/// Runs the loop with `domain`; the verdict, validated.
fn run<D: Domain>(cfa: &Cfa, mut domain: D, granularity: Granularity, prune: Prune) -> String {
    let z3 = Z3::new(&Watch::default()).unwrap();
    let checker = Checker::Sequence.build(&z3, Engine::Auto, &NewtonOptions::default());
    let mut refiner = Refiner::new(cfa, &z3, vec![checker], prune);
    let mut prec = PrecisionMap::new(cfa, granularity);
    match cegar(cfa, &mut domain, (Search::Bfs, 1), &mut refiner, &mut prec, &mut ()).unwrap() {
        Outcome::Safe(proof) => {
            validate_proof(cfa, &proof, &mut *z3.solver()).unwrap();
            "safe".into()
        }
        Outcome::Unsafe(execution) => {
            validate_execution(cfa, &execution).unwrap();
            format!("unsafe {}", execution.steps.len())
        }
        Outcome::NoProgress(length) => format!("no progress {length}"),
    }
}

fn check<D: Domain>(domain: impl Fn(&Z3) -> D) {
    let z3 = Z3::new(&Watch::default()).unwrap();
    for prune in Prune::ALL {
        for granularity in Granularity::ALL {
            assert_eq!(run(&automaton(COUNTER), domain(&z3), granularity, prune), "safe");
            assert_eq!(run(&automaton(UNSAFE), domain(&z3), granularity, prune), "unsafe 5");
        }
    }
}

#[test]
fn product_with_flags() {
    check(product::Product::new);
    let z3 = Z3::new(&Watch::default()).unwrap();
    // Neither side alone needs to be enough: `p` and `q` have no known value, their relation decides.
    assert_eq!(
        run(&automaton(EQUAL), product::Product::new(&z3), Granularity::Global, Prune::Lazy),
        "safe"
    );
}

#[test]
fn state_splitting() {
    check(split::Split::new);
    let z3 = Z3::new(&Watch::default()).unwrap();
    assert_eq!(
        run(&automaton(EQUAL), split::Split::new(&z3), Granularity::Global, Prune::Lazy),
        "safe"
    );
}

#[test]
fn precision_of_single_states() {
    check(|z3| States::new(z3, MaxEnum::Unlimited, VarSet::new()));
    check(|z3| States::new(z3, MaxEnum::Unlimited, [Var::new("x", Sort::Int)].into()));
    let z3 = Z3::new(&Watch::default()).unwrap();
    let states = States::new(&z3, MaxEnum::Unlimited, VarSet::new());
    assert_eq!(run(&automaton(EQUAL), states, Granularity::State, Prune::Lazy), "safe");
}

/// The counter with its whole loop body, both branches, on one edge.
fn large_block(error_at: i32) -> Cfa {
    let (x, y) = (Var::new("x", Sort::Int), Var::new("y", Sort::Int));
    let (vx, vy): (Term, Term) = (x.into(), y.into());
    let mut builder = CfaBuilder::new("block", "entry");
    builder.vars(&[x, y]);
    let (head, error) = (builder.loc("head"), builder.loc("error"));
    builder.error(error);
    let entry = builder.entry();
    builder.edge(entry, Stmt::assign(x, Term::int(0)), head, None);
    let up = Stmt::seq([
        Stmt::Havoc(vec![y]),
        Stmt::Assume(vy.less(vx)),
        Stmt::assign(x, vx.plus(Term::int(2))),
    ]);
    let next: Term = x.primed().into();
    let stay = Stmt::Relation { formula: next.equals(vx.plus(Term::int(4))), written: [x].into() };
    let body = Stmt::seq([Stmt::Assume(vx.less(Term::int(10))), Stmt::Choice(vec![up, stay])]);
    builder.edge(head, body, head, None);
    builder.edge(head, Stmt::Assume(vx.equals(Term::int(error_at))), error, None);
    builder.build().unwrap()
}

#[test]
fn large_blocks_with_choices() {
    let z3 = Z3::new(&Watch::default()).unwrap();
    for (error_at, expected) in [(8, "unsafe"), (15, "safe"), (-2, "safe")] {
        for domain in AXES[0].values {
            for checker in Checker::ALL {
                let mut config = Config { checker, ..Config::default() };
                config.set("domain", domain).unwrap();
                let verdict = match verify(&large_block(error_at), &config, &z3, &mut ()) {
                    Verdict::Safe(_) => "safe",
                    Verdict::Unsafe(_) => "unsafe",
                    Verdict::Unknown(why) => {
                        assert!(!why.to_string().contains("internal"), "{config}: {why}");
                        continue;
                    }
                };
                assert_eq!(verdict, expected, "error at {error_at}: {config}");
            }
        }
        let best = Config::default();
        assert!(
            !matches!(verify(&large_block(error_at), &best, &z3, &mut ()), Verdict::Unknown(_)),
            "{error_at}"
        );
    }
}
