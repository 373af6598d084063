//! Wrong command lines and inputs, help and the version.

mod common;

use common::Folder;
use lapidary_cegar::config::AXES;

/// The message must be on standard error, nothing on standard output.
#[track_caller]
fn check(folder: &Folder, words: &[&str], status: i32, message: &str) {
    let ran = folder.run(words);
    assert_eq!((&ran.stdout[..], ran.status), ("", status), "{words:?}: {ran:?}");
    assert!(ran.stderr.contains(message), "{words:?}: {}", ran.stderr);
    assert!(!ran.stderr.contains("panicked"), "{words:?}: {}", ran.stderr);
}

#[test]
fn wrong_usage() {
    let folder = Folder::new("usage");
    let cases: [(&[&str], &str); 17] = [
        (&[], "Usage: lapidary"),
        (&["frobnicate"], "tip: to verify a file, write `lapidary verify <FILE>`"),
        (&["verify"], "<FILE>"),
        (&["verify", "safe.cfa", "--frob"], "unexpected argument '--frob'"),
        (&["verify", "safe.cfa", "--search", "best"], "its values are bfs, dfs, err"),
        (
            &["verify", "safe.cfa", "--max-enum", "4"],
            "`max-enum` has no effect with `domain=predicate`",
        ),
        (
            &["verify", "safe.cfa", "--precision", "state", "--abstraction", "boolean"],
            "`abstraction=boolean` and `precision=state` exclude each other: its states are full cubes",
        ),
        (
            &["verify", "safe.cfa", "--precision", "state", "--domain", "product"],
            "`domain=product` and `precision=state` exclude each other",
        ),
        (&["verify", "safe.cfa", "--config", "domain"], "not of the form"),
        (&["verify", "safe.cfa", "--config", "frob=1"], "there is no option `frob`"),
        (&["verify", "safe.cfa", "--time", "-1"], "a number of seconds above 0"),
        (&["verify", "safe.cfa", "--time", "inf"], "a number of seconds above 0"),
        (&["verify", "safe.cfa", "--memory", "2GB"], "a number of megabytes above 0"),
        (&["verify", "safe.cfa", "--quiet", "--stats"], "cannot be used with"),
        (
            &["verify", "safe.cfa", "--arg", "safe.cfa"],
            "`safe.cfa` is the input and would be overwritten",
        ),
        (
            &["verify", "safe.cfa", "--arg", "missing/arg.dot"],
            "cannot write `missing/arg.dot`: no such file",
        ),
        (&["verify", "safe.cfa", "--cfa", "x.dot", "--arg", "x.dot"], "cannot write the same file"),
    ];
    for (words, message) in cases {
        check(&folder, words, 64, message);
    }
    let several = "`safe.cfa` is no C file, and only C programs have several files";
    check(&folder, &["verify", "safe.cfa", "unsafe.cfa"], 64, several);
    assert_eq!(folder.read("safe.cfa"), common::SAFE);
}

#[test]
fn bad_input() {
    let folder = Folder::new("input");
    folder.make_folder("folder.cfa");
    folder.write("empty.cfa", " \n");
    folder.write("binary.cfa", [0x7f, b'E', b'L', b'F', 0, 0xff, 0, 1]);
    folder.write("latin.cfa", b"main process caf\xe9 { init loc A }");
    folder.write("program.c", "int main(void) { return 0 }");
    folder.write("none", "no words that a language starts with");
    folder.write(
        "deep.cfa",
        format!("main process p {{ init loc A A -> A {{ assume {} }} }}", "(".repeat(300_000)),
    );
    for (name, message) in [
        ("missing.cfa", "error: cannot read `missing.cfa`: no such file or directory"),
        ("folder.cfa", "error: cannot read `folder.cfa`: it is a directory"),
        ("empty.cfa", "error: cannot read `empty.cfa`: it is empty"),
        ("binary.cfa", "error: cannot read `binary.cfa`: it is a binary file"),
        ("latin.cfa", "error: cannot read `latin.cfa`: it is not UTF-8 text"),
        ("program.c", "error: expected `;`, found `}`"),
        ("none", "error: the file's name has no extension"),
        ("deep.cfa", "error: "),
    ] {
        check(&folder, &["verify", name], 65, message);
    }
}

#[test]
fn errors_in_the_input_are_shown_in_place() {
    let folder = Folder::new("syntax");
    folder.write("typo.cfa", "main process p {\n    init loc A\n    A -> A { y := 1 }\n}\n");
    folder.check(
        &["verify", "typo.cfa", "--json"],
        65,
        "",
        "\
error: `y` is not declared
 --> typo.cfa:3:14
  |
3 |     A -> A { y := 1 }
  |              ^
",
    );
}

#[test]
fn version() {
    let ran = Folder::new("version").run(&["--version"]);
    assert!(
        ran.stdout.starts_with(concat!("lapidary ", env!("CARGO_PKG_VERSION"), " (Z3 ")),
        "{ran:?}"
    );
    assert_eq!((ran.stdout.lines().count(), ran.status), (1, 0));
}

#[test]
fn help_teaches() {
    let folder = Folder::new("help");
    for words in [
        &["--help"][..],
        &["-h"],
        &["help"],
        &["verify", "-h"],
        &["verify", "--help"],
        &["help", "verify"],
    ] {
        let ran = folder.run(words);
        assert_eq!((&ran.stderr[..], ran.status), ("", 0), "{words:?}");
        assert!(ran.stdout.contains("Examples:\n"), "{words:?}: {}", ran.stdout);
        assert!(
            ran.stdout.lines().all(|line| line.chars().count() <= 120),
            "{words:?}: {}",
            ran.stdout
        );
    }
}

#[test]
fn help_names_every_axis_with_its_values_and_aliases() {
    let folder = Folder::new("axes");
    let words = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (short, long) =
        (folder.run(&["verify", "-h"]).stdout, words(folder.run(&["verify", "--help"]).stdout));
    for axis in AXES {
        assert!(short.contains(&format!("--{} <VALUE>", axis.name)), "{}", axis.name);
        assert!(words(short.clone()).contains(&axis.values.join(", ")), "{}", axis.name);
        assert!(long.contains(&format!("Values: {}.", axis.values.join(", "))), "{}", axis.name);
        for (alias, _) in axis.aliases {
            assert!(long.contains(alias), "{alias}");
        }
    }
}
