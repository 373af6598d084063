//! A second process for runs under limits of the system.
//!
//! Where `ulimit -t` or `ulimit -v` holds, the system may end the process at any moment: by SIGKILL when the CPU time is
//! used up, or by an allocation that fails, which neither Rust nor Z3 survives. A run stops before that if it can
//! (see `engine`); if it cannot, it takes another process to print the verdict. So the program starts itself
//! again as its worker, waits for it with next to no CPU time and memory, and passes its output on.
//!
//! Limits hold for each process by itself, so the supervisor does not use up what the worker may use.

use std::io::{self, Read};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use lapidary_solver::Limit;
use lapidary_solver::limits::{Limits, of_the_system};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Signal, getpid, getppid, kill_process, kill_process_group};
use signal_hook::consts::{SIGABRT, SIGBUS, SIGILL, SIGINT, SIGKILL, SIGSEGV, SIGTERM, SIGXCPU};
use wait4::{ResUse, Wait4};

use crate::engine::on_interrupt;
use crate::failure::Failure;
use crate::log;
use lapidary::clock::Stopwatch;
use lapidary::outcome::Costs;

/// Names the process id of the supervisor to its worker.
const VARIABLE: &str = "LAPIDARY_SUPERVISOR";
/// Below this limit of address space, all threads share one heap: each heap reserves 64 MB.
const SMALL: u64 = 2 << 30;
/// A limit of CPU time that is further away than the one that was asked for does not matter.
const MARGIN: Duration = Duration::from_secs(1);
/// How near a worker comes to a limit of CPU time when the system ends it: the system counts by ticks.
const NEARLY: f64 = 0.8;

/// Who does the work, or what came of it.
pub(crate) enum Supervised {
    /// This process is to do the work.
    Here,
    /// Another one did it, and printed this.
    Ended { stdout: Vec<u8>, status: i32 },
    /// Another one was ended at a limit.
    Stopped { limit: Limit, costs: Box<Costs> },
}

/// Lets a worker do what this process was asked for, if the system could end it without a verdict. `time` is the limit
/// of CPU time that was asked for.
pub(crate) fn supervise(time: Option<Duration>) -> Result<Supervised, Failure> {
    let system = of_the_system();
    let is_cpu_limited =
        system.cpu.is_some_and(|cpu| time.is_none_or(|time| time.saturating_add(MARGIN) > cpu));
    if is_worker()? || !(is_cpu_limited || system.address_space.is_some()) {
        return Ok(Supervised::Here);
    }
    let clock = Stopwatch::start();
    let interrupt = on_interrupt()?;
    let signals = signals().map_err(|error| cannot_supervise(&error))?;
    adopt();
    let worker = match start(&system) {
        Ok(worker) => worker,
        // There is no memory for another process.
        Err(error) if matches!(error.kind(), io::ErrorKind::OutOfMemory) => {
            return Ok(Supervised::Stopped { limit: Limit::Memory, costs: Box::default() });
        }
        Err(error) => return Err(cannot_supervise(&error)),
    };
    let (stdout, usage) = relay(worker, signals).map_err(|error| cannot_supervise(&error))?;
    end_adopted();
    let cpu = usage.rusage.utime + usage.rusage.stime;
    if let Some(status) = usage.status.code() {
        return Ok(Supervised::Ended { stdout, status });
    }
    let limit = cause(usage.status, cpu, &system, &interrupt)?;
    let peak_memory = Some(usage.rusage.maxrss);
    let costs = Costs { cpu, wall: clock.elapsed(), peak_memory, ..Costs::default() };
    Ok(Supervised::Stopped { limit, costs: Box::new(costs) })
}

fn cannot_supervise(error: &io::Error) -> Failure {
    Failure::Internal(format!("cannot supervise a worker process: {error}"))
}

/// Whether this process is the worker of its parent. It ends with its parent then.
fn is_worker() -> Result<bool, Failure> {
    let parent = || getppid().map(|pid| pid.as_raw_pid().to_string());
    let Some(supervisor) = std::env::var(VARIABLE).ok() else { return Ok(false) };
    if parent().as_ref() != Some(&supervisor) {
        return Ok(false);
    }
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(|error| cannot_supervise(&error.into()))?;
    // It may have ended just before.
    match parent() == Some(supervisor) {
        true => Ok(true),
        false => Err(Failure::Internal("the supervisor is gone".into())),
    }
}

/// Makes this process the parent of processes that a worker leaves behind.
fn adopt() {
    #[cfg(target_os = "linux")]
    // An old system may not know it: then solvers end when they next read.
    let _ = rustix::process::set_child_subreaper(Some(getpid()));
}

