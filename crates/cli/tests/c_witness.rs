//! Witnesses for C programs, read back: their form, hash, positions and expressions.

mod common;

use common::Folder;
use saphyr::{LoadableYamlNode, Yaml};

const PROGRAM: &str = "extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
struct pair { int a; int b; } p;
int main(void) {
  int x = 0, n = __VERIFIER_nondet_int();
  unsigned char c = __VERIFIER_nondet_uchar();
  while (x < 5) {
    int inner = x;
    x = inner + 1;
    p.a = x;
  }
  if (x != 5) reach_error();
  if (n == -7 && c == 200) reach_error();
  return 0;
}
";

/// Runs with a witness and reads it.
fn witness(folder: &Folder, text: &str, words: &[&str]) -> String {
    folder.write("p.c", text);
    let ran = folder.run(&[&["verify", "p.c", "-q", "--witness", "w.yml"], words].concat());
    assert!(ran.stderr.is_empty(), "{ran:?}");
    folder.read("w.yml")
}

fn entry(text: &str) -> Yaml<'_> {
    let mut documents = Yaml::load_from_str(text).expect("this is YAML");
    assert_eq!(documents.len(), 1);
    let mut document = documents.remove(0);
    let entries = document.as_sequence_mut().expect("a list of entries");
    assert_eq!(entries.len(), 1);
    entries.remove(0)
}

fn text<'y>(node: &'y Yaml<'_>, path: &[&str]) -> &'y str {
    let found = path.iter().fold(node, |node, key| &node[*key]);
    found.as_str().unwrap_or_else(|| panic!("no text at {path:?} in {node:?}"))
}

/// File, line and column of a location.
fn place(node: &Yaml<'_>) -> (String, usize, usize, String) {
    let number = |key: &str| node[key].as_integer().and_then(|number| usize::try_from(number).ok());
    let number = |key: &str| number(key).expect("a number");
    let (file, function) = (text(node, &["file_name"]), text(node, &["function"]));
    (file.into(), number("line"), number("column"), function.into())
}

fn check_metadata(entry: &Yaml<'_>, model: &str) {
    let metadata = &entry["metadata"];
    assert_eq!(text(metadata, &["format_version"]), "2.0");
    assert_eq!(text(metadata, &["producer", "name"]), "Lapidary");
    let task = &metadata["task"];
    assert_eq!(text(task, &["data_model"]), model);
    assert_eq!(text(task, &["language"]), "C");
    let specification = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
    assert_eq!(text(task, &["specification"]), specification);
    assert_eq!(task["input_files"][0].as_str(), Some("p.c"));
    let uuid = text(metadata, &["uuid"]);
    assert!(uuid.len() == 36 && uuid.split('-').count() == 5, "{uuid}");
    let time = text(metadata, &["creation_time"]);
    assert!(time.len() == 20 && time.ends_with('Z'), "{time}");
}

#[test]
fn violations_tell_values_and_the_target() {
    let folder = Folder::new("violation");
    for arith in ["bv", "int"] {
        let written = witness(&folder, PROGRAM, &["--arith", arith]);
        let entry = entry(&written);
        assert_eq!(text(&entry, &["entry_type"]), "violation_sequence");
        check_metadata(&entry, "ILP32");
        // Computed with `sha256sum`.
        let hash = "b86062e6b0bcb0fc02f52c25b01f8142e933dfacb1c0499622d7b0295f6ce18c";
        assert_eq!(text(&entry, &["metadata", "task", "input_file_hashes", "p.c"]), hash);
        let segments = entry["content"].as_sequence().expect("segments");
        let points: Vec<&Yaml> =
            segments.iter().map(|item| &item["segment"][0]["waypoint"]).collect();
        let [n, c, target] = points[..] else { panic!("{written}") };
        assert!(points.iter().all(|point| text(point, &["action"]) == "follow"));
        for (point, line, call, value) in [
            (n, 6, "__VERIFIER_nondet_int()", "\\result == -7"),
            (c, 7, "__VERIFIER_nondet_uchar()", "\\result == 200"),
        ] {
            assert_eq!(text(point, &["type"]), "function_return");
            assert_eq!(text(point, &["constraint", "value"]), value);
            assert_eq!(text(point, &["constraint", "format"]), "acsl_expression");
            let source = PROGRAM.lines().nth(line - 1).expect("a line");
            let column = source.find(call).expect("the call is there") + call.len();
            assert_eq!(place(&point["location"]), ("p.c".into(), line, column, "main".into()));
        }
        assert_eq!(text(target, &["type"]), "target");
        assert_eq!(place(&target["location"]), ("p.c".into(), 14, 28, "main".into()));
        assert!(target.as_mapping_get("constraint").is_none(), "{written}");
    }
}

/// The same run writes the same witness, at the same time.
#[test]
fn witnesses_are_deterministic() {
    let folder = Folder::new("witnesses");
    let without_time = |text: String| {
        text.lines().filter(|line| !line.contains("creation_time")).collect::<Vec<_>>().join("\n")
    };
    let [a, b] = [0, 1].map(|_| without_time(witness(&folder, PROGRAM, &[])));
    assert_eq!(a, b);
}

