//! A stage of the strategy: an engine, its configuration, and its budget.

use std::fmt;

use lapidary_cegar::Config;

use crate::Engine;

/// A part of the strategy.
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    /// What searches.
    pub engine: &'static dyn Engine,
    /// How it searches, unless it runs the input.
    pub settings: Config,
    /// The work it may do; the last stages have no limit.
    pub work: Option<u64>,
    /// Whether it ends before that if it diverges.
    pub notices_divergence: bool,
}

impl Stage {
    /// The configuration, if the engine has one.
    pub fn config(&self) -> Option<Config> {
        (!self.engine.runs_the_input()).then_some(self.settings)
    }

    /// Whether the other stage searches in the same way, with whatever budget.
    pub fn searches_as(&self, other: &Stage) -> bool {
        self.engine == other.engine && self.config() == other.config()
    }

    /// The name of the strategy that is this stage alone.
    pub fn strategy(&self) -> &'static str {
        match self.engine.name() {
            "cegar" => "plain",
            "concrete" => "runs",
            name => name,
        }
    }

    /// The configuration line that runs this stage alone.
    pub fn line(&self) -> String {
        match (self.strategy(), self.config()) {
            ("plain", Some(config)) => config.to_string(),
            (strategy, Some(config)) => format!("strategy={strategy} {config}"),
            (strategy, None) => format!("strategy={strategy}"),
        }
    }
}

impl PartialEq for Stage {
    fn eq(&self, other: &Stage) -> bool {
        let budget = |stage: &Stage| (stage.work, stage.notices_divergence);
        self.searches_as(other) && budget(self) == budget(other)
    }
}

impl Eq for Stage {}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.engine.title(&self.settings))
    }
}
