//! An experiment as its file says it: tasks, configurations, limits.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::command::Word;

/// Settings of axes, in the order of the file.
pub type Settings = IndexMap<String, String>;

/// The contents of an experiment file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Experiment {
    /// What it is about.
    pub title: String,
    /// The table or figure that it reproduces.
    #[serde(default)]
    pub reproduces: String,
    /// What may differ from it.
    #[serde(default)]
    pub differs: String,
    /// Where the files of the tasks are, from the folder of the experiment.
    #[serde(default)]
    pub collection: PathBuf,
    /// What a run may use.
    pub limits: Limits,
    /// How often each configuration runs on each task.
    #[serde(default = "one")]
    pub repetitions: u32,
    /// How many runs go on at the same time.
    #[serde(default = "one")]
    pub jobs: u32,
    /// How a run is started; by default `lapidary verify`.
    #[serde(default = "crate::command::default_words")]
    pub command: Vec<Word>,
    /// The task sets.
    pub tasks: Vec<TaskSet>,
    /// Levels that are the same for all tasks.
    #[serde(default)]
    pub levels: Vec<Level>,
    /// Factors: each combination of their levels is a configuration.
    #[serde(default)]
    pub product: IndexMap<String, Factor>,
    /// Configurations one by one.
    #[serde(default)]
    pub configuration: Vec<Named>,
    /// What the report shows besides what it shows of every experiment.
    #[serde(default)]
    pub report: ReportOptions,
}

fn one() -> u32 {
    1
}

/// What a run may use.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Seconds of CPU time.
    pub cpu: f64,
    /// Seconds that may pass; by default 30 more than the CPU time, as BenchExec's runexec has it.
    #[serde(default)]
    pub wall: Option<f64>,
    /// Megabytes (2²⁰ bytes) of memory.
    #[serde(default)]
    pub memory: Option<u64>,
}

impl Limits {
    /// Seconds that may pass.
    pub fn wall(&self) -> f64 {
        self.wall.unwrap_or(self.cpu + 30.0)
    }
}

/// A set of tasks.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TaskSet {
    /// A CSV index, in the collection.
    #[serde(default)]
    pub index: Option<PathBuf>,
    /// Patterns of files, in the collection.
    #[serde(default)]
    pub files: Vec<String>,
    /// Lists of task definitions (`.set`) of SV-COMP, in the collection.
    #[serde(default)]
    pub sets: Vec<PathBuf>,
    /// Which rows of the index, by patterns for its columns.
    #[serde(default, rename = "where")]
    pub filter: IndexMap<String, Patterns>,
    /// The category of all these tasks; by default that of the index, or their folder.
    #[serde(default)]
    pub category: Option<String>,
    /// Levels that are fixed for these tasks.
    #[serde(default)]
    pub levels: Vec<Level>,
    /// Patterns of configurations that do not apply to these tasks.
    #[serde(default)]
    pub without: Vec<String>,
}

/// One pattern or several, of which one must match.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(untagged)]
pub enum Patterns {
    /// One.
    One(String),
    /// Several.
    Several(Vec<String>),
}

impl Patterns {
    /// Whether one of them matches.
    pub fn matches(&self, text: &str) -> Result<bool, Error> {
        let all = match self {
            Patterns::One(pattern) => std::slice::from_ref(pattern),
            Patterns::Several(patterns) => patterns,
        };
        any_matches(all, text)
    }
}

/// Whether one of the patterns matches. `*` also stands for slashes.
pub fn any_matches(patterns: &[String], text: &str) -> Result<bool, Error> {
    for pattern in patterns {
        let compiled = glob::Pattern::new(pattern)
            .map_err(|error| Error::Experiment(format!("the pattern `{pattern}`: {error}")))?;
        if compiled.matches(text) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Settings that hold unless a configuration has its own for the same axes.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// Only for configurations with these settings.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub when: IndexMap<String, Patterns>,
    /// The settings.
    pub set: Settings,
}

/// The levels of a factor.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Factor {
    /// Values of the axis with the factor's name.
    Values(Vec<String>),
    /// Names of levels, and the settings that each stands for.
    Named(IndexMap<String, Settings>),
}

/// A configuration with a name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Named {
    /// Its name.
    pub name: String,
    /// Its settings.
    #[serde(default)]
    pub set: Settings,
    /// The command that it is, if it is not that of the experiment: another tool.
    #[serde(default)]
    pub command: Option<Vec<Word>>,
    /// Words at the end of the command: options that are no axes.
    #[serde(default)]
    pub options: Vec<String>,
}

/// What a report shows besides what it shows of every experiment.
#[derive(Clone, Debug, Default, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ReportOptions {
    /// Pairs of configurations for scatter plots.
    #[serde(default)]
    pub scatter: Vec<[String; 2]>,
    /// Configurations in the quantile plot, by patterns; none is all, or the best if there are many.
    #[serde(default)]
    pub quantile: Vec<String>,
}

/// Reads an experiment.
pub fn read(path: &Path) -> Result<Experiment, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::file("read", path, &error))?;
    let experiment: Experiment = toml::from_str(&text)
        .map_err(|error| Error::Experiment(format!("{}: {error}", path.display())))?;
    check(&experiment).map_err(|what| Error::Experiment(format!("{}: {what}", path.display())))?;
    Ok(experiment)
}

fn check(experiment: &Experiment) -> Result<(), String> {
    let Limits { cpu, .. } = experiment.limits;
    let is_time = |seconds: f64| seconds.is_finite() && seconds > 0.0 && seconds < 1e9;
    if !is_time(cpu) || !is_time(experiment.limits.wall()) {
        return Err("`limits`: `cpu` and `wall` are numbers of seconds above 0".into());
    }
    if experiment.limits.memory == Some(0) || experiment.repetitions == 0 || experiment.jobs == 0 {
        return Err("`memory`, `repetitions` and `jobs` are at least 1".into());
    }
    if experiment.product.is_empty() && experiment.configuration.is_empty() {
        return Err("there is no configuration: neither `[product]` nor `[[configuration]]`".into());
    }
    for set in &experiment.tasks {
        if set.index.is_none() && set.files.is_empty() && set.sets.is_empty() {
            return Err("`[[tasks]]` needs `index`, `files` or `sets`".into());
        }
        if set.index.is_none() && !set.filter.is_empty() {
            return Err("`where` needs an `index`".into());
        }
    }
    Ok(())
}
