//! Proofs and executions that are right are accepted, and whatever is wrong with one is noticed.

#[path = "validate/automata.rs"]
mod automata;
#[path = "validate/oracle.rs"]
mod oracle;

use automata::{CHOICE, COUNTER, DIAMOND, HAVOC, NESTED, RELATION, Task, proof, solver};
use lapidary_expr::{Term, Valuation, Value, Var};
use lapidary_model::{Decision, EdgeId, Execution, Loc, Proof, StateId, Step};
use lapidary_validate::{ProofCheck, Rejection, validate_execution, validate_proof};
use oracle::{Random, is_proof, reachable, state};

/// What the validator says about a proof, given as `location: formula` lines.
fn check(task: &Task, states: &str) -> Result<ProofCheck, Rejection> {
    let cfa = task.cfa();
    validate_proof(&cfa, &proof(&cfa, states), &mut *solver())
}

fn accepted(task: &Task, states: &str) -> ProofCheck {
    let count = check(task, states).unwrap_or_else(|error| panic!("{}: {error}", task.name));
    assert_eq!(count.obligations, count.by_evaluation + count.by_solver, "{}", task.name);
    count
}

fn rejected(task: &Task, states: &str) -> String {
    match check(task, states) {
        Err(Rejection::Evidence(problem)) => problem,
        other => panic!("{}: {other:?} for {states}", task.name),
    }
}

#[test]
fn proofs_are_accepted_with_states_everywhere_and_at_loop_heads() {
    for task in [COUNTER, DIAMOND, HAVOC, CHOICE, RELATION, NESTED] {
        accepted(&task, task.everywhere);
        accepted(&task, task.at_heads);
    }
}

#[test]
fn a_proof_without_one_of_its_states_is_rejected() {
    for task in [COUNTER, DIAMOND, HAVOC, CHOICE, RELATION, NESTED] {
        let lines: Vec<&str> = task.at_heads.lines().collect();
        for dropped in 0..lines.len() {
            let mut rest = lines.clone();
            rest.remove(dropped);
            rejected(&task, &rest.join("\n"));
        }
    }
}

#[test]
fn mutations_are_rejected() {
    let table = [
        // (the automaton, its states, what the rejection says)
        (COUNTER, "", "no state at the entry `start`"),
        (COUNTER, "start: (< x 3)\nhead: (<= x 5)", "no state at the entry `start` allows"),
        (COUNTER, "start: true", "no state breaks a cycle through"),
        // Weaker than what is needed, and stronger than what holds.
        (COUNTER, "start: true\nhead: (<= x 6)", "state 1 at `head` allows"),
        (COUNTER, "start: true\nhead: true", "state 1 at `head` allows"),
        (COUNTER, "start: true\nhead: (<= x 4)", "state 1 at `head` allows `(= x 4)`"),
        (COUNTER, "start: true\nhead: (= x 0)", "the edge to `body` leads to no state"),
        (COUNTER, "start: true\nhead: false", "state 0 at `start` allows"),
        // At another location.
        (COUNTER, "start: true\nbody: (<= x 5)", "state 1 at `body` allows"),
        (COUNTER, "start: true\nend: (= x 5)\nbody: (< x 4)", "state 2 at `body` allows"),
        (COUNTER, "start: true\nhead: (<= x 5)\nerror: false", "is at the error location"),
        // No formula about states.
        (COUNTER, "start: true\nhead: (<= x@1 5)", "state 1 mentions `x@1`"),
        (COUNTER, "start: true\nhead: (<= foreign 5)", "state 1 mentions `foreign`"),
        (COUNTER, "start: true\nhead: (+ x 1)", "which is no formula"),
        // The states before a statement and those after it are not the same.
        (DIAMOND, "start: true\njoin: (= y 1)", "state 0 at `start` allows"),
        (HAVOC, "start: true\nhead: (= x y)", "state 1 at `head` allows"),
        (CHOICE, "start: true\nhead: (or (= x 0) (= x 2))", "state 1 at `head` allows"),
        (CHOICE, "start: true\nhead: (= x 0)\nhead: (= x 2)", "state 1 at `head` allows"),
        (RELATION, "start: true\nhead: (<= 0 x)", "state 1 at `head` allows"),
        (RELATION, "start: true\nhead: (and (<= 0 x) (<= 2 y))", "state 0 at `start` allows"),
        (NESTED, "start: true\nouter: (= s i)\ninner: (= s i)", "state 1 at `outer` allows"),
    ];
    for (task, states, problem) in table {
        let said = rejected(&task, states);
        assert!(said.contains(problem), "{}: {said}, for {states}", task.name);
    }
    let (cfa, mut proof) = COUNTER.with_proof();
    proof.states[1].loc = Loc(99);
    let said = validate_proof(&cfa, &proof, &mut *solver()).unwrap_err();
    assert_eq!(said.to_string(), "state 1 is at no location");
}

