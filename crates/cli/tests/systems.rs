//! Transition systems and circuits on the command line: properties, witnesses, certificates.

mod common;

use common::Folder;

const COUNTER: &str = include_str!("../../../examples/counter.system");
const TOGGLE: &str = include_str!("../../../examples/toggle.aag");
const COUNT: &str = include_str!("../../../examples/count.btor2");

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("counter.system", COUNTER);
    // The language is recognized by what is in the file.
    folder.write("toggle", TOGGLE);
    folder.write("count.txt", COUNT);
    folder
}

/// Runs, and checks the exit status and a part of the output.
fn check(folder: &Folder, words: &[&str], status: i32, part: &str) {
    let ran = folder.run(words);
    let output = format!("{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.status, status, "{words:?}: {output}");
    assert!(output.contains(part), "{words:?}: {output}");
}

#[test]
fn all_properties_or_one() {
    let folder = folder("properties");
    check(
        &folder,
        &["verify", "counter.system"],
        1,
        "  bounded     safe\n  never_four  unsafe\n\nunsafe\n",
    );
    check(&folder, &["verify", "counter.system", "--property", "bounded"], 0, "\nsafe\n");
    check(&folder, &["verify", "counter.system", "--property", "1"], 1, "\nunsafe\n");
    check(
        &folder,
        &["verify", "counter.system", "--property", "2"],
        64,
        "there is no property `2`",
    );
    check(&folder, &["verify", "safe.cfa", "--property", "0"], 64, "no properties to choose from");
}

#[test]
fn evidence_in_the_format_of_the_input() {
    let folder = folder("evidence");
    check(&folder, &["verify", "count.txt", "--witness", "count.wit"], 1, "unsafe");
    assert!(
        folder.read("count.wit").starts_with("sat\nb0\n#0\n0 00000000 count#0\n@0\n0 1 go@0\n")
    );
    check(&folder, &["verify", "toggle", "--witness", "cert.aag"], 0, "safe");
    check(&folder, &["verify", "cert.aag"], 0, "safe");
    let plain = ["--strategy", "plain", "--witness", "trace"];
    check(&folder, &[&["verify", "counter.system"], &plain[..]].concat(), 1, "unsafe");
    assert!(folder.read("trace").starts_with("0: x = 0, stop = false\n1: x = 1"));
    check(&folder, &["verify", "safe.cfa", "--witness", "w"], 64, "`--witness` is for");
}
