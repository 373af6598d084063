//! Experiments: configurations × tasks → rows → tables and plots.
//!
//! An [`experiment`] file becomes a [`plan`] with everything decided. [`local`] and [`slurm`] run it, each run a
//! [`process`] of its own, and append [`row`]s to a folder ([`store`]). [`report`] makes tables and plots of the
//! rows, [`diff`] compares two folders, [`forget`] takes rows out that are to be done again, [`benchexec`] writes the
//! same experiment for the field's own harness.
//! Nothing here knows an algorithm: the tool is a command, and what it prints is all that is known about it.

pub mod answer;
pub mod benchexec;
mod clock;
pub mod command;
pub mod configurations;
pub mod diff;
pub mod experiment;
pub mod forget;
pub mod guard;
pub mod local;
mod lock;
pub mod plan;
pub mod process;
mod progress;
pub mod report;
pub mod row;
pub mod slurm;
pub mod store;
pub mod tasks;

use std::io;
use std::path::Path;

/// Why an experiment does not go on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The experiment says something that cannot be done.
    #[error("{0}")]
    Experiment(String),
    /// A file, a folder or a process does not do what it must.
    #[error("{0}")]
    System(String),
    /// The user has had enough.
    #[error("interrupted; the same command goes on from here")]
    Interrupted,
}

impl Error {
    /// A file that cannot be read or written.
    pub(crate) fn file(what: &str, path: &Path, error: &io::Error) -> Error {
        Error::System(format!("cannot {what} `{}`: {error}", path.display()))
    }
}
