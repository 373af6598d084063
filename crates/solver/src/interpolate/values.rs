//! Values: where a path determines what variables are, that is all there is to say.
//!
//! Forward, a variable that equals a term of known values is known, until a conjunct has the value `false`. Backward, only
//! those stay that the contradiction depends on. No solver is asked, which would have to reason about what has only to
//! be computed.

use lapidary_expr::{Op, Term, Valuation, Value, Var, VarSet};

use crate::hard::n_hard;

/// A path with fewer operators that are hard to reason about is left to the solver.
const HARD: usize = 4;

/// A variable that is known: since which part, its value, and which others it was computed from.
struct Known {
    part: usize,
    var: Var,
    from: Vec<Var>,
}

/// The interpolants of a path that contradicts itself by values, if it is hard to reason about.
pub(super) fn sequence(parts: &[Term]) -> Option<Vec<Term>> {
    if parts.iter().map(|part| n_hard(*part)).sum::<usize>() < HARD {
        return None;
    }
    let mut values = Valuation::new();
    let mut known: Vec<Known> = Vec::new();
    for (part, formula) in parts.iter().enumerate() {
        let mut open = formula.conjuncts();
        loop {
            let n = open.len();
            let mut is_false = None;
            open.retain(|conjunct| match learned(*conjunct, &values) {
                Learned::Nothing => true,
                Learned::Value(var, value) => {
                    let from = used(*conjunct, &values);
                    values.set(var, value);
                    known.push(Known { part, var, from });
                    // It may say something about others, too, or contradict what it said.
                    false
                }
                Learned::True => false,
                Learned::False => {
                    is_false.get_or_insert(*conjunct);
                    false
                }
            });
            if let Some(conjunct) = is_false {
                let needed = used(conjunct, &values).into_iter().collect();
                return Some(interpolants(parts.len(), part, needed, &known, &values));
            }
            if open.len() == n {
                break;
            }
        }
    }
    None
}

/// What a conjunct says, given values.
enum Learned {
    Nothing,
    True,
    False,
    Value(Var, Value),
}

fn learned(conjunct: Term, values: &Valuation) -> Learned {
    match conjunct.holds(values) {
        Some(true) => return Learned::True,
        Some(false) => return Learned::False,
        None => {}
    }
    let unknown = |term: Term| term.as_var().filter(|var| values.get(*var).is_none());
    match (conjunct.op(), conjunct.args()) {
        (Op::Var(var), _) => Learned::Value(*var, Value::Bool(true)),
        (Op::Not, [arg]) if unknown(*arg).is_some() => {
            unknown(*arg).map_or(Learned::Nothing, |var| Learned::Value(var, Value::Bool(false)))
        }
        (Op::Eq, [left, right]) => {
            let sides = [(*left, *right), (*right, *left)];
            let known =
                sides.into_iter().find_map(|(var, term)| Some((unknown(var)?, term.eval(values)?)));
            known.map_or(Learned::Nothing, |(var, value)| Learned::Value(var, value))
        }
        _ => Learned::Nothing,
    }
}

/// The variables of a formula that are known.
fn used(formula: Term, values: &Valuation) -> Vec<Var> {
    formula.vars().iter().copied().filter(|var| values.get(*var).is_some()).collect()
}

/// What is known at each cut and needed after it; `false` once the contradiction is there.
fn interpolants(
    n_parts: usize,
    last: usize,
    mut needed: VarSet,
    known: &[Known],
    values: &Valuation,
) -> Vec<Term> {
    let mut itps: Vec<Term> = vec![false.into(); n_parts - 1];
    let mut known = known.iter().rev().peekable();
    for cut in (0..last).rev() {
        // What became known after the cut is computed from what was before.
        while let Some(Known { var, from, .. }) = known.next_if(|known| known.part > cut) {
            if needed.remove(var) {
                needed.extend(from);
            }
        }
        let equation =
            |var: &Var| values.get(*var).map(|value| Term::var(*var).equals(value.clone().into()));
        itps[cut] = Term::and(needed.iter().filter_map(equation));
    }
    itps
}
