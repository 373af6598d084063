//! The incremental solver: scopes, models, and cores from guarded assumptions.
//!
//! Z3 is fast at many small queries when it keeps its state, but then it does without preprocessing, and
//! guards hide equations from it: a chain of bit-vector additions can take a thousand times longer. So a
//! query gets a bounded effort first; if that does not do, a new solver gets everything at once.

use lapidary_expr::{Term, Valuation, VarSet};
use rustc_hash::FxHashMap;
use z3::ast::Bool;
use z3::{Params, SatResult};

use super::{Z3, values};
use crate::{Result, Solver, Stop, UnsatCore};

/// Every query decides all guards, also those of formulas that it does not assume: beyond this many, a new
/// solver with the same assertions is cheaper.
const MOST_GUARDS: usize = 256;

/// The effort for a query with kept state, in Z3's own deterministic unit.
const EFFORT: u32 = 1_000_000;

/// A Z3 solver and what it was told.
#[derive(Debug)]
pub(super) struct Incremental {
    z3: Z3,
    solver: z3::Solver,
    /// For each formula that was assumed, the literal that implies it.
    guards: FxHashMap<Term, Bool>,
    /// Literals whose formulas are gone, to be used again.
    free: Vec<Bool>,
    /// The open scopes; the first one is never closed.
    scopes: Vec<Scope>,
}

#[derive(Debug, Default)]
struct Scope {
    assertions: Vec<Term>,
    /// The formulas whose guards end with the scope.
    guarded: Vec<Term>,
}

impl Incremental {
    pub(super) fn new(z3: &Z3) -> Self {
        Incremental {
            z3: z3.clone(),
            solver: limited(),
            guards: FxHashMap::default(),
            free: Vec::new(),
            scopes: vec![Scope::default()],
        }
    }

    fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("the first scope is never closed")
    }

    fn guard(&mut self, formula: Term) -> Bool {
        if let Some(guard) = self.guards.get(&formula) {
            return guard.clone();
        }
        let body = self.z3.bool(formula);
        let guard = self.free.pop().unwrap_or_else(|| Bool::fresh_const("guard"));
        self.solver.assert(guard.implies(&body));
        self.guards.insert(formula, guard.clone());
        self.scope().guarded.push(formula);
        guard
    }

    /// Gives the guards of formulas back.
    fn release(&mut self, formulas: Vec<Term>) {
        self.free.extend(formulas.into_iter().filter_map(|formula| self.guards.remove(&formula)));
    }

    /// Replaces the solver by one without guards.
    fn renew(&mut self) {
        self.solver = limited();
        for i in 0..self.scopes.len() {
            let guarded = std::mem::take(&mut self.scopes[i].guarded);
            self.release(guarded);
            if i > 0 {
                self.solver.push();
            }
            for formula in &self.scopes[i].assertions {
                self.solver.assert(self.z3.bool(*formula));
            }
        }
    }

    /// What the answer to a query under `assumptions` is, given Z3's first try, and who found it if not
    /// the solver itself.
    fn decided(
        &self,
        first: SatResult,
        assumptions: &[Term],
    ) -> Result<(bool, Option<z3::Solver>)> {
        if first != SatResult::Unknown {
            return self.z3.decided(&self.solver, first).map(|sat| (sat, None));
        }
        self.z3.meter.read(&self.solver);
        self.z3.watch.check()?;
        let other = z3::Solver::new();
        self.z3.meter.restrict(&other);
        let asserted = self.scopes.iter().flat_map(|scope| &scope.assertions);
        asserted.chain(assumptions).for_each(|formula| other.assert(self.z3.bool(*formula)));
        self.z3.decided(&other, other.check()).map(|sat| (sat, Some(other)))
    }

    /// The first positions of the guards that Z3 names as the reason.
    fn positions(&mut self, guards: &[Bool]) -> Result<Vec<usize>> {
        let core = self.solver.get_unsat_core();
        if core.is_empty() && !guards.is_empty() && self.is_sat()? {
            // The bindings say nothing else when Z3 fails to tell the core.
            return Err(Stop::Solver("no core".into()));
        }
        let mut first: FxHashMap<&Bool, usize> = FxHashMap::default();
        for (position, guard) in guards.iter().enumerate() {
            first.entry(guard).or_insert(position);
        }
        let positions: Option<Vec<usize>> =
            core.iter().map(|guard| first.get(guard).copied()).collect();
        let mut positions =
            positions.ok_or_else(|| Stop::Solver("a core of unknown formulas".into()))?;
        positions.sort_unstable();
        Ok(positions)
    }
}

fn limited() -> z3::Solver {
    let solver = z3::Solver::new();
    let mut params = Params::new();
    params.set_u32("rlimit", EFFORT);
    solver.set_params(&params);
    solver
}

impl Solver for Incremental {
    fn push(&mut self) {
        self.solver.push();
        self.scopes.push(Scope::default());
    }

    fn pop(&mut self) {
        assert!(self.scopes.len() > 1, "every pop has its push");
        let scope = self.scopes.pop().unwrap_or_default();
        self.solver.pop(1);
        self.release(scope.guarded);
    }

    fn assert(&mut self, formula: Term) {
        if !formula.is_true() {
            self.solver.assert(self.z3.bool(formula));
            self.scope().assertions.push(formula);
        }
    }

    fn is_sat(&mut self) -> Result<bool> {
        self.z3.watch.check()?;
        self.decided(self.solver.check(), &[]).map(|(sat, _)| sat)
    }

    fn model(&mut self, vars: &VarSet) -> Result<Option<Valuation>> {
        self.z3.watch.check()?;
        let (sat, other) = self.decided(self.solver.check(), &[])?;
        if !sat {
            return Ok(None);
        }
        let model = other.as_ref().unwrap_or(&self.solver).get_model();
        let model = model.ok_or_else(|| Stop::Solver("satisfiable, yet without a model".into()));
        let valuation = model.and_then(|model| values::valuation(&self.z3, &model, vars));
        // An interrupt takes the model away, or a part of it.
        self.z3.watch.check()?;
        valuation.map(Some)
    }
}

impl UnsatCore for Incremental {
    fn core(&mut self, assumptions: &[Term]) -> Result<Option<Vec<usize>>> {
        self.z3.watch.check()?;
        if self.guards.len() > MOST_GUARDS {
            self.renew();
        }
        let guards: Vec<Bool> = assumptions.iter().map(|formula| self.guard(*formula)).collect();
        match self.decided(self.solver.check_assumptions(&guards), assumptions)? {
            (true, _) => Ok(None),
            (false, None) => self.positions(&guards).map(Some),
            // Found without guards: every assumption may be needed.
            (false, Some(_)) => Ok(Some((0..assumptions.len()).collect())),
        }
    }
}
