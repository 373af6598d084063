//! k-induction: its proofs are accepted, nothing else is, and what it decides is right.

#[path = "../../validate/tests/validate/automata.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod automata;
#[path = "../../validate/tests/validate/oracle.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod oracle;

use automata::{COUNTER, Task, proof, solver};
use lapidary_engine::strategy::{Shape, decide, stages};
use lapidary_engine::{Reduced, Result, Stage, Unknown, Verdict};
use lapidary_model::{Cfa, CfaBuilder, Loc, Proof, Stmt};
use lapidary_solver::Backend;
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;
use lapidary_validate::{Rejection, validate_proof};
use oracle::{Random, reachable, state, vars};

/// What the validator says about a proof by induction, the states of which are `location: formula` lines.
fn check(edges: &str, states: &str, induction: usize) -> std::result::Result<(), String> {
    let cfa = Task { name: "system", vars: "a b c", edges, ..COUNTER }.cfa();
    let proof = Proof { induction, ..proof(&cfa, states) };
    match validate_proof(&cfa, &proof, &mut *solver()) {
        Ok(_) => Ok(()),
        Err(Rejection::Evidence(problem)) => Err(problem),
        Err(Rejection::Stop(stop)) => panic!("{stop}"),
    }
}

fn rejected(edges: &str, states: &str, induction: usize, expected: &str) {
    match check(edges, states, induction) {
        Err(problem) if problem.contains(expected) => {}
        other => panic!("{other:?} for {edges}, {states}, {induction}"),
    }
}

/// What is in `c` comes to `a` after two steps: three steps without an error exclude one.
const SHIFTED: &str = "start -> run: a := 0, b := 0, c := 0
                       run -> run: a := b; b := c
                       run -> error: [(= a 1)]";
const TRUE: &str = "start: true\nrun: true";

#[test]
fn as_many_steps_as_it_takes() {
    for induction in 1..3 {
        rejected(SHIFTED, TRUE, induction, "an error can follow");
    }
    for induction in 3..6 {
        assert_eq!(check(SHIFTED, TRUE, induction), Ok(()));
    }
    // An invariant makes fewer of them do.
    assert_eq!(check(SHIFTED, "start: true\nrun: (= c 0)", 2), Ok(()));
    rejected(SHIFTED, "start: true\nrun: (= c 0)", 1, "an error can follow");
    rejected(SHIFTED, "start: true\nrun: (= b 0)", 3, "is not kept");
    rejected(SHIFTED, "start: true\nrun: (= c 2)", 3, "does not hold at first");
    rejected(SHIFTED, TRUE, usize::MAX, "too long");
}

#[test]
fn the_first_steps_count() {
    for (values, length) in [("a := 1, b := 0, c := 0", 1), ("a := 0, b := 0, c := 1", 3)] {
        let edges = SHIFTED.replace("a := 0, b := 0, c := 0", values);
        for induction in length..6 {
            rejected(&edges, TRUE, induction, "does not hold at first");
        }
    }
}

#[test]
fn premises_are_about_the_inputs_of_their_step_and_of_the_last() {
    // The error needs an input that the step before must not have had.
    let edges = "start -> run: a := 0, b := 0
                 run -> run: havoc c; a := c
                 run -> error: havoc c; [(and (= a 1) (= c 2))]";
    rejected(edges, TRUE, 1, "an error can follow");
    let edges = "start -> run: a := 0
                 run -> run: havoc c; [(< c 5)]; [(= a 0)]
                 run -> error: havoc c; [(= a 1)]; [(< c 5)]";
    assert_eq!(check(edges, TRUE, 1), Ok(()));
    // Only the error has the input.
    let edges = "start -> run: a := 0
                 run -> run: a := a
                 run -> error: havoc c; [(= a 1)]; [(= c 7)]";
    assert_eq!(check(edges, TRUE, 1), Ok(()));
}

#[test]
fn other_automata_are_rejected() {
    let other = "another edge";
    rejected(&format!("{SHIFTED}\nstart -> error: [(= a 1)]"), TRUE, 3, other);
    rejected(&format!("{SHIFTED}\nrun -> start: [(= a 1)]"), TRUE, 3, other);
    rejected(&format!("{SHIFTED}\nrun -> more: a := 1"), TRUE, 3, "one location");
    let twice = SHIFTED.replace("a := b;", "a := b; havoc c; [(< c 0)]; havoc c;");
    rejected(&twice, TRUE, 3, "open twice");
}

