//! Limits of a run: CPU time, time that passes, memory, and the user's interrupt.
//!
//! A watchdog thread polls them and raises a flag, which every solver call looks at first; a call that is
//! already under way in Z3 is interrupted. An interrupt that meets no running call may be lost, so the watchdog
//! repeats it until the work has ended. The clock decides only *whether* a run goes on, never what it does.
//!
//! Memory is watched from outside as well, so a run may overshoot by what Z3 takes until it notices. Z3's own
//! limit (`memory_max_size`) would be exact but throws where C++ must not, which ends the process.
//!
//! Solver processes count as well: see [`cpu_time`] and [`resident_memory`].
//!
//! A part of a run may have a budget of *work* as well, in units that do not depend on the clock: with it, what is
//! tried next is the same in every run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::children;
use crate::panics::{Refused, caught};
use crate::stop::{Limit, Result, Stop};

/// How often the watchdog looks.
const PERIOD: Duration = Duration::from_millis(20);

/// What a run may use.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// CPU time of the process and of its solver processes, from its start.
    pub cpu: Option<Duration>,
    /// The moment at which the run has to end, however little CPU time it got.
    pub deadline: Option<Instant>,
    /// Resident memory in bytes.
    pub memory: Option<u64>,
    /// Raised from outside to end the run.
    pub interrupt: Option<Arc<AtomicBool>>,
}

/// The flag that the watchdog raises, and a budget of work if there is one; clones share both.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    flag: Arc<AtomicU8>,
    /// Raised when a part of the run is needed no more.
    stopped: Option<Arc<AtomicBool>>,
    work: Option<Arc<Work>>,
}

/// Work that is done, and may be done.
#[derive(Debug)]
struct Work {
    most: u64,
    done: AtomicU64,
}

impl Watch {
    /// The same limits for a part of the run, with a budget of its own.
    #[must_use]
    pub fn with_work(&self, most: u64) -> Watch {
        let work = Work { most, done: AtomicU64::new(0) };
        Watch { work: Some(Arc::new(work)), ..self.clone() }
    }

    /// The same limits for a part of the run that can be stopped while the run goes on. (A part of a part hears of its own
    /// stop only.)
    #[must_use]
    pub fn stoppable(&self) -> Watch {
        Watch { stopped: Some(Arc::default()), ..self.clone() }
    }

    /// Ends the part of the run that this watch and its clones are for, as an interrupt would.
    pub fn stop(&self) {
        if let Some(stopped) = &self.stopped {
            stopped.store(true, Ordering::SeqCst);
        }
    }

    fn is_stopped(&self) -> bool {
        self.stopped.as_ref().is_some_and(|stopped| stopped.load(Ordering::SeqCst))
    }

    /// Takes work from the budget.
    pub fn spend(&self, units: u64) {
        if let Some(work) = &self.work {
            work.done.fetch_add(units, Ordering::SeqCst);
        }
    }

    /// Takes all work from the budget, if there is one.
    pub fn use_up(&self) {
        self.spend(self.left().unwrap_or(0));
    }

    /// The work that may still be done, if there is a budget.
    pub fn left(&self) -> Option<u64> {
        let work = self.work.as_ref()?;
        Some(work.most.saturating_sub(work.done.load(Ordering::SeqCst)))
    }

    /// An error once a limit is reached.
    pub fn check(&self) -> Result<()> {
        match self.flag.load(Ordering::SeqCst) {
            0 if self.is_stopped() => Err(Stop::Limit(Limit::Interrupt)),
            0 if self.left() == Some(0) => Err(Stop::Limit(Limit::Work)),
            0 => Ok(()),
            1 => Err(Stop::Limit(Limit::Time)),
            2 => Err(Stop::Limit(Limit::Memory)),
            3 => Err(Stop::Limit(Limit::Wall)),
            _ => Err(Stop::Limit(Limit::Interrupt)),
        }
    }

    fn raise(&self, limit: Limit) {
        let code = match limit {
            Limit::Time => 1,
            Limit::Memory => 2,
            Limit::Wall => 3,
            Limit::Interrupt => 4,
            // The budget is its own flag.
            Limit::Work => return,
        };
        // The first reason stays.
        let _ = self.flag.compare_exchange(0, code, Ordering::SeqCst, Ordering::SeqCst);
    }
}

