//! Stages at once: the verdicts of the oracle, with evidence; whoever has lost stops; limits end all; nothing hangs.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use lapidary_cegar::{Config, Tracked};
use lapidary_engine::portfolio::{Makers, Question, decide};
use lapidary_engine::strategy::{Shape, single, stages};
use lapidary_engine::{Event, Observer, Stage, Unknown, Verdict};
use lapidary_model::Cfa;
use lapidary_oracle::explore::explore;
use lapidary_oracle::lower::lower;
use lapidary_oracle::{Random, generate};
use lapidary_solver::limits::{Limits, Watch, within};
use lapidary_solver::z3::Z3;
use lapidary_solver::{Backend, Eliminate, Interpolator, Limit, Result, Stop, UnsatCore};
use lapidary_validate::{validate_execution, validate_proof};

/// Safe because `y` is even, which the strongest interpolants do not see: they say `x = 0`, `x = 1`, …
const PARITY: &str = "main process parity {
    var x : int  var y : int
    init loc START  loc LOOP  error loc ERR
    START -> LOOP { x := 0  y := 0 }
    LOOP -> LOOP { x := x + 1  y := y + 2 }
    LOOP -> ERR { assume y = 2 * x + 1 }
}";

fn automaton(text: &str) -> Cfa {
    lapidary_frontend::load("test.cfa", text)
        .unwrap_or_else(|error| panic!("{error}"))
        .model
        .into_cfa()
}

fn stage(line: &str, work: Option<u64>) -> Stage {
    let mut config = Config::default();
    config.set_line(line).unwrap();
    // Nothing but its budget is to end it.
    Stage { work, ..single("plain", config).unwrap() }
}

/// Stages that never decide [`PARITY`].
fn for_ever() -> [Stage; 2] {
    ["interpolation=sp", "interpolation=sp prune=full"]
        .map(|line| stage(&format!("{line} passes=unreachable,constants,slice,cone"), None))
}

fn makers() -> Makers {
    Box::new(|watch: &Watch| -> Result<Box<dyn Backend>> { Ok(Box::new(Z3::new(watch)?)) })
}

fn question(cfa: &Cfa) -> Question {
    let (solvers, judges) = (makers(), makers());
    Question { cfa: cfa.clone(), reduction: None, start: Vec::new(), solvers, judges }
}

/// What an observer is to rely on: turns are about stages that have begun, and the last one is about what decided.
#[derive(Default)]
struct Log {
    begun: Vec<Stage>,
    turn: Option<usize>,
    /// The stages that came to validate something.
    validating: Vec<usize>,
    precision: Option<Vec<Tracked>>,
}

impl Observer for Log {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Stage(stage) => self.begun.push(*stage),
            Event::Turn { stage, .. } => {
                assert!(*stage < self.begun.len());
                self.turn = Some(*stage);
            }
            Event::Validating => self.validating.extend(self.turn),
            _ => assert!(self.turn.is_some(), "{event:?} is about no stage"),
        }
    }

    fn precision(&mut self, tracked: &dyn Fn() -> Vec<Tracked>) {
        self.precision = Some(tracked());
    }
}

fn run(cfa: &Cfa, stages: &[Stage], jobs: usize) -> (Verdict, Log) {
    let mut log = Log::default();
    let verdict = decide(question(cfa), stages, jobs, &Watch::default(), &mut log);
    (verdict, log)
}

/// Whether the automaton is safe, if the verdict says so with evidence that is valid once more.
#[track_caller]
fn is_safe(cfa: &Cfa, verdict: &Verdict) -> Option<bool> {
    match verdict {
        Verdict::Safe(proof) => {
            let judge = Z3::new(&Watch::default()).unwrap();
            assert!(validate_proof(cfa, proof, &mut *judge.solver()).is_ok());
            Some(true)
        }
        Verdict::Unsafe(execution) => {
            assert!(validate_execution(cfa, execution).is_ok());
            Some(false)
        }
        Verdict::Unknown(Unknown::Internal(why)) => panic!("{why}"),
        Verdict::Unknown(_) => None,
    }
}

