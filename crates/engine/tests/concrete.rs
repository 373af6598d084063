//! Concrete runs: errors that they find are errors, deep ones are found, and the same runs happen again.

use lapidary_cegar::Config;
use lapidary_engine::concrete::ConcreteRuns;
use lapidary_engine::{Budget, Claim, Engine, Problem};
use lapidary_expr::{Op, Sort, Term, Var};
use lapidary_model::{Cfa, CfaBuilder, Execution, Stmt};
use lapidary_oracle::explore::explore;
use lapidary_oracle::lower::lower;
use lapidary_oracle::{Random, generate};
use lapidary_solver::limits::Watch;
use lapidary_validate::validate_execution;

/// The execution that some work finds.
fn runs(cfa: &Cfa, work: u64) -> Option<Execution> {
    let (config, watch) = (Config::default(), Watch::default().with_work(work));
    let problem = Problem { cfa, original: cfa, config: &config, start: &[] };
    let budget = Budget { watch: &watch, solver: None };
    match ConcreteRuns.run(&problem, &budget, &mut ()) {
        Ok(Claim::Execution(execution)) => Some(execution),
        Ok(Claim::Proof(_)) => panic!("runs prove nothing"),
        Ok(Claim::Nothing(_)) | Err(_) => None,
    }
}

fn automaton(text: &str) -> Cfa {
    lapidary_frontend::load("test.cfa", text)
        .unwrap_or_else(|error| panic!("{error}"))
        .model
        .into_cfa()
}

#[test]
fn errors_of_random_automata_are_errors() {
    let mut random = Random::new(5);
    let (mut n_unsafe, mut found) = (0, 0);
    for _ in 0..300 {
        let program = generate::program(&mut random);
        let cfa = lower(&program);
        let is_unsafe = explore(&program).is_some();
        n_unsafe += usize::from(is_unsafe);
        if let Some(execution) = runs(&cfa, 20_000) {
            assert!(is_unsafe, "{program:#?}");
            assert_eq!(validate_execution(&cfa, &execution), Ok(()), "{program:#?}");
            assert_eq!(runs(&cfa, 20_000).as_ref(), Some(&execution), "the same run");
            found += 1;
        }
    }
    assert!(found * 3 > n_unsafe, "{found} of {n_unsafe} errors");
}

#[test]
fn a_loop_of_a_million_turns_is_run_through() {
    let cfa = automaton(
        "main process counter {
            var x : int  var y : int  var a : [int] -> int
            init loc A  loc L  error loc E
            A -> L { x := 0 y := 0 }
            L -> L { assume x < 1000000 x := x + 1 y := y + 3 a := a[x mod 1000 <- y] }
            L -> E { assume x >= 1000000 assume y = 3000000 and a[7] = 2997021 }
        }",
    );
    let execution = runs(&cfa, 10_000_000).expect("an execution");
    assert_eq!(execution.steps.len(), 1_000_002);
    assert_eq!(validate_execution(&cfa, &execution), Ok(()));
}

#[test]
fn an_assignment_of_several_variables_reads_the_values_before() {
    let [i, n] = ["i", "n"].map(|name| Var::new(name, Sort::Int));
    let a = Var::new("a", Sort::array(Sort::Int, Sort::Int));
    let mut builder = CfaBuilder::new("several", "A");
    builder.vars(&[i, n, a]);
    let (first, last, error) = (builder.entry(), builder.loc("L"), builder.loc("E"));
    let [index, number]: [Term; 2] = [i.into(), n.into()];
    let start = Stmt::Assign(vec![(i, Term::int(0)), (n, Term::int(7))]);
    builder.edge(first, start, last, None);
    // The order in the list must not matter.
    let stored = Term::app(Op::Store, vec![a.into(), index, number]).unwrap();
    let step = vec![(i, number), (a, stored), (n, index)];
    let at_zero = Term::app(Op::Select, vec![a.into(), Term::int(0)]).unwrap();
    let end = Term::and([at_zero.equals(Term::int(7)), index.equals(Term::int(7))]);
    let step = Stmt::seq([Stmt::Assign(step), Stmt::Assume(end)]);
    builder.edge(last, step, error, None);
    builder.error(error);
    let cfa = builder.build().unwrap();
    let execution = runs(&cfa, 10_000).expect("an execution");
    assert_eq!(validate_execution(&cfa, &execution), Ok(()));
}

#[test]
fn constants_of_the_automaton_are_tried() {
    // One value in four billion; and an input that ends the run must not end the search.
    let cfa = automaton(
        "main process lock {
            var x : bv[32]  var n : bv[32]
            init loc A  loc L  loc C  loc D  error loc E
            A -> L { n := 32'd0 }
            L -> C { havoc x }
            C -> D { assume x = 32'd123456789 }
            D -> L { assume n bvult 32'd40 n := n bvadd 32'd1 }
            D -> E { assume n = 32'd40 }
        }",
    );
    let execution = runs(&cfa, 1_000_000).expect("an execution");
    assert_eq!(validate_execution(&cfa, &execution), Ok(()));
}

#[test]
fn what_words_do_not_hold_ends_a_run() {
    // The numbers leave 64 bits before the error, which a wrap-around would miss or invent.
    let cfa = automaton(
        "main process power {
            var x : int
            init loc A  loc L  error loc E
            A -> L { x := 1 }
            L -> L { assume x > 0 x := x * 2 }
            L -> E { assume x <= 0 }
        }",
    );
    assert_eq!(runs(&cfa, 100_000), None);
}
