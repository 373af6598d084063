//! The incremental solver over a process: scopes, models and cores.
//!
//! What was asserted is remembered here. So the process starts with the first question, and one that fails
//! is replaced at the next question by another that is told everything again.

mod values;

use lapidary_expr::{Term, Valuation, VarSet};
use rustc_hash::{FxHashMap, FxHashSet};

use super::answers::{self, Answer};
use super::process::Process;
use super::text::{Symbol, Text};
use super::{Cores, SmtLib};
use crate::{Result, Solver, Stop, UnsatCore};

/// A solver and what it was told.
#[derive(Debug)]
pub(super) struct Session {
    smt: SmtLib,
    process: Option<Process>,
    text: Text,
    /// The open scopes; the first one is never closed.
    scopes: Vec<Scope>,
}

#[derive(Debug, Default)]
struct Scope {
    assertions: Vec<Term>,
    /// Why an assertion could not be told.
    problem: Option<Stop>,
}

impl Session {
    pub(super) fn new(smt: &SmtLib) -> Session {
        Session {
            smt: smt.clone(),
            process: None,
            text: Text::new(smt.dialect()),
            scopes: vec![Scope::default()],
        }
    }

    pub(super) fn assertions(&self) -> impl Iterator<Item = Term> {
        self.scopes.iter().flat_map(|scope| scope.assertions.iter().copied())
    }

    pub(super) fn text(&mut self) -> &mut Text {
        &mut self.text
    }

    /// Makes ready for a question: a process that knows everything.
    fn ready(&mut self) -> Result<()> {
        self.smt.watch().check()?;
        if self.process.is_none() {
            self.process = Some(self.smt.process()?);
            self.text.forget();
            for depth in 0..self.scopes.len() {
                if depth > 0 {
                    self.tell(Text::push);
                }
                self.scopes[depth].problem = None;
                for i in 0..self.scopes[depth].assertions.len() {
                    self.tell_assertion(depth, self.scopes[depth].assertions[i]);
                }
            }
        }
        let problem = self.scopes.iter().find_map(|scope| scope.problem.clone());
        problem.map_or(Ok(()), Err)
    }

    fn tell(&mut self, write: impl FnOnce(&mut Text, &mut String)) {
        if let Some(process) = &mut self.process {
            let mut out = String::new();
            write(&mut self.text, &mut out);
            process.tell(&out);
        }
    }

    fn tell_assertion(&mut self, depth: usize, formula: Term) {
        let mut problem = None;
        self.tell(|text, out| match text.term(formula, out) {
            Ok(term) => write_line(out, &format!("(assert {term})")),
            Err(stop) => problem = Some(stop),
        });
        let problem_before = &mut self.scopes[depth].problem;
        *problem_before = problem_before.take().or(problem);
    }

    /// What the process says to a command; one that fails is given up.
    pub(super) fn ask(&mut self, command: &str) -> Result<String> {
        let Some(process) = &mut self.process else {
            return Err(Stop::Solver("the solver is gone".into()));
        };
        let answer = process.ask(command);
        if answer.is_err() {
            self.process = None;
        }
        answer
    }

    /// Gives the process up because of what it said.
    pub(super) fn refuse(&mut self, what: &str) -> Stop {
        let stop = self.process.as_ref().map(|process| process.failed(what));
        self.process = None;
        stop.unwrap_or_else(|| Stop::Solver(what.into()))
    }

    /// Asks whether something is satisfiable.
    fn check(&mut self, command: &str) -> Result<bool> {
        let said = self.ask(command)?;
        match answers::verdict(&said) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown => {
                let reason = self.ask("(get-info :reason-unknown)\n")?;
                let name = self.smt.dialect().name;
                Err(Stop::Solver(format!("{name} answers unknown{}", answers::reason(&reason))))
            }
            Answer::Other(said) => Err(self.refuse(&format!("answers `{said}`"))),
        }
    }

    /// The core among `assumptions`, which are told within a scope of their own.
    fn core_of(&mut self, assumptions: &[Term]) -> Result<Option<Vec<usize>>> {
        let cores = self.smt.dialect().cores;
        let names = self.assume(assumptions, cores)?;
        let question = match cores {
            Cores::Assumptions if !names.is_empty() => {
                let guards: Vec<&str> = names.iter().map(|(name, _)| &name[..]).collect();
                format!("(check-sat-assuming ({}))\n", guards.join(" "))
            }
            _ => "(check-sat)\n".to_string(),
        };
        if self.check(&question)? {
            return Ok(None);
        }
        let said = match cores {
            _ if names.is_empty() => return Ok(Some(Vec::new())),
            Cores::Assumptions => self.ask("(get-unsat-assumptions)\n")?,
            Cores::Named => self.ask("(get-unsat-core)\n")?,
            Cores::None => return Ok(Some(names.into_iter().map(|(_, i)| i).collect())),
        };
        let position: FxHashMap<String, usize> = names.into_iter().collect();
        match answers::core(&said, &position) {
            Some(core) => Ok(Some(core)),
            None => Err(self.refuse(&format!("answers the core `{}`", said.trim()))),
        }
    }

    /// Tells the assumptions: their names, with the first position of each.
    fn assume(&mut self, assumptions: &[Term], cores: Cores) -> Result<Vec<(String, usize)>> {
        let mut names = Ok(Vec::new());
        // What was declared must be told even if a later assumption cannot be.
        self.tell(|text, out| names = guarded(text, assumptions, cores, out));
        names
    }
}

fn write_line(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

/// Writes assumptions, each under its name: their names, with the first position of each.
pub(crate) fn guarded(
    text: &mut Text,
    assumptions: &[Term],
    cores: Cores,
    out: &mut String,
) -> Result<Vec<(String, usize)>> {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut names = Vec::new();
    for (position, formula) in assumptions.iter().enumerate() {
        if !seen.insert(*formula) {
            continue;
        }
        let term = text.term(*formula, out)?;
        let name = match cores {
            Cores::Assumptions => text.symbol(Symbol::Guard(position), out)?.to_string(),
            Cores::Named | Cores::None => format!("named!{position}"),
        };
        let assertion = match cores {
            Cores::Assumptions => format!("(assert (=> {name} {term}))"),
            Cores::Named => format!("(assert (! {term} :named {name}))"),
            Cores::None => format!("(assert {term})"),
        };
        write_line(out, &assertion);
        names.push((name, position));
    }
    Ok(names)
}

impl Solver for Session {
    fn push(&mut self) {
        self.scopes.push(Scope::default());
        self.tell(Text::push);
    }

    fn pop(&mut self) {
        assert!(self.scopes.len() > 1, "every pop has its push");
        self.scopes.pop();
        self.tell(Text::pop);
    }

    fn assert(&mut self, formula: Term) {
        if !formula.is_true() {
            let depth = self.scopes.len() - 1;
            self.scopes[depth].assertions.push(formula);
            self.tell_assertion(depth, formula);
        }
    }

    fn is_sat(&mut self) -> Result<bool> {
        self.ready()?;
        self.check("(check-sat)\n")
    }

    fn model(&mut self, vars: &VarSet) -> Result<Option<Valuation>> {
        self.ready()?;
        if self.check("(check-sat)\n")? {
            values::valuation(self, vars).map(Some)
        } else {
            Ok(None)
        }
    }
}

impl UnsatCore for Session {
    fn core(&mut self, assumptions: &[Term]) -> Result<Option<Vec<usize>>> {
        self.ready()?;
        self.tell(Text::push);
        let core = self.core_of(assumptions);
        self.tell(Text::pop);
        core
    }
}
