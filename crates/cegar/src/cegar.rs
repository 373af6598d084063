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
use crate::precision::PrecisionMap;
use crate::refinement::{Refinement, Refiner};
use crate::search::Search;
use crate::{Domain, Event, Observer, Result};

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

/// Runs the loop from the given precision, which it refines.
pub fn cegar<D: Domain>(
    cfa: &Cfa,
    domain: &mut D,
    search: Search,
    refiner: &mut Refiner<'_>,
    prec: &mut PrecisionMap<D::Prec>,
    observer: &mut dyn Observer,
) -> Result<Outcome> {
    let mut arg: ArgOf<D> = Arg::new(cfa, domain.top());
    let outcome = run(cfa, domain, search, refiner, prec, &mut arg, observer);
    observer.graph(&|| crate::arg::dot::to_dot(cfa, &arg, |state| domain.expr(state)));
    outcome
}

fn run<D: Domain>(
    cfa: &Cfa,
    domain: &mut D,
    search: Search,
    refiner: &mut Refiner<'_>,
    prec: &mut PrecisionMap<D::Prec>,
    arg: &mut ArgOf<D>,
    observer: &mut dyn Observer,
) -> Result<Outcome> {
    let mut abstractor = Abstractor::new::<D>(cfa, search, arg);
    loop {
        let exploration = abstractor.explore(domain, prec, arg)?;
        observer.event(&Event::Explored { nodes: arg.len(), result: exploration });
        let Exploration::Unsafe(node) = exploration else {
            return Ok(Outcome::Safe(arg.to_proof(|state| domain.expr(state))));
        };
        let length = arg.depth(node) as usize;
        match refiner.refine(domain, node, prec, arg)? {
            Refinement::Unsafe(execution) => return Ok(Outcome::Unsafe(execution)),
            Refinement::NoProgress => return Ok(Outcome::NoProgress(length)),
            Refinement::Spurious(again) => {
                observer.event(&Event::Refined {
                    length,
                    precision: prec.size(),
                    nodes: arg.len(),
                });
                again.into_iter().for_each(|node| abstractor.wait::<D>(arg, node));
            }
        }
    }
}
