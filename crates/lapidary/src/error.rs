//! What keeps a run from a verdict.

use std::any::Any;
use std::io;
use std::sync::{Mutex, PoisonError};

use lapidary_solver::Limit;

/// Why there is no verdict.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The options ask for something that cannot be done.
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
pub const REPORT_IT: &str = "This is a bug of lapidary: please report it with the input, the command line and this message.";

/// What the system says, without the number that Rust adds.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// The message of the last panic.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Lets panics leave a message instead of printing one: whoever catches them tells it, once.
pub fn remember_panics() {
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

/// The message of the panic that was caught: the one that was remembered, or what `panic` holds.
pub fn take_panic(panic: &(dyn Any + Send)) -> String {
    let remembered = PANIC.lock().unwrap_or_else(PoisonError::into_inner).take();
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or(panic.downcast_ref::<&str>().copied());
    let text = || text.unwrap_or("panic without a message").replace('\n', " ");
    remembered.unwrap_or_else(text)
}
