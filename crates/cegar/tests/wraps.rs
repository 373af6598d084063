//! A mistake of the pass `wraps` does not lead to a wrong verdict: the validator rejects what it states.

use lapidary_cegar::{Config, Reduced, Unknown, Verdict, verify, verify_reduced};
use lapidary_expr::{Sort, Term, Var};
use lapidary_model::pass::{BackTranslate, Pass, Wraps};
use lapidary_model::{Cfa, CfaBuilder, Execution, Loc, Proof, Stmt};
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;

fn x() -> Var {
    Var::new("x", Sort::Int)
}

/// A number of eight bits counts up to a bound, with or without its wrap-around; it must not be negative then.
fn counting(bound: i64, wraps: bool) -> Cfa {
    let var = Term::var(x());
    let (next, one_less) = (var.plus(Term::int(1)), var.plus(Term::int(-255)));
    let step = if wraps { var.at_most(Term::int(126)).ite(next, one_less) } else { next };
    let mut builder = CfaBuilder::new("counting", "entry");
    builder.vars(&[x()]);
    let [head, body, error] = ["head", "body", "error"].map(|name| builder.loc(name));
    builder.edge(builder.entry(), Stmt::assign(x(), Term::int(0)), head, None);
    builder.edge(head, Stmt::Assume(var.less(Term::int(bound))), body, None);
    builder.edge(body, Stmt::assign(x(), step), head, None);
    builder.edge(head, Stmt::Assume(var.less(Term::int(0))), error, None);
    builder.error(error);
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

fn config(line: &str) -> Config {
    let mut config = Config::default();
    config.set_line(line).unwrap_or_else(|error| panic!("{error}"));
    config
}

/// States a fact about `x` at the head of the loop and in its body.
struct Stating(Term);

impl BackTranslate for Stating {
    fn execution(&self, execution: Execution) -> Execution {
        execution
    }

    fn proof(&self, mut proof: Proof) -> Proof {
        for state in proof.states.iter_mut().filter(|state| [1, 2].map(Loc).contains(&state.loc)) {
            state.formula = Term::and([state.formula, self.0]);
        }
        proof
    }
}

/// The verdict if the wrap-around is left out for this reason.
fn without_wrap(bound: i64, fact: Term) -> Verdict {
    let (cfa, smaller, back) = (counting(bound, true), counting(bound, false), Stating(fact));
    let reduced = Reduced { smaller: &smaller, back: &back, start: &[] };
    let z3 = Z3::new(&Watch::default()).unwrap_or_else(|error| panic!("{error:?}"));
    let config = config("passes=none,no-wraps");
    verify_reduced(&cfa, &reduced, &config, &z3, &z3, &mut ())
}

#[test]
fn a_wrong_range_is_rejected() {
    let var = Term::var(x());
    let between = |most: i64| Term::and([Term::int(0).at_most(var), var.at_most(Term::int(most))]);
    // The counter goes up to 100: a right fact, one that is too strong, and none.
    assert!(matches!(without_wrap(100, between(100)), Verdict::Safe(_)));
    let is_rejected = |verdict| matches!(verdict, Verdict::Unknown(Unknown::Internal(_)));
    assert!(is_rejected(without_wrap(100, between(99))));
    assert!(is_rejected(without_wrap(1000, between(126))));
    // Without the wrap-around there is no error, with it there is one.
    for fact in [true.into(), between(1000)] {
        let verdict = without_wrap(1000, fact);
        assert!(is_rejected(verdict.clone()), "{verdict:?}");
    }
}

/// What the pass itself states is accepted, and rejected where the program is another one.
#[test]
fn ranges_are_checked_on_the_automaton_that_was_read() {
    let right = counting(100, true);
    let (smaller, back) = Wraps.run(&right);
    let reduced = Reduced { smaller: &smaller, back: &*back, start: &[] };
    let z3 = Z3::new(&Watch::default()).unwrap_or_else(|error| panic!("{error:?}"));
    let decide =
        |cfa: &Cfa, line: &str| verify_reduced(cfa, &reduced, &config(line), &z3, &z3, &mut ());
    for line in ["passes=none,no-wraps", "passes=all,no-wraps", "domain=explicit passes=none"] {
        assert!(matches!(decide(&right, line), Verdict::Safe(_)), "{line}");
        let verdict = decide(&counting(200, true), line);
        assert!(matches!(verdict, Verdict::Unknown(Unknown::Internal(_))), "{line}: {verdict:?}");
    }
    for line in ["passes=none", "passes=none,no-wraps"] {
        assert!(matches!(verify(&right, &config(line), &z3, &mut ()), Verdict::Safe(_)));
        let wrong = verify(&counting(200, true), &config(line), &z3, &mut ());
        assert!(matches!(wrong, Verdict::Unsafe(_)), "{line}: {wrong:?}");
    }
}
