//! Random small automata: every configuration against the exhaustive oracle.
//!
//! A configuration has any value of each axis, so that a new value of an axis joins by itself. Each automaton is
//! decided by a few of them. No verdict may differ from the oracle's, no evidence may fail validation, and `unknown`
//! needs a reason. A failure is shrunk before it is reported.
//!
//! `AGREE_AUTOMATA`, `AGREE_CONFIGURATIONS` and `AGREE_SEED` make a longer run or another one; `AGREE_AXES` names
//! axes whose whole product is run, the others at their defaults.

mod budget;

use budget::Budgeted;
use lapidary_cegar::config::{AXES, Axis, Config};
use lapidary_cegar::{Unknown, Verdict, verify};
use lapidary_oracle::explore::explore;
use lapidary_oracle::generate;
use lapidary_oracle::lower::lower;
use lapidary_oracle::shrink::shrink;
use lapidary_oracle::{Program, Random};
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;

/// Every combination of values of some axes that has an effect, once; the others are at their defaults.
fn product_of(names: &str) -> Vec<Config> {
    let axes: Vec<&Axis> =
        names.split(',').map(|name| AXES.iter().find(|axis| axis.name == name).unwrap()).collect();
    let total: usize = axes.iter().map(|axis| axis.values.len()).product();
    let mut lines = std::collections::BTreeSet::new();
    let mut configs = Vec::new();
    for mut number in 0..total {
        let mut config = Config::default();
        for axis in &axes {
            config.set(axis.name, axis.values[number % axis.values.len()]).unwrap();
            number /= axis.values.len();
        }
        if lines.insert(config.to_string()) {
            configs.push(config);
        }
    }
    configs
}

/// Any value of each axis.
fn any(random: &mut Random) -> Config {
    let mut config = Config::default();
    for axis in AXES {
        let value: &&str = random.pick(axis.values);
        config.set(axis.name, value).unwrap();
    }
    config
}

enum Answer {
    Agrees,
    Unknown(String),
    Wrong(String),
}

fn run(z3: &Z3, program: &Program, config: &Config) -> Answer {
    let expected = explore(program);
    match verify(&lower(program), config, &Budgeted::new(z3, 4_000), &mut ()) {
        Verdict::Safe(_) if expected.is_none() => Answer::Agrees,
        Verdict::Unsafe(_) if expected.is_some() => Answer::Agrees,
        Verdict::Safe(_) => Answer::Wrong("safe, but an error can be reached".into()),
        Verdict::Unsafe(_) => Answer::Wrong("unsafe, but no error can be reached".into()),
        Verdict::Unknown(Unknown::Internal(why)) => Answer::Wrong(why),
        Verdict::Unknown(why) => Answer::Unknown(why.to_string()),
    }
}

fn number(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
#[expect(clippy::print_stdout, reason = "figures for who runs it with --nocapture")]
fn all_configurations_agree_with_the_oracle() {
    let (n_automata, seed) = (number("AGREE_AUTOMATA", 300), number("AGREE_SEED", 1));
    let configs = std::env::var("AGREE_AXES").map_or(Vec::new(), |names| product_of(&names));
    let per_automaton = configs.len().div_ceil(n_automata).max(number("AGREE_CONFIGURATIONS", 6));
    let mut choice = Random::new(seed as u64);
    let mut used = std::collections::BTreeSet::new();
    let z3 = Z3::new(&Watch::default()).unwrap();
    let mut random = Random::new(seed as u64);
    let (mut agreed, mut unsafe_ones) = (0, 0);
    let mut unknown = std::collections::BTreeMap::new();
    for i in 0..n_automata {
        // Every other one is safe for a reason that has to be found.
        let program = match i % 2 {
            0 => generate::program(&mut random),
            _ => generate::safe_program(&mut random),
        };
        unsafe_ones += usize::from(explore(&program).is_some());
        for k in 0..per_automaton {
            let config = match configs.is_empty() {
                true => any(&mut choice),
                false => configs[(i * per_automaton + k) % configs.len()],
            };
            used.insert(config.to_string());
            match run(&z3, &program, &config) {
                Answer::Agrees => agreed += 1,
                Answer::Unknown(why) => {
                    *unknown
                        .entry(why.split(':').next().unwrap_or_default().to_string())
                        .or_insert(0) += 1;
                }
                Answer::Wrong(why) => {
                    let mut fails =
                        |program: &Program| matches!(run(&z3, program, &config), Answer::Wrong(_));
                    let small = shrink(&program, &mut fails);
                    panic!("automaton {i} of seed {seed}, {config}: {why}\n{small:#?}");
                }
            }
        }
    }
    println!(
        "{n_automata} automata ({unsafe_ones} unsafe), {} configurations, {} runs: {agreed} agree, unknown: {unknown:?}",
        used.len(),
        n_automata * per_automaton
    );
    let undecided: usize = unknown.values().sum();
    assert!(undecided * 2 < agreed, "most runs should decide");
}
