//! Programs with their calls: procedures are summed up, or the only run is run.
//!
//! Inlining bounds the depth of recursion, and copies a procedure for each call. Here a procedure is one thing: Horn clauses
//! with a relation for what it is called with and one for what it does ([`summaries()`]) lead to contracts that prove a
//! program safe whatever the depth. A program that leaves nothing open that matters has one run, and the validator runs it.

mod prune;
mod ranges;
mod summaries;
mod visible;

use lapidary_model::{Program, ProgramProof, Proof};
use lapidary_solver::limits::Watch;
use lapidary_solver::{Backend, Result};
use lapidary_validate::{Rejection, validate_program_proof};

use crate::{Unknown, Verdict};
pub use summaries::{Solved, summaries};

/// How long to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Before calls are inlined: what is found soon.
    Little,
    /// Afterwards: as long as the limits allow.
    All,
}

impl Effort {
    /// The steps of the only run.
    fn steps(self) -> u64 {
        match self {
            Effort::Little => 100_000,
            Effort::All => 20_000_000,
        }
    }

    /// The work for contracts; for a little, a second or some more.
    fn work(self) -> Option<u64> {
        match self {
            Effort::Little => Some(8_000_000),
            Effort::All => None,
        }
    }
}

/// Makes solvers within limits and budgets.
pub type Solvers<'a> = dyn Fn(&Watch) -> Result<Box<dyn Backend>> + 'a;

/// A validated proof about a program with its calls, or why there is none.
pub fn decide(
    program: &Program,
    effort: Effort,
    watch: &Watch,
    solvers: &Solvers<'_>,
    judge: &dyn Backend,
) -> Verdict {
    let run = ProgramProof::Run { steps: effort.steps() };
    match validate_program_proof(program, &run, &mut *judge.solver()) {
        Ok(_) => return Verdict::Safe(Proof::of_program(run)),
        Err(Rejection::Evidence(_)) => {}
        Err(Rejection::Stop(stop)) => return Verdict::Unknown(stop.into()),
    }
    let watch = effort.work().map_or_else(|| watch.clone(), |work| watch.with_work(work));
    let solved = solvers(&watch).and_then(|backend| summaries(program, &*backend));
    let proof = match solved {
        Ok(Solved::Safe(proof)) => proof,
        Ok(Solved::Unsafe) => return Verdict::Unknown(Unknown::NoSolution),
        Err(stop) => return Verdict::Unknown(stop.into()),
    };
    match validate_program_proof(program, &proof, &mut *judge.solver()) {
        Ok(_) => Verdict::Safe(Proof::of_program(proof)),
        Err(Rejection::Stop(stop)) => Verdict::Unknown(stop.into()),
        Err(Rejection::Evidence(problem)) => {
            Verdict::Unknown(Unknown::Internal(format!("the contracts are not valid: {problem}")))
        }
    }
}
