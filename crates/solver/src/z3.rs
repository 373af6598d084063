//! Z3 in process.
//!
//! One [`Z3`] stands for the Z3 context of the current thread and the terms translated into it; its solvers
//! share both. Assumptions of a core are guarded by literals that stay with the solver, so that a formula
//! that is assumed again costs nothing to state.

mod horn;
mod incremental;
mod meter;
mod project;
mod spacer;
mod translate;
mod values;

use std::cell::RefCell;
use std::rc::Rc;

use lapidary_expr::{Term, Var};
use z3::SatResult;
use z3::ast::Bool;

use crate::horn::Horn;
use crate::limits::Watch;
use crate::{Backend, Eliminate, Interpolator, Limit, Result, Stop, UnsatCore};
use meter::Meter;
use translate::Translator;

/// What a step without a query counts as, in Z3's unit of effort.
const STEP: u64 = 20;

/// The oldest version whose interface the bindings know.
const OLDEST: (u32, u32, u32) = (4, 13, 3);

/// Z3 in the current thread.
#[derive(Clone, Debug)]
pub struct Z3 {
    translator: Rc<RefCell<Translator>>,
    meter: Meter,
    watch: Watch,
}

impl Z3 {
    /// Z3 within the limits that `watch` tells of; an error if the linked library is too old.
    pub fn new(watch: &Watch) -> Result<Z3> {
        let version = z3::full_version();
        let numbers: Vec<u32> = version
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|part| part.parse().ok())
            .take(3)
            .collect();
        match numbers[..] {
            [major, minor, patch] if (major, minor, patch) >= OLDEST => {}
            _ => {
                let (major, minor, patch) = OLDEST;
                let problem = format!(
                    "the linked library is {version}, at least {major}.{minor}.{patch} is needed"
                );
                return Err(Stop::Solver(problem));
            }
        }
        Ok(Z3 { translator: Rc::default(), meter: Meter::new(watch), watch: watch.clone() })
    }

    /// The version of the linked library.
    pub fn version() -> &'static str {
        z3::full_version()
    }

    fn bool(&self, term: Term) -> Bool {
        self.translator.borrow_mut().bool(term)
    }

    fn constant(&self, var: Var) -> z3::ast::Dynamic {
        self.translator.borrow_mut().term(var.into())
    }

    /// What an answer says, if there is one. It counts only if the watch is quiet: an interrupt loses
    /// assertions that are being made, so that even a sat or unsat may answer another question.
    fn decided(&self, solver: &z3::Solver, answer: SatResult) -> Result<bool> {
        self.meter.read(solver);
        self.watch.check()?;
        match answer {
            SatResult::Sat => Ok(true),
            SatResult::Unsat => Ok(false),
            SatResult::Unknown => {
                Err(Self::unknown(solver.get_reason_unknown().unwrap_or_default()))
            }
        }
    }

    fn unknown(reason: String) -> Stop {
        match reason {
            reason if reason.contains("out of memory") || reason.contains("memout") => {
                Stop::Limit(Limit::Memory)
            }
            // Spacer says `ok` to that.
            reason if reason.is_empty() || reason == "ok" => {
                Stop::Solver("gave no answer and no reason".into())
            }
            reason => Stop::Solver(reason),
        }
    }
}

impl Backend for Z3 {
    fn solver(&self) -> Box<dyn UnsatCore> {
        Box::new(incremental::Incremental::new(self))
    }

    fn eliminator(&self) -> Option<Box<dyn Eliminate>> {
        Some(Box::new(project::Projection::new(self)))
    }

    fn interpolator(&self) -> Option<Box<dyn Interpolator>> {
        Some(Box::new(spacer::interpolator(self)))
    }

    fn horn(&self) -> Option<Box<dyn Horn>> {
        Some(Box::new(horn::Apart::new(&self.watch)))
    }

    fn check(&self) -> Result<()> {
        self.watch.spend(STEP);
        self.watch.check()
    }

    fn spend(&self, work: u64) {
        self.watch.spend(work);
    }
}
