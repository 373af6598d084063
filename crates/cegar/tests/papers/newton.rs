//! Newton refinement (fifth paper): Tables 3.1, 3.2 and 3.3 line by line, up to logical equivalence.

use lapidary_cegar::checker::newton::{Level, Post, Qe, Switch};
use lapidary_cegar::checker::{Checker, Newton, NewtonOptions};
use lapidary_cegar::{Feasibility, Reason, Stop, Trace, TraceChecker};
use lapidary_expr::Term;
use lapidary_model::Stmt;
use lapidary_solver::Backend;
use lapidary_solver::interpolate::Engine;

use super::{assign, int, z3};

fn newton(options: NewtonOptions) -> Newton {
    let z3 = z3();
    Newton::with_engine(&z3, options, Engine::Auto)
}

fn plain() -> NewtonOptions {
    NewtonOptions { core: Switch::Off, live: Switch::Off, ..NewtonOptions::default() }
}

/// The red trace of Figure 3.2: the loop is not entered.
fn red() -> Vec<Stmt> {
    let (x, y) = (int("x"), int("y"));
    let vx: Term = x.into();
    vec![
        assign(x, Term::int(0)),
        assign(y, Term::int(1)),
        Stmt::Assume(vx.less(Term::int(1)).not()),
        Stmt::Assume(vx.equals(Term::int(1)).not()),
    ]
}

/// The blue trace: the loop is taken once.
fn blue() -> Vec<Stmt> {
    let (x, y) = (int("x"), int("y"));
    let vx: Term = x.into();
    vec![
        assign(x, Term::int(0)),
        assign(y, Term::int(1)),
        Stmt::Assume(vx.less(Term::int(1))),
        assign(x, vx.plus(Term::int(1))),
        Stmt::Assume(vx.less(Term::int(1)).not()),
        Stmt::Assume(vx.equals(Term::int(1)).not()),
    ]
}

fn assert_equivalent(found: &[Term], expected: &[Term]) {
    let mut solver = z3().solver();
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        let equivalent = solver.entails(*found, *expected).unwrap()
            && solver.entails(*expected, *found).unwrap();
        assert!(equivalent, "assertion {i} is {found}, not {expected}");
    }
}

fn equals(name: &str, value: i32) -> Term {
    Term::from(int(name)).equals(Term::int(value))
}

fn assertions(options: NewtonOptions, stmts: &[Stmt]) -> Vec<Term> {
    newton(options).assertions(stmts).unwrap().unwrap()
}

#[test]
fn table_3_1_strongest_postconditions() {
    let both = Term::and([equals("x", 0), equals("y", 1)]);
    let expected = [true.into(), equals("x", 0), both, false.into(), false.into()];
    assert_equivalent(&assertions(plain(), &red()), &expected);
}

#[test]
fn table_3_2_infeasible_core() {
    let stmts = blue();
    let refs: Vec<&Stmt> = stmts.iter().collect();
    let mut newton = newton(NewtonOptions { core: Switch::On, ..plain() });
    // The paper supposes this one; it is one of two minimal ones.
    let core = [true, false, false, true, false, true];
    let abstracted = newton.abstracted(&refs, &core);
    let found = newton.assertions(&abstracted).unwrap().unwrap();
    let (zero, one) = (equals("x", 0), equals("x", 1));
    assert_equivalent(&found, &[true.into(), zero, zero, zero, one, one, false.into()]);
    // The solver's own core is one of the two.
    let other = [false, false, true, true, true, true];
    let own = newton.core(&refs).unwrap().unwrap();
    assert!(own == core || own == other, "{own:?}");
}

#[test]
fn table_3_3_live_variables() {
    let options = NewtonOptions { live: Switch::On, ..plain() };
    let expected = [true.into(), equals("x", 0), equals("x", 0), false.into(), false.into()];
    assert_equivalent(&assertions(options, &red()), &expected);
}

/// Read, then written: the old value is live before `x := x + 1`.
#[test]
fn a_variable_that_is_read_and_written_is_live() {
    let options = NewtonOptions { live: Switch::On, ..plain() };
    let found = assertions(options, &blue());
    assert_equivalent(&found[3..5], &[equals("x", 0), equals("x", 1)]);
}

#[test]
fn weakest_preconditions_go_backward() {
    let options = NewtonOptions { post: Post::Wp, ..NewtonOptions::default() };
    let stmts = blue();
    let refs: Vec<&Stmt> = stmts.iter().collect();
    let mut newton = newton(options);
    let core = [true, false, false, true, false, true];
    let abstracted = newton.abstracted(&refs, &core);
    let found = newton.assertions(&abstracted).unwrap().unwrap();
    let (zero, one) = (equals("x", 0), equals("x", 1));
    assert_equivalent(&found, &[true.into(), zero, zero, zero, one, one, false.into()]);
}

