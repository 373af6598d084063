//! The words of `lapidary interpolate`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use lapidary_solver::eliminate::Methods;
use lapidary_solver::interpolate::Engine;

const LONG_ABOUT: &str = "Print interpolants between the assertions of an SMT-LIB 2 script.

The assertions, in order, are the parts of a formula. If it is unsatisfiable, standard output is `unsat` and \
`(interpolants I1 … In-1)`: each is implied by the parts before it, contradicts the parts after it, speaks only of \
what both know, and implies, with the part between, the next. Otherwise it is `sat` and a model.";

const EXAMPLES: &str = "\
Examples:
  lapidary interpolate path.smt2
  lapidary interpolate path.smt2 --engine wp --check --stats
  generate | lapidary interpolate - --time 10

Exit status:
  0   an answer: sat with a model, or unsat with interpolants
  2   unknown, or unsat without interpolants: the last line says why
  64  the command line is wrong
  65  the input cannot be read
  70  internal error, or output that cannot be written";

/// What to interpolate, and how.
#[derive(Clone, Debug)]
pub(crate) struct Args {
    /// The script; `-` is standard input.
    pub(crate) file: PathBuf,
    pub(crate) engine: Engine,
    /// How `wp` and `sp` may eliminate quantifiers.
    pub(crate) eliminate: Methods,
    /// The command of an SMT-LIB 2 solver; none is Z3 in process.
    pub(crate) solver: Option<String>,
    /// Whether a solver of its own checks the answer.
    pub(crate) check: bool,
    /// Whether standard error tells which engines were asked.
    pub(crate) stats: bool,
    pub(crate) time: Option<Duration>,
    pub(crate) wall: Option<Duration>,
    pub(crate) memory: Option<u64>,
}

impl Args {
    pub(super) fn of(matches: &ArgMatches) -> Args {
        let engine = matches.get_one::<String>("engine").and_then(|name| name.parse().ok());
        let mut eliminate = Methods::NONE;
        for name in matches.get_many::<String>("eliminate").into_iter().flatten() {
            eliminate.add(name);
        }
        Args {
            file: matches.get_one::<PathBuf>("FILE").cloned().expect("clap requires it"),
            engine: engine.unwrap_or_default(),
            eliminate,
            solver: matches.get_one::<String>("solver").filter(|command| *command != "z3").cloned(),
            check: matches.get_flag("check"),
            stats: matches.get_flag("stats"),
            time: matches.get_one::<Duration>("time").copied(),
            wall: matches.get_one::<Duration>("wall").copied(),
            memory: matches.get_one::<u64>("memory").map(|megabytes| megabytes << 20),
        }
    }
}

/// `lapidary interpolate`.
pub(super) fn command() -> Command {
    let flag = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    let [solver, _] = super::resources::solver();
    Command::new("interpolate")
        .about("Print interpolants between the assertions of an SMT-LIB 2 script")
        .long_about(LONG_ABOUT)
        .after_help(EXAMPLES)
        .arg(
            Arg::new("FILE")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("An SMT-LIB 2 script; `-` is standard input"),
        )
        .arg(
            Arg::new("engine")
                .long("engine")
                .value_name("NAME")
                .value_parser(clap::builder::PossibleValuesParser::new(Engine::NAMES))
                .default_value("auto")
                .help("How to find them"),
        )
        .arg(
            Arg::new("eliminate")
                .long("eliminate")
                .value_name("METHODS")
                .value_delimiter(',')
                .value_parser(clap::builder::PossibleValuesParser::new(Methods::NAMES))
                .default_values(Methods::NAMES)
                .help("How wp and sp eliminate quantifiers: equalities, unconnected parameters, syntax, solver"),
        )
        .arg(solver)
        .arg(flag("check").help("Check the answer with a solver of its own before printing it"))
        .arg(flag("stats").help("Tell on standard error which engines were asked and what it cost"))
        .next_help_heading("Limits")
        .args(super::resources::limits())
}
