//! Pruning (first paper): Figures 6, 7 and 8.
//!
//! States are counted from 0, so that state 1 is the figures' s₂.

use lapidary_cegar::abstraction::{Abstractor, Exploration};
use lapidary_cegar::arg::Arg;
use lapidary_cegar::cegar::{Outcome, cegar};
use lapidary_cegar::checker::{Checker, NewtonOptions};
use lapidary_cegar::domain::Cartesian;
use lapidary_cegar::domain::predicate::PredSplit;
use lapidary_cegar::precision::{Granularity, PrecisionMap};
use lapidary_cegar::refinement::{Prune, Refinement, Refiner};
use lapidary_cegar::search::Search;
use lapidary_cegar::{
    Config, Domain, Feasibility, Precision, Reason, Refutation, Result, Trace, TraceChecker,
    trace_checker,
};
use lapidary_expr::Term;
use lapidary_solver::interpolate::Engine;

use super::split::Split;
use super::{Log, automaton, int, path, run, run_with, z3};

/// Figure 6: a variable is assigned, and contradicts a guard three steps later.
const FIGURE_6: &str = "main process figure6 {
    var x : int
    var y : int
    init loc L1  loc L2  loc L3  loc L4  error loc L5
    L1 -> L2 { x := 0 }
    L2 -> L3 { havoc y }
    L3 -> L4 { havoc y }
    L4 -> L5 { assume x > 5 }
}";

/// Forward refines the last reachable state, and splits it; then the one before, and so on. Backward goes back
/// to the assignment at once.
#[test]
fn figure_6_backward_prunes_to_the_cause_in_one_step() {
    let cfa = automaton(FIGURE_6);
    for (checker, expected) in [("forward", &[3, 2, 1][..]), ("backward", &[1])] {
        let mut config = Config::default();
        config.set("checker", checker).unwrap();
        let (verdict, log) = run_with(&cfa, &config, Split::new(&z3()));
        let indices: Vec<usize> =
            log.stories.iter().filter_map(|story| story.prune_index).collect();
        assert_eq!((verdict, &indices[..]), ("safe", expected), "{checker}");
    }
}

/// The interpolant of `forward` follows from the whole prefix, which Cartesian abstraction cannot use.
#[test]
fn forward_with_cartesian_abstraction_makes_no_progress() {
    let cfa = automaton(
        "main process stuck {
            var x : int
            init loc A  loc B  loc C  error loc E
            A -> B { x := 0 }
            B -> C { x := x + 1 }
            C -> E { assume x = 3 }
        }",
    );
    assert_eq!(run(&cfa, "domain=predicate checker=forward").0, "no progress");
    assert_eq!(run(&cfa, "domain=predicate checker=backward").0, "safe");
    for select in ["min-prune", "max-prune"] {
        let expected = if select == "min-prune" { "safe" } else { "no progress" };
        // Which of the two is taken depends on where their interpolants stand.
        let config = format!("domain=predicate interpolation=wp select={select}");
        assert_eq!(run(&cfa, &config).0, expected, "{select}");
    }
}

/// Figure 7: a tree with four counterexamples. Those of σ₁ and σ₄ are refined below those of σ₂ and σ₃.
const FIGURE_7: &str = "main process figure7 {
    var x : int
    init loc A  loc B  loc C  loc D  loc F  error loc E
    A -> B { x := 1 }
    A -> D { x := 3 }
    B -> C { skip }
    C -> E { assume x = 11 }
    B -> E { assume x = 12 }
    D -> E { assume x = 13 }
    D -> F { skip }
    F -> E { assume x = 14 }
}";

/// Explains σ₁ … σ₄ by predicates that tell them apart, at states 2, 1, 1, 2.
struct Scripted;

impl TraceChecker for Scripted {
    fn check(&mut self, trace: &Trace<'_>) -> Result<Feasibility> {
        let last = trace.stmts[trace.stmts.len() - 1].to_string();
        let numbers = [11, 12, 13, 14];
        let number = numbers.into_iter().find(|n| last.contains(&n.to_string())).unwrap();
        let mut reasons = vec![Reason::Holds(true.into()); trace.states.len()];
        let at = trace.stmts.len() - 1;
        let at_most = Term::from(int("x")).at_most(Term::int(number));
        reasons[at] = Reason::Holds(at_most);
        reasons[at + 1] = Reason::Holds(false.into());
        Ok(Feasibility::Infeasible(Refutation::new("scripted", reasons)))
    }
}