/// `x := 0; (x := x + 1 | y := 5; x := x + 2); [x = 3]` as one block with a choice and one after it.
fn block() -> Vec<Stmt> {
    let (x, y) = (int("x"), int("y"));
    let vx: Term = x.into();
    let left = assign(x, vx.plus(Term::int(1)));
    let right = Stmt::seq([assign(y, Term::int(5)), assign(x, vx.plus(Term::int(2)))]);
    vec![
        Stmt::seq([assign(x, Term::int(0)), Stmt::Choice(vec![left, right])]),
        Stmt::Assume(vx.equals(Term::int(3))),
    ]
}

/// Inside a large block the post goes through the choice, and each statement is in the core or not.
#[test]
fn choices_are_disjunctions() {
    let stmts = block();
    let refs: Vec<&Stmt> = stmts.iter().collect();
    let expected = Term::or([equals("x", 1), equals("x", 2)]);
    for level in Level::ALL {
        let mut newton = newton(NewtonOptions { level, ..NewtonOptions::default() });
        let core = newton.core(&refs).unwrap().unwrap();
        match level {
            Level::Edge => assert_eq!(core, [true, true, false, true, true], "y is not needed"),
            Level::Block => assert_eq!(core, [true, true]),
        }
        let abstracted = newton.abstracted(&refs, &core);
        let found = newton.assertions(&abstracted).unwrap().unwrap();
        assert_equivalent(&found, &[true.into(), expected, false.into()]);
    }
}

/// The numbers behind Figures 5.5 and 5.6: who eliminated what.
#[test]
fn eliminations_are_counted() {
    let stmts = blue();
    let count = |options: NewtonOptions| {
        let mut newton = newton(options);
        let trace = Trace::unlabelled(stmts.iter().collect());
        match newton.check(&trace).unwrap() {
            Feasibility::Infeasible(refutation) => refutation.eliminations,
            Feasibility::Feasible(_) => panic!("the trace is infeasible"),
        }
    };
    let all = count(plain());
    assert!(all.der > 0 && all.failed == 0, "{all:?}");
    let no_der = count(NewtonOptions { der: Switch::Off, ..plain() });
    assert!(no_der.der == 0 && no_der.light > 0, "{no_der:?}");
    // Without any method the old value of `x` stays, and there is the fallback.
    let nothing = NewtonOptions { der: Switch::Off, upd: Switch::Off, qe: Qe::None, ..plain() };
    assert!(count(nothing).failed > 0);
    let weak = NewtonOptions { fallback: Switch::Off, ..nothing };
    let trace = Trace::unlabelled(stmts.iter().collect());
    assert!(matches!(newton(weak).check(&trace), Err(Stop::Interpolation(_))));
}

/// A conjunct over quantified variables only is dropped if it is satisfiable, and not otherwise.
#[test]
fn unconnected_parameters_are_dropped_after_a_check() {
    let (x, y, z) = (int("x"), int("y"), int("z"));
    let (vx, vy, vz): (Term, Term, Term) = (x.into(), y.into(), z.into());
    // y is squared, so that no equality defines it, and never read again.
    let square = Stmt::Assume(vy.times(vy).less(vz.times(vz)));
    let stmts = [
        assign(x, Term::int(0)),
        square,
        Stmt::Havoc(vec![y, z]),
        Stmt::Assume(vx.equals(Term::int(1))),
    ];
    let options = NewtonOptions { qe: Qe::None, ..plain() };
    let found = assertions(options, &stmts);
    assert_equivalent(&found[3..4], &[equals("x", 0)]);
    let without = NewtonOptions { upd: Switch::Off, ..options };
    assert!(newton(without).assertions(&stmts).unwrap().is_err());
    let approximated = NewtonOptions { approx: Switch::On, ..without };
    assert_equivalent(&assertions(approximated, &stmts)[3..4], &[equals("x", 0)]);
}

/// A path that comes back is interpolated.
#[test]
fn a_repeated_path_falls_back() {
    let z3 = z3();
    let mut checker = Checker::Newton.build(&z3, Engine::Auto, &NewtonOptions::default());
    let stmts = red();
    let trace = Trace::unlabelled(stmts.iter().collect());
    let mut names = Vec::new();
    for _ in 0..2 {
        let Feasibility::Infeasible(refutation) = checker.check(&trace).unwrap() else { panic!() };
        assert_eq!(refutation.reasons.last(), Some(&Reason::Holds(false.into())));
        names.push(refutation.checker);
    }
    assert_eq!(names, ["newton", "newton, then sequence"]);
}
