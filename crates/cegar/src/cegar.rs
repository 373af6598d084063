//! The CEGAR loop: Algorithm 3 of the first paper.
//!
//! ```text
//! ARG ← (N ← (l₀, ⊤), E ← ∅, C ← ∅);  π_L ← π_L0
//! while true
//!     result, ARG ← Abstraction(ARG, l_E, D_L, π_L, T_L)
//!     if result = safe          return safe
//!     result, π_L, ARG ← Refinement(ARG, l_E, π_L)
//!     if result = unsafe        return unsafe
//! ```

use lapidary_model::{Cfa, Execution, Proof};

use crate::abstraction::{Abstractor, ArgOf, Exploration};
use crate::arg::Arg;
use crate::observer::Step;
use crate::precision::PrecisionMap;
use crate::refinement::{Refinement, Refiner};
use crate::search::Search;
use crate::{Domain, Observer, Result};

/// What the loop ended with.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// No error, and the graph that shows it as a proof.
    Safe(Proof),
    /// An error.
    Unsafe(Execution),
    /// Refinement got stuck on a counterexample of that many steps.
    NoProgress(usize),
}

/// Runs the loop from the given precision, which it refines, with so many counterexamples per iteration.
pub fn cegar<D: Domain>(
    cfa: &Cfa,
    domain: &mut D,
    (search, most_errors): (Search, usize),
    refiner: &mut Refiner<'_>,
    prec: &mut PrecisionMap<D::Prec>,
    observer: &mut dyn Observer,
) -> Result<Outcome> {
    if observer.is_curious() {
        refiner.tell_all();
    }
    let mut arg: ArgOf<D> = Arg::new(cfa, domain.top());
    let mut abstractor = Abstractor::new::<D>(cfa, search, most_errors, &arg);
    let outcome = run(domain, &mut abstractor, refiner, prec, &mut arg, observer);
    observer.graph(&|| crate::arg::dot::to_dot(cfa, &arg, |state| domain.expr(state)));
    outcome
}

fn run<D: Domain>(
    domain: &mut D,
    abstractor: &mut Abstractor<'_>,
    refiner: &mut Refiner<'_>,
    prec: &mut PrecisionMap<D::Prec>,
    arg: &mut ArgOf<D>,
    observer: &mut dyn Observer,
) -> Result<Outcome> {
    loop {
        let exploration = abstractor.explore(domain, prec, arg)?;
        observer.step(&Step::Explored {
            nodes: arg.len(),
            explored: abstractor.take_explored(),
            result: exploration.clone(),
        });
        let Exploration::Unsafe(errors) = exploration else {
            return Ok(Outcome::Safe(arg.to_proof(|state| domain.expr(state))));
        };
        let length = arg.depth(errors[0]) as usize;
        let refinement = refiner.refine(domain, &errors, prec, arg);
        refiner.take_stories().iter().for_each(|story| observer.refuted(story));
        match refinement? {
            Refinement::Unsafe(execution) => return Ok(Outcome::Unsafe(execution)),
            Refinement::NoProgress => return Ok(Outcome::NoProgress(length)),
            Refinement::Spurious(again) => {
                observer.step(&Step::Refined { length, precision: prec.size(), nodes: arg.len() });
                again.into_iter().for_each(|node| abstractor.wait::<D>(arg, node));
            }
        }
    }
}
