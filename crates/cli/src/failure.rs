//! What keeps a run from a verdict, and the exit status for it.

use std::sync::{Mutex, PoisonError};

use lapidary_solver::Limit;

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

/// Why there is no verdict.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The command line asks for something that cannot be done.
    #[error("error: {0}")]
    Usage(String),
    /// The input cannot be read; the message is complete as it is.
    #[error("{0}")]
    Input(String),
    /// Output cannot be written.
    #[error("error: {0}")]
    Output(String),
    /// The system gives no more memory.
    #[error("error: {}", Limit::Memory)]
    OutOfMemory,
    /// A bug of this program.
    #[error("internal error: {0}\n{REPORT_IT}")]
    Internal(String),
}

/// What to do about an internal error.
pub(crate) const REPORT_IT: &str = "This is a bug of lapidary: please report it with the input, the command line and this message.";

impl Failure {
    /// The exit status.
    pub(crate) fn exit_status(&self) -> i32 {
        match self {
            Failure::Usage(_) => USAGE,
            Failure::Input(_) => BAD_INPUT,
            Failure::OutOfMemory => UNKNOWN,
            Failure::Output(_) | Failure::Internal(_) => INTERNAL,
        }
    }

    /// Tells it; returns the exit status.
    pub(crate) fn print(&self) -> i32 {
        log::line(self);
        self.exit_status()
    }
}

/// The message of the last panic.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Lets panics leave a message instead of printing one: whoever catches them tells it, once.
pub(crate) fn remember_panics() {
    std::panic::set_hook(Box::new(|info| {
        let message = info.payload_as_str().unwrap_or("panic without a message").replace('\n', " ");
        let place = info
            .location()
            .map_or_else(String::new, |place| format!(" ({}:{})", place.file(), place.line()));
        let mut last = PANIC.lock().unwrap_or_else(PoisonError::into_inner);
        // A panic that follows from another one, such as that of a scope whose thread has panicked, says less.
        last.get_or_insert(format!("{message}{place}"));
    }));
}

/// The message of the panic that was caught.
pub(crate) fn take_panic() -> String {
    PANIC
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take()
        .unwrap_or_else(|| "panic without a message".into())
}
