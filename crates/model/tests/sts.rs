//! Transition systems: functions found in relations, lowering, reduction, and traces brought back.

use std::collections::BTreeMap;
use std::sync::Arc;

use lapidary_expr::text::parse;
use lapidary_expr::{Sort, Term, Value, Var};
use lapidary_model::pass::BackTranslate;
use lapidary_model::sts::{Property, System, Trace, Transition, reduce};
use lapidary_model::{Execution, Proof, Sts};

fn scope() -> BTreeMap<String, Var> {
    let sorts = [("x y z i n", Sort::Int), ("a b c in", Sort::Bool), ("q d", Sort::Rat)];
    let vars = sorts
        .into_iter()
        .flat_map(|(names, sort)| names.split(' ').map(move |name| Var::new(name, sort)));
    // Sums are sorted by age: in whatever order the tests run, their variables are made in this one.
    let made = |var: Var| (Term::var(var).to_string(), var);
    vars.flat_map(|var| [var, var.primed()]).map(made).collect()
}

fn term(text: &str) -> Term {
    parse(text, &scope()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn var(name: &str) -> Var {
    term(name).as_var().expect("a variable")
}

fn terms(text: &[&str]) -> Vec<Term> {
    text.iter().map(|text| term(text)).collect()
}

fn bad(text: &str) -> Property {
    Property { name: "p".into(), bad: term(text), position: None }
}

/// A counter `x` that an input may reset, a copy of it that nothing reads, a latch that never changes, and a
/// latch that only that one could change.
fn counter() -> Sts {
    Sts {
        name: "counter".into(),
        vars: ["x", "y", "a", "b"].map(var).to_vec(),
        inputs: ["in", "i"].map(var).to_vec(),
        init: terms(&["(and (= x 0) (= y x))", "(not a)", "b"]),
        constraints: terms(&["(<= x 5)"]),
        step: Transition::Functions {
            guard: true.into(),
            next: vec![
                (var("x"), term("(ite (or in a) 0 (+ x 1))")),
                (var("y"), term("(+ y i)")),
                (var("a"), term("(and a in)")),
                (var("b"), term("(or b a)")),
            ],
        },
        properties: vec![bad("(= x 3)"), bad("(not b)")],
    }
}

/// The system asked about the property with this number.
fn about(sts: &Sts, property: usize) -> Arc<System> {
    Arc::new(System::new(Arc::new(sts.clone()), property).expect("well-formed"))
}

fn check_functions(relation: &str, expected: Option<&str>) {
    let found = match Transition::from_relation(term(relation)) {
        Transition::Relation(_) => None,
        Transition::Functions { guard, next } => {
            let next: Vec<String> =
                next.iter().map(|(var, term)| format!("{var}:={term}")).collect();
            Some(format!("[{guard}] {}", next.join(" ")))
        }
    };
    assert_eq!(found.as_deref(), expected, "{relation}");
}

#[test]
fn definitions_are_found_in_relations() {
    check_functions("(= x@1 (+ x 1))", Some("[true] x:=(+ x 1)"));
    check_functions("(= (+ x x@1) y)", Some("[true] x:=(+ (* (- 1) x) y)"));
    check_functions("(= (* 2 x@1) y)", None);
    check_functions("(= (* 2.0 q@1) d)", Some("[true] q:=(* (/ 1 2) d)"));
    check_functions("(and a@1 (not b@1))", Some("[true] a:=true b:=false"));
    check_functions("(not (= a@1 b))", Some("[true] a:=(not b)"));
    check_functions(
        "(ite a (= x@1 1) (ite b (= x@1 2) (= x@1 x)))",
        Some("[true] x:=(ite a 1 (ite b 2 x))"),
    );
    check_functions("(ite a (= x@1 1) (= y@1 1))", None);
    check_functions("(ite a@1 (= x@1 1) (= x@1 2))", None);
}

#[test]
fn restrictions_of_next_values_are_guards() {
    check_functions(
        "(and (< x 5) (= x@1 (+ x 1)) (<= x@1 3))",
        Some("[(and (<= x 4) (<= x 2))] x:=(+ x 1)"),
    );
    check_functions("(and (= x@1 y) (= z@1 (+ x@1 1)))", Some("[true] x:=y z:=(+ y 1)"));
    check_functions("(and (= x@1 y) (= x@1 z))", Some("[(= y z)] x:=y"));
    check_functions("(or (= x@1 1) (= x@1 2))", None);
    check_functions("(< x@1 x)", None);
}

#[test]
fn the_automaton_of_a_system() {
    let system = about(&counter(), 0);
    let edges: Vec<String> = system.cfa().edges().map(|(_, edge)| edge.stmt.to_string()).collect();
    assert_eq!(
        edges,
        [
            "x := 0, a := false, b := true; y := x; [(<= x 5)]",
            "havoc in, i; x := (ite (or in a) 0 (+ x 1)), y := (+ y i), a := (and a in), b := (or b a); [(<= x 5)]",
            "[(= x 3)]",
        ]
    );
}

#[test]
fn disjunctions_of_functions_are_choices_and_other_relations_stay() {
    let system = |relation: &str| Sts {
        inputs: Vec::new(),
        vars: ["x", "y"].map(var).to_vec(),
        init: Vec::new(),
        constraints: Vec::new(),
        step: Transition::from_relation(term(relation)),
        ..counter()
    };
    let step = |relation: &str| {
        let mut sts = system(relation);
        sts.properties = vec![bad("(= x 3)")];
        let system = about(&sts, 0);
        system.cfa().edge(system.step()).stmt.to_string()
    };
    assert_eq!(
        step("(and (< x 9) (or (and (< 0 x) (= x@1 0)) (= x@1 (+ x 1))) (= y@1 y))"),
        "[(<= x 8)]; ([(<= 1 x)]; y := y, x := 0 | y := y, x := (+ x 1))"
    );
    assert_eq!(step("(or (= x@1 y) (= y@1 x))"), "(x := y; havoc y | y := x; havoc x)");
    assert_eq!(step("(< x@1 x)"), "{(<= x@1 (+ x (- 1)))}");
}

#[test]
fn parts_that_speak_of_unknown_variables_are_refused() {
    let mut sts = counter();
    sts.init = terms(&["in"]);
    let message = sts.check().expect_err("inputs have no initial values").to_string();
    assert_eq!(
        message,
        "the initial condition mentions `in`, which is no state variable of the system"
    );
    assert_eq!(counter().check(), Ok(()));
}

#[test]
fn reduction_keeps_what_matters() {
    let (sts, names) =
        (counter(), |vars: &[Var]| vars.iter().map(|var| var.name()).collect::<Vec<_>>().join(" "));
    let check = |property: usize, vars: &str, inputs: &str| {
        let reduction = reduce(&about(&sts, property)).expect("well-formed");
        let reduced = reduction.system().sts();
        assert_eq!((names(&reduced.vars), names(&reduced.inputs)), (vars.into(), inputs.into()));
        assert_eq!(reduced.check(), Ok(()));
    };
    // The constraint keeps the counter in both.
    check(0, "x", "in");
    check(1, "x", "in");
}

/// The statements of the automaton of the reduced system.
fn reduced_edges(sts: &Sts) -> Vec<String> {
    let reduction = reduce(&about(sts, 0)).expect("well-formed");
    reduction.cfa().edges().map(|(_, edge)| edge.stmt.to_string()).collect()
}

#[test]
fn a_constraint_that_loses_its_input_is_used_as_before() {
    let mut sts = counter();
    sts.constraints = terms(&["(ite a in (<= x 5))"]);
    // Violated states are entered, in the reduced system as in the whole one, but not left again.
    assert_eq!(
        reduced_edges(&sts),
        ["x := 0", "havoc in; [(<= x 5)]; x := (ite in 0 (+ x 1))", "[(and (<= x 5) (= x 3))]"]
    );
}

/// `y` starts as `x + z`, and `z` is 0; the other way round, `x` would start as `y`, and not matter any more.
#[test]
fn initial_values_are_those_of_the_whole_system() {
    let sts = Sts {
        vars: ["x", "y", "z"].map(var).to_vec(),
        inputs: Vec::new(),
        init: terms(&["(= z 0)", "(= y (+ x z))"]),
        constraints: Vec::new(),
        step: Transition::Functions {
            guard: true.into(),
            next: ["y", "z"].map(|name| (var(name), term(name))).to_vec(),
        },
        properties: vec![bad("(= y 7)")],
        ..counter()
    };
    let whole = about(&sts, 0);
    let reduction = reduce(&whole).expect("well-formed");
    let step = |edge| lapidary_model::Step { edge, tape: Vec::new() };
    let start = ["x", "y"].map(|name| (var(name), Value::Int(7.into()))).into_iter().collect();
    let execution = Execution { start, steps: vec![step(whole.init()), step(whole.bad())] };
    execution.replay(reduction.cfa()).expect("an execution of the reduced system");
    reduction.execution(execution).replay(whole.cfa()).expect("an execution of the whole system");
}

/// Runs the reduced automaton with the inputs, and brings the execution back.
fn brought_back(sts: &Sts, resets: &[bool]) -> (Arc<System>, Execution) {
    let whole = about(sts, 0);
    let reduction = reduce(&whole).expect("well-formed");
    let (reduced, cfa) = (reduction.system(), reduction.cfa());
    let mut steps = vec![(reduced.init(), Vec::new())];
    steps.extend(resets.iter().map(|reset| (reduced.step(), vec![Value::Bool(*reset)])));
    steps.push((reduced.bad(), Vec::new()));
    let steps = steps.into_iter().map(|(edge, values)| lapidary_model::Step {
        edge,
        tape: values.into_iter().map(lapidary_model::Decision::Value).collect(),
    });
    let start = cfa.vars().iter().map(|var| (*var, Value::default_of(var.sort()))).collect();
    let execution = Execution { start, steps: steps.collect() };
    execution.replay(cfa).expect("an execution of the reduced system");
    let execution = reduction.execution(execution);
    (whole, execution)
}

#[test]
fn executions_come_back_to_the_whole_system() {
    let sts = counter();
    let (system, execution) = brought_back(&sts, &[false, true, false, false, false]);
    execution.replay(system.cfa()).expect("an execution of the whole system");
    let trace = Trace::of_execution(&system, &execution).expect("a trace");
    let values: Vec<String> = trace
        .frames
        .iter()
        .map(|frame| format!("{} {}", frame.state.to_term(), frame.inputs.to_term()))
        .collect();
    assert_eq!(values.len(), 6);
    assert_eq!(values[0], "(and (= x 0) (= y 0) (not a) b) (and (= i 0) (not in))");
    assert_eq!(values[1], "(and (= x 1) (= y 0) (not a) b) (and (= i 0) in)");
    // The bad frame depends on no input.
    assert_eq!(values[5], "(and (= x 3) (= y 0) (not a) b) true");
}

#[test]
fn proofs_come_back_with_the_constants() {
    let sts = counter();
    let reduction = reduce(&about(&sts, 1)).expect("well-formed");
    let proof: Proof = reduction.system().inductive(term("(<= 0 x)"));
    let back = reduction.proof(proof);
    assert_eq!(back.states[0].formula, term("true"));
    assert_eq!(back.states[1].formula, term("(and (<= 0 x) (not a) b)"));
}
