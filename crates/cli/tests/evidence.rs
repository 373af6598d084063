//! Evidence that is written by one run and checked by another.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Folder, Ran};

const COUNTERS: &str = "specification S { system s = { var x : int var y : int
    initial x = 0 initial y = 0
    transition x' = (if x < 5 then x + 1 else 0) transition y' = (if y < 7 then y + 2 else 0) }
    property p : s models G(x /= 6)
    property q : s models G(y /= 9) }";

const DOUBTFUL: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a[3];
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i == 5) a[i] = 1;
  if (i == 7) reach_error();
  return 0;
}
";

fn check(folder: &Folder, file: &str, options: &[&str]) -> Ran {
    folder.run(&[&["check", "e", file], options].concat())
}

/// Verifies with these options, and checks the evidence if there is a verdict; the verdict.
#[track_caller]
fn round_trip(folder: &Folder, file: &str, reading: &[&str], options: &[&str]) -> String {
    let _ = fs::remove_file(folder.path().join("e"));
    let verify = ["verify", file, "-q", "--evidence", "e"];
    let ran = folder.run(&[&verify, reading, options].concat());
    let verdict = ran.last_line().to_owned();
    if verdict == "safe" || verdict == "unsafe" {
        let status = ran.status;
        let ran = check(folder, file, reading);
        assert_eq!(ran.last_line(), format!("confirmed: {verdict}"), "{file} {options:?}: {ran:?}");
        assert_eq!((ran.status, &ran.stderr[..]), (status, ""), "{file}: {ran:?}");
    }
    verdict
}

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn all_automata_systems_and_circuits() {
    let folder = Folder::new("evidence_automata");
    let mut n_decided = 0;
    let all = [files("../cegar/tests/corpus"), files("../../examples")].concat();
    for path in all.iter().filter(|path| path.extension().is_none_or(|e| e != "smt2")) {
        let file = path.to_string_lossy();
        for options in [&["--time", "30"][..], &["--domain", "explicit", "--time", "1"]] {
            let verdict = round_trip(&folder, &file, &[], options);
            assert!(
                verdict.starts_with("unknown") || verdict.ends_with("safe"),
                "{file}: {verdict}"
            );
            n_decided += usize::from(verdict.ends_with("safe"));
        }
    }
    assert!(n_decided > all.len(), "{n_decided}");
}

#[test]
fn all_programs() {
    let folder = Folder::new("evidence_programs");
    let mut n_decided = 0;
    for path in files("tests/c") {
        let file = path.to_string_lossy();
        let text = fs::read_to_string(&path).unwrap();
        let second = text.lines().nth(1).unwrap_or_default();
        let bits = second.strip_prefix("// bits: ").unwrap_or("32");
        let verdict =
            round_trip(&folder, &file, &["--bits", bits], &["--domain", "product", "--time", "10"]);
        n_decided += usize::from(verdict.ends_with("safe"));
    }
    assert!(n_decided > 150, "{n_decided}");
}

/// The kinds of proofs and executions: by induction, by Horn clauses, by bounded search, from concrete runs.
#[test]
fn evidence_of_every_method() {
    let folder = Folder::new("evidence_methods");
    folder.write("toggle.aag", include_str!("../../../examples/toggle.aag"));
    folder.write("count.btor2", include_str!("../../../examples/count.btor2"));
    folder.write("lock.cfa", include_str!("../../../examples/lock.cfa"));
    folder.write("charger_bug.c", include_str!("../../../examples/charger_bug.c"));
    for (line, file, verdict) in [
        ("strategy=runs", "charger_bug.c", "unsafe"),
        ("strategy=bounded", "unsafe.cfa", "unsafe"),
        ("strategy=horn", "lock.cfa", "safe"),
        ("strategy=induction", "toggle.aag", "safe"),
        ("strategy=induction", "count.btor2", "unsafe"),
        ("domain=predicate precision=local", "safe.cfa", "safe"),
        ("domain=explicit passes=none", "safe.cfa", "safe"),
    ] {
        assert_eq!(round_trip(&folder, file, &[], &["--config", line]), verdict, "{line}");
    }
    // From 3 on, x comes to 7 in four steps.
    folder.write(
        "steps.system",
        "specification S { system s = { var x : int
            initial x = 0
            transition x' = (if x = 2 then 0 else x + 1) }
            property p : s models G(x /= 7) }",
    );
    let options = ["--config", "strategy=induction passes=none"];
    assert_eq!(round_trip(&folder, "steps.system", &[], &options), "safe");
    let text = folder.read("e");
    assert!(text.contains("proof induction 5\n"), "{text}");
    folder.write("e", text.replace("induction 5", "induction 4"));
    let ran = check(&folder, "steps.system", &[]);
    let problem = "the proof is not valid: induction over 4 steps: an error can follow";
    assert_eq!((ran.status, ran.stdout), (2, format!("not confirmed: {problem}\n")));
}

