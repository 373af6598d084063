//! Solver processes that fail in every way: the run ends with the right reason, no process is left, and
//! no wrong answer gets through.
//!
//! CPU time is the process's, so these tests take turns.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lapidary_expr::{Sort, Term, Var, VarSet};
use lapidary_solver::limits::{Limits, attempt, cpu_time};
use lapidary_solver::smtlib::{self, Command, GENERIC, SmtLib};
use lapidary_solver::wrap::Checked;
use lapidary_solver::z3::Z3;
use lapidary_solver::{Backend, Limit, Result, Stop, UnsatCore, end_solver_processes};

/// The limit of runs that are to reach it.
const LIMIT: Duration = Duration::from_millis(600);

/// The limit of all others. On a busy machine, even a script that answers at once takes its time.
const PLENTY: Duration = Duration::from_mins(5);

static TURN: Mutex<()> = Mutex::new(());

/// A fake solver: a shell script that echoes marks, and what else it does.
struct Fake {
    folder: PathBuf,
    _turn: MutexGuard<'static, ()>,
}

impl Fake {
    /// At the start, the script does `start`; to `check-sat` and its like it does `check`, to questions about
    /// values and cores it says `value` and `core`.
    fn new(name: &str, start: &str, check: &str, value: &str, core: &str) -> Fake {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = std::env::temp_dir().join(format!("lapidary-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let script = format!(
            r#"#!/bin/sh
note() {{ echo "$1" >> "{folder}/pids"; }}
note $$
{start}
while IFS= read -r line; do
  case "$line" in
    '(echo "'*) mark=${{line#'(echo "'}}; echo "${{mark%'")'}}" ;;
    '(check-sat'*) {check} ;;
    '(get-value'*) echo '{value}' ;;
    '(get-unsat'*) echo '{core}' ;;
    '(get-info'*) echo '(:reason-unknown tired)' ;;
  esac
done
"#,
            folder = folder.display()
        );
        let fake = Fake { folder, _turn: turn };
        fs::write(fake.program(), script).expect("a script");
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(fake.program(), executable).expect("a script");
        fake
    }

    /// Answers `check` and otherwise nothing special.
    fn checking(name: &str, check: &str) -> Fake {
        Fake::new(name, "", check, "((x@0 7))", "()")
    }

    fn program(&self) -> PathBuf {
        self.folder.join("solver")
    }

    /// Asks a solver that is to answer or to fail by itself.
    fn ask<T>(&self, query: impl FnOnce(&mut dyn UnsatCore) -> Result<T>) -> Result<T> {
        let limits = Limits { cpu: Some(cpu_time() + PLENTY), ..Limits::default() };
        self.ask_within(&limits, query)
    }

    /// Asks a solver that never ends; but the run does.
    fn ask_briefly<T>(&self, query: impl FnOnce(&mut dyn UnsatCore) -> Result<T>) -> Result<T> {
        let limits = Limits { cpu: Some(cpu_time() + LIMIT), ..Limits::default() };
        self.ask_within(&limits, query)
    }

    /// Asks within the limits, and looks that nothing is left.
    fn ask_within<T>(
        &self,
        limits: &Limits,
        query: impl FnOnce(&mut dyn UnsatCore) -> Result<T>,
    ) -> Result<T> {
        let answer = attempt(limits, |watch| {
            let backend = smtlib::checked(&format!("'{}'", self.program().display()), watch)?;
            query(&mut *backend.solver())
        });
        self.nothing_is_left();
        answer
    }

    /// The processes that the script noted.
    fn noted(&self) -> Vec<String> {
        let noted = fs::read_to_string(self.folder.join("pids")).unwrap_or_default();
        noted.lines().map(String::from).collect()
    }

    /// Every process that the script noted is gone.
    fn nothing_is_left(&self) {
        for pid in self.noted() {
            // A child of a child is killed as well, but its new parent may take a moment to notice.
            let gone = (0..10_000).any(|_| {
                let gone = is_gone(&pid);
                if !gone {
                    std::thread::sleep(Duration::from_millis(10));
                }
                gone
            });
            assert!(gone, "process {pid} is left");
        }
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn is_gone(pid: &str) -> bool {
    match fs::read_to_string(Path::new("/proc").join(pid).join("stat")) {
        // What nobody has waited for yet does nothing any more.
        Ok(stat) => stat.rsplit_once(") ").is_some_and(|(_, state)| state.starts_with('Z')),
        Err(_) => true,
    }
}

fn x() -> Term {
    Term::var(Var::new("x", Sort::Int))
}

/// 5 < x
fn large() -> Term {
    Term::int(5).less(x())
}

fn vars() -> VarSet {
    [Var::new("x", Sort::Int)].into()
}

/// The message of a failure that must have happened.
fn message<T: std::fmt::Debug>(answer: Result<T>) -> String {
    match answer {
        Err(Stop::Solver(message)) => message,
        other => panic!("{other:?}"),
    }
}

/// Every question to this solver fails with a message that holds `expected`.
fn fails(fake: &Fake, expected: &str) {
    let sat = fake.ask(|solver| {
        solver.assert(large());
        solver.is_sat()
    });
    let core = fake.ask(|solver| solver.core(&[large()]));
    for message in [message(sat), message(core)] {
        assert!(message.contains(expected), "`{expected}` is not in `{message}`");
    }
}

#[test]
fn it_is_not_there() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let answer = attempt(&Limits::default(), |watch| {
        smtlib::checked("/no/such/solver --fast", watch).map(drop)
    });
    assert!(message(answer).contains("cannot start `/no/such/solver --fast`: No such file"));
}

