//! The one place where displays and reports read the clock.

use std::time::{Duration, Instant};

/// Runs from its making on.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(
        clippy::disallowed_methods,
        reason = "for displays and reports; no decision of the engine depends on it"
    )]
    /// Begins now.
    pub fn start() -> Self {
        Stopwatch(Instant::now())
    }

    /// The time since then.
    pub fn elapsed(self) -> Duration {
        self.0.elapsed()
    }

    /// The moment at which that much time will have passed; none if the clock does not reach that far.
    pub fn deadline(self, limit: Duration) -> Option<Instant> {
        self.0.checked_add(limit)
    }
}
