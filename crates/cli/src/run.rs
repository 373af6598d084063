//! One run: the engine in a thread of its own, and this thread, which watches it.
//!
//! The engine ends by itself when a limit is reached, as soon as it next asks the solver something. Should that
//! take too long, this thread stops waiting, so that a limit holds whatever the engine does.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

pub(crate) use lapidary_cegar::portfolio::STACK;
use lapidary_cegar::{Stop, Unknown};
use lapidary_solver::Limit;
use lapidary_solver::limits::{Limits, cpu_time, exceeded, of_the_process, peak_memory};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::args::Args;
use crate::clock::Stopwatch;
use crate::failure::{Failure, take_panic};
use crate::outcome::{Costs, Found, Outcome, Snapshot};
use crate::progress::Progress;
use crate::{log, worker};

/// How often this thread looks at the engine.
pub(crate) const PERIOD: Duration = Duration::from_millis(100);
/// How long the engine may go on after a limit.
pub(crate) const GRACE: Duration = Duration::from_millis(700);
/// The exit status of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// Verifies. With the outcome comes what kept a file from being written, if something did.
pub(crate) fn run(args: &Args) -> Result<(Outcome, Option<Failure>), Failure> {
    let clock = Stopwatch::start();
    // A limit of the system's that is not asked for holds as well, so it is better to know it.
    let system = of_the_process();
    let limits = Limits {
        cpu: args.time.into_iter().chain(system.cpu).min(),
        deadline: args.wall.and_then(|wall| clock.deadline(wall)),
        memory: args.memory.into_iter().chain(system.memory).min(),
        interrupt: Some(on_interrupt()?),
    };
    let snapshot = Arc::new(Mutex::new(Snapshot::default()));
    let engine = start(args, clock, &limits, &snapshot)?;
    let Found { finding, properties, notes, unwritten } =
        supervise(args, clock, &limits, &snapshot, &engine)?;
    let counts = snapshot.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let costs =
        Costs { counts, cpu: cpu_time(), wall: clock.elapsed(), peak_memory: peak_memory() };
    Ok((Outcome { finding, properties, notes, costs }, unwritten))
}

/// A flag that Ctrl-C or `kill` raises; the second time, they end the program. (The crate ctrlc would do the same
/// with a thread, and for SIGHUP as well, which would defeat `nohup`.)
pub(crate) fn on_interrupt() -> Result<Arc<AtomicBool>, Failure> {
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // In this order: the first signal finds the flag down, and then raises it.
        flag::register_conditional_shutdown(signal, INTERRUPTED, Arc::clone(&flag))
            .and_then(|_| flag::register(signal, Arc::clone(&flag)))
            .map_err(|error| Failure::Internal(format!("cannot handle signals: {error}")))?;
    }
    Ok(flag)
}

fn start(
    args: &Args,
    clock: Stopwatch,
    limits: &Limits,
    snapshot: &Arc<Mutex<Snapshot>>,
) -> Result<Receiver<Result<Found, Failure>>, Failure> {
    let (sender, receiver) = mpsc::sync_channel(1);
    let (args, limits, snapshot) = (args.clone(), limits.clone(), Arc::clone(snapshot));
    let engine = move || {
        let work = AssertUnwindSafe(|| worker::work(&args, clock, &limits, &snapshot));
        let found =
            catch_unwind(work).unwrap_or_else(|_| Ok(Unknown::Internal(take_panic()).into()));
        // If nobody waits any more, the process is about to end.
        let _ = sender.send(found);
        // Ending the thread would free all of Z3, and the process ends right after.
        loop {
            thread::park();
        }
    };
    let thread = thread::Builder::new().name("engine".into()).stack_size(STACK);
    thread
        .spawn(engine)
        .map_err(|error| Failure::Internal(format!("cannot start a thread: {error}")))?;
    Ok(receiver)
}

/// Waits for the engine, and draws the progress meanwhile.
fn supervise(
    args: &Args,
    clock: Stopwatch,
    limits: &Limits,
    snapshot: &Mutex<Snapshot>,
    engine: &Receiver<Result<Found, Failure>>,
) -> Result<Found, Failure> {
    let mut progress = Progress::new(!args.quiet && args.verbosity == 0);
    let mut reached: Option<(Limit, Stopwatch)> = None;
    let found = loop {
        match engine.recv_timeout(PERIOD) {
            Ok(found) => break found,
            Err(RecvTimeoutError::Disconnected) => {
                break Err(Failure::Internal("the engine is gone".into()));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        reached = reached.or_else(|| Some((exceeded(limits)?, Stopwatch::start())));
        if let Some((limit, since)) = reached
            && since.elapsed() >= GRACE
        {
            progress.clear();
            tell_what_is_missing(args);
            return Ok(Unknown::Stop(Stop::Limit(limit)).into());
        }
        progress.draw(&snapshot.lock().unwrap_or_else(PoisonError::into_inner), clock.elapsed());
    };
    progress.clear();
    found
}

fn tell_what_is_missing(args: &Args) {
    if let Some(path) = &args.arg {
        log::line(format_args!(
            "warning: the engine did not stop in time to draw `{}`",
            path.display()
        ));
    }
}