#[test]
fn statements_mean_what_they_say() {
    let table = [
        // (what leads to the error location, whether it cannot be passed)
        ("havoc x; y := x; havoc x; [(not (= x y))]", false),
        ("havoc x; y := x; [(not (= x y))]", true),
        ("{(< x y@1)}; {(< y x@1)}; [(< x y)]", true),
        ("{(< x y@1)}; x := y; {(< x y@1)}; [(<= y x)]", true),
        ("{(< x y@1)}; x := y; {(< y@1 x)}; [(<= y x)]", false),
        ("x := y, y := x; [(= x 1)]; x := y, y := x; [(not (= y 1))]", true),
        ("[(= x 1)]; x := y, y := x; [(not (= y 1))]", true),
        ("[(= x 1)]; x := y; y := x; [(not (= y 1))]", false),
        ("x := 1 | havoc x; [(< 0 x)] | {(= x@1 5)}", false),
        ("havoc x; y := x | y := 1; x := 1 | {(and (= x@1 3) (= y@1 3))}", false),
        ("", false),
        ("x := 1; havoc x; [(= x 2)]", false),
        ("x := 1; havoc y; [(= x 2)]", true),
        ("x := 1; {(< x x@1)}; [(= x 2)]", false),
        ("x := 1; {(< x x@1)}; [(= x 1)]", true),
        ("x := 1; x := y; [(= x 2)]", false),
        ("x := 1; x := (+ x x), y := x; [(= x y)]", true),
        ("[(= x 1)]; [(= x 2)]", true),
        ("[(<= x 1)]; [(= y 1)]; [(= x 2)] | [(= x 1)]; y := x; [(< y x)]", true),
    ];
    for (stmt, is_safe) in table {
        let edges = format!("start -> error: {stmt}");
        let task = Task { name: stmt, vars: "x y", edges: &edges, ..COUNTER };
        assert_eq!(check(&task, "start: true").is_ok(), is_safe, "{stmt}");
    }
}

#[test]
fn a_wrong_hint_costs_nothing_but_time() {
    for task in [COUNTER, DIAMOND, HAVOC, CHOICE, RELATION, NESTED] {
        let (cfa, mut proof) = task.with_proof();
        for shift in 0..=proof.states.len() as u32 {
            for state in &mut proof.states {
                state.successors = vec![StateId(shift), StateId(shift)];
            }
            validate_proof(&cfa, &proof, &mut *solver()).expect(task.name);
        }
    }
}

#[test]
fn known_values_need_no_solver() {
    let lines = |loc: &str, last: i32| {
        let lines: Vec<String> = (0..=last).map(|x| format!("{loc}: (= x {x})")).collect();
        lines.join("\n")
    };
    let at_heads = format!("start: true\nend: (= x 5)\n{}", lines("head", 5));
    assert_eq!(accepted(&COUNTER, &at_heads).by_solver, 0);
    let everywhere = format!("{at_heads}\n{}", lines("body", 4));
    assert_eq!(accepted(&COUNTER, &everywhere).by_solver, 0);
}

#[test]
fn what_is_kept_needs_no_solver() {
    let edges = "start -> head: [(< x y)]\nhead -> head: z := (+ z 1)\nhead -> error: [(= x y)]; [(<= y x)]";
    let task = Task { name: "kept", vars: "x y z", edges, ..COUNTER };
    let count = accepted(&task, "start: true\nhead: (< x y)");
    assert_eq!((count.obligations, count.by_solver), (4, 0));
}

