//! The library: verdicts with their evidence outlive the run, in one process and any order.

use lapidary::{Error, Finding, Options, Outcome, Source, Verifier};
use lapidary_solver::Backend;
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;
use lapidary_validate::{validate_execution, validate_proof};

const LOCK: &str = "main process lock {
    var x : int  var n : int
    init loc A  loc L  error loc E
    A -> L { x := 0  n := 0 }
    L -> L { assume n < 5  x := 1 - x  n := n + 1 }
    L -> E { assume n >= 5 and x = BAD }
}";

fn example(name: &str) -> String {
    format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn check(outcome: &Outcome) -> &'static str {
    match &outcome.finding {
        Finding::Safe { task, proof } => {
            let z3 = Z3::new(&Watch::default()).unwrap();
            validate_proof(task.cfa(), proof, &mut *z3.solver()).unwrap();
        }
        Finding::Unsafe { task, execution, .. } => {
            validate_execution(task.cfa(), execution).unwrap();
        }
        other => panic!("{other:?}"),
    }
    outcome.finding.verdict()
}

#[test]
fn texts_have_verdicts_with_evidence() {
    let verdict = |bad: &str| {
        check(&Verifier::default().text("lock.cfa", &LOCK.replace("BAD", bad)).unwrap())
    };
    assert_eq!([verdict("0"), verdict("1"), verdict("2")], ["safe", "unsafe", "safe"]);
}

#[test]
fn files_of_all_kinds_are_read() {
    for (name, expected) in
        [("absolute.c", "safe"), ("absolute_bug.c", "unsafe"), ("lock.cfa", "safe")]
    {
        let outcome = lapidary::verify(example(name), &Options::default()).unwrap();
        assert_eq!(check(&outcome), expected, "{name}");
    }
}

#[test]
fn configurations_and_engines_are_chosen_by_line() {
    let text = LOCK.replace("BAD", "1");
    for line in
        ["domain=explicit", "domain=predicate encoding=lbe", "strategy=bounded", "strategy=runs"]
    {
        let verifier = Verifier::default().configuration(line).unwrap();
        assert_eq!(check(&verifier.text("lock.cfa", &text).unwrap()), "unsafe", "{line}");
    }
    for wrong in ["domain=all", "strategy=magic", "size=3"] {
        let error = Verifier::default().configuration(wrong).unwrap_err();
        assert!(matches!(error, Error::Usage(_)), "{wrong}: {error}");
    }
}

#[test]
fn one_property_can_be_chosen() {
    let system = Source::new(example("counter.system"));
    let all = Verifier::default().file(&system).unwrap();
    assert!(!all.properties.is_empty());
    let last = all.properties.last().unwrap();
    let one = Verifier::default().property(last.name.clone()).file(&system).unwrap();
    assert_eq!(one.properties.len(), 1);
    assert_eq!(one.properties[0].verdict, last.verdict);
    let none = Verifier::default().property("nothing").file(&system).unwrap_err();
    assert!(none.to_string().contains("there is no property `nothing`"), "{none}");
}

#[test]
fn what_cannot_be_read_is_an_error() {
    let error = lapidary::verify("nowhere.cfa", &Options::default()).unwrap_err();
    assert_eq!(error.to_string(), "error: cannot read `nowhere.cfa`: no such file or directory");
    let error = Verifier::default().text("x.cfa", "main process").unwrap_err();
    assert!(matches!(error, Error::Input(_)), "{error}");
}

#[test]
fn limits_end_a_verification() {
    // `y` is even, which these interpolants do not say: `x = 0`, `x = 1`, and so on.
    let parity = "main process parity { var x : int  var y : int  init loc A  loc L  error loc E
        A -> L { x := 0  y := 0 }  L -> L { x := x + 1  y := y + 2 }  L -> E { assume y = 2 * x + 1 } }";
    let line = "interpolation=sp passes=unreachable,constants,slice,cone";
    let verifier = Verifier::default().memory(1).configuration(line).unwrap();
    let outcome = verifier.text("parity.cfa", parity).unwrap();
    assert_eq!(outcome.finding.reason().as_deref(), Some("memory limit reached"));
}

#[test]
fn progress_tells_what_was_done() {
    let verifier = Verifier::default();
    let progress = verifier.progress();
    assert!(progress.snapshot().size.is_none());
    verifier.text("lock.cfa", &LOCK.replace("BAD", "2")).unwrap();
    let snapshot = progress.snapshot();
    assert!(snapshot.size.is_some_and(|size| size.locations == 3) && snapshot.solver_calls > 0);
}
