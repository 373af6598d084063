//! `lapidary interpolate`: answers in the names of the script, models, errors with their places.

mod common;

use std::path::Path;

use common::Folder;
use lapidary_solver::interpolate::Engine;

const COUNT: &str = "(declare-const x_0 Int)\n(declare-const x_1 Int)\n(assert (= x_0 0))\n(assert (= x_1 (+ x_0 1)))\n(assert (> x_1 5))\n";

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    std::fs::read_to_string(path).expect("the example is there")
}

/// Runs on a script; the answer must be this.
#[track_caller]
fn check(test: &str, script: &str, options: &[&str], status: i32, stdout: &str) {
    let folder = Folder::new(&format!("interpolate_{test}"));
    folder.write("x.smt2", script);
    let words: Vec<&str> =
        ["interpolate", "x.smt2"].into_iter().chain(options.iter().copied()).collect();
    let ran = folder.run(&words);
    assert_eq!((&ran.stdout[..], ran.status), (stdout, status), "{script}: {}", ran.stderr);
}

/// The script is refused at this line and column.
#[track_caller]
fn refused(script: &str, place: &str, message: &str) {
    let folder = Folder::new("interpolate_refused");
    folder.write("x.smt2", script);
    let ran = folder.run(&["interpolate", "x.smt2"]);
    assert_eq!((&ran.stdout[..], ran.status), ("", 65), "{script}: {ran:?}");
    let expected = format!("error: {message}");
    assert!(ran.stderr.starts_with(&expected), "{script}: {}", ran.stderr);
    assert!(ran.stderr.contains(&format!("x.smt2:{place}\n")), "{script}: {}", ran.stderr);
}

#[test]
fn interpolants_are_in_the_names_of_the_script() {
    check(
        "names",
        COUNT,
        &["--engine", "wp", "--check"],
        0,
        "unsat\n(interpolants (<= x_0 4) (<= x_1 5))\n",
    );
    // Names that would be the same variable at the same version, and one that needs bars.
    let script = "(declare-const x_1 Int)(declare-const x@1 Int)(declare-const x!1 Int)(declare-const |a b| Int)
        (assert (= x_1 0 x@1))(assert (and (= x!1 (+ x@1 x_1)) (= |a b| x!1)))(assert (< |a b| 0))";
    check(
        "alike",
        script,
        &["--engine", "sp", "--check"],
        0,
        "unsat\n(interpolants (and (= x_1 0) (= x@1 0)) (= |a b| 0))\n",
    );
}

#[test]
fn every_engine_answers_the_examples() {
    for name in ["counter.smt2", "swap.smt2"] {
        for engine in Engine::NAMES {
            let folder = Folder::new(&format!("interpolate_examples_{engine}"));
            folder.write("x.smt2", example(name));
            let words =
                ["interpolate", "x.smt2", "--engine", engine, "--check", "--stats", "--time", "20"];
            let ran = folder.run(&words);
            if *engine == "auto" || name == "counter.smt2" && *engine != "congruence" {
                assert_eq!(ran.status, 0, "{engine} on {name}: {ran:?}");
            }
            assert!(ran.stdout.starts_with("unsat\n("), "{engine} on {name}: {ran:?}");
            assert!(ran.stderr.contains("CPU time: "), "{engine} on {name}: {ran:?}");
        }
    }
}

#[test]
fn models_are_definitions() {
    let script = "(declare-fun x () Int)(declare-const r Real)(declare-const v (_ BitVec 4))
        (declare-const b Bool)(declare-fun f (Int) Int)
        (assert (and (= x (- 3)) (= r (/ 1 2))))(assert (! (and b (= v #xa) (= (f x) 7)) :named A))(check-sat)";
    let model = "sat\n(\n  (define-fun x () Int (- 3))\n  (define-fun r () Real (/ 1 2))\n  (define-fun v () (_ BitVec 4) #xa)\n  (define-fun b () Bool true)\n  (define-fun f ((x!0 Int)) Int 7)\n)\n";
    check("model", script, &["--check"], 0, model);
}

#[test]
fn groups_and_macros() {
    let script = "(set-logic QF_LIA)(set-option :produce-interpolants true)(set-info :status unsat)
        (declare-const x Int)(declare-const y Int)
        (define-fun limit () Int 3)(define-fun below ((a Int) (b Int)) Bool (let ((x a)) (< x b)))
        (assert (! (below y x) :named B))(assert (! (below x limit) :named A))(assert (! (> y 5) :named C))
        (check-sat)(get-interpolants A (and B C))(exit)(this is not read)";
    check("groups", script, &["--engine", "wp", "--check"], 0, "unsat\n(interpolants (<= x 6))\n");
    check("one", "(assert false)", &["--check"], 0, "unsat\n(interpolants)\n");
}

#[test]
fn wrong_scripts_are_refused_where_they_are_wrong() {
    refused("(declare-const x Int)\n(assert (< x yy))", "2:14", "`yy` is not declared");
    refused("(declare-const x Int)\n(assert (and true (< x true)))", "2:19", "`<` cannot");
    refused("(declare-const x Int)\n(assert x)", "2:9", "this is of sort Int, not Bool");
    refused("(declare-const x Int)\n  (declare-const x Int)", "2:18", "`x` is declared twice");
    refused("(declare-const x Foo)", "1:18", "`Foo` is no sort");
    refused("(assert true)\n(push 1)", "2:2", "`push` is not supported");
    refused("(assert true)(check-sat)\n(assert true)", "2:1", "an assertion after");
    refused("(assert (let ((x 1)) (= x zz)))", "1:27", "`zz` is not declared");
    refused("(assert (and true)", "1:1", "`(` is never closed");
    refused(
        "(assert (! true :named A))\n(get-interpolants A B)",
        "2:21",
        "no assertion is named `B`",
    );
    refused(
        "(assert (! true :named A))(assert true)\n(get-interpolants A)",
        "2:1",
        "assertion 2 is in no",
    );
    refused("(define-fun f ((a Int)) Int true)", "1:29", "this is of sort Bool, not Int");
    refused(
        "(define-fun f ((a Int)) Int a)\n(assert (= (f true) 1))",
        "2:12",
        "`f` takes the arguments (Int)",
    );
}

#[test]
fn standard_input_and_what_is_no_script() {
    let folder = Folder::new("interpolate_stdin");
    let ran = folder.run_with_input(&["interpolate", "-", "--engine", "wp"], COUNT);
    assert_eq!((&ran.stdout[..], ran.status), ("unsat\n(interpolants (<= x_0 4) (<= x_1 5))\n", 0));
    assert_eq!(folder.run_with_input(&["interpolate", "-"], "").status, 65);
    assert_eq!(folder.run(&["interpolate", "missing.smt2"]).status, 65);
    assert_eq!(folder.run(&["interpolate", "-", "--engine", "magic"]).status, 64);
    folder.write("empty.smt2", "(set-logic QF_LIA)");
    let ran = folder.run(&["interpolate", "empty.smt2"]);
    assert!(ran.status == 65 && ran.stderr.contains("nothing is asserted"), "{ran:?}");
}
