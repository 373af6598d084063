//! Options of the preprocessor of C programs, which are those of compilers.

use std::ffi::OsString;

use clap::builder::PathBufValueParser;
use clap::{Arg, ArgAction, ArgMatches};

/// How C programs are preprocessed.
pub(super) fn options() -> [Arg; 6] {
    let several = |name: &'static str, value: &'static str| {
        Arg::new(name).value_name(value).action(ArgAction::Append).allow_hyphen_values(true)
    };
    [
        several("I", "DIR").short('I').help("C: look for headers in this folder"),
        several("D", "NAME[=TEXT]").short('D').help("C: define a macro"),
        several("U", "NAME").short('U').help("C: forget a macro"),
        several("include", "FILE")
            .long("include")
            .help("C: read this file first, as if the program included it (also `-include`)"),
        Arg::new("std")
            .long("std")
            .value_name("STANDARD")
            .help("C: the standard for the preprocessor, such as c99 (also `-std=c99`)"),
        Arg::new("project")
            .long("project")
            .value_name("FILE")
            .value_parser(PathBufValueParser::new())
            .help("C: verify the files of a compile_commands.json together")
            .long_help(
                "C: verify the files of a compilation database, `compile_commands.json`, together, each with its own options of the \
                 preprocessor. With files on the command line, only these. CMake writes a database with \
                 `-DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, `bear -- make` writes one for other builds.",
            ),
    ]
}

/// Options of the preprocessor, as compilers have them.
pub(super) fn flags(matches: &ArgMatches) -> Vec<String> {
    let mut flags = Vec::new();
    for (name, flag) in
        [("std", "-std="), ("I", "-I"), ("D", "-D"), ("U", "-U"), ("include", "-include")]
    {
        for value in matches.get_many::<String>(name).unwrap_or_default() {
            match flag {
                "-include" => flags.extend([flag.to_string(), value.clone()]),
                _ => flags.push(format!("{flag}{value}")),
            }
        }
    }
    flags
}

/// The words with those that compilers spell with one dash, and we with two.
pub(super) fn respelled(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let respell = |word: OsString| match word.to_str() {
        Some(text) if text == "-include" || text.starts_with("-std=") => {
            OsString::from(format!("-{text}"))
        }
        _ => word,
    };
    words.into_iter().map(respell).collect()
}