#[test]
fn it_exits_at_the_start() {
    let fake = Fake::new("exits", "echo 'no licence found' >&2; exit 3", "", "", "");
    fails(&fake, "exits with status 3; it complained: no licence found");
}

#[test]
fn it_does_not_know_its_options() {
    let fake = Fake::new("options", "echo unsupported", "echo sat", "", "");
    fails(&fake, "refuses :print-success false: unsupported");
}

#[test]
fn it_dies() {
    fails(&Fake::checking("killed", "kill -9 $$"), "is killed by signal 9");
    let words = "echo '(error \"out of stack\")'; echo 'Aborted' >&2; exit 134";
    let message =
        "exits with status 134; it said: (error \"out of stack\"); it complained: Aborted";
    fails(&Fake::checking("aborts", words), message);
    fails(&Fake::checking("closes", "exec >&-; sleep 100 & note $!; wait"), "closes its output");
}

#[test]
fn it_hangs() {
    for (name, check) in [
        ("sleeps", "sleep 1000 & note $!; wait"),
        ("spins", "while :; do :; done"),
        ("complains", "yes 'this is bad' >&2"),
    ] {
        let fake = Fake::checking(name, check);
        let answer = fake.ask_briefly(|solver| {
            solver.assert(large());
            solver.is_sat()
        });
        assert_eq!(answer, Err(Stop::Limit(Limit::Time)), "{name}");
        let answer = fake.ask_briefly(|solver| solver.core(&[large()]));
        assert_eq!(answer, Err(Stop::Limit(Limit::Time)), "{name}");
    }
}

#[test]
fn it_does_not_read() {
    let hang = "sleep 1000 & note $!; wait";
    let many = |solver: &mut dyn UnsatCore| {
        // More than a pipe holds.
        (0..20_000).for_each(|n| solver.assert(Term::int(n).less(x())));
        solver.is_sat()
    };
    for fake in
        [|hang| Fake::new("deaf", hang, "", "", ""), |hang| Fake::checking("half-deaf", hang)]
    {
        assert_eq!(fake(hang).ask_briefly(many), Err(Stop::Limit(Limit::Time)));
    }
}

#[test]
fn it_talks_without_end() {
    let fake = Fake::checking("talks", "yes sat & note $!; wait");
    let answer = fake.ask_briefly(|solver| solver.is_sat());
    match answer {
        Err(Stop::Limit(Limit::Time)) => {}
        other => assert!(message(other).contains("does not stop talking")),
    }
}

#[test]
fn it_talks_nonsense() {
    for (name, check, expected) in [
        ("words", "echo 'I think it is sat'", "answers `I think it is sat`"),
        ("nothing", ":", "answers ``"),
        ("twice", "echo sat; echo unsat", "answers `sat unsat`"),
        ("warning", "echo 'WARNING: logic'; echo sat", "answers `WARNING: logic sat`"),
        ("brackets", "echo ')))((('", "answers `)))(((`"),
        ("unsupported", "echo unsupported", "answers `unsupported`"),
        ("error", "echo '(error \"line 3: bad\")'", "answers `(error \"line 3: bad\")`"),
        ("bytes", "printf '\\377\\376\\n'", "prints what is no text"),
        ("unknown", "echo unknown", "answers unknown (tired)"),
    ] {
        fails(&Fake::checking(name, check), expected);
    }
}

#[test]
fn its_model_is_wrong() {
    for (name, value, expected) in [
        ("small", "((x@0 5))", "wrong model: "),
        ("none", "()", "answers `()`"),
        ("sort", "((x@0 true))", "gives the value `true`, which cannot be read"),
        ("irrational", "((x@0 (root-obj (+ (^ x 2) (- 2)) 1)))", "which cannot be read"),
        ("error", "(error \"no model\")", "answers `(error \"no model\")`"),
        ("nonsense", ")", "answers `)`"),
    ] {
        let fake = Fake::new(&format!("model-{name}"), "", "echo sat", value, "");
        let model = fake.ask(|solver| {
            solver.assert(large());
            solver.model(&vars())
        });
        let message = message(model);
        assert!(message.contains(expected), "`{expected}` is not in `{message}`");
        fails(&fake, expected);
    }
}

