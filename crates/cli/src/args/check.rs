//! The words of `lapidary check`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Arg, ArgMatches, Command, value_parser};

use super::Source;

const LONG_ABOUT: &str = "Check evidence that `lapidary verify --evidence` has written.

The input is read again, with the same options for C as before, and the validator checks the evidence: an execution is run, \
and each obligation of a proof is decided. Nothing is searched. The last line of standard output is `confirmed: safe`, \
`confirmed: unsafe` or `not confirmed: <reason>`.

If the input has several properties, there is a part of the evidence for each: `safe` needs a valid proof of every property, \
`unsafe` one valid execution. `--property` checks one of them.";

const EXAMPLES: &str = "\
Examples:
  lapidary verify lock.cfa --evidence lock.evidence
  lapidary check lock.evidence lock.cfa

  lapidary verify driver.i --bits 64 --evidence driver.evidence
  lapidary check driver.evidence driver.i --bits 64 --time 60

Exit status:
  0   the proof is confirmed: safe
  1   the execution is confirmed: unsafe
  2   not confirmed: the evidence is wrong, a part is missing, or a limit was reached
  64  the command line is wrong
  65  the input or the evidence cannot be read
  70  internal error, or output that cannot be written";

/// What to check.
#[derive(Clone, Debug)]
pub(crate) struct Args {
    /// The evidence.
    pub(crate) evidence: PathBuf,
    /// The input that it is about.
    pub(crate) source: Source,
    pub(crate) time: Option<Duration>,
    pub(crate) wall: Option<Duration>,
    pub(crate) memory: Option<u64>,
}

impl Args {
    pub(super) fn of(matches: &ArgMatches) -> Args {
        Args {
            evidence: matches.get_one::<PathBuf>("EVIDENCE").cloned().expect("clap requires it"),
            source: super::input::source(matches),
            time: matches.get_one::<Duration>("time").copied(),
            wall: matches.get_one::<Duration>("wall").copied(),
            memory: matches.get_one::<u64>("memory").map(|megabytes| megabytes << 20),
        }
    }
}

/// `lapidary check`.
pub(super) fn command() -> Command {
    Command::new("check")
        .about("Check the evidence of a verdict, without a search")
        .long_about(LONG_ABOUT)
        .after_help(EXAMPLES)
        .arg(
            Arg::new("EVIDENCE")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("The file that `verify --evidence` has written"),
        )
        .arg(super::input::file())
        .arg(super::input::property())
        .next_help_heading("C programs")
        .args(super::input::c())
        .next_help_heading("Limits")
        .args(super::resources::limits())
}
