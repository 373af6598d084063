//! The comparison of strategies in `docs/algorithms.md`.
//!
//! Not a test of anything, so it runs only when asked for:
//!
//! ```text
//! STRATEGIES_SECONDS=5 cargo test --release -p lapidary-cegar --test strategies -- --nocapture
//! ```
//!
//! It prints a table: for each strategy how many of the corpus's automata and of those of the collection beside
//! the repository (or at `STRATEGIES_BENCH`) it decides within the CPU time limit (`STRATEGIES_SECONDS`, 5 if not given), with how many
//! iterations and how much CPU time on what it decides.

use std::path::{Path, PathBuf};
use std::time::Duration;

use lapidary_cegar::Config;
use lapidary_engine::observer::Statistics;
use lapidary_engine::{Unknown, Verdict, verify};
use lapidary_model::Cfa;
use lapidary_solver::limits::{Limits, cpu_time, within};
use lapidary_solver::z3::Z3;

const CHECKERS: [&str; 8] = [
    "checker=sequence",
    "checker=forward",
    "checker=backward",
    "checker=unsat-core",
    "checker=value",
    "checker=newton",
    "checker=newton post=wp",
    "checker=newton core=off",
];

const SELECTIONS: [&str; 9] = [
    "select=min-prune",
    "select=max-prune",
    "select=shortest",
    "select=longest",
    "select=domain-best",
    "select=domain-worst",
    "select=width",
    "select=pivot",
    "refine=all",
];

const DOMAINS: [&str; 2] = ["domain=predicate", "domain=explicit"];

struct Task {
    name: String,
    cfa: Cfa,
    expected: String,
}

fn load(path: &Path, expected: &str) -> Option<Task> {
    let text = std::fs::read_to_string(path).ok()?;
    let name = path.to_string_lossy();
    let cfa = lapidary_frontend::load(&name, &text).ok()?.model.into_cfa();
    Some(Task { name: name.into(), cfa, expected: expected.into() })
}

/// The corpus: each file says in its first line what to expect.
fn corpus() -> Vec<Task> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files: Vec<PathBuf> = ["examples", "crates/cegar/tests/corpus"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(root.join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cfa"))
        .collect();
    files.sort();
    let expected = |path: &Path| {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let words = text.lines().next()?.strip_prefix("// expect: ")?.to_string();
        words.split_whitespace().next().map(str::to_string)
    };
    files.iter().filter_map(|path| load(path, &expected(path)?)).collect()
}

/// The automata of the collection with a published verdict.
fn collection() -> Vec<Task> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench");
    let bench = std::env::var_os("STRATEGIES_BENCH").map_or(beside, PathBuf::from);
    let index = std::fs::read_to_string(bench.join("models.csv")).unwrap_or_default();
    let rows = index.lines().skip(1).map(|line| line.trim().split(',').collect::<Vec<_>>());
    rows.filter(|row| row.len() == 4 && ["safe", "unsafe"].contains(&row[3]))
        .filter(|row| Path::new(row[0]).extension().is_some_and(|e| e == "cfa" || e == "theta"))
        .filter_map(|row| load(&bench.join(row[0]), row[3]))
        .collect()
}

#[derive(Default)]
struct Sum {
    solved: usize,
    iterations: usize,
    cpu: Duration,
}

fn measure(tasks: &[Task], config: &Config, seconds: f64) -> Sum {
    let mut sum = Sum::default();
    for task in tasks {
        let start = cpu_time();
        let limit = Some(start + Duration::from_secs_f64(seconds));
        let mut statistics = Statistics::default();
        let verdict = within(&Limits { cpu: limit, ..Limits::default() }, |watch| {
            let z3 = Z3::new(watch).unwrap();
            verify(&task.cfa, config, &z3, &mut statistics)
        });
        let found = match verdict {
            Verdict::Safe(_) => "safe",
            Verdict::Unsafe(_) => "unsafe",
            Verdict::Unknown(Unknown::Internal(why)) => panic!("{} {config}: {why}", task.name),
            Verdict::Unknown(_) => continue,
        };
        assert_eq!(found, task.expected, "{} {config}", task.name);
        sum.solved += 1;
        sum.iterations += statistics.iterations;
        sum.cpu += cpu_time().saturating_sub(start);
    }
    sum
}

#[test]
#[expect(clippy::print_stdout, reason = "the table is what this is for")]
fn compare() {
    let seconds = std::env::var("STRATEGIES_SECONDS").ok().and_then(|text| text.parse().ok());
    let Some(seconds): Option<f64> = seconds else {
        println!(
            "SKIPPED: a measurement that takes long; STRATEGIES_SECONDS says how long for each task"
        );
        return;
    };
    let (corpus, collection) = (corpus(), collection());
    println!("{} automata of the corpus, {} of the collection", corpus.len(), collection.len());
    println!(
        "| strategy | corpus: solved | iterations | CPU s | collection: solved | iterations | CPU s |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for domain in DOMAINS {
        for strategy in CHECKERS.iter().chain(&SELECTIONS) {
            let line = format!("{domain} {strategy}");
            let mut config = Config::default();
            config.set_line(&line).unwrap();
            let cells: Vec<String> = [&corpus, &collection]
                .iter()
                .map(|tasks| measure(tasks, &config, seconds))
                .map(|sum| {
                    format!("{} | {} | {:.1}", sum.solved, sum.iterations, sum.cpu.as_secs_f64())
                })
                .collect();
            println!("| `{line}` | {} |", cells.join(" | "));
        }
    }
}
