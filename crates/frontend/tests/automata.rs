//! Automata of the CFA language: text in, a listing of the automaton out.

use std::fmt::Write;

use lapidary_frontend::{Task, load};
use lapidary_model::Cfa;

/// Variables, locations and edges with their positions, one in a line.
fn listing(cfa: &Cfa) -> String {
    let mut text = format!("{}\n", cfa.name());
    for var in cfa.vars() {
        let _ = writeln!(text, "var {var} {}", var.sort());
    }
    for loc in cfa.locs() {
        let role = match loc {
            loc if loc == cfa.entry() => "init ",
            loc if Some(loc) == cfa.error() => "error ",
            _ => "",
        };
        let _ = writeln!(text, "{role}loc {}", cfa.loc_name(loc));
    }
    for (_, edge) in cfa.edges() {
        let (source, target) = (cfa.loc_name(edge.source), cfa.loc_name(edge.target));
        let position = edge.position.map_or_else(String::new, |position| position.to_string());
        let _ = writeln!(text, "{position} {source} -> {target}: {}", edge.stmt);
    }
    text
}

fn read(text: &str) -> Task {
    load("test.cfa", text).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(listing(read(text).cfa()).lines().collect::<Vec<_>>(), expected, "{text}");
}

#[test]
fn an_edge_with_several_statements_stays_one_edge() {
    check(
        "main process p {
            var x : int
            init loc A  loc B  final loc C  error loc E
            A -> B { x := 0 havoc x assume x > 0 }
            B -> C { }
            B -> E
            C->A{assume true}
        }",
        &[
            "p",
            "var x Int",
            "init loc A",
            "loc B",
            "loc C",
            "error loc E",
            "4:13 A -> B: x := 0; havoc x; [(<= 1 x)]",
            "5:13 B -> C: skip",
            "6:13 B -> E: skip",
            "7:13 C -> A: [true]",
        ],
    );
}

#[test]
fn the_initial_location_comes_first_and_names_may_be_used_before_they_are_declared() {
    check(
        "main process p { A -> B { x := g } loc A var x : bv[2] init loc B } var g : bv[2]",
        &[
            "p",
            "var g (_ BitVec 2)",
            "var x (_ BitVec 2)",
            "init loc B",
            "loc A",
            "1:18 A -> B: x := g",
        ],
    );
}

#[test]
fn other_processes_are_checked_and_left_out() {
    check(
        "process q(k : int, l : bool) { init loc A error loc B A -> B { assume l and k = 0 } }
         main process p { init loc A }
         process r() { var x : rat init loc A A -> A { x := 1 } }",
        &["p", "init loc A"],
    );
}

#[test]
fn parameters_of_the_main_process_are_variables() {
    check(
        "main process p(k : int) { init loc A A -> A { assume k = 0 } }",
        &["p", "var k Int", "init loc A", "1:38 A -> A: [(= k 0)]"],
    );
}

#[test]
fn a_variable_of_the_process_hides_a_global_one() {
    check(
        "var x : int var y : int main process p { var x : bool init loc A A -> A { assume x } }",
        &["p", "var y Int", "var x Bool", "init loc A", "1:66 A -> A: [x]"],
    );
    check(
        "var x : int main process p { var x : int init loc A A -> A { x := 1 } }",
        &["p", "var x Int", "init loc A", "1:53 A -> A: x := 1"],
    );
}

#[test]
fn locations_and_variables_have_names_of_their_own() {
    check(
        "main process x { var x : int init loc x x -> x { x := 1 } }",
        &["x", "var x Int", "init loc x", "1:41 x -> x: x := 1"],
    );
}

#[test]
fn types() {
    check(
        "main process p {
            var a : bool var b : int var c : rat var d : bv[1]
            var e : [int] -> bool var f : [bv[2]]->[int]->rat
            init loc A }",
        &[
            "p",
            "var a Bool",
            "var b Int",
            "var c Real",
            "var d (_ BitVec 1)",
            "var e (Array Int Bool)",
            "var f (Array (_ BitVec 2) (Array Int Real))",
            "init loc A",
        ],
    );
}

#[test]
fn blanks_and_comments() {
    check(
        "\u{feff}/* a // */main/**/process p{// { \r\n\tinit\u{c}loc A/* \u{fc} */A->A{}}//",
        &["p", "init loc A", "2:19 A -> A: skip"],
    );
}

#[test]
fn the_task_keeps_its_source() {
    let task = read("main process p { init loc A }");
    assert_eq!((task.source.name(), task.source.text().len()), ("test.cfa", 29));
}

#[test]
fn the_extension_chooses_the_language() {
    let text = "main process p { init loc A }";
    for name in ["a.cfa", "dir/b.c.theta", "dir\\c.cfa"] {
        assert!(load(name, text).is_ok(), "{name}");
    }
    let rendered =
        |name| load(name, text).map_or_else(|error| error.to_string(), |_| String::new());
    assert_eq!(
        rendered("dir.cfa/a.rs"),
        "error: files with the extension `.rs` are unknown
 --> dir.cfa/a.rs
  = help: Lapidary reads `.c` and `.i` (C programs), `.yml` (SV-COMP task definitions), `.cfa` and `.theta` (control flow automata), `.system` and `.sts` (transition systems), `.aag` and `.aig` (AIGER), `.btor` and `.btor2` (BTOR2)"
    );
    assert_eq!(
        rendered("dir.cfa/a"),
        "error: the file's name has no extension
 --> dir.cfa/a
  = help: Lapidary reads `.c` and `.i` (C programs), `.yml` (SV-COMP task definitions), `.cfa` and `.theta` (control flow automata), `.system` and `.sts` (transition systems), `.aag` and `.aig` (AIGER), `.btor` and `.btor2` (BTOR2)"
    );
}
