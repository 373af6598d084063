//! The options for the solver and for limits, which several commands have.

use std::time::Duration;

use clap::Arg;
use clap::builder::PathBufValueParser;

pub(super) fn solver() -> [Arg; 2] {
    [
        Arg::new("solver")
            .long("solver")
            .value_name("COMMAND")
            .default_value("z3")
            .help("Z3 in process, or a command that speaks SMT-LIB 2")
            .long_help(
                "The solver: `z3` is Z3 in process, anything else a command that speaks SMT-LIB 2 on its standard input, \
                 such as \"cvc5 --lang smt2\". Its models and cores are checked; what it cannot do (quantifier \
                 elimination, Horn clauses) Z3 does for it.",
            ),
        Arg::new("record")
            .long("record")
            .value_name("FOLDER")
            .value_parser(PathBufValueParser::new())
            .help("Write every question to the solver as SMT-LIB 2 files")
            .long_help(
                "Write every question to the solver, with its answer as a comment, to SMT-LIB 2 files in this folder. They \
                 can be replayed with any solver.",
            ),
    ]
}

pub(super) fn limits() -> [Arg; 3] {
    [
        Arg::new("time")
            .long("time")
            .value_name("SECONDS")
            .value_parser(seconds)
            .allow_negative_numbers(true) // to say what is wrong with them
            .help("CPU time after which the verdict is unknown")
            .long_help(
                "CPU time after which the verdict is `unknown: time limit reached`. Fractions are fine. The limit of the \
                 system (`ulimit -t`) also applies and ends with the same verdict.",
            ),
        Arg::new("wall")
            .long("wall")
            .value_name("SECONDS")
            .value_parser(seconds)
            .allow_negative_numbers(true)
            .help("Time after which the verdict is unknown, however little CPU time the run got")
            .long_help(
                "Time after which the verdict is `unknown: wall time limit reached`, however little CPU time the run got.",
            ),
        Arg::new("memory")
            .long("memory")
            .value_name("MB")
            .value_parser(megabytes)
            .allow_negative_numbers(true)
            .help("Memory beyond which the verdict is unknown")
            .long_help(
                "Resident memory, in units of 2^20 bytes, beyond which the verdict is `unknown: memory limit reached`. \
                 The limits of the system on address space (`ulimit -v`, `ulimit -d`) also apply and end with the same \
                 verdict. Linux ignores `ulimit -m`, so it has no effect.",
            ),
    ]
}

pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| *seconds > 0.0);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| "a number of seconds above 0 is expected, such as 60 or 0.5".into())
}

fn megabytes(text: &str) -> Result<u64, String> {
    let megabytes = text.parse().ok().filter(|megabytes| (1..=u64::MAX >> 20).contains(megabytes));
    megabytes.ok_or_else(|| "a number of megabytes above 0 is expected, such as 2048".into())
}
