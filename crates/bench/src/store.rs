//! The folder of an experiment: its plan, its rows, and what is running.
//!
//! A row is one line of JSON that is written at once and synchronized before the next run starts. What is killed in the
//! middle of that leaves a line without an end, which is dropped: its run is done again. A line that is no row is moved
//! to another file, and its run is done again, too.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::Error;
use crate::lock::Locked;
use crate::plan::Plan;
use crate::process::{Started, end_group_of};
use crate::row::{Key, Row};

const PLAN: &str = "plan.json";
const ROWS: &str = "rows.jsonl";
const CORRUPT: &str = "corrupt.jsonl";
const RUNNING: &str = "running";

/// A folder that this process alone adds rows to.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    rows: Mutex<Locked>,
    done: BTreeSet<Key>,
    kept: Vec<Row>,
}

/// Reads the plan of a folder.
pub fn read_plan(folder: &Path) -> Result<Plan, Error> {
    let path = folder.join(PLAN);
    let text = fs::read_to_string(&path).map_err(|error| Error::file("read", &path, &error))?;
    serde_json::from_str(&text)
        .map_err(|error| Error::System(format!("`{}`: {error}", path.display())))
}

/// Reads the rows of a folder, in the order of the plan. A torn end is no row.
pub fn read_rows(folder: &Path, plan: &Plan) -> Result<Vec<Row>, Error> {
    let path = rows_file(folder);
    let text = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(Error::file("read", &path, &error)),
    };
    let read = parse(&text);
    if let Some((number, _, why)) = read.corrupt.first() {
        return Err(Error::System(format!(
            "`{}`, line {number} is corrupt: {why}; `lapidary bench run` sets it aside and repeats its run",
            path.display()
        )));
    }
    let mut rows: std::collections::BTreeMap<Key, Row> =
        read.rows.into_iter().rev().map(|row| (row.key.clone(), row)).collect();
    Ok(plan.runs()?.iter().filter_map(|run| rows.remove(&run.key)).collect())
}

/// What is in a file of rows.
#[derive(Default)]
struct Content<'a> {
    rows: Vec<Row>,
    /// The length of the whole lines.
    whole: usize,
    /// The lines that are rows.
    intact: Vec<u8>,
    /// The lines that are none, with their numbers and what is wrong with them.
    corrupt: Vec<(usize, &'a [u8], String)>,
}

fn parse(bytes: &[u8]) -> Content<'_> {
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let mut read = Content { whole, ..Content::default() };
    for (number, line) in bytes[..whole].split_inclusive(|byte| *byte == b'\n').enumerate() {
        match serde_json::from_slice(line) {
            Ok(row) => {
                read.rows.push(row);
                read.intact.extend(line);
            }
            Err(error) => read.corrupt.push((number + 1, line, error.to_string())),
        }
    }
    read
}

/// Moves the lines that are no rows to another file; returns the new file of rows, which is locked.
fn set_aside(folder: &Path, read: &Content<'_>, log: &mut dyn Write) -> Result<Locked, Error> {
    let (path, aside) = (rows_file(folder), folder.join(CORRUPT));
    let lines: Vec<u8> =
        read.corrupt.iter().flat_map(|(_, line, _)| line.iter().copied()).collect();
    append(&aside, &lines).map_err(|error| Error::file("write", &aside, &error))?;
    for (number, _, why) in &read.corrupt {
        // Whatever becomes of the log, the experiment goes on.
        let _ = writeln!(
            log,
            "warning: `{}`, line {number} is corrupt: {why}; it is moved to `{}`, and its run is repeated",
            path.display(),
            aside.display()
        );
    }
    replace_bytes(&path, &read.intact)?;
    let rows = OpenOptions::new().read(true).write(true).open(&path);
    let rows = rows.map_err(|error| Error::file("open", &path, &error))?;
    Locked::new(rows, folder)
}

/// Adds to a file for good.
pub(crate) fn append(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Writes a file so that it is whole at any time, as it was or as it shall be.
pub(crate) fn replace(path: &Path, text: &str) -> Result<(), Error> {
    replace_bytes(path, text.as_bytes())
}

fn replace_bytes(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut part = path.as_os_str().to_os_string();
    part.push(".part");
    let write = || {
        let mut file = File::create(&part)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&part, path)
    };
    write().map_err(|error| Error::file("write", path, &error))
}

/// The file of the rows of a folder.
pub(crate) fn rows_file(folder: &Path) -> PathBuf {
    folder.join(ROWS)
}

