//! Other solvers on the command line: the same verdicts, and a reason where they fail.

mod common;

use std::io::{self, Write};
use std::path::Path;

use common::{FOR_EVER, Folder};

/// The commands of the solvers that are there; what is missing is told.
fn commands() -> Vec<String> {
    let z3 = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../third_party/z3/bin/z3");
    let on_path = |name: &str| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.exists())
    };
    let found = [z3.exists().then_some(z3), on_path("cvc5")];
    for (name, command) in ["z3 of the Python package", "cvc5"].iter().zip(&found) {
        if command.is_none() {
            // Not `eprintln!`, which the test harness keeps to itself.
            let _ = writeln!(io::stderr(), "SKIPPED: {name} is not installed");
        }
    }
    found.into_iter().flatten().map(|path| format!("'{}'", path.display())).collect()
}

#[test]
fn verdicts_are_the_same() {
    let folder = Folder::new("solvers");
    for command in commands() {
        for (file, last, status) in [("safe.cfa", "safe\n", 0), ("unsafe.cfa", "unsafe\n", 1)] {
            for domain in ["predicate", "explicit"] {
                let words = [
                    "verify", file, "--domain", domain, "--solver", &command, "-q", "--time", "60",
                ];
                folder.check(&words, status, last, "");
            }
        }
    }
}

#[test]
fn a_solver_that_is_not_there_is_named() {
    let folder = Folder::new("no_solver");
    let ran = folder.run(&["verify", "safe.cfa", "--solver", "no-such-solver", "-q"]);
    assert!(
        ran.stdout.starts_with("unknown: solver: cannot start `no-such-solver`"),
        "{}",
        ran.stdout
    );
    assert_eq!(ran.status, 2);
}

#[test]
fn a_solver_that_talks_nonsense_or_dies_gives_no_verdict() {
    let folder = Folder::new("bad_solver");
    for command in
        ["sh -c 'while read line; do echo nonsense; done'", "sh -c 'read line; exit 3'", "true"]
    {
        let words = ["verify", "safe.cfa", "--solver", command, "-q", "--time", "2"];
        let ran = folder.run(&words);
        // Nonsense may still be followed by an answer, so it is waited for.
        let reasons = ["unknown: solver: ", "unknown: time limit reached"];
        let told = reasons.iter().any(|reason| ran.stdout.starts_with(reason));
        assert!(told, "{command}: {}", ran.stdout);
        assert_eq!(ran.status, 2, "{command}");
    }
}

/// Unsafe; constants alone do not show it.
const GUARDED: &str = "main process guarded {
    var x : int
    init loc A
    loc B
    error loc E
    A -> B { havoc x  assume x > 2 }
    B -> E { assume x < 5 }
}
";

/// Keeps to the protocol and says the same to every question.
const LIAR: &str = r#"
import re, sys
for line in sys.stdin:
    mark = re.match(r'\(echo "(.*)"\)', line.strip())
    if mark: print(mark.group(1), flush=True)
    elif 'check-sat' in line: print(sys.argv[1], flush=True)
    elif 'get-' in line: print('()', flush=True)
"#;

/// A wrong `sat` has no model. A wrong `unsat` makes the search skip what is possible; the proof that comes of it
/// does not convince the validator, and the solver gets the blame.
#[test]
fn a_solver_that_lies_gives_no_verdict() {
    let folder = Folder::new("lying_solver");
    folder.write("liar.py", LIAR);
    folder.write("guarded.cfa", GUARDED);
    let blame = "unknown: solver: the answers of `python3 liar.py unsat` led to wrong evidence";
    for (word, reason) in [("sat", "unknown: solver: "), ("unsat", blame)] {
        let command = format!("python3 liar.py {word}");
        let ran =
            folder.run(&["verify", "guarded.cfa", "--solver", &command, "-q", "--time", "20"]);
        assert!(ran.stdout.starts_with(reason), "{word}: {}", ran.stdout);
        assert_eq!(ran.status, 2, "{word}");
    }
}

#[test]
fn recordings_are_written() {
    let folder = Folder::new("recording");
    // Each stage of the default strategy has a folder of its own, so that none writes over another.
    folder.check(&["verify", "safe.cfa", "--record", "staged", "-q"], 0, "safe\n", "");
    assert!(!folder.read("staged/stage-01/001-solver.smt2").is_empty());
    let words = ["verify", "safe.cfa", "--strategy", "plain", "--record", "sessions", "-q"];
    folder.check(&words, 0, "safe\n", "");
    let first = folder.read("sessions/001-solver.smt2");
    assert!(first.contains("(check-sat") && first.contains("; => "), "{first}");
}

#[test]
fn time_that_passes_is_limited_too() {
    let folder = Folder::new("wall");
    let words = [&["verify", "diverging.cfa", "--wall", "0.5", "-q"], &FOR_EVER[..]].concat();
    folder.check(&words, 2, "unknown: wall time limit reached\n", "");
}
