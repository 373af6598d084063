//! What is printed at the end of a run.

mod execution;
mod json;
mod proof;
mod stats;
mod text;

use lapidary_engine::Unknown;

use crate::args::{Args, Format};
use crate::failure::{Failure, REPORT_IT};
use crate::{log, output};
use lapidary::outcome::{Finding, Outcome};

/// Prints the outcome to standard output, after what it rests on to standard error.
pub(crate) fn print(args: &Args, outcome: &Outcome) -> Result<(), Failure> {
    if !args.quiet {
        outcome.notes.iter().for_each(|note| log::line(format_args!("note: {note}")));
    }
    let text = match args.format {
        Format::Json => json::object(args, outcome),
        Format::Text(sections) => text::report(args, sections, outcome),
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

/// `1 node`, `2 nodes`.
pub(crate) fn number(n: usize, what: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {what}{plural}")
}

/// Memory in units of 2^20 bytes.
pub(crate) fn megabytes(bytes: u64) -> String {
    let tenths = bytes.saturating_mul(10) >> 20;
    format!("{}.{} MB", tenths / 10, tenths % 10)
}
