//! The options of `lapidary bench`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command, value_parser};
use lapidary_bench::forget::Choice;
use lapidary_bench::plan::Overrides;
use lapidary_bench::row::Termination;

const ABOUT_RUN: &str = "Run an experiment, or go on with one; each run is a row in `rows.jsonl`";

const LONG_ABOUT_RUN: &str = "Run an experiment, or go on with one.

Every configuration of the experiment runs on each of its tasks, in a process of its own. Each run is a row in \
DIR/rows.jsonl as soon as it has ended. The same command goes on where it was after an interrupt or a kill. The report \
is made at the end; `lapidary bench report DIR` makes it at any time.";

const EXAMPLES_RUN: &str = "Examples:
  The whole experiment:
    lapidary bench run experiments/rq1.toml

  A small version of it: 40 tasks spread over the categories, 30 s each:
    lapidary bench run experiments/rq1.toml --tasks 40 --time 30 --repetitions 1 --out results/rq1-small

  On a cluster:
    lapidary bench run experiments/rq1.toml --runner slurm --sbatch=--partition=long";

const EXAMPLES_FORGET: &str =
    "The rows are moved to DIR/forgotten.jsonl. A row must match all that is given.

Example: runs that did not get their CPU time because the machine was busy:
  lapidary bench forget results/rq1 --reason '*limit of time*'";

/// How a run may have ended.
const TERMINATIONS: [Termination; 5] = [
    Termination::Success,
    Termination::Wrong,
    Termination::Time,
    Termination::Memory,
    Termination::Exception,
];

/// The options that choose rows.
const CHOSEN: [&str; 4] = ["ended", "reason", "only", "configurations"];

/// What to do.
#[derive(Clone, Debug)]
pub(crate) enum Request {
    /// Run an experiment.
    Run(Run),
    /// Make a report.
    Report {
        /// The folder with the rows.
        folder: PathBuf,
        /// Where the report goes.
        out: Option<PathBuf>,
        /// Pairs of configurations for scatter plots.
        scatter: Vec<String>,
    },
    /// Compare two folders.
    Diff {
        /// The rows before.
        old: PathBuf,
        /// The rows after.
        new: PathBuf,
    },
    /// Take rows out, so that their runs are done again.
    Forget {
        /// The folder with the rows.
        folder: PathBuf,
        /// Which.
        choice: Choice,
    },
    /// Write the experiment for BenchExec.
    Benchexec {
        /// Its file.
        experiment: PathBuf,
        /// Changes to it.
        overrides: Overrides,
        /// Where to write.
        out: PathBuf,
    },
    /// End the runs of an experiment that is killed.
    Guard,
    /// Run some rows of a plan, as a task of an array job.
    Worker {
        /// The folder with the plan.
        folder: PathBuf,
        /// The name of the job.
        job: String,
        /// The number of this task.
        index: usize,
    },
}

/// A run of an experiment.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// Its file.
    pub(crate) experiment: PathBuf,
    /// Changes to it.
    pub(crate) overrides: Overrides,
    /// Where the rows go.
    pub(crate) out: Option<PathBuf>,
    /// How many at the same time.
    pub(crate) jobs: Option<usize>,
    /// Whether cgroups may be used.
    pub(crate) cgroups: bool,
    /// Whether to say what would be run, only.
    pub(crate) dry: bool,
    /// The options of `sbatch`, if Slurm runs the rows.
    pub(crate) slurm: Option<Vec<String>>,
}

impl Request {
    /// The request of checked words.
    pub(super) fn of(matches: &ArgMatches) -> Request {
        let (name, words) = matches.subcommand().expect("a command is required");
        let path = |name: &str| words.get_one::<PathBuf>(name).cloned();
        let required = |name: &str| path(name).expect("clap requires it");
        match name {
            "run" => Request::Run(run(words)),
            "report" => Request::Report {
                folder: required("DIR"),
                out: path("out"),
                scatter: strings(words, "scatter"),
            },
            "diff" => Request::Diff { old: required("OLD"), new: required("NEW") },
            "forget" => Request::Forget { folder: required("DIR"), choice: choice(words) },
            "benchexec" => Request::Benchexec {
                experiment: required("EXPERIMENT"),
                overrides: overrides(words),
                out: required("out"),
            },
            "guard" => Request::Guard,
            _ => Request::Worker {
                folder: required("DIR"),
                job: words.get_one::<String>("job").cloned().unwrap_or_default(),
                index: words.get_one::<usize>("index").copied().unwrap_or_default(),
            },
        }
    }
}