#[test]
fn stages_at_once_agree_with_the_oracle() {
    let mut random = Random::new(23);
    let (mut safe, mut errors, mut unknown) = (0, 0, 0);
    for i in 0..40 {
        let program = match i % 2 {
            0 => generate::program(&mut random),
            _ => generate::safe_program(&mut random),
        };
        let (cfa, expected) = (lower(&program), explore(&program).is_none());
        for (jobs, work) in [(2, 1), (2, 30_000), (3, 30_000), (2, 10_000_000), (3, 10_000_000)] {
            let bounded =
                stages(Shape::Program).into_iter().map(|stage| Stage { work: Some(work), ..stage });
            let (verdict, log) = run(&cfa, &bounded.collect::<Vec<_>>(), jobs);
            match is_safe(&cfa, &verdict) {
                Some(answer) => {
                    assert_eq!(answer, expected, "{jobs} jobs: {program:#?}");
                    assert!(log.turn.is_some_and(|last| log.validating.contains(&last)));
                    safe += usize::from(answer);
                    errors += usize::from(!answer);
                }
                None => unknown += 1,
            }
        }
    }
    assert!(safe > 40 && errors > 20 && unknown > 5, "{safe} {errors} {unknown}");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test is about time")]
fn whoever_has_lost_stops() {
    let cfa = automaton(PARITY);
    let decisive = stage("passes=all", None);
    for jobs in [2, 3] {
        let mut list = for_ever()[..jobs - 1].to_vec();
        list.push(decisive);
        // Every thread holds what was asked until it ends.
        let token = Arc::new(());
        let held = Arc::clone(&token);
        let mut question = question(&cfa);
        question.solvers = Box::new(move |watch| {
            let _ = &held;
            Ok(Box::new(Z3::new(watch)?))
        });
        let (start, mut log) = (Instant::now(), Log::default());
        let verdict = decide(question, &list, jobs, &Watch::default(), &mut log);
        assert_eq!(is_safe(&cfa, &verdict), Some(true));
        assert_eq!((log.begun.len(), log.turn), (jobs, Some(jobs - 1)));
        while Arc::strong_count(&token) > 1 {
            assert!(start.elapsed() < Duration::from_mins(5), "somebody goes on");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test is about time")]
fn limits_end_all_stages() {
    let cfa = automaton(PARITY);
    let limited = |limits: &Limits| {
        let question = question(&cfa);
        match within(limits, |watch| decide(question, &for_ever(), 2, watch, &mut ())) {
            Verdict::Unknown(Unknown::Stop(Stop::Limit(limit))) => limit,
            verdict => panic!("{verdict:?}"),
        }
    };
    let deadline = Some(Instant::now() + Duration::from_millis(500));
    assert_eq!(limited(&Limits { deadline, ..Limits::default() }), Limit::Wall);
    let memory = Some(1);
    assert_eq!(limited(&Limits { memory, ..Limits::default() }), Limit::Memory);
    let cpu = Some(lapidary_solver::limits::cpu_time() + Duration::from_millis(300));
    assert_eq!(limited(&Limits { cpu, ..Limits::default() }), Limit::Time);
    let flag = Arc::new(AtomicBool::new(false));
    let interrupt = Some(Arc::clone(&flag));
    let key = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        flag.store(true, Ordering::SeqCst);
    });
    assert_eq!(limited(&Limits { interrupt, ..Limits::default() }), Limit::Interrupt);
    key.join().unwrap();
}

#[test]
fn budgets_end_all_stages() {
    let cfa = automaton(PARITY);
    let list: Vec<Stage> = [20_000, 60_000]
        .into_iter()
        .flat_map(|work| for_ever().map(|stage| Stage { work: Some(work), ..stage }))
        .collect();
    for jobs in [2, 3, 9] {
        let (verdict, log) = run(&cfa, &list, jobs);
        let Verdict::Unknown(unknown) = verdict else { panic!("{verdict:?}") };
        assert_eq!(unknown, Unknown::Stop(Stop::Limit(Limit::Work)));
        // None was left out, and the verdict is that of the last in the list.
        assert_eq!(log.begun.len(), list.len());
        assert_eq!(log.turn.map(|turn| log.begun[turn]), list.last().copied());
        assert!(log.precision.is_some_and(|tracked| !tracked.is_empty()));
    }
    let (verdict, log) = run(&cfa, &[], 2);
    assert!(matches!(verdict, Verdict::Unknown(Unknown::Stop(Stop::Limit(Limit::Work)))));
    assert!(log.begun.is_empty());
}

/// A back end that is counted while it lives.
struct Alive {
    inner: Z3,
    n_alive: Arc<AtomicUsize>,
}

impl Drop for Alive {
    fn drop(&mut self) {
        self.n_alive.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Backend for Alive {
    fn solver(&self) -> Box<dyn UnsatCore> {
        self.inner.solver()
    }

    fn eliminator(&self) -> Option<Box<dyn Eliminate>> {
        self.inner.eliminator()
    }

    fn interpolator(&self) -> Option<Box<dyn Interpolator>> {
        self.inner.interpolator()
    }

    fn horn(&self) -> Option<Box<dyn lapidary_solver::horn::Horn>> {
        self.inner.horn()
    }

    fn check(&self) -> Result<()> {
        self.inner.check()
    }

    fn spend(&self, work: u64) {
        self.inner.spend(work);
    }
}

#[test]
fn no_more_than_so_many_at_once() {
    let cfa = automaton(PARITY);
    let lines = ["", "prune=full", "search=dfs", "search=err", "checker=backward"];
    let passes = "interpolation=sp passes=unreachable,constants,slice,cone";
    let list = lines.map(|line| stage(&format!("{line} {passes}"), Some(200_000)));
    for jobs in [1, 2, 4] {
        let [n_alive, most] = [(); 2].map(|()| Arc::new(AtomicUsize::new(0)));
        let (seen, n_made, meeting) = (Arc::clone(&most), AtomicUsize::new(0), Barrier::new(jobs));
        let mut question = question(&cfa);
        question.solvers = Box::new(move |watch| {
            seen.fetch_max(n_alive.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            // The first ones wait for each other: otherwise one may have ended before another begins.
            if n_made.fetch_add(1, Ordering::SeqCst) < jobs {
                meeting.wait();
            }
            Ok(Box::new(Alive { inner: Z3::new(watch)?, n_alive: Arc::clone(&n_alive) }))
        });
        decide(question, &list, jobs, &Watch::default(), &mut ());
        assert_eq!(most.load(Ordering::SeqCst), jobs);
    }
}

#[test]
fn a_panic_or_a_missing_solver_ends_the_run() {
    let cfa = automaton(PARITY);
    let with = |solvers: Makers| {
        let question = Question { solvers, ..question(&cfa) };
        decide(question, &for_ever(), 2, &Watch::default(), &mut ())
    };
    // The second solver is the one that fails; without the hook, which would tell it.
    let second = |fail: fn() -> Result<Box<dyn Backend>>| -> Makers {
        let made = AtomicUsize::new(0);
        Box::new(move |watch| match made.fetch_add(1, Ordering::SeqCst) {
            0 => Ok(Box::new(Z3::new(watch)?)),
            _ => fail(),
        })
    };
    let panic =
        catch_unwind(AssertUnwindSafe(|| with(second(|| resume_unwind(Box::new("a bug"))))));
    assert_eq!(panic.err().and_then(|bug| bug.downcast_ref().copied()), Some("a bug"));
    let verdict = with(second(|| Err(Stop::Solver("gone".into()))));
    let Verdict::Unknown(unknown) = verdict else { panic!("{verdict:?}") };
    assert_eq!(unknown, Unknown::Stop(Stop::Solver("gone".into())));
}
