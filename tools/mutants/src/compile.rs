//! One build with all mutants. Those that the compiler refuses are dropped, until it refuses none.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::points::{Point, points};
use crate::rewrite::{Rewritten, rewrite};
use crate::tree::{Folders, write};

/// The module that knows which mutant counts.
const MODULE: &str = r#"//! Which mutant counts: that of `LAPIDARY_MUTANT`. `LAPIDARY_MUTANT_TRACE` names a file for those that are reached.

use std::collections::HashSet;
use std::fs::File;
use std::io::Write;
use std::sync::{LazyLock, Mutex};

static CHOSEN: LazyLock<u32> = LazyLock::new(|| {
    std::env::var("LAPIDARY_MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(0)
});

static TRACE: LazyLock<Option<Mutex<(File, HashSet<u32>)>>> = LazyLock::new(|| {
    let path = std::env::var_os("LAPIDARY_MUTANT_TRACE")?;
    let file = File::options().create(true).append(true).open(path).ok()?;
    Some(Mutex::new((file, HashSet::new())))
});

pub(crate) fn is(number: u32) -> bool {
    if let Some(trace) = &*TRACE {
        let mut trace = trace.lock().unwrap();
        if trace.1.insert(number) {
            let _ = writeln!(trace.0, "{number}");
        }
    }
    *CHOSEN == number
}
"#;

/// A mutant.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Mutant {
    pub(crate) number: u32,
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) operator: String,
    pub(crate) from: String,
    pub(crate) to: String,
    /// The line, without the spaces around it.
    pub(crate) source: String,
}

/// What was built.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Built {
    pub(crate) mutants: Vec<Mutant>,
    /// How many the compiler refused.
    pub(crate) n_refused: usize,
    /// The verifier.
    pub(crate) binary: PathBuf,
    /// The executable that hashes automata.
    pub(crate) digest: PathBuf,
    /// The tests.
    pub(crate) tests: Vec<Test>,
}

/// The executable of tests.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Test {
    pub(crate) name: String,
    pub(crate) executable: PathBuf,
    /// The folder of its crate, where cargo runs it.
    pub(crate) folder: PathBuf,
}

struct Source {
    file: String,
    text: String,
    points: Vec<Point>,
    rewritten: Rewritten,
}

/// Builds the copy with all mutants of the sources for which `is_wanted`.
pub(crate) fn build(
    folders: &Folders,
    is_wanted: impl Fn(&str) -> bool,
    cli_tests: &[String],
) -> Result<Built, String> {
    let mut files = folders.trusted()?;
    files.retain(|file| is_wanted(file));
    let mut sources = sources(folders, &files)?;
    let lib = "crates/frontend/src/lib.rs".to_string();
    let mut leave = files;
    leave.push(lib.clone());
    folders.copy(&leave)?;
    let text =
        fs::read_to_string(folders.root.join(&lib)).map_err(|error| format!("{lib}: {error}"))?;
    write(&folders.tree().join(&lib), (text + "\nmod mutation;\n").as_bytes())?;
    write(&folders.tree().join("crates/frontend/src/mutation.rs"), MODULE.as_bytes())?;

    let n_all = sources
        .iter()
        .flat_map(|source| &source.points)
        .map(|point| point.changes.len())
        .sum::<usize>();
    let mut n_refused = 0;
    loop {
        for source in &mut sources {
            source.rewritten = rewrite(&source.text, &source.points);
            write(&folders.tree().join(&source.file), source.rewritten.text.as_bytes())?;
        }
        let refused = refused(folders, &sources)?;
        eprintln!("{n_all} mutants: the compiler refuses {}", refused.len());
        if refused.is_empty() {
            break;
        }
        n_refused += refused.len();
        for point in sources.iter_mut().flat_map(|source| &mut source.points) {
            point.changes.retain(|change| !refused.contains(&change.number));
        }
    }
    let example = folders.tree().join("crates/frontend/examples/digest.rs");
    write(&example, crate::digests::SOURCE.as_bytes())?;
    let (binary, tests) = executables(folders, cli_tests)?;
    let digest = folders.build().join("debug/examples/digest");
    Ok(Built {
        mutants: sources.iter().flat_map(mutants).collect(),
        n_refused,
        binary,
        digest,
        tests,
    })
}