#[test]
fn invariants_are_expressions_at_loops() {
    let folder = Folder::new("invariants");
    let safe = PROGRAM.replace("n == -7 &&", "n == -7 && p.a < 0 &&");
    for arith in ["bv", "int"] {
        let words = ["--arith", arith, "--bits", "64", "--domain", "explicit", "--passes", "none"];
        let written = witness(&folder, &safe, &words);
        let entry = entry(&written);
        assert_eq!(text(&entry, &["entry_type"]), "invariant_set");
        check_metadata(&entry, "LP64");
        let invariants = entry["content"].as_sequence().expect("invariants");
        let [invariant] = &invariants[..] else { panic!("{written}") };
        let invariant = &invariant["invariant"];
        assert_eq!(text(invariant, &["type"]), "loop_invariant");
        assert_eq!(text(invariant, &["format"]), "c_expression");
        assert_eq!(place(&invariant["location"]), ("p.c".into(), 8, 3, "main".into()));
        let value = text(invariant, &["value"]);
        assert!(value.contains("(x == 3)") && !value.contains("inner"), "{value}");
    }
    // Automata have no witnesses.
    let ran = folder.run(&["verify", "safe.cfa", "--witness", "w.yml"]);
    assert_eq!(ran.status, 64, "{ran:?}");
}

/// The argument is computed on an edge of `clamp16`, and the second call is in a function that is inlined.
#[test]
fn waypoints_name_the_function_that_has_the_place() {
    let folder = Folder::new("enclosing");
    let program = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int clamp16(int x);
static int input(void) { return __VERIFIER_nondet_int(); }
static int read_inputs(void) {
  return clamp16(__VERIFIER_nondet_int()) + clamp16(input());
}
static void check(int sum) { if (sum == 300) reach_error(); }
static int clamp16(int x) { return x > 100 ? 100 : x < 0 ? 0 : x; }
int main(void) {
  for (int i = 0; i < 2; i++) check(read_inputs() + 100 * i);
  return 0;
}
";
    let written = witness(&folder, program, &[]);
    let entry = entry(&written);
    let segments = entry["content"].as_sequence().expect("segments");
    let mut n_named = std::collections::BTreeMap::new();
    for segment in segments {
        let point = &segment["segment"][0]["waypoint"];
        let (_, line, _, function) = place(&point["location"]);
        let expected = match line {
            4 => "input",
            6 => "read_inputs",
            8 => "check",
            _ => panic!("{written}"),
        };
        assert_eq!(function, expected, "line {line}: {written}");
        *n_named.entry(function).or_insert(0) += 1;
    }
    assert_eq!(n_named.into_values().collect::<Vec<_>>(), [1, 2, 2], "{written}");
}

/// The configuration is that of the stage that decided, with which the run can be repeated.
#[test]
fn the_configuration_is_that_of_the_stage_that_decided() {
    let folder = Folder::new("deciding_stage");
    let configuration = |program: &str, words: &[&str]| {
        let written = witness(&folder, program, words);
        let of_witness =
            text(&entry(&written), &["metadata", "producer", "configuration"]).to_string();
        let ran = folder.run(&[&["verify", "p.c", "--json"], words].concat());
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("this is JSON");
        (of_witness, report)
    };
    // Too many values to enumerate: without the others, runs decide, and they have no axes.
    let only_runs = ["explicit", "values", "lbe", "horn", "bounded", "sbe"];
    let words: Vec<&str> = only_runs.iter().flat_map(|part| ["--without", *part]).collect();
    let unsafe_for_some = PROGRAM.replace("n == -7 && c == 200", "x == 5");
    let (of_witness, report) = configuration(&unsafe_for_some, &words);
    assert_eq!(of_witness, "strategy=runs");
    assert_eq!(report["verdict"], "unsafe");
    let expected = serde_json::json!({ "line": "strategy=runs", "axes": {} });
    assert_eq!(report["configuration"], expected);
    let words: Vec<&str> = ["explicit", "values", "runs", "horn", "bounded", "sbe"]
        .iter()
        .flat_map(|part| ["--without", *part])
        .collect();
    let (of_witness, report) = configuration(PROGRAM, &words);
    assert_eq!(report["configuration"]["line"], of_witness.as_str());
    assert!(of_witness.contains("domain=predicate") && of_witness.contains("encoding=lbe"));
    let words: Vec<&str> = ["explicit", "values", "runs", "lbe", "horn", "sbe"]
        .iter()
        .flat_map(|part| ["--without", *part])
        .collect();
    let (of_witness, report) = configuration(PROGRAM, &words);
    let line = report["configuration"]["line"].as_str().expect("a line");
    assert!(of_witness == line && line.starts_with("strategy=bounded"), "{line}");
    // One configuration is the one that was asked for.
    let (of_witness, report) = configuration(PROGRAM, &["--domain", "explicit"]);
    assert_eq!(report["configuration"]["line"], of_witness.as_str());
    assert!(of_witness.contains("domain=explicit"));
}
