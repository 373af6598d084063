//! The arguments that say what to read, and how.

use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use lapidary::Source;
use lapidary::source::Project;
use lapidary_frontend::c::{Arith, Checks, DataModel, Options, STACK, Volatile};

/// How C programs are read.
pub(super) fn c() -> Vec<Arg> {
    let mut all = of_reading().to_vec();
    all.extend(super::checks::options());
    all.extend(super::preprocessor::options());
    all.extend(super::start::options());
    all
}

/// How C programs are read, but for what is checked.
fn of_reading() -> [Arg; 4] {
    [
        Arg::new("bits")
            .long("bits")
            .value_name("BITS")
            .value_parser(["32", "64"])
            .default_value("32")
            .help("C: the number of bits of `long` and of pointers (32: ILP32, 64: LP64)"),
        Arg::new("arith")
            .long("arith")
            .value_name("VALUE")
            .value_parser(Arith::NAMES.to_vec())
            .default_value(Arith::default().name())
            .help("C: how numbers are written")
            .long_help(
                "C: how numbers are written. `bv` is bit-vectors, `int` is integers with every wrap-around written out, \
                 `auto` takes integers for programs without bit operations and bit-vectors for the others. `unbounded` \
                 is integers without wrap-around, which is not C.",
            ),
        Arg::new("volatile")
            .long("volatile")
            .value_name("VALUE")
            .value_parser(Volatile::NAMES)
            .default_value(Volatile::NAMES[0])
            .help("C: what a read of something `volatile` yields")
            .long_help(
                "C: what a read of something `volatile` yields. `ordinary` is what the program has written, `havoc` is any value \
                 of its type each time, as if an interrupt or a device changed it.",
            ),
        Arg::new("each-assertion")
            .long("each-assertion")
            .action(ArgAction::SetTrue)
            .help("C: verify every assertion by itself")
            .long_help(
                "C: verify every assertion by itself, each in an automaton that is sliced for it. An assertion is a place \
                 where the error is reached: a call of the error function or, if that is in a function with `assert` in \
                 its name, a call of that function. There is a verdict for each, and the verdict of all is unsafe if any \
                 of them is, else unknown if any is, else safe. `--property` chooses one by its position or number.",
            ),
    ]
}

pub(super) fn file() -> Arg {
    Arg::new("FILE")
        .required_unless_present("project")
        .num_args(1..)
        .value_parser(value_parser!(PathBuf))
        .help("What to verify: C (.c, .i, .yml), an automaton (.cfa, .theta), a transition system (.system), AIGER or BTOR2")
        .long_help(
            "What to verify: C programs (`.c`, `.i`) and tasks of the competition (`.yml`), control flow automata in Theta's \
             language (`.cfa`, `.theta`), transition systems (`.system`), AIGER (`.aag`, `.aig`) or BTOR2 (`.btor`, \
             `.btor2`). Several C files are one program. The language is recognized by what is in the file, or else by its extension.",
        )
}

pub(super) fn property() -> Arg {
    Arg::new("property")
        .long("property")
        .value_name("NAME|N|FILE")
        .help("Verify this property only: its name, its number from 0, or a file such as unreach-call.prp")
        .long_help(
            "Verify this property only: its name, its number from 0, or, for C, the position of an assertion such as 8:3, or a file such as \
             unreach-call.prp. Without it, all properties of a transition system are verified in turn: the verdict is unsafe if any of them is, else \
             unknown if any is, else safe.",
        )
}

/// What to read.
pub(super) fn source(matches: &ArgMatches) -> Source {
    let files: Vec<PathBuf> =
        matches.get_many::<PathBuf>("FILE").unwrap_or_default().cloned().collect();
    let database = matches.get_one::<PathBuf>("project");
    Source {
        file: files.first().or(database).cloned().expect("clap requires a file or a project"),
        more: files.iter().skip(1).cloned().collect(),
        flags: super::preprocessor::flags(matches),
        project: database.cloned().map(|database| Project { database, files }),
        c: c_options(matches),
        checks: super::checks::of(matches),
        property: matches.get_one::<String>("property").cloned(),
    }
}

/// How C is read.
fn c_options(matches: &ArgMatches) -> Options {
    let word = |name: &str| matches.get_one::<String>(name).map_or("", String::as_str);
    Options {
        model: if word("bits") == "64" { DataModel::Lp64 } else { DataModel::Ilp32 },
        arith: word("arith").parse().unwrap_or_default(),
        entry: matches.get_one("entry").cloned().unwrap_or_else(|| Options::default().entry),
        given: super::start::given(matches),
        interrupts: matches.get_many("interrupt").unwrap_or_default().cloned().collect(),
        nondet_static: matches.get_flag("nondet-static"),
        error_function: None,
        checks: Checks::of(Checks::DEFAULT),
        each_assertion: matches.get_flag("each-assertion"),
        is_model_assumed: matches.value_source("bits") == Some(ValueSource::DefaultValue),
        volatile: if word("volatile") == "havoc" { Volatile::Havoc } else { Volatile::Ordinary },
        is_preprocessed: false,
        stack: lapidary_solver::limits::stack(STACK),
    }
}
