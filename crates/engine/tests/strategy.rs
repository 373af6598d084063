//! The strategy: stages in turn against the exhaustive oracle, the same in every run.

use lapidary_cegar::config::DomainKind;
use lapidary_engine::strategy::{INGREDIENTS, Shape, decide, stages, stages_without};
use lapidary_engine::{Event, Observer, Reduced, Result, Stage, Unknown, Verdict};
use lapidary_expr::{Sort, Term, Var};
use lapidary_model::{Cfa, CfaBuilder, Stmt};
use lapidary_oracle::explore::explore;
use lapidary_oracle::lower::lower;
use lapidary_oracle::{Random, generate};
use lapidary_solver::Backend;
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;

/// Remembers which stages there were.
#[derive(Default)]
struct Log(Vec<String>);

impl Observer for Log {
    fn event(&mut self, event: &Event) {
        self.0.push(format!("{event:?}"));
    }
}

impl Log {
    fn n_stages(&self) -> usize {
        self.0.iter().filter(|event| event.starts_with("Stage")).count()
    }
}

fn run(cfa: &Cfa, stages: &[Stage]) -> (Verdict, Log) {
    let watch = Watch::default();
    let judge = Z3::new(&watch).unwrap();
    let solvers = |watch: &Watch| -> Result<Box<dyn Backend>> { Ok(Box::new(Z3::new(watch)?)) };
    let mut log = Log::default();
    let reduced = Reduced::unchanged(cfa, &[]);
    let verdict = decide(cfa, &reduced, stages, &watch, &solvers, &judge, &mut log);
    (verdict, log)
}

/// The stages with so little work that few of them decide; the last ones are not to take forever, either.
fn short(work: u64, last: u64) -> Vec<Stage> {
    let shorten =
        |stage: Stage| Stage { work: stage.work.map_or(Some(last), |_| Some(work)), ..stage };
    stages(Shape::Program).into_iter().map(shorten).collect()
}

#[test]
fn stages_agree_with_the_oracle() {
    let mut random = Random::new(7);
    let mut most = 0;
    for i in 0..60 {
        let program = match i % 2 {
            0 => generate::program(&mut random),
            _ => generate::safe_program(&mut random),
        };
        let cfa = lower(&program);
        let is_unsafe = explore(&program).is_some();
        for work in [1, 20_000, 10_000_000] {
            let (verdict, log) = run(&cfa, &short(work, 40_000_000));
            most = most.max(log.n_stages());
            match verdict {
                Verdict::Safe(_) => assert!(!is_unsafe, "{program:#?}"),
                Verdict::Unsafe(_) => assert!(is_unsafe, "{program:#?}"),
                Verdict::Unknown(Unknown::Internal(why)) => panic!("{why}: {program:#?}"),
                Verdict::Unknown(_) => {}
            }
        }
    }
    // One of the last three decides.
    assert!(most + 2 >= stages(Shape::Program).len(), "{most}");
}

#[test]
fn bounded_search_finds_every_error_of_small_automata() {
    let mut random = Random::new(11);
    let mut found = 0;
    for _ in 0..60 {
        let program = generate::program(&mut random);
        let cfa = lower(&program);
        let bounded =
            stages(Shape::Program).into_iter().find(|stage| stage.engine.name() == "bounded");
        let stages: Vec<Stage> =
            bounded.map(|stage| Stage { work: Some(3_000_000), ..stage }).into_iter().collect();
        let is_unsafe = explore(&program).is_some();
        match run(&cfa, &stages).0 {
            Verdict::Unsafe(_) => assert!(is_unsafe, "{program:#?}"),
            // The passes may leave no path to the error.
            Verdict::Safe(_) | Verdict::Unknown(Unknown::Exhausted { .. }) => {
                assert!(!is_unsafe, "{program:#?}");
            }
            Verdict::Unknown(Unknown::Stop(_)) => {}
            verdict @ Verdict::Unknown(_) => panic!("{verdict:?}: {program:#?}"),
        }
        found += usize::from(is_unsafe);
    }
    assert!(found > 10, "{found} errors");
}