#[test]
fn systems_do_not_begin_with_the_error() {
    let mut builder = CfaBuilder::new("error", "start");
    let run = builder.loc("run");
    builder.error(builder.entry());
    builder.edge(run, Stmt::skip(), run, None);
    let cfa = builder.build().expect("an automaton");
    let proof = Proof { induction: 1, ..Proof::default() };
    assert!(validate_proof(&cfa, &proof, &mut *solver()).is_err());
}

/// What the stage with induction says.
fn search(cfa: &Cfa) -> Verdict {
    let is_inductive = |stage: &Stage| stage.engine.name() == "induction";
    let mut stages: Vec<Stage> = stages(Shape::System);
    stages.retain(is_inductive);
    stages.truncate(1);
    stages[0].work = Some(200_000);
    let watch = Watch::default();
    let judge = Z3::new(&watch).expect("a recent Z3");
    let solvers = |watch: &Watch| -> Result<Box<dyn Backend>> { Ok(Box::new(Z3::new(watch)?)) };
    decide(cfa, &Reduced::unchanged(cfa, &[]), &stages, &watch, &solvers, &judge, &mut ())
}

#[test]
fn proofs_are_found() {
    let cfa = Task { name: "system", vars: "a b c", edges: SHIFTED, ..COUNTER }.cfa();
    match search(&cfa) {
        // That `c` is 0 is known from the start.
        Verdict::Safe(proof) => assert_eq!(proof.induction, 0),
        other => panic!("{other:?}"),
    }
    let free = SHIFTED.replace("c := 0", "c := (ite (= c 1) 0 c)");
    let cfa = Task { name: "system", vars: "a b c", edges: &free, ..COUNTER }.cfa();
    match search(&cfa) {
        Verdict::Safe(proof) => assert_eq!(proof.induction, 3),
        other => panic!("{other:?}"),
    }
}

/// An automaton that runs at its second location; the third is the error.
fn random_system(random: &mut Random) -> Cfa {
    let mut builder = CfaBuilder::new("random", "start");
    builder.vars(&vars());
    let (run, error) = (builder.loc("run"), builder.loc("error"));
    builder.error(error);
    builder.edge(builder.entry(), random.edge(true), run, None);
    for _ in 0..=random.below(2) {
        builder.edge(run, random.edge(false), run, None);
    }
    for _ in 0..=random.below(2) {
        builder.edge(run, random.edge(true), error, None);
    }
    builder.build().expect("an automaton")
}

/// The error edge reads an input of the step and another one of its own.
#[test]
fn search_and_validator_agree_about_inputs() {
    let edges = "start -> run: u := 0, v := 0, x := 0
                 run -> run: havoc i j; u := j, v := (ite (and (not (= u v)) (= i x)) (+ j 1) j), x := (+ x 1)
                 run -> error: havoc i w; [(and (not (= u v)) (= i x) (= w 1))]";
    let cfa = Task { name: "inputs", vars: "u v x i j w", edges, ..COUNTER }.cfa();
    if let Verdict::Unsafe(_) | Verdict::Unknown(Unknown::Internal(_)) = search(&cfa) {
        panic!("it is safe, whether by induction or not");
    }
}

#[test]
fn random_systems() {
    let mut random = Random(0x1d);
    let (mut safe, mut unsafe_, mut accepted) = (0, 0, 0);
    let mut solver = solver();
    for _ in 0..200 {
        let cfa = random_system(&mut random);
        let is_safe = reachable(&cfa)[2].is_empty();
        match search(&cfa) {
            Verdict::Safe(_) => {
                assert!(is_safe);
                safe += 1;
            }
            Verdict::Unsafe(_) => {
                assert!(!is_safe);
                unsafe_ += 1;
            }
            Verdict::Unknown(Unknown::Internal(problem)) => panic!("{problem}"),
            Verdict::Unknown(_) => {}
        }
        for induction in 1..4 {
            let states = vec![state(Loc(0), true.into()), state(Loc(1), random.formula(&[]))];
            let is_accepted =
                validate_proof(&cfa, &Proof { induction, ..Proof::of(states) }, &mut *solver)
                    .is_ok();
            assert!(is_safe || !is_accepted, "a proof of what is not so");
            accepted += usize::from(is_accepted);
        }
    }
    assert!(safe > 20 && unsafe_ > 20 && accepted > 100, "{safe}, {unsafe_}, {accepted}");
}
