//! Precisions that are saved and loaded again.

mod common;

use common::Folder;

/// Two counters, each with a property of its own.
const COUNTERS: &str = "specification S { system s = { var x : int var y : int
    initial x = 0 initial y = 0
    transition x' = (if x < 5 then x + 1 else 0) transition y' = (if y < 7 then y + 2 else 0) }
    property p : s models G(x /= 6)
    property q : s models G(y /= 9) }";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("counters.system", COUNTERS);
    folder
}

/// Runs quietly, and checks the verdict.
fn check(folder: &Folder, words: &[&str], verdict: &str) {
    let ran = folder.run(&[&["verify", "-q"], words].concat());
    assert_eq!((ran.last_line(), &ran.stderr[..]), (verdict, ""), "{words:?}: {ran:?}");
}

#[test]
fn variables_that_are_reduced_away_are_left_out() {
    let folder = folder("precision_reduced");
    let words = ["counters.system", "--domain", "explicit", "--passes", "none"];
    check(&folder, &[&words, &["--save-precision", "q"][..]].concat(), "safe");
    let saved = folder.read("q");
    assert!(saved.contains("variable x\n") && saved.contains("variable y\n"), "{saved}");
    check(&folder, &[&words, &["--load-precision", "q"][..]].concat(), "safe");
    check(&folder, &["counters.system", "--property", "p", "--load-precision", "q"], "safe");
    let named = ["--domain", "combined", "--explicit-vars", "x"];
    check(&folder, &[&["counters.system"], &named[..]].concat(), "safe");
    folder.write("q", "everywhere\nvariable z\n");
    let ran = folder.run(&["verify", "counters.system", "--load-precision", "q"]);
    assert_eq!(ran.status, 65, "{ran:?}");
    assert!(ran.stderr.contains("`q`, line 2, column 10: "), "{}", ran.stderr);
}

#[test]
fn a_precision_may_be_saved_where_it_was_loaded_from() {
    let folder = folder("precision_again");
    let words = ["counters.system", "--domain", "explicit", "--passes", "none"];
    let again = ["--load-precision", "q", "--save-precision", "q"];
    folder.write("q", format!("everywhere\n  variable x\n{}", "# no more\n".repeat(99)));
    check(&folder, &[&words, &again[..]].concat(), "safe");
    let saved = folder.read("q");
    assert!(saved.contains("variable x\n") && saved.contains("variable y\n"), "{saved}");
    assert!(!saved.contains("no more"), "{saved}");
    // A mistake leaves everything as it is.
    let mistaken = saved + "variable z\n";
    folder.write("q", &mistaken);
    assert_eq!(folder.run(&[&["verify"], &words[..], &again].concat()).status, 65);
    assert_eq!(folder.read("q"), mistaken);
}

/// Concrete runs find the error, and need no precision for it.
#[test]
fn whatever_decides_there_is_a_precision() {
    let folder = folder("precision_none");
    folder.write("counters.system", COUNTERS.replace("x /= 6", "x /= 2"));
    let words = ["counters.system", "--property", "p", "--without", "explicit"];
    for jobs in ["1", "2"] {
        let words = [&words[..], &["--jobs", jobs]].concat();
        check(&folder, &[&words, &["--save-precision", "q"][..]].concat(), "unsafe");
        assert!(folder.read("q").starts_with("lapidary-precision 1\n"), "{jobs}");
        check(&folder, &[&words, &["--load-precision", "q"][..]].concat(), "unsafe");
    }
    // What was known stays known.
    folder.write("q", "everywhere\n  variable x\n");
    let again = ["--load-precision", "q", "--save-precision", "q"];
    check(&folder, &[&words, &again[..]].concat(), "unsafe");
    assert_eq!(folder.read("q"), "lapidary-precision 1\neverywhere\n  variable x\n");
}

#[test]
fn names_that_cannot_be_quoted() {
    let folder = folder("precision_names");
    let count =
        include_str!("../../../examples/count.btor2").replace("5 state 1 count", "5 state 1 |q|");
    folder.write("count.btor2", count);
    let words = ["count.btor2", "--domain", "predicate", "--passes", "none"];
    check(&folder, &[&words, &["--save-precision", "q"][..]].concat(), "unsafe");
    assert!(folder.read("q").contains("_q_"), "{}", folder.read("q"));
    check(&folder, &[&words, &["--load-precision", "q"][..]].concat(), "unsafe");
    // The witness has the name of the model.
    check(&folder, &["count.btor2", "--witness", "w"], "unsafe");
    assert!(folder.read("w").contains("0 00000000 |q|#0\n"), "{}", folder.read("w"));
}

/// The search is about bits, and so is what it learns.
#[test]
fn what_is_about_bits_is_loaded_again() {
    let folder = folder("precision_bits");
    folder.write("count.btor2", include_str!("../../../examples/count.btor2"));
    let words = ["count.btor2", "--domain", "predicate"];
    check(&folder, &[&words, &["--save-precision", "q"][..]].concat(), "unsafe");
    assert!(folder.read("q").contains("count[0]"), "{}", folder.read("q"));
    let ran = folder.run(&[&["verify", "--json"], &words[..], &["--load-precision", "q"]].concat());
    // Nothing is left to learn.
    assert!(ran.stdout.contains("\"iterations\": 1,"), "{ran:?}");
    check(&folder, &["count.btor2", "--load-precision", "q"], "unsafe");
}
