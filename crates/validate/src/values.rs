//! The values that formulas give to variables.

use std::collections::BTreeMap;

use lapidary_expr::{Op, Term, Valuation, Value, Var};
use rustc_hash::FxHashMap;

/// The values that a formula gives to variables by a conjunct `x = value`, `b` or `¬b`.
pub(crate) fn known_values(formula: Term) -> Valuation {
    let mut known = Valuation::new();
    learn(formula, &mut known);
    known
}

/// Adds the values that a formula gives to variables without one.
pub(crate) fn learn(formula: Term, known: &mut Valuation) {
    for (var, value) in formula.conjuncts().into_iter().filter_map(equation) {
        if known.get(var).is_none() {
            known.set(var, value);
        }
    }
}

fn equation(formula: Term) -> Option<(Var, Value)> {
    match (formula.op(), formula.args()) {
        (Op::Var(var), _) => Some((*var, Value::Bool(true))),
        (Op::Not, [arg]) => Some((arg.as_var()?, Value::Bool(false))),
        (Op::Eq, [left, right]) => match (left.as_var(), right.as_var()) {
            (Some(var), _) => Some((var, right.as_lit()?.clone())),
            (_, Some(var)) => Some((var, left.as_lit()?.clone())),
            _ => None,
        },
        _ => None,
    }
}

/// More states than this are not tried one by one.
const MOST_CANDIDATES: usize = 100;

/// Formulas, to be found by the values that they ask for.
pub(crate) struct Index(BTreeMap<Vec<Var>, FxHashMap<Vec<Value>, Vec<Term>>>);

impl Index {
    pub(crate) fn new(formulas: &[Term]) -> Self {
        let mut index = Index(BTreeMap::new());
        for formula in formulas {
            let known = known_values(*formula);
            let (vars, values) = known.iter().map(|(var, value)| (var, value.clone())).unzip();
            let by_values = index.0.entry(vars).or_default();
            by_values.entry(values).or_default().push(*formula);
        }
        index
    }

    /// Formulas that ask for known values only, and for these.
    pub(crate) fn candidates(&self, known: &Valuation) -> impl Iterator<Item = Term> {
        let matching = self.0.iter().filter_map(|(vars, by_values)| {
            let values = vars.iter().map(|var| known.get(*var).cloned());
            by_values.get(&values.collect::<Option<Vec<Value>>>()?)
        });
        matching.flatten().copied().take(MOST_CANDIDATES)
    }
}
