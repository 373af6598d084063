//! A mistake of the pass `wraps` does not lead to a wrong verdict: the validator rejects what it states.

use lapidary_cegar::Config;
use lapidary_engine::{Reduced, Unknown, Verdict, verify, verify_reduced};
use lapidary_expr::{Sort, Term, Var};
use lapidary_model::pass::{BackTranslate, Pass, Wraps};
use lapidary_model::{Cfa, CfaBuilder, Execution, Loc, Proof, Stmt};
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;

fn x() -> Var {
    Var::new("x", Sort::Int)
}

/// A number of four bits counts up to a bound, with or without its wrap-around; it must not be negative then.
fn counting(bound: i64, wraps: bool) -> Cfa {
    let var = Term::var(x());
    let (next, one_less) = (var.plus(Term::int(1)), var.plus(Term::int(-15)));
    let step = if wraps { var.at_most(Term::int(6)).ite(next, one_less) } else { next };
    let mut builder = CfaBuilder::new("counting", "entry");
    builder.vars(&[x()]);
    builder.written_checks(true);
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

/// States facts about `x`: at the head of the loop, and in its body.
struct Stating([Term; 2]);

impl BackTranslate for Stating {
    fn execution(&self, execution: Execution) -> Execution {
        execution
    }

    fn proof(&self, mut proof: Proof) -> Proof {
        for state in &mut proof.states {
            if let Some(i) = [1, 2].iter().position(|loc| state.loc == Loc(*loc)) {
                state.formula = Term::and([state.formula, self.0[i]]);
            }
        }
        proof
    }
}

/// The verdict if the wrap-around is left out for this reason.
fn without_wrap(bound: i64, facts: [Term; 2]) -> Verdict {
    let (cfa, smaller, back) = (counting(bound, true), counting(bound, false), Stating(facts));
    let reduced = Reduced { smaller: &smaller, back: &back, start: &[] };
    let z3 = Z3::new(&Watch::default()).unwrap_or_else(|error| panic!("{error:?}"));
    let config = config("passes=none,no-wraps");
    verify_reduced(&cfa, &reduced, &config, &z3, &z3, &mut ())
}

#[test]
fn a_wrong_range_is_rejected() {
    let var = Term::var(x());
    let up_to = |most: i64| Term::and([Term::int(0).at_most(var), var.at_most(Term::int(most))]);
    let facts = |head: i64| [up_to(head), up_to(head - 1)];
    let is_rejected = |verdict: &Verdict| matches!(verdict, Verdict::Unknown(Unknown::Internal(_)));
    // The counter goes up to 5: the right facts, and one that is too strong.
    assert!(matches!(without_wrap(5, facts(5)), Verdict::Safe(_)));
    assert!(is_rejected(&without_wrap(5, facts(4))));
    // Without the wrap-around there is no error, with it there is one.
    for wrong in [[true.into(), true.into()], facts(6), facts(7), facts(12)] {
        let verdict = without_wrap(12, wrong);
        assert!(is_rejected(&verdict), "{verdict:?}");
    }
}

/// What the pass itself states is accepted, and rejected where the program is another one.
#[test]
fn ranges_are_checked_on_the_automaton_that_was_read() {
    let right = counting(5, true);
    let (smaller, back) = Wraps.run(&right);
    let reduced = Reduced { smaller: &smaller, back: &*back, start: &[] };
    let z3 = Z3::new(&Watch::default()).unwrap_or_else(|error| panic!("{error:?}"));
    let decide =
        |cfa: &Cfa, line: &str| verify_reduced(cfa, &reduced, &config(line), &z3, &z3, &mut ());
    for line in ["passes=none,no-wraps", "passes=all,no-wraps", "domain=explicit passes=none"] {
        assert!(matches!(decide(&right, line), Verdict::Safe(_)), "{line}");
        let verdict = decide(&counting(12, true), line);
        assert!(matches!(verdict, Verdict::Unknown(Unknown::Internal(_))), "{line}: {verdict:?}");
    }
    for line in ["passes=none", "passes=none,no-wraps"] {
        assert!(matches!(verify(&right, &config(line), &z3, &mut ()), Verdict::Safe(_)));
        let wrong = verify(&counting(12, true), &config(line), &z3, &mut ());
        assert!(matches!(wrong, Verdict::Unsafe(_)), "{line}: {wrong:?}");
    }
}
