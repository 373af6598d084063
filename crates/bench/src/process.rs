//! A process under limits, with everything that it and its children use.
//!
//! CPU time is what `wait4` says about the process and the children that it waited for, or what the run's cgroup
//! says, which knows all of them. Memory is the sum over the processes of the run, sampled, or the cgroup's own peak.
//! The limits are kept by sampling; rlimits and the cgroup's limit stand behind that.

mod cgroup;
mod tree;

use std::fmt;
use std::fs::File;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, getppid, kill_process_group,
    set_parent_process_death_signal, waitid,
};
use wait4::Wait4;

use crate::clock;
use cgroup::Group;
pub use cgroup::Groups;
pub use tree::{Started, end_group_of, end_rest_of_group};

/// How long between two samples.
const PERIOD: Duration = Duration::from_millis(20);

/// What to start.
#[derive(Debug)]
pub struct Start<'a> {
    /// The program and its arguments.
    pub words: &'a [String],
    /// Where standard output goes.
    pub stdout: File,
    /// Where standard error goes.
    pub stderr: File,
}

/// What it may use.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// CPU time.
    pub cpu: Duration,
    /// Time that passes.
    pub wall: Duration,
    /// Memory in bytes.
    pub memory: Option<u64>,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// By itself.
    Status(i32),
    /// By a signal.
    Signal(i32),
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::Status(status) => write!(f, "exit {status}"),
            Exit::Signal(signal) => write!(f, "signal {signal}"),
        }
    }
}

impl From<ExitStatus> for Exit {
    fn from(status: ExitStatus) -> Exit {
        match (status.code(), status.signal()) {
            (Some(code), _) => Exit::Status(code),
            (None, signal) => Exit::Signal(signal.unwrap_or_default()),
        }
    }
}

/// What a process was ended for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Its CPU time.
    Cpu,
    /// The time that passed.
    Wall,
    /// Its memory.
    Memory,
    /// The user's wish.
    Interrupt,
}

/// What is known about a process that has ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// How it ended.
    pub exit: Exit,
    /// What it was ended for, if it did not end by itself.
    pub stopped: Option<Stopped>,
    /// CPU time, with its children.
    pub cpu: Duration,
    /// Time that passed.
    pub wall: Duration,
    /// The most memory, with its children.
    pub memory: u64,
    /// How this was measured.
    pub metered: String,
}

/// The variable with the number of the process that measures a run.
const PARENT: &str = "LAPIDARY_BENCH";

/// Ends this process with the one that measures it, if there is such a one. A process can only ask for that itself.
pub fn end_with_parent() {
    let parent = std::env::var(PARENT).ok().and_then(|pid| pid.parse().ok());
    let parent = parent.and_then(Pid::from_raw).filter(|parent| getppid() == Some(*parent));
    let Some(parent) = parent else { return };
    let is_set = set_parent_process_death_signal(Some(Signal::KILL)).is_ok();
    // The parent may have ended just before.
    if is_set && getppid() != Some(parent) {
        std::process::exit(1);
    }
}

/// What a shell does between `fork` and `exec`: no core files, a limit of CPU time for each process, its cgroup; nothing
/// if its parent is gone. Without `unsafe` there is no other code to run there.
const LAUNCH: &str = "[ \"$PPID\" = \"$LAPIDARY_BENCH\" ] || exit 125; ulimit -c 0; ulimit -t \"$1\"; [ -z \"$2\" ] || echo $$ > \"$2\" || exit 126; shift 2; exec \"$@\"";

