//! Proofs about programs with calls.
//!
//! A program is safe if every procedure keeps its contract, supposed that those which it calls keep theirs. Recursion needs no
//! measure: by induction on the length of an execution, all of it so far keeps the contracts. What has to hold of a procedure
//! is that an automaton made of it is safe (`contracts.rs`).
//!
//! A program that has one run, but for values that decide nothing, is safe if that run ends elsewhere (`run.rs`).
//!
//! None of this depends on how calls are inlined.

mod contracts;
mod run;

use lapidary_model::{Program, ProgramProof};
use lapidary_solver::Solver;

use crate::{ProofCheck, Rejection};

/// Checks that the proof shows the error location of a program to be unreachable. The solver must have no assertions; it has
/// none afterwards.
pub fn validate_program_proof(
    program: &Program,
    proof: &ProgramProof,
    solver: &mut dyn Solver,
) -> Result<ProofCheck, Rejection> {
    match proof {
        ProgramProof::Contracts(contracts) => contracts::validate(program, contracts, solver),
        ProgramProof::Run { steps } => {
            // The solver knows the limits.
            run::validate(program, *steps, &mut || solver.is_sat().map(|_| ()))
        }
    }
}