fn strings(words: &ArgMatches, name: &str) -> Vec<String> {
    words.get_many::<String>(name).into_iter().flatten().cloned().collect()
}

fn choice(words: &ArgMatches) -> Choice {
    let terminations = TERMINATIONS.into_iter();
    let terminations = terminations.filter(|termination| {
        strings(words, "ended").iter().any(|word| word == termination.name())
    });
    Choice {
        terminations: terminations.collect(),
        reasons: strings(words, "reason"),
        tasks: strings(words, "only"),
        configurations: strings(words, "configurations"),
    }
}

fn run(words: &ArgMatches) -> Run {
    let is_slurm = words.get_one::<String>("runner").is_some_and(|runner| runner == "slurm");
    Run {
        experiment: words.get_one("EXPERIMENT").cloned().expect("clap requires it"),
        overrides: overrides(words),
        out: words.get_one("out").cloned(),
        jobs: words.get_one("jobs").copied(),
        cgroups: !words.get_flag("no-cgroups"),
        dry: words.get_flag("dry-run"),
        slurm: is_slurm.then(|| strings(words, "sbatch")),
    }
}

fn overrides(words: &ArgMatches) -> Overrides {
    let seconds = |name: &str| words.get_one::<Duration>(name).map(Duration::as_secs_f64);
    let collection = words.get_one::<PathBuf>("collection").cloned();
    Overrides {
        collection: collection
            .or_else(|| std::env::var_os("LAPIDARY_COLLECTION").map(PathBuf::from)),
        binary: words.get_one("binary").cloned(),
        tasks: words.get_one("tasks").copied(),
        only: strings(words, "only"),
        list: words.get_one("list").cloned(),
        configurations: strings(words, "configurations"),
        cpu: seconds("time"),
        wall: seconds("wall"),
        memory: words.get_one("memory").copied(),
        repetitions: words.get_one("repetitions").copied(),
    }
}

/// `lapidary bench`.
pub(super) fn command() -> Command {
    Command::new("bench")
        .about("Run experiments: configurations × tasks → tables and plots")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(
            Command::new("run")
                .about(ABOUT_RUN)
                .long_about(LONG_ABOUT_RUN)
                .after_help(EXAMPLES_RUN)
                .arg(experiment())
                .arg(path("out").short('o').value_name("DIR").help(
                    "Where the rows and the report go [default: results/NAME]",
                ))
                .args(runner())
                .next_help_heading("A smaller version of the experiment")
                .args(smaller()),
        )
        .subcommand(
            Command::new("report")
                .about("Make tables and plots of the rows that there are: HTML, Markdown, CSV, SVG")
                .arg(positional("DIR", "The folder with the rows"))
                .arg(path("out").short('o').value_name("DIR").help(
                    "Where the report goes [default: DIR/report]",
                ))
                .arg(
                    Arg::new("scatter")
                        .long("scatter")
                        .value_name("A,B")
                        .action(ArgAction::Append)
                        .help("A scatter plot of two configurations; may be repeated; `all` is all pairs"),
                ),
        )
        .subcommand(
            Command::new("diff")
                .about("Compare two runs of an experiment: tasks gained, lost, wrong, CPU times")
                .arg(positional("OLD", "The folder with the rows before"))
                .arg(positional("NEW", "The folder with the rows after")),
        )
        .subcommand(
            Command::new("forget")
                .about("Take rows out of an experiment: the same `bench run` as before does these runs again")
                .after_help(EXAMPLES_FORGET)
                .arg(positional("DIR", "The folder with the rows"))
                .args(chosen())
                .group(ArgGroup::new("which").args(CHOSEN).multiple(true).required(true)),
        )
        .subcommand(
            Command::new("benchexec")
                .about("Write an experiment for BenchExec: a benchmark definition, tasks, a tool-info module")
                .arg(experiment())
                .arg(path("out").short('o').value_name("DIR").required(true).help("Where to write it"))
                .next_help_heading("A smaller version of the experiment")
                .args(smaller()),
        )
        .subcommand(
            Command::new("guard")
                .hide(true)
                .about("End the runs of an experiment that is killed; they are named on standard input"),
        )
        .subcommand(
            Command::new("worker")
                .hide(true)
                .about("Run some rows of a plan, as a task of an array job")
                .arg(positional("DIR", "The folder with the plan"))
                .arg(Arg::new("job").long("job").required(true))
                .arg(Arg::new("index").long("index").required(true).value_parser(value_parser!(usize))),
        )
}

