//! Formulas over words as formulas over their bits, where that is better than to reason about words.
//!
//! Floating-point numbers are circuits of shifts by unknown distances, and of products and quotients of unknown numbers. An
//! SMT solver knows nothing better than to look at their bits either, and takes longer.

use lapidary_expr::bits::{Blaster, n_bits, value_of};
use lapidary_expr::{Sort, Term, Value, Var};
use rustc_hash::FxHashMap;

use crate::hard::n_hard;

/// With so many operators that are hard to reason about, bits are better.
const HARD: usize = 4;

/// More gates are too many.
const MOST_GATES: usize = 4_000_000;

/// What is known about formulas.
#[derive(Default)]
pub(super) struct Words {
    blaster: Option<Blaster<'static>>,
    /// How many hard operators there are in a formula.
    hard: FxHashMap<Term, usize>,
}

impl Words {
    /// The formulas as formulas over bits; none if they are not about bits alone, are easy, or would be too large.
    pub(super) fn bits(
        &mut self,
        formulas: impl Iterator<Item = Term> + Clone,
    ) -> Option<Vec<Term>> {
        let is_word = |var: &Var| matches!(var.sort(), Sort::Bool | Sort::Bv(_));
        if !formulas.clone().all(|formula| formula.vars().iter().all(is_word)) {
            return None;
        }
        let hard: usize = formulas.clone().map(|formula| self.n_hard(formula)).sum();
        if hard < HARD {
            return None;
        }
        let bits = self.blasted(formulas.clone());
        bits.or_else(|| {
            // Perhaps there were too many others before.
            self.blaster = None;
            self.blasted(formulas)
        })
    }

    fn blasted(&mut self, mut formulas: impl Iterator<Item = Term>) -> Option<Vec<Term>> {
        let blaster = self.blaster.get_or_insert_with(|| Blaster::new(&bits_of_var, MOST_GATES));
        formulas.try_fold(Vec::new(), |mut all, formula| {
            all.push(blaster.truth(formula)?);
            Some(all)
        })
    }

    fn n_hard(&mut self, formula: Term) -> usize {
        *self.hard.entry(formula).or_insert_with(|| n_hard(formula))
    }
}

/// The bits of a variable. No name of a program has a space in it.
fn bits_of_var(var: Var) -> Vec<Term> {
    if var.sort() == Sort::Bool {
        return vec![var.into()];
    }
    (0..n_bits(var.sort()).unwrap_or(0)).map(|i| bit(var, i).into()).collect()
}

fn bit(var: Var, i: usize) -> Var {
    Var::new(&format!("{} bit {i}", var.name()), Sort::Bool).at(var.version())
}

/// The value of a variable whose bits have these.
pub(super) fn value(var: Var, truth: impl Fn(Var) -> bool) -> Value {
    let n = n_bits(var.sort()).unwrap_or(0);
    match var.sort() {
        Sort::Bv(_) => {
            value_of(var.sort(), &(0..n).map(|i| truth(bit(var, i))).collect::<Vec<_>>())
        }
        sort => Value::default_of(sort),
    }
}
