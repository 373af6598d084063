//! Executions of C programs as people read them: the finding first, then lines of the source with what they do, in the names of
//! the program.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use common::Folder;

/// Words of ours; all others are those of the program.
const OURS: &str = "returned more iteration iterations edges no initial value NULL inf nan e";

const FILTER: &str = "extern void abort(void);
extern int sense(void);
extern void reach_error(void);
struct meter { int cell[2]; unsigned char n; } m;
int *latest;
static int clamp(int v) { return v > 9 ? 9 : v; }
int main(void) {
  char c = 'a';
  double d = 0.5;
  for (int i = 0; i < 9; i++)
    m.n += 30;
  int x = sense();
  m.cell[1] = clamp(x);
  latest = &m.n ? &x : 0;
  if (m.cell[1] == 9 && c == 'a' && d == 0.5 && *latest > 20 && m.n == 14)
    reach_error();
  return 0;
}
";

/// The evidence of `unsafe`, without the verdict.
fn trace(folder: &Folder, file: &str, options: &[&str]) -> Option<String> {
    let ran = folder.run(&[&["verify", file, "--time", "30"], options].concat());
    (ran.last_line() == "unsafe").then(|| ran.stdout.trim_end_matches("unsafe\n").to_owned())
}

fn words(text: &str) -> BTreeSet<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let words = text.split(|c: char| !is_word(c)).filter(|word| !word.is_empty());
    words.filter(|word| !word.starts_with(|c: char| c.is_ascii_digit())).collect()
}

/// What holds for all traces: the first line is the finding, no line is wide, and all names are those of the source.
#[track_caller]
fn check(file: &str, source: &str, trace: &str) {
    let first = trace.lines().next().unwrap_or_default();
    assert!(first.starts_with(&format!("{file}:")), "{file}: {first}");
    let known = words(source);
    for line in trace.lines().skip(1) {
        assert!(line.chars().count() <= 100, "{file}: {line}");
        assert!(!line.contains("::") && !line.contains('#'), "{file}: {line}");
        let is_ours = |word: &&str| OURS.split(' ').any(|ours| ours == *word);
        let unknown: Vec<&str> = words(line)
            .into_iter()
            .filter(|word| !known.contains(word) && !is_ours(word))
            .collect();
        // What is cut off ends within a word.
        assert!(unknown.is_empty() || line.contains(['…', '\'']), "{file}: {unknown:?} in {line}");
    }
}

#[test]
fn the_finding_comes_first_and_lines_say_what_they_do() {
    let folder = Folder::new("trace");
    folder.write("t.c", FILTER);
    let trace = trace(&folder, "t.c", &[]).unwrap();
    check("t.c", FILTER, &trace);
    assert!(
        trace.starts_with("t.c:16:5: the assertion fails\n 16 | reach_error();\n\n"),
        "{trace}"
    );
    let line = |number: usize| {
        let prefix = format!("{number:>3} | ");
        let lines = trace.lines().skip(2).filter(|line| line.starts_with(&prefix));
        lines.collect::<Vec<_>>().join("\n")
    };
    assert!(line(8).ends_with("  c = 'a' (97)"), "{trace}");
    assert!(line(9).ends_with("  d = 0.5"), "{trace}");
    assert!(line(11).starts_with(" 11 | m.n += 30;"), "{trace}");
    assert!(line(11).contains("  m.n = 30\n"), "{trace}");
    assert!(line(11).ends_with("  m.n = 14"), "{trace}");
    assert!(trace.contains(" | … 5 more iterations\n"), "{trace}");
    assert!(line(12).contains("  x = "), "{trace}");
    assert!(line(13).contains("  clamp(v = "), "{trace}");
    assert!(line(13).ends_with("  m.cell[1] = 9"), "{trace}");
    assert!(line(6).contains(" |   static int clamp(int v)"), "{trace}");
    assert!(trace.contains("  clamp() returned 9\n"), "{trace}");
    assert!(line(14).ends_with("  latest = &x"), "{trace}");
}

#[test]
fn edges_are_shown_on_request() {
    let folder = Folder::new("trace_full");
    folder.write("t.c", FILTER);
    let trace = trace(&folder, "t.c", &["--trace", "full"]).unwrap();
    assert!(trace.starts_with("Execution of t.c that reaches `ERROR` in "), "{trace}");
}

/// The verdict `unknown` has an execution as well, where the program leaves the model.
#[test]
fn what_is_not_supported_is_the_finding_of_an_execution_that_leaves_the_model() {
    let folder = Folder::new("trace_outside");
    folder.write(
        "t.c",
        "extern void reach_error(void);\nint main(int n, char **v) {\n  int x = n != 0 ? 3 : 4;\n  if (x == 3)\n    __asm__(\"nop\" : \"=r\"(x));\n  if (x == 5) reach_error();\n  return 0;\n}\n",
    );
    let ran = folder.run(&["verify", "t.c", "--time", "30", "--check", "assertion"]);
    assert!(ran.last_line().starts_with("unknown: unsupported: "), "{ran:?}");
    assert!(ran.stdout.starts_with("t.c:5:5: not supported: "), "{ran:?}");
    assert!(ran.stdout.contains("\n 3 | int x = n != 0 ? 3 : 4;"), "{ran:?}");
}

#[test]
fn traces_of_examples_and_of_the_corpus_are_narrow_and_in_names_of_the_source() {
    let folder = Folder::new("traces");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let paths = |below: &str| -> Vec<PathBuf> {
        let entries = fs::read_dir(root.join(below)).unwrap();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths.retain(|path| {
            path.extension().is_some_and(|extension| extension == "c")
                && fs::read_to_string(path).unwrap().starts_with("// expect: unsafe")
        });
        paths
    };
    let mut n_traces = 0;
    for path in paths("../../examples").into_iter().chain(paths("tests/c").into_iter().step_by(4)) {
        let name = path.file_name().unwrap().to_str().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        folder.write(name, &text);
        if let Some(trace) = trace(&folder, name, &["--check", "assertion"]) {
            check(name, &text, &trace);
            n_traces += 1;
        }
    }
    assert!(n_traces >= 12, "{n_traces}");
}
