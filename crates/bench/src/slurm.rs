//! Hands the rows of a plan to Slurm as an array job, and collects them.
//!
//! Every task of the array runs its share of the open rows (`lapidary bench worker`) and appends them to a file of its
//! own, so that nothing has to be locked across machines. Collecting takes each row once, in whatever order and however
//! often it is done. What a killed job has left undone is open again, so the same command goes on where it was; a job
//! that is still there is waited for and not submitted again.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::local::{self, Options};
use crate::plan::Plan;
use crate::process::Groups;
use crate::row::{Key, Row};
use crate::store::{self, Store};

/// The most tasks of an array: Slurm's `MaxArraySize` is 1001 unless it was changed.
const MOST_TASKS: usize = 1000;

/// How often to look at the queue.
const PERIOD: Duration = Duration::from_secs(2);

/// Where workers write.
const PARTS: &str = "parts";

/// The job that was submitted last.
const JOB: &str = "job.json";

/// A job that was submitted.
#[derive(Debug, Deserialize, Serialize)]
struct Job {
    /// Slurm's number.
    id: String,
    /// The rows of each task of the array.
    shares: Vec<Vec<Key>>,
}

/// Submits what has no row yet, waits, collects.
pub fn run(
    plan: &Plan,
    folder: &Path,
    sbatch: &[String],
    interrupt: &AtomicBool,
    log: &mut (dyn Write + Send),
) -> Result<(), Error> {
    // Workers find the folder by this name on their machines.
    fs::create_dir_all(folder).map_err(|error| Error::file("make", folder, &error))?;
    let folder = folder.canonicalize().map_err(|error| Error::file("find", folder, &error))?;
    let store = Store::open(&folder, plan, log)?;
    let mut done: std::collections::BTreeSet<Key> =
        store.kept().iter().map(|row| row.key.clone()).collect();
    let parts = folder.join(PARTS);
    fs::create_dir_all(&parts).map_err(|error| Error::file("make", &parts, &error))?;
    let path = folder.join(JOB);
    let job = match read_job(&path)? {
        Some(job) if is_queued(&job.id)? => {
            tell(log, &format!("job {} is still there", job.id));
            job
        }
        _ => {
            collect(&parts, &store, &mut done)?;
            let open = plan.runs()?.into_iter().map(|run| run.key);
            let open: Vec<Key> = open.filter(|key| !done.contains(key)).collect();
            if open.is_empty() {
                return Ok(());
            }
            submit(plan, &folder, &path, &open, sbatch, log)?
        }
    };
    let all = plan.runs()?.len();
    let mut told = done.len();
    loop {
        // In this order: what was written before the job ended is collected after.
        let is_over = !is_queued(&job.id)?;
        collect(&parts, &store, &mut done)?;
        if done.len() > told {
            told = done.len();
            tell(log, &format!("{told}/{all} runs"));
        }
        if is_over {
            break;
        }
        if interrupt.load(Ordering::Relaxed) {
            tell(log, &format!("job {id} goes on; `scancel {id}` ends it", id = job.id));
            return Err(Error::Interrupted);
        }
        std::thread::sleep(PERIOD);
    }
    match all - done.len() {
        0 => Ok(()),
        missing => Err(Error::System(format!(
            "job {} has ended and {missing} rows are missing; see `{}`; the same command submits them again",
            job.id,
            parts.display()
        ))),
    }
}

fn tell(log: &mut (dyn Write + Send), line: &str) {
    // Whatever becomes of the log, the experiment goes on.
    let _ = writeln!(log, "{line}");
}

fn read_job(path: &Path) -> Result<Option<Job>, Error> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(serde_json::from_str(&text).ok()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::file("read", path, &error)),
    }
}

/// Submits an array job. It is held until its shares are written, since they are written under its number.
fn submit(
    plan: &Plan,
    folder: &Path,
    path: &Path,
    open: &[Key],
    sbatch: &[String],
    log: &mut (dyn Write + Send),
) -> Result<Job, Error> {
    let tasks = open.len().min(MOST_TASKS);
    // Neighbours in the plan are alike, so the shares are dealt out like cards.
    let mut shares = vec![Vec::new(); tasks];
    open.iter().enumerate().for_each(|(i, key)| shares[i % tasks].push(key.clone()));
    let rows = open.len().div_ceil(tasks);
    let minutes = (plan.limits.wall() + 5.0) * f64::from(rows as u32) / 60.0 + 2.0;
    let mut words = vec![
        "--parsable".to_string(),
        "--hold".into(),
        format!("--job-name=lapidary-{}", plan.name),
        format!("--array=0-{}", tasks - 1),
        format!("--output={}/parts/%A_%a.log", folder.display()),
        "--ntasks=1".into(),
        "--cpus-per-task=1".into(),
        format!("--time={}", minutes.ceil()),
        // A task that was requeued does its rows again, and they are collected once.
        "--requeue".into(),
    ];
    // The limit of a run is kept by the run itself; what is asked for must hold the worker, too.
    words.extend(plan.limits.memory.map(|memory| format!("--mem={}M", memory + memory / 10 + 64)));
    words.extend(sbatch.iter().cloned());
    words.push("--wrap".into());
    words.push(format!(
        "exec {} bench worker {} --job \"$SLURM_ARRAY_JOB_ID\" --index \"$SLURM_ARRAY_TASK_ID\"",
        quoted(&std::env::current_exe().map_err(|error| Error::System(error.to_string()))?),
        quoted(folder)
    ));
    let answer = ask("sbatch", &words)?;
    let id = answer.trim().split(';').next().unwrap_or_default().to_string();
    if id.is_empty() || !id.chars().all(|c| c.is_ascii_digit()) {
        return Err(Error::System(format!("`sbatch` names no job: {answer}")));
    }
    let job = Job { id, shares };
    let text = serde_json::to_string(&job).unwrap_or_default();
    store::replace(&folder.join(format!("parts/{}.json", job.id)), &text)?;
    store::replace(path, &text)?;
    ask("scontrol", &["release".into(), job.id.clone()])?;
    tell(log, &format!("job {}: {} rows in {tasks} tasks", job.id, open.len()));
    Ok(job)
}