#[test]
fn every_property_has_its_part() {
    let folder = Folder::new("evidence_properties");
    folder.write("c.system", COUNTERS);
    assert_eq!(round_trip(&folder, "c.system", &[], &[]), "safe");
    let ran = check(&folder, "c.system", &[]);
    assert_eq!(ran.stdout, "p: confirmed: safe\nq: confirmed: safe\nconfirmed: safe\n");
    assert_eq!(check(&folder, "c.system", &["--property", "q"]).stdout, "confirmed: safe\n");
    // A proof of one property is none of all.
    assert_eq!(round_trip(&folder, "c.system", &["--property", "q"], &[]), "safe");
    let ran = check(&folder, "c.system", &[]);
    assert_eq!((ran.last_line(), ran.status), ("not confirmed: p: there is no evidence", 2));
    // One violated property is enough, also if nothing is known about others.
    folder.write("c.system", COUNTERS.replace("x /= 6", "x /= 4"));
    assert_eq!(round_trip(&folder, "c.system", &[], &[]), "unsafe");
    let text = folder.read("e");
    let first = text.split("lapidary-evidence 1").nth(1).unwrap();
    folder.write("e", format!("lapidary-evidence 1{first}"));
    let ran = check(&folder, "c.system", &[]);
    assert_eq!((ran.last_line(), ran.status), ("confirmed: unsafe", 1), "{ran:?}");
    // Assertions of C programs are properties, too.
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/charger_bug.c");
    let file = file.to_string_lossy();
    assert_eq!(round_trip(&folder, &file, &[], &["--each-assertion"]), "unsafe");
    let ran = check(&folder, &file, &[]);
    assert!(ran.stdout.starts_with("85:9: confirmed: unsafe\n86:9: confirmed: safe\n"), "{ran:?}");
}

/// Wrong evidence is not confirmed, and text that is none is not read.
#[test]
fn changed_evidence_is_rejected() {
    let folder = Folder::new("evidence_changed");
    let options = ["--config", "domain=predicate passes=none"];
    assert_eq!(round_trip(&folder, "safe.cfa", &[], &options), "safe");
    let text = folder.read("e");
    let state = text.lines().find(|line| line.contains(" at LOOP ")).expect("a state at LOOP");
    let (head, _) = state.split_once(" holds ").expect("a formula");
    let refused = |change: &dyn Fn(&str) -> String, status: i32, message: &str| {
        folder.write("e", change(&text));
        let ran = check(&folder, "safe.cfa", &[]);
        assert_eq!(ran.status, status, "{message}: {ran:?}");
        let said = if status == 2 { &ran.stdout } else { &ran.stderr };
        assert!(said.contains(message), "{message}: {ran:?}");
    };
    for formula in ["true", "(<= x 3)", "(<= x 6)"] {
        let wrong = |text: &str| text.replace(state, &format!("{head} holds {formula}"));
        refused(&wrong, 2, "not confirmed: the proof is not valid: ");
    }
    refused(
        &|text| text.replace(state, &format!("{head} holds (<= y 3)")),
        65,
        "`y` is not declared",
    );
    refused(&|text| text.replace(" at LOOP ", " at LOST "), 65, "error: `e`, line ");
    refused(&|text| text.replace("variables 1", "variables 2"), 65, "that of the input has 1");
    refused(&|text| text.replace("evidence 1", "evidence 9"), 65, "version 1 is supported");
    refused(&|text| format!("{text}property p\n"), 65, "`state` is expected, found `property`");
    refused(&|text| text.replace("\nautomaton", "\nproperty p\nautomaton"), 65, "no property `p`");
    refused(
        &|_| "{}\n".into(),
        65,
        "line 1, column 1: `lapidary-evidence` is expected, found `{}`",
    );
    refused(&|_| "# nothing\n".into(), 2, "not confirmed: there is no evidence");
    assert_eq!(round_trip(&folder, "unsafe.cfa", &[], &[]), "unsafe");
    let text = folder.read("e");
    folder.write("e", text.replace("  step MIDDLE -> ERR\n", ""));
    let ran = check(&folder, "unsafe.cfa", &[]);
    let expected =
        "not confirmed: the execution is not valid: it ends at `MIDDLE`, not at the error\n";
    assert_eq!((ran.status, &ran.stdout[..]), (2, expected));
    // Evidence about another input.
    folder.write("e", text);
    assert_eq!(check(&folder, "safe.cfa", &[]).status, 65);
    assert_eq!(folder.run(&["check", "missing", "safe.cfa"]).status, 65);
    assert_eq!(folder.run(&["check", "e"]).status, 64);
}

/// An execution that leaves the model is an execution of the automaton, and says nothing about the program.
#[test]
fn executions_stay_inside_the_model() {
    let folder = Folder::new("evidence_inside");
    folder.write("p.c", DOUBTFUL);
    assert_eq!(round_trip(&folder, "p.c", &[], &[]), "unsafe");
    let text = folder.read("e");
    assert!(text.contains("step "), "{text}");
    // Other options make another automaton.
    let ran = check(&folder, "p.c", &["--arith", "bv"]);
    let other = check(&folder, "p.c", &["--arith", "int"]);
    assert!([&ran, &other].iter().any(|ran| ran.last_line() == "confirmed: unsafe"), "{ran:?}");
    assert!([&ran, &other].iter().any(|ran| ran.status == 65), "{ran:?} {other:?}");
}

#[test]
fn without_a_verdict_nothing_is_written() {
    let folder = Folder::new("evidence_unknown");
    let words = ["verify", "-q", "diverging.cfa", "--evidence", "e", "--wall", "0.2"];
    let words = [&words, &common::FOR_EVER[..]].concat();
    assert_eq!(folder.run(&words).status, 2);
    assert!(!folder.path().join("e").exists());
    folder.write("e", "old");
    let ran = folder.run(&words);
    assert!(ran.stderr.contains("`e` is left as it was"), "{ran:?}");
    assert_eq!(folder.read("e"), "old");
    let ran = folder.run(&["verify", "-q", "safe.cfa", "--evidence", "-"]);
    assert!(ran.stdout.starts_with("lapidary-evidence 1\nautomaton locations 3 "), "{ran:?}");
    assert!(ran.stdout.ends_with("safe\n"), "{ran:?}");
}