#[test]
fn its_core_is_wrong() {
    // Under the assumptions it says unsat, otherwise sat: the core cannot be one.
    let check = "case \"$line\" in *assuming*) echo unsat ;; *) echo sat ;; esac";
    let assumptions = [large(), x().less(Term::int(3)), x().less(Term::int(9))];
    for (name, core, expected) in [
        ("one", "(guard!0)", "wrong core: [0] is satisfiable"),
        ("none", "()", "wrong core: [] is satisfiable"),
        ("unknown", "(guard!0 guard!77)", "answers the core `(guard!0 guard!77)`"),
        ("error", "(error \"no core\")", "answers the core `(error \"no core\")`"),
    ] {
        let fake = Fake::new(&format!("core-{name}"), "", check, "((x@0 7))", core);
        let message = message(fake.ask(|solver| solver.core(&assumptions)));
        assert!(message.contains(expected), "`{expected}` is not in `{message}`");
    }
    // It says unsat to everything: only another solver can tell.
    let fake = Fake::new("core-liar", "", "echo unsat", "", "(guard!0)");
    let against = |query: &dyn Fn(&mut dyn UnsatCore) -> Result<bool>| {
        attempt(&Limits::default(), |watch| {
            let command = Command::parse(&fake.program().to_string_lossy())?;
            let liar = SmtLib::new(command, &GENERIC, watch)?;
            query(&mut *Checked::against(liar, Z3::new(watch)?).solver())
        })
    };
    let core = against(&|solver| solver.core(&assumptions).map(|core| core.is_some()));
    assert_eq!(message(core), "wrong core: [0] is satisfiable");
    let sat = against(&|solver| solver.is_sat());
    assert!(message(sat).contains("wrong answer: unsat"));
    fake.nothing_is_left();
}

#[test]
fn it_contradicts_itself() {
    let check = "case \"$line\" in *assuming*) echo sat ;; *) echo unsat ;; esac";
    let fake = Fake::checking("contradiction", check);
    let message = message(fake.ask(|solver| solver.core(&[large()])));
    assert!(message.contains("wrong answer"), "{message}");
}

#[test]
fn it_is_slow() {
    let fake = Fake::checking("slow", "sleep 0.2; echo sat");
    let model = fake.ask(|solver| {
        solver.assert(large());
        solver.model(&vars())
    });
    assert!(model.expect("in time").is_some());
    let late = fake.ask_briefly(|solver| (0..10).try_for_each(|_| solver.is_sat().map(drop)));
    assert_eq!(late, Err(Stop::Limit(Limit::Time)));
}

#[test]
fn it_is_interrupted() {
    let fake = Fake::checking("interrupted", "sleep 1000 & note $!; wait");
    let flag = Arc::new(AtomicBool::new(false));
    let limits = Limits { interrupt: Some(Arc::clone(&flag)), ..Limits::default() };
    let answer = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(200));
            flag.store(true, Ordering::Relaxed);
        });
        fake.ask_within(&limits, |solver| solver.is_sat())
    });
    assert_eq!(answer, Err(Stop::Limit(Limit::Interrupt)));
}

#[test]
fn it_is_ended_from_outside() {
    let fake = Fake::checking("ended", "sleep 1000 & note $!; wait");
    let answer = std::thread::scope(|scope| {
        scope.spawn(|| {
            // The second is what it waits for when it is asked.
            while fake.noted().len() < 2 {
                std::thread::sleep(Duration::from_millis(10));
            }
            end_solver_processes();
        });
        fake.ask(|solver| solver.is_sat())
    });
    assert!(message(answer).contains("is killed by signal 9"));
}

/// A solver that dies is replaced, and the new one is told everything again.
#[test]
fn it_is_replaced() {
    let z3 = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../third_party/z3/bin/z3");
    if !z3.exists() {
        let _ = writeln!(std::io::stderr(), "SKIPPED: there is no {}", z3.display());
        return;
    }
    let replace = format!("[ -e \"$0.died\" ] && exec '{}' -in; : > \"$0.died\"", z3.display());
    let fake = Fake::new("replaced", &replace, "exit 1", "", "");
    let answers = fake.ask(|solver| {
        solver.assert(large());
        solver.push();
        solver.assert(x().less(Term::int(7)));
        let dead = solver.is_sat();
        assert!(message(dead).contains("exits with status 1"));
        let model = solver.model(&vars())?;
        solver.assert(x().less(Term::int(6)));
        let inner = solver.is_sat()?;
        solver.pop();
        Ok((model.map(|model| model.len()), inner, solver.is_sat()?))
    });
    assert_eq!(answers, Ok((Some(1), false, true)));
}
