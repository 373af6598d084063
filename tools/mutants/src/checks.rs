//! What a mutant has to survive: single programs with their verdicts, and the crates' own tests.

use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde::{Deserialize, Serialize};

use crate::compile::{Built, Test};
use crate::digests::digests;
use crate::tree::Folders;

/// The CPU seconds that the verifier may take for a program of the corpus, and for a claim.
const PROGRAM_SECONDS: &str = "5";
const CLAIM_SECONDS: &str = "2";
/// The CPU seconds after which a verifier is killed that does not stop by itself, and a test.
const KILL_SECONDS: [u32; 2] = [7, 20];
/// The memory of a process, in KB.
const MEMORY: u32 = 4_000_000;
/// The tests that go through the corpus as a whole; its programs are checks of their own.
const CORPUS_TEST: &str = "programs_get_the_verdict_of_their_first_line";

/// One thing that can fail.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    pub(crate) name: String,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// A program, and the verdict that it has to get.
    Corpus { expected: String, words: Vec<String> },
    /// A program, and the verdict that is wrong.
    Claim { wrong: String, words: Vec<String> },
    /// A test function in an executable.
    Test(Test),
}

/// How a check ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    Failed(String),
    /// It took more time than a check may.
    Timeout,
}

/// What a check does without a mutant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Baseline {
    pub(crate) name: String,
    /// What it depends on, hashed.
    key: u64,
    pub(crate) passes: bool,
    /// CPU seconds.
    pub(crate) seconds: f64,
    /// The automaton of the program, hashed.
    pub(crate) read: Option<u64>,
    /// The mutants that it reaches.
    pub(crate) reached: BTreeSet<u32>,
}

/// All checks.
pub(crate) fn checks(
    folders: &Folders,
    built: &Built,
    claims: Option<&Path>,
) -> Result<Vec<Check>, String> {
    let mut checks = Vec::new();
    for file in files(&folders.root.join("crates/cli/tests/c"))? {
        corpus(&file, &mut checks)?;
    }
    for file in claims.map(files).transpose()?.unwrap_or_default() {
        checks.push(claim(&file)?);
    }
    for test in &built.tests {
        let name = &test.name;
        let listed = Command::new(&test.executable).arg("--list").output();
        let listed = listed.map_err(|error| format!("{name}: {error}"))?;
        for line in String::from_utf8_lossy(&listed.stdout).lines() {
            if let Some(function) = line.strip_suffix(": test")
                && function != CORPUS_TEST
            {
                let kind = Kind::Test(test.clone());
                checks.push(Check { name: format!("{name}::{function}"), kind });
            }
        }
    }
    Ok(checks)
}

/// The C files of a folder, sorted.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    Ok(files)
}

fn first_lines(file: &Path) -> Result<(String, String), String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let mut lines = text.lines().map(String::from);
    Ok((lines.next().unwrap_or_default(), lines.next().unwrap_or_default()))
}

/// A program of the corpus, as `crates/cli/tests/c.rs` runs it.
fn corpus(file: &Path, checks: &mut Vec<Check>) -> Result<(), String> {
    let (first, second) = first_lines(file)?;
    let expected =
        first.strip_prefix("// expect: ").ok_or_else(|| format!("{}: {first}", file.display()))?;
    let domain = second.strip_prefix("// domain: ").unwrap_or("product");
    let bits = second.strip_prefix("// bits: ").unwrap_or("32");
    let short = file.file_stem().unwrap_or_default().to_string_lossy();
    for arith in ["bv", "int"] {
        let path = file.to_string_lossy();
        let words = [
            "verify",
            &path,
            "--arith",
            arith,
            "--domain",
            domain,
            "--bits",
            bits,
            "--time",
            PROGRAM_SECONDS,
        ];
        let words = words.map(String::from).to_vec();
        let kind = Kind::Corpus { expected: expected.to_string(), words };
        checks.push(Check { name: format!("corpus {short} {arith}"), kind });
    }
    Ok(())
}

/// A claim about a generated program. The first line says what is wrong: `// 32 bits, wrong: safe`.
fn claim(file: &Path) -> Result<Check, String> {
    let (first, _) = first_lines(file)?;
    let words: Vec<_> = first.split_whitespace().collect();
    let [_, bits, "bits,", "wrong:", wrong] = words[..] else {
        return Err(format!("{}: {first}", file.display()));
    };
    let path = file.to_string_lossy();
    let words =
        ["verify", &path, "--bits", bits, "--time", CLAIM_SECONDS].map(String::from).to_vec();
    let name = format!("claim {}", file.file_stem().unwrap_or_default().to_string_lossy());
    Ok(Check { name, kind: Kind::Claim { wrong: wrong.into(), words } })
}

/// The CPU seconds of all children so far, in hundredths.
pub(crate) fn children_seconds() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = text.rsplit(')').next().unwrap_or_default();
    let fields: Vec<_> = after.split_whitespace().collect();
    let ticks =
        |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(13) + ticks(14)) / 100.0
}

impl Check {
    pub(crate) fn is_claim(&self) -> bool {
        matches!(self.kind, Kind::Claim { .. })
    }

    /// Whether the check asks for a verdict, so that not to decide is a failure.
    pub(crate) fn has_verdict(&self) -> bool {
        !matches!(self.kind, Kind::Claim { .. })
    }

