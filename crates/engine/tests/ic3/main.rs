//! IC3 on random circuits against an exhaustive search, and on the circuits that have misled other tools.
//!
//! `LAPIDARY_CIRCUITS=5000` sets the number of random circuits of each kind, `LAPIDARY_CIRCUITS_SEED` where they start.

mod aiger;
mod btor2;
mod traps;

use lapidary_cegar::{Config, Result};
use lapidary_engine::strategy::{decide, single};
use lapidary_engine::{Reduced, Verdict};
use lapidary_frontend::read;
use lapidary_model::sts::reduce;
use lapidary_solver::Backend;
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;

/// Whether IC3 alone finds the first property of a circuit to hold; its evidence has been validated.
fn is_safe(text: &str) -> std::result::Result<bool, String> {
    let input = read("circuit", text.as_bytes()).map_err(|error| error.to_string())?;
    let task = input.task(0).map_err(|error| error.to_string())?;
    let system = task.model.system().expect("circuits are systems");
    let reduction = reduce(system).map_err(|error| error.to_string())?;
    let mut config = Config::default();
    config.set_line("domain=predicate passes=bits").expect("values of the axes");
    let stage = single("ic3", config).expect("the name of a stage");
    let watch = Watch::default();
    let judge = Z3::new(&watch).expect("a recent Z3");
    let solvers = |watch: &Watch| -> Result<Box<dyn Backend>> { Ok(Box::new(Z3::new(watch)?)) };
    let reduced = Reduced { smaller: reduction.cfa(), back: &reduction, start: &[] };
    match decide(task.cfa(), &reduced, &[stage], &watch, &solvers, &judge, &mut ()) {
        Verdict::Safe(_) => Ok(true),
        Verdict::Unsafe(_) => Ok(false),
        Verdict::Unknown(unknown) => Err(unknown.to_string()),
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Checks random circuits, each made from a seed, with the verdict of a search through all states.
fn check(make: fn(u64) -> (String, bool)) {
    let (n, start) = (number("LAPIDARY_CIRCUITS", 300), number("LAPIDARY_CIRCUITS_SEED", 0));
    let mut verdicts = [0, 0];
    for seed in start..start + n {
        let (text, expected) = make(seed);
        assert_eq!(is_safe(&text), Ok(expected), "seed {seed}:\n{text}");
        verdicts[usize::from(expected)] += 1;
    }
    assert!(verdicts.iter().all(|count| *count > n / 10), "both verdicts are tested: {verdicts:?}");
}

#[test]
fn random_aiger_circuits() {
    check(aiger::random);
}

#[test]
fn random_btor2_models() {
    check(btor2::random);
}
