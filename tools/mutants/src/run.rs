//! Mutants against checks: each gets the checks that reach it, quick ones first, until one fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::checks::{Baseline, Check, Outcome, checks, children_seconds};
use crate::compile::{Built, Mutant};
use crate::digests::digests;
use crate::report::Equivalent;
use crate::tree::Folders;

/// After so many checks that ran out of time, no others are tried.
const MOST_TIMEOUTS: usize = 2;

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Fate {
    /// A check failed.
    Caught,
    /// No check failed, and one took at least ten times what it takes without the mutant.
    Timeout,
    /// All checks that reach it passed.
    Survived,
    /// No check reaches it.
    Unreached,
}

/// A line of the file of results.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    #[serde(flatten)]
    pub(crate) mutant: Mutant,
    pub(crate) fate: Fate,
    /// The check that failed, and what it said.
    pub(crate) by: String,
    /// How many checks reach it, how many of them may end differently, and how many of these were run.
    pub(crate) n_reaching: usize,
    #[serde(default)]
    pub(crate) n_changed: usize,
    pub(crate) n_run: usize,
    /// CPU seconds.
    pub(crate) seconds: f64,
}

/// What is asked of a run.
#[derive(Debug)]
pub(crate) struct Wanted {
    pub(crate) sample: usize,
    pub(crate) seed: u64,
    pub(crate) claims: Option<PathBuf>,
    /// The CPU seconds for one mutant.
    pub(crate) seconds: f64,
    /// Whether mutants that no check caught are run again.
    pub(crate) again: bool,
    pub(crate) rows: PathBuf,
    /// Only checks whose names contain one of these, if there are any.
    pub(crate) checks: Vec<String>,
    /// Only every so many-th mutant, from this one on: several processes share the work.
    pub(crate) part: (usize, usize),
}

/// The same numbers each time (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

/// The first mutants of a random order.
pub(crate) fn sample(mutants: &[Mutant], n: usize, seed: u64) -> Vec<&Mutant> {
    let mut all: Vec<_> = mutants.iter().collect();
    let mut random = Random(seed);
    for at in (1..all.len()).rev() {
        all.swap(at, random.below(at + 1));
    }
    all.truncate(n);
    all
}

/// What a mutant is, without its number.
fn identity(mutant: &Mutant) -> (String, usize, usize, String, String) {
    (mutant.file.clone(), mutant.line, mutant.column, mutant.operator.clone(), mutant.to.clone())
}

/// The last row of each mutant.
pub(crate) fn rows(path: &Path) -> BTreeMap<(String, usize, usize, String, String), Row> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let rows = text.lines().filter_map(|line| serde_json::from_str::<Row>(line).ok());
    rows.map(|row| (identity(&row.mutant), row)).collect()
}

/// Runs the checks without a mutant, as far as that was not done before, and gives those that pass.
fn baselines(folders: &Folders, built: &Built, all: &[Check]) -> Result<Vec<Baseline>, String> {
    let path = folders.out.join("baseline.jsonl");
    let text = fs::read_to_string(&path).unwrap_or_default();
    let known = text.lines().filter_map(|line| serde_json::from_str::<Baseline>(line).ok());
    let known: BTreeMap<_, _> = known.map(|known| (known.name.clone(), known)).collect();
    let mut hasher = DefaultHasher::new();
    for executable in [&built.binary, &built.digest] {
        fs::read(executable).map_err(|error| error.to_string())?.hash(&mut hasher);
    }
    let build = hasher.finish();
    let mut file =
        File::options().create(true).append(true).open(&path).map_err(|error| error.to_string())?;
    let mut baselines = Vec::new();
    for (at, check) in all.iter().enumerate() {
        let baseline = check.baseline(
            built,
            build,
            known.get(&check.name),
            &folders.out.join(format!("trace-{}", std::process::id())),
        );
        if known.get(&check.name) != Some(&baseline) {
            let line = serde_json::to_string(&baseline).map_err(|error| error.to_string())?;
            file.write_all((line + "\n").as_bytes()).map_err(|error| error.to_string())?;
        }
        if !baseline.passes {
            eprintln!("not used, as it fails or takes too long without a mutant: {}", check.name);
        }
        if at % 100 == 99 {
            eprintln!("{} of {} checks without a mutant", at + 1, all.len());
        }
        baselines.push(baseline);
    }
    Ok(baselines)
}

