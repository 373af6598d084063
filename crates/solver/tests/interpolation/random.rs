//! Random contradictions of each theory: no interpolant may be wrong, and few may be missing.
//!
//! `LAPIDARY_RANDOM=2000 cargo test --release -p lapidary-solver --test interpolation random -- --nocapture` is the
//! longer run, and prints its table; `LAPIDARY_ENGINE=wp` asks another engine than `auto`, `LAPIDARY_THEORY=BV` some theories only.

use std::collections::BTreeMap;
use std::time::Duration;

use lapidary_expr::Term;
use lapidary_solver::interpolate::{AttemptResult, Engine, interpolator};
use lapidary_solver::limits::{Limits, attempt, cpu_time};
use lapidary_solver::{Interpolants, Interpolator, Stop};

use crate::common::Rng;
use crate::generate::{THEORIES, Theory, contradiction};
use crate::support::{mistake, z3};
use crate::turn;

/// How many contradictions of each theory.
const COUNT: usize = 100;
/// How many of a hundred may stay without interpolants; a hundred are few enough to be unlucky with.
const FAILURES: usize = 2;
const UNLUCKY: usize = 5;
/// CPU time for one sequence, and for making or checking one.
const BUDGET: Duration = Duration::from_secs(2);

#[derive(Default)]
struct Tally {
    valid: usize,
    invalid: Vec<String>,
    failures: usize,
    /// How many were in one part alone, so that no engine was asked.
    trivial: usize,
    /// How often which engine failed why, whether or not another one answered.
    reasons: BTreeMap<String, usize>,
    time: Duration,
}

fn limits(budget: Duration) -> Limits {
    Limits { cpu: Some(cpu_time() + budget), ..Limits::default() }
}

fn tally(theory: &Theory, engine: Engine, count: usize) -> Tally {
    let mut tally = Tally::default();
    let mut rng = Rng(0x9e37_79b9_7f4a_7c15);
    while tally.valid + tally.invalid.len() + tally.failures < count {
        let made = attempt(&limits(BUDGET), |watch| contradiction(theory, &mut rng, watch));
        // What is hard for the solver is no question for us.
        let Ok(parts) = made else { continue };
        tally.add(engine, &parts);
    }
    tally
}

impl Tally {
    fn add(&mut self, engine: Engine, parts: &[Term]) {
        let start = cpu_time();
        let answer = attempt(&limits(BUDGET), |watch| {
            let mut interpolator = interpolator(engine, &z3(watch));
            let answer = interpolator.interpolate(parts);
            self.trivial += usize::from(answer.is_ok() && interpolator.attempts().is_empty());
            if let Err(Stop::Limit(limit)) = &answer {
                let last = interpolator.attempts().last().map_or("none", |attempt| attempt.engine);
                *self.reasons.entry(format!("{limit} after {last}")).or_default() += 1;
            }
            for attempt in interpolator.attempts() {
                if let AttemptResult::Failed(reason) = &attempt.result {
                    let reason = reason.split(" (").next().unwrap_or_default();
                    *self.reasons.entry(format!("{} {reason}", attempt.engine)).or_default() += 1;
                }
            }
            answer
        });
        self.time += cpu_time().saturating_sub(start);
        let wrong = match answer {
            Ok(Interpolants::Unsat(itps)) => {
                attempt(&limits(5 * BUDGET), |watch| Ok(mistake(&z3(watch), parts, &itps)))
                    .unwrap_or_else(|stop| Some(stop.to_string()))
                    .map(|mistake| format!("{mistake}: {itps:?} for {parts:?}"))
            }
            Ok(Interpolants::Sat(model)) => Some(format!("the model {model:?} for {parts:?}")),
            Err(_) => {
                self.failures += 1;
                return;
            }
        };
        match wrong {
            Some(wrong) => self.invalid.push(wrong),
            None => self.valid += 1,
        }
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the table is for people")]
fn random() {
    let _turn = turn();
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let count = number("LAPIDARY_RANDOM").unwrap_or(COUNT);
    let engine = std::env::var("LAPIDARY_ENGINE").ok();
    let engine = engine.map_or(Engine::Auto, |name| name.parse().expect("an engine"));
    println!(
        "\n| {engine} | valid | invalid | failures | in one part | CPU | which engine failed how often |"
    );
    println!("|---|---|---|---|---|---|---|");
    let chosen = std::env::var("LAPIDARY_THEORY").unwrap_or_default();
    for theory in THEORIES.iter().filter(|theory| theory.name.contains(&chosen)) {
        let tally = tally(theory, engine, count);
        let Tally { valid, invalid, failures, trivial, reasons, time } = &tally;
        let reasons: Vec<String> =
            reasons.iter().map(|(reason, n)| format!("{reason}: {n}")).collect();
        println!(
            "| {} | {valid} | {} | {failures} | {trivial} | {:.1} s | {} |",
            theory.name,
            invalid.len(),
            time.as_secs_f32(),
            reasons.join(", ")
        );
        assert!(invalid.is_empty(), "{engine} on {}: {invalid:#?}", theory.name);
        if engine == Engine::Auto {
            let most = if count > COUNT { FAILURES } else { UNLUCKY };
            assert!(failures * 100 < count * most, "{} fails {failures} times", theory.name);
        }
    }
}
