//! Existential quantifiers over conjunctions, eliminated exactly and by syntax alone as far as that goes.
//!
//! In the order of the fifth paper's §4.2, cheapest first: *destructive equality resolution* (an equality
//! that defines a variable is substituted, `equality`), then bounds (`bounds`: a variable with bounds on
//! one side only is dropped with them, otherwise lower and upper bounds are combined), then case distinction
//! on truth values. What is left over is for a solver
//! ([`Eliminate`](crate::Eliminate)); [`Elimination`] puts the methods together.

mod bounds;
mod equality;
mod methods;

use lapidary_expr::{Sort, Term, Var, VarSet};

pub use methods::{Eliminated, Elimination, Methods};

/// Formulas larger than this are not worth having as interpolants.
const LARGEST: u32 = 4_000;

/// What syntax could do about `∃ vars. formula`.
#[derive(Clone, Debug)]
pub struct Partial {
    /// An equivalent of the formula, once the variables left are quantified.
    pub formula: Term,
    /// The variables that still occur.
    pub left: VarSet,
}

/// Eliminates what can be eliminated by syntax.
pub fn by_syntax(vars: &VarSet, formula: Term) -> Partial {
    one_by_one(vars, formula, eliminate_one)
}

/// Eliminates what equalities define, and nothing else.
pub fn by_equalities(vars: &VarSet, formula: Term) -> Partial {
    one_by_one(vars, formula, |var, conjuncts| {
        let (with, without): (Vec<Term>, Vec<Term>) =
            conjuncts.iter().partition(|conjunct| conjunct.mentions(var));
        if with.is_empty() {
            return Some(without);
        }
        let resolved = equality::resolve(var, &with)?;
        Some(Term::and(without.into_iter().chain(resolved)).conjuncts())
    })
}

/// Eliminates variables as long as `eliminate` can eliminate one from the conjuncts.
fn one_by_one(
    vars: &VarSet,
    formula: Term,
    eliminate: impl Fn(Var, &[Term]) -> Option<Vec<Term>>,
) -> Partial {
    let mut conjuncts = formula.conjuncts();
    // Later versions are defined by earlier ones, so they go first.
    let mut left: Vec<Var> = vars.iter().copied().filter(|var| formula.mentions(*var)).collect();
    left.sort_by_key(|var| std::cmp::Reverse(var.version()));
    loop {
        let before = left.len();
        left.retain(|var| match eliminate(*var, &conjuncts) {
            Some(new) => {
                conjuncts = new;
                false
            }
            None => true,
        });
        if left.len() == before {
            break;
        }
    }
    let formula = Term::and(conjuncts);
    let left = left.into_iter().filter(|var| formula.mentions(*var)).collect();
    Partial { formula, left }
}

/// The conjuncts without `var`, if one of the methods applies.
fn eliminate_one(var: Var, conjuncts: &[Term]) -> Option<Vec<Term>> {
    let (with, without): (Vec<Term>, Vec<Term>) =
        conjuncts.iter().partition(|conjunct| conjunct.mentions(var));
    if with.is_empty() {
        return Some(without);
    }
    let eliminated = equality::resolve(var, &with)
        .or_else(|| bounds::combine(var, &with))
        .or_else(|| cases(var, &with))?;
    Some(Term::and(without.into_iter().chain(eliminated)).conjuncts())
}

/// A truth value is true or false.
fn cases(var: Var, with: &[Term]) -> Option<Vec<Term>> {
    let body = Term::and(with.iter().copied());
    if var.sort() != Sort::Bool || body.size() > LARGEST / 2 {
        return None;
    }
    Some(vec![Term::or([body.substitute(var, true.into()), body.substitute(var, false.into())])])
}
