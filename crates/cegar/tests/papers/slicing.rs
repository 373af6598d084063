//! Sliced prefixes and refinement selection (fourth paper): Figures 1 and 2.

use lapidary_cegar::checker::ValuePost;
use lapidary_cegar::observer::Story;
use lapidary_cegar::refinement::Select;
use lapidary_cegar::refinement::prefixes::SlicedPrefixes;
use lapidary_model::{VariableType, VariableTypes};
use lapidary_solver::Backend;

use super::{automaton, path, run, z3};

/// Figure 1: the error path is infeasible because of the flag, and because of the loop counter.
const FIGURE_1: &str = "main process figure1 {
    var b : bool
    var i : int
    init loc A  loc B  loc C  loc D  error loc E
    A -> B { b := false i := 0 }
    B -> B { assume i < 1000 i := i + 1 }
    B -> C { assume i >= 1000 }
    C -> D { assume b }
    D -> E { assume i /= 1000 }
}";

#[test]
fn figure_1_types() {
    let types = VariableTypes::of(&automaton(FIGURE_1));
    let found: Vec<(String, VariableType)> =
        types.iter().map(|(var, kind)| (var.to_string(), kind)).collect();
    let expected =
        [("b".to_string(), VariableType::Boolean), ("i".to_string(), VariableType::LoopCounter)];
    assert_eq!(found, expected);
}

/// With the flag two iterations are enough; with the counter the loop is unrolled.
#[test]
fn figure_1_the_flag_is_chosen_over_the_loop_counter() {
    let cfa = automaton(FIGURE_1);
    for domain in
        ["domain=explicit", "domain=explicit checker=value", "domain=explicit checker=newton"]
    {
        for select in ["domain-best", "domain-best,width,shortest", "longest"] {
            let (verdict, log) = run(&cfa, &format!("{domain} select={select}"));
            assert_eq!(verdict, "safe", "{domain} {select}");
            assert_eq!(log.statistics.iterations, 2, "{domain} {select}");
            assert!(log.statistics.nodes < 10, "the loop is not unrolled");
            let learned: Vec<&str> = log
                .stories
                .iter()
                .flat_map(|story| &story.learned)
                .map(|(_, item)| &**item)
                .collect();
            assert_eq!(learned, ["b"]);
            assert_eq!(log.stories[0].choice.as_ref().unwrap().among, 2);
        }
        for select in ["domain-worst", "shortest"] {
            let (_, log) = run(&cfa, &format!("{domain} select={select}"));
            assert!(log.statistics.nodes > 1000, "{domain} {select}: the loop is unrolled");
        }
    }
    // Predicates, too.
    let (verdict, log) = run(&cfa, "domain=predicate select=domain-best");
    assert_eq!((verdict, log.statistics.iterations), ("safe", 2));
}

/// Figure 2: one path with three contradicting assumptions, each about a variable of its own.
const FIGURE_2: &str = "main process figure2 {
    var x : int
    var y : int
    var z : int
    init loc A  loc B  loc C  loc D  loc F  loc G  loc H  loc I  loc J  error loc E
    A -> B { x := 0 }
    B -> C { assume x = 0 }
    C -> D { assume x > 0 }
    D -> F { y := 1 }
    F -> G { assume y = 2 }
    G -> H { z := y }
    H -> I { assume y = 1 }
    I -> J { assume z = 3 }
    J -> E { assume x = 0 }
}";

#[test]
fn figure_2_three_sliced_prefixes() {
    let cfa = automaton(FIGURE_2);
    let stmts = path(&cfa);
    let mut solver = z3().solver();
    let prefixes = SlicedPrefixes::of(&mut *solver, &stmts).unwrap();
    let texts = |number: usize| -> Vec<String> {
        prefixes.trace(number, &stmts).stmts.iter().map(ToString::to_string).collect()
    };
    let original: Vec<String> = stmts.iter().map(ToString::to_string).collect();
    assert_eq!(prefixes.len(), 3);
    assert_eq!((0..3).map(|i| prefixes.length(i)).collect::<Vec<_>>(), [3, 5, 8]);
    // Property (3): they differ from the path in no-ops only, and (2): each is the beginning of the next.
    let mut expected = original.clone();
    for (number, contradicting) in [(0, 2), (1, 4), (2, 7)] {
        assert_eq!(texts(number), expected[..=contradicting]);
        expected[contradicting] = "skip".into();
    }
}

