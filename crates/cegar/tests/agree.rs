//! Random small automata: every configuration against the exhaustive oracle.
//!
//! The configurations are the product of all axes, so that a new value of an axis joins by itself. There are too many
//! for every run of the tests: each automaton is decided by a few of them, spread over the product, and the next one
//! goes on from there. No verdict may differ from the oracle's, no evidence may fail validation (not even where the engine
//! would help itself by starting again), and `unknown` needs a reason. A failure is shrunk before it is reported.
//!
//! `AGREE_AUTOMATA`, `AGREE_CONFIGURATIONS` (for each automaton; `all` = until the whole product has been used) and
//! `AGREE_SEED` make a longer run or another one.

mod budget;

use budget::Budgeted;
use lapidary_cegar::config::{AXES, Config};
use lapidary_cegar::{Event, Observer, Unknown, Verdict, verify};
use lapidary_oracle::explore::explore;
use lapidary_oracle::generate;
use lapidary_oracle::lower::lower;
use lapidary_oracle::shrink::shrink;
use lapidary_oracle::{Program, Random};
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;

/// Every combination of values of the axes that has an effect, once.
fn all_configurations() -> Vec<Config> {
    let mut lines = std::collections::BTreeSet::new();
    let total: usize = AXES.iter().map(|axis| axis.values.len()).product();
    let mut configs = Vec::new();
    for mut number in 0..total {
        let mut config = Config::default();
        for axis in AXES {
            config.set(axis.name, axis.values[number % axis.values.len()]).unwrap();
            number /= axis.values.len();
        }
        if lines.insert(config.to_string()) {
            configs.push(config);
        }
    }
    configs
}

/// Notices that a run had to start again: the verdict may be right, but some pass was not.
#[derive(Default)]
struct Repeats(bool);

impl Observer for Repeats {
    fn event(&mut self, event: &Event) {
        self.0 |= *event == Event::Repeated;
    }
}

enum Answer {
    Agrees,
    Unknown(String),
    Wrong(String),
}

fn run(z3: &Z3, program: &Program, config: &Config) -> Answer {
    let expected = explore(program);
    let mut repeats = Repeats::default();
    let verdict = verify(&lower(program), config, &Budgeted::new(z3, 4_000), &mut repeats);
    if repeats.0 {
        return Answer::Wrong("an execution did not survive slicing".into());
    }
    match verdict {
        Verdict::Safe(_) if expected.is_none() => Answer::Agrees,
        Verdict::Unsafe(_) if expected.is_some() => Answer::Agrees,
        Verdict::Safe(_) => Answer::Wrong("safe, but an error can be reached".into()),
        Verdict::Unsafe(_) => Answer::Wrong("unsafe, but no error can be reached".into()),
        Verdict::Unknown(Unknown::Internal(why)) => Answer::Wrong(why),
        Verdict::Unknown(why) => Answer::Unknown(why.to_string()),
    }
}

/// A step through `total` things that gets to all of them and far with each step.
fn stride(total: usize) -> usize {
    let divides = |n: usize| (2..=n).any(|d| n.is_multiple_of(d) && total.is_multiple_of(d));
    (total * 5 / 13..total).find(|n| *n > 0 && !divides(*n)).unwrap_or(1)
}

fn number(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
#[expect(clippy::print_stdout, reason = "figures for who runs it with --nocapture")]
fn all_configurations_agree_with_the_oracle() {
    let (n_automata, seed) = (number("AGREE_AUTOMATA", 300), number("AGREE_SEED", 1));
    let configs = all_configurations();
    let per_automaton = match std::env::var("AGREE_CONFIGURATIONS").as_deref() {
        Ok("all") => configs.len().div_ceil(n_automata),
        _ => number("AGREE_CONFIGURATIONS", 6),
    };
    let stride = stride(configs.len());
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
            let config = configs[(i * per_automaton + k) * stride % configs.len()];
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
        configs.len(),
        n_automata * per_automaton
    );
    let undecided: usize = unknown.values().sum();
    assert!(undecided * 2 < agreed, "most runs should decide");
}
