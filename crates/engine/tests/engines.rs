//! What all engines promise: claims of the kinds that they find, and none that contradicts the exhaustive oracle.

use lapidary_cegar::Config;
use lapidary_engine::strategy::ENGINES;
use lapidary_engine::{Budget, Claim, Engine, Evidence, Input, Problem, Result, Unknown};
use lapidary_model::Cfa;
use lapidary_oracle::explore::explore;
use lapidary_oracle::lower::lower;
use lapidary_oracle::{Random, generate};
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;
use lapidary_validate::{validate_execution, validate_proof};

/// What the engine says with some work.
fn claim(engine: &dyn Engine, cfa: &Cfa, work: u64) -> Result<Claim> {
    let (config, watch) = (Config::default(), Watch::default().with_work(work));
    let z3 = Z3::new(&watch).unwrap();
    let problem = Problem { cfa, original: cfa, config: &config, start: &[] };
    engine.run(&problem, &Budget { watch: &watch, solver: Some(&z3) }, &mut ())
}

#[test]
fn names_differ() {
    for (i, engine) in ENGINES.iter().enumerate() {
        assert!(ENGINES[..i].iter().all(|other| other.name() != engine.name()));
        assert!(!engine.title(&Config::default()).is_empty());
    }
}

#[test]
fn claims_are_of_the_kinds_that_an_engine_finds() {
    let mut random = Random::new(24);
    let mut n_found = [0; ENGINES.len()];
    for i in 0..24 {
        let program = match i % 2 {
            0 => generate::program(&mut random),
            _ => generate::safe_program(&mut random),
        };
        let (cfa, is_unsafe) = (lower(&program), explore(&program).is_some());
        let leads = cfa.distances_to_error()[cfa.entry().0 as usize].is_some();
        for (engine, n_found) in ENGINES.into_iter().zip(&mut n_found) {
            let Ok(claim) = claim(engine, &cfa, 200_000) else { continue };
            let name = engine.name();
            match claim {
                Claim::Proof(_) => {
                    assert!(!is_unsafe, "{name}: {program:#?}");
                    assert!(!leads || engine.finds() != Evidence::Errors, "{name}: {program:#?}");
                }
                Claim::Execution(_) => {
                    assert!(is_unsafe, "{name}: {program:#?}");
                    assert_ne!(engine.finds(), Evidence::Proofs, "{name}: {program:#?}");
                }
                Claim::Nothing(unknown) => {
                    let is_refused = unknown == Unknown::NoBits;
                    assert_eq!(is_refused, engine.takes() == Input::Systems, "{name}: {unknown}");
                    continue;
                }
            }
            *n_found += 1;
        }
    }
    for (engine, n_found) in ENGINES.iter().zip(n_found) {
        assert_eq!(n_found > 0, engine.takes() == Input::Programs, "{}: {n_found}", engine.name());
    }
}

/// A counter of four bits that is reset at 9: never 12, and 7 after seven steps.
fn counter(bad: u32) -> Cfa {
    let text = format!(
        "1 sort bitvec 1\n2 sort bitvec 4\n3 zero 2\n4 state 2 n\n5 init 2 4 3\n6 one 2\n7 add 2 4 6\n\
         8 constd 2 9\n9 eq 1 4 8\n10 ite 2 9 3 7\n11 next 2 4 10\n12 constd 2 {bad}\n13 eq 1 4 12\n14 bad 13\n"
    );
    let input = lapidary_frontend::read("counter", text.as_bytes()).unwrap();
    input.task(0).unwrap().model.into_cfa()
}

#[test]
fn systems_are_decided_with_evidence() {
    for (bad, is_unsafe) in [(12, false), (7, true)] {
        let cfa = counter(bad);
        for engine in ENGINES.into_iter().filter(|engine| engine.name() != "ic3") {
            match claim(engine, &cfa, 2_000_000) {
                Ok(Claim::Proof(proof)) => {
                    assert!(!is_unsafe, "{}", engine.name());
                    let z3 = Z3::new(&Watch::default()).unwrap();
                    validate_proof(&cfa, &proof, &mut *lapidary_solver::Backend::solver(&z3))
                        .unwrap();
                }
                Ok(Claim::Execution(execution)) => {
                    assert!(is_unsafe, "{}", engine.name());
                    validate_execution(&cfa, &execution).unwrap();
                }
                Ok(Claim::Nothing(unknown)) => {
                    let is_able = match engine.finds() {
                        Evidence::Both => true,
                        Evidence::Errors => is_unsafe,
                        Evidence::Proofs => !is_unsafe,
                    };
                    assert!(!is_able, "{}: {unknown}", engine.name());
                }
                Err(stop) => {
                    let goes_on = engine.finds() == Evidence::Errors && !is_unsafe;
                    assert!(goes_on, "{}: {stop}", engine.name());
                }
            }
        }
    }
}
