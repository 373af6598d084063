//! Quotients and remainders by constants, defined by a new integer: `t div c` is the `q` with
//! `0 <= t - c·q < |c|`, and `t mod c` is `t - c·q`.
//!
//! The same quotient in several parts is the same variable, so that interpolants may speak of it.

use std::collections::BTreeMap;

use lapidary_expr::{IBig, Op, Sort, Term, Var};

/// Parts without division.
pub(super) struct Definitions {
    parts: Vec<Term>,
    /// What the new variables stand for.
    quotients: BTreeMap<Var, Term>,
}

impl Definitions {
    pub(super) fn of(parts: &[Term]) -> Definitions {
        let mut definitions = Definitions { parts: Vec::new(), quotients: BTreeMap::new() };
        for part in parts {
            let new = definitions.without_division(*part);
            definitions.parts.push(new);
        }
        definitions
    }

    pub(super) fn parts(&self) -> &[Term] {
        &self.parts
    }

    /// A formula about the variables of the parts, with division again.
    pub(super) fn back(&self, mut formula: Term) -> Term {
        // A quotient may stand in the dividend of another.
        while formula.vars().iter().any(|var| self.quotients.contains_key(var)) {
            formula = formula.map_vars(&|var| self.quotients.get(&var).copied());
        }
        formula
    }

    /// Replaces one division after the other, innermost first, until none is left.
    fn without_division(&mut self, part: Term) -> Term {
        let mut result = part;
        let mut sides: Vec<Term> = Vec::new();
        while let Some(division) = innermost(result) {
            let [dividend, divisor] = *division.args() else { break };
            let Some(constant) = divisor.as_int().cloned() else { break };
            let replacement = match division.op() {
                Op::Rem => remainder(dividend, &constant),
                op => {
                    let quotient = self.quotient(dividend, &constant);
                    let rest = dividend.minus(Term::int(constant.clone()).times(quotient));
                    let largest = constant.clone().max(-constant) - IBig::ONE;
                    sides.push(Term::int(0).at_most(rest));
                    sides.push(rest.at_most(Term::int(largest)));
                    if *op == Op::Div { quotient } else { rest }
                }
            };
            result = result.map_terms(&|term| (term == division).then_some(replacement));
        }
        Term::and(std::iter::once(result).chain(sides))
    }

    fn quotient(&mut self, dividend: Term, divisor: &IBig) -> Term {
        let Ok(meaning) = Term::verbatim(Op::Div, vec![dividend, Term::int(divisor.clone())])
        else {
            unreachable!("a quotient of integers")
        };
        let known =
            self.quotients.iter().find(|(_, known)| **known == meaning).map(|(var, _)| *var);
        let var = known.unwrap_or_else(|| {
            let var = Var::new(&format!("quotient#{}", self.quotients.len()), Sort::Int);
            self.quotients.insert(var, meaning);
            var
        });
        Term::var(var)
    }
}

/// The remainder with the sign of the dividend.
fn remainder(dividend: Term, divisor: &IBig) -> Term {
    let modulo =
        |term: Term| Term::app(Op::Mod, vec![term, Term::int(divisor.clone())]).unwrap_or(term);
    Term::int(0).at_most(dividend).ite(modulo(dividend), modulo(dividend.negated()).negated())
}

/// A division by a constant other than zero without another inside.
fn innermost(term: Term) -> Option<Term> {
    let is_division = |term: Term| {
        matches!(term.op(), Op::Div | Op::Mod | Op::Rem)
            && term.args()[1].as_int().is_some_and(|value| !value.is_zero())
    };
    let mut found = None;
    let mut seen = rustc_hash::FxHashSet::default();
    let mut pending = vec![term];
    while let Some(term) = pending.pop() {
        if !seen.insert(term) {
            continue;
        }
        if is_division(term) {
            found = Some(term);
            pending.clear();
        }
        pending.extend(term.args());
    }
    found
}