fn sources(folders: &Folders, files: &[String]) -> Result<Vec<Source>, String> {
    let mut number = 0;
    let mut sources = Vec::new();
    for file in files {
        let text = fs::read_to_string(folders.root.join(file))
            .map_err(|error| format!("{file}: {error}"))?;
        let mut points = points(&text).map_err(|error| format!("{file}: {error}"))?;
        for change in points.iter_mut().flat_map(|point| &mut point.changes) {
            number += 1;
            change.number = number;
        }
        let (file, rewritten) = (file.clone(), Rewritten::default());
        sources.push(Source { file, text, points, rewritten });
    }
    Ok(sources)
}

fn mutants(source: &Source) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for change in source.points.iter().flat_map(|point| &point.changes) {
        let before = &source.text[..change.at];
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let column = source.text[start..change.at].chars().count() + 1;
        let whole = source.text[start..].lines().next().unwrap_or_default().trim();
        mutants.push(Mutant {
            number: change.number,
            file: source.file.clone(),
            line,
            column,
            operator: change.operator.into(),
            from: change.from.split_whitespace().collect::<Vec<_>>().join(" "),
            to: change.to.split_whitespace().collect::<Vec<_>>().join(" "),
            source: whole.into(),
        });
    }
    mutants
}

/// Cargo in the copy, in one profile for all that is built.
fn cargo(folders: &Folders, words: &[&str]) -> Result<(bool, Vec<Value>), String> {
    let ran = Command::new("cargo")
        .args(words)
        .arg("--message-format=json")
        .current_dir(folders.tree())
        .env("CARGO_TARGET_DIR", folders.build())
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .stderr(Stdio::null())
        .output()
        .map_err(|error| format!("cargo: {error}"))?;
    let text = String::from_utf8_lossy(&ran.stdout);
    let messages = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    Ok((ran.status.success(), messages))
}

/// The mutants that have something to do with what the compiler says is wrong.
fn refused(folders: &Folders, sources: &[Source]) -> Result<BTreeSet<u32>, String> {
    let (is_done, messages) = cargo(folders, &["check", "-p", "lapidary-frontend"])?;
    if is_done {
        return Ok(BTreeSet::new());
    }
    let by_name: BTreeMap<_, _> =
        sources.iter().map(|source| (source.file.as_str(), &source.rewritten)).collect();
    let mut refused = BTreeSet::new();
    let mut unknown = Vec::new();
    let errors =
        messages.iter().map(|message| &message["message"]).filter(|told| told["level"] == "error");
    for error in errors {
        let spans = error["spans"].as_array().cloned().unwrap_or_default();
        let primary = spans.iter().filter(|span| span["is_primary"] == true);
        let mut owners = Vec::new();
        for span in primary.chain(&spans) {
            let at = |name: &str| span[name].as_u64().unwrap_or_default() as usize;
            if let Some(rewritten) = span["file_name"].as_str().and_then(|name| by_name.get(name)) {
                owners = rewritten.owners(&(at("byte_start")..at("byte_end")));
            }
            if !owners.is_empty() {
                break;
            }
        }
        if owners.is_empty() {
            unknown.push(error["rendered"].to_string());
        }
        refused.extend(owners);
    }
    match refused.is_empty() {
        true => Err(format!("the copy does not compile:\n{}", unknown.join("\n"))),
        false => Ok(refused),
    }
}

/// Builds the verifier and the tests.
fn executables(folders: &Folders, cli_tests: &[String]) -> Result<(PathBuf, Vec<Test>), String> {
    let mut words = vec!["test", "--no-run", "-p", "lapidary-cli"];
    for test in cli_tests {
        words.extend(["--test", test]);
    }
    let (is_done, mut messages) = cargo(folders, &words)?;
    let (is_done_too, more) = cargo(folders, &["test", "--no-run", "-p", "lapidary-frontend"])?;
    messages.extend(more);
    if !is_done || !is_done_too {
        return Err("the tests of the copy do not compile".into());
    }
    let mut tests = Vec::new();
    for message in messages.iter().filter(|message| message["profile"]["test"] == true) {
        let [executable, name, manifest] =
            [&message["executable"], &message["target"]["name"], &message["manifest_path"]]
                .map(Value::as_str);
        if let (Some(executable), Some(name), Some(manifest)) = (executable, name, manifest) {
            let folder = PathBuf::from(manifest).parent().map(PathBuf::from).unwrap_or_default();
            tests.push(Test { name: name.into(), executable: executable.into(), folder });
        }
    }
    Ok((folders.build().join("debug/lapidary"), tests))
}
