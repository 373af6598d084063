//! Transition formulas against an interpreter that enumerates successors.

mod common;

use std::collections::BTreeSet;

use common::{Rng, State, domain, read, states, successors, valuation, vars};
use lapidary_expr::{Term, Valuation, Var, Versions};
use lapidary_model::{Cfa, CfaBuilder, EdgeId, Execution, Path, Stmt, encode};

/// All models of `formula` that extend `known`; a model leaves open what does not matter.
fn models(formula: Term, known: &mut Valuation, found: &mut Vec<Valuation>) {
    match formula.holds(known) {
        Some(true) => found.push(known.clone()),
        Some(false) => {}
        None => {
            let open = formula.vars().iter().find(|var| known.get(**var).is_none());
            let var = *open.expect("a formula without a value has an open variable");
            for value in domain(var) {
                known.set(var, value);
                models(formula, known, found);
            }
            known.forget(var);
        }
    }
}

/// The states at `versions` that a model allows.
fn states_of(model: &Valuation, versions: &Versions) -> BTreeSet<State> {
    let allows = |state: &State| {
        let mut values = vars().into_iter().zip(state);
        values
            .all(|(var, value)| model.get(versions.current(var)).is_none_or(|known| known == value))
    };
    states().into_iter().filter(allows).collect()
}

/// Entry, one location after each statement, the last one the error.
fn chain(stmts: &[Stmt]) -> Cfa {
    let mut builder = CfaBuilder::new("chain", "entry");
    builder.vars(&vars());
    let mut last = builder.entry();
    for stmt in stmts {
        let next = builder.loc("next");
        builder.edge(last, stmt.clone(), next, None);
        last = next;
    }
    builder.error(last);
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

/// Both directions of the encoding from one state, and the way back from models to executions.
fn check(stmts: &[Stmt], start: &State) {
    let cfa = chain(stmts);
    let edges: Vec<EdgeId> = cfa.edges().map(|(id, _)| id).collect();
    let path = Path::new(stmts);
    let formula = Term::and(path.formulas.iter().copied());
    let (mut found, mut reached) = (Vec::new(), BTreeSet::new());
    models(formula, &mut valuation(start), &mut found);
    let last = path.versions.last().expect("versions at the end");
    for model in &found {
        let ends = states_of(model, last);
        let execution = Execution::from_model(&cfa, &edges, model);
        assert_eq!(execution.start, valuation(start));
        let replayed = execution
            .replay(&cfa)
            .unwrap_or_else(|error| panic!("{error}: {stmts:?} in {model:?}"));
        let end =
            vars().map(|var| replayed[stmts.len()].get(var).cloned().expect("total")).to_vec();
        assert!(ends.contains(&end), "{stmts:?} ends in {end:?}, not as in {model:?}");
        reached.extend(ends);
    }
    let whole = successors(&Stmt::Seq(stmts.to_vec()), start);
    assert_eq!(reached, whole.into_keys().collect(), "{stmts:?} from {start:?}");
}

#[test]
fn formulas_are_what_statements_do() {
    let mut rng = Rng(0xD1B5_4A32_D192_ED03);
    let states = states();
    for _ in 0..1000 {
        let stmt = rng.stmt(3);
        for _ in 0..6 {
            check(std::slice::from_ref(&stmt), &rng.pick(&states));
        }
    }
}

#[test]
fn paths_are_what_statements_do_in_turn() {
    let mut rng = Rng(0xA3EC_6476_59EF_1C4D);
    let states = states();
    for _ in 0..500 {
        let stmts = [rng.stmt(2), rng.stmt(1), rng.stmt(2)];
        for _ in 0..3 {
            check(&stmts, &rng.pick(&states));
        }
    }
}

#[test]
fn every_kind_of_statement() {
    let [p, u, v] = vars();
    let assign = |var: Var, text: &str| Stmt::assign(var, read(text));
    let swap = Stmt::Assign(vec![(u, v.into()), (v, u.into())]);
    let relation = |text: &str, written: &[Var]| Stmt::Relation {
        formula: read(text),
        written: written.iter().copied().collect(),
    };
    let nested = Stmt::Choice(vec![
        Stmt::Seq(vec![assign(u, "v"), assign(u, "(bvadd u #b01)"), Stmt::Havoc(vec![p])]),
        Stmt::Choice(vec![swap.clone(), Stmt::Assume(read("(bvult u v)"))]),
        Stmt::skip(),
    ]);
    let stmts = [
        swap.clone(),
        Stmt::Havoc(vec![u, u]),
        Stmt::Havoc(Vec::new()),
        Stmt::Assign(Vec::new()),
        Stmt::Choice(Vec::new()),
        Stmt::Choice(vec![Stmt::Choice(Vec::new()), swap]),
        relation("(bvult u@1 u)", &[u]),
        relation("(= u@1 v)", &[u, v]),
        relation("true", &[]),
        relation("(and p (= v@1 u) (= u@1 v))", &[u, v]),
        Stmt::Seq(vec![nested.clone(), nested.clone(), Stmt::Assume(read("(= u #b01)"))]),
        nested,
    ];
    for stmt in stmts {
        states().iter().for_each(|start| check(std::slice::from_ref(&stmt), start));
    }
}

fn check_text(stmt: &Stmt, expected: &str) {
    assert_eq!(encode(stmt, &mut Versions::new()).to_string(), expected, "{stmt}");
}

#[test]
fn text_of_formulas() {
    let [_, u, v] = vars();
    check_text(&Stmt::Assign(vec![(u, v.into()), (v, u.into())]), "(and (= u@1 v) (= v@1 u))");
    check_text(&Stmt::skip(), "true");
    check_text(&Stmt::Choice(Vec::new()), "false");
    check_text(
        &Stmt::Choice(vec![Stmt::assign(u, v.into()), Stmt::skip()]),
        "(or (= u@1 v) (= u@1 u))",
    );
    check_text(
        &Stmt::Seq(vec![Stmt::Havoc(vec![u]), Stmt::Assume(read("(bvult u v)"))]),
        "(bvult u@1 v)",
    );
}
