//! The options that say what is checked in a C program.

use clap::{Arg, ArgAction, ArgMatches};
use lapidary_frontend::c::{Check, Checks};

/// `--check` and `--no-check`.
pub(super) fn options() -> [Arg; 2] {
    let list = |name: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name("LIST")
            .value_delimiter(',')
            .action(ArgAction::Append)
            .value_parser(names())
    };
    [
        list("check")
            .help("C: what to check, such as `overflow,bounds`, or `all`")
            .long_help(
                "C: what to check: `assertion` (a failed assertion, or a call of the error function), `overflow` (of signed numbers), \
                 `division` (by zero), `shift` (by a distance that is negative or too large), `bounds` (an index or a pointer outside of \
                 its object), `pointer` (null, without a value, or to what is freed or over), `free` (of what is not allocated), \
                 `leak` (memory that is lost) and `cleanup` (memory that is not freed at the end). `all` is all of them but \
                 `cleanup`. Without it, these are checked: assertion, bounds, pointer, division, shift, free. What is not checked \
                 is outside of the model: the verdict is unknown if it can be reached. But signed overflow wraps around, and with \
                 `assertion` alone a division by zero ends the program. What a property file asks replaces all of this.",
            ),
        list("no-check")
            .help("C: what not to check")
            .long_help("C: what not to check, of what `--check` names or of what is checked without it."),
    ]
}

fn names() -> Vec<&'static str> {
    Check::ALL.iter().map(|check| check.name()).chain(["all"]).collect()
}

/// What the command line asks for, if it does.
pub(super) fn of(matches: &ArgMatches) -> Option<Checks> {
    let list = |name: &str| {
        let words = matches.get_many::<String>(name)?;
        let of = |word: &String| match word.as_str() {
            "all" => Checks::GROUP.to_vec(),
            word => Check::ALL.into_iter().filter(|check| check.name() == word).collect(),
        };
        Some(words.flat_map(of).collect::<Vec<Check>>())
    };
    let (asked, without) = (list("check"), list("no-check"));
    if asked.is_none() && without.is_none() {
        return None;
    }
    let (asked, without) = (asked.unwrap_or(Checks::DEFAULT.to_vec()), without.unwrap_or_default());
    Some(Checks::of(asked.into_iter().filter(|check| !without.contains(check))))
}
