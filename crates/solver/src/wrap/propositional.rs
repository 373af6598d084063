//! A wrapper that gives propositional queries to a SAT solver, and all others to the back end.
//!
//! Circuits ask for nothing else, in hundreds of thousands of small queries about the same step. An SMT solver states
//! the step anew for each of them; here its gates are clauses once and for all. What is asserted outside of all scopes
//! are clauses too, the rest is assumed.

mod gates;
mod words;

use lapidary_expr::{Sort, Term, Valuation, Value, Var, VarSet};

use crate::horn::Horn;
use crate::limits::Watch;
use crate::{Backend, Eliminate, Interpolator, Result, Solver, UnsatCore};
use gates::Gates;
use words::Words;

/// A back end whose solvers decide propositional formulas by themselves.
#[derive(Clone, Debug)]
pub struct Propositional<B> {
    inner: B,
    watch: Watch,
}

impl<B> Propositional<B> {
    /// Leaves to `inner` what is not propositional, within the limits that `watch` tells of.
    pub fn new(inner: B, watch: &Watch) -> Self {
        Propositional { inner, watch: watch.clone() }
    }
}

impl<B: Backend> Backend for Propositional<B> {
    fn solver(&self) -> Box<dyn UnsatCore> {
        Box::new(Divided {
            inner: self.inner.solver(),
            gates: Gates::new(&self.watch),
            words: Words::default(),
            asserted: Vec::new(),
            scopes: Vec::new(),
            told: 0,
            opened: 0,
        })
    }

    fn eliminator(&self) -> Option<Box<dyn Eliminate>> {
        self.inner.eliminator()
    }

    fn interpolator(&self) -> Option<Box<dyn Interpolator>> {
        self.inner.interpolator()
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

struct Divided {
    inner: Box<dyn UnsatCore>,
    gates: Gates,
    words: Words,
    asserted: Vec<Term>,
    /// How much was asserted before each scope.
    scopes: Vec<usize>,
    /// How many of the assertions and of the scopes the inner solver knows.
    told: usize,
    opened: usize,
}

impl Divided {
    /// Whether the assertions and these assumptions are propositional.
    fn is_propositional(&self, assumptions: &[Term]) -> bool {
        let boolean = |var: &Var| var.sort() == Sort::Bool;
        let mut all = self.asserted.iter().chain(assumptions);
        all.all(|formula| formula.vars().iter().all(boolean))
    }

    /// Asks the SAT solver; none if there is something that it does not know.
    fn solve(&mut self, assumptions: &[Term]) -> Result<Option<bool>> {
        let n_fixed = self.scopes.first().map_or(self.asserted.len(), |first| *first);
        if self.is_propositional(assumptions) {
            let (fixed, asserted) = self.asserted.split_at(n_fixed);
            return self.gates.solve(fixed, asserted, assumptions);
        }
        let all = self.asserted.iter().chain(assumptions);
        let Some(bits) = self.words.bits(all.copied()) else { return Ok(None) };
        self.gates.expect_hard();
        let (fixed, rest) = bits.split_at(n_fixed);
        let (asserted, assumed) = rest.split_at(rest.len() - assumptions.len());
        self.gates.solve(fixed, asserted, assumed)
    }

    /// The inner solver, which hears of scopes and assertions only when it is needed.
    fn inner(&mut self) -> &mut dyn UnsatCore {
        loop {
            if self.scopes.get(self.opened) == Some(&self.told) {
                self.inner.push();
                self.opened += 1;
            } else if let Some(formula) = self.asserted.get(self.told) {
                self.inner.assert(*formula);
                self.told += 1;
            } else {
                return &mut *self.inner;
            }
        }
    }
}

impl Solver for Divided {
    fn push(&mut self) {
        self.scopes.push(self.asserted.len());
    }

    fn pop(&mut self) {
        let start = self.scopes.pop().expect("every pop has its push");
        self.asserted.truncate(start);
        if self.opened > self.scopes.len() {
            self.inner.pop();
            self.opened -= 1;
        }
        self.told = self.told.min(start);
    }

    fn assert(&mut self, formula: Term) {
        if !formula.is_true() {
            self.asserted.push(formula);
        }
    }

    fn is_sat(&mut self) -> Result<bool> {
        match self.solve(&[])? {
            Some(answer) => Ok(answer),
            None => self.inner().is_sat(),
        }
    }

    fn model(&mut self, vars: &VarSet) -> Result<Option<Valuation>> {
        let Some(answer) = self.solve(&[])? else { return self.inner().model(vars) };
        let bit = |var: Var| self.gates.value(var).unwrap_or(false);
        let value = |var: Var| match var.sort() {
            Sort::Bool => Value::Bool(bit(var)),
            _ => words::value(var, bit),
        };
        Ok(answer.then(|| vars.iter().map(|var| (*var, value(*var))).collect()))
    }
}

impl UnsatCore for Divided {
    fn core(&mut self, assumptions: &[Term]) -> Result<Option<Vec<usize>>> {
        match self.solve(assumptions)? {
            Some(true) => Ok(None),
            Some(false) => {
                let bits = self.words.bits(assumptions.iter().copied());
                Ok(Some(self.gates.core(bits.as_deref().unwrap_or(assumptions))))
            }
            None => self.inner().core(assumptions),
        }
    }
}
