//! The examples of the papers' abstraction sections, reconstructed from their text.
//!
//! "First paper" is Hajdu & Micskei (JAR 2019), "second" Hajdu et al. (FORTE 2016), "third" the product abstraction
//! with limited enumeration. The search examples of the first paper (Figure 5) are tested where searches are.

use lapidary_cegar::abstraction::{Abstractor, Exploration};
use lapidary_cegar::arg::Arg;
use lapidary_cegar::config::Config;
use lapidary_cegar::domain::combined::ExplicitVars;
use lapidary_cegar::domain::explicit::MaxEnum;
use lapidary_cegar::domain::predicate::{PredSplit, Predicates};
use lapidary_cegar::domain::{Boolean, Cartesian, Explicit, Split};
use lapidary_cegar::precision::{Granularity, PrecisionMap};
use lapidary_cegar::search::Search;
use lapidary_cegar::{Domain, Fact, Tracked};
use lapidary_engine::observer::Statistics;
use lapidary_engine::{Event, Observer, Reduced, Unknown, Verdict, verify, verify_reduced};
use lapidary_expr::{Sort, Term, Var, VarSet};
use lapidary_model::Cfa;
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;

fn automaton(text: &str) -> Cfa {
    lapidary_frontend::load("test.cfa", text)
        .unwrap_or_else(|error| panic!("{error}"))
        .model
        .into_cfa()
}

/// First paper, Figure 1.
const FIGURE_1: &str = "main process figure_1 {
    var x : int  var i : int
    init loc L0  loc L1  loc L2  loc L3  loc L4  loc L5  loc L6  final loc LF  error loc LE
    L0 -> L1 { x := 0 }
    L1 -> L2 { i := 0 }
    L2 -> L3 { assume i < 100 }
    L3 -> L4 { assume x = 0 }
    L3 -> L5 { assume x /= 0 }
    L4 -> L6 { x := 1 }
    L5 -> L6 { x := 0 }
    L6 -> L2 { i := i + 1 }
    L2 -> LF { assume i >= 100 and x <= 1 }
    L2 -> LE { assume i >= 100 and x > 1 }
}";

/// First paper, Figure 4, left.
const FIGURE_4_LEFT: &str = "main process figure_4_left {
    var x : int
    init loc A  loc B  loc C  error loc E
    A -> B { havoc x }
    B -> C { assume 0 < x and x < 5 }
    C -> E { assume x = 0 }
}";

/// First paper, Figure 4, right.
const FIGURE_4_RIGHT: &str = "main process figure_4_right {
    var x : int
    init loc A  loc B  loc C  error loc E
    A -> B { havoc x }
    B -> C { assume x /= 0 }
    C -> E { assume x = 0 }
}";

/// Third paper, Figure 1a.
const PRODUCT: &str = "main process product {
    var x : int
    init loc L0  loc L1  final loc LF  error loc LE
    L0 -> L1 { assume x /= 1 }
    L0 -> LF { assume x = 1 }
    L1 -> LE { assume x = 1 }
    L1 -> LF { assume x /= 1 }
}";

/// A machine that goes round its states while a number goes down: values for `pc`, a predicate for `n`.
const MACHINE: &str = "main process machine {
    var pc : int  var n : int
    init loc A  loc L  error loc E
    A -> L { pc := 0 assume n <= 7 }
    L -> L { assume pc = 0 pc := 1 }
    L -> L { assume pc = 1 n := n - 1 pc := 2 }
    L -> L { assume pc = 2 pc := 3 }
    L -> L { assume pc = 3 pc := 0 }
    L -> E { assume pc = 4 }
    L -> E { assume n > 7 }
}";

/// Explores with one precision for all locations.
fn explore<D: Domain>(text: &str, mut domain: D, tracked: &D::Prec) -> Exploration {
    let cfa = automaton(text);
    let mut prec = PrecisionMap::new(&cfa, Granularity::Global);
    prec.refine(cfa.entry(), tracked);
    let mut arg = Arg::new(&cfa, domain.top());
    let mut abstractor = Abstractor::new::<D>(&cfa, Search::Bfs, 1, &arg);
    abstractor.explore(&mut domain, &prec, &mut arg).unwrap()
}

/// Keeps what a run learned, and counts.
#[derive(Default)]
struct Learned {
    statistics: Statistics,
    tracked: Vec<Tracked>,
}

impl Observer for Learned {
    fn event(&mut self, event: &Event) {
        self.statistics.event(event);
    }

    fn precision(&mut self, tracked: &dyn Fn() -> Vec<Tracked>) {
        self.tracked = tracked();
    }
}

