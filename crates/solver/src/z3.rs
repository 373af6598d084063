//! Z3 in process.
//!
//! One [`Z3`] stands for the Z3 context of the current thread and the terms translated into it; its solvers
//! share both. Assumptions of a core are guarded by literals that stay with the solver, so that a formula
//! that is assumed again costs nothing to state.

mod project;
mod spacer;
mod translate;
mod values;

use std::cell::RefCell;
use std::rc::Rc;

use lapidary_expr::{Term, Valuation, Var, VarSet};
use rustc_hash::FxHashMap;
use z3::SatResult;
use z3::ast::Bool;

use crate::limits::Watch;
use crate::{Backend, Eliminate, Interpolator, Result, Solver, Stop, UnsatCore};
use translate::Translator;

/// The oldest version whose interface the bindings know.
const OLDEST: (u32, u32, u32) = (4, 13, 3);

/// Z3 in the current thread.
#[derive(Clone, Debug)]
pub struct Z3 {
    translator: Rc<RefCell<Translator>>,
    watch: Watch,
}

impl Z3 {
    /// Z3 within the limits that `watch` tells of; an error if the linked library is too old.
    pub fn new(watch: &Watch) -> Result<Z3> {
        let version = z3::full_version();
        let numbers: Vec<u32> =
            version.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).take(3).collect();
        match numbers[..] {
            [major, minor, patch] if (major, minor, patch) >= OLDEST => {}
            _ => {
                let (major, minor, patch) = OLDEST;
                let problem = format!("the linked library is {version}, at least {major}.{minor}.{patch} is needed");
                return Err(Stop::Solver(problem));
            }
        }
        Ok(Z3 { translator: Rc::default(), watch: watch.clone() })
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

    fn unknown(&self, reason: Option<String>) -> Stop {
        match self.watch.check() {
            Err(stop) => stop,
            Ok(()) => match reason.unwrap_or_default() {
                reason if reason.contains("out of memory") || reason.contains("memout") => {
                    Stop::Limit(crate::Limit::Memory)
                }
                reason if reason.is_empty() => Stop::Solver("gave no answer and no reason".into()),
                reason => Stop::Solver(reason),
            },
        }
    }
}

impl Backend for Z3 {
    fn solver(&self) -> Box<dyn UnsatCore> {
        Box::new(Incremental {
            z3: self.clone(),
            solver: z3::Solver::new(),
            guards: FxHashMap::default(),
            scopes: Vec::new(),
        })
    }

    fn eliminator(&self) -> Option<Box<dyn Eliminate>> {
        Some(Box::new(project::Projection::new(self)))
    }

    fn interpolator(&self) -> Option<Box<dyn Interpolator>> {
        Some(Box::new(spacer::Spacer::new(self)))
    }
}

/// An incremental solver.
#[derive(Debug)]
struct Incremental {
    z3: Z3,
    solver: z3::Solver,
    /// For each formula that was assumed, the literal that implies it.
    guards: FxHashMap<Term, Bool>,
    /// Per open scope, the formulas whose guards end with it.
    scopes: Vec<Vec<Term>>,
}

impl Incremental {
    fn guard(&mut self, formula: Term) -> Bool {
        if let Some(guard) = self.guards.get(&formula) {
            return guard.clone();
        }
        let body = self.z3.bool(formula);
        let guard = Bool::fresh_const("guard");
        self.solver.assert(guard.implies(&body));
        self.guards.insert(formula, guard.clone());
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(formula);
        }
        guard
    }

    fn decided(&self, answer: SatResult) -> Result<bool> {
        match answer {
            SatResult::Sat => Ok(true),
            SatResult::Unsat => Ok(false),
            SatResult::Unknown => Err(self.z3.unknown(self.solver.get_reason_unknown())),
        }
    }
}

impl Solver for Incremental {
    fn push(&mut self) {
        self.solver.push();
        self.scopes.push(Vec::new());
    }

    fn pop(&mut self) {
        let scope = self.scopes.pop().expect("every pop has its push");
        self.solver.pop(1);
        for formula in scope {
            self.guards.remove(&formula);
        }
    }

    fn assert(&mut self, formula: Term) {
        if !formula.is_true() {
            let formula = self.z3.bool(formula);
            self.solver.assert(&formula);
        }
    }

    fn is_sat(&mut self) -> Result<bool> {
        self.z3.watch.check()?;
        self.decided(self.solver.check())
    }

    fn model(&mut self, vars: &VarSet) -> Result<Option<Valuation>> {
        if !self.is_sat()? {
            return Ok(None);
        }
        // An interrupt between the two calls takes the model away.
        let model = self.solver.get_model().ok_or_else(|| self.z3.unknown(Some("no model".into())))?;
        values::valuation(&self.z3, &model, vars).map(Some)
    }
}

impl UnsatCore for Incremental {
    fn core(&mut self, assumptions: &[Term]) -> Result<Option<Vec<usize>>> {
        self.z3.watch.check()?;
        let guards: Vec<Bool> = assumptions.iter().map(|formula| self.guard(*formula)).collect();
        if self.decided(self.solver.check_assumptions(&guards))? {
            return Ok(None);
        }
        let core = self.solver.get_unsat_core();
        let position = |guard: &Bool| guards.iter().position(|other| other == guard);
        let mut positions: Vec<usize> = core.iter().filter_map(position).collect();
        positions.sort_unstable();
        Ok(Some(positions))
    }
}
