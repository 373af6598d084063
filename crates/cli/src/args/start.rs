//! Options for where the verification of a C program starts.

use clap::{Arg, ArgAction, ArgMatches, value_parser};
use lapidary_frontend::c::Given;

pub(super) fn options() -> [Arg; 6] {
    [
        Arg::new("entry")
            .long("entry")
            .value_name("FUNCTION")
            .help("C: start at this function, with any arguments, instead of `main`")
            .long_help(
                "C: start at this function instead of `main`. Its parameters are any numbers. A pointer is null or points to an array of its \
                 own, with any content; pointers in structures do the same. `--entry-length`, `--entry-depth` and \
                 `--entry-non-null` limit that.",
            ),
        Arg::new("entry-length")
            .long("entry-length")
            .value_name("N")
            .value_parser(value_parser!(u64).range(1..=64))
            .default_value("3")
            .help("C: arrays that the entry is given have at most N elements"),
        Arg::new("entry-depth")
            .long("entry-depth")
            .value_name("N")
            .value_parser(value_parser!(u32).range(0..=8))
            .default_value("2")
            .help("C: objects that the entry is given point to others, at most N behind each other"),
        Arg::new("entry-non-null")
            .long("entry-non-null")
            .action(ArgAction::SetTrue)
            .help("C: pointers that the entry is given are not null"),
        Arg::new("nondet-static")
            .long("nondet-static")
            .action(ArgAction::SetTrue)
            .help("C: global and static variables have any value at the start, unless they are `const`"),
        Arg::new("interrupt")
            .long("interrupt")
            .value_name("FUNCTION")
            .action(ArgAction::Append)
            .help("C: this function may run between any two statements, any number of times")
            .long_help(
                "C: this function is an interrupt handler: it may run between any two statements of the program, any number of times. While one \
                 handler runs, none interrupts it. With several handlers, any of them may run.",
            ),
    ]
}

/// The arguments of the entry function, if one is named.
pub(super) fn given(matches: &ArgMatches) -> Option<Given> {
    matches.get_one::<String>("entry").map(|_| Given {
        length: *matches.get_one("entry-length").expect("it has a default"),
        depth: *matches.get_one("entry-depth").expect("it has a default"),
        null: !matches.get_flag("entry-non-null"),
    })
}
