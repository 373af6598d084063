//! Limits of a run: CPU time, time that passes, memory, and the user's interrupt.
//!
//! A watchdog thread polls them and raises a flag, which every solver call looks at first; a call that is
//! already under way in Z3 is interrupted. An interrupt that meets no running call may be lost, so the watchdog
//! repeats it until the work has ended. The clock decides only *whether* a run goes on, never what it does.
//!
//! Memory is watched from outside as well, so a run may overshoot by the memory that it takes between two looks: the
//! closer the limit, the sooner the next look ([`pause`]). Z3's own limit (`memory_max_size`) would be exact but
//! throws where C++ must not, which ends the process.
//!
//! A limit of address space (`ulimit -v`) is another matter: beyond it allocations fail, which may end the process
//! without a verdict. So a run stops before it, if it can; a failed allocation is for another process to report.
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

/// How often the watchdog looks, at least.
const PERIOD: Duration = Duration::from_millis(20);

/// How often it looks when memory is nearly used up.
const SHORTEST: Duration = Duration::from_millis(1);

/// The most memory that a run takes in a microsecond, in bytes: 4 GB in a second.
const GROWTH: u64 = 4096;

/// The CPU time and wall time that a run may use to stop after it reached a limit.
const LAST_TIME: Duration = Duration::from_millis(250);

/// The memory that a run may use to stop after it reached a limit.
const LAST_MEMORY: u64 = 16 << 20;

/// The same for address space, within the room that [`of_the_process`] leaves.
const LAST_ADDRESSES: u64 = 4 << 20;

/// What a run may use.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// CPU time of the process and of its solver processes, from its start.
    pub cpu: Option<Duration>,
    /// The moment at which the run has to end, however little CPU time it got.
    pub deadline: Option<Instant>,
    /// Resident memory in bytes.
    pub memory: Option<u64>,
    /// Address space in bytes, which includes memory that is reserved and never used.
    pub address_space: Option<u64>,
    /// Raised from outside to end the run.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// The limits beyond which nobody waits for a run to stop by itself.
    #[must_use]
    pub fn with_slack(&self) -> Limits {
        Limits {
            cpu: self.cpu.map(|limit| limit + LAST_TIME),
            deadline: self.deadline.and_then(|deadline| deadline.checked_add(LAST_TIME)),
            memory: self.memory.map(|limit| limit.saturating_add(LAST_MEMORY)),
            address_space: self.address_space.map(|limit| limit.saturating_add(LAST_ADDRESSES)),
            interrupt: None,
        }
    }
}

/// The flag that the watchdog raises, and a budget of work if there is one; clones share both.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    flag: Arc<AtomicU8>,
    /// Raised when a part of the run is needed no more.
    stopped: Option<Arc<AtomicBool>>,
    work: Option<Arc<Work>>,
    /// Whether address space is limited, so that allocations fail.
    is_confined: bool,
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
    let watch = Watch { is_confined: limits.address_space.is_some(), ..Watch::default() };
    // Otherwise Z3 takes Ctrl-C for itself while it works, and nobody else hears of it.
    z3::set_global_param("ctrl_c", "false");
    let look = || {
        if let Some(limit) = exceeded(limits) {
            watch.raise(limit);
        }
        pause(limits, PERIOD)
    };
    guarded(&watch, look, || work(&watch))
}

/// Does `work` in this thread while another one is [`within`] the limits that `watch` tells of: this thread has a Z3 of
/// its own, which somebody has to interrupt.
pub fn beside<T>(watch: &Watch, work: impl FnOnce() -> Result<T>) -> Result<T> {
    refusable(watch, || guarded(watch, || PERIOD, || refusable(watch, work)))
}

/// Does `work` with a watchdog that interrupts the Z3 of this thread once there is a reason to stop; before it sees
/// whether there is, it takes a `look`, which returns the time until the next one.
fn guarded<T>(watch: &Watch, look: impl Fn() -> Duration + Send, work: impl FnOnce() -> T) -> T {
    let _settled = Settled(watch);
    let context = z3::Context::thread_local();
    let handle = context.handle();
    let (done, ended) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let watchdog = move || {
            let mut pause = SHORTEST;
            while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                pause = look();
                if watch.check().is_err() {
                    handle.interrupt();
                }
            }
        };
        let thread = std::thread::Builder::new().name("watchdog".into());
        if thread.spawn_scoped(scope, watchdog).is_err() {
            // There is no memory for its stack. Nobody would watch the work, so it must not go on.
            watch.raise(Limit::Memory);
        }
        // Dropped when the work ends, also by a panic: that ends the watchdog.
        let _done = done;
        work()
    })
}

