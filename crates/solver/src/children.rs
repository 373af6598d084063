//! The solver processes of this process: what they use, and how to end them all.
//!
//! Limits hold for the whole process, so its children count: their CPU time, and while one is waited for and
//! uses none (it hangs, or it is a script whose own child works) the time that passes; and their memory.
//! Children of children count only in that way.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

static CHILDREN: Mutex<Children> =
    Mutex::new(Children { live: BTreeMap::new(), past: Duration::ZERO });

/// The live children, by their process ids, and the time of those that have ended.
#[derive(Debug)]
struct Children {
    live: BTreeMap<u32, Duration>,
    past: Duration,
}

fn children() -> MutexGuard<'static, Children> {
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A process, the leader of its own group, was started.
pub(crate) fn started(pid: u32) {
    children().live.insert(pid, Duration::ZERO);
}

/// Ends the process and its group. The caller still has to wait for it: until then nobody else can have
/// its id.
pub(crate) fn end(pid: u32) {
    let mut children = children();
    if let Some(idle) = children.live.remove(&pid) {
        children.past += idle + cpu_time(pid).unwrap_or_default();
        kill(pid);
    }
}

/// The process was waited for and did nothing.
pub(crate) fn idled(pid: u32, time: Duration) {
    if let Some(idle) = children().live.get_mut(&pid) {
        *idle += time;
    }
}

/// Ends all solver processes, for a program that exits while some of its threads still use them.
pub fn end_all() {
    children().live.keys().for_each(|pid| kill(*pid));
}

fn kill(pid: u32) {
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        // It may be gone already.
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

/// What the children have used so far.
pub(crate) fn time() -> Duration {
    let children = children();
    let live = children.live.iter().map(|(pid, idle)| *idle + cpu_time(*pid).unwrap_or_default());
    children.past + live.sum::<Duration>()
}

/// Resident memory of the live children in bytes.
pub(crate) fn memory() -> u64 {
    let pages = |pid: &u32| -> Option<u64> {
        let statm = std::fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
        statm.split_whitespace().nth(1)?.parse().ok()
    };
    children().live.keys().filter_map(pages).sum::<u64>() * rustix::param::page_size() as u64
}

/// CPU time of a process, where the system tells.
pub(crate) fn cpu_time(pid: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the program stands in parentheses and may hold anything.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    let ticks = rustix::param::clock_ticks_per_second();
    Some(Duration::from_millis((user + system) * 1000 / ticks.max(1)))
}
