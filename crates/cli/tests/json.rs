//! The JSON report, and runs repeated from the line that it contains.

mod common;

use common::{FOR_EVER, Folder, REFINED};
use serde_json::{Value, json};

#[track_caller]
fn report(folder: &Folder, words: &[&str], status: i32) -> Value {
    let ran = folder.run(&[&["verify"], words, &["--json"]].concat());
    assert_eq!((&ran.stderr[..], ran.status), ("", status), "{words:?}");
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {}", ran.stdout))
}

/// The fields of every report, in their order.
const FIELDS: [&str; 30] = [
    "notes",
    "schema",
    "version",
    "z3",
    "file",
    "verdict",
    "reason",
    "reason_kind",
    "strategy",
    "stages",
    "configuration",
    "solver",
    "limits",
    "automaton",
    "cpu_seconds",
    "wall_seconds",
    "peak_memory_bytes",
    "arith",
    "iterations",
    "refinements",
    "nodes",
    "explored",
    "precision_size",
    "counterexamples",
    "eliminations",
    "solver_calls",
    "solver_seconds",
    "properties",
    "violated",
    "evidence",
];

#[test]
fn every_report_has_every_documented_field() {
    let folder = Folder::new("fields");
    let schema = include_str!("../../../docs/json.md");
    for (words, status) in [
        (&["safe.cfa"][..], 0),
        (&["unsafe.cfa"], 1),
        (&[&["diverging.cfa", "--time", "0.2"], &FOR_EVER[..]].concat(), 2),
    ] {
        let report = report(&folder, words, status);
        let fields = report.as_object().expect("an object");
        assert_eq!(fields.len(), FIELDS.len(), "{fields:?}");
        for name in FIELDS {
            assert!(fields.contains_key(name), "{name}");
            assert!(schema.contains(&format!("`{name}`")), "{name} is not documented");
        }
        assert_eq!(report["schema"], "lapidary-verify/1");
    }
}

#[test]
fn safe() {
    let report = report(
        &Folder::new("json-safe"),
        &[&["safe.cfa", "--interpolation", "wp"], &REFINED[..]].concat(),
        0,
    );
    assert_eq!(
        (&report["verdict"], &report["reason"], &report["file"]),
        (&json!("safe"), &Value::Null, &json!("safe.cfa"))
    );
    assert_eq!(report["automaton"], json!({"locations": 3, "edges": 3, "variables": 1}));
    assert_eq!(
        report["evidence"],
        json!({"kind": "proof", "states": 2, "induction": 0, "invariants": [
            {"location": "START", "states": 1, "formula": "true", "smtlib": "true"},
            {"location": "LOOP", "states": 1, "formula": "x <= 5", "smtlib": "(<= x 5)"},
        ]})
    );
    assert_eq!(
        (
            &report["iterations"],
            &report["refinements"],
            &report["nodes"],
            &report["precision_size"]
        ),
        (&json!(2), &json!(1), &json!(3), &json!(1))
    );
    assert!(report["cpu_seconds"].as_f64().is_some_and(|seconds| seconds > 0.0));
}

#[test]
fn very_long_executions_are_shown_in_part() {
    let folder = Folder::new("json-very-long");
    folder.write(
        "long.cfa",
        "main process long {
            var x : int
            init loc A  loc B  error loc E
            A -> B { x := 0 }
            B -> B { assume x < 20000  x := x + 1 }
            B -> E { assume x >= 20000 }
        }",
    );
    let evidence = &report(&folder, &["long.cfa"], 1)["evidence"];
    let steps = evidence["steps"].as_array().unwrap();
    assert_eq!((&evidence["length"], steps.len()), (&json!(20_002), 1_050));
    assert_eq!((&steps[999]["number"], &steps[1_000]["number"]), (&json!(1_000), &json!(19_953)));
    assert_eq!(steps[1_049]["number"], 20_002);
    assert_eq!(steps[1_048]["changes"], json!({"x": "20000"}));
    let text = folder.run(&["verify", "long.cfa"]).stdout;
    assert!(text.contains("\n    …  18952 steps\n"), "{text}");
}

#[test]
fn executions_have_typed_values() {
    let report = report(&Folder::new("json-unsafe"), &["unsafe.cfa"], 1);
    let evidence = &report["evidence"];
    assert_eq!(evidence["kind"], "execution");
    assert_eq!(evidence["variables"][4], json!({"name": "a", "sort": "[int] -> int"}));
    assert_eq!(
        evidence["initial"],
        json!({"x": "0", "b": false, "v": "0", "r": "0", "a": {"entries": [], "default": "0"}})
    );
    assert_eq!(evidence["length"], 2);
    assert_eq!(
        evidence["steps"],
        json!([
            {
                "number": 1, "source": "START", "target": "MIDDLE", "line": 10, "column": 5,
                "statement": "x := -4; b := true; v := 200; r := -1/2; a := [else: 7]",
                "changes": {"x": "-4", "b": true, "v": "200", "r": "-1/2", "a": {"entries": [], "default": "7"}},
            },
            {
                "number": 2, "source": "MIDDLE", "target": "ERR", "line": 17, "column": 5,
                "statement": "assume b; x := x - 1; a := a[x := 9]",
                "changes": {"x": "-5", "a": {"entries": [["-5", "9"]], "default": "7"}},
            },
        ])
    );
}

#[test]
fn unknown_has_a_reason() {
    let report = report(
        &Folder::new("json-unknown"),
        &[&["diverging.cfa", "--time", "0.2"], &FOR_EVER[..]].concat(),
        2,
    );
    assert_eq!(
        (&report["verdict"], &report["reason"], &report["reason_kind"]),
        (&json!("unknown"), &json!("time limit reached"), &json!("time"))
    );
    assert_eq!(
        report["limits"],
        json!({"cpu_seconds": 0.2, "wall_seconds": null, "memory_bytes": null})
    );
    assert_eq!(report["evidence"], Value::Null);
}

/// The line in a report is all that is needed to repeat the run.
#[test]
fn the_configuration_line_reproduces_the_run() {
    let folder = Folder::new("line");
    for options in [
        &["--strategy", "plain"][..],
        &["--domain", "EXPL", "--search", "ERR"],
        &["--checker", "BW_BIN_ITP", "--prune", "full", "--precision", "local"],
    ] {
        let first = report(&folder, &[&["safe.cfa"], options].concat(), 0);
        let line = first["configuration"]["line"].as_str().expect("a line");
        let again = report(&folder, &["safe.cfa", "--config", line], 0);
        for name in
            FIELDS.iter().filter(|name| !name.ends_with("seconds") && **name != "peak_memory_bytes")
        {
            assert_eq!(first[name], again[name], "{options:?}: {name}");
        }
        let axes = first["configuration"]["axes"].as_object().expect("an object");
        let words: Vec<String> = axes
            .iter()
            .map(|(axis, value)| format!("{axis}={}", value.as_str().unwrap_or("")))
            .collect();
        assert!(
            words.iter().all(|word| line.split(' ').any(|other| other == word)),
            "{line}: {words:?}"
        );
    }
}
