//! The arguments that say what to read, and how.

use std::path::PathBuf;

use clap::{Arg, ArgAction, value_parser};
use lapidary_frontend::c::{Arith, Volatile};

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
