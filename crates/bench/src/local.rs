//! Runs a plan on this machine.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::Error;
use crate::answer;
use crate::experiment::Limits;
use crate::guard::Guard;
use crate::plan::{Plan, Run};
use crate::process::{self, Bounds, Groups, Start, Started, Stopped};
use crate::progress::Progress;
use crate::row::Row;
use crate::store::Store;

/// How much CPU time a run may use beyond its limit. The tool is told the limit itself, and a tool that keeps it has this
/// long to say what it has done so far; an answer that comes that late does not count.
const GRACE: f64 = 0.5;

/// How much of a tool's output is read.
const MOST_OUTPUT: u64 = 256 << 20;

/// How to run a plan.
#[derive(Debug)]
pub struct Options<'a> {
    /// How many runs go on at the same time.
    pub jobs: usize,
    /// Set to end what is running, and then stop.
    pub interrupt: &'a AtomicBool,
    /// Where groups are made.
    pub groups: Groups,
    /// Who ends what is running if this process is killed.
    pub guard: Option<Guard>,
    /// Whether progress is shown on one line that changes.
    pub is_terminal: bool,
}

/// Runs what has no row yet.
pub fn run(
    plan: &Plan,
    folder: &Path,
    options: &Options<'_>,
    log: &mut (dyn Write + Send),
) -> Result<(), Error> {
    let store = Store::open(folder, plan, log)?;
    let runs = plan.runs()?;
    let open: Vec<&Run<'_>> = runs.iter().filter(|run| !store.is_done(&run.key)).collect();
    let progress = Progress::new(runs.len(), store.kept(), options.jobs, options.is_terminal, log);
    progress.begin(options.groups.describe());
    let (next, failure) = (AtomicUsize::new(0), Mutex::new(None));
    let guarded = |slot: usize, started: Option<Started>| {
        options.guard.iter().for_each(|guard| guard.note(slot, started));
    };
    let work = |slot: usize| {
        while let Some(run) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
            let row = one(run, plan, folder, slot, options, |started| {
                guarded(slot, Some(started));
                store.note(slot, started);
            });
            guarded(slot, None);
            let added = row.and_then(|row| store.append(&row).map(|()| row));
            match added {
                Ok(row) => progress.add(&row),
                Err(error) => {
                    // The others end after the run that they are at.
                    next.store(open.len(), Ordering::Relaxed);
                    failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    return;
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for slot in 0..options.jobs.clamp(1, open.len().max(1)) {
            let work = &work;
            scope.spawn(move || work(slot));
        }
    });
    progress.end();
    store.forget_notes();
    failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

/// One run, and its row.
pub(crate) fn one(
    run: &Run<'_>,
    plan: &Plan,
    folder: &Path,
    slot: usize,
    options: &Options<'_>,
    note: impl FnOnce(Started),
) -> Result<Row, Error> {
    if options.interrupt.load(Ordering::Relaxed) {
        return Err(Error::Interrupted);
    }
    let output = Output::new(folder, slot)?;
    let start =
        Start { words: &run.words, stdout: output.create("out")?, stderr: output.create("err")? };
    let ended = process::run(start, bounds(&plan.limits), &options.groups, options.interrupt, note)
        .map_err(|error| Error::System(format!("cannot run `{}`: {error}", run.words[0])))?;
    if ended.stopped == Some(Stopped::Interrupt) {
        return Err(Error::Interrupted);
    }
    let answer = answer::read(&output.read("out")?, &output.read("err")?, ended.exit);
    let termination = answer::termination(&answer, &ended, run.task.expected, plan.limits.cpu);
    let reason = match ended.stopped {
        Some(Stopped::Cpu) => "ended at the limit of CPU time".into(),
        Some(Stopped::Wall) => "ended at the limit of time".into(),
        Some(Stopped::Memory) => "ended at the limit of memory".into(),
        _ => answer.reason,
    };
    let millis = |time: Duration| (time.as_secs_f64() * 1e6).round() / 1e6;
    Ok(Row {
        key: run.key.clone(),
        category: run.task.category.clone(),
        expected: run.task.expected,
        axes: if answer.axes.is_empty() { run.settings.clone() } else { answer.axes },
        termination,
        result: answer.verdict,
        cpu_seconds: millis(ended.cpu),
        wall_seconds: millis(ended.wall),
        memory_bytes: ended.memory,
        statistics: answer.statistics,
        exit: ended.exit.to_string(),
        reason,
        metered: ended.metered,
    })
}

fn bounds(limits: &Limits) -> Bounds {
    Bounds {
        cpu: Duration::from_secs_f64(limits.cpu + GRACE),
        wall: Duration::from_secs_f64(limits.wall()),
        memory: limits.memory.map(|megabytes| megabytes << 20),
    }
}

/// Where the output of a run goes until it is read.
struct Output<'a> {
    folder: &'a Path,
    slot: usize,
}

impl Output<'_> {
    fn new(folder: &Path, slot: usize) -> Result<Output<'_>, Error> {
        fs::create_dir_all(folder.join("output"))
            .map_err(|error| Error::file("make", &folder.join("output"), &error))?;
        Ok(Output { folder, slot })
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.join("output").join(format!("{}.{name}", self.slot))
    }

    fn create(&self, name: &str) -> Result<File, Error> {
        let path = self.path(name);
        File::create(&path).map_err(|error| Error::file("write", &path, &error))
    }

    fn read(&self, name: &str) -> Result<String, Error> {
        let path = self.path(name);
        let mut bytes = Vec::new();
        File::open(&path)
            .and_then(|file| file.take(MOST_OUTPUT).read_to_end(&mut bytes))
            .map_err(|error| Error::file("read", &path, &error))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}
