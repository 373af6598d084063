//! From the words of the command line to checked arguments.

pub(crate) mod bench;
pub(crate) mod check;
mod checks;
mod command;
mod input;
pub(crate) mod interpolate;
mod preprocessor;
mod resources;
mod show;
mod start;
mod steps;
mod strategy;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::ArgMatches;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use lapidary::options::SavedPrecision;
use lapidary::source::is_file;
use lapidary::{Calls, Options, Source, Strategy};
use lapidary_cegar::Config;
use lapidary_cegar::config::{AXES, ConfigError};
use lapidary_engine::Stage;
use lapidary_engine::strategy::single;
use lapidary_report::{Asked, Colors, Sections};
use lapidary_solver::limits::Limits;

pub(crate) use show::Show;

use crate::failure::{Failure, USAGE};
use crate::{log, output};

/// What to do, with nothing left to check.
#[derive(Clone, Debug)]
pub(crate) struct Args {
    /// The input.
    pub(crate) source: Source,
    /// Whether the stages of the strategy decide, and not the configuration alone.
    pub(crate) is_auto: bool,
    /// The only stage, if one alone is asked for.
    pub(crate) single: Option<Stage>,
    /// The parts that the strategy has to do without.
    pub(crate) without: Vec<String>,
    /// What becomes of calls.
    pub(crate) calls: Calls,
    /// How many stages of the strategy run at once.
    pub(crate) jobs: usize,
    /// The configuration.
    pub(crate) config: Config,
    /// The command of an SMT-LIB 2 solver; none is Z3 in process.
    pub(crate) solver: Option<String>,
    /// The folder for recordings of the solver's sessions.
    pub(crate) record: Option<PathBuf>,
    /// The limit of CPU time.
    pub(crate) time: Option<Duration>,
    /// The limit of time that passes.
    pub(crate) wall: Option<Duration>,
    /// The limit of memory in bytes.
    pub(crate) memory: Option<u64>,
    /// What standard output is.
    pub(crate) format: Format,
    /// How much standard error tells: 0 progress on a terminal, 1 each iteration, 2 more.
    pub(crate) verbosity: u8,
    /// Whether standard error tells nothing but errors.
    pub(crate) quiet: bool,
    /// Where to draw the graph of abstract states.
    pub(crate) arg: Option<PathBuf>,
    /// Where to draw the automaton.
    pub(crate) cfa: Option<PathBuf>,
    /// The precision to start from.
    pub(crate) load_precision: Option<PathBuf>,
    /// Where to write the precision at the end.
    pub(crate) save_precision: Option<PathBuf>,
    /// Where to write the evidence in the format of the input.
    pub(crate) witness: Option<PathBuf>,
    /// Where to write the evidence as text, for `lapidary check`.
    pub(crate) evidence: Option<PathBuf>,
    /// Where to write a C file with the values of an execution.
    pub(crate) harness: Option<PathBuf>,
}

impl Args {
    /// What decides the course of the verification, with the text of the precision to start from.
    pub(crate) fn options(&self, limits: &Limits, start: Option<SavedPrecision>) -> Options {
        let property = self.source.property.clone().filter(|property| !is_file(property));
        let strategy = match self.single {
            Some(stage) => Strategy::Alone(stage),
            None if self.is_auto => {
                let (without, jobs, calls) = (self.without.clone(), self.jobs, self.calls);
                Strategy::Auto { without, jobs, calls }
            }
            None => Strategy::Plain(self.config),
        };
        Options {
            property,
            strategy,
            start,
            solver: self.solver.clone(),
            record: self.record.clone(),
            keeps_graph: self.arg.is_some(),
            keeps_precision: self.save_precision.is_some(),
            limits: limits.clone(),
        }
    }

    /// What reports repeat of this.
    pub(crate) fn asked(&self) -> Asked<'_> {
        Asked {
            file: &self.source.file,
            strategy: self.strategy(),
            config: &self.config,
            solver: self.solver.as_deref().unwrap_or("z3"),
            time: self.time,
            wall: self.wall,
            memory: self.memory,
            has_assertions: self.source.c.each_assertion,
        }
    }

    /// The name of the strategy.
    pub(crate) fn strategy(&self) -> &'static str {
        match self.single {
            Some(stage) => stage.strategy(),
            None if self.is_auto => "auto",
            None => "plain",
        }
    }
}

/// What is asked for.
#[derive(Clone, Debug)]
pub(crate) enum Request {
    /// A verdict.
    Verify(Box<Args>),
    /// What the input is.
    Inspect(Source, Show),
    /// Whether evidence is valid.
    Check(check::Args),
    /// Interpolants.
    Interpolate(interpolate::Args),
    /// Experiments.
    Bench(bench::Request),
}

/// What standard output is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// One JSON object.
    Json,
    /// Text, with the verdict in its last line.
    Text(Sections),
}

/// The end of a command line that leads to no run: help, the version, or a usage error.
#[derive(Debug)]
pub(crate) struct Answer(clap::Error);

