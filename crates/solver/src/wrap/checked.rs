//! A wrapper that believes a back end only what can be checked.
//!
//! - *Satisfiable* needs a model, and the model is evaluated: all assertions, and the assumptions of a core, must
//!   hold.
//! - A *core* must contradict the assertions by itself.
//! - *Unsatisfiable* has no evidence of its own: a second back end, if there is one, must agree.
//! - *Interpolants* must be a sequence as [`Interpolants`] defines it.
//! - An *eliminated* formula must follow from the original, without its variables.
//!
//! A violation is a [`Stop::Solver`].

use std::fmt;
use std::rc::Rc;

use lapidary_expr::{Term, Valuation, VarSet};

use crate::horn::Horn;
use crate::interpolate::is_sequence;
use crate::{Backend, Eliminate, Interpolants, Interpolator, Result, Solver, Stop, UnsatCore};

/// So much of a formula goes into a message.
const SHOWN: usize = 300;

/// A back end whose answers are checked.
#[derive(Clone)]
pub struct Checked<B> {
    inner: Rc<B>,
    second: Option<Rc<dyn Backend>>,
}

impl<B> Checked<B> {
    /// Checks the answers of `inner` by evaluation, and its cores and interpolants by asking it again.
    pub fn new(inner: B) -> Self {
        Checked { inner: Rc::new(inner), second: None }
    }

    /// Checks the answers of `inner` by evaluation, and by asking `second` where something is unsatisfiable.
    pub fn against(inner: B, second: impl Backend + 'static) -> Self {
        Checked { inner: Rc::new(inner), second: Some(Rc::new(second)) }
    }
}

impl<B: fmt::Debug> fmt::Debug for Checked<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Checked").field("inner", &self.inner).finish_non_exhaustive()
    }
}

impl<B: Backend> Checked<B> {
    fn judge(&self) -> Box<dyn UnsatCore> {
        match &self.second {
            Some(second) => second.solver(),
            None => self.inner.solver(),
        }
    }
}

impl<B: Backend> Backend for Checked<B> {
    fn solver(&self) -> Box<dyn UnsatCore> {
        let second = self.second.as_ref().map(|second| second.solver());
        Box::new(Checking { inner: self.inner.solver(), second, scopes: vec![Vec::new()] })
    }

    fn eliminator(&self) -> Option<Box<dyn Eliminate>> {
        let (inner, judge) = (self.inner.eliminator()?, self.judge());
        Some(Box::new(CheckingEliminator { inner, judge }))
    }

    fn interpolator(&self) -> Option<Box<dyn Interpolator>> {
        let (inner, judge) = (self.inner.interpolator()?, self.judge());
        Some(Box::new(CheckingInterpolator { inner, judge }))
    }

    /// Whoever asks checks a solution, clause by clause.
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

fn wrong(what: &str, details: &str) -> Stop {
    let mut details = details.to_string();
    if let Some((end, _)) = details.char_indices().nth(SHOWN) {
        details.truncate(end);
        details.push('…');
    }
    Stop::Solver(format!("wrong {what}: {details}"))
}

fn vars_of<'a>(formulas: impl IntoIterator<Item = &'a Term>) -> VarSet {
    formulas.into_iter().flat_map(|formula| formula.vars()).copied().collect()
}

/// An error if a formula does not hold in the model.
fn evaluate<'a>(model: &Valuation, formulas: impl IntoIterator<Item = &'a Term>) -> Result<()> {
    for formula in formulas {
        match formula.holds(model) {
            Some(true) => {}
            Some(false) => return Err(wrong("model", &format!("{formula} is false"))),
            None => return Err(wrong("model", &format!("{formula} has no value"))),
        }
    }
    Ok(())
}

struct Checking {
    inner: Box<dyn UnsatCore>,
    second: Option<Box<dyn UnsatCore>>,
    /// The assertions of the open scopes; the first one is never closed.
    scopes: Vec<Vec<Term>>,
}

impl Checking {
    fn assertions(&self) -> impl Iterator<Item = &Term> {
        self.scopes.iter().flatten()
    }

    /// A checked model for these variables and all that occur.
    fn checked_model(&mut self, vars: &VarSet) -> Result<Option<Valuation>> {
        let all: VarSet = vars.union(&vars_of(self.assertions())).copied().collect();
        let Some(model) = self.inner.model(&all)? else {
            self.confirm_unsat()?;
            return Ok(None);
        };
        if let Some(var) = all.iter().find(|var| model.get(**var).is_none()) {
            return Err(wrong("model", &format!("{var} has no value")));
        }
        evaluate(&model, self.assertions())?;
        Ok(Some(model))
    }