#[test]
fn figure_7_the_minimal_set() {
    let (cfa, z3) = (automaton(&FIGURE_7.replace("{ skip }", "{ assume x < 10 }")), z3());
    let mut domain = Cartesian::new(&z3, PredSplit::Conjuncts);
    let mut arg = Arg::new(&cfa, domain.top());
    let mut prec = PrecisionMap::new(&cfa, Granularity::Global);
    let mut abstractor = Abstractor::new::<Cartesian>(&cfa, Search::Bfs, usize::MAX, &arg);
    let exploration = abstractor.explore(&mut domain, &prec, &mut arg).unwrap();
    let Exploration::Unsafe(errors) = exploration else { panic!("there are errors") };
    assert_eq!(errors.len(), 4);
    let mut refiner = Refiner::new(&cfa, &z3, vec![Box::new(Scripted)], Prune::Lazy);
    let refinement = refiner.refine(&mut domain, &errors, &mut prec, &mut arg).unwrap();
    let Refinement::Spurious(again) = refinement else { panic!("{refinement:?}") };
    assert_eq!(refiner.take_stories().len(), 4, "each counterexample is explained");
    assert_eq!(
        prec.at(cfa.entry()).items(),
        ["(<= x 12)", "(<= x 13)"],
        "σ₂ and σ₃ are learned from"
    );
    assert_eq!((again, arg.len()), (vec![arg.root()], 1));
    arg.check_invariants().unwrap();
}

/// Several counterexamples in one iteration, and fewer iterations.
#[test]
fn several_counterexamples_save_iterations() {
    let cfa = automaton(&FIGURE_7.replace("{ skip }", "{ x := x + 1 }"));
    let iterations = |line: &str| {
        let (verdict, log) = run(&cfa, line);
        assert_eq!(verdict, "safe", "{line}");
        log.statistics.iterations
    };
    for domain in ["domain=predicate", "domain=explicit precision=local"] {
        let (first, all) = (iterations(domain), iterations(&format!("{domain} refine=all")));
        assert!(all < first, "{domain}: {all} and {first}");
    }
}

/// Counterexamples of one iteration may be explained by different checkers, in turn.
#[test]
fn several_checkers_take_turns() {
    let (cfa, z3) = (automaton(&FIGURE_7.replace("{ skip }", "{ x := x + 1 }")), z3());
    let checkers = [Checker::Sequence, Checker::Backward, Checker::Newton]
        .map(|checker| checker.build(&z3, Engine::Auto, &NewtonOptions::default()));
    let mut refiner = Refiner::new(&cfa, &z3, checkers.into(), Prune::Lazy);
    let mut prec = PrecisionMap::new(&cfa, Granularity::Global);
    let mut domain = Cartesian::new(&z3, PredSplit::Conjuncts);
    let (most, mut log) = ((Search::Bfs, usize::MAX), Log::default());
    let outcome = cegar(&cfa, &mut domain, most, &mut refiner, &mut prec, &mut log).unwrap();
    assert!(matches!(outcome, Outcome::Safe(_)));
    let names: Vec<&str> = log.stories.iter().take(4).map(|story| story.checker).collect();
    assert_eq!(names, ["sequence", "backward", "newton", "sequence"]);
}

/// Figure 8: forward prunes at s₄ and backward at s₂, and the other way round.
#[test]
fn figure_8_smallest_and_largest_prune_index() {
    let cause_first = automaton(
        "main process a { var x : int init loc A loc B loc C loc D error loc E
            A -> B { x := 0 }  B -> C { assume true }  C -> D { assume true }  D -> E { assume x > 5 } }",
    );
    let two_causes = automaton(
        "main process b { var x : int var y : int init loc A loc B loc C loc D error loc E
            A -> B { x := 0 }  B -> C { assume x > 5 }  C -> D { y := 0 }  D -> E { assume y > 5 } }",
    );
    for (cfa, forward, backward) in [(&cause_first, 3, 1), (&two_causes, 1, 3)] {
        let index = |line: &str| {
            let mut config = Config::default();
            config.set_line(line).unwrap();
            let z3 = z3();
            let trace = Trace::unlabelled(path(cfa));
            match trace_checker(cfa, &config, &z3).check(&trace).unwrap() {
                Feasibility::Infeasible(refutation) => refutation.prune_index(),
                Feasibility::Feasible(_) => panic!("infeasible"),
            }
        };
        assert_eq!(index("checker=forward"), Some(forward));
        assert_eq!(index("checker=backward"), Some(backward));
        assert_eq!(index("select=min-prune"), Some(1));
        assert_eq!(index("select=max-prune"), Some(3));
    }
}
