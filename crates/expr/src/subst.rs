//! Substitution of terms for variables.

use rustc_hash::FxHashMap;

use crate::op::Op;
use crate::simplify;
use crate::term::Term;
use crate::var::Var;

impl Term {
    /// The term with `replace(x)` for each variable `x` where that is something; all at once.
    #[must_use]
    pub fn map_vars(self, replace: &dyn Fn(Var) -> Option<Term>) -> Term {
        rebuild(self, replace, &mut FxHashMap::default())
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
        rebuild(self, &|_| None, &mut FxHashMap::default())
    }
}

fn rebuild(
    term: Term,
    replace: &dyn Fn(Var) -> Option<Term>,
    done: &mut FxHashMap<Term, Term>,
) -> Term {
    match term.op() {
        Op::Lit(_) => return term,
        Op::Var(var) => return replace(*var).unwrap_or(term),
        _ => {}
    }
    if let Some(known) = done.get(&term) {
        return *known;
    }
    let args = term.args().iter().map(|arg| rebuild(*arg, replace, done)).collect();
    let built = simplify::app(term.op().clone(), args, term.sort());
    done.insert(term, built);
    built
}
