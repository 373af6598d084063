//! Automata of the field's own collections, with the verdicts that were published for them.
//!
//! The collection is third-party data that lies beside a checkout, or does not: then this test says so and skips.

mod budget;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use budget::Budgeted;
use lapidary_cegar::Config;
use lapidary_engine::{Unknown, Verdict, verify};
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;

/// The configurations of `docs/algorithms.md`; the first one decides everything.
const CONFIGURATIONS: [&str; 4] = [
    "domain=predicate",
    "domain=predicate precision=local checker=backward search=dfs",
    "domain=explicit",
    "domain=explicit max-enum=0 search=err",
];

struct Task {
    file: PathBuf,
    expected: String,
}

/// The automata with a verdict that are written in the CFA language, floating point excepted.
fn tasks(bench: &Path) -> Vec<Task> {
    let index = std::fs::read_to_string(bench.join("models.csv")).unwrap_or_default();
    let rows = index.lines().skip(1).map(|line| line.trim().split(',').collect::<Vec<_>>());
    rows.filter(|row| row.len() == 4 && ["safe", "unsafe"].contains(&row[3]))
        .filter(|row| Path::new(row[0]).extension().is_some_and(|e| e == "cfa" || e == "theta"))
        .map(|row| Task { file: bench.join(row[0]), expected: row[3].into() })
        .filter(|task| !std::fs::read_to_string(&task.file).unwrap_or_default().contains("fp["))
        .collect()
}

#[test]
fn verdicts_are_as_published() {
    let bench = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench");
    let tasks = tasks(&bench);
    if tasks.is_empty() {
        // Not `eprintln!`, which the test harness keeps to itself.
        let _ = writeln!(
            io::stderr(),
            "SKIPPED: there is no collection of automata beside the repository"
        );
        return;
    }
    let z3 = Z3::new(&Watch::default()).unwrap();
    for task in tasks {
        let text = std::fs::read_to_string(&task.file).unwrap();
        let cfa = lapidary_frontend::load(&task.file.to_string_lossy(), &text)
            .unwrap_or_else(|error| panic!("{error}"))
            .model
            .into_cfa();
        for (i, line) in CONFIGURATIONS.iter().enumerate() {
            let mut config = Config::default();
            config.set_line(line).unwrap();
            let what = format!("{} with {line}", task.file.display());
            let verdict = match verify(&cfa, &config, &Budgeted::new(&z3, 400), &mut ()) {
                Verdict::Safe(_) => "safe",
                Verdict::Unsafe(_) => "unsafe",
                Verdict::Unknown(Unknown::Internal(why)) => panic!("{what}: {why}"),
                Verdict::Unknown(why) => {
                    assert!(i > 0, "{what}: {why}");
                    continue;
                }
            };
            assert_eq!(verdict, task.expected, "{what}");
        }
    }
}
