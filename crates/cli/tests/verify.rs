//! Runs to a verdict: all that is printed, and the exit status.

mod common;

use common::{FOR_EVER, Folder, REFINED, Ran};

#[test]
fn safe() {
    let folder = Folder::new("safe");
    folder.check(
        &[&["verify", "safe.cfa"], &REFINED[..]].concat(),
        0,
        "Proof: 2 abstract states at 2 of 3 locations; `--invariant` prints them.\n\nsafe\n",
        "",
    );
    folder.check(
        &[&["verify", "safe.cfa", "--invariant"], &REFINED[..]].concat(),
        0,
        "\
Proof: 2 abstract states at 2 of 3 locations. What holds there:

  START  true
  LOOP   x <= 5

safe
",
        "",
    );
    folder.check(&["verify", "safe.cfa", "--quiet"], 0, "safe\n", "");
}

#[test]
fn safe_without_a_proof_to_speak_of() {
    let folder = Folder::new("trivial");
    folder.write("none.cfa", "main process p { init loc A }");
    folder.check(
        &["verify", "none.cfa"],
        0,
        "Proof: the automaton has no error location.\n\nsafe\n",
        "",
    );
}

#[test]
fn an_execution_step_by_step() {
    Folder::new("unsafe").check(
        &["verify", "unsafe.cfa"],
        1,
        "\
Execution of unsafe.cfa that reaches `ERR` in 2 steps:

   start                                                            x = 0, b = false, v = 0 (0x00), r = 0, a = [else: 0]
1  START -> MIDDLE  10:5  x := -4; b := true; v := 200; r := -1/2;  x = -4, b = true, v = 200 (0xc8, signed -56), r = -1/2,
                          a := [else: 7]                            a = [else: 7]
2  MIDDLE -> ERR    17:5  assume b; x := x - 1; a := a[x := 9]      x = -5, a[-5] = 9

unsafe
",
        "",
    );
}

#[test]
fn a_long_execution_shows_every_step_and_values_when_they_change() {
    let folder = Folder::new("long");
    folder.write(
        "long.cfa",
        "main process long {
    var x : int
    var y : int
    init loc A  loc B  error loc E
    A -> B { x := 0  y := 3 }
    B -> B { assume x < 12  x := x + 1 }
    B -> E { assume x >= 12 and y = 3 }
}",
    );
    let ran = folder.run(&["verify", "long.cfa", "--domain", "explicit"]);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 2 + 1 + 14 + 2, "{}", ran.stdout);
    assert_eq!(lines[3], " 1  A -> B  5:5  x := 0; y := 3              y = 3");
    assert_eq!(lines[4], " 2  B -> B  6:5  assume x <= 11; x := x + 1  x = 1");
    assert_eq!(lines[15], "13  B -> B  6:5  assume x <= 11; x := x + 1  x = 12");
    assert_eq!(lines[16], "14  B -> E  7:5  assume x >= 12 and y = 3");
    assert_eq!((ran.last_line(), ran.status), ("unsafe", 1));
}

#[test]
fn stuck() {
    let folder = Folder::new("stuck");
    folder.write(
        "stuck.cfa",
        "main process stuck {
            var x : int  var y : int
            init loc A  loc B  error loc E
            A -> B { havoc x  y := x }
            B -> E { assume x /= y }
        }",
    );
    let words = ["verify", "stuck.cfa", "--domain", "explicit", "--max-enum", "1*"];
    let ran = folder.run(&[&words, &REFINED[..]].concat());
    assert!(ran.last_line().starts_with("unknown: no progress: "), "{ran:?}");
    assert!(ran.stdout.contains("This strategy is stuck"), "{ran:?}");
    assert_eq!(ran.status, 2);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::new("pipe");
    let mut child = folder.start(&["verify", "unsafe.cfa"]);
    drop(child.stdout.take());
    let ran = Ran::of(child.wait_with_output().expect("it ends"));
    assert_eq!((&ran.stderr[..], ran.status), ("", 1));
}

