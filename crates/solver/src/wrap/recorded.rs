//! A wrapper that writes every session as SMT-LIB 2, to be replayed outside.
//!
//! Each solver, eliminator and interpolator gets a file of its own. A question is in the file before it is asked,
//! so that a solver which never answers leaves it there; the answer follows as a comment `; => …`. Eliminations
//! are written as equivalences to be refuted, interpolations as the contradiction that they explain.

use std::cell::{Cell, OnceCell};
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use lapidary_expr::{Term, Valuation, VarSet};

use crate::horn::Horn;
use crate::smtlib::text::{Symbol, Text};
use crate::smtlib::{Cores, RECORDING, guarded};
use crate::{Backend, Eliminate, Interpolants, Interpolator, Result, Solver, Stop, UnsatCore};

/// A back end whose sessions are recorded.
#[derive(Clone, Debug)]
pub struct Recorded<B> {
    inner: B,
    folder: PathBuf,
    files: Rc<Cell<usize>>,
    problem: Rc<OnceCell<String>>,
}

impl<B> Recorded<B> {
    /// Records what `inner` is asked in files of `folder`, which is made if necessary.
    pub fn new(inner: B, folder: &Path) -> std::io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let (files, problem) = (Rc::default(), Rc::default());
        Ok(Recorded { inner, folder: folder.to_path_buf(), files, problem })
    }

    /// Leaves the first reason why something could not be recorded in `problem`. Questions fail from then on, and
    /// whoever asks may do without an answer.
    #[must_use]
    pub fn reporting(mut self, problem: &Rc<OnceCell<String>>) -> Self {
        self.problem = Rc::clone(problem);
        self
    }

    fn log(&self, what: &str) -> Log {
        self.files.set(self.files.get() + 1);
        let path = self.folder.join(format!("{:03}-{what}.smt2", self.files.get()));
        Log::new(&path, Rc::clone(&self.problem))
    }
}

impl<B: Backend> Backend for Recorded<B> {
    fn solver(&self) -> Box<dyn UnsatCore> {
        Box::new(Recording { inner: self.inner.solver(), log: self.log("solver") })
    }

    fn eliminator(&self) -> Option<Box<dyn Eliminate>> {
        let inner = self.inner.eliminator()?;
        Some(Box::new(Recording { inner, log: self.log("eliminator") }))
    }

    fn interpolator(&self) -> Option<Box<dyn Interpolator>> {
        let inner = self.inner.interpolator()?;
        Some(Box::new(Recording { inner, log: self.log("interpolator") }))
    }

    fn horn(&self) -> Option<Box<dyn Horn>> {
        self.inner.horn()
    }

    fn check(&self) -> Result<()> {
        self.inner.check()
    }

    fn spend(&self, work: u64) {
        self.inner.spend(work);
    }
}

/// A file that is being written.
struct Log {
    file: Option<File>,
    text: Text,
    /// What is not written yet.
    lines: String,
    problem: Option<String>,
    /// The first problem of all files.
    first: Rc<OnceCell<String>>,
}

impl Log {
    fn new(path: &Path, first: Rc<OnceCell<String>>) -> Log {
        let (text, lines) = (Text::new(&RECORDING), String::new());
        let mut log = Log { file: None, text, lines, problem: None, first };
        match File::create(path) {
            Ok(file) => log.file = Some(file),
            Err(error) => log.fail(format!("{}: {error}", path.display())),
        }
        log.lines.push_str("(set-option :global-declarations true)\n(set-logic ALL)\n");
        log
    }

    fn fail(&mut self, problem: String) {
        // Only the first one counts.
        let _ = self.first.set(problem.clone());
        self.problem.get_or_insert(problem);
    }

    fn push(&mut self) {
        self.text.push(&mut self.lines);
    }

    fn pop(&mut self) {
        self.text.pop(&mut self.lines);
    }

    fn term(&mut self, term: Term) -> String {
        match self.text.term(term, &mut self.lines) {
            Ok(text) => text,
            Err(stop) => {
                self.fail(stop.to_string());
                "true".into()
            }
        }
    }

    fn assert(&mut self, formula: Term) {
        let text = self.term(formula);
        let _ = writeln!(self.lines, "(assert {text})");
    }

    /// Writes what there is; an error once something could not be written.
    fn flush(&mut self) -> Result<()> {
        let lines = std::mem::take(&mut self.lines);
        let written = self.file.as_mut().map(|file| file.write_all(lines.as_bytes()));
        if let Some(Err(error)) = written {
            self.fail(error.to_string());
        }
        match &self.problem {
            None => Ok(()),
            Some(problem) => Err(Stop::Solver(format!("cannot be recorded: {problem}"))),
        }
    }

