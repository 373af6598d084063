//! Random small automata: every configuration against the exhaustive oracle.
//!
//! The configurations are taken from the product of all axes, so that a new value of an axis joins by itself. Each
//! automaton is decided by a few of them, and all automata together by every combination of domain, checker and
//! selection, the other axes by chance. No verdict may differ from the oracle's, no evidence may fail validation (not
//! even where the engine would help itself by starting again), and `unknown` needs a reason. A failure is shrunk before
//! it is reported.
//!
//! `AGREE_AUTOMATA`, `AGREE_CONFIGURATIONS` (for each automaton) and `AGREE_SEED` make a longer run or another one;
//! `AGREE_AXES` names other axes whose values are all tried with each other.

mod budget;

use budget::Budgeted;
use lapidary_cegar::config::{AXES, Config};
use lapidary_engine::{Event, Observer, Unknown, Verdict, verify};
use lapidary_oracle::explore::explore;
use lapidary_oracle::generate;
use lapidary_oracle::lower::lower;
use lapidary_oracle::shrink::shrink;
use lapidary_oracle::{Program, Random};
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;

/// The axes whose values are all tried with each other, unless others are named.
const LEADING: &str = "domain,checker,select";

/// A configuration from the product of all axes: `number` says which combination of the leading axes, chance
/// says the rest.
fn configuration(leading: &[&str], mut number: usize, random: &mut Random) -> Config {
    let mut config = Config::default();
    for axis in AXES {
        let value = if leading.contains(&axis.name) {
            let value = axis.values[number % axis.values.len()];
            number /= axis.values.len();
            value
        } else {
            random.pick(axis.values)
        };
        config.set(axis.name, value).unwrap();
    }
    config
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

fn number(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
#[expect(clippy::print_stdout, reason = "figures for who runs it with --nocapture")]
fn all_configurations_agree_with_the_oracle() {
    let (n_automata, seed) = (number("AGREE_AUTOMATA", 300), number("AGREE_SEED", 1));
    let leading = std::env::var("AGREE_AXES").unwrap_or_else(|_| LEADING.to_string());
    let leading: Vec<&str> = leading.split(',').collect();
    let n_combinations: usize = AXES
        .iter()
        .filter(|axis| leading.contains(&axis.name))
        .map(|axis| axis.values.len())
        .product();
    let per_automaton = n_combinations.div_ceil(n_automata).max(number("AGREE_CONFIGURATIONS", 3));
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
            let config = configuration(&leading, i * per_automaton + k, &mut choice);
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
        "{n_automata} automata ({unsafe_ones} unsafe), {n_combinations} combinations, {} configurations, {} runs: {agreed} agree, unknown: {unknown:?}",
        used.len(),
        n_automata * per_automaton
    );
    let undecided: usize = unknown.values().sum();
    assert!(undecided * 2 < agreed, "most runs should decide");
}