impl Answer {
    /// Tells it; returns the exit status.
    pub(crate) fn print(&self) -> Result<i32, Failure> {
        let text = self.0.render().to_string();
        if self.0.kind() == ErrorKind::InvalidSubcommand {
            log::line(text.trim_end().replace(
                "\n\nUsage:",
                "\n\n  tip: to verify a file, write `lapidary verify <FILE>`\n\nUsage:",
            ));
            return Ok(USAGE);
        }
        if self.0.use_stderr() {
            log::line(text.trim_end());
            return Ok(USAGE);
        }
        output::print(&text).map(|()| 0)
    }
}

/// Reads and checks the command line.
pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Request, Answer> {
    let mut command = command::lapidary();
    let matches =
        command.try_get_matches_from_mut(preprocessor::respelled(words)).map_err(Answer)?;
    // `lapidary` without a command is a usage error of clap's, so there is one.
    let (name, words) = matches.subcommand().expect("a command is required");
    match name {
        "interpolate" => return Ok(Request::Interpolate(interpolate::Args::of(words))),
        "inspect" => return Ok(Request::Inspect(input::source(words), Show::of(words))),
        "check" => return Ok(Request::Check(check::Args::of(words))),
        "bench" => return Ok(Request::Bench(bench::Request::of(words))),
        _ => {}
    }
    args(words).map(|args| Request::Verify(Box::new(args))).map_err(|problem| {
        let verify = command.find_subcommand_mut("verify").expect("it has just been matched");
        Answer(verify.error(ErrorKind::ArgumentConflict, problem))
    })
}

fn args(matches: &ArgMatches) -> Result<Args, String> {
    let path = |name: &str| matches.get_one::<PathBuf>(name).cloned();
    let (arg, cfa, witness) = (path("arg"), path("cfa"), path("witness"));
    let (evidence, harness) = (path("evidence"), path("harness"));
    let save_precision = path("save-precision");
    let files = [
        ("--arg", &arg),
        ("--cfa", &cfa),
        ("--witness", &witness),
        ("--evidence", &evidence),
        ("--harness", &harness),
        ("--save-precision", &save_precision),
    ];
    for (i, (first, file)) in files.iter().enumerate() {
        if let Some((second, _)) =
            files[i + 1..].iter().find(|(_, other)| file.is_some() && other == file)
        {
            return Err(format!("`{first}` and `{second}` cannot write the same file"));
        }
    }
    let (quiet, verbosity) = (matches.get_flag("quiet"), matches.get_count("verbose"));
    let sections = Sections {
        evidence: !quiet,
        steps: steps::steps(matches),
        invariant: matches.get_flag("invariant") || verbosity > 0,
        stats: matches.get_flag("stats"),
        colors: Colors::Off,
    };
    let strategy = strategy::of(matches)?;
    let is_auto = strategy == "auto";
    let without: Vec<String> =
        matches.get_many::<String>("without").into_iter().flatten().cloned().collect();
    if !is_auto && !without.is_empty() {
        return Err("`--without` is about `--strategy auto`, not about one configuration".into());
    }
    let calls = strategy::calls(matches, is_auto)?;
    let jobs = jobs(matches, is_auto)?;
    let config = config(matches, strategy).map_err(|error| error.to_string())?;
    Ok(Args {
        source: input::source(matches),
        is_auto,
        single: single(strategy, config).filter(|_| strategy != "plain"),
        without,
        calls,
        jobs,
        config,
        solver: matches.get_one::<String>("solver").filter(|command| *command != "z3").cloned(),
        record: path("record"),
        time: matches.get_one::<Duration>("time").copied(),
        wall: matches.get_one::<Duration>("wall").copied(),
        memory: matches.get_one::<u64>("memory").map(|megabytes| megabytes << 20),
        format: if matches.get_flag("json") { Format::Json } else { Format::Text(sections) },
        verbosity,
        quiet,
        arg,
        cfa,
        load_precision: path("load-precision"),
        save_precision,
        witness,
        evidence,
        harness,
    })
}

/// How many stages run at once, if there is more than one to run.
fn jobs(matches: &ArgMatches, is_auto: bool) -> Result<usize, String> {
    let jobs = matches.get_one::<usize>("jobs").copied().unwrap_or(1);
    if jobs == 1 {
        return Ok(jobs);
    }
    if !is_auto {
        let why =
            "it runs stages of `--strategy auto` at once, and one configuration has no stages";
        return Err(format!("`--jobs {jobs}` goes with no option of a configuration: {why}"));
    }
    let single = [
        ("arg", "stages that run at once have a graph each"),
        ("record", "the order of recordings would depend on the machine"),
    ];
    let given = |name: &str| matches.value_source(name) == Some(ValueSource::CommandLine);
    match single.into_iter().find(|(name, _)| given(name)) {
        Some((name, why)) => Err(format!("`--{name}` does not go with `--jobs {jobs}`: {why}")),
        None => Ok(jobs),
    }
}