fn run(text: &str, line: &str, start: &[Tracked]) -> (&'static str, Learned) {
    let z3 = Z3::new(&Watch::default()).unwrap();
    let (mut config, mut learned) = (Config::default(), Learned::default());
    // The figures are about what domains find, not about what the pass before them finds.
    config.set_line("passes=unreachable,constants,slice,cone").unwrap();
    config.set_line(line).unwrap();
    let cfa = automaton(text);
    let reduced = Reduced::unchanged(&cfa, start);
    let verdict = match verify_reduced(&cfa, &reduced, &config, &z3, &z3, &mut learned) {
        Verdict::Safe(_) => "safe",
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Unknown(Unknown::NoProgress { .. }) => "no progress",
        Verdict::Unknown(why) => panic!("{line}: {why}"),
    };
    (verdict, learned)
}

fn check(text: &str, line: &str, expected: &str) {
    assert_eq!(run(text, line, &[]).0, expected, "{line}");
}

/// First paper, Figure 3a: `i < 100` is not enough; the text says that `x <= 1` is.
#[test]
fn predicates_that_prove_and_that_do_not() {
    let z3 = Z3::new(&Watch::default()).unwrap();
    let [x, i]: [Term; 2] = ["x", "i"].map(|name| Var::new(name, Sort::Int).into());
    let small = Predicates::new([i.less(Term::int(100))]);
    let right = Predicates::new([x.at_most(Term::int(1))]);
    let whole = PredSplit::Whole;
    for (prec, is_safe) in [(&small, false), (&right, true)] {
        let results = [
            explore(FIGURE_1, Cartesian::new(&z3, whole), prec),
            explore(FIGURE_1, Boolean::new(&z3, whole), prec),
            explore(FIGURE_1, Split::new(&z3, whole), prec),
        ];
        for result in results {
            assert_eq!(result == Exploration::Safe, is_safe, "{prec:?}");
        }
    }
}

/// First paper, Figure 3b: tracking `x` alone is enough, and `i` alone is not.
#[test]
fn values_that_prove() {
    let z3 = Z3::new(&Watch::default()).unwrap();
    let track = |name: &str| VarSet::from([Var::new(name, Sort::Int)]);
    let explicit = || Explicit::new(&z3, MaxEnum::Evaluate);
    assert_eq!(explore(FIGURE_1, explicit(), &track("x")), Exploration::Safe);
    assert_ne!(explore(FIGURE_1, explicit(), &track("i")), Exploration::Safe);
}

#[test]
fn figure_1_is_safe_everywhere() {
    for line in [
        "domain=explicit",
        "domain=PRED_CART",
        "domain=PRED_BOOL",
        "domain=PRED_SPLIT",
        "domain=PROD",
        "domain=combined explicit-vars=x",
    ] {
        check(FIGURE_1, line, "safe");
    }
}

/// First paper, §3.1.1: "any k with k ≥ 4 would work".
#[test]
fn four_values_are_enumerated_if_four_are_allowed() {
    for max_enum in ["1*", "1", "2", "3"] {
        check(FIGURE_4_LEFT, &format!("domain=explicit max-enum={max_enum}"), "no progress");
    }
    for max_enum in ["4", "5", "100", "0", "auto"] {
        check(FIGURE_4_LEFT, &format!("domain=explicit max-enum={max_enum}"), "safe");
    }
}

/// First paper, §3.1.1: enumerating all values other than 0 "is clearly impractical".
#[test]
fn infinitely_many_values_are_not_enumerated() {
    for max_enum in ["1*", "1", "4", "32", "auto"] {
        check(FIGURE_4_RIGHT, &format!("domain=explicit max-enum={max_enum}"), "no progress");
    }
    for line in ["domain=predicate", "domain=product max-enum=4", "domain=product max-enum=1*"] {
        check(FIGURE_4_RIGHT, line, "safe");
    }
}

/// Third paper, Figures 1 and 2: values do not prove it; the product gives `x` up after `k` values and takes a
/// predicate about it.
#[test]
fn the_product_goes_from_values_to_predicates() {
    for max_enum in ["1", "4", "32"] {
        check(PRODUCT, &format!("domain=explicit max-enum={max_enum}"), "no progress");
        for abstraction in ["cartesian", "boolean", "split"] {
            let line = format!("domain=product abstraction={abstraction} max-enum={max_enum}");
            let (verdict, learned) = run(PRODUCT, &line, &[]);
            let x = Var::new("x", Sort::Int);
            assert_eq!(verdict, "safe", "{line}");
            assert!(
                learned.tracked.contains(&Tracked { at: None, fact: Fact::Flagged(x) }),
                "{line}"
            );
            let about_x = |tracked: &Tracked| matches!(tracked.fact, Fact::Predicate(term) if term.mentions(x));
            assert!(learned.tracked.iter().any(about_x), "{line}: {:?}", learned.tracked);
        }
    }
}

