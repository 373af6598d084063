//! Files × configurations: the verdict is the one in the file's first line, and its evidence is valid.
//!
//! `// expect: safe` or `// expect: unsafe 15`, where the number is the length of the execution that the default
//! configuration finds. The default configuration must decide; others may end in `unknown` with a reason, within
//! a budget of solver calls, but never say anything else.

mod budget;

use std::path::{Path, PathBuf};

use budget::Budgeted;
use lapidary_cegar::config::{AXES, Config};
use lapidary_engine::{Unknown, Verdict, verify};
use lapidary_model::Cfa;
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files() -> Vec<PathBuf> {
    let folders = ["examples", "crates/cegar/tests/corpus"];
    let mut files: Vec<PathBuf> = folders
        .iter()
        .filter_map(|folder| std::fs::read_dir(root().join(folder)).ok())
        .flatten()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cfa"))
        .collect();
    files.sort();
    files
}

/// How many combinations of all axes are tried on each file.
const SPREAD: usize = 13;

struct Expected {
    verdict: String,
    length: Option<usize>,
}

fn load(path: &Path) -> (Cfa, Expected) {
    let text = std::fs::read_to_string(path).unwrap();
    let first = text.lines().next().unwrap_or_default();
    let words: Vec<&str> =
        first.strip_prefix("// expect: ").unwrap_or_default().split_whitespace().collect();
    let expected = match words[..] {
        [verdict @ ("safe" | "unsafe")] => Expected { verdict: verdict.into(), length: None },
        ["unsafe", length] => Expected { verdict: "unsafe".into(), length: length.parse().ok() },
        _ => panic!("{}: the first line says nothing to expect", path.display()),
    };
    let task = lapidary_frontend::load(&path.to_string_lossy(), &text)
        .unwrap_or_else(|error| panic!("{error}"));
    (task.model.into_cfa(), expected)
}

/// The default with one axis changed, for every value of every axis, and a spread of all combinations.
fn configurations() -> Vec<Config> {
    let mut configs = vec![Config::default()];
    for axis in AXES {
        for value in axis.values {
            let mut config = Config::default();
            config.set(axis.name, value).unwrap();
            configs.push(config);
        }
    }
    let total: usize = AXES.iter().map(|axis| axis.values.len()).product();
    // A step without common divisor with the total spreads over all axes.
    configs.extend((0..SPREAD).map(|i| nth(i * (total / SPREAD) + i)));
    configs
}

/// The configuration with this number in the product of all axes.
fn nth(mut number: usize) -> Config {
    let mut config = Config::default();
    for axis in AXES {
        config.set(axis.name, axis.values[number % axis.values.len()]).unwrap();
        number /= axis.values.len();
    }
    config
}

#[test]
fn verdicts_are_as_expected() {
    let z3 = Z3::new(&Watch::default()).unwrap();
    for path in files() {
        let (cfa, expected) = load(&path);
        for (i, config) in configurations().into_iter().enumerate() {
            let what = format!("{} with {config}", path.display());
            let backend = Budgeted::new(&z3, if i == 0 { 100_000 } else { 3_000 });
            let found = match verify(&cfa, &config, &backend, &mut ()) {
                Verdict::Safe(_) => "safe",
                Verdict::Unsafe(execution) => {
                    let length = expected.length.filter(|_| i == 0);
                    assert!(
                        length.is_none_or(|n| n == execution.steps.len()),
                        "{what}: {}",
                        execution.steps.len()
                    );
                    "unsafe"
                }
                Verdict::Unknown(Unknown::Internal(why)) => panic!("{what}: {why}"),
                Verdict::Unknown(why) => {
                    assert!(i > 0, "{what}: {why}");
                    continue;
                }
            };
            assert_eq!(found, expected.verdict, "{what}");
        }
    }
}
