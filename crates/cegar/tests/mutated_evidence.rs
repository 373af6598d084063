//! Evidence of real runs, changed in a place or a few: the validator accepts nothing that trying all values refutes.
//!
//! Random programs are decided, and their proofs and executions changed. What the validator then accepts must
//! still be evidence by the oracle, which has its own semantics; and most changes must not go unnoticed. Proofs
//! are also tried on programs from which something was taken away, and there on unsafe ones.

mod budget;
#[path = "laws/mutate.rs"]
mod mutate;

use std::collections::BTreeMap;

use budget::Budgeted;
use lapidary_cegar::Config;
use lapidary_engine::{Verdict, verify};
use lapidary_expr::Term;
use lapidary_model::{Execution, Proof};
use lapidary_oracle::evidence::{is_execution, is_proof};
use lapidary_oracle::explore::explore;
use lapidary_oracle::lower::lower;
use lapidary_oracle::shrink::smaller_programs;
use lapidary_oracle::{Program, Random, generate};
use lapidary_solver::Backend;
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;
use lapidary_validate::{Rejection, validate_execution, validate_proof};

/// Runs with evidence of different looks.
const CONFIGURATIONS: [&str; 6] = [
    "domain=predicate",
    "domain=predicate pred-split=whole checker=sequence precision=local",
    "domain=predicate pred-split=atoms search=err prune=full",
    "domain=explicit",
    "domain=explicit max-enum=4 search=dfs",
    "domain=explicit max-enum=1* checker=sequence",
];

/// How many changes of a kind were noticed, accepted as harmless, and rejected though the oracle has no objection.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    rejected: usize,
    accepted: usize,
    rejected_unjustly: usize,
}

type Counts = BTreeMap<&'static str, Count>;

/// Takes down what the validator said about changed evidence.
fn note(counts: &mut Counts, kind: &'static str, accepts: bool, is_valid: bool) {
    let count = counts.entry(kind).or_default();
    match (accepts, is_valid) {
        (true, _) => count.accepted += 1,
        (false, true) => count.rejected_unjustly += 1,
        (false, false) => count.rejected += 1,
    }
}

fn accepts(z3: &Z3, program: &Program, proof: &Proof) -> bool {
    match validate_proof(&lower(program), proof, &mut *z3.solver()) {
        Ok(_) => true,
        Err(Rejection::Evidence(_)) => false,
        Err(Rejection::Stop(stop)) => panic!("{stop}"),
    }
}

/// A proof that says something at several places; others are hard to make wrong.
fn is_telling(proof: &Proof) -> bool {
    let says = |formula: &Term| !formula.is_true() && !formula.is_false();
    proof.states.iter().filter(|state| says(&state.formula)).count() >= 2
}

fn try_proof(z3: &Z3, program: &Program, proof: &Proof, random: &mut Random, counts: &mut Counts) {
    assert!(is_proof(program, proof), "{proof:?} of {program:?}");
    for _ in 0..15 {
        let (mut kind, mut mutated) = mutate::proof(random, program, proof);
        while random.chance(30) {
            (kind, mutated) = ("several", mutate::proof(random, program, &mutated).1);
        }
        let (accepts, is_valid) = (accepts(z3, program, &mutated), is_proof(program, &mutated));
        assert!(is_valid || !accepts, "{kind}: {mutated:?}, from {proof:?} of {program:?}");
        note(counts, kind, accepts, is_valid);
    }
    let mut others = smaller_programs(program);
    others.retain(|other| other.edges.len() == program.edges.len() && explore(other).is_some());
    for _ in 0..if others.is_empty() { 0 } else { 4 } {
        let other = random.pick(&others);
        let accepts = accepts(z3, other, proof);
        assert!(!accepts && !is_proof(other, proof), "{proof:?} of {other:?}");
        note(counts, "unsafe program", accepts, false);
    }
}

fn try_execution(program: &Program, run: &Execution, random: &mut Random, counts: &mut Counts) {
    let cfa = lower(program);
    assert!(is_execution(program, run), "{run:?} of {program:?}");
    for _ in 0..15 {
        let Some((kind, mutated)) = mutate::execution(random, program, run) else { continue };
        let accepts = validate_execution(&cfa, &mutated).is_ok();
        let is_valid = is_execution(program, &mutated);
        assert_eq!(accepts, is_valid, "{kind}: {mutated:?}, from {run:?} of {program:?}");
        note(counts, kind, accepts, is_valid);
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "figures for who runs it with --nocapture")]
fn changed_evidence_is_rejected_unless_it_is_still_evidence() {
    let z3 = Z3::new(&Watch::default()).expect("Z3");
    let mut random = Random::new(3);
    let (mut proofs, mut executions) = (Counts::new(), Counts::new());
    let (mut n_safe, mut n_unsafe) = (0, 0);
    for i in 0..200 {
        let generate = if i % 3 == 0 { generate::program } else { generate::safe_program };
        let program = generate(&mut random);
        let mut config = Config::default();
        config.set_line(CONFIGURATIONS[i / 3 % CONFIGURATIONS.len()]).expect("a configuration");
        match verify(&lower(&program), &config, &Budgeted::new(&z3, 1_000), &mut ()) {
            Verdict::Safe(proof) if is_telling(&proof) => {
                n_safe += 1;
                try_proof(&z3, &program, &proof, &mut random, &mut proofs);
            }
            Verdict::Unsafe(run) => {
                n_unsafe += 1;
                try_execution(&program, &run, &mut random, &mut executions);
            }
            Verdict::Safe(_) | Verdict::Unknown(_) => {}
        }
    }
    println!("{n_safe} proofs: {proofs:#?}\n{n_unsafe} executions: {executions:#?}");
    assert!(n_safe > 30 && n_unsafe > 30, "{n_safe} safe, {n_unsafe} unsafe");
    for (counts, least) in [(&proofs, 30), (&executions, 60)] {
        let rejected: usize = counts.values().map(|count| count.rejected).sum();
        let accepted: usize = counts.values().map(|count| count.accepted).sum();
        let share = 100 * rejected / (rejected + accepted);
        assert!(share >= least, "{share} % of the changes are rejected: {counts:#?}");
    }
}