    /// Writes a question, asks it, and writes the answer.
    fn asked<T>(
        &mut self,
        question: &str,
        ask: impl FnOnce() -> Result<T>,
        shown: impl FnOnce(&T) -> String,
    ) -> Result<T> {
        let _ = writeln!(self.lines, "{question}");
        self.flush()?;
        let answer = ask();
        let shown = match &answer {
            Ok(answer) => shown(answer),
            Err(stop) => format!("unknown\n; {stop}"),
        };
        // Comments end with the line, whatever names hold.
        let mut lines = shown.lines();
        let _ = writeln!(self.lines, "; => {}", lines.next().unwrap_or_default());
        lines.for_each(|line| {
            let _ = writeln!(self.lines, "; {}", line.trim_start_matches("; "));
        });
        self.flush()?;
        answer
    }
}

fn sat(sat: bool) -> &'static str {
    if sat { "sat" } else { "unsat" }
}

struct Recording<T> {
    inner: T,
    log: Log,
}

impl Solver for Recording<Box<dyn UnsatCore>> {
    fn push(&mut self) {
        self.log.push();
        self.inner.push();
    }

    fn pop(&mut self) {
        self.log.pop();
        self.inner.pop();
    }

    fn assert(&mut self, formula: Term) {
        self.log.assert(formula);
        self.inner.assert(formula);
    }

    fn is_sat(&mut self) -> Result<bool> {
        self.log.asked("(check-sat)", || self.inner.is_sat(), |answer| sat(*answer).into())
    }

    fn model(&mut self, vars: &VarSet) -> Result<Option<Valuation>> {
        let shown = |model: &Option<Valuation>| {
            let mut text = sat(model.is_some()).to_string();
            for (var, value) in model.iter().flat_map(Valuation::iter) {
                let _ = write!(text, "\n{var} = {value}");
            }
            text
        };
        self.log.asked("(check-sat)", || self.inner.model(vars), shown)
    }
}

impl UnsatCore for Recording<Box<dyn UnsatCore>> {
    fn core(&mut self, assumptions: &[Term]) -> Result<Option<Vec<usize>>> {
        self.log.push();
        let Log { text, lines, .. } = &mut self.log;
        let names = guarded(text, assumptions, Cores::Assumptions, lines)?;
        let names: Vec<String> = names.into_iter().map(|(name, _)| name).collect();
        let question = format!("(check-sat-assuming ({}))", names.join(" "));
        let shown = |core: &Option<Vec<usize>>| match core {
            None => "sat".to_string(),
            Some(core) => format!("unsat\nthe core has {core:?}"),
        };
        let core = self.log.asked(&question, || self.inner.core(assumptions), shown);
        self.log.pop();
        core
    }
}

impl Eliminate for Recording<Box<dyn Eliminate>> {
    fn eliminate(&mut self, vars: &VarSet, formula: Term) -> Result<Option<Term>> {
        let Recording { inner, log } = self;
        let mut bound = String::new();
        for var in vars {
            let name = log.text.symbol(Symbol::Var(*var), &mut log.lines)?;
            let _ = write!(bound, "({name} {})", var.sort());
        }
        let body = log.term(formula);
        let quantified = if vars.is_empty() { body } else { format!("(exists ({bound}) {body})") };
        let _ = writeln!(log.lines, "; eliminate from {quantified}");
        log.flush()?;
        let result = inner.eliminate(vars, formula);
        if let Ok(Some(result)) = result {
            log.push();
            let result = log.term(result);
            let _ = writeln!(log.lines, "(assert (not (= {quantified} {result})))");
            log.asked("(check-sat)", || Ok(()), |()| "unsat".into())?;
            log.pop();
        } else {
            let _ = writeln!(log.lines, "; no result");
        }
        result
    }
}

impl Interpolator for Recording<Box<dyn Interpolator>> {
    fn interpolate(&mut self, parts: &[Term]) -> Result<Interpolants> {
        let Recording { inner, log } = self;
        log.push();
        parts.iter().for_each(|part| log.assert(*part));
        let shown = |answer: &Interpolants| match answer {
            Interpolants::Sat(_) => "sat".to_string(),
            Interpolants::Unsat(itps) => {
                let itps: Vec<String> = itps.iter().map(ToString::to_string).collect();
                format!("unsat\n{}", itps.join("\n"))
            }
        };
        let answer = log.asked("(check-sat)", || inner.interpolate(parts), shown);
        log.pop();
        answer
    }
}
