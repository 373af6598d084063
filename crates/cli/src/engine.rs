//! The engine in a thread of its own, and this thread, which watches it.
//!
//! The engine ends by itself when a limit is reached, as soon as it next asks the solver something. Should that
//! take too long or too much memory, this thread stops waiting, so that a limit holds whatever the engine does.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use lapidary_engine::portfolio::STACK;
use lapidary_solver::Limit;
use lapidary_solver::limits::{Limits, cpu_time, exceeded, of_the_process, pause, stack};
use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1};
use signal_hook::flag;

use crate::failure::{Failure, take_panic};
use lapidary::clock::Stopwatch;

/// How often this thread looks at the engine, at least.
const PERIOD: Duration = Duration::from_millis(20);
/// How much CPU time the engine may use after a limit; on a busy machine that takes longer.
const LAST_CPU: Duration = Duration::from_millis(250);
/// How long it may go on after a limit in any case: it may wait for something and use no CPU time.
const LAST_WALL: Duration = Duration::from_secs(5);
/// The exit status of a program that was interrupted.
const INTERRUPTED: i32 = 130;
/// A smaller stack is of no use.
const SMALLEST_STACK: usize = 1 << 20;

/// The limits of a run: those that were asked for, and those of the system, which hold as well.
pub(crate) fn limits(
    time: Option<Duration>,
    wall: Option<Duration>,
    memory: Option<u64>,
    clock: Stopwatch,
) -> Result<Limits, Failure> {
    let system = of_the_process();
    Ok(Limits {
        cpu: time.into_iter().chain(system.cpu).min(),
        deadline: wall.and_then(|wall| clock.deadline(wall)),
        memory,
        address_space: system.address_space,
        interrupt: Some(on_interrupt()?),
    })
}

/// A flag that Ctrl-C or `kill` raises; the second time, they end the program. (The crate ctrlc would do the same
/// with a thread, and for SIGHUP as well, which would defeat `nohup`.)
pub(crate) fn on_interrupt() -> Result<Arc<AtomicBool>, Failure> {
    let flag = Arc::new(AtomicBool::new(false));
    let failed = |error| Failure::Internal(format!("cannot handle signals: {error}"));
    for signal in [SIGINT, SIGTERM] {
        // In this order: the first signal finds the flag down, and then raises it.
        flag::register_conditional_shutdown(signal, INTERRUPTED, Arc::clone(&flag))
            .and_then(|_| flag::register(signal, Arc::clone(&flag)))
            .map_err(failed)?;
    }
    // The supervisor passes a signal on by this one. After Ctrl-C, it comes beside the terminal's signal to both
    // processes, and must not be taken for a second one.
    flag::register(SIGUSR1, Arc::clone(&flag)).map_err(failed)?;
    Ok(flag)
}

/// Does `work` in the engine's thread; the answer, or the limit at which this thread stopped waiting for it. `tick` is
/// called now and then.
pub(crate) fn run<T: Send + 'static>(
    limits: &Limits,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
    tick: impl FnMut(),
) -> Result<Result<T, Limit>, Failure> {
    let (sender, receiver) = mpsc::sync_channel(1);
    let engine = move || {
        let found = catch_unwind(AssertUnwindSafe(work))
            .unwrap_or_else(|panic| Err(Failure::Internal(take_panic(&*panic))));
        // If nobody waits any more, the process is about to end.
        let _ = sender.send(found);
        // Ending the thread would free all of Z3, and the process ends right after.
        loop {
            thread::park();
        }
    };
    let size = stack(STACK).max(SMALLEST_STACK);
    match thread::Builder::new().name("engine".into()).stack_size(size).spawn(engine) {
        Ok(_) => wait(limits, &receiver, tick),
        Err(_) if limits.address_space.is_some() => Ok(Err(Limit::Memory)),
        Err(error) => Err(Failure::Internal(format!("cannot start a thread: {error}"))),
    }
}

fn wait<T>(
    limits: &Limits,
    engine: &Receiver<Result<T, Failure>>,
    mut tick: impl FnMut(),
) -> Result<Result<T, Limit>, Failure> {
    let patience = limits.with_slack();
    let mut reached: Option<Reached> = None;
    loop {
        let watched = if reached.is_some() { &patience } else { limits };
        match engine.recv_timeout(pause(watched, PERIOD)) {
            Ok(Err(Failure::OutOfMemory)) => return Ok(Err(Limit::Memory)),
            Ok(found) => return found.map(Ok),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::Internal("the engine is gone".into()));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        reached = reached.or_else(|| exceeded(limits).map(Reached::now));
        if let Some(reached) = &reached
            && (reached.is_long_ago() || exceeded(&patience).is_some())
        {
            return Ok(Err(reached.limit));
        }
        tick();
    }
}

/// A limit, and when it was reached.
struct Reached {
    limit: Limit,
    cpu: Duration,
    since: Stopwatch,
}

impl Reached {
    fn now(limit: Limit) -> Reached {
        Reached { limit, cpu: cpu_time(), since: Stopwatch::start() }
    }

    fn is_long_ago(&self) -> bool {
        cpu_time().saturating_sub(self.cpu) >= LAST_CPU || self.since.elapsed() >= LAST_WALL
    }
}
