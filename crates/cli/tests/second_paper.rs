//! The experiment of the second paper: its circuits and Fischer's protocol, three abstractions, two interpolations.
//!
//! ```sh
//! SECOND_PAPER=60 cargo test --release -p lapidary-cli --test second_paper -- --nocapture
//! ```
//!
//! prints the table of `docs/hardware.md`, with the given limit of CPU seconds for each run. The models lie beside a
//! checkout, or in the folder `SECOND_PAPER_MODELS`; without them, or without a limit, the test says so and skips.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The models with their verdicts, which the paper's ticks invert for circuits; those of circuits have no numbers, so
/// that values and predicates are the same there, and the combination is left out as in the paper.
const MODELS: [(&str, &str); 12] = [
    ("aag/mutexp0.aag", "unsafe"),
    ("aag/mutexp0neg.aag", "unsafe"),
    ("aag/nusmv.syncarb5_2.B.aag", "safe"),
    ("aag/nusmv.syncarb10_2.B.aag", "safe"),
    ("aag/pdtpmsarbiter.aag", "safe"),
    ("aag/ringp0.aag", "unsafe"),
    ("aag/ringp0neg.aag", "unsafe"),
    ("aag/srg5ptimonegnv.aag", "unsafe"),
    ("fischer-sts/fischer2.system", "safe"),
    ("fischer-sts/fischer2_bad.system", "unsafe"),
    ("fischer-sts/fischer3_bool.system", "safe"),
    ("fischer-sts/fischer3_bool_bad.system", "unsafe"),
];

const CHECKERS: [&str; 2] = ["forward", "sequence"];

/// The abstractions that the paper has figures of for such a model.
fn domains(model: &str) -> [&'static [&'static str]; 2] {
    let other: &[&str] = match model {
        _ if model.starts_with("aag") => &["explicit", "--max-enum", "0"],
        _ if model.contains("_bool") => {
            &["combined", "--max-enum", "0", "--explicit-vars", "lock_b0,lock_b1"]
        }
        _ => &["combined", "--max-enum", "0", "--explicit-vars", "lock"],
    };
    [&["predicate"], other]
}

#[expect(clippy::disallowed_methods, reason = "the test runs the program")]
fn run(file: &Path, domain: &[&str], checker: &str, limit: &str) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_lapidary"))
        .arg("verify")
        .arg(file)
        .args(["--precision", "state", "--search", "dfs", "--json", "--time", limit])
        .args(["--checker", checker, "--domain"])
        .args(domain)
        .output()
        .unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[test]
fn tables_2_and_3() {
    let mut out = io::stderr();
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench/models");
    let models = std::env::var_os("SECOND_PAPER_MODELS").map_or(beside, PathBuf::from);
    let Some(limit) = std::env::var("SECOND_PAPER").ok().filter(|_| models.exists()) else {
        let _ = writeln!(out, "SKIPPED: needs SECOND_PAPER=seconds, and the models");
        return;
    };
    for (model, expected) in MODELS {
        let mut cells = Vec::new();
        for domain in domains(model) {
            for checker in CHECKERS {
                let report = run(&models.join(model), domain, checker, &limit);
                let verdict = report["verdict"].as_str().unwrap_or_default();
                let seconds = report["cpu_seconds"].as_f64().unwrap_or_default();
                let (refinements, explored) = (&report["refinements"], &report["explored"]);
                assert!([expected, "unknown"].contains(&verdict), "{model} is {verdict}");
                cells.push(match verdict == expected {
                    true => format!("{seconds:.1} / {refinements} / {explored}"),
                    false => "–".to_string(),
                });
            }
        }
        let _ = writeln!(out, "| {model} | {expected} | {} |", cells.join(" | "));
    }
}
