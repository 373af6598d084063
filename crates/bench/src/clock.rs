//! The clock. Times are what experiments are about; nothing else depends on it.

use std::time::Instant;

/// Now.
#[expect(clippy::disallowed_methods, reason = "experiments measure time")]
pub(crate) fn now() -> Instant {
    Instant::now()
}
