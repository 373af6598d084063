//! Takes rows out of an experiment, so that their runs are done again: those that a busy machine has cut off, say.
//!
//! They are not lost: `forgotten.jsonl` keeps them.

use std::fs::{self, File};
use std::path::Path;

use crate::experiment::any_matches;
use crate::lock::Locked;
use crate::row::{Row, Termination};
use crate::{Error, slurm, store};

const FORGOTTEN: &str = "forgotten.jsonl";

/// Which rows; all that is given must hold.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// How the run ended, one of these.
    pub terminations: Vec<Termination>,
    /// Patterns of reasons.
    pub reasons: Vec<String>,
    /// Patterns of tasks.
    pub tasks: Vec<String>,
    /// Patterns of configurations.
    pub configurations: Vec<String>,
}

impl Choice {
    fn has(&self, row: &Row) -> Result<bool, Error> {
        let matches = |patterns: &[String], text: &str| {
            Ok(patterns.is_empty() || any_matches(patterns, text)?)
        };
        let ended = self.terminations.is_empty() || self.terminations.contains(&row.termination);
        Ok(ended
            && matches(&self.reasons, &row.reason)?
            && matches(&self.tasks, &row.key.task)?
            && matches(&self.configurations, &row.key.configuration)?)
    }
}

/// Takes the rows out of a folder that nobody works in; how many there were.
pub fn forget(folder: &Path, choice: &Choice) -> Result<usize, Error> {
    let rows = store::rows_file(folder);
    let file = File::open(&rows).map_err(|error| Error::file("open", &rows, &error))?;
    let _lock = Locked::new(file, folder)?;
    if slurm::has_job(folder)? {
        return Err(Error::Experiment(format!(
            "a job of `{}` is still in Slurm's queue",
            folder.display()
        )));
    }
    let forgotten = rewrite(&rows, folder, choice)?;
    // What the tasks of array jobs have written would be collected again.
    for part in slurm::parts(folder)? {
        rewrite(&part, folder, choice)?;
    }
    Ok(forgotten)
}

/// Moves the chosen rows of one file, and leaves the file whole at any time.
fn rewrite(path: &Path, folder: &Path, choice: &Choice) -> Result<usize, Error> {
    let text = fs::read_to_string(path).map_err(|error| Error::file("read", path, &error))?;
    let (mut kept, mut taken, mut n) = (String::new(), String::new(), 0);
    // A line that is not whole is no row.
    for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
        let row = serde_json::from_str::<Row>(line).ok();
        match row.map(|row| choice.has(&row)).transpose()? {
            Some(true) => {
                taken.push_str(line);
                n += 1;
            }
            _ => kept.push_str(line),
        }
    }
    if n > 0 {
        let to = folder.join(FORGOTTEN);
        store::append(&to, taken.as_bytes()).map_err(|error| Error::file("write", &to, &error))?;
        store::replace(path, &kept)?;
    }
    Ok(n)
}
