//! A plan: an experiment with everything decided, so that any machine can run any row of it.

use std::fmt::Write;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::Error;
use crate::command::{self, Word};
use crate::configurations::{self, Configuration};
use crate::experiment::{self, Level, Limits, ReportOptions, Settings, any_matches};
use crate::process;
use crate::row::Key;
use crate::tasks::{self, Task};

/// What the command line changes about an experiment.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// Where the collection is.
    pub collection: Option<PathBuf>,
    /// The binary.
    pub binary: Option<PathBuf>,
    /// At most this many tasks, spread over the categories.
    pub tasks: Option<usize>,
    /// Only tasks whose names match one of these patterns.
    pub only: Vec<String>,
    /// Only tasks that this file lists: a pattern on each line.
    pub list: Option<PathBuf>,
    /// Only configurations whose names match one of these patterns.
    pub configurations: Vec<String>,
    /// Seconds of CPU time.
    pub cpu: Option<f64>,
    /// Seconds that may pass.
    pub wall: Option<f64>,
    /// Megabytes of memory.
    pub memory: Option<u64>,
    /// How often each configuration runs on each task.
    pub repetitions: Option<u32>,
}

/// An experiment with everything decided.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct Plan {
    /// The name of the experiment's file.
    pub name: String,
    /// What it is about.
    pub title: String,
    /// The table or figure that it reproduces.
    pub reproduces: String,
    /// What may differ from it.
    pub differs: String,
    /// What a run may use.
    pub limits: Limits,
    /// How often each configuration runs on each task.
    pub repetitions: u32,
    /// How many runs go on at the same time, unless the command line says it.
    pub jobs: u32,
    /// The binary, and what it is.
    pub binary: Binary,
    /// Where the files of the tasks are.
    pub collection: PathBuf,
    /// How a run is started.
    pub command: Vec<Word>,
    /// Levels that are the same for all tasks.
    pub levels: Vec<Level>,
    /// The task sets.
    pub sets: Vec<Set>,
    /// The tasks.
    pub tasks: Vec<Task>,
    /// The configurations.
    pub configurations: Vec<Configuration>,
    /// What the report shows.
    pub report: ReportOptions,
}

/// What a task set says about its tasks.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct Set {
    /// Levels that are fixed for its tasks.
    pub levels: Vec<Level>,
    /// Patterns of configurations that do not apply.
    pub without: Vec<String>,
}

/// A binary.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct Binary {
    /// Its file.
    pub path: PathBuf,
    /// Its SHA-256 sum: rows of two binaries are not one experiment.
    pub sha256: String,
}

/// A run of a plan.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    /// Which.
    pub key: Key,
    /// Its task.
    pub task: &'a Task,
    /// Its settings.
    pub settings: Settings,
    /// Its command.
    pub words: Vec<String>,
}

/// Decides everything about an experiment.
pub fn plan(path: &Path, overrides: &Overrides) -> Result<Plan, Error> {
    let experiment = experiment::read(path)?;
    // The parent of a name without a folder is empty, which is no name of a folder.
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let collection = match &overrides.collection {
        Some(collection) => collection.clone(),
        None => folder.join(&experiment.collection),
    };
    let collection = collection.canonicalize().map_err(|error| {
        Error::Experiment(format!(
            "cannot read the task collection `{}`: {error}\n \
             = help: docs/experiments.md lists the sources of the tasks. `--collection DIR` names another folder, and \
             experiments/examples.toml needs no collection.",
            collection.display()
        ))
    })?;
    let mut all = tasks::tasks(&experiment.tasks, &collection)?;
    if !overrides.only.is_empty() {
        all = matching(all, &overrides.only, |task| &task.name)?;
    }
    if let Some(list) = &overrides.list {
        all = matching(all, &patterns(list)?, |task| &task.name)?;
    }
    if let Some(most) = overrides.tasks {
        all = tasks::sample(all, most);
    }
    let mut chosen = configurations::configurations(&experiment)?;
    if !overrides.configurations.is_empty() {
        chosen = matching(chosen, &overrides.configurations, |one| &one.name)?;
    }
    if all.is_empty() || chosen.is_empty() {
        return Err(Error::Experiment("no task or no configuration is left".into()));
    }
    let limits = Limits {
        cpu: overrides.cpu.unwrap_or(experiment.limits.cpu),
        // A limit that was made for another one does not fit any more.
        wall: overrides.wall.or(experiment.limits.wall.filter(|_| overrides.cpu.is_none())),
        memory: overrides.memory.or(experiment.limits.memory),
    };
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let plan = Plan {
        name: stem,
        title: experiment.title,
        reproduces: experiment.reproduces,
        differs: experiment.differs.trim().into(),
        limits,
        repetitions: overrides.repetitions.unwrap_or(experiment.repetitions),
        jobs: experiment.jobs,
        binary: binary(overrides.binary.as_deref())?,
        collection,
        command: experiment.command,
        levels: experiment.levels,
        sets: experiment
            .tasks
            .into_iter()
            .map(|set| Set { levels: set.levels, without: set.without })
            .collect(),
        tasks: all,
        configurations: chosen,
        report: experiment.report,
    };
    check(&plan).map(|()| plan)
}

