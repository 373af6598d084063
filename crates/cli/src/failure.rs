//! What keeps a run from a verdict, and the exit status for it.

pub(crate) use lapidary::Error as Failure;
pub(crate) use lapidary::error::{REPORT_IT, remember_panics, take_panic};

use crate::log;

/// The verdict is `safe`.
pub(crate) const SAFE: i32 = 0;
/// The verdict is `unsafe`.
pub(crate) const UNSAFE: i32 = 1;
/// The verdict is `unknown`.
pub(crate) const UNKNOWN: i32 = 2;
/// The command line is wrong. This one and the next two are those of BSD's `sysexits.h`.
pub(crate) const USAGE: i32 = 64;
/// The input cannot be read.
pub(crate) const BAD_INPUT: i32 = 65;
/// A bug of this program, or output that cannot be written.
pub(crate) const INTERNAL: i32 = 70;

/// How the process ends.
pub(crate) trait Exit {
    /// The exit status.
    fn exit_status(&self) -> i32;

    /// Prints the message; returns the exit status.
    fn print(&self) -> i32;
}

impl Exit for Failure {
    fn exit_status(&self) -> i32 {
        match self {
            Failure::Usage(_) => USAGE,
            Failure::Input(_) => BAD_INPUT,
            Failure::OutOfMemory => UNKNOWN,
            Failure::Output(_) | Failure::Internal(_) => INTERNAL,
        }
    }

    fn print(&self) -> i32 {
        log::line(self);
        self.exit_status()
    }
}
