//! Control groups, version 2, where this process may make them.
//!
//! CPU time is in every cgroup. Memory is only there if its controller is enabled for the children of our own
//! cgroup, which must then have no processes of its own: so this process moves into a leaf if it is alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::clock;

/// The names of our groups: this, the number of our process, and how many were found before.
const PREFIX: &str = "lapidary-bench-";

static FOUND: AtomicU64 = AtomicU64::new(0);

/// Where groups of runs are made, if anywhere.
#[derive(Debug, Default)]
pub struct Groups {
    parent: Option<PathBuf>,
    has_memory: bool,
    made: AtomicU64,
}

impl Groups {
    /// None: process groups only.
    pub fn none() -> Groups {
        Groups::default()
    }

    /// Those below our own cgroup, if it is of version 2 and ours to change.
    pub fn find() -> Groups {
        own_group().and_then(|own| Groups::below(&own)).unwrap_or_default()
    }

    fn below(own: &Path) -> Option<Groups> {
        sweep(own);
        let number = FOUND.fetch_add(1, Ordering::Relaxed);
        let parent = own.join(format!("{PREFIX}{}-{number}", std::process::id()));
        fs::create_dir(&parent).ok()?;
        let has_memory = enable_memory(own) && enable_memory(&parent);
        let groups = Groups { parent: Some(parent), has_memory, made: AtomicU64::new(0) };
        // A group that does not count CPU time is of no use.
        let probe = groups.make(None)?;
        let counts = probe.cpu().is_some();
        probe.end();
        counts.then_some(groups)
    }

    /// What will be measured how.
    pub fn describe(&self) -> &'static str {
        match (&self.parent, self.has_memory) {
            (None, _) => "process groups: CPU time by wait4, memory sampled",
            (Some(_), false) => "cgroups for CPU time, memory sampled",
            (Some(_), true) => "cgroups",
        }
    }

    /// A group for a run.
    pub(super) fn make(&self, memory: Option<u64>) -> Option<Group> {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        let folder = self.parent.as_ref()?.join(format!("run-{number}"));
        fs::create_dir(&folder).ok()?;
        if let Some(most) = memory.filter(|_| self.has_memory) {
            // Older kernels lack some of these; the samples stand in for them.
            let _ = fs::write(folder.join("memory.max"), most.to_string());
            let _ = fs::write(folder.join("memory.swap.max"), "0");
            let _ = fs::write(folder.join("memory.oom.group"), "1");
        }
        Some(Group { folder })
    }
}

impl Drop for Groups {
    fn drop(&mut self) {
        if let Some(parent) = &self.parent {
            let _ = fs::remove_dir(parent);
        }
    }
}

/// Removes groups that killed processes have left.
fn sweep(own: &Path) {
    for entry in fs::read_dir(own).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let pid = name.strip_prefix(PREFIX).and_then(|rest| rest.split('-').next());
        let pid = pid.and_then(|pid| pid.parse::<u32>().ok());
        if pid.is_some_and(|pid| !Path::new("/proc").join(pid.to_string()).exists()) {
            for run in fs::read_dir(entry.path()).into_iter().flatten().flatten() {
                let _ = fs::remove_dir(run.path());
            }
            // It stays if it has members.
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// Lets the children of a group count memory; whether they do.
fn enable_memory(group: &Path) -> bool {
    let control = group.join("cgroup.subtree_control");
    let has_it = || {
        fs::read_to_string(&control)
            .is_ok_and(|all| all.split(' ').any(|one| one.trim() == "memory"))
    };
    if has_it() || fs::write(&control, "+memory").is_ok() {
        return has_it();
    }
    let own = std::process::id().to_string();
    let members = fs::read_to_string(group.join("cgroup.procs")).unwrap_or_default();
    if members.trim() != own {
        return false;
    }
    let leaf = group.join("lapidary-bench-leaf");
    let _ = fs::create_dir(&leaf);
    fs::write(leaf.join("cgroup.procs"), own).is_ok()
        && fs::write(&control, "+memory").is_ok()
        && has_it()
}

/// The folder of our own cgroup.
fn own_group() -> Option<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mounts").ok()?;
    let mount = mounts.lines().find_map(|line| {
        let mut fields = line.split(' ').skip(1);
        let (folder, kind) = (fields.next()?, fields.next()?);
        (kind == "cgroup2").then(|| folder.to_string())
    })?;
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    Some(Path::new(&mount).join(own))
}

/// The group of one run.
#[derive(Debug)]
pub(super) struct Group {
    folder: PathBuf,
}

/// What a group has counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counted {
    pub(super) cpu: Option<Duration>,
    pub(super) memory: Option<u64>,
    pub(super) is_out_of_memory: bool,
}

impl Group {
    /// The file that a process writes its number to, to become a member.
    pub(super) fn procs(&self) -> PathBuf {
        self.folder.join("cgroup.procs")
    }

    /// The CPU time so far.
    pub(super) fn cpu(&self) -> Option<Duration> {
        number_after(&self.folder.join("cpu.stat"), "usage_usec").map(Duration::from_micros)
    }

    /// Ends all members.
    pub(super) fn kill(&self) {
        // Since Linux 5.14; the process group is ended, too.
        let _ = fs::write(self.folder.join("cgroup.kill"), "1");
    }

    /// What it has counted; the group is gone then.
    pub(super) fn end(&self) -> Counted {
        let peak = fs::read_to_string(self.folder.join("memory.peak")).ok();
        let counted = Counted {
            cpu: self.cpu(),
            memory: peak.and_then(|bytes| bytes.trim().parse().ok()),
            is_out_of_memory: number_after(&self.folder.join("memory.events"), "oom_kill")
                .is_some_and(|kills| kills > 0),
        };
        // Members that were killed take a moment to leave.
        let began = clock::now();
        while fs::remove_dir(&self.folder).is_err() && began.elapsed() < Duration::from_secs(1) {
            std::thread::sleep(Duration::from_millis(1));
        }
        counted
    }
}

/// The number after a word at the beginning of a line.
fn number_after(file: &Path, word: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    text.lines().find_map(|line| line.strip_prefix(word)?.trim().parse().ok())
}