/// Those whose names one of the patterns matches.
fn matching<T>(
    all: Vec<T>,
    patterns: &[String],
    name: impl Fn(&T) -> &str,
) -> Result<Vec<T>, Error> {
    let mut matching = Vec::new();
    for one in all {
        if any_matches(patterns, name(&one))? {
            matching.push(one);
        }
    }
    Ok(matching)
}

/// The patterns of a list, without comments, which begin with `#`.
fn patterns(list: &Path) -> Result<Vec<String>, Error> {
    let text = std::fs::read_to_string(list).map_err(|error| Error::file("read", list, &error))?;
    let lines = text.lines().map(str::trim);
    Ok(lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(String::from).collect())
}

/// The binary that the experiment is about: this one, unless another is named.
fn binary(path: Option<&Path>) -> Result<Binary, Error> {
    let problem = |error: std::io::Error| Error::System(format!("the binary: {error}"));
    let path = match path {
        Some(path) => path.canonicalize().map_err(|error| Error::file("find", path, &error))?,
        None => std::env::current_exe().map_err(problem)?,
    };
    // In pieces: what this process holds counts as what a child had before it became its program.
    let (mut hash, mut piece) = (Sha256::new(), vec![0; 1 << 16]);
    let mut file = File::open(&path).map_err(|error| Error::file("read", &path, &error))?;
    loop {
        let length = file.read(&mut piece).map_err(|error| Error::file("read", &path, &error))?;
        if length == 0 {
            break;
        }
        hash.update(&piece[..length]);
    }
    let mut sha256 = String::new();
    for byte in hash.finalize() {
        // Writing to a string cannot fail.
        let _ = write!(sha256, "{byte:02x}");
    }
    Ok(Binary { path, sha256 })
}

/// That every command can be made, its program is there, and every task's file is.
fn check(plan: &Plan) -> Result<(), Error> {
    let mut programs = std::collections::BTreeSet::new();
    for run in plan.runs()? {
        programs.extend(run.words.first().cloned());
    }
    if let Some(none) = programs.iter().find(|word| process::program(word).is_none()) {
        return Err(Error::Experiment(format!("there is no program `{none}`")));
    }
    let missing = plan.tasks.iter().find(|task| !plan.collection.join(&task.file).is_file());
    match missing {
        Some(task) => Err(Error::Experiment(format!(
            "there is no file `{}` in `{}`",
            task.file.display(),
            plan.collection.display()
        ))),
        None => Ok(()),
    }
}

impl Plan {
    /// All runs. Repetitions come after each other, so that a part of the rows is of use, too; the configurations of
    /// a task come together, so that they meet the same weather.
    pub fn runs(&self) -> Result<Vec<Run<'_>>, Error> {
        let mut runs = Vec::new();
        for repetition in 1..=self.repetitions {
            for task in &self.tasks {
                for configuration in &self.configurations {
                    let set = &self.sets[task.set];
                    if !any_matches(&set.without, &configuration.name)? {
                        runs.push(self.run(task, configuration, repetition)?);
                    }
                }
            }
        }
        Ok(runs)
    }

    fn run<'a>(
        &self,
        task: &'a Task,
        configuration: &Configuration,
        repetition: u32,
    ) -> Result<Run<'a>, Error> {
        let settings = self.settings(task, configuration)?;
        let number = |n: Option<u64>| n.map_or_else(String::new, |n| n.to_string());
        let values = IndexMap::from([
            ("lapidary", self.binary.path.to_string_lossy().into_owned()),
            ("file", self.collection.join(&task.file).to_string_lossy().into_owned()),
            ("bits", task.bits.clone()),
            ("property", self.property(task)),
            ("configuration", configurations::line(&settings)),
            ("cpu", self.limits.cpu.to_string()),
            ("wall", self.limits.wall().to_string()),
            ("memory", number(self.limits.memory)),
        ]);
        let words = configuration.command.as_ref().unwrap_or(&self.command);
        let mut words = command::fill(words, &values)?;
        words.extend(configuration.options.iter().cloned());
        let key =
            Key { task: task.name.clone(), configuration: configuration.name.clone(), repetition };
        Ok(Run { key, task, settings, words })
    }

    /// The property of a task: a name, or the path of a property file.
    pub(crate) fn property(&self, task: &Task) -> String {
        match Path::new(&task.property).extension() {
            Some(extension) if extension == "prp" => {
                self.collection.join(&task.property).to_string_lossy().into_owned()
            }
            _ => task.property.clone(),
        }
    }

    /// All settings of a configuration on a task.
    pub fn settings(&self, task: &Task, configuration: &Configuration) -> Result<Settings, Error> {
        configuration.with_levels(self.sets[task.set].levels.iter().chain(&self.levels))
    }
}
