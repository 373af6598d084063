//! How executions are shown.

use clap::ArgMatches;
use lapidary_report::Steps;

/// The width where there is no terminal, and the least one.
const WIDTH: usize = 100;
const NARROWEST: usize = 72;

/// What the options say.
pub(super) fn steps(matches: &ArgMatches) -> Steps {
    let width = terminal_size::terminal_size_of(std::io::stdout());
    let width = width.map_or(WIDTH, |(width, _)| usize::from(width.0).max(NARROWEST));
    match matches.get_one::<String>("trace").map(String::as_str) {
        Some("full") => Steps::Edges,
        _ => Steps::Lines(width),
    }
}
