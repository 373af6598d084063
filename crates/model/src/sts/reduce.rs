//! Smaller systems with the same verdict: without latches that never change, and without what cannot
//! influence the property.
//!
//! A variable is constant if it starts with a value that its function gives it again, whatever the inputs,
//! as long as the others in the set are constant: the largest such set is found by starting with all
//! variables that have an initial value and dropping those that change until none does. The cone of influence
//! is what the property, the constraints and the guard mention, and what the functions of that mention.
//! Neither is attempted where the transition is a relation: a relation may block.
//!
//! The automaton of the smaller system has the same locations and edges. Its proofs hold for the whole system
//! together with the constants; its executions are completed by the functions of what was left out.

use std::collections::BTreeSet;
use std::sync::Arc;

use lapidary_expr::{Term, Valuation, Value, Var, VarSet};
use rustc_hash::{FxHashMap, FxHashSet};

use super::conditions::Conditions;
use super::solve::conjuncts;
use super::{Property, Sts, System, Trace, Transition};
use crate::cfa::{Cfa, InvalidCfa};
use crate::execution::Execution;
use crate::pass::BackTranslate;
use crate::proof::Proof;

/// A reduced system, and the way back to the whole one.
pub struct Reduction {
    reduced: System,
    constants: Valuation,
    whole: Arc<System>,
}

/// The system reduced for its property.
pub fn reduce(whole: &Arc<System>) -> Result<Reduction, InvalidCfa> {
    let sts = whole.sts();
    let constants = constants(sts);
    let mut reduced = substituted(sts, whole.property(), &constants);
    let mut conditions = sts.conditions().with(&|var| literal(&constants, var));
    keep(&mut reduced, &mut conditions);
    // What only now defines a variable was no definition for the whole system, so that the variable was kept.
    conditions.solve();
    let reduced = System::with_conditions(Arc::new(reduced), 0, &conditions)?;
    Ok(Reduction { reduced, constants, whole: Arc::clone(whole) })
}

impl Reduction {
    /// The reduced system.
    pub fn system(&self) -> &System {
        &self.reduced
    }

    /// The automaton of the reduced system.
    pub fn cfa(&self) -> &Cfa {
        self.reduced.cfa()
    }
}

impl BackTranslate for Reduction {
    fn execution(&self, execution: Execution) -> Execution {
        if matches!(self.whole.sts().step, Transition::Relation(_)) {
            return execution;
        }
        match Trace::of_execution(&self.reduced, &execution) {
            Ok(trace) => {
                trace.completed(self.whole.sts(), &self.constants).to_execution(&self.whole)
            }
            // No execution of the reduced system is one of the whole: validation says so.
            Err(_) => execution,
        }
    }

    fn proof(&self, mut proof: Proof) -> Proof {
        // The two automata have the same locations.
        let (facts, run) = (self.constants.to_term(), self.reduced.run());
        for state in proof.states.iter_mut().filter(|state| state.loc == run) {
            state.formula = Term::and([state.formula, facts]);
        }
        proof
    }
}

/// The variables that never change, with their values.
fn constants(sts: &Sts) -> Valuation {
    let Transition::Functions { next, .. } = &sts.step else { return Valuation::new() };
    let functions: FxHashMap<Var, Term> = next.iter().copied().collect();
    let conditions = sts.conditions();
    let mut known: Valuation = conditions
        .initial
        .iter()
        .filter(|(var, _)| functions.contains_key(var))
        .filter_map(|(var, term)| Some((*var, term.as_lit()?.clone())))
        .collect();
    let mut readers: FxHashMap<Var, Vec<Var>> = FxHashMap::default();
    for (var, term) in next.iter().filter(|(var, _)| known.get(*var).is_some()) {
        term.vars().iter().for_each(|read| readers.entry(*read).or_default().push(*var));
    }
    let mut pending: BTreeSet<Var> = known.iter().map(|(var, _)| var).collect();
    while !pending.is_empty() {
        let vars: Vec<Var> = pending.into_iter().filter(|var| known.get(*var).is_some()).collect();
        let terms: Vec<Term> = vars.iter().map(|var| functions[var]).collect();
        let values = Term::eval_all(&terms, &known);
        let changes =
            |(var, value): (Var, Option<Value>)| (known.get(var) != value.as_ref()).then_some(var);
        let changed: Vec<Var> = vars.into_iter().zip(values).filter_map(changes).collect();
        changed.iter().for_each(|var| known.forget(*var));
        pending = changed.iter().filter_map(|var| readers.get(var)).flatten().copied().collect();
    }
    known
}

fn literal(constants: &Valuation, var: Var) -> Option<Term> {
    constants.get(var).map(|value| Term::lit(value.clone()))
}

/// The system with the constants put in and without their variables, asked about one property.
fn substituted(sts: &Sts, property: &Property, constants: &Valuation) -> Sts {
    let value = |var: Var| literal(constants, var);
    let all = |terms: &[Term]| Term::map_vars_all(terms, &value);
    let is_kept = |var: &Var| constants.get(*var).is_none();
    let step = match &sts.step {
        Transition::Relation(formula) => Transition::Relation(*formula),
        Transition::Functions { guard, next } => {
            let kept: Vec<(Var, Term)> =
                next.iter().filter(|(var, _)| is_kept(var)).copied().collect();
            let terms: Vec<Term> = kept.iter().map(|(_, term)| *term).chain([*guard]).collect();
            let mut terms = all(&terms);
            let guard = terms.pop().unwrap_or_else(|| true.into());
            Transition::Functions {
                guard,
                next: kept.iter().map(|(var, _)| *var).zip(terms).collect(),
            }
        }
    };
    let Property { name, bad, position } = property;
    Sts {
        name: sts.name.clone(),
        vars: sts.vars.iter().filter(|var| is_kept(var)).copied().collect(),
        inputs: sts.inputs.clone(),
        init: all(&sts.init).into_iter().flat_map(conjuncts).collect(),
        constraints: all(&sts.constraints),
        step,
        properties: vec![Property {
            name: name.clone(),
            bad: bad.map_vars(&value),
            position: *position,
        }],
    }
}

/// Drops what cannot influence the only property.
fn keep(sts: &mut Sts, conditions: &mut Conditions) {
    let Transition::Functions { guard, next } = &sts.step else { return };
    let mut sources: FxHashMap<Var, Vec<Term>> = FxHashMap::default();
    for (var, term) in next.iter().chain(&conditions.initial) {
        sources.entry(*var).or_default().push(*term);
    }
    let roots = sts.properties.iter().map(|property| property.bad).chain([*guard]);
    let mut needed: VarSet = VarSet::new();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut pending: Vec<Term> = roots
        .chain(sts.constraints.iter().copied())
        .chain(conditions.first.iter().copied())
        .collect();
    while let Some(term) = pending.pop() {
        if !seen.insert(term) {
            continue;
        }
        for var in term.vars() {
            if needed.insert(*var) {
                pending.extend(sources.get(var).into_iter().flatten());
            }
        }
    }
    let is_needed = |var: &Var| needed.contains(var);
    let next = next.iter().filter(|(var, _)| is_needed(var)).copied().collect();
    sts.step = Transition::Functions { guard: *guard, next };
    sts.vars.retain(is_needed);
    sts.inputs.retain(is_needed);
    conditions.initial.retain(|(var, _)| is_needed(var));
    sts.init.retain(|term| term.vars().iter().all(is_needed));
}
