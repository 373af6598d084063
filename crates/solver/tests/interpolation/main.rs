//! Interpolation: small cases with the interpolants one wants to see, the error traces of 21 loops, and random
//! contradictions.
//! Whatever an engine returns is checked here again, by a solver of our own.

#[path = "../common/mod.rs"]
mod common;
mod generate;
mod loops;
mod random;
mod small;
mod support;

use support::{mistake, z3};

/// Tests with limits on the CPU time take turns: time is that of the whole process.
fn turn() -> std::sync::MutexGuard<'static, ()> {
    static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());
    TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
