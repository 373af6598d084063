//! Panics of the Z3 bindings as errors.
//!
//! The bindings unwrap every pointer that Z3 returns, and Z3 returns none when it runs out of memory or is
//! interrupted at the wrong moment. Such a panic is no bug of ours but the end of a run, so it becomes an
//! error, without the message and the backtrace that a bug deserves. Every other panic passes through.

use std::cell::Cell;
use std::panic::{
    AssertUnwindSafe, PanicHookInfo, catch_unwind, resume_unwind, set_hook, take_hook,
};
use std::sync::Once;

/// The bindings panicked.
#[derive(Debug)]
pub(crate) struct Refused;

thread_local! {
    /// How many calls of [`caught`] this thread is in.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// Whether the last panic in such a call came from the bindings.
    static REFUSED: Cell<bool> = const { Cell::new(false) };
}

/// Does `work`; an error if the bindings panic in it.
///
/// What `work` left half done is the caller's to repair or to drop.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Refused> {
    install();
    DEPTH.set(DEPTH.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(work));
    DEPTH.set(DEPTH.get() - 1);
    match result {
        Ok(done) => Ok(done),
        Err(_) if REFUSED.take() => Err(Refused),
        Err(bug) => resume_unwind(bug),
    }
}

/// Makes the panic hook silent about what [`caught`] catches.
fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            let refused = DEPTH.get() > 0 && is_from_bindings(info);
            REFUSED.set(refused);
            if !refused {
                before(info);
            }
        }));
    });
}

/// Whether the panic was raised in the crate `z3`, which cargo keeps in a folder with its version.
fn is_from_bindings(info: &PanicHookInfo<'_>) -> bool {
    let is_folder = |part: &str| {
        part.strip_prefix("z3-").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    info.location().is_some_and(|location| location.file().split(['/', '\\']).any(is_folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_of_the_bindings_are_errors() {
        // A symbol with a zero byte: the bindings unwrap the C string.
        assert!(caught(|| z3::ast::Int::new_const("\0")).is_err());
        assert_eq!(caught(|| 1).ok(), Some(1));
    }

    #[test]
    fn other_panics_pass() {
        let bug = catch_unwind(|| caught(|| resume_unwind(Box::new("a bug"))));
        assert!(bug.is_err_and(|bug| bug.downcast_ref() == Some(&"a bug")));
        // Also after a panic of the bindings.
        assert!(caught(|| z3::ast::Int::new_const("\0")).is_err());
        let bug = catch_unwind(|| caught(|| resume_unwind(Box::new("a bug"))));
        assert!(bug.is_err());
    }
}
