//! The words of `lapidary inspect` that say what it prints.

use clap::ArgMatches;

/// What `inspect` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Show {
    Summary,
    /// The properties of a C program.
    Properties,
    /// The same as JSON.
    PropertiesAsJson,
}

impl Show {
    pub(super) fn of(matches: &ArgMatches) -> Show {
        match (matches.get_flag("properties"), matches.get_flag("json")) {
            (false, _) => Show::Summary,
            (true, false) => Show::Properties,
            (true, true) => Show::PropertiesAsJson,
        }
    }
}