#[test]
fn drawings() {
    let folder = Folder::new("drawings");
    let words = ["verify", "diverging.cfa", "--arg", "arg.dot", "--cfa", "cfa.dot", "--time", "1"];
    let ran = folder.run(&[&words, &FOR_EVER[..]].concat());
    assert_eq!(ran.status, 2, "{ran:?}");
    let (arg, cfa) = (folder.read("arg.dot"), folder.read("cfa.dot"));
    assert!(arg.starts_with("digraph \"parity\" {") && arg.contains("LOOP"), "{arg}");
    assert!(cfa.starts_with("digraph \"parity\" {") && cfa.ends_with("}\n"), "{cfa}");
}

#[test]
fn statistics_come_before_the_verdict() {
    let ran = Folder::new("stats").run(&["verify", "safe.cfa", "--strategy", "plain", "--stats"]);
    let names: Vec<&str> =
        ran.stdout.lines().map(|line| line.split("  ").next().unwrap_or_default()).collect();
    let expected = [
        "Proof: 2 abstract states at 2 of 3 locations; `--invariant` prints them.",
        "",
        "file",
        "configuration",
        "solver",
        "automaton",
        "iterations",
        "refinements #R",
        "nodes",
        "explored #S",
        "precision size",
        "solver calls",
        "solver time",
        "CPU time",
        "wall time",
        "peak memory",
        "",
        "safe",
    ];
    assert_eq!(names, expected);
    assert!(
        ran.stdout.contains("automaton       3 locations, 3 edges, 1 variable\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn the_default_is_stages_in_turn() {
    let folder = Folder::new("stages");
    // No value decides whether x and y stay equal.
    folder.write(
        "equal.cfa",
        "main process p { var x : int var y : int init loc A loc L error loc E
         A -> L { havoc x y := x } L -> L { x := x + 1 y := y + 1 } L -> E { assume x /= y } }",
    );
    let stages = |without: &str| {
        let ran = folder.run(&["verify", "equal.cfa", "-v", "--without", without]);
        assert_eq!(ran.last_line(), "safe");
        let told = ran.stderr.lines().filter_map(|line| line.split_once("stage: "));
        told.map(|it| it.1.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(stages("invariants"), ["explicit, sbe", "bounded search with induction"]);
    let without = "invariants,induction";
    let expected = ["explicit, sbe", "bounded search", "concrete runs", "predicate, lbe"];
    assert_eq!(stages(without), expected);
    let ran = folder.run(&["verify", "equal.cfa", "--stats", "--without", without]);
    assert!(ran.stdout.contains("stage           4 (predicate, lbe)\n"), "{}", ran.stdout);
    // One configuration takes no turns.
    let ran = folder.run(&["verify", "equal.cfa", "-v", "--domain", "predicate"]);
    assert!(!ran.stderr.contains("stage: "), "{}", ran.stderr);
}

#[test]
fn verbose_tells_the_steps_of_the_loop() {
    let folder = Folder::new("verbose");
    let messages = |options: &str| {
        let words: Vec<&str> =
            ["verify", "safe.cfa"].into_iter().chain(REFINED).chain(options.split(' ')).collect();
        let ran = folder.run(&words);
        assert_eq!(ran.last_line(), "safe");
        let untimed = ran
            .stderr
            .lines()
            .map(|line| line.split_once("] ").unwrap_or(("", line)).1.to_string());
        untimed.collect::<Vec<_>>()
    };
    let expected = [
        "safe.cfa: 3 locations, 3 edges, 1 variable",
        "configuration: domain=predicate",
        "iteration 1: 4 nodes, a way to the error",
        "  2 steps: refuted by sequence, pruned from state 1 on",
        "    new at LOOP: (<= x 5)",
        "  2 steps, spurious: precision 0 -> 1, 1 node kept",
        "iteration 2: 3 nodes, no way to the error",
        "validating the evidence",
    ];
    let told = messages("-v");
    assert_eq!(told.len(), expected.len(), "{told:?}");
    assert!(told.iter().zip(expected).all(|(line, start)| line.starts_with(start)), "{told:?}");
    let chosen = messages("-v --select domain-best,shortest");
    let why = "    chosen among 1, 2 steps long: domain-best a loop counter, shortest 2";
    assert!(chosen.iter().any(|line| line == why), "{chosen:?}");
    let more = messages("-vv");
    assert!(
        more.iter().any(|line| line.contains("solver call")) && more.len() > told.len(),
        "{more:?}"
    );
}
