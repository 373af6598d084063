//! A verifier, which is any program that prints its verdict on the last line.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use wait4::Wait4;

use super::claim::Verdict;
use super::compilers::Bits;

/// How to start it.
#[derive(Clone, Debug)]
pub struct Verifier {
    /// The program and its arguments; `{bits}` stands for 32 or 64, `{file}` for the C file.
    pub words: Vec<String>,
    /// Where files may be written.
    pub folder: PathBuf,
}

/// What it said.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The verdict; none if it is undecided.
    pub verdict: Option<Verdict>,
    /// The last line.
    pub line: String,
    /// Whether it ended in an orderly way.
    pub is_orderly: bool,
    /// The CPU time that it took.
    pub cpu: Duration,
}

/// No process takes more CPU seconds than this, whatever it thinks of its own limit.
const LAUNCH: &str = "ulimit -c 0; ulimit -t 10; exec \"$@\"";

impl Verifier {
    /// What it says about a program.
    pub fn ask(&self, program: &str, bits: Bits) -> std::io::Result<Answer> {
        let file = self.folder.join("claim.c");
        fs::write(&file, program)?;
        self.ask_file(&file, bits)
    }

    /// What it says about the program in a file.
    pub fn ask_file(&self, file: &Path, bits: Bits) -> std::io::Result<Answer> {
        let (stdout, stderr) = (self.folder.join("stdout"), self.folder.join("stderr"));
        #[expect(clippy::disallowed_methods, reason = "the verifier is another program")]
        let mut shell = Command::new("/bin/sh");
        let words = self.words.iter().map(|word| match word.as_str() {
            "{bits}" => bits.word().to_string(),
            "{file}" => file.to_string_lossy().into_owned(),
            _ => word.clone(),
        });
        let child = shell
            .args(["-c", LAUNCH, "sh"])
            .args(words)
            .stdin(Stdio::null())
            .stdout(fs::File::create(&stdout)?)
            .stderr(fs::File::create(&stderr)?)
            .spawn()?;
        let ended = child.wait4()?;
        let (stdout, stderr) = (fs::read_to_string(stdout)?, fs::read_to_string(stderr)?);
        let is_orderly = ended.status.code().is_some_and(|status| status != 101 && status < 126);
        let last = stdout.lines().last().or(stderr.lines().last()).unwrap_or_default();
        let verdict = stdout.lines().last().and_then(Verdict::from_word);
        let line =
            if is_orderly { last.to_string() } else { format!("{}: {stderr}", ended.status) };
        let cpu = ended.rusage.utime + ended.rusage.stime;
        Ok(Answer { verdict, line, is_orderly, cpu })
    }
}