/// A word for the shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.to_string_lossy().replace('\'', "'\\''"))
}

/// Whether a job waits or runs.
fn is_queued(id: &str) -> Result<bool, Error> {
    let words = ["--noheader", "--format=%i", "--jobs", id].map(String::from);
    match ask("squeue", &words) {
        Ok(answer) => Ok(!answer.trim().is_empty()),
        // A job that ended some minutes ago is forgotten.
        Err(Error::System(what)) if what.contains("Invalid job id") => Ok(false),
        Err(error) => Err(error),
    }
}

/// Asks a program of Slurm.
fn ask(program: &str, words: &[String]) -> Result<String, Error> {
    #[expect(clippy::disallowed_methods, reason = "Slurm is its commands")]
    let output = Command::new(program).args(words).output();
    let output =
        output.map_err(|error| Error::System(format!("cannot run `{program}`: {error}")))?;
    if !output.status.success() {
        let what = String::from_utf8_lossy(&output.stderr);
        return Err(Error::System(format!("`{program}`: {}", what.trim())));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Takes over rows that workers have written and nobody has taken yet.
fn collect(
    parts: &Path,
    store: &Store,
    done: &mut std::collections::BTreeSet<Key>,
) -> Result<(), Error> {
    for file in parts_in(parts)? {
        let text = fs::read_to_string(&file).map_err(|error| Error::file("read", &file, &error))?;
        // A line that is not whole yet, or never will be, is no row.
        let lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        for row in lines.filter_map(|line| serde_json::from_str::<Row>(line).ok()) {
            if done.insert(row.key.clone()) {
                store.append(&row)?;
            }
        }
    }
    Ok(())
}

/// The files that workers have written, in the order of their names.
fn parts_in(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = fs::read_dir(folder).map_err(|error| Error::file("read", folder, &error))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort();
    Ok(files)
}

/// The files that workers have written for the experiment of a folder.
pub(crate) fn parts(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let parts = folder.join(PARTS);
    if parts.exists() { parts_in(&parts) } else { Ok(Vec::new()) }
}

/// Whether a job of the experiment of a folder waits or runs.
pub(crate) fn has_job(folder: &Path) -> Result<bool, Error> {
    read_job(&folder.join(JOB))?.map_or(Ok(false), |job| is_queued(&job.id))
}

/// Runs the share of one task of an array job.
pub fn work(folder: &Path, id: &str, index: usize, interrupt: &AtomicBool) -> Result<(), Error> {
    let plan = store::read_plan(folder)?;
    let path = folder.join(format!("parts/{id}.json"));
    let job =
        read_job(&path)?.ok_or_else(|| Error::System(format!("`{}` is no job", path.display())))?;
    let share = job.shares.get(index).map(Vec::as_slice).unwrap_or_default();
    let part = folder.join(format!("parts/{id}_{index}.jsonl"));
    let cannot = |error: &std::io::Error| Error::file("write", &part, error);
    let mut rows =
        OpenOptions::new().create(true).append(true).open(&part).map_err(|error| cannot(&error))?;
    let options = Options {
        jobs: 1,
        interrupt,
        groups: Groups::find(),
        guard: None, // Slurm ends what its jobs leave
        is_terminal: false,
    };
    let scratch = folder.join(format!("parts/{id}_{index}"));
    for run in plan.runs()?.iter().filter(|run| share.contains(&run.key)) {
        let row = local::one(run, &plan, &scratch, 0, &options, |_| ())?;
        // A line of its own even after one that a kill has torn.
        let line = format!("\n{}\n", serde_json::to_string(&row).unwrap_or_default());
        rows.write_all(line.as_bytes())
            .and_then(|()| rows.sync_data())
            .map_err(|error| cannot(&error))?;
    }
    // It holds nothing but the output of the last run.
    let _ = fs::remove_dir_all(scratch);
    Ok(())
}