    /// Runs the check with a mutant (0: none), and with a file for what it reaches.
    pub(crate) fn run(&self, built: &Built, mutant: u32, trace: Option<&Path>) -> Outcome {
        let (program, words) = match &self.kind {
            Kind::Corpus { words, .. } | Kind::Claim { words, .. } => {
                (&built.binary, words.clone())
            }
            Kind::Test(Test { executable, .. }) => {
                let test = self.name.split_once("::").map_or("", |(_, test)| test);
                (executable, ["--exact", test, "--test-threads", "1"].map(String::from).to_vec())
            }
        };
        let is_test = matches!(self.kind, Kind::Test(_));
        let mut command = limited(program, &words, mutant, KILL_SECONDS[usize::from(is_test)]);
        if let Kind::Test(Test { folder, .. }) = &self.kind {
            command.current_dir(folder);
        }
        if let Some(trace) = trace {
            command.env("LAPIDARY_MUTANT_TRACE", trace);
        }
        match command.output() {
            Ok(ran) => self.judge(&ran),
            Err(error) => Outcome::Failed(error.to_string()),
        }
    }

    fn judge(&self, ran: &Output) -> Outcome {
        let stdout = String::from_utf8_lossy(&ran.stdout);
        let status = match (ran.status.code(), ran.status.signal()) {
            (Some(status), _) => status,
            (None, Some(9 | 24)) => return Outcome::Timeout, // killed for its CPU time
            (None, signal) => return Outcome::Failed(format!("signal {}", signal.unwrap_or(0))),
        };
        let last = stdout.lines().last().unwrap_or_default();
        let is_timeout = last.starts_with("unknown: time limit");
        match &self.kind {
            Kind::Corpus { expected, .. } => {
                let is_right = match expected.starts_with("unknown") {
                    true => last.starts_with(expected),
                    false => last == expected,
                };
                match (is_right, is_timeout) {
                    (true, _) => Outcome::Passed,
                    (false, true) => Outcome::Timeout,
                    (false, false) => Outcome::Failed(told(last, ran)),
                }
            }
            // Not to decide a claim is no mistake; to refuse or to fail is one.
            Kind::Claim { wrong, .. } if last == wrong || !(0..=2).contains(&status) => {
                Outcome::Failed(told(last, ran))
            }
            Kind::Claim { .. } if is_timeout => Outcome::Timeout,
            Kind::Claim { .. } => Outcome::Passed,
            Kind::Test(_) if status == 0 => Outcome::Passed,
            Kind::Test(_) => {
                let failed = stdout.lines().find(|line| line.contains("panicked at"));
                Outcome::Failed(failed.unwrap_or(last).to_string())
            }
        }
    }

    /// The line of the program in the input of `digest`: the size of `long`, the arithmetic, the path.
    pub(crate) fn program(&self) -> Option<String> {
        let (Kind::Corpus { words, .. } | Kind::Claim { words, .. }) = &self.kind else {
            return None;
        };
        let option = |name: &str| {
            let at = words.iter().position(|word| word == name);
            at.map_or("auto", |at| words[at + 1].as_str())
        };
        Some(format!("{} {} {}", option("--bits"), option("--arith"), words[1]))
    }

    /// What the check depends on, besides the build.
    fn key(&self, build: u64) -> u64 {
        let mut hasher = DefaultHasher::new();
        build.hash(&mut hasher);
        match &self.kind {
            Kind::Corpus { words, .. } | Kind::Claim { words, .. } => {
                words.hash(&mut hasher);
                fs::read(&words[1]).unwrap_or_default().hash(&mut hasher);
            }
            Kind::Test(Test { executable, .. }) => {
                fs::read(executable).unwrap_or_default().hash(&mut hasher)
            }
        }
        hasher.finish()
    }

    /// What the check does without a mutant, or what is known of it.
    pub(crate) fn baseline(
        &self,
        built: &Built,
        build: u64,
        known: Option<&Baseline>,
        trace: &Path,
    ) -> Baseline {
        let key = self.key(build);
        if let Some(known) = known.filter(|known| known.key == key) {
            return known.clone();
        }
        let _ = fs::remove_file(trace);
        let before = children_seconds();
        // Verdicts without a mutant are computed when a mutant changes them: most are never needed.
        let (passes, read) = match self.program() {
            Some(program) => (true, digests(built, 0, &[program], Some(trace))[0]),
            None => (self.run(built, 0, Some(trace)) == Outcome::Passed, None),
        };
        let seconds = children_seconds() - before;
        let reached = fs::read_to_string(trace).unwrap_or_default();
        let reached = reached.lines().filter_map(|line| line.parse().ok()).collect();
        Baseline { name: self.name.clone(), key, passes, seconds, read, reached }
    }
}

/// A command with limits.
pub(crate) fn limited(program: &Path, words: &[String], mutant: u32, seconds: u32) -> Command {
    let limits =
        format!("ulimit -t {seconds}; ulimit -v {MEMORY}; ulimit -c 0; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &limits]).arg(program).args(words);
    command.env("LAPIDARY_MUTANT", mutant.to_string());
    command
}

/// The verdict, or else the message.
fn told(last: &str, ran: &Output) -> String {
    let stderr = String::from_utf8_lossy(&ran.stderr);
    let message =
        stderr.lines().find(|line| line.contains("panicked") || line.starts_with("error"));
    match (last.is_empty(), message) {
        (true, Some(message)) => message.to_string(),
        _ => last.to_string(),
    }
}