/// Ends the solver processes of a worker that was killed. Each leads a group of its own.
fn end_adopted() {
    let own = getpid().as_raw_pid();
    let children = std::fs::read_to_string(format!("/proc/{own}/task/{own}/children"));
    let pids = children.unwrap_or_default();
    for pid in pids.split_whitespace().filter_map(|pid| pid.parse().ok()).filter_map(Pid::from_raw)
    {
        // It may have ended.
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

/// Becomes readable when the process is interrupted.
fn signals() -> io::Result<UnixStream> {
    let (read, write) = UnixStream::pair()?;
    for signal in [SIGINT, SIGTERM] {
        signal_hook::low_level::pipe::register(signal, write.try_clone()?)?;
    }
    Ok(read)
}

#[expect(clippy::disallowed_methods, reason = "the worker is this program")]
fn start(system: &Limits) -> io::Result<Child> {
    let mut words = std::env::args_os();
    // Also if the file of the program was replaced in the meantime.
    let mut worker = match cfg!(target_os = "linux") {
        true => Command::new("/proc/self/exe"),
        false => Command::new(std::env::current_exe()?),
    };
    if let Some(name) = words.next() {
        worker.arg0(name);
    }
    worker.args(words).env(VARIABLE, getpid().as_raw_pid().to_string()).stdout(Stdio::piped());
    // A backtrace of an allocation that failed needs memory that is not there.
    worker.env("RUST_BACKTRACE", "0");
    let is_small = system.address_space.is_some_and(|limit| limit < SMALL);
    if is_small && std::env::var_os("MALLOC_ARENA_MAX").is_none() {
        worker.env("MALLOC_ARENA_MAX", "1");
    }
    worker.spawn()
}

/// Waits for the worker and passes interrupts on to it; what it printed, and what it used.
fn relay(mut worker: Child, mut signals: UnixStream) -> io::Result<(Vec<u8>, ResUse)> {
    let mut output = Vec::new();
    if let Some(mut stdout) = worker.stdout.take() {
        while !receive(&mut stdout, &mut signals, &worker, &mut output)? {}
    }
    Ok((output, worker.wait4()?))
}

/// Waits for output or a signal; whether the output has ended.
fn receive(
    stdout: &mut ChildStdout,
    signals: &mut UnixStream,
    worker: &Child,
    output: &mut Vec<u8>,
) -> io::Result<bool> {
    let mut ready = [PollFd::new(stdout, PollFlags::IN), PollFd::new(signals, PollFlags::IN)];
    match poll(&mut ready, None) {
        Err(rustix::io::Errno::INTR) => return Ok(false),
        polled => polled?,
    };
    let [has_output, has_signal] = ready.map(|fd| !fd.revents().is_empty());
    if has_signal {
        let _ = signals.read(&mut [0])?;
        if let Some(pid) = i32::try_from(worker.id()).ok().and_then(Pid::from_raw) {
            // It may have ended.
            let _ = kill_process(pid, Signal::USR1);
        }
    }
    if !has_output {
        return Ok(false);
    }
    let mut part = [0; 1 << 12];
    let n = stdout.read(&mut part)?;
    output.extend(&part[..n]);
    Ok(n == 0)
}

/// Which limit a worker has reached that was ended by a signal.
fn cause(
    status: ExitStatus,
    cpu: Duration,
    system: &Limits,
    interrupt: &AtomicBool,
) -> Result<Limit, Failure> {
    let signal = status.signal().unwrap_or_default();
    let is_late = system.cpu.is_some_and(|limit| cpu >= limit.mul_f64(NEARLY));
    match signal {
        _ if interrupt.load(Ordering::SeqCst) => Ok(Limit::Interrupt),
        SIGXCPU => Ok(Limit::Time),
        SIGKILL if is_late => Ok(Limit::Time),
        // The system ends processes by SIGKILL when it has no memory left. The others follow from allocations that fail.
        SIGKILL => {
            warn(signal);
            Ok(Limit::Memory)
        }
        SIGABRT | SIGSEGV | SIGBUS | SIGILL if system.address_space.is_some() => {
            warn(signal);
            Ok(Limit::Memory)
        }
        _ => Err(Failure::Internal(format!("the worker process was ended by signal {signal}"))),
    }
}

/// Tells what the verdict leaves out: that an allocation failed is likely, but not certain.
fn warn(signal: i32) {
    let name = signal_hook::low_level::signal_name(signal).unwrap_or("unknown");
    log::line(format_args!(
        "warning: the worker process was ended by signal {signal} ({name}), most likely for want of memory"
    ));
}
