//! Proofs for people.

use std::collections::BTreeMap;
use std::fmt::Write;

use lapidary_expr::{Term, Var};
use lapidary_frontend::Task;
use lapidary_model::{Cfa, Contract, Inlined, Loc, ProgramProof, Proof};

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
    match &proof.program {
        Some(ProgramProof::Run { .. }) => return RUN.into(),
        Some(ProgramProof::Contracts(contracts)) => {
            let n = number(contracts.len(), "contract");
            return format!("Proof: {n}, one for each procedure; `--invariant` prints them.\n");
        }
        None => {}
    }
    match headline(cfa, proof) {
        Ok(headline) => format!("{headline}; `--invariant` prints them.\n"),
        Err(reason) => reason,
    }
}

/// What is said of a program with one run.
const RUN: &str = "Proof: the program has one run, and it ends without an error.\n";

/// The contract of each procedure, over `x!entered` for the value of `x` at its entry.
fn contracts(inlined: &Inlined, contracts: &[Contract]) -> String {
    let mut text = format!("Proof: {}.\n", number(contracts.len(), "contract"));
    let named = |formula: Term| {
        let entered = |var: Var| Var::new(&format!("{}!entered", var.name()), var.sort());
        readable::term(
            formula.map_vars(&|var| (var.version() > 0).then(|| Term::var(entered(var)))),
        )
    };
    for contract in contracts {
        let name = &inlined.program().procedure(contract.procedure).name;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n  {name}");
        let _ = writeln!(text, "    is entered with  {}", named(contract.pre));
        let _ = writeln!(text, "    returns with     {}", named(contract.post));
    }
    text
}

/// The invariant of each location.
pub(crate) fn invariants(task: &Task, proof: &Proof) -> String {
    match (&proof.program, task.model.program()) {
        (Some(ProgramProof::Run { .. }), _) => return RUN.into(),
        (Some(ProgramProof::Contracts(all)), Some(inlined)) => return contracts(inlined, all),
        _ => {}
    }
    let cfa = task.cfa();
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