fn positional(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).required(true).value_parser(value_parser!(PathBuf)).help(help)
}

fn experiment() -> Arg {
    positional("EXPERIMENT", "The experiment: a TOML file, as in `experiments/`")
}

fn path(name: &'static str) -> Arg {
    Arg::new(name).long(name).value_parser(value_parser!(PathBuf))
}

/// Which rows.
fn chosen() -> [Arg; 4] {
    let [ended, reason, only, configurations] = CHOSEN;
    [
        Arg::new(ended)
            .long(ended)
            .value_name("HOW")
            .value_parser(TERMINATIONS.map(Termination::name))
            .action(ArgAction::Append)
            .help("Rows of runs that ended so; may be repeated"),
        patterns(reason, "Rows with a reason that matches; may be repeated"),
        patterns(only, "Rows of tasks whose names match; may be repeated"),
        patterns(configurations, "Rows of configurations whose names match; may be repeated"),
    ]
}

fn patterns(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name("PATTERN").action(ArgAction::Append).help(help)
}

/// How an experiment is run.
fn runner() -> [Arg; 5] {
    [
        Arg::new("jobs")
            .long("jobs")
            .short('j')
            .value_name("N")
            .value_parser(number)
            .help("How many runs at the same time [default: as the experiment says, or 1]"),
        Arg::new("runner")
            .long("runner")
            .value_name("RUNNER")
            .value_parser(["local", "slurm"])
            .default_value("local")
            .help("Who runs the rows: this machine, or a cluster with Slurm"),
        Arg::new("sbatch")
            .long("sbatch")
            .value_name("OPTION")
            .action(ArgAction::Append)
            .allow_hyphen_values(true)
            .help("Slurm: an option for `sbatch`, such as `--sbatch=--partition=long`; may be repeated"),
        Arg::new("no-cgroups")
            .long("no-cgroups")
            .action(ArgAction::SetTrue)
            .help("Measure with wait4 and samples, even where cgroups can be made"),
        Arg::new("dry-run")
            .long("dry-run")
            .action(ArgAction::SetTrue)
            .help("Say what would be run, and check that it can be"),
    ]
}

/// What makes an experiment smaller, or fit the machine.
fn smaller() -> [Arg; 10] {
    let seconds = |name: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name("SECONDS")
            .value_parser(super::resources::seconds)
            .help(help)
    };
    [
        path("collection")
            .value_name("DIR")
            .help("Where the tasks are [default: LAPIDARY_COLLECTION, or as the experiment says]"),
        path("binary").value_name("FILE").help("The binary to run [default: this one]"),
        Arg::new("tasks").long("tasks").value_name("N").value_parser(number).help(
            "At most so many tasks, as many of each category as there are, evenly spread over it",
        ),
        patterns("only", "Only tasks whose names match; may be repeated"),
        path("list")
            .value_name("FILE")
            .help("Only tasks that this file lists, a name or pattern on each line"),
        patterns("configurations", "Only configurations whose names match; may be repeated"),
        seconds("time", "The limit of CPU time for a run"),
        seconds("wall", "The limit of time that passes for a run"),
        Arg::new("memory")
            .long("memory")
            .value_name("MB")
            .value_parser(value_parser!(u64).range(1..1 << 40))
            .help("The limit of memory for a run"),
        Arg::new("repetitions")
            .long("repetitions")
            .value_name("N")
            .value_parser(value_parser!(u32).range(1..1000))
            .help("How often each configuration runs on each task"),
    ]
}

fn number(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "a number of at least 1".into())
}