#[test]
fn nothing_is_asked_where_the_error_cannot_be_reached() {
    let edges = "start -> loop: x := 1\nloop -> loop: x := 2";
    let task = Task { name: "harmless", edges, ..COUNTER };
    assert_eq!(accepted(&task, "").obligations, 0);
    assert_eq!(accepted(&task, "loop: (= x 7)").obligations, 0);
    // A cycle that cannot be entered needs no cut point.
    let edges = "start -> dead: [(< x x)]\ndead -> dead: x := 2\ndead -> error: ";
    let task = Task { name: "dead", edges, ..COUNTER };
    accepted(&task, "start: true");
}

/// Each of many branches in a row writes a variable: copied per branch, the formula would have 2^30 parts.
#[test]
fn branches_in_a_row_do_not_multiply() {
    let all = |text: &dyn Fn(usize) -> String| (0..30).map(text).collect::<String>();
    let vars = all(&|i| format!("x{i} ")) + "y";
    let low = all(&|i| format!(" (<= x{i} 9)"));
    let branches = all(&|i| {
        let ends = format!("l{i} -> l{}", i + 1);
        format!("{ends}: [(< x{i} 9)]; x{i} := (+ x{i} 1)\n{ends}: [(<= 9 x{i})]\n")
    });
    let loop_back = "l30 -> head: \nhead -> l0: \nhead -> error: [(and (< 9 x0) (= y 0))]";
    let invariant = format!("(or (not (= y 0)) (and {low}))");
    let table = [("true", false), (&format!("(and {low})"), true)];
    for (initially, is_safe) in table {
        let edges = format!("start -> l0: y := 0; [{initially}]\n{branches}{loop_back}");
        let task = Task { name: "row", vars: &vars, edges: &edges, ..COUNTER };
        for states in [format!("head: {invariant}"), format!("l0: {invariant}\nhead: {invariant}")]
        {
            assert_eq!(check(&task, &format!("start: true\n{states}")).is_ok(), is_safe);
        }
    }
}

/// How many random automata are tried; `LAPIDARY_PROOFS` sets it.
fn n_automata() -> usize {
    let number = std::env::var("LAPIDARY_PROOFS").ok();
    number.and_then(|number| number.parse().ok()).unwrap_or(300)
}

/// One state per reachable valuation or one per location, at some cut points.
fn strongest(reached: &[Vec<Valuation>], cuts: &[Loc], one_each: bool) -> Proof {
    let states = cuts.iter().flat_map(|loc| {
        let formulas = reached[loc.0 as usize].iter().map(Valuation::to_term);
        let formulas: Vec<Term> =
            if one_each { formulas.collect() } else { vec![Term::or(formulas)] };
        formulas.into_iter().map(|formula| state(*loc, formula))
    });
    Proof::of(states.collect())
}

#[test]
fn the_strongest_proof_of_a_safe_automaton_is_accepted_and_none_of_an_unsafe_one() {
    let (mut random, mut solver) = (Random(1), solver());
    let (mut n_safe, mut n_unsafe) = (0, 0);
    for _ in 0..n_automata() {
        let cfa = random.cfa();
        let reached = reachable(&cfa);
        let error = cfa.error().expect("it has one");
        let is_safe = reached[error.0 as usize].is_empty();
        *if is_safe { &mut n_safe } else { &mut n_unsafe } += 1;
        for one_each in [true, false] {
            let cuts = random.cut_points(&cfa);
            let mut proof = strongest(&reached, &cuts, one_each);
            random.add_hints(&mut proof);
            let answer = validate_proof(&cfa, &proof, &mut *solver);
            match answer {
                Ok(_) => assert!(is_safe),
                Err(Rejection::Evidence(problem)) => assert!(!is_safe, "{problem}"),
                Err(Rejection::Stop(stop)) => panic!("{stop}"),
            }
        }
    }
    assert!(n_safe > 100 && n_unsafe > 100, "{n_safe} safe, {n_unsafe} unsafe");
}

