//! Wrappers: what is checked, what a recording replays, what a cache remembers, who helps.

mod common;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use common::Generator;
use lapidary_expr::{Op, Sort, Term, Valuation, Value, Var, VarSet};
use lapidary_solver::interpolate::{Engine, interpolator};
use lapidary_solver::limits::Watch;
use lapidary_solver::wrap::{Assisted, Cached, Checked, Counted, Counts, Recorded};
use lapidary_solver::z3::Z3;
use lapidary_solver::{
    Backend, Eliminate, Interpolants, Interpolator, Result, Solver, Stop, UnsatCore,
};

fn z3() -> Z3 {
    Z3::new(&Watch::default()).expect("Z3 is there")
}

fn var(name: &str) -> Term {
    Term::var(Var::new(name, Sort::Int))
}

/// A back end that gives the same answers to everything.
#[derive(Clone)]
struct Fixed {
    model: Option<Valuation>,
    core: Option<Vec<usize>>,
    formula: Term,
}

impl Backend for Fixed {
    fn solver(&self) -> Box<dyn UnsatCore> {
        Box::new(self.clone())
    }

    fn eliminator(&self) -> Option<Box<dyn Eliminate>> {
        Some(Box::new(self.clone()))
    }

    fn interpolator(&self) -> Option<Box<dyn Interpolator>> {
        Some(Box::new(self.clone()))
    }

    fn horn(&self) -> Option<Box<dyn lapidary_solver::horn::Horn>> {
        None
    }

    fn check(&self) -> Result<()> {
        Ok(())
    }

    fn spend(&self, _: u64) {}
}

impl Solver for Fixed {
    fn push(&mut self) {}

    fn pop(&mut self) {}

    fn assert(&mut self, _: Term) {}

    fn is_sat(&mut self) -> Result<bool> {
        Ok(self.model.is_some())
    }

    fn model(&mut self, _: &VarSet) -> Result<Option<Valuation>> {
        Ok(self.model.clone())
    }
}

impl UnsatCore for Fixed {
    fn core(&mut self, _: &[Term]) -> Result<Option<Vec<usize>>> {
        Ok(self.core.clone())
    }
}

impl Eliminate for Fixed {
    fn eliminate(&mut self, _: &VarSet, _: Term) -> Result<Option<Term>> {
        Ok(Some(self.formula))
    }
}

impl Interpolator for Fixed {
    fn interpolate(&mut self, parts: &[Term]) -> Result<Interpolants> {
        Ok(match &self.model {
            Some(model) => Interpolants::Sat(model.clone()),
            None => Interpolants::Unsat(vec![self.formula; parts.len() - 1]),
        })
    }
}