    fn confirm_unsat(&mut self) -> Result<()> {
        let sat = self.second.as_mut().map_or(Ok(false), |second| second.is_sat())?;
        if sat { Err(wrong("answer", "unsat, but another solver finds a model")) } else { Ok(()) }
    }

    /// An error unless the assumptions are satisfiable.
    fn confirm_sat(&mut self, assumptions: &[Term]) -> Result<()> {
        self.push();
        assumptions.iter().for_each(|formula| self.assert(*formula));
        let model = self.checked_model(&VarSet::new());
        self.pop();
        match model? {
            Some(_) => Ok(()),
            None => Err(wrong("answer", "the same formulas are satisfiable and are not")),
        }
    }

    /// An error unless the core is one.
    fn confirm_core(&mut self, core: &[usize], assumptions: &[Term]) -> Result<()> {
        let in_order = core.is_sorted_by(|i, j| i < j);
        if !in_order || core.last().is_some_and(|last| *last >= assumptions.len()) {
            return Err(wrong("core", &format!("{core:?} of {} assumptions", assumptions.len())));
        }
        if self.second.is_none() && core.len() == assumptions.len() {
            // The same question would get the same answer.
            return Ok(());
        }
        let judge = self.second.as_mut().unwrap_or(&mut self.inner);
        judge.push();
        core.iter().for_each(|position| judge.assert(assumptions[*position]));
        let sat = judge.is_sat();
        judge.pop();
        if sat? { Err(wrong("core", &format!("{core:?} is satisfiable"))) } else { Ok(()) }
    }
}

impl Solver for Checking {
    fn push(&mut self) {
        self.scopes.push(Vec::new());
        self.inner.push();
        self.second.iter_mut().for_each(|second| second.push());
    }

    fn pop(&mut self) {
        assert!(self.scopes.len() > 1, "every pop has its push");
        self.scopes.pop();
        self.inner.pop();
        self.second.iter_mut().for_each(|second| second.pop());
    }

    fn assert(&mut self, formula: Term) {
        self.scopes.last_mut().expect("the first scope is never closed").push(formula);
        self.inner.assert(formula);
        self.second.iter_mut().for_each(|second| second.assert(formula));
    }

    fn is_sat(&mut self) -> Result<bool> {
        self.checked_model(&VarSet::new()).map(|model| model.is_some())
    }

    fn model(&mut self, vars: &VarSet) -> Result<Option<Valuation>> {
        let Some(mut model) = self.checked_model(vars)? else { return Ok(None) };
        let others: VarSet =
            model.iter().map(|(var, _)| var).filter(|v| !vars.contains(v)).collect();
        others.into_iter().for_each(|var| model.forget(var));
        Ok(Some(model))
    }
}

impl UnsatCore for Checking {
    fn core(&mut self, assumptions: &[Term]) -> Result<Option<Vec<usize>>> {
        let core = self.inner.core(assumptions)?;
        match &core {
            None => self.confirm_sat(assumptions)?,
            Some(core) => self.confirm_core(core, assumptions)?,
        }
        Ok(core)
    }
}

struct CheckingInterpolator {
    inner: Box<dyn Interpolator>,
    judge: Box<dyn UnsatCore>,
}

impl Interpolator for CheckingInterpolator {
    fn interpolate(&mut self, parts: &[Term]) -> Result<Interpolants> {
        let answer = self.inner.interpolate(parts)?;
        let entails = |premise, conclusion| self.judge.entails(premise, conclusion);
        match &answer {
            Interpolants::Sat(model) => evaluate(model, parts)?,
            Interpolants::Unsat(itps) if is_sequence(parts, itps, entails)? => {}
            Interpolants::Unsat(itps) => return Err(wrong("interpolants", &format!("{itps:?}"))),
        }
        Ok(answer)
    }
}

struct CheckingEliminator {
    inner: Box<dyn Eliminate>,
    judge: Box<dyn UnsatCore>,
}

impl Eliminate for CheckingEliminator {
    fn eliminate(&mut self, vars: &VarSet, formula: Term) -> Result<Option<Term>> {
        let Some(result) = self.inner.eliminate(vars, formula)? else { return Ok(None) };
        if let Some(var) = result.vars().iter().find(|var| vars.contains(var)) {
            return Err(wrong("elimination", &format!("{var} is left in {result}")));
        }
        match self.judge.entails(formula, result) {
            Ok(true) => Ok(Some(result)),
            Ok(false) => Err(wrong("elimination", &format!("{result} does not follow"))),
            // What is too hard to check is too hard.
            Err(Stop::Solver(_)) => Ok(None),
            Err(stop) => Err(stop),
        }
    }
}