#[test]
fn candidates_are_proofs_just_if_trying_all_values_says_so() {
    let (mut random, mut solver) = (Random(2), solver());
    let (mut n_accepted, mut n_rejected) = (0, 0);
    for _ in 0..n_automata() {
        let cfa = random.cfa();
        let reached = reachable(&cfa);
        let cuts = random.cut_points(&cfa);
        let one_each = random.below(2) == 0;
        let mut proof = strongest(&reached, &cuts, one_each);
        for _ in 0..random.below(3) {
            let loc = cuts[random.below(cuts.len())];
            let formula = random.formula(&[]);
            match random.below(3) {
                0 => proof.states.push(state(loc, formula)),
                1 => proof.states.retain(|state| state.loc != loc || state.formula == formula),
                _ => proof.states.iter_mut().for_each(|state| {
                    let is_there = state.loc == loc;
                    state.formula =
                        Term::or([state.formula, Term::and([is_there.into(), formula])]);
                }),
            }
        }
        cuts.iter().for_each(|loc| proof.states.push(state(*loc, false.into())));
        random.add_hints(&mut proof);
        let answer = validate_proof(&cfa, &proof, &mut *solver);
        assert!(!matches!(answer, Err(Rejection::Stop(_))), "{answer:?}");
        assert_eq!(answer.is_ok(), is_proof(&cfa, &proof), "{answer:?} for {proof:?} of {cfa:?}");
        *if answer.is_ok() { &mut n_accepted } else { &mut n_rejected } += 1;
    }
    assert!(n_accepted > 50 && n_rejected > 50, "{n_accepted} accepted, {n_rejected} rejected");
}

/// `x` from -1 up to 2 by way of a choice, with an unknown `y` from a havoc.
const UNSAFE: Task = Task {
    name: "unsafe",
    vars: "x y",
    edges: "start -> head: x := (- 1) | x := 0
            head -> head: havoc y; [(<= y 2)]; x := (+ x y)
            head -> error: [(= x 2)]",
    ..COUNTER
};

fn execution() -> Execution {
    let [x, y] = ["x", "y"].map(|name| Var::new(name, lapidary_expr::Sort::Int));
    let step = |edge, tape: &[Decision]| Step { edge: EdgeId(edge), tape: tape.to_vec() };
    let value = |value: i64| Decision::Value(Value::int(value));
    let steps = vec![
        step(0, &[Decision::Branch(0)]),
        step(1, &[value(1)]),
        step(1, &[value(2)]),
        step(2, &[]),
    ];
    Execution { start: [(x, Value::int(7)), (y, Value::int(7))].into_iter().collect(), steps }
}

/// A way to make an execution wrong.
type Mutation = fn(&mut Execution);

#[test]
fn executions_are_run() {
    let mutations: [(&str, Mutation); 9] = [
        ("changed value", |run| run.steps[2].tape[0] = Decision::Value(Value::int(1))),
        ("value of another sort", |run| run.steps[2].tape[0] = Decision::Value(Value::Bool(true))),
        ("changed branch", |run| run.steps[0].tape[0] = Decision::Branch(1)),
        ("missing branch", |run| run.steps[0].tape[0] = Decision::Branch(2)),
        ("dropped first step", |run| drop(run.steps.remove(0))),
        ("dropped step", |run| drop(run.steps.remove(1))),
        ("dropped last step", |run| drop(run.steps.pop())),
        ("swapped edge", |run| run.steps[1].edge = EdgeId(2)),
        ("missing edge", |run| run.steps[1].edge = EdgeId(3)),
    ];
    let cfa = UNSAFE.cfa();
    validate_execution(&cfa, &execution()).expect("an execution");
    for (name, mutate) in mutations {
        let mut run = execution();
        mutate(&mut run);
        assert!(matches!(validate_execution(&cfa, &run), Err(Rejection::Evidence(_))), "{name}");
    }
    let nothing = Execution { start: Valuation::new(), ..execution() };
    assert!(validate_execution(&cfa, &nothing).is_err());
}
