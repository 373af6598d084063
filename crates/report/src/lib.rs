//! Renderers: an outcome as text for people or as JSON for programs. Nothing is printed here, and nothing decided.

mod execution;
mod json;
mod proof;
mod readable;
mod source;
mod stats;
mod steps;
mod text;

use std::path::Path;
use std::time::Duration;

use lapidary_cegar::Config;

pub use json::object as json;
pub use text::{Colors, Sections, Steps, report as text};

/// What was asked for, which reports repeat.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The input.
    pub file: &'a Path,
    /// The name of the strategy.
    pub strategy: &'a str,
    /// The configuration, if no stage decided.
    pub config: &'a Config,
    /// The command of the solver.
    pub solver: &'a str,
    /// The limit of CPU time.
    pub time: Option<Duration>,
    /// The limit of time that passes.
    pub wall: Option<Duration>,
    /// The limit of memory in bytes.
    pub memory: Option<u64>,
    /// Whether the properties are assertions of a program.
    pub has_assertions: bool,
}

/// `1 node`, `2 nodes`.
pub fn number(n: usize, what: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {what}{plural}")
}

/// Memory in units of 2^20 bytes.
pub fn megabytes(bytes: u64) -> String {
    let tenths = bytes.saturating_mul(10) >> 20;
    format!("{}.{} MB", tenths / 10, tenths % 10)
}