/// The configuration line, and then the options. Both must have an effect, the line by itself: an option
/// may well take the effect from a part of a line that was copied from another run.
fn config(matches: &ArgMatches, strategy: &str) -> Result<Config, ConfigError> {
    let mut config = strategy::base(strategy);
    if let Some(line) = matches.get_one::<String>("config") {
        let set = config.set_line(&strategy::without_strategy(line))?;
        config.check_effective(&set)?;
    }
    let given = |name: &str| matches.value_source(name) == Some(ValueSource::CommandLine);
    let mut chosen = Vec::new();
    for axis in AXES.iter().filter(|axis| given(axis.name)) {
        let value = matches.get_one::<String>(axis.name).map_or("", String::as_str);
        config.set(axis.name, value)?;
        chosen.push(axis.name.to_string());
    }
    config.check_effective(&chosen)?;
    Ok(config)
}

#[cfg(test)]
mod tests {
    use lapidary_cegar::config::Axis;

    use super::*;

    fn check(options: &str, expected: Result<&str, &str>) {
        let words = format!("lapidary verify x.cfa {options}");
        let words = words
            .split(' ')
            .filter(|word| !word.is_empty())
            .map(|word| word.replace('+', " ").into());
        let config = parse(words).map(|request| match request {
            Request::Verify(args) => args.config.to_string(),
            _ => panic!("not asked for"),
        });
        match (config, expected) {
            (Ok(line), Ok(part)) => assert!(line.contains(part), "{options}: {line}"),
            (Err(answer), Err(part)) => {
                let text = answer.0.to_string();
                assert!(text.contains(part), "{options}: {text}");
            }
            (config, _) => panic!("{options}: {config:?}"),
        }
    }

    #[test]
    fn the_command_is_well_formed() {
        command::lapidary().debug_assert();
    }

    #[test]
    fn options_override_the_line() {
        check("--config domain=explicit+search=err", Ok("search=err"));
        check("--config domain=explicit+search=err --search dfs", Ok("search=dfs"));
        check("--config domain=explicit+max-enum=4 --domain predicate", Ok("domain=predicate"));
        check("--config=", Ok("domain="));
        check("--config strategy=plain+search=err", Ok("search=err"));
        check("--config strategy=bounded+search=err", Ok("encoding=lbe"));
        check("--config strategy=bounded --encoding sbe", Ok("encoding=sbe"));
    }

    #[test]
    fn options_must_have_an_effect() {
        check(
            "--domain predicate --max-enum 4",
            Err("`max-enum` has no effect with `domain=predicate`"),
        );
        check("--config domain=predicate+max-enum=4", Err("`max-enum` has no effect"));
        check("--config domain=predicate --max-enum 4", Err("`max-enum` has no effect"));
    }

    /// The setting of another axis that an axis needs to have an effect, if it needs one.
    fn what_makes_effective(axis: &Axis, value: &str) -> Option<String> {
        let mut config = Config::default();
        config.set(axis.name, value).expect("a value");
        if (axis.applies)(&config) {
            return None;
        }
        let settings = AXES.iter().flat_map(|other| other.values.iter().map(move |v| (other, v)));
        let helps = |(other, v): &(&Axis, &&str)| {
            let mut config = config;
            config.set(other.name, v).expect("a value");
            other.name != axis.name && (axis.applies)(&config)
        };
        settings.into_iter().find(helps).map(|(other, v)| format!("{}={v}", other.name))
    }

    #[test]
    fn every_value_and_alias_of_every_axis_is_an_option() {
        for axis in AXES {
            let mut words = axis.values.iter().map(|value| (*value, *value)).collect::<Vec<_>>();
            words.extend(axis.aliases);
            for (word, value) in words {
                let line = what_makes_effective(axis, value)
                    .map_or_else(String::new, |setting| format!("--config {setting}"));
                check(
                    &format!("{line} --{} {word}", axis.name),
                    Ok(&format!("{}={value}", axis.name)),
                );
            }
        }
    }

    #[test]
    fn wrong_words_are_explained() {
        check("--search best", Err("`best` is no value of `search`; its values are bfs, dfs, err"));
        check("--config search", Err("`search` is not of the form `option=value`"));
        check("--config color=red", Err("there is no option `color`"));
        check("--time soon", Err("a number of seconds"));
        check("--time 0", Err("a number of seconds"));
        check("--memory 0", Err("a number of megabytes"));
        check("--quiet -v", Err("cannot be used with"));
        check("--json --stats", Err("cannot be used with"));
        check("--strategy runs --domain explicit", Err("concrete runs have no configuration"));
        check("--strategy runs --config search=err", Err("concrete runs have no configuration"));
        check("--strategy auto --config domain=explicit", Err("leave out `--config`"));
        check("--strategy horn --solver cvc5", Err("needs Z3 in process"));
        check("--config strategy=fast", Err("`fast` is no value of `strategy`"));
        check("--arg a.dot --cfa a.dot", Err("cannot write the same file"));
    }
}
