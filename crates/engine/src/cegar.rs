//! Abstraction and refinement, as an engine.

use lapidary_cegar::cegar::Outcome;
use lapidary_cegar::observer::{Observer as LoopObserver, Step, Story};
use lapidary_cegar::{Config, Configured, Result, Tracked};

use crate::{Budget, Claim, Engine, Event, Evidence, Input, Observer, Problem, Unknown};

/// Counterexample-guided abstraction refinement: [`lapidary_cegar`].
#[derive(Debug)]
pub struct Cegar;

impl Engine for Cegar {
    fn name(&self) -> &'static str {
        "cegar"
    }

    fn title(&self, config: &Config) -> String {
        format!("{}, {}", config.domain, config.encoding)
    }

    fn takes(&self) -> Input {
        Input::Programs
    }

    fn finds(&self) -> Evidence {
        Evidence::Both
    }

    fn run(
        &self,
        problem: &Problem<'_>,
        budget: &Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Claim> {
        let Problem { cfa, config, start, .. } = *problem;
        let search = Configured { cfa, config, start, backend: budget.backend()? };
        Ok(match search.run(&mut Loop(observer))? {
            Outcome::Safe(proof) => Claim::Proof(proof),
            Outcome::Unsafe(execution) => Claim::Execution(execution),
            Outcome::NoProgress(length) => Claim::Nothing(Unknown::NoProgress { length }),
        })
    }
}

/// Hears the loop, for whoever hears the engines.
struct Loop<'a>(&'a mut dyn Observer);

impl LoopObserver for Loop<'_> {
    fn step(&mut self, step: &Step) {
        self.0.event(&Event::Loop(step.clone()));
    }

    fn refuted(&mut self, story: &Story) {
        self.0.refuted(story);
    }

    fn is_curious(&self) -> bool {
        self.0.is_curious()
    }

    fn graph(&mut self, dot: &dyn Fn() -> String) {
        self.0.graph(dot);
    }

    fn precision(&mut self, tracked: &dyn Fn() -> Vec<Tracked>) {
        self.0.precision(tracked);
    }
}
