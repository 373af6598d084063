//! A program and a configuration from bytes: the verdict is that of exhaustive exploration.
//!
//! The bytes are the generator's decisions, the configuration's first. A disagreement is shrunk before it is
//! reported, as in the test `agree`.

#![no_main]

#[path = "../../crates/cegar/tests/budget/mod.rs"]
mod budget;

use budget::Budgeted;
use lapidary_cegar::config::{AXES, Config};
use lapidary_engine::{Unknown, Verdict, verify};
use lapidary_oracle::explore::explore;
use lapidary_oracle::lower::lower;
use lapidary_oracle::shrink::shrink;
use lapidary_oracle::{Program, Random, generate};
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut random = Random::from_bytes(data);
    let mut config = Config::default();
    for axis in AXES {
        let value = random.pick(axis.values);
        config.set(axis.name, value).expect("a value of the axis");
    }
    let generate = random.pick(&[generate::program, generate::safe_program]);
    let program = generate(&mut random);
    if let Some(why) = disagreement(&program, &config) {
        let small = shrink(&program, &mut |program| disagreement(program, &config).is_some());
        panic!("{config}: {why}\n{small:#?}");
    }
});

/// What is wrong with the verdict about a program.
fn disagreement(program: &Program, config: &Config) -> Option<String> {
    let z3 = Z3::new(&Watch::default()).expect("Z3");
    let is_unsafe = explore(program).is_some();
    match verify(&lower(program), config, &Budgeted::new(&z3, 2_000), &mut ()) {
        Verdict::Safe(_) if is_unsafe => Some("safe, but an error can be reached".into()),
        Verdict::Unsafe(_) if !is_unsafe => Some("unsafe, but no error can be reached".into()),
        Verdict::Unknown(Unknown::Internal(why)) => Some(why),
        _ => None,
    }
}