#[test]
fn the_same_run_happens_again() {
    let mut random = Random::new(3);
    for _ in 0..10 {
        let cfa = lower(&generate::safe_program(&mut random));
        let stages = short(50_000, 10_000_000);
        // Z3's effort depends on what its context has seen: each run has a thread, and so a context, of its own.
        let runs = [(); 2].map(|()| {
            std::thread::scope(|scope| {
                scope.spawn(|| format!("{:?}", run(&cfa, &stages).1.0)).join().unwrap()
            })
        });
        assert_eq!(runs[0], runs[1]);
    }
}

#[test]
fn parts_can_be_left_out() {
    for name in INGREDIENTS {
        let shape = match name {
            "induction" => Shape::System,
            "ic3" => Shape::Circuit,
            _ => Shape::Program,
        };
        let rest = stages_without(shape, &[name]);
        assert_ne!(rest, stages(shape), "{name}");
        let endless = rest.iter().rev().take_while(|stage| stage.work.is_none()).count();
        let is_last = ["explicit", "lbe", "sbe"].contains(&name);
        assert_eq!(endless, if shape != Shape::Program || is_last { 2 } else { 3 }, "{name}");
        let passes = rest.iter().filter_map(Stage::config).map(|config| config.passes.to_string());
        let has_invariants = passes.into_iter().all(|passes| passes == "all");
        assert_eq!(has_invariants, name != "invariants");
    }
    assert!(stages_without(Shape::Program, &INGREDIENTS).is_empty());
}

/// A loop of many turns, which predicates unroll.
fn long_loop() -> Cfa {
    let x = Var::new("x", Sort::Int);
    let (now, last) = (Term::var(x), Term::int(1_000_000));
    let mut builder = CfaBuilder::new("main", "A");
    builder.vars(&[x]);
    let (entry, head, error) = (builder.entry(), builder.loc("L"), builder.loc("E"));
    builder.error(error);
    builder.edge(entry, Stmt::assign(x, Term::int(0)), head, None);
    let turn = [Stmt::Assume(now.less(last)), Stmt::assign(x, now.plus(Term::int(1)))];
    builder.edge(head, Stmt::seq(turn), head, None);
    builder.edge(head, Stmt::Assume(now.equals(last)), error, None);
    builder.build().unwrap()
}

#[test]
fn a_stage_that_diverges_ends_and_goes_on_with_another_engine() {
    let by_predicates = |without: &[&str]| -> Vec<Stage> {
        let config = |stage: &Stage| stage.config().map(|config| config.domain);
        let stages = stages_without(Shape::Program, without).into_iter();
        let mut stages: Vec<Stage> = stages
            .filter(|stage| config(stage) == Some(DomainKind::Predicate))
            .filter(|stage| stage.engine.name() == "cegar")
            .take(2)
            .collect();
        stages.iter_mut().for_each(|stage| stage.work = Some(4_000_000));
        stages
    };
    let engines = |log: &Log| -> Vec<bool> {
        let stages = log.0.iter().filter(|event| event.starts_with("Stage"));
        stages.map(|event| event.contains("interpolation: Spacer")).collect()
    };
    let diverges = |log: &Log| log.0.iter().any(|event| event.starts_with("Diverging"));
    // Large blocks, and large blocks again.
    let (_, log) = run(&long_loop(), &by_predicates(&["explicit", "runs", "bounded"]));
    assert!(diverges(&log));
    assert_eq!(engines(&log), [false, true]);
    let without = ["explicit", "runs", "bounded", "divergence"];
    let (_, log) = run(&long_loop(), &by_predicates(&without));
    assert!(!diverges(&log));
    assert_eq!(engines(&log), [false; 2]);
}

#[test]
fn systems_have_stages_of_their_own() {
    let system = long_loop();
    assert_eq!(Shape::of(&system), Shape::System);
    let lines = |shape: Shape| -> Vec<String> {
        stages(shape).iter().filter_map(Stage::config).map(|config| config.to_string()).collect()
    };
    let lines = [Shape::System, Shape::Program].map(lines);
    let count =
        |lines: &[String], part: &str| lines.iter().filter(|line| line.contains(part)).count();
    assert_eq!(count(&lines[0], "max-enum=0"), 5);
    assert_eq!(count(&lines[1], "max-enum=0"), 0);
    let by_edges =
        |line: &&String| line.contains("domain=predicate") && line.contains("encoding=sbe");
    assert_eq!(lines[0].iter().filter(by_edges).count(), 0);
    assert_eq!(lines[1].iter().filter(by_edges).count(), 1);
}