/// A variable with few values stays explicit in the product: no predicate is needed for the left program.
#[test]
fn the_product_keeps_few_values() {
    let (verdict, learned) = run(FIGURE_4_LEFT, "domain=product max-enum=4", &[]);
    let x = Var::new("x", Sort::Int);
    assert_eq!(
        (verdict, &learned.tracked[..]),
        ("safe", &[Tracked { at: None, fact: Fact::Variable(x) }][..])
    );
}

/// The core of the third paper's `ssh` programs: a state machine whose state is assigned by way of another variable.
const MACHINE_BY_COPY: &str = "main process copy {
    var state : int
    var next : int
    init loc A  loc B  loc C  loc D  error loc E
    A -> B { state := 1 }
    B -> C { assume state = 1 next := 2 }
    B -> C { assume state = 2 next := 1 }
    C -> D { state := next }
    D -> B { assume state /= 3 }
    B -> E { assume state = 4 }
}";

/// What a value depends on is tracked before the variable is given up, although `state` alone has too many values.
#[test]
fn the_product_tracks_what_an_unknown_value_depends_on() {
    for max_enum in ["1", "8"] {
        let line = format!("domain=product max-enum={max_enum}");
        let (verdict, learned) = run(MACHINE_BY_COPY, &line, &[]);
        assert_eq!(verdict, "safe", "{line}");
        let is_variable = |tracked: &Tracked| matches!(tracked.fact, Fact::Variable(_));
        assert!(learned.tracked.iter().all(is_variable), "{line}: {:?}", learned.tracked);
    }
}

/// Second paper, §4.1: the program counter is explicit, so that no predicate speaks of it.
#[test]
fn the_combination_finds_the_program_counter() {
    let pc = Var::new("pc", Sort::Int);
    assert_eq!(ExplicitVars::Auto.select(&automaton(MACHINE)), VarSet::from([pc]));
    for line in ["domain=combined", "domain=combined explicit-vars=pc abstraction=split"] {
        let (verdict, learned) = run(MACHINE, line, &[]);
        assert_eq!(verdict, "safe", "{line}");
        let about_pc =
            |tracked: &Tracked| matches!(tracked.fact, Fact::Predicate(term) if term.mentions(pc));
        assert!(!learned.tracked.iter().any(about_pc), "{line}: {:?}", learned.tracked);
        assert!(!learned.tracked.is_empty(), "{line}: `n` needs a predicate");
    }
}

/// A run that starts from what another one learned refines nothing.
#[test]
fn what_was_learned_is_enough_the_next_time() {
    for domain in
        ["explicit max-enum=4", "predicate", "PRED_BOOL", "PRED_SPLIT", "product max-enum=4"]
    {
        for precision in ["global", "local"] {
            for text in [FIGURE_1, FIGURE_4_LEFT] {
                let line = format!("domain={domain} precision={precision}");
                let (first, learned) = run(text, &line, &[]);
                let (second, again) = run(text, &line, &learned.tracked);
                assert_eq!([first, second], ["safe"; 2], "{line}");
                assert!(learned.statistics.refinements > 0, "{line}");
                assert_eq!(again.statistics.refinements, 0, "{line}: {:?}", learned.tracked);
            }
        }
    }
}

/// All variables, or the right assumptions, leave nothing to refine.
#[test]
fn what_is_tracked_from_the_start() {
    for (text, line, refinements) in [
        (FIGURE_1, "domain=explicit initial-precision=all-vars", 0),
        (FIGURE_4_LEFT, "domain=explicit max-enum=4 initial-precision=property", 0),
        (FIGURE_4_RIGHT, "domain=predicate pred-split=atoms initial-precision=property", 0),
        (FIGURE_4_RIGHT, "domain=predicate precision=local initial-precision=all-assumes", 0),
        (FIGURE_4_RIGHT, "domain=PRED_BOOL pred-split=bounds initial-precision=property", 0),
    ] {
        let (verdict, learned) = run(text, line, &[]);
        assert_eq!((verdict, learned.statistics.refinements), ("safe", refinements), "{line}");
    }
    let z3 = Z3::new(&Watch::default()).unwrap();
    let mut config = Config::default();
    config.set_line("domain=product initial-precision=all-assumes").unwrap();
    assert!(matches!(verify(&automaton(FIGURE_1), &config, &z3, &mut ()), Verdict::Safe(_)));
}
