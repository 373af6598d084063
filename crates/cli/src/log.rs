//! Messages on standard error.

use std::fmt::Display;
use std::io::Write;

/// Writes a line. Nobody may be listening any more, which is no reason to stop.
pub(crate) fn line(message: impl Display) {
    let _ = writeln!(std::io::stderr(), "{message}");
}
