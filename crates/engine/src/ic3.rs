//! IC3, also called property directed reachability, for systems of truth values.
//!
//! Frames `F[0], F[1], …` contain the states that can be reached in so many steps. States from which a bad one can be
//! reached are excluded from them one cube at a time, each by a query about one step; nothing is unrolled.
//!
//! ```text
//! if an initial state is bad: unsafe
//! for K = 1, 2, …:
//!     while F[K] has a bad state: block it, or there is a counterexample        (block.rs, generalize.rs, lift.rs)
//!     move lemmas to higher frames; if two frames are equal: safe               (propagate.rs)
//! ```
//!
//! A. R. Bradley, *SAT-Based Model Checking without Unrolling*, VMCAI 2011; N. Eén, A. Mishchenko & R. Brayton,
//! *Efficient Implementation of Property Directed Reachability*, FMCAD 2011. The files name what else they follow.
//!
//! The SAT solver is `lapidary-sat`. Nothing here is trusted: proofs and executions are validated as those of any other
//! method.

mod aig;
mod block;
mod circuit;
mod clauses;
mod cube;
mod evidence;
mod frames;
mod generalize;
mod initial;
mod lift;
mod obligations;
mod propagate;
mod query;
#[cfg(test)]
mod tests;

use lapidary_cegar::Config;
use lapidary_model::Cfa;
use lapidary_sat::Lit;
use lapidary_solver::{Backend, Stop};

use crate::{Budget, Claim, Engine, Event, Evidence, Input, Observer, Problem, Result, Unknown};
use circuit::Circuit;
use clauses::Clauses;
use frames::{Activity, Frames};
use initial::Initial;
use lift::Lifter;
use obligations::Obligations;
use query::{Meter, Stopped};

/// IC3 over a system of truth values.
#[derive(Debug)]
pub struct Ic3;

impl Engine for Ic3 {
    fn name(&self) -> &'static str {
        "ic3"
    }

    fn title(&self, _config: &Config) -> String {
        "IC3".into()
    }

    fn takes(&self) -> Input {
        Input::Systems
    }

    fn finds(&self) -> Evidence {
        Evidence::Both
    }

    fn run(
        &self,
        problem: &Problem<'_>,
        budget: &Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Claim> {
        ic3(problem.cfa, budget.backend()?, observer)
    }
}

/// Decides whether the error location of a system of truth values can be reached.
fn ic3(cfa: &Cfa, backend: &dyn Backend, observer: &mut dyn Observer) -> Result<Claim> {
    backend.check()?;
    let Some(circuit) = Circuit::new(cfa) else { return Ok(Claim::Nothing(Unknown::NoBits)) };
    match Run::new(cfa, circuit, backend).check(observer) {
        Ok(claim) => Ok(claim),
        Err(Stopped) => {
            backend.check()?;
            Err(Stop::Solver("a query was stopped without a reason".into()))
        }
    }
}

/// The state of the search.
struct Run<'a> {
    cfa: &'a Cfa,
    circuit: Circuit,
    clauses: Clauses,
    frames: Frames,
    initial: Initial,
    lifter: Lifter,
    obligations: Obligations,
    activity: Activity,
    meter: Meter<'a>,
    /// The next value of each latch.
    nexts: Vec<Lit>,
    /// The conditions of steps.
    conditions: Vec<Lit>,
    /// The conditions of bad frames.
    bad: Vec<Lit>,
    /// What steps leave open, and what bad frames leave open.
    step_leaves: Vec<Lit>,
    bad_leaves: Vec<Lit>,
    /// By literal; all false between queries.
    marks: Vec<bool>,
}

impl<'a> Run<'a> {
    fn new(cfa: &'a Cfa, circuit: Circuit, backend: &'a dyn Backend) -> Self {
        let latches: Vec<Lit> = circuit.latches.iter().map(|latch| latch.current).collect();
        let facts = circuit.invariants.iter().map(|(_, edge)| *edge);
        let mut roots: Vec<Lit> = circuit.latches.iter().map(|latch| latch.next).collect();
        roots.extend(circuit.step.assumed.iter().chain(&circuit.bad.assumed).copied().chain(facts));
        // The gates of the first edge come last: in most systems there are none.
        roots.extend(circuit.latches.iter().map(|latch| latch.first));
        roots.extend(&circuit.first.assumed);
        let clauses = Clauses::new(&circuit.aig, &latches, &roots);
        let all = |edges: &mut dyn Iterator<Item = Lit>| -> Vec<Lit> {
            edges.map(|edge| clauses.literal(edge)).collect()
        };
        let gates = clauses.solver.clone();
        let mut base = gates.clone();
        for fact in all(&mut circuit.invariants.iter().map(|(_, edge)| *edge)) {
            base.add_clause(&[fact]);
            base.include(fact.var());
        }
        let initial = Initial::new(&circuit, &clauses, &base);
        Run {
            cfa,
            nexts: all(&mut circuit.latches.iter().map(|latch| latch.next)),
            conditions: all(&mut circuit.step.assumed.iter().copied()),
            bad: all(&mut circuit.bad.assumed.iter().copied()),
            step_leaves: evidence::leaves(&circuit.step.open),
            bad_leaves: evidence::leaves(&circuit.bad.open),
            marks: vec![false; 2 * gates.n_vars()],
            frames: Frames::new(base, initial.solver().clone()),
            lifter: Lifter::new(&circuit.aig, latches.into_iter(), gates),
            activity: Activity::new(circuit.latches.len()),
            obligations: Obligations::default(),
            meter: Meter(backend),
            initial,
            circuit,
            clauses,
        }
    }

    fn check(&mut self, observer: &mut dyn Observer) -> std::result::Result<Claim, Stopped> {
        if self.is_bad(0)? {
            let bad = self.bad_states(0)?;
            self.obligations.push(bad, 0);
            return self.execution(0).map(Claim::Execution);
        }
        loop {
            self.frames.extend();
            let last = self.frames.last();
            observer.event(&Event::Unrolled { depth: last });
            if last > 1
                && let Some(level) = self.propagate()?
            {
                return Ok(Claim::Proof(self.proof(level + 1)));
            }
            if let Some(first) = self.block()? {
                return self.execution(first).map(Claim::Execution);
            }
            while self.is_bad(last)? {
                let bad = self.bad_states(last)?;
                self.obligations.push(bad, last);
                if let Some(first) = self.block()? {
                    return self.execution(first).map(Claim::Execution);
                }
            }
        }
    }
}
