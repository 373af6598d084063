//! Building automata, replaying executions, and their text.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use lapidary_expr::text::parse;
use lapidary_expr::{Func, FuncValue, Op, Sort, Term, Valuation, Value, Var, VarSet};
use lapidary_model::{
    Cfa, CfaBuilder, Decision, EdgeId, Execution, Path, Position, Step, Stmt, cfa_to_dot,
};

fn var(name: &str) -> Var {
    Var::new(name, if name == "p" { Sort::Bool } else { Sort::Int })
}

/// Declared in this order, which is the order of monomials.
static SCOPE: LazyLock<BTreeMap<String, Var>> = LazyLock::new(|| {
    let vars = ["p", "x", "y", "z"].map(var).into_iter();
    let versions = vars.flat_map(|var| (0..3).map(move |n| var.at(n)));
    versions.filter_map(|var| Term::var(var).as_var()).map(|var| (var.to_string(), var)).collect()
});

fn read(text: &str) -> Term {
    parse(text, &*SCOPE).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn assume(text: &str) -> Stmt {
    Stmt::Assume(read(text))
}

fn assign(target: &str, text: &str) -> Stmt {
    Stmt::assign(var(target), read(text))
}

fn relation(text: &str, written: &[&str]) -> Stmt {
    Stmt::Relation { formula: read(text), written: written.iter().map(|name| var(name)).collect() }
}

/// `p`, `x` and `y`; entry, one edge with the statement, error.
fn one_edge(stmt: Stmt) -> CfaBuilder {
    let mut builder = CfaBuilder::new("task", "entry");
    builder.vars(&["p", "x", "y"].map(var));
    let error = builder.loc("error");
    builder.error(error);
    builder.edge(builder.entry(), stmt, error, Some(Position { line: 3, column: 14 }));
    builder
}

fn build(stmt: Stmt) -> Cfa {
    one_edge(stmt).build().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn ill_formed_statements() {
    let check = |stmt: Stmt, expected: &str| {
        let error = one_edge(stmt.clone()).build().map(|_| ()).expect_err(expected);
        assert_eq!(error.to_string(), expected);
        let nested = one_edge(Stmt::Seq(vec![Stmt::Choice(vec![Stmt::skip(), stmt])]));
        let error = nested.build().map(|_| ()).expect_err(expected);
        assert_eq!(error.to_string(), expected);
    };
    check(assume("(<= z 1)"), "the statement `[(<= z 1)]` mentions the undeclared variable `z`");
    check(assign("x", "z"), "the statement `x := z` mentions the undeclared variable `z`");
    check(assign("z", "x"), "the statement `z := x` mentions the undeclared variable `z`");
    check(
        Stmt::Havoc(vec![var("z")]),
        "the statement `havoc z` mentions the undeclared variable `z`",
    );
    check(
        relation("(= x 1)", &["z"]),
        "the statement `{(= x 1)}` mentions the undeclared variable `z`",
    );
    check(
        assume("(<= x@1 1)"),
        "the statement `[(<= x@1 1)]` mentions the undeclared variable `x@1`",
    );
    check(
        relation("(= x@2 1)", &["x"]),
        "the statement `{(= x@2 1)}` mentions the undeclared variable `x@2`",
    );
    check(
        Stmt::Havoc(vec![var("x").primed()]),
        "the statement `havoc x@1` mentions the undeclared variable `x@1`",
    );
    check(assume("x"), "the statement `[x]` assumes something that is no formula");
    check(assign("x", "p"), "the statement `x := p` assigns a value of another sort");
    let twice = Stmt::Assign(vec![(var("x"), read("1")), (var("x"), read("2"))]);
    check(twice, "the statement `x := 1, x := 2` assigns a variable twice at once");
    check(relation("x", &["x"]), "the statement `{x}` relates by something that is no formula");
    check(
        relation("(= x@1 1)", &["y"]),
        "the statement `{(= x@1 1)}` primes a variable that it does not write",
    );
}

/// A primed variable is no state, even if someone declares it.
#[test]
fn primed_variables_cannot_be_written() {
    let mut builder = one_edge(Stmt::Havoc(vec![var("x").primed()]));
    builder.var(var("x").primed());
    let error = builder.build().map(|_| ()).expect_err("x' is written");
    assert_eq!(
        error.to_string(),
        "the statement `havoc x@1` mentions the undeclared variable `x@1`"
    );
}

#[test]
fn display() {
    let check = |stmt: Stmt, expected: &str| assert_eq!(stmt.to_string(), expected);
    check(assume("(< x y)"), "[(<= x (+ y (- 1)))]");
    check(assign("x", "(+ x 1)"), "x := (+ x 1)");
    check(Stmt::Assign(vec![(var("x"), read("y")), (var("y"), read("x"))]), "x := y, y := x");
    check(Stmt::Havoc(["x", "y"].map(var).to_vec()), "havoc x, y");
    check(Stmt::skip(), "skip");
    check(Stmt::Choice(Vec::new()), "()");
    check(relation("(= x@1 y)", &["x"]), "{(= x@1 y)}");
    let choice = Stmt::Choice(vec![Stmt::seq([assume("p"), assign("x", "1")]), Stmt::skip()]);
    check(Stmt::seq([choice, assign("y", "2")]), "([p]; x := 1 | skip); y := 2");
}

#[test]
fn sequences_are_flat() {
    let [a, b] = [assume("p"), assign("x", "1")];
    assert_eq!(Stmt::seq([]), Stmt::skip());
    assert!(Stmt::seq([Stmt::skip(), Stmt::skip()]).is_skip());
    assert_eq!(Stmt::seq([Stmt::skip(), a.clone()]), a);
    let nested = Stmt::seq([Stmt::seq([a.clone(), b.clone()]), Stmt::skip(), a.clone()]);
    assert_eq!(nested, Stmt::Seq(vec![a.clone(), b, a]));
}

#[test]
fn read_and_written_variables() {
    let check = |vars: VarSet, expected: &str| {
        let names: Vec<String> = vars.iter().map(Var::to_string).collect();
        assert_eq!(names.join(" "), expected);
    };
    let stmt = Stmt::Choice(vec![
        assume("p"),
        Stmt::Seq(vec![assign("x", "y"), relation("(= y@1 y)", &["y"])]),
    ]);
    check(stmt.written(), "x y");
    check(stmt.read(), "p y");
    check(Stmt::Havoc(vec![var("x")]).written(), "x");
    check(Stmt::Havoc(vec![var("x")]).read(), "");
}

/// Runs `stmt` with these decisions from `p`, `x = 1`, `y = 2`.
fn run(stmt: Stmt, tape: Vec<Decision>) -> Result<String, String> {
    let start =
        [(var("p"), Value::Bool(true)), (var("x"), Value::int(1)), (var("y"), Value::int(2))];
    let execution = Execution {
        start: start.into_iter().collect(),
        steps: vec![Step { edge: EdgeId(0), tape }],
    };
    let states = execution.replay(&build(stmt)).map_err(|error| error.to_string())?;
    Ok(states.iter().map(text).collect::<Vec<_>>().join("; "))
}

fn text(state: &Valuation) -> String {
    state.iter().map(|(var, value)| format!("{var}={value}")).collect::<Vec<_>>().join(" ")
}

fn int(n: i32) -> Decision {
    Decision::Value(Value::int(n))
}

#[test]
fn replay() {
    let check = |stmt: Stmt, tape: &[Decision], expected: &str| {
        assert_eq!(
            run(stmt.clone(), tape.to_vec()),
            Ok(format!("p=true x=1 y=2; {expected}")),
            "{stmt}"
        );
    };
    check(assume("(< x y)"), &[], "p=true x=1 y=2");
    check(Stmt::Assign(vec![(var("x"), read("y")), (var("y"), read("x"))]), &[], "p=true x=2 y=1");
    check(Stmt::Havoc(["y", "x"].map(var).to_vec()), &[int(7), int(8)], "p=true x=8 y=7");
    check(relation("(= x@1 (+ x y 2))", &["x"]), &[int(5)], "p=true x=5 y=2");
    let choice = Stmt::Choice(vec![assume("false"), assign("x", "9")]);
    check(choice, &[Decision::Branch(1)], "p=true x=9 y=2");
}

#[test]
fn replay_errors() {
    let check = |stmt: Stmt, tape: &[Decision], expected: &str| {
        assert_eq!(run(stmt, tape.to_vec()), Err(expected.to_string()));
    };
    check(assume("(< y x)"), &[], "step 0: the assumption `(<= y (+ x (- 1)))` does not hold");
    check(Stmt::Havoc(vec![var("x")]), &[], "step 0: no value is decided for `x`");
    check(Stmt::Havoc(vec![var("p")]), &[int(1)], "step 0: no value is decided for `p`");
    check(
        Stmt::Havoc(vec![var("x")]),
        &[Decision::Branch(0)],
        "step 0: no value is decided for `x`",
    );
    check(Stmt::Choice(vec![Stmt::skip()]), &[], "step 0: no branch is decided");
    check(Stmt::Choice(vec![Stmt::skip()]), &[Decision::Branch(1)], "step 0: no branch is decided");
    check(Stmt::skip(), &[int(1)], "step 0: more decisions than the statement has");
    check(
        relation("(= x@1 (+ x 1))", &["x"]),
        &[int(3)],
        "step 0: the relation `(= x (+ x@1 (- 1)))` does not hold",
    );
}

#[test]
fn replay_errors_of_the_path() {
    let cfa = build(Stmt::skip());
    let start: Valuation =
        [(var("p"), Value::Bool(true)), (var("x"), Value::int(1)), (var("y"), Value::int(2))]
            .into_iter()
            .collect();
    let check = |start: &Valuation, edges: &[u32], expected: &str| {
        let steps =
            edges.iter().map(|edge| Step { edge: EdgeId(*edge), tape: Vec::new() }).collect();
        let error = Execution { start: start.clone(), steps }.replay(&cfa).expect_err(expected);
        assert_eq!(error.to_string(), expected);
    };
    let mut partial = start.clone();
    partial.forget(var("x"));
    check(&partial, &[0], "`x` has no initial value");
    check(&start, &[], "it ends at `entry`, not at the error");
    check(&start, &[0, 0], "step 1: the edge does not leave `error`");
    check(&start, &[7], "step 0: the edge does not leave `entry`");
}

/// Functions keep their interpretation along an execution; without one there is no value.
#[test]
fn uninterpreted_functions() {
    let func = Func::new("f", &[Sort::Int], Sort::Int);
    let applied = |term: Term| Term::app(Op::Apply(func), vec![term]).expect("an integer");
    let stmt = Stmt::Seq(vec![
        Stmt::assign(var("x"), applied(read("y"))),
        Stmt::Assume(applied(read("x")).equals(read("(+ x 1)"))),
    ]);
    let cfa = build(stmt.clone());
    let path = Path::new([&stmt]);
    let mut model: Valuation =
        [(var("y"), Value::int(2)), (var("x").at(1), Value::int(5))].into_iter().collect();
    let error =
        Execution::from_model(&cfa, &[EdgeId(0)], &model).replay(&cfa).expect_err("no function");
    assert_eq!(error.to_string(), "step 0: `(f y)` has no value");
    let entries = [(vec![Value::int(2)], Value::int(5))].into_iter().collect();
    model.set_func(func, FuncValue { entries, default: Value::int(6) });
    assert_eq!(path.formulas[0].holds(&model), Some(true));
    let states =
        Execution::from_model(&cfa, &[EdgeId(0)], &model).replay(&cfa).expect("an execution");
    assert_eq!(text(&states[1]), "p=false x=5 y=2");
}

#[test]
fn dot() {
    let cfa = build(assign("x", "(+ x 1)"));
    let expected = "digraph \"task\" {\n  node [shape=ellipse, fontname=\"sans-serif\"];\n  edge [fontname=\"monospace\"];\n  \
        l0 [label=\"entry\", style=bold];\n  l1 [label=\"error\", style=filled, fillcolor=\"#f4cccc\"];\n  \
        l0 -> l1 [label=\"x := (+ x 1)\"];\n}\n";
    assert_eq!(cfa_to_dot(&cfa), expected);
}

#[test]
fn distances() {
    let mut builder = one_edge(Stmt::skip());
    let [far, stray] = ["far", "stray"].map(|name| builder.loc(name));
    builder.edge(far, Stmt::skip(), builder.entry(), None);
    builder.edge(far, Stmt::skip(), stray, None);
    let cfa = builder.build().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(cfa.distances_to_error(), [Some(1), Some(0), Some(2), None]);
    assert_eq!(cfa.edge(EdgeId(0)).position.map(|p| p.to_string()).as_deref(), Some("3:14"));
}
