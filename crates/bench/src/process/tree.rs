//! What a process and its descendants use, from `/proc`.

use std::fs;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use serde::{Deserialize, Serialize};

/// What a tree of processes uses now.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sample {
    /// CPU time, with that of children that have ended and were waited for.
    pub(super) cpu: Duration,
    /// Memory in bytes.
    pub(super) memory: u64,
}

/// Samples a process and its descendants. One that has just ended counts nothing.
pub(super) fn sample(root: u32) -> Sample {
    let mut pids = vec![root];
    let mut next = 0;
    while let Some(pid) = pids.get(next) {
        pids.extend(children(*pid));
        next += 1;
    }
    let ticks = pids.iter().filter_map(|pid| Stat::of(*pid)).map(|stat| stat.ticks).sum::<u64>();
    let memory = match pids[..] {
        [pid] => most_resident(pid),
        _ => pids.iter().map(|pid| proportional(*pid).unwrap_or_else(|| most_resident(*pid))).sum(),
    };
    let hundredths = ticks * 100 / rustix::param::clock_ticks_per_second();
    Sample { cpu: Duration::from_millis(hundredths * 10), memory }
}

/// The children of all threads of a process.
fn children(pid: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let lists =
        threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| {
            list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>()
        })
        .collect()
}

/// The most physical memory that was mapped since the process became its program, in bytes.
fn most_resident(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    kilobytes(&status, "VmHWM:").unwrap_or(0)
}

/// The same of this process.
pub(super) fn own_most_resident() -> u64 {
    most_resident(std::process::id())
}

/// The bytes in a line such as `Pss:  12 kB`.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

/// What is mapped now, with pages that several processes share divided among them.
fn proportional(pid: u32) -> Option<u64> {
    kilobytes(&fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?, "Pss:")
}

/// Some of `/proc/PID/stat`.
struct Stat {
    group: u32,
    ticks: u64,
    start: u64,
}

impl Stat {
    fn of(pid: u32) -> Option<Stat> {
        let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name of the program is in parentheses and may have any letter in it, also these.
        let (_, fields) = text.rsplit_once(')')?;
        let fields: Vec<u64> =
            fields.split_whitespace().map(|field| field.parse().unwrap_or(0)).collect();
        // The first one here is the third of the manual page.
        let field = |number: usize| fields.get(number - 3).copied();
        Some(Stat {
            group: field(5)? as u32,
            ticks: (14..=17).filter_map(field).sum(),
            start: field(22)?,
        })
    }
}

/// A process that was started, told apart from later ones with the same number.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub struct Started {
    pid: u32,
    /// When it started, in ticks since the machine did.
    start: u64,
}

impl Started {
    pub(super) fn of(pid: u32) -> Started {
        Started { pid, start: Stat::of(pid).map_or(0, |stat| stat.start) }
    }
}

/// Ends the process group of a process if it is still the one that was started; whether it was.
pub fn end_group_of(started: Started) -> bool {
    let is_it = Stat::of(started.pid)
        .is_some_and(|stat| stat.start == started.start && stat.group == started.pid);
    let pid = i32::try_from(started.pid).ok().and_then(Pid::from_raw).filter(|_| is_it);
    pid.is_some_and(|pid| kill_process_group(pid, Signal::KILL).is_ok())
}

/// Ends what is left of the process group of a process that was running a moment ago, even if the process itself has
/// just ended: as long as the group has members, no other one gets its number.
pub fn end_rest_of_group(started: Started) {
    let is_other = Stat::of(started.pid)
        .is_some_and(|stat| stat.start != started.start || stat.group != started.pid);
    if let Some(pid) = i32::try_from(started.pid).ok().and_then(Pid::from_raw).filter(|_| !is_other)
    {
        // There may be none left.
        let _ = kill_process_group(pid, Signal::KILL);
    }
}
