//! From the words of the command line to checked arguments.

mod command;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::ArgMatches;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use lapidary_cegar::Config;
use lapidary_cegar::config::{AXES, ConfigError};

use crate::failure::{Failure, USAGE};
use crate::{log, output};

/// What to do, with nothing left to check.
#[derive(Clone, Debug)]
pub(crate) struct Args {
    /// Whether to verify, or only to tell what the input is.
    pub(crate) action: Action,
    /// The input.
    pub(crate) file: PathBuf,
    /// How C is read.
    pub(crate) c: lapidary_frontend::c::Options,
    /// The file with the property.
    pub(crate) property: Option<PathBuf>,
    /// The strategy.
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
}

/// What is to be done with the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Verify,
    Inspect,
}

/// What standard output is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// One JSON object.
    Json,
    /// Text, with the verdict in its last line.
    Text(Sections),
}

/// What text there is before the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sections {
    /// The execution, or what the proof is.
    pub(crate) evidence: bool,
    /// The invariants of the proof.
    pub(crate) invariant: bool,
    /// The table of statistics.
    pub(crate) stats: bool,
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
pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Args, Answer> {
    let mut command = command::lapidary();
    let matches = command.try_get_matches_from_mut(words).map_err(Answer)?;
    // `lapidary` without a command is a usage error of clap's, so there is one.
    let (name, matches) = matches.subcommand().expect("a command is required");
    if name == "inspect" {
        return Ok(inspection(matches));
    }
    args(matches).map_err(|problem| {
        let verify = command.find_subcommand_mut("verify").expect("it has just been matched");
        Answer(verify.error(ErrorKind::ArgumentConflict, problem))
    })
}

/// The arguments of `inspect`.
fn inspection(matches: &ArgMatches) -> Args {
    Args {
        action: Action::Inspect,
        file: matches.get_one::<PathBuf>("FILE").cloned().expect("clap requires it"),
        c: c_options(matches),
        property: matches.get_one::<PathBuf>("property").cloned(),
        config: Config::default(),
        solver: None,
        record: None,
        time: None,
        wall: None,
        memory: None,
        format: Format::Text(Sections { evidence: false, invariant: false, stats: false }),
        verbosity: 0,
        quiet: true,
        arg: None,
        cfa: None,
    }
}

/// How C is read.
fn c_options(matches: &ArgMatches) -> lapidary_frontend::c::Options {
    use lapidary_frontend::c::{DataModel, Options};
    let word = |name: &str| matches.get_one::<String>(name).map_or("", String::as_str);
    Options {
        model: if word("bits") == "64" { DataModel::Lp64 } else { DataModel::Ilp32 },
        arith: word("arith").parse().unwrap_or_default(),
        error_function: None,
    }
}

fn args(matches: &ArgMatches) -> Result<Args, String> {
    let path = |name: &str| matches.get_one::<PathBuf>(name).cloned();
    let (arg, cfa) = (path("arg"), path("cfa"));
    if arg.is_some() && arg == cfa {
        return Err("`--arg` and `--cfa` cannot write the same file".into());
    }
    let (quiet, verbosity) = (matches.get_flag("quiet"), matches.get_count("verbose"));
    let sections = Sections {
        evidence: !quiet,
        invariant: matches.get_flag("invariant") || verbosity > 0,
        stats: matches.get_flag("stats"),
    };
    Ok(Args {
        action: Action::Verify,
        c: c_options(matches),
        property: matches.get_one::<PathBuf>("property").cloned(),
        file: path("FILE").expect("clap requires it"),
        config: config(matches).map_err(|error| error.to_string())?,
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
    })
}

/// The configuration line, and then the options. Both must have an effect, the line by itself: an option
/// may well take the effect from a part of a line that was copied from another run.
fn config(matches: &ArgMatches) -> Result<Config, ConfigError> {
    let mut config = Config::default();
    if let Some(line) = matches.get_one::<String>("config") {
        let set = config.set_line(line)?;
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
    use super::*;

    fn check(options: &str, expected: Result<&str, &str>) {
        let words = format!("lapidary verify x.cfa {options}");
        let words = words
            .split(' ')
            .filter(|word| !word.is_empty())
            .map(|word| word.replace('+', " ").into());
        let config = parse(words).map(|args| args.config.to_string());
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

    #[test]
    fn every_value_and_alias_of_every_axis_is_an_option() {
        for axis in AXES {
            let mut words = axis.values.iter().map(|value| (*value, *value)).collect::<Vec<_>>();
            words.extend(axis.aliases);
            for (word, value) in words {
                let mut config = Config::default();
                config.set(axis.name, value).expect("a value");
                // Whatever else the axis needs to have an effect.
                let domain = ["predicate", "explicit"].into_iter().find(|domain| {
                    config.set("domain", domain).expect("a domain");
                    axis.name == "domain" || (axis.applies)(&config)
                });
                let line = if axis.name == "domain" { "" } else { domain.unwrap_or("predicate") };
                let line =
                    if line.is_empty() { String::new() } else { format!("--config domain={line}") };
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
        check("--arg a.dot --cfa a.dot", Err("cannot write the same file"));
    }
}