/// Runs a process to its end, or to that of its limits. `note` is told what was started, so that it can be found and
/// ended even if this process is killed.
pub fn run(
    start: Start<'_>,
    bounds: Bounds,
    groups: &Groups,
    interrupt: &AtomicBool,
    note: impl FnOnce(Started),
) -> io::Result<Ended> {
    let group = groups.make(bounds.memory);
    let began = clock::now();
    #[expect(clippy::disallowed_methods, reason = "a run is a process")]
    let mut shell = Command::new("/bin/sh");
    let child = shell
        .args(["-c", LAUNCH, "sh"])
        .arg((bounds.cpu.as_secs() + 2).to_string())
        .arg(group.as_ref().map(Group::procs).unwrap_or_default())
        .args(start.words)
        .env(PARENT, std::process::id().to_string())
        .stdin(Stdio::null())
        .stdout(start.stdout)
        .stderr(start.stderr)
        .process_group(0)
        .spawn()?;
    let pid = child.id();
    note(Started::of(pid));
    let (mut peak, mut sampled, mut stopped) = (0, Duration::ZERO, None);
    // Most of the runs that end early end very early.
    let mut pause = PERIOD / 16;
    while !has_ended(pid)? {
        std::thread::sleep(pause);
        pause = (pause * 2).min(PERIOD);
        let sample = tree::sample(pid);
        peak = peak.max(sample.memory);
        sampled = sampled.max(sample.cpu);
        let cpu = group.as_ref().and_then(Group::cpu).unwrap_or(sample.cpu);
        stopped = stopped.or_else(|| exceeded(bounds, cpu, began.elapsed(), sample.memory));
        if interrupt.load(Ordering::Relaxed) {
            stopped = Some(Stopped::Interrupt);
        }
        if stopped.is_some() {
            end(pid, group.as_ref());
        }
    }
    let wall = began.elapsed();
    // What it left behind. Nobody has waited for the process yet, so the number of the group is still its own.
    end(pid, group.as_ref());
    let usage = child.wait4()?;
    let status = usage.status;
    // `wait4` does not know children that nobody waited for, such as those of a process that was ended.
    let cpu = sampled.max(usage.rusage.utime + usage.rusage.stime);
    let by_group = group.as_ref().map(Group::end).unwrap_or_default();
    // `wait4` also counts what this process had when it made the child, so it says something only beyond that.
    let most = Some(usage.rusage.maxrss).filter(|most| *most > tree::own_most_resident());
    let memory = by_group.memory.unwrap_or_else(|| peak.max(most.unwrap_or(0)));
    let is_out_of_memory = by_group.is_out_of_memory
        || (!matches!(Exit::from(status), Exit::Status(0..=2))
            && bounds.memory.is_some_and(|most| memory >= most));
    Ok(Ended {
        exit: status.into(),
        stopped: stopped.or(is_out_of_memory.then_some(Stopped::Memory)),
        cpu: by_group.cpu.unwrap_or(cpu),
        wall,
        memory,
        metered: format!(
            "cpu {}, memory {}",
            by_group.cpu.map_or("wait4", |_| "cgroup"),
            by_group.memory.map_or("sampled", |_| "cgroup")
        ),
    })
}

/// Whether a child has ended; it is left to be waited for.
fn has_ended(pid: u32) -> io::Result<bool> {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let pid = pid.ok_or_else(|| io::Error::other("no number of a process"))?;
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    Ok(waitid(WaitId::Pid(pid), options)?.is_some())
}

fn exceeded(bounds: Bounds, cpu: Duration, wall: Duration, memory: u64) -> Option<Stopped> {
    match () {
        () if cpu >= bounds.cpu => Some(Stopped::Cpu),
        () if wall >= bounds.wall => Some(Stopped::Wall),
        () if bounds.memory.is_some_and(|most| memory > most) => Some(Stopped::Memory),
        () => None,
    }
}

/// Ends all processes of a run.
fn end(pid: u32, group: Option<&Group>) {
    if let Some(group) = group {
        group.kill();
    }
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        // There may be none left.
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

/// The file of a program: as it is if it has a folder in it, or found on the path.
pub fn program(word: &str) -> Option<PathBuf> {
    if word.contains('/') {
        return PathBuf::from(word).canonicalize().ok();
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(word)).find(|file| file.is_file())
}
