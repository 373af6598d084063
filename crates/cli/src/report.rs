//! What is printed at the end of a run.

use std::io::IsTerminal;

use lapidary::outcome::{Finding, Outcome};
use lapidary_engine::Unknown;
use lapidary_report::{Colors, Sections, json, text};
pub(crate) use lapidary_report::{megabytes, number};

use crate::args::{Args, Format};
use crate::failure::{Failure, REPORT_IT};
use crate::{log, output};

/// Prints the outcome to standard output, after what it rests on to standard error.
pub(crate) fn print(args: &Args, outcome: &Outcome) -> Result<(), Failure> {
    if !args.quiet {
        outcome.notes.iter().for_each(|note| log::line(format_args!("note: {note}")));
    }
    let text = match args.format {
        Format::Json => json(&args.asked(), outcome),
        Format::Text(sections) => {
            text(&args.asked(), Sections { colors: colors(), ..sections }, outcome)
        }
    };
    output::print(&text)?;
    tell_what_is_old(args, outcome);
    if let Finding::Unknown(Unknown::Internal(_)) = outcome.finding {
        log::line(REPORT_IT);
    }
    Ok(())
}

/// Warns of evidence in files that is not that of this run.
fn tell_what_is_old(args: &Args, outcome: &Outcome) {
    let finding = &outcome.finding;
    let has_witness = matches!(finding, Finding::Safe { .. } | Finding::Unsafe { .. });
    // Each property with a verdict has evidence.
    let has_evidence =
        has_witness || outcome.properties.iter().any(|other| other.verdict != "unknown");
    let has_harness = matches!(finding, Finding::Unsafe { .. });
    let files = [
        (&args.witness, has_witness),
        (&args.evidence, has_evidence),
        (&args.harness, has_harness),
    ];
    for (path, is_new) in files {
        if let Some(path) = path.as_ref().filter(|path| !is_new && path.is_file()) {
            let verdict = finding.verdict();
            log::line(format_args!(
                "warning: `{}` is left as it was: the verdict is {verdict}",
                path.display()
            ));
        }
    }
}

fn colors() -> Colors {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_capable = std::io::stdout().is_terminal()
        && !is_set("NO_COLOR")
        && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
    if is_capable { Colors::On } else { Colors::Off }
}
