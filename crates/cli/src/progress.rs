//! One line on the terminal that tells how far a run is.
//!
//! By hand rather than with a progress bar's crate: there is no end to measure the distance to, so a bar has
//! nothing to show, and rewriting one line is all that is left.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use lapidary_solver::limits::resident_memory;

use crate::report::number;
use lapidary::progress::Snapshot;

/// Runs that end sooner show nothing.
const PATIENCE: Duration = Duration::from_millis(300);

/// The line, which is there only if standard error is a terminal.
pub(crate) struct Progress {
    is_shown: bool,
    is_drawn: bool,
}

impl Progress {
    pub(crate) fn new(is_wanted: bool) -> Progress {
        let is_capable = std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        Progress {
            is_shown: is_wanted && is_capable && std::io::stderr().is_terminal(),
            is_drawn: false,
        }
    }

    /// Draws the line anew.
    pub(crate) fn draw(&mut self, snapshot: &Snapshot, elapsed: Duration) {
        if !self.is_shown || elapsed < PATIENCE {
            return;
        }
        let width = terminal_size::terminal_size_of(std::io::stderr())
            .map_or(80, |(width, _)| usize::from(width.0));
        let line: String = line(snapshot, elapsed).chars().take(width.saturating_sub(1)).collect();
        write(&format!("\r\x1b[K{line}"));
        self.is_drawn = true;
    }

    /// Takes the line away.
    pub(crate) fn clear(&mut self) {
        if self.is_drawn {
            write("\r\x1b[K");
            self.is_drawn = false;
        }
    }
}

/// A display that fails is no reason to stop.
fn write(text: &str) {
    let mut stderr = std::io::stderr();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

fn line(snapshot: &Snapshot, elapsed: Duration) -> String {
    let Snapshot { size, statistics, solver_calls, solver_time, stages, .. } = snapshot;
    if size.is_none() {
        return format!("reading, {:.1} s", elapsed.as_secs_f64());
    }
    let parts = [
        format!("{:.1} s", elapsed.as_secs_f64()),
        stages.last().map_or_else(String::new, |last| last.stage.to_string()),
        format!("iteration {}", statistics.iterations + 1),
        number(statistics.nodes, "node"),
        format!("precision {}", statistics.precision),
        format!("solver {:.1} s {solver_calls} calls", solver_time.as_secs_f64()),
        resident_memory().map_or_else(String::new, |bytes| format!("{} MB", bytes >> 20)),
    ];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" | ")
}
