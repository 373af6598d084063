//! A process that ends the runs of an experiment that is killed.
//!
//! The experiment writes to a pipe which processes it starts and which have ended. The pipe is closed when the
//! experiment ends, however that happens; the guard then ends whatever is still running, with all its children.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use crate::process::{Started, end_rest_of_group};

/// The guard of this process.
#[derive(Debug)]
pub struct Guard {
    child: Child,
    pipe: Mutex<Option<ChildStdin>>,
}

impl Guard {
    /// Starts `lapidary bench guard`. It has a process group of its own: signals for ours are not meant for it.
    pub fn start(lapidary: &Path) -> io::Result<Guard> {
        #[expect(clippy::disallowed_methods, reason = "it must outlive this process")]
        let mut command = Command::new(lapidary);
        command.args(["bench", "guard"]).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let pipe = Mutex::new(child.stdin.take());
        Ok(Guard { child, pipe })
    }

    /// Tells what runs in a slot now.
    pub fn note(&self, slot: usize, started: Option<Started>) {
        let line = serde_json::to_string(&(slot, started)).unwrap_or_default() + "\n";
        let mut pipe = self.pipe.lock().unwrap_or_else(PoisonError::into_inner);
        // Without its guard, the experiment goes on; its next start ends what a kill has left.
        let _ = pipe.as_mut().map(|pipe| pipe.write_all(line.as_bytes()));
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.pipe.lock().unwrap_or_else(PoisonError::into_inner).take();
        let _ = self.child.wait();
    }
}

/// What a guard does: reads to the end of the pipe, and ends what runs then.
pub fn watch(pipe: impl BufRead) {
    let mut running: BTreeMap<usize, Option<Started>> = BTreeMap::new();
    for line in pipe.lines().map_while(Result::ok) {
        if let Ok((slot, started)) = serde_json::from_str(&line) {
            running.insert(slot, started);
        }
    }
    running.into_values().flatten().for_each(end_rest_of_group);
}