/// Does `work` in this thread, within the limits as far as it looks at the watch.
///
/// What was made within the limits must not be used after them: a solver that was stopped may have lost
/// assertions. When Z3 fails while terms are built, there is no call that could say so, and the bindings
/// panic: [`attempt`] turns that into an error.
pub fn within<T>(limits: &Limits, work: impl FnOnce(&Watch) -> T) -> T {
    let watch = Watch::default();
    // Otherwise Z3 takes Ctrl-C for itself while it works, and nobody else hears of it.
    z3::set_global_param("ctrl_c", "false");
    let look = || {
        if let Some(limit) = exceeded(limits) {
            watch.raise(limit);
        }
    };
    guarded(&watch, look, || work(&watch))
}

/// Does `work` in this thread while another one is [`within`] the limits that `watch` tells of: this thread has a Z3 of
/// its own, which somebody has to interrupt.
pub fn beside<T>(watch: &Watch, work: impl FnOnce() -> Result<T>) -> Result<T> {
    guarded(watch, || (), || refusable(watch, work))
}

/// Does `work` with a watchdog that interrupts the Z3 of this thread once there is a reason to stop; before it sees
/// whether there is, it takes a `look`.
fn guarded<T>(watch: &Watch, look: impl Fn() + Send, work: impl FnOnce() -> T) -> T {
    let _settled = Settled(watch);
    let context = z3::Context::thread_local();
    let handle = context.handle();
    let (done, ended) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while ended.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
                look();
                if watch.check().is_err() {
                    handle.interrupt();
                }
            }
        });
        // Dropped when the work ends, also by a panic: that ends the watchdog.
        let _done = done;
        work()
    })
}

/// Does `work` [`within`] the limits; if Z3 fails in a way that only unwinding can tell, the answer is the
/// limit that was reached.
pub fn attempt<T>(limits: &Limits, work: impl FnOnce(&Watch) -> Result<T>) -> Result<T> {
    within(limits, |watch| refusable(watch, || work(watch)))
}

fn refusable<T>(watch: &Watch, work: impl FnOnce() -> Result<T>) -> Result<T> {
    caught(work).unwrap_or_else(|Refused| {
        watch.check()?;
        Err(Stop::Solver("Z3 could not make a term".into()))
    })
}

/// When the watchdog has ended, its last interrupt may have met no call. It would make Z3 drop the next
/// assertion without a word; a check takes it away.
struct Settled<'a>(&'a Watch);

impl Drop for Settled<'_> {
    fn drop(&mut self) {
        if self.0.check().is_err() {
            z3::Solver::new().check();
        }
    }
}

/// The limit that a run has reached, if it has reached one.
#[expect(clippy::disallowed_methods, reason = "limits are what the clock is for")]
pub fn exceeded(limits: &Limits) -> Option<Limit> {
    if limits.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::SeqCst)) {
        return Some(Limit::Interrupt);
    }
    if limits.cpu.is_some_and(|limit| cpu_time() >= limit) {
        return Some(Limit::Time);
    }
    if limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
        return Some(Limit::Wall);
    }
    let too_large =
        limits.memory.is_some_and(|limit| resident_memory().is_some_and(|used| used >= limit));
    too_large.then_some(Limit::Memory)
}

/// The limits that the system sets to this process, with room to end before them and say so: a process that reaches
/// them is ended without a word.
pub fn of_the_process() -> Limits {
    use rustix::process::{Resource, getrlimit};
    let cpu = getrlimit(Resource::Cpu).current.map(Duration::from_secs);
    // Address space is reserved that is never used, for stacks and by allocators.
    let memory = getrlimit(Resource::As).current.map(|bytes| bytes / 4 * 3);
    // The system counts by the tick of its clock whoever runs then, and threads that wake up by the same clock are found
    // running too often: up to one part in eighteen was seen.
    let room = |limit: Duration| (limit / 10).min(Duration::from_secs(1)).max(limit / 16);
    let before = |limit: Duration| limit.saturating_sub(room(limit));
    Limits { cpu: cpu.map(before), memory, ..Limits::default() }
}

/// CPU time of this process so far, in all threads, and of its solver processes.
///
/// Those count with their own CPU time, and with the time that passes while one is waited for and uses none:
/// otherwise a solver that hangs would never reach a limit.
pub fn cpu_time() -> Duration {
    clock(rustix::time::ClockId::ProcessCPUTime) + children::time()
}

/// CPU time of this thread so far.
pub fn thread_cpu_time() -> Duration {
    clock(rustix::time::ClockId::ThreadCPUTime)
}

fn clock(id: rustix::time::ClockId) -> Duration {
    let time = rustix::time::clock_gettime(id);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Memory of this process and its solver processes in bytes, where the system tells.
pub fn resident_memory() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64 + children::memory())
}

/// The most memory that this process ever had, in bytes, where the system tells.
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}
