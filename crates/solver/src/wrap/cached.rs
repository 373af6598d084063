//! A wrapper that remembers which entailments hold.

use std::cell::RefCell;
use std::rc::Rc;

use lapidary_expr::{Term, Valuation, VarSet};
use rustc_hash::FxHashMap;

use crate::horn::Horn;
use crate::{Backend, Eliminate, Interpolator, Result, Solver, UnsatCore};

/// So many answers are kept for sure, and at most twice as many.
const KEPT: usize = 1 << 16;

/// A back end whose solvers share what they know about entailments.
#[derive(Clone, Debug)]
pub struct Cached<B> {
    inner: B,
    cache: Rc<RefCell<Cache>>,
}

impl<B> Cached<B> {
    /// Remembers entailments of `inner`.
    pub fn new(inner: B) -> Self {
        Cached { inner, cache: Rc::default() }
    }
}

/// Answers under assertions, which have a number for each sequence of them.
#[derive(Debug, Default)]
struct Cache {
    /// The sequence that an assertion makes of a sequence. Numbers are never used again, so this can be forgotten.
    contexts: FxHashMap<(u64, Term), u64>,
    last: u64,
    new: FxHashMap<(u64, Term, Term), bool>,
    /// The answers before the new ones: those that are used move on, the others are forgotten.
    old: FxHashMap<(u64, Term, Term), bool>,
}

impl Cache {
    fn context(&mut self, context: u64, formula: Term) -> u64 {
        if self.contexts.len() >= KEPT {
            self.contexts.clear();
        }
        *self.contexts.entry((context, formula)).or_insert_with(|| {
            self.last += 1;
            self.last
        })
    }

    fn get(&mut self, key: (u64, Term, Term)) -> Option<bool> {
        if let Some(answer) = self.new.get(&key) {
            return Some(*answer);
        }
        let answer = self.old.remove(&key)?;
        self.insert(key, answer);
        Some(answer)
    }

    fn insert(&mut self, key: (u64, Term, Term), answer: bool) {
        if self.new.len() >= KEPT {
            self.old = std::mem::take(&mut self.new);
        }
        self.new.insert(key, answer);
    }
}

impl<B: Backend> Backend for Cached<B> {
    fn solver(&self) -> Box<dyn UnsatCore> {
        let (inner, cache) = (self.inner.solver(), Rc::clone(&self.cache));
        Box::new(Remembering { inner, cache, context: 0, outer: Vec::new() })
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

struct Remembering {
    inner: Box<dyn UnsatCore>,
    cache: Rc<RefCell<Cache>>,
    /// The assertions so far.
    context: u64,
    /// The assertions before each open scope.
    outer: Vec<u64>,
}

impl Solver for Remembering {
    fn push(&mut self) {
        self.outer.push(self.context);
        self.inner.push();
    }

    fn pop(&mut self) {
        self.context = self.outer.pop().expect("every pop has its push");
        self.inner.pop();
    }

    fn assert(&mut self, formula: Term) {
        self.context = self.cache.borrow_mut().context(self.context, formula);
        self.inner.assert(formula);
    }

    fn is_sat(&mut self) -> Result<bool> {
        self.inner.is_sat()
    }

    fn model(&mut self, vars: &VarSet) -> Result<Option<Valuation>> {
        self.inner.model(vars)
    }

    fn entails(&mut self, premise: Term, conclusion: Term) -> Result<bool> {
        let key = (self.context, premise, conclusion);
        if let Some(answer) = self.cache.borrow_mut().get(key) {
            return Ok(answer);
        }
        let answer = self.inner.entails(premise, conclusion)?;
        self.cache.borrow_mut().insert(key, answer);
        Ok(answer)
    }
}

impl UnsatCore for Remembering {
    fn core(&mut self, assumptions: &[Term]) -> Result<Option<Vec<usize>>> {
        self.inner.core(assumptions)
    }
}