fn refused<T: std::fmt::Debug>(answer: Result<T>, expected: &str) {
    match answer {
        Err(Stop::Solver(message)) => assert!(message.starts_with(expected), "{message}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn wrong_answers_are_refused() {
    let (x, y) = (var("x"), var("y"));
    let positive = Term::int(0).less(x);
    let x_is =
        |n: i32| -> Valuation { [(Var::new("x", Sort::Int), Value::int(n))].into_iter().collect() };
    let fixed = |model, core| Fixed { model, core, formula: positive };
    let solver = |fixed: Fixed| {
        let mut solver = Checked::against(fixed, z3()).solver();
        solver.assert(positive);
        solver
    };
    assert_eq!(solver(fixed(Some(x_is(1)), None)).is_sat(), Ok(true));
    assert_eq!(solver(fixed(Some(x_is(1)), None)).core(&[x.less(Term::int(3))]), Ok(None));
    refused(solver(fixed(Some(x_is(0)), None)).is_sat(), "wrong model");
    refused(solver(fixed(Some(Valuation::new()), None)).is_sat(), "wrong model");
    refused(solver(fixed(None, None)).is_sat(), "wrong answer");
    refused(solver(fixed(None, None)).core(&[positive]), "wrong answer");
    refused(solver(fixed(Some(x_is(1)), None)).core(&[x.less(Term::int(1))]), "wrong model");
    let core = |core| solver(fixed(None, Some(core))).core(&[y.less(x), x.less(Term::int(1))]);
    assert_eq!(core(vec![1]), Ok(Some(vec![1])));
    for core in [core(vec![0]), core(vec![]), core(vec![1, 0]), core(vec![2])] {
        refused(core, "wrong core");
    }
}

#[test]
fn wrong_interpolants_and_eliminations_are_refused() {
    let (x, y) = (var("x"), var("y"));
    let parts = [Term::and([x.equals(y), Term::int(0).less(x)]), y.less(Term::int(0))];
    let vars: VarSet = [Var::new("x", Sort::Int)].into();
    let checked = |formula| Checked::against(Fixed { model: None, core: None, formula }, z3());
    let interpolate =
        |formula| checked(formula).interpolator().expect("one").interpolate(&parts).map(drop);
    assert_eq!(interpolate(Term::int(0).less(y)), Ok(()));
    for formula in [true.into(), false.into(), Term::int(0).less(x), Term::int(3).less(y)] {
        refused(interpolate(formula), "wrong interpolants");
    }
    let eliminate =
        |formula| checked(formula).eliminator().expect("one").eliminate(&vars, parts[0]);
    assert_eq!(eliminate(Term::int(0).less(y)), Ok(Some(Term::int(0).less(y))));
    refused(eliminate(Term::int(0).less(x)), "wrong elimination");
    refused(eliminate(Term::int(3).less(y)), "wrong elimination");
}

#[test]
fn entailments_are_remembered() {
    let counts = Counts::default();
    let backend = Cached::new(Counted::new(z3(), &counts));
    let (x, y) = (var("x"), var("y"));
    let (mut one, mut two) = (backend.solver(), backend.solver());
    let asks = |solver: &mut dyn UnsatCore, expected: bool| {
        let before = counts.calls();
        assert_eq!(solver.entails(x.less(Term::int(3)), y.less(Term::int(3))), Ok(expected));
        counts.calls() - before
    };
    assert_eq!(asks(&mut *one, false), 1);
    assert_eq!(asks(&mut *one, false), 0);
    assert_eq!(asks(&mut *two, false), 0, "solvers share what they know");
    one.push();
    one.assert(x.equals(y));
    assert_eq!(asks(&mut *one, true), 1, "assertions matter");
    assert_eq!(asks(&mut *one, true), 0);
    one.push();
    assert_eq!(asks(&mut *one, true), 0, "scopes do not");
    one.pop();
    one.pop();
    assert_eq!(asks(&mut *one, false), 0);
    two.assert(x.equals(y));
    assert_eq!(asks(&mut *two, true), 0);
    two.assert(y.equals(Term::int(7)));
    assert_eq!(asks(&mut *two, true), 1);
}

#[test]
fn help_is_lent_where_it_is_needed() {
    let formula = var("x");
    let fixed = Fixed { model: None, core: None, formula };
    let assisted = Assisted::new(fixed.clone(), z3());
    let own = assisted.eliminator().expect("one").eliminate(&VarSet::new(), formula);
    assert_eq!(own, Ok(Some(formula)));
    let without = Counted::new(fixed, &Counts::default());
    assert!(Assisted::new(z3(), without).interpolator().is_some());
}

/// A new folder of this test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("lapidary-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// A session with everything that can be recorded.
fn session(backend: &dyn Backend) {
    let (x, y) = (var("x"), var("y; \n|z"));
    let mut solver = backend.solver();
    solver.assert(x.less(y));
    assert_eq!(solver.is_sat(), Ok(true));
    solver.push();
    solver.assert(y.less(x));
    assert_eq!(solver.is_sat(), Ok(false));
    solver.pop();
    assert_eq!(solver.core(&[x.equals(y), x.less(Term::int(3))]), Ok(Some(vec![0])));
    assert_eq!(solver.core(&[x.less(Term::int(3))]), Ok(None));
    assert!(solver.model(&[Var::new("x", Sort::Int)].into()).is_ok_and(|model| model.is_some()));
    let mut eliminator = backend.eliminator().expect("Z3 has one");
    let even = Term::int(2).times(x).equals(y);
    assert!(eliminator.eliminate(&[Var::new("x", Sort::Int)].into(), even).is_ok());
    let parts = [x.less(y), y.less(x)];
    assert!(interpolator(Engine::Auto, backend).interpolate(&parts).is_ok());
    assert!(interpolator(Engine::Spacer, backend).interpolate(&parts).is_ok());
    let mut generator = Generator::new(3, common::sorts());
    let mut solver = backend.solver();
    for round in 0..60 {
        solver.push();
        let sort = common::sorts()[round % common::sorts().len()];
        let term = generator.term(sort, 3);
        let value = Term::lit(generator.rng.value(sort));
        solver.assert(Term::verbatim(Op::Eq, vec![term, value]).expect("one sort"));
        // Some of these are beyond Z3, which is recorded as well.
        let _ = solver.is_sat();
        solver.pop();
    }
}

#[test]
fn recordings_are_complete() {
    let folder = folder("recording");
    let recorded = Recorded::new(z3(), &folder).expect("a folder");
    session(&recorded);
    let mut names: Vec<String> = fs::read_dir(&folder)
        .expect("a folder")
        .map(|file| file.expect("a file").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names[0], "001-solver.smt2");
    assert!(names.iter().any(|name| name.ends_with("eliminator.smt2")), "{names:?}");
    assert!(names.iter().any(|name| name.ends_with("interpolator.smt2")), "{names:?}");
    let first = fs::read_to_string(folder.join(&names[0])).expect("a text");
    let expected = "\
        (set-option :global-declarations true)\n(set-logic ALL)\n\
        (declare-fun x@0 () Int)\n(declare-fun y____z@0 () Int)\n\
        (assert (<= x@0 (+ y____z@0 (- 1))))\n(check-sat)\n; => sat\n\
        (push 1)\n(assert (<= y____z@0 (+ x@0 (- 1))))\n(check-sat)\n; => unsat\n(pop 1)\n";
    assert!(first.starts_with(expected), "{first}");
    assert!(first.contains("; => unsat\n; the core has [0]\n"), "{first}");
    names.iter().for_each(|name| replay(&folder.join(name)));
    fs::remove_dir_all(&folder).expect("a folder");
}

/// Z3's program says what the recording expects.
#[expect(clippy::disallowed_methods, reason = "recordings are for other programs")]
fn replay(path: &Path) {
    let z3 = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../third_party/z3/bin/z3");
    if !z3.exists() {
        let _ = writeln!(std::io::stderr(), "SKIPPED: there is no {}", z3.display());
        return;
    }
    let output = std::process::Command::new(z3).arg("-T:20").arg(path).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let text = fs::read_to_string(path).expect("a text");
    let expected: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("; => ")).collect();
    assert_eq!(said.lines().count(), expected.len(), "{}: {said}", path.display());
    for (said, expected) in said.lines().zip(expected) {
        // Two strategies may give up at different questions.
        assert!(
            said == expected || said == "unknown" || expected == "unknown",
            "{}",
            path.display()
        );
    }
}

#[test]
fn a_recording_that_fails_stops_the_run() {
    let folder = folder("lost");
    let recorded = Recorded::new(z3(), &folder).expect("a folder");
    fs::remove_dir_all(&folder).expect("a folder");
    refused(recorded.solver().is_sat(), "cannot be recorded");
    assert!(Recorded::new(z3(), Path::new("/dev/null/no")).is_err());
}
