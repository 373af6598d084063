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

#[test]
fn comments_of_circuits_are_in_any_encoding() {
    let folder = folder("latin");
    folder.write("toggle.aag", [TOGGLE.as_bytes(), b"c\ncaf\xe9\n"].concat());
    folder.write("count.btor2", [b"; caf\xe9\n", COUNT.as_bytes()].concat());
    check(&folder, &["verify", "toggle.aag"], 0, "safe");
    check(&folder, &["verify", "count.btor2"], 1, "unsafe");
    // By its name alone.
    folder.write("wrong.btor2", b"1 \xe9\xe9 bitvec 8\n");
    check(&folder, &["verify", "wrong.btor2"], 65, " --> wrong.btor2:1:3\n");
    folder.write("counter.system", [COUNTER.as_bytes(), b"// caf\xe9\n"].concat());
    check(&folder, &["verify", "counter.system"], 65, "it is not UTF-8 text");
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

/// What is in `c`, anything but 1, comes to `a` after two steps.
const SHIFTED: &str = "1 sort bitvec 1
2 sort bitvec 32
3 zero 2
4 one 2
5 state 2 a
6 state 2 b
7 state 2 c
8 init 2 5 3
9 init 2 6 3
10 next 2 5 6
11 next 2 6 7
12 next 2 7 7
13 eq 1 7 4
14 constraint -13
15 eq 1 5 4
16 bad 15
";

#[test]
fn proofs_by_induction() {
    let folder = folder("induction");
    folder.write("shifted.btor2", SHIFTED);
    let verify = ["verify", "shifted.btor2"];
    let alone = ["--without", "ic3,explicit,runs,lbe"];
    let with = |more: &[&'static str]| [&verify[..], &alone, more].concat();
    check(&folder, &with(&["--witness", "proof"]), 0, "Proof: by induction over 2 steps");
    assert!(folder.read("proof").starts_with("; by k-induction, k = 2, with these invariants\n"));
    check(&folder, &with(&["--json"]), 0, "\"induction\": 2");
    check(&folder, &with(&["--without", "induction", "--time", "1"]), 2, "unknown");
    // Bits and words say the same.
    check(&folder, &[&verify[..], &["--domain", "predicate"]].concat(), 0, "safe");
    let words =
        ["--domain", "predicate", "--passes", "unreachable,constants,slice,cone,invariants"];
    check(&folder, &[&verify[..], &words].concat(), 0, "safe");
    // It is not so for all values.
    folder.write("shifted.btor2", SHIFTED.replace("14 constraint -13\n", ""));
    for more in [&alone[..], &["--domain", "predicate"], &words, &[]] {
        check(&folder, &[&verify[..], more].concat(), 1, "unsafe");
    }
}

/// Without the constant `c`, or `s`, the constraint mentions no input.
#[test]
fn constraints_that_lose_their_inputs() {
    let folder = Folder::new("constraints");
    let head = "1 sort bitvec 1\n2 zero 1\n3 input 1 i\n";
    let chosen = "4 state 1 c\n5 init 1 4 2\n6 next 1 4 4\n7 state 1 x\n8 next 1 7 3\n\
                  9 ite 1 4 3 7\n10 constraint 9\n11 bad -7\n";
    folder.write("chosen.btor2", format!("{head}{chosen}"));
    let never = "4 state 1 s\n5 init 1 4 2\n6 next 1 4 4\n7 and 1 3 4\n8 constraint 7\n9 bad 3\n";
    folder.write("never.btor2", format!("{head}{never}"));
    folder.write("both.aag", "aag 7 1 2 0 3 1 1\n2\n4 4 0\n6 2 1\n7\n13\n8 4 2\n10 5 6\n12 9 11\n");
    for file in ["chosen.btor2", "never.btor2", "both.aag"] {
        check(&folder, &["verify", file, "-q"], 0, "safe");
        check(&folder, &["verify", file, "-q", "--domain", "predicate"], 0, "safe");
        check(&folder, &["verify", file, "-q", "--witness", "w"], 0, "safe");
    }
}

/// Without the constant `c`, either of `x` and `y` could be the one that starts with the value of the other.
#[test]
fn initial_definitions_that_lose_a_constant() {
    let folder = Folder::new("definitions");
    folder.write(
        "sum.system",
        "specification S { system s = { var y : int var c : int var x : int
         initial c = 0 initial x = y + c
         transition c' = c transition x' = x transition y' = y + 1 }
         property p : s models G(x /= 7) }",
    );
    check(&folder, &["verify", "sum.system", "-q"], 1, "unsafe");
}

#[test]
fn arrays_that_start_with_ones() {
    let folder = Folder::new("ones");
    let memory = "1 sort bitvec 1\n2 sort array 1 1\n3 one 1\n4 state 2 m\n5 init 2 4 3\n\
                  6 next 2 4 4\n7 read 1 4 3\n8 bad 7\n";
    folder.write("memory.btor2", memory);
    check(&folder, &["verify", "memory.btor2", "--witness", "w"], 1, "unsafe");
    assert_eq!(folder.read("w"), "sat\nb0\n#0\n0 [0] 1 m#0\n0 [1] 1 m#0\n@0\n.\n");
}

/// The format of witnesses has no words for an array with so many elements that are not 0.
#[test]
fn a_verdict_does_not_depend_on_its_witness() {
    let folder = Folder::new("unwritten");
    let memories = "1 sort bitvec 1\n2 sort bitvec 32\n3 sort array 2 1\n4 one 1\n\
                    5 state 3 m\n6 init 3 5 4\n7 state 3 n\n8 next 3 5 5\n9 next 3 7 7\n\
                    10 eq 1 5 7\n11 bad 10\n";
    folder.write("memories.btor2", memories);
    let ran = folder.run(&["verify", "memories.btor2", "-q", "--witness", "w"]);
    assert_eq!((ran.last_line(), ran.status), ("unsafe", 70), "{ran:?}");
    let problem = "error: no witness: the value of n has too many elements\n";
    assert_eq!(ran.stderr, problem, "{ran:?}");
}
