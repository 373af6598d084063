//! Tells how far an experiment is, and about how long it will take.

use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::clock;
use crate::row::Row;

/// How often to tell it where lines cannot be rewritten.
const EVERY: Duration = Duration::from_secs(30);

/// What is known so far.
struct State<'a> {
    log: &'a mut (dyn Write + Send),
    done: usize,
    solved: usize,
    wrong: usize,
    here: u32,
    told: Instant,
}

/// Progress of an experiment.
pub(crate) struct Progress<'a> {
    all: usize,
    jobs: usize,
    is_terminal: bool,
    began: Instant,
    state: Mutex<State<'a>>,
}

impl<'a> Progress<'a> {
    pub(crate) fn new(
        all: usize,
        kept: &[Row],
        jobs: usize,
        is_terminal: bool,
        log: &'a mut (dyn Write + Send),
    ) -> Progress<'a> {
        let state = State {
            log,
            done: kept.len(),
            solved: kept.iter().filter(|row| row.is_success()).count(),
            wrong: kept.iter().filter(|row| row.is_wrong()).count(),
            here: 0,
            told: clock::now(),
        };
        Progress { all, jobs, is_terminal, began: clock::now(), state: Mutex::new(state) }
    }

    /// The first line.
    pub(crate) fn begin(&self, meter: &str) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (all, jobs, done) = (self.all, self.jobs, state.done);
        // Whatever becomes of the log, the experiment goes on.
        let _ = writeln!(
            state.log,
            "{all} runs, {done} of them done before; {jobs} at a time; {meter}"
        );
    }

    /// One more row.
    pub(crate) fn add(&self, row: &Row) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.done += 1;
        state.here += 1;
        state.solved += usize::from(row.is_success());
        state.wrong += usize::from(row.is_wrong());
        if row.is_wrong() {
            let end = if self.is_terminal { "\r\x1b[K" } else { "" };
            let _ = writeln!(
                state.log,
                "{end}WRONG: {} says {} and not {}: {}",
                row.key.configuration,
                row.result.name(),
                row.expected.name(),
                row.key.task
            );
        }
        if self.is_terminal {
            let line = self.line(&state);
            let _ = write!(state.log, "\r\x1b[K{line}").and_then(|()| state.log.flush());
        } else if state.told.elapsed() >= EVERY {
            state.told = clock::now();
            let line = self.line(&state);
            let _ = writeln!(state.log, "{line}");
        }
    }

    /// The last line.
    pub(crate) fn end(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let line = self.line(&state);
        let begin = if self.is_terminal { "\r\x1b[K" } else { "" };
        let _ = writeln!(state.log, "{begin}{line}");
    }

    fn line(&self, state: &State<'_>) -> String {
        let elapsed = self.began.elapsed();
        let left = u32::try_from(self.all.saturating_sub(state.done)).unwrap_or(u32::MAX);
        // The mean of this session's runs is all that is known about the others.
        let estimate = match state.here {
            0 => String::new(),
            here if left > 0 => format!(", about {} left", duration(elapsed / here * left)),
            _ => String::new(),
        };
        format!(
            "{}/{} runs ({} %), {} solved, {} wrong, {} passed{estimate}",
            state.done,
            self.all,
            state.done * 100 / self.all.max(1),
            state.solved,
            state.wrong,
            duration(elapsed)
        )
    }
}

/// `1 h 05 min`, `3 min 20 s`, `12 s`.
pub(crate) fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, m, s) => format!("{m} min {s:02} s"),
        (h, m, _) => format!("{h} h {m:02} min"),
    }
}
