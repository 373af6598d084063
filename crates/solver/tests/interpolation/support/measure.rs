//! One engine on one unrolled loop: what it answers, what that costs, and what it is worth.

use std::time::Duration;

use lapidary_expr::Term;
use lapidary_solver::interpolate::{Engine, interpolator};
use lapidary_solver::limits::{Limits, Watch, attempt, cpu_time};
use lapidary_solver::{Interpolants, Interpolator, Stop};

use super::abstraction::{Worth, predicates, worth};
use super::loops::Loop;
use super::{mistake, z3};

/// CPU time for the abstraction with one sequence.
const ABSTRACTION: Duration = Duration::from_secs(10);

/// A sequence, or why there is none, and its CPU time.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) result: Result<Vec<Term>, Stop>,
    pub(crate) time: Duration,
}

/// Asks `engine` for interpolants, within the budget of CPU time.
pub(crate) fn run(engine: Engine, parts: &[Term], budget: Duration) -> Run {
    let start = cpu_time();
    let limits = Limits { cpu: Some(start + budget), ..Limits::default() };
    let result =
        attempt(&limits, |watch| match interpolator(engine, &z3(watch)).interpolate(parts)? {
            Interpolants::Unsat(itps) => Ok(itps),
            Interpolants::Sat(model) => panic!("a contradiction has the model {model:?}"),
        });
    Run { result, time: cpu_time().saturating_sub(start) }
}

/// A run, checked and judged.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) run: Run,
    /// What is wrong with the sequence, if there is one and something is.
    pub(crate) mistake: Option<String>,
    pub(crate) atoms: usize,
    /// The mean size of an interpolant.
    pub(crate) size: usize,
    pub(crate) worth: Worth,
}

impl Judged {
    pub(crate) fn is_valid(&self) -> bool {
        self.run.result.is_ok() && self.mistake.is_none()
    }

    pub(crate) fn is_proof(&self) -> bool {
        matches!(self.worth, Worth::Proof(_))
    }

    /// The number of interpolants.
    pub(crate) fn count(&self) -> u32 {
        self.run.result.as_ref().map_or(0, |itps| itps.len() as u32)
    }
}

/// Runs `engine` on the loop, unrolled `rounds` times.
pub(crate) fn judged(engine: Engine, task: &Loop, rounds: u32, budget: Duration) -> Judged {
    let parts = task.unrolled(rounds);
    let run = run(engine, &parts, budget);
    let Ok(itps) = &run.result else {
        return Judged { run, mistake: None, atoms: 0, size: 0, worth: Worth::NoProof };
    };
    let atoms = predicates(itps);
    let size: u32 = itps.iter().map(|itp| itp.size()).sum();
    Judged {
        mistake: mistake(&z3(&Watch::default()), &parts, itps),
        atoms: atoms.len(),
        size: size as usize / itps.len().max(1),
        worth: worth(task, &atoms, ABSTRACTION),
        run,
    }
}
