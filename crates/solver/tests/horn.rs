//! Horn clauses: solutions, and that wrong ones are noticed.

use std::sync::{Mutex, MutexGuard, PoisonError};

use lapidary_expr::{Sort, Term, Var};
use lapidary_solver::Backend;
use lapidary_solver::horn::{Atom, Clause, System};
use lapidary_solver::limits::Watch;
use lapidary_solver::wrap::{Counted, Counts};
use lapidary_solver::z3::Z3;

fn var(name: &str) -> Var {
    Var::new(name, Sort::Int)
}

/// The tests take turns: where things are in memory, which other threads have a part in, may change what Z3 does.
fn alone() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Two counters that begin at zero and go up together; the goal is that they differ, or that the first is `limit`.
fn counters(limit: Option<i64>) -> System {
    let [x, y] = ["x", "y"].map(var);
    let [a, b] = ["a", "b"].map(var);
    let counting = |args: [Var; 2]| Atom { relation: 0, args: args.to_vec() };
    let goal = Atom { relation: 1, args: Vec::new() };
    let [zero, one] = [0, 1].map(Term::int);
    let [now_x, now_y] = [x, y].map(Term::var);
    let [next_x, next_y] = [a, b].map(Term::var);
    let start = Term::and([now_x.equals(zero), now_y.equals(zero)]);
    let turn = Term::and([next_x.equals(now_x.plus(one)), next_y.equals(now_y.plus(one))]);
    let bad = match limit {
        Some(limit) => now_x.equals(Term::int(limit)),
        None => now_x.equals(now_y).not(),
    };
    let clauses = vec![
        Clause { from: Vec::new(), by: start, to: counting([x, y]) },
        Clause { from: vec![counting([x, y])], by: turn, to: counting([a, b]) },
        Clause { from: vec![counting([x, y])], by: bad, to: goal.clone() },
    ];
    System { relations: vec![vec![x, y], Vec::new()], clauses, goal }
}

fn z3() -> Z3 {
    Z3::new(&Watch::default()).expect("Z3 is there")
}

#[test]
fn a_solution_is_one() {
    let _alone = alone();
    let (z3, system) = (z3(), counters(None));
    let solution = z3.horn().unwrap().solve(&system).unwrap().expect("they are always equal");
    assert_eq!(system.is_solved_by(&solution, &mut *z3.solver()), Ok(true));
}

#[test]
fn a_goal_that_contains_something_has_none() {
    let _alone = alone();
    assert_eq!(z3().horn().unwrap().solve(&counters(Some(3))), Ok(None));
}

#[test]
fn wrong_solutions_are_noticed() {
    let _alone = alone();
    let (z3, system) = (z3(), counters(None));
    let [x, y] = ["x", "y"].map(|name| Term::var(var(name)));
    let (zero, no) = (Term::int(0), Term::from(false));
    let wrongs = [
        // Not what they begin with, not what follows, and the goal is not empty.
        [Term::and([x.equals(y), zero.less(x)]), no],
        [Term::and([x.equals(zero), y.equals(zero)]), no],
        [true.into(), no],
        [x.equals(y), true.into()],
    ];
    for wrong in wrongs {
        assert_eq!(system.is_solved_by(&wrong, &mut *z3.solver()), Ok(false), "{wrong:?}");
    }
    assert_eq!(system.is_solved_by(&[x.equals(y), no], &mut *z3.solver()), Ok(true));
}

#[test]
fn calls_are_counted() {
    let _alone = alone();
    let counts = Counts::default();
    let counted = Counted::new(z3(), &counts);
    counted.horn().unwrap().solve(&counters(None)).unwrap();
    assert_eq!(counts.calls(), 1);
}

#[test]
fn a_budget_ends_the_search() {
    let _alone = alone();
    let z3 = Z3::new(&Watch::default().with_work(50)).expect("Z3 is there");
    assert!(z3.horn().unwrap().solve(&counters(None)).is_err());
}

/// The effort that the system takes, in Z3's unit.
fn effort(z3: &Z3, watch: &Watch) -> u64 {
    let before = watch.left().expect("there is a budget");
    z3.horn().unwrap().solve(&counters(None)).unwrap().expect("they are always equal");
    before - watch.left().expect("there is a budget")
}

#[test]
fn what_was_done_before_changes_nothing() {
    let _alone = alone();
    let watch = Watch::default().with_work(1 << 30);
    let z3 = Z3::new(&watch).expect("Z3 is there");
    let first = effort(&z3, &watch);
    let mut solver = z3.solver();
    for i in 0..100 {
        let [x, y] = ["x", "y"].map(|name| Term::var(var(name).at(100 - i)));
        solver.assert(x.plus(y).less(Term::int(i)));
        assert_eq!(solver.is_sat(), Ok(true));
    }
    assert_eq!(effort(&z3, &watch), first);
}
