//! Entailments across one step, asked once for all rounds of a loop.
//!
//! Whether `I ∧ A` implies `J` does not depend on the versions of the variables, and the steps of an unrolled
//! loop differ in nothing else. An entailment is known by its terms with the versions of each variable counted
//! from its smallest one there, which renames variables apart from each other and so keeps the answer.

use std::collections::BTreeMap;

use lapidary_expr::{Term, Var};
use rustc_hash::FxHashMap;

use crate::{Result, Solver};

/// What is known about steps.
#[derive(Default)]
pub(crate) struct Steps {
    known: FxHashMap<(Term, Term), bool>,
}

impl Steps {
    /// Whether `premise` implies `conclusion`. The solver, asked if that is not known, must have no assertions.
    pub(crate) fn entails<S: Solver + ?Sized>(
        &mut self,
        solver: &mut S,
        premise: Term,
        conclusion: Term,
    ) -> Result<bool> {
        let step = renumbered(premise, conclusion);
        if let Some(known) = self.known.get(&step) {
            return Ok(*known);
        }
        let answer = solver.entails(step.0, step.1)?;
        self.known.insert(step, answer);
        Ok(answer)
    }
}

/// The terms with versions that begin at zero, for each variable by itself.
fn renumbered(premise: Term, conclusion: Term) -> (Term, Term) {
    let mut smallest: BTreeMap<Var, u32> = BTreeMap::new();
    for var in premise.vars().iter().chain(conclusion.vars()) {
        let least = smallest.entry(var.base()).or_insert(var.version());
        *least = var.version().min(*least);
    }
    if smallest.values().all(|least| *least == 0) {
        return (premise, conclusion);
    }
    let renumber = |var: Var| match smallest.get(&var.base()) {
        Some(least) if *least > 0 => Some(Term::var(var.at(var.version() - least))),
        _ => None,
    };
    let terms = Term::map_vars_all(&[premise, conclusion], &renumber);
    (terms[0], terms[1])
}

#[cfg(test)]
mod tests {
    use lapidary_expr::Sort;

    use super::*;
    use crate::Backend;
    use crate::limits::Watch;
    use crate::wrap::{Counted, Counts};
    use crate::z3::Z3;

    #[test]
    fn a_round_of_a_loop_is_asked_once() {
        let z3 = Z3::new(&Watch::default()).unwrap();
        let var = |name: &str, version| Term::var(Var::new(name, Sort::Int).at(version));
        // x counts from its third version and y from its first: their distance does not matter.
        let step = |x: u32, y: u32, bound: i64| {
            let small = var("x", x).at_most(Term::int(bound));
            let moved = var("x", x + 1).equals(var("x", x).plus(var("y", y)));
            (Term::and([small, moved, var("y", y).at_most(Term::int(0))]), var("x", x + 1))
        };
        let counts = Counts::default();
        let mut solver = Counted::new(z3, &counts).solver();
        let mut steps = Steps::default();
        for (x, y) in [(3, 1), (4, 1), (7, 0)] {
            let (premise, next) = step(x, y, 5);
            assert!(steps.entails(&mut *solver, premise, next.at_most(Term::int(5))).unwrap());
            assert!(!steps.entails(&mut *solver, premise, next.at_most(Term::int(4))).unwrap());
        }
        assert_eq!(counts.calls(), 2);
        // What differs in more than versions is another question.
        let (premise, next) = step(3, 1, 6);
        assert!(!steps.entails(&mut *solver, premise, next.at_most(Term::int(5))).unwrap());
    }
}