/// Runs the sample, and adds a row for each mutant.
pub(crate) fn run(
    folders: &Folders,
    built: &Built,
    wanted: &Wanted,
    equivalent: &Equivalent,
) -> Result<(), String> {
    let mut all = checks(folders, built, wanted.claims.as_deref())?;
    let is_named = |check: &Check| wanted.checks.iter().any(|part| check.name.contains(part));
    all.retain(|check| wanted.checks.is_empty() || is_named(check));
    let baselines = baselines(folders, built, &all)?;
    let mut usable: Vec<_> =
        all.iter().zip(&baselines).filter(|(_, baseline)| baseline.passes).collect();
    usable.sort_by(|one, other| {
        let kinds = one.0.is_claim().cmp(&other.0.is_claim());
        kinds.then(one.1.seconds.total_cmp(&other.1.seconds))
    });
    let mut originals = Originals::new();
    let reached: BTreeSet<u32> =
        usable.iter().flat_map(|(_, baseline)| baseline.reached.iter().copied()).collect();
    eprintln!(
        "{} checks, {:.0} s; they reach {} of {} mutants",
        usable.len(),
        usable.iter().map(|(_, baseline)| baseline.seconds).sum::<f64>(),
        reached.len(),
        built.mutants.len()
    );
    let done = rows(&wanted.rows);
    let mut file = File::options()
        .create(true)
        .append(true)
        .open(&wanted.rows)
        .map_err(|error| error.to_string())?;
    for (at, mutant) in sample(&built.mutants, wanted.sample, wanted.seed).into_iter().enumerate() {
        if done.get(&identity(mutant)).is_some_and(|row| !wanted.again || row.fate <= Fate::Timeout)
            || at % wanted.part.1 != wanted.part.0
            || wanted.again && equivalent.has(mutant)
        {
            continue;
        }
        let row = one(built, mutant, &usable, wanted.seconds, &mut originals);
        eprintln!(
            "{:4} {:?} {}:{} {} -> {} ({:.1} s) {}",
            at + 1,
            row.fate,
            mutant.file,
            mutant.line,
            mutant.from,
            mutant.to,
            row.seconds,
            row.by
        );
        let line = serde_json::to_string(&row).map_err(|error| error.to_string())?;
        file.write_all((line + "\n").as_bytes()).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// What checks do without a mutant, and the CPU seconds, as far as a mutant made it necessary to know.
type Originals = BTreeMap<String, (Outcome, f64)>;

/// One mutant.
fn one(
    built: &Built,
    mutant: &Mutant,
    usable: &[(&Check, &Baseline)],
    most: f64,
    originals: &mut Originals,
) -> Row {
    let reaching: Vec<_> =
        usable.iter().filter(|(_, baseline)| baseline.reached.contains(&mutant.number)).collect();
    let before = children_seconds();
    let mut row = Row {
        mutant: mutant.clone(),
        fate: if reaching.is_empty() { Fate::Unreached } else { Fate::Survived },
        by: String::new(),
        n_reaching: reaching.len(),
        n_changed: 0,
        n_run: 0,
        seconds: 0.0,
    };
    let programs: Vec<_> = reaching.iter().filter_map(|(check, _)| check.program()).collect();
    let mut read = digests(built, mutant.number, &programs, None).into_iter();
    // Checks that need no engine, and those of programs whose automata differ.
    let mut changed = reaching;
    changed.retain(|(check, baseline)| match check.program() {
        Some(_) => match read.next().flatten() {
            Some(read) => Some(read) != baseline.read,
            None => true,
        },
        None => true,
    });
    row.n_changed = changed.len();
    let mut n_timeouts = 0;
    for (check, _) in changed {
        let start = children_seconds();
        if start - before > most || n_timeouts == MOST_TIMEOUTS {
            break;
        }
        row.n_run += 1;
        let outcome = check.run(built, mutant.number, None);
        let seconds = children_seconds() - start;
        if outcome == Outcome::Passed || outcome == Outcome::Timeout && !check.has_verdict() {
            continue;
        }
        let original = originals.entry(check.name.clone()).or_insert_with(|| {
            let start = children_seconds();
            (check.run(built, 0, None), children_seconds() - start)
        });
        match outcome {
            // A verdict that the compilers refute is wrong, whether or not there is one without the mutant.
            _ if original.0 != Outcome::Passed
                && !(check.is_claim() && original.0 == Outcome::Timeout) =>
            {
                eprintln!(
                    "not used, as it fails or takes too long without a mutant: {}",
                    check.name
                );
            }
            Outcome::Failed(told) => {
                row.fate = Fate::Caught;
                row.by = format!("{}: {told}", check.name);
                break;
            }
            Outcome::Timeout if seconds >= 10.0 * original.1 => {
                row.fate = Fate::Timeout;
                row.by = format!("{}{}, ", row.by, check.name);
                n_timeouts += 1;
            }
            _ => {}
        }
    }
    row.seconds = children_seconds() - before;
    row
}
