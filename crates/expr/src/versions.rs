//! Versions of variables along a path: the indexed variables `V⟨i⟩` of the papers.
//!
//! The first paper gives every variable a new index at every step and equates the unchanged ones. As its
//! footnote 1 says, a new symbol is needed only where a variable is written; that is what this map keeps:
//! for each variable, the version that holds its current value.

use rustc_hash::FxHashMap;

use crate::term::Term;
use crate::var::Var;

/// The current version of each variable; 0 where nothing was written yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Versions(FxHashMap<Var, u32>);

impl Versions {
    /// Every variable at version 0.
    pub fn new() -> Self {
        Self::default()
    }

    /// The variable that holds the current value of `var`.
    pub fn current(&self, var: Var) -> Var {
        var.at(self.0.get(&var.base()).copied().unwrap_or(0))
    }

    /// Moves `var` on to a version that was not used before, and returns it.
    pub fn advance(&mut self, var: Var) -> Var {
        let version = self.0.entry(var.base()).or_insert(0);
        *version += 1;
        var.at(*version)
    }

    /// Moves `var` on to at least `version`.
    pub fn raise(&mut self, var: Var, version: u32) {
        let entry = self.0.entry(var.base()).or_insert(0);
        *entry = version.max(*entry);
    }

    /// `term` over the current values: every `x` becomes the current version of `x`.
    pub fn now(&self, term: Term) -> Term {
        term.map_vars(&|var| Some(self.current(var).into()))
    }

    /// The same for several terms, whose common parts are rebuilt once.
    pub fn now_all(&self, terms: &[Term]) -> Vec<Term> {
        Term::map_vars_all(terms, &|var| Some(self.current(var).into()))
    }

    /// A relation over `x` and `x'` between these versions and the `next` ones.
    pub fn step(&self, next: &Versions, relation: Term) -> Term {
        relation.map_vars(&|var| {
            let versions = if var.version() == 0 { self } else { next };
            Some(versions.current(var).into())
        })
    }

    /// `term` with each variable of these versions back at version 0. Other versions show up as what they
    /// are, variables of another point of the path: they keep a version above 0. An older `x` at version
    /// 0 therefore changes places with the current one.
    pub fn forget(&self, term: Term) -> Term {
        term.map_vars(&|var| {
            let current = self.current(var);
            match var {
                _ if var == current => Some(var.base().into()),
                _ if var.version() == 0 => Some(current.into()),
                _ => None,
            }
        })
    }
}
