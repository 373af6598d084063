//! Newton refinement (fifth paper): assertions along a trace by strongest postconditions or weakest
//! preconditions, from what an infeasible core leaves of the trace, about live variables only.
//!
//! ```text
//! φ₀ = true    φᵢ₊₁ = SP(φᵢ, stᵢ₊₁)    φₙ = false
//! ```
//!
//! Each option is independent of the others. The core comes first and yields a trace of its own: statements
//! outside it become `skip`, assignments outside it `havoc` (definitions 3.9 and 3.10), so that what follows does
//! not know about cores. Inside a large block, at level `edge`, every statement has a literal of its own in
//! the core, also below choices, and postconditions go through choices as disjunctions; at level `block` the
//! formula of the whole block is one step, and old indices are quantified at its end.
//!
//! Differences: where the trace becomes infeasible is asked of the solver, which leaves `false` from there on
//! (Table 3.1 writes it down where it can be seen). Assertions speak of the variables themselves and not of their
//! indices. The statements alone are looked at: the labels of the states would bring back what was abstracted.

mod core;
mod live;
mod post;
mod quantify;

use lapidary_expr::Term;
use lapidary_model::{Path, Stmt};
use lapidary_solver::interpolate::{self, Engine};
use lapidary_solver::{Backend, Result, Stop, UnsatCore};
use rustc_hash::FxHashSet;

use super::{Formulas, Sequence, longest_feasible};
use crate::axis::axis;
use crate::{Feasibility, Reason, Refutation, Trace, TraceChecker};
pub use quantify::{Eliminations, Qe};

axis! {
    /// Which assertions Newton refinement computes.
    pub enum Post {
        /// Strongest postconditions, forward.
        #[default]
        Sp = "sp",
        /// Weakest preconditions, backward.
        Wp = "wp",
    }
}

axis! {
    /// How large the steps are.
    pub enum Level {
        /// Every statement.
        #[default]
        Edge = "edge",
        /// Every edge of the automaton as a whole.
        Block = "block",
    }
}

axis! {
    /// Whether something is done.
    pub enum Switch {
        /// It is.
        #[default]
        On = "on",
        /// It is not.
        Off = "off",
    }
}

impl Switch {
    fn is_on(self) -> bool {
        self == Switch::On
    }
}

/// The options of Newton refinement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewtonOptions {
    /// Forward or backward.
    pub post: Post,
    /// Whether the trace is abstracted to an infeasible core first.
    pub core: Switch,
    /// Whether assertions are restricted to live variables.
    pub live: Switch,
    /// How large the steps are.
    pub level: Level,
    /// Whether `sequence` is asked where assertions are too weak, or a path comes back.
    pub fallback: Switch,
    /// Whether equalities that define a variable eliminate it.
    pub der: Switch,
    /// Whether satisfiable parts that speak of nothing else are dropped.
    pub upd: Switch,
    /// How much effort elimination may take beyond that.
    pub qe: Qe,
    /// Whether conjuncts with variables that cannot be eliminated are dropped.
    pub approx: Switch,
}

/// As the fifth paper has it, except that there is a fallback and that elimination may take its effort.
impl Default for NewtonOptions {
    fn default() -> Self {
        let on = Switch::On;
        let (post, level, qe) = (Post::default(), Level::default(), Qe::default());
        let approx = Switch::Off;
        NewtonOptions {
            post,
            core: on,
            live: on,
            level,
            fallback: on,
            der: on,
            upd: on,
            qe,
            approx,
        }
    }
}

/// A sequence of assertions, or why there is none.
type Assertions = std::result::Result<Vec<Term>, &'static str>;

/// Explains a counterexample by assertions.
pub struct Newton {
    options: NewtonOptions,
    solver: Box<dyn UnsatCore>,
    quantify: quantify::Quantify,
    otherwise: Sequence,
    /// The paths that were explained before.
    seen: FxHashSet<Vec<Term>>,
}

impl Newton {
    /// The checker, with `otherwise` to fall back to.
    pub(super) fn new(backend: &dyn Backend, options: NewtonOptions, otherwise: Sequence) -> Self {
        let quantify = quantify::Quantify::new(backend, &options);
        let solver = backend.solver();
        Newton { options, solver, quantify, otherwise, seen: FxHashSet::default() }
    }

    /// The checker, falling back to sequence interpolation by `engine`.
    pub fn with_engine(backend: &dyn Backend, options: NewtonOptions, engine: Engine) -> Self {
        let interpolator = interpolate::interpolator(engine, backend);
        Newton::new(backend, options, Sequence { interpolator })
    }

    /// The part of an infeasible trace that is enough to be infeasible: for each of its elements, in order,
    /// whether it is needed. An element is a statement, below choices too, or a whole edge, as the level says.
    /// None if the trace is feasible.
    pub fn core(&mut self, stmts: &[&Stmt]) -> Result<Option<Vec<bool>>> {
        core::infeasible_core(&mut *self.solver, stmts, self.options.level)
    }

    /// The trace abstracted to the needed elements.
    pub fn abstracted(&self, stmts: &[&Stmt], core: &[bool]) -> Vec<Stmt> {
        core::abstracted(stmts, core, self.options.level)
    }

