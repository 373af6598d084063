//! Horn clauses: what they prove, against the exhaustive oracle and where refinement goes on for long.

use lapidary_engine::strategy::{Shape, decide, stages};
use lapidary_engine::{Reduced, Result, Stage, Unknown, Verdict};
use lapidary_expr::{Sort, Term, Var};
use lapidary_model::{Cfa, CfaBuilder, Stmt};
use lapidary_oracle::explore::explore;
use lapidary_oracle::lower::lower;
use lapidary_oracle::{Random, generate};
use lapidary_solver::Backend;
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;

/// What the first stage with Horn clauses says, with so much work.
fn horn(cfa: &Cfa, work: u64) -> Verdict {
    let is_horn = |stage: &Stage| stage.engine.name() == "horn";
    let stage = stages(Shape::Program).into_iter().find(is_horn).unwrap();
    let watch = Watch::default();
    let judge = Z3::new(&watch).unwrap();
    let solvers = |watch: &Watch| -> Result<Box<dyn Backend>> { Ok(Box::new(Z3::new(watch)?)) };
    let (stages, reduced) = ([Stage { work: Some(work), ..stage }], Reduced::unchanged(cfa, &[]));
    decide(cfa, &reduced, &stages, &watch, &solvers, &judge, &mut ())
}

#[test]
fn solutions_agree_with_the_oracle() {
    let mut random = Random::new(23);
    let (mut n_safe, mut n_unsafe) = (0, 0);
    for i in 0..60 {
        let program = match i % 2 {
            0 => generate::program(&mut random),
            _ => generate::safe_program(&mut random),
        };
        let is_unsafe = explore(&program).is_some();
        match horn(&lower(&program), 5_000_000) {
            Verdict::Safe(_) => {
                assert!(!is_unsafe, "{program:#?}");
                n_safe += 1;
            }
            Verdict::Unknown(Unknown::NoSolution) => {
                assert!(is_unsafe, "{program:#?}");
                n_unsafe += 1;
            }
            Verdict::Unknown(Unknown::Stop(_)) => {}
            verdict => panic!("{verdict:?}: {program:#?}"),
        }
    }
    assert!(n_safe > 10 && n_unsafe > 10, "{n_safe} safe, {n_unsafe} unsafe");
}

/// `i` goes up to `n` in steps of one, and `j` by one or two in each of them: `i <= j <= 2 * i`.
fn steps(bound: &dyn Fn(Term, Term) -> Term) -> Cfa {
    let [i, j, n] = ["i", "j", "n"].map(|name| Var::new(name, Sort::Int));
    let mut builder = CfaBuilder::new("steps", "entry");
    builder.vars(&[i, j, n]);
    let (entry, head, error) = (builder.entry(), builder.loc("head"), builder.loc("error"));
    builder.error(error);
    builder.edge(entry, Stmt::Assign(vec![(i, Term::int(0)), (j, Term::int(0))]), head, None);
    let grow = |by: i64| Stmt::assign(j, Term::var(j).plus(Term::int(by)));
    let body = Stmt::seq([
        Stmt::Assume(Term::var(i).less(n.into())),
        Stmt::assign(i, Term::var(i).plus(Term::int(1))),
        Stmt::Choice(vec![grow(1), grow(2)]),
    ]);
    builder.edge(head, body, head, None);
    builder.edge(head, Stmt::Assume(bound(i.into(), j.into()).not()), error, None);
    builder.build().unwrap()
}

#[test]
fn relations_between_counters_are_found() {
    let safe = steps(&|i, j| Term::and([i.at_most(j), j.at_most(i.plus(i))]));
    assert!(matches!(horn(&safe, 20_000_000), Verdict::Safe(_)));
    let wrong = steps(&|i, j| Term::and([i.at_most(j), j.less(i.plus(i))]));
    assert!(matches!(horn(&wrong, 20_000_000), Verdict::Unknown(Unknown::NoSolution)));
}

#[test]
fn work_is_bounded() {
    let safe = steps(&|i, j| Term::and([i.at_most(j), j.at_most(i.plus(i))]));
    let verdict = horn(&safe, 10);
    assert!(matches!(verdict, Verdict::Unknown(Unknown::Stop(_))), "{verdict:?}");
}
