//! Any solver that speaks SMT-LIB 2, as a child process.
//!
//! What solvers differ in is data ([`Dialect`]). A solver is not trusted to be there, to stay alive, to answer or
//! to answer sensibly: whatever it does becomes a [`Stop`](crate::Stop) with its name and its words, or the limit
//! that was reached meanwhile. Whether its answers are *right* is another question: use it under
//! [`Checked`], as [`checked`] does.
//!
//! The crates for this (easy-smt, rsmt2, smtlib) wait for an answer without an end and take a dying solver for an
//! I/O error without its words, so this is written by hand.

mod answers;
mod command;
mod dialect;
mod interpolate;
mod process;
mod session;
mod templates;
pub(crate) mod text;

use std::cell::RefCell;
use std::rc::Rc;

pub use command::Command;
pub(crate) use dialect::RECORDING;
pub use dialect::{
    BITWUZLA, CVC5, ConstArrays, Cores, Dialect, GENERIC, Interpolation, MATHSAT, Names, OPENSMT,
    SMTINTERPOL, Theory, YICES, Z3,
};

use crate::horn::Horn;
use crate::limits::Watch;
use crate::wrap::Checked;
use crate::{Backend, Eliminate, Interpolator, Result, UnsatCore};
use process::Process;
use session::Session;
pub(crate) use session::guarded;

/// A solver that speaks SMT-LIB 2; each of its solvers is a process.
#[derive(Clone, Debug)]
pub struct SmtLib(Rc<Inner>);

#[derive(Debug)]
struct Inner {
    command: Command,
    dialect: &'static Dialect,
    watch: Watch,
    /// The process that was started to see whether the solver is there, for the first who needs one.
    spare: RefCell<Option<Process>>,
}

impl SmtLib {
    /// The solver that `command` starts, within the limits that `watch` tells of; an error if it cannot be
    /// started or does not understand the dialect's options.
    pub fn new(command: Command, dialect: &'static Dialect, watch: &Watch) -> Result<SmtLib> {
        let process = Process::start(&command, dialect, dialect.options, watch)?;
        let spare = RefCell::new(Some(process));
        Ok(SmtLib(Rc::new(Inner { command, dialect, watch: watch.clone(), spare })))
    }

    /// What is known about the solver.
    pub fn dialect(&self) -> &'static Dialect {
        self.0.dialect
    }

    fn watch(&self) -> &Watch {
        &self.0.watch
    }

    /// A new process.
    fn process(&self) -> Result<Process> {
        match self.0.spare.take() {
            Some(process) => Ok(process),
            None => self.process_with(self.0.dialect.options),
        }
    }

    /// A new process with these options: cvc5 finds no interpolants where it has to explain cores.
    fn process_with(&self, options: &[&str]) -> Result<Process> {
        Process::start(&self.0.command, self.0.dialect, options, &self.0.watch)
    }
}

/// The solver that a command line starts, in the dialect of its program, with every answer checked that can be.
pub fn checked(command: &str, watch: &Watch) -> Result<Checked<SmtLib>> {
    let command = Command::parse(command)?;
    let dialect = Dialect::of(&command);
    SmtLib::new(command, dialect, watch).map(Checked::new)
}

impl Backend for SmtLib {
    fn solver(&self) -> Box<dyn UnsatCore> {
        Box::new(Session::new(self))
    }

    fn eliminator(&self) -> Option<Box<dyn Eliminate>> {
        None
    }

    fn interpolator(&self) -> Option<Box<dyn Interpolator>> {
        interpolate::External::new(self)
            .map(|external| -> Box<dyn Interpolator> { Box::new(external) })
    }

    fn horn(&self) -> Option<Box<dyn Horn>> {
        None
    }

    fn check(&self) -> Result<()> {
        self.watch().check()
    }

    fn spend(&self, work: u64) {
        self.watch().spend(work);
    }
}
