//! Hashes of automata: a program whose automaton a mutant does not change gets the same verdict.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::checks::limited;
use crate::compile::Built;

/// The source of the executable that reads programs and prints hashes.
pub(crate) const SOURCE: &str = include_str!("../templates/digest.rs");

/// The CPU seconds after which the executable is killed.
const SECONDS: u32 = 20;

/// The hash of each program; none if there is no automaton. The programs are lines as `Check::program` gives them.
pub(crate) fn digests(
    built: &Built,
    mutant: u32,
    programs: &[String],
    trace: Option<&Path>,
) -> Vec<Option<u64>> {
    let mut command = limited(&built.digest, &[], mutant, SECONDS);
    if let Some(trace) = trace {
        command.env("LAPIDARY_MUTANT_TRACE", trace);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return vec![None; programs.len()] };
    let input = programs.join("\n") + "\n";
    let mut stdin = child.stdin.take().expect("the input is a pipe");
    // A thread: the executable may wait for its output to be read. It may also end early.
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(input.as_bytes());
    });
    let text = child.wait_with_output().map(|ran| ran.stdout).unwrap_or_default();
    let _ = writer.join();
    let text = String::from_utf8_lossy(&text).into_owned();
    let mut lines = text.lines();
    let hash = |_: &String| lines.next()?.parse().ok().filter(|hash| *hash != 0);
    programs.iter().map(hash).collect()
}