/// Does `work` [`within`] the limits; if Z3 fails in a way that only unwinding can tell, the answer is the
/// limit that was reached.
pub fn attempt<T>(limits: &Limits, work: impl FnOnce(&Watch) -> Result<T>) -> Result<T> {
    let confined = Watch { is_confined: limits.address_space.is_some(), ..Watch::default() };
    // Outside as well: Z3 may not even start.
    refusable(&confined, || within(limits, |watch| refusable(watch, || work(watch))))
}

fn refusable<T>(watch: &Watch, work: impl FnOnce() -> Result<T>) -> Result<T> {
    caught(work).unwrap_or_else(|Refused| {
        watch.check()?;
        // Nobody has interrupted Z3, so it has no memory left.
        if watch.is_confined {
            return Err(Stop::Limit(Limit::Memory));
        }
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
    let is_reached = |limit: Option<u64>, used: fn() -> Option<u64>| {
        limit.is_some_and(|limit| used().is_some_and(|used| used >= limit))
    };
    let is_full = is_reached(limits.memory, resident_memory)
        || is_reached(limits.address_space, address_space);
    is_full.then_some(Limit::Memory)
}

/// How long a watchdog may sleep until the next look, and `longest` at most: a run must not take much more memory in
/// the meantime than it may have.
pub fn pause(limits: &Limits, longest: Duration) -> Duration {
    let left = |limit: Option<u64>, used: fn() -> Option<u64>| {
        limit.and_then(|limit| Some(limit.saturating_sub(used()?)))
    };
    let memory = left(limits.memory, resident_memory);
    let addresses = left(limits.address_space, address_space);
    let least = memory.into_iter().chain(addresses).min();
    least.map_or(longest, |bytes| {
        Duration::from_micros(bytes / GROWTH).clamp(SHORTEST.min(longest), longest)
    })
}

/// The limits that the system sets to this process, as they are.
///
/// `ulimit -d` limits a part of the address space, and is taken for a limit of all of it.
pub fn of_the_system() -> Limits {
    use rustix::process::{Resource, getrlimit};
    let addresses = [Resource::As, Resource::Data];
    Limits {
        cpu: getrlimit(Resource::Cpu).current.map(Duration::from_secs),
        address_space: addresses.into_iter().filter_map(|it| getrlimit(it).current).min(),
        ..Limits::default()
    }
}

/// The same, with room to end before them and say so: a process that reaches them is ended without a word.
pub fn of_the_process() -> Limits {
    let Limits { cpu, address_space, .. } = of_the_system();
    // The system counts by the tick of its clock whoever runs then, and threads that wake up by the same clock are found
    // running too often: up to one part in eighteen was seen.
    let room = |limit: Duration| (limit / 10).min(Duration::from_secs(1)).max(limit / 16);
    let before = |limit: Duration| limit.saturating_sub(room(limit) + LAST_TIME);
    let addresses = |limit: u64| limit.saturating_sub((limit / 16).clamp(8 << 20, 64 << 20));
    Limits {
        cpu: cpu.map(before),
        address_space: address_space.map(addresses),
        ..Limits::default()
    }
}

/// The size of a stack: `most`, or a part of the address space if that is limited.
pub fn stack(most: usize) -> usize {
    let limit = of_the_system().address_space.unwrap_or(u64::MAX);
    most.min(usize::try_from(limit / 8).unwrap_or(usize::MAX))
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
    Some(pages(1)? + children::memory())
}

/// Address space of this process in bytes, where the system tells. Each solver process has a limit of its own.
pub fn address_space() -> Option<u64> {
    pages(0)
}

/// A field of the system's account of this process's memory, in bytes.
fn pages(field: usize) -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(field)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

/// The most memory that this process ever had, in bytes, where the system tells.
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}