impl Store {
    /// Opens the folder of a plan, or makes it. What a killed process has left running is ended. Lines that are no rows
    /// are set aside, which the log tells.
    pub fn open(folder: &Path, plan: &Plan, log: &mut dyn Write) -> Result<Store, Error> {
        fs::create_dir_all(folder).map_err(|error| Error::file("make", folder, &error))?;
        let path = rows_file(folder);
        let cannot = |what: &str, error: &std::io::Error| Error::file(what, &path, error);
        let rows = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&path)
            .map_err(|error| cannot("open", &error))?;
        let mut rows = Locked::new(rows, folder)?;
        keep_plan(folder, plan)?;
        let mut bytes = Vec::new();
        rows.read_to_end(&mut bytes).map_err(|error| cannot("read", &error))?;
        let read = parse(&bytes);
        match read.corrupt.is_empty() {
            true => rows.set_len(read.whole as u64).map_err(|error| cannot("write", &error))?,
            false => rows = set_aside(folder, &read, log)?,
        }
        rows.seek(SeekFrom::End(0)).map_err(|error| cannot("write", &error))?;
        let kept = read.rows;
        end_leftovers(folder);
        let done = kept.iter().map(|row| row.key.clone()).collect();
        Ok(Store { folder: folder.into(), rows: Mutex::new(rows), done, kept })
    }

    /// Whether a run has its row.
    pub fn is_done(&self, key: &Key) -> bool {
        self.done.contains(key)
    }

    /// The rows that were there when the folder was opened.
    pub fn kept(&self) -> &[Row] {
        &self.kept
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Adds a row for good.
    pub fn append(&self, row: &Row) -> Result<(), Error> {
        let mut line = serde_json::to_vec(row)
            .map_err(|error| Error::System(format!("a row cannot be written: {error}")))?;
        line.push(b'\n');
        let mut rows = self.rows.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        rows.write_all(&line)
            .and_then(|()| rows.sync_data())
            .map_err(|error| Error::file("write", &rows_file(&self.folder), &error))
    }

    /// Notes what runs in a slot, for whoever comes after a kill.
    pub fn note(&self, slot: usize, started: Started) {
        let text = serde_json::to_string(&started).unwrap_or_default();
        let _ = fs::create_dir_all(self.folder.join(RUNNING));
        // Without the note, a leftover runs on to its own limit: a pity, no harm.
        let _ = fs::write(self.folder.join(RUNNING).join(slot.to_string()), text);
    }

    /// Forgets what ran.
    pub fn forget_notes(&self) {
        let _ = fs::remove_dir_all(self.folder.join(RUNNING));
    }
}

/// Writes the plan, or checks that it is the same.
fn keep_plan(folder: &Path, plan: &Plan) -> Result<(), Error> {
    let path = folder.join(PLAN);
    if !path.exists() {
        let text = serde_json::to_string_pretty(plan)
            .map_err(|error| Error::System(format!("the plan cannot be written: {error}")))?;
        return replace(&path, &text);
    }
    match difference(&read_plan(folder)?, plan) {
        None => Ok(()),
        Some(what) => Err(Error::Experiment(format!(
            "`{}` holds rows of another experiment ({what} differ); use another `--out`, or remove it",
            folder.display()
        ))),
    }
}

/// What two plans differ in, if it matters to the rows.
fn difference(old: &Plan, new: &Plan) -> Option<&'static str> {
    match () {
        () if old.name != new.name => Some("the names"),
        () if old.limits != new.limits => Some("the limits"),
        () if old.binary.sha256 != new.binary.sha256 => Some("the binaries"),
        () if old.tasks != new.tasks || old.collection != new.collection => Some("the tasks"),
        () if old.repetitions != new.repetitions => Some("the numbers of repetitions"),
        () if old.configurations != new.configurations
            || (&old.levels, &old.sets, &old.command) != (&new.levels, &new.sets, &new.command) =>
        {
            Some("the configurations")
        }
        () => None,
    }
}

/// Ends what a killed process has left running.
fn end_leftovers(folder: &Path) {
    let notes = fs::read_dir(folder.join(RUNNING)).into_iter().flatten().flatten();
    for note in notes {
        let text = fs::read_to_string(note.path()).unwrap_or_default();
        if let Ok(started) = serde_json::from_str(&text) {
            end_group_of(started);
        }
    }
    let _ = fs::remove_dir_all(folder.join(RUNNING));
}
