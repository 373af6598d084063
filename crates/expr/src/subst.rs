//! Substitution of terms for variables and other terms.

use rustc_hash::FxHashMap;

use crate::op::Op;
use crate::term::simplify;
use crate::term::{SMALL, Term};
use crate::var::Var;
use crate::walk::Walk;

impl Term {
    /// The term with `replace(x)` for each variable `x` where that is something; all at once.
    #[must_use]
    pub fn map_vars(self, replace: &dyn Fn(Var) -> Option<Term>) -> Term {
        self.map_terms(&|term| term.as_var().and_then(replace))
    }

    /// The term with `replace(t)` for each subterm `t` where that is something, the outermost such first.
    #[must_use]
    pub fn map_terms(self, replace: &dyn Fn(Term) -> Option<Term>) -> Term {
        let mut rebuild = Rebuild { replace, done: FxHashMap::default() };
        rebuild.walk(self);
        rebuild.build(self)
    }

    /// Several terms with their variables replaced; parts that they share are rebuilt once.
    pub fn map_vars_all(terms: &[Term], replace: &dyn Fn(Var) -> Option<Term>) -> Vec<Term> {
        let replace = |term: Term| term.as_var().and_then(replace);
        let mut rebuild = Rebuild { replace: &replace, done: FxHashMap::default() };
        let map = |term: &Term| {
            rebuild.walk(*term);
            rebuild.build(*term)
        };
        terms.iter().map(map).collect()
    }

    /// The term with `replacement` for `var`.
    #[must_use]
    pub fn substitute(self, var: Var, replacement: Term) -> Term {
        if !self.mentions(var) {
            return self;
        }
        self.map_vars(&|v| (v == var).then_some(replacement))
    }

    /// The term simplified bottom-up, for terms made [`verbatim`](Term::verbatim).
    #[must_use]
    pub fn simplified(self) -> Term {
        self.map_vars(&|_| None)
    }
}

struct Rebuild<'a> {
    replace: &'a dyn Fn(Term) -> Option<Term>,
    /// What the applications so far have become.
    done: FxHashMap<Term, Term>,
}

impl Rebuild<'_> {
    fn build(&mut self, term: Term) -> Term {
        if let Op::Lit(_) | Op::Var(_) = term.op() {
            return (self.replace)(term).unwrap_or(term);
        }
        if let Some(known) = self.done.get(&term) {
            return *known;
        }
        if let Some(new) = (self.replace)(term) {
            self.done.insert(term, new);
            return new;
        }
        let args = term.args().iter().map(|arg| self.build(*arg)).collect();
        let built = simplify::app(term.op().clone(), args, term.sort());
        self.done.insert(term, built);
        built
    }
}

/// The large parts from the bottom up, so that [`Rebuild::build`] never recurses beyond small ones.
impl Walk for Rebuild<'_> {
    fn enter(&mut self, term: Term) -> bool {
        term.size() > SMALL && !self.done.contains_key(&term) && (self.replace)(term).is_none()
    }

    fn leave(&mut self, term: Term) {
        self.build(term);
    }
}