/// Different prefixes, different precisions for the same path.
#[test]
fn figure_2_a_choice_of_precisions() {
    let cfa = automaton(FIGURE_2);
    let learned = |line: &str| -> Vec<String> {
        let (verdict, log) = run(&cfa, line);
        assert_eq!(verdict, "safe", "{line}");
        assert_eq!(log.stories.len(), 1, "{line}");
        log.stories[0].learned.iter().map(|(_, item)| item.clone()).collect()
    };
    assert_eq!(learned("domain=explicit checker=value select=shortest"), ["x"]);
    // `z := y` needs the value of `y`, too.
    assert_eq!(learned("domain=explicit checker=value select=longest"), ["y", "z"]);
    assert_eq!(learned("domain=explicit checker=value select=width"), ["x"]);
    assert_eq!(learned("domain=explicit checker=value select=pivot"), ["y"]);
}

/// Two contradictions, of which values see only the one about `b`.
const UNKNOWN_FIRST: &str = "main process unknown_first {
    var x : int
    var b : int
    init loc A  loc B  loc C  loc D  loc F  error loc E
    A -> B { havoc x }
    B -> C { assume x > 5 }
    C -> D { assume x < 3 }
    D -> F { b := 0 }
    F -> E { assume b = 1 }
}";

/// The same, with the contradiction about `b` first.
const UNKNOWN_LAST: &str = "main process unknown_last {
    var x : int
    var b : int
    init loc A  loc B  loc C  loc D  loc F  error loc E
    A -> B { b := 0 }
    B -> C { assume b = 1 }
    C -> D { havoc x }
    D -> F { assume x > 5 }
    F -> E { assume x < 3 }
}";

/// Whatever is preferred, a prefix that taught nothing does not keep another from being taken.
#[test]
fn a_prefix_that_teaches_nothing_is_not_taken_for_ever() {
    for text in [UNKNOWN_FIRST, UNKNOWN_LAST] {
        let cfa = automaton(text);
        let is_sliced = |name: &&&str| **name != "none" && !name.ends_with("-prune");
        for checker in ["value", "sequence", "unsat-core"] {
            for select in Select::NAMES.iter().filter(is_sliced) {
                let line = format!(
                    "domain=explicit max-enum=1* passes=none checker={checker} select={select}"
                );
                let (verdict, log) = run(&cfa, &line);
                assert_eq!(verdict, "safe", "{line}");
                let learned = |story: &Story| story.learned.iter().any(|(_, item)| item == "b");
                assert!(log.stories.iter().any(learned), "{line}");
            }
        }
    }
}

/// Prefixes are those that the refiner itself refutes: the contradiction about `x` is none for values.
#[test]
fn prefixes_of_values_are_those_that_values_refute() {
    for (text, length) in [(UNKNOWN_FIRST, 5), (UNKNOWN_LAST, 2)] {
        let cfa = automaton(text);
        let stmts = path(&cfa);
        let by_values = SlicedPrefixes::by_values(&mut ValuePost::new(&z3()), &stmts).unwrap();
        let by_formulas = SlicedPrefixes::of(&mut *z3().solver(), &stmts).unwrap();
        assert_eq!((by_values.len(), by_formulas.len()), (1, 2));
        assert_eq!(by_values.length(0), length);
    }
}

/// Without a contradiction that values see, the whole path goes to the checker.
#[test]
fn a_path_that_values_do_not_refute_is_explained_as_a_whole() {
    let cfa = automaton(&UNKNOWN_FIRST.replace("b = 1", "b = 0"));
    let (verdict, log) = run(&cfa, "domain=predicate checker=value select=shortest");
    assert_eq!(verdict, "safe");
    assert_eq!(log.stories[0].checker, "sequence");
}
