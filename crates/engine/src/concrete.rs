//! Concrete runs: the automaton is executed with values drawn for what it leaves open.
//!
//! An error that is deep but easy to meet costs abstraction a refinement for each turn of a loop; a machine runs
//! through millions of turns in a second. Runs get longer, so that a program that ends soon is run often, and one
//! that counts for long is run to its end. This finds errors; that there are none it cannot show.
//!
//! Runs are those of the automaton as it was given, not of a smaller one: what is found needs no translation.

mod code;
mod draw;
mod machine;

use lapidary_cegar::Config;
use lapidary_expr::Value;
use lapidary_model::{Cfa, Execution};
use lapidary_solver::Result;
use lapidary_solver::limits::Watch;

use crate::{Budget, Claim, Engine, Event, Evidence, Input, Observer, Problem, Unknown};
use code::Code;
use machine::{End, Machine};

/// The steps that the shortest runs have, and by how much those of the next round are longer.
const SHORTEST: u64 = 1_000;
const LONGER: u64 = 8;
/// Longer executions would fill the memory.
const LONGEST: u64 = 48_000_000;
/// The steps of all runs of a length, if that is not longer itself.
const STEPS: u64 = 2_000_000;
/// How many runs that decide nothing are enough.
const SAME: u64 = 4;
/// The instructions that count as one unit of work.
const PER_UNIT: u64 = 32;

/// Executions with drawn values.
#[derive(Debug)]
pub struct ConcreteRuns;

impl Engine for ConcreteRuns {
    fn name(&self) -> &'static str {
        "concrete"
    }

    fn title(&self, _config: &Config) -> String {
        "concrete runs".into()
    }

    fn takes(&self) -> Input {
        Input::Programs
    }

    fn finds(&self) -> Evidence {
        Evidence::Errors
    }

    fn runs_the_input(&self) -> bool {
        true
    }

    fn run(
        &self,
        problem: &Problem<'_>,
        budget: &Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Claim> {
        concrete(problem.cfa, budget.watch, observer)
    }
}

/// Runs the automaton until a run reaches the error, the work is done, or more runs make no sense.
fn concrete(cfa: &Cfa, watch: &Watch, observer: &mut dyn Observer) -> Result<Claim> {
    let Some(error) = cfa.error() else {
        return Ok(Claim::Nothing(Unknown::NoErrorMet { runs: 0 }));
    };
    let mut machine = Machine::new(Code::new(cfa));
    let ends = (cfa.entry(), error);
    let (mut seed, mut length) = (0, SHORTEST);
    loop {
        observer.event(&Event::Running { length });
        let mut left = STEPS.max(length);
        let mut cut = false;
        while left > 0 {
            machine.executed = 0;
            machine.most = watch.left().map_or(u64::MAX, |units| units.saturating_mul(PER_UNIT));
            let (end, steps) = machine.run(seed, ends, length, watch)?;
            if end == End::Error
                && let Some(execution) = machine.record(ends)
            {
                return Ok(Claim::Execution(complete(cfa, execution)));
            }
            watch.spend(1 + machine.executed / PER_UNIT);
            watch.check()?;
            seed += 1;
            cut |= end == End::Cut;
            // Without a decision on the way, only the values at the start differ.
            let is_determined = machine.draw.drawn == 0;
            if is_determined && end != End::Cut && seed >= SAME {
                return Ok(Claim::Nothing(Unknown::NoErrorMet { runs: seed }));
            }
            left = match (is_determined, end) {
                (true, End::Cut) => 0,
                _ => left.saturating_sub(steps.max(length / 256 + 1)),
            };
        }
        if length == LONGEST || (!cut && length > SHORTEST) {
            return Ok(Claim::Nothing(Unknown::NoErrorMet { runs: seed }));
        }
        length = (length * LONGER).min(LONGEST);
    }
}

/// The execution with values also for variables that words do not hold: none of its steps reads them.
fn complete(cfa: &Cfa, mut execution: Execution) -> Execution {
    for var in cfa.vars() {
        if execution.start.get(*var).is_none() {
            execution.start.set(*var, Value::default_of(var.sort()));
        }
    }
    execution
}
