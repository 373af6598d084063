//! Proofs for people.

use std::collections::BTreeMap;
use std::fmt::Write;

use lapidary_expr::Term;
use lapidary_model::{Cfa, Loc, Proof};

use crate::number;
use crate::readable;

/// What a proof says about a location.
pub(crate) struct Invariant {
    pub(crate) loc: Loc,
    /// The number of its abstract states there.
    pub(crate) n_states: usize,
    /// Their disjunction.
    pub(crate) formula: Term,
}

/// What a proof says, by location. (`Proof::invariant` would go through the proof for each location.)
pub(crate) fn by_location(proof: &Proof) -> Vec<Invariant> {
    let mut formulas: BTreeMap<Loc, Vec<Term>> = BTreeMap::new();
    for state in &proof.states {
        formulas.entry(state.loc).or_default().push(state.formula);
    }
    let invariant = |(loc, formulas): (Loc, Vec<Term>)| Invariant {
        loc,
        n_states: formulas.len(),
        formula: Term::or(formulas),
    };
    formulas.into_iter().map(invariant).collect()
}

/// One line about the proof.
pub(crate) fn summary(cfa: &Cfa, proof: &Proof) -> String {
    match headline(cfa, proof) {
        Ok(headline) => format!("{headline}; `--invariant` prints them.\n"),
        Err(reason) => reason,
    }
}

/// The invariant of each location.
pub(crate) fn invariants(cfa: &Cfa, proof: &Proof) -> String {
    let mut text = match headline(cfa, proof) {
        Ok(headline) => format!("{headline}. What holds there:\n\n"),
        Err(reason) => return reason,
    };
    let invariants = by_location(proof);
    let width =
        invariants.iter().map(|at| cfa.loc_name(at.loc).chars().count()).max().unwrap_or(0).min(30);
    let mut line = |name: &str, case: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {name:<width$}  {case}");
    };
    for Invariant { loc, formula, .. } in &invariants {
        let name = cfa.loc_name(*loc);
        match &formula.disjuncts()[..] {
            [] => line(name, "false"),
            [first, others @ ..] => {
                line(name, &readable::term(*first));
                others.iter().for_each(|other| line("", &format!("or {}", readable::term(*other))));
            }
        }
    }
    text
}

/// How large the proof is, or why there is nothing to prove.
fn headline(cfa: &Cfa, proof: &Proof) -> Result<String, String> {
    let Some(error) = cfa.error() else {
        return Err("Proof: the automaton has no error location.\n".into());
    };
    if proof.states.is_empty() {
        let error = cfa.loc_name(error);
        return Err(format!(
            "Proof: no path of the automaton leads to the error location `{error}`.\n"
        ));
    }
    let locations = by_location(proof).len();
    let by_induction = match proof.induction {
        0 => String::new(),
        k => format!("by induction over {}, with ", number(k, "step")),
    };
    Ok(format!(
        "Proof: {by_induction}{} at {locations} of {}",
        number(proof.states.len(), "abstract state"),
        number(cfa.n_locs(), "location")
    ))
}