    /// The assertions `φ₀, …, φₙ` for an infeasible trace, or why they are too weak.
    pub fn assertions(&mut self, stmts: &[Stmt]) -> Result<Assertions> {
        match self.options.post {
            Post::Sp => self.forward(stmts),
            Post::Wp => self.backward(stmts),
        }
    }

    fn forward(&mut self, stmts: &[Stmt]) -> Result<Assertions> {
        let formulas = Path::new(stmts).formulas;
        let feasible = longest_feasible(&mut *self.solver, &formulas)?;
        let Some(needed) = stmts.get(..=feasible) else { return Ok(Err("the trace is feasible")) };
        let live = live::future(needed);
        let mut assertions: Vec<Term> = vec![true.into()];
        for (i, stmt) in needed[..feasible].iter().enumerate() {
            let mut post = self.quantify.sp(assertions[i], stmt, self.options.level)?;
            if self.options.live.is_on() {
                post = self.quantify.restrict(post, &live[i + 1])?;
            }
            match self.quantify.settle(post)? {
                Some(settled) => assertions.push(settled),
                None => return Ok(Err("a quantifier is left")),
            }
        }
        // With exact posts this is so; over-approximation may have lost it.
        let last = Term::and([assertions[feasible], Path::new([&stmts[feasible]]).formulas[0]]);
        if self.is_sat(last)? {
            return Ok(Err("the last assertion is not false"));
        }
        assertions.resize(stmts.len() + 1, false.into());
        Ok(Ok(assertions))
    }

    /// Works on the negations of the assertions: from where the rest of the trace can be taken.
    fn backward(&mut self, stmts: &[Stmt]) -> Result<Assertions> {
        let reversed: Vec<Term> = Path::new(stmts).formulas.into_iter().rev().collect();
        let feasible = longest_feasible(&mut *self.solver, &reversed)?;
        let Some(first) = stmts.len().checked_sub(feasible + 1) else {
            return Ok(Err("the trace is feasible"));
        };
        let past = live::past(&stmts[first..]);
        let mut open: Vec<Term> = vec![true.into()];
        for (i, stmt) in stmts.iter().enumerate().skip(first + 1).rev() {
            let after = open[open.len() - 1];
            let mut before = self.quantify.pre(after, stmt, self.options.level)?;
            if self.options.live.is_on() {
                before = self.quantify.restrict(before, &past[i - first])?;
            }
            match self.quantify.settle(before)? {
                Some(settled) => open.push(settled),
                None => return Ok(Err("a quantifier is left")),
            }
        }
        let path = Path::new([&stmts[first]]);
        let after = path.versions[1].now(open[open.len() - 1]);
        if self.is_sat(Term::and([path.formulas[0], after]))? {
            return Ok(Err("the first assertion is not true"));
        }
        let mut assertions: Vec<Term> = vec![true.into(); first + 1];
        assertions.extend(open.into_iter().rev().map(Term::not));
        Ok(Ok(assertions))
    }

    fn is_sat(&mut self, formula: Term) -> Result<bool> {
        self.solver.push();
        self.solver.assert(formula);
        let answer = self.solver.is_sat();
        self.solver.pop();
        answer
    }

    fn refute(&mut self, stmts: &[&Stmt]) -> Result<Option<Assertions>> {
        let core = match self.options.core {
            Switch::On => self.core(stmts)?,
            Switch::Off => {
                let elements = core::elements(stmts, self.options.level);
                let formulas = Path::new(stmts.iter().copied()).formulas;
                (!self.is_sat(Term::and(formulas))?).then(|| vec![true; elements])
            }
        };
        let Some(core) = core else { return Ok(None) };
        let stmts = self.abstracted(stmts, &core);
        self.assertions(&stmts).map(Some)
    }
}

impl TraceChecker for Newton {
    fn check(&mut self, trace: &Trace<'_>) -> Result<Feasibility> {
        let formulas = Formulas::of(trace);
        let is_new = self.seen.insert(formulas.steps.clone());
        if !is_new && self.options.fallback.is_on() {
            return self.fall_back(trace);
        }
        match self.refute(&trace.stmts)? {
            None => formulas.model(&mut *self.solver).map(Feasibility::Feasible),
            Some(Ok(assertions)) => {
                let reasons = assertions.into_iter().map(Reason::Holds).collect();
                let mut refutation = Refutation::new("newton", reasons);
                refutation.eliminations = self.quantify.take_counts();
                Ok(Feasibility::Infeasible(refutation))
            }
            Some(Err(_)) if self.options.fallback.is_on() => self.fall_back(trace),
            Some(Err(why)) => Err(Stop::Interpolation(format!("newton: {why}"))),
        }
    }
}

impl Newton {
    fn fall_back(&mut self, trace: &Trace<'_>) -> Result<Feasibility> {
        let mut answer = self.otherwise.check(trace)?;
        if let Feasibility::Infeasible(refutation) = &mut answer {
            refutation.checker = "newton, then sequence";
            refutation.eliminations = self.quantify.take_counts();
        }
        Ok(answer)
    }
}
