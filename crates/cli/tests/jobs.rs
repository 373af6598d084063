//! Stages at once: `--jobs`.

mod common;

use std::path::Path;

use common::Folder;
use serde_json::Value;

/// Safe, but neither by values nor by ranges: no single stage of the first ones decides.
const EQUAL: &str = "main process p { var x : int var y : int init loc A loc L error loc E
    A -> L { havoc x y := x } L -> L { x := x + 1 y := y + 1 } L -> E { assume x /= y } }";

fn report(folder: &Folder, words: &[&str]) -> Value {
    let ran = folder.run(&[&["verify", "--json"], words].concat());
    assert_eq!(ran.stderr, "", "{words:?}");
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {}", ran.stdout))
}

#[test]
fn the_verdict_is_that_of_one_job() {
    let folder = Folder::new("jobs");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let names = [
        "absolute_value.cfa",
        "count.btor2",
        "counter.system",
        "figure1.cfa",
        "lock.cfa",
        "midpoint.cfa",
        "toggle.aag",
    ];
    let mut seen = [false; 2];
    for name in names {
        let file = examples.join(name);
        let file = file.to_str().expect("a readable path");
        let one = folder.run(&["verify", file, "-q"]);
        seen[usize::from(one.status == 1)] = true;
        for jobs in ["2", "3", "9"] {
            let ran = folder.run(&["verify", file, "-q", "--jobs", jobs]);
            let found = (ran.last_line(), ran.status, &ran.stderr[..]);
            assert_eq!(found, (one.last_line(), one.status, ""), "{name} with {jobs} jobs");
        }
    }
    assert_eq!(seen, [true; 2]);
}

#[test]
fn reports_tell_which_stage_decided() {
    let folder = Folder::new("jobs_reports");
    folder.write("equal.cfa", EQUAL);
    let words = ["equal.cfa", "--jobs", "2", "--without", "invariants,induction,sbe"];
    let report = report(&folder, &words);
    assert_eq!(report["verdict"], "safe");
    let stages = report["stages"].as_array().expect("an array");
    // Predicates over large blocks are the third stage, and alone can prove it.
    assert!(stages.len() >= 3, "{stages:?}");
    let last = stages.last().expect("there are some");
    assert_eq!(last["configuration"], report["configuration"]["line"]);
    let line = last["configuration"].as_str().expect("a line");
    assert!(line.contains("domain=predicate") && line.contains("encoding=lbe"), "{line}");
    assert!(report["iterations"].as_u64() > Some(0), "{report}");
    let own = stages.iter().map(|stage| stage["cpu_seconds"].as_f64().expect("a number"));
    let total = report["cpu_seconds"].as_f64().expect("a number");
    // Each is the time of a thread; together they are a part of what the process used.
    assert!(own.sum::<f64>() <= total, "{report}");

    let ran = folder.run(&[&["verify", "-v", "--stats"], &words[..]].concat());
    assert!(ran.stdout.contains(" (predicate, lbe)\n"), "{}", ran.stdout);
    assert!(ran.stderr.contains("stage: concrete runs\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("(predicate, lbe) iteration 1: "), "{}", ran.stderr);
    assert!(ran.stderr.contains("(predicate, lbe) validating the evidence"), "{}", ran.stderr);
}

#[test]
fn precisions_are_saved_and_loaded() {
    let folder = Folder::new("jobs_precision");
    folder.write("equal.cfa", EQUAL);
    let words =
        ["verify", "equal.cfa", "--jobs", "2", "--without", "invariants,induction,sbe", "-q"];
    assert_eq!(folder.run(&[&words, &["--save-precision", "p"][..]].concat()).last_line(), "safe");
    assert!(folder.read("p").contains('='), "{}", folder.read("p"));
    assert_eq!(folder.run(&[&words, &["--load-precision", "p"][..]].concat()).last_line(), "safe");
}

/// With one stage that has no end, and no processor for another.
#[test]
fn limits_hold() {
    let folder = Folder::new("jobs_limits");
    // The squares are too much for every stage.
    folder.write(
        "hard.cfa",
        "main process p { var x : int var y : int var z : int init loc A loc L error loc E
         A -> L { havoc x havoc y havoc z assume x > 9 and y > 9 and z > 9 }
         L -> L { havoc x assume x > 9 }
         L -> E { assume x * x * x + y * y * y = z * z * z } }",
    );
    let ran = folder.run(&["verify", "hard.cfa", "--jobs", "2", "--time", "1", "-q"]);
    assert_eq!((ran.last_line(), ran.status), ("unknown: time limit reached", 2), "{ran:?}");
    let ran = folder.run(&["verify", "hard.cfa", "--jobs", "2", "--wall", "0.5", "-q"]);
    assert_eq!((ran.last_line(), ran.status), ("unknown: wall time limit reached", 2), "{ran:?}");
    let words = ["verify", "hard.cfa", "--jobs", "2", "--memory", "20", "--time", "20", "-q"];
    let ran = folder.run(&words);
    assert_eq!((ran.last_line(), ran.status), ("unknown: memory limit reached", 2), "{ran:?}");
}

#[test]
fn what_does_not_go_with_several_jobs() {
    let folder = Folder::new("jobs_usage");
    for (options, message) in [
        (&["--jobs", "0"][..], "a number of stages above 0 is expected"),
        (&["--jobs", "-1"], "a number of stages above 0 is expected"),
        (&["--jobs", "many"], "a number of stages above 0 is expected"),
        (&["--jobs", "2", "--domain", "explicit"], "one configuration has no stages"),
        (&["--jobs", "2", "--config", "search=err"], "one configuration has no stages"),
        (&["--jobs", "2", "--strategy", "plain"], "one configuration has no stages"),
        (&["--jobs", "2", "--solver", "cvc5"], "one configuration has no stages"),
        (&["--jobs", "2", "--arg", "a.dot"], "`--arg` does not go with `--jobs 2`"),
        (&["--jobs", "2", "--record", "r"], "`--record` does not go with `--jobs 2`"),
    ] {
        let ran = folder.run(&[&["verify", "safe.cfa"], options].concat());
        assert_eq!((&ran.stdout[..], ran.status), ("", 64), "{options:?}: {ran:?}");
        assert!(ran.stderr.contains(message), "{options:?}: {}", ran.stderr);
    }
    // One job goes with everything.
    let ran = folder.run(&["verify", "safe.cfa", "--jobs", "1", "--domain", "explicit", "-q"]);
    assert_eq!((ran.last_line(), ran.status), ("safe", 0), "{ran:?}");
}
