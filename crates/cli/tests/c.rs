//! Our own C programs: the first line of each says what the verdict is, in bit-vectors and in integers.

mod common;

use std::fs;
use std::path::Path;

use common::Folder;

#[test]
fn programs_get_the_verdict_of_their_first_line() {
    let folder = Folder::new("c");
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c");
    let mut names: Vec<_> =
        fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    assert!(names.len() > 25);
    for path in names {
        let text = fs::read_to_string(&path).unwrap();
        let first = text.lines().next().unwrap_or_default();
        let expected = first
            .strip_prefix("// expect: ")
            .unwrap_or_else(|| panic!("{}: {first}", path.display()));
        // These programs are about meaning, not about hard proofs: for most of them values suffice.
        let second = text.lines().nth(1).unwrap_or_default();
        let domain = second.strip_prefix("// domain: ").unwrap_or("product");
        for arith in ["bv", "int"] {
            let file = path.to_string_lossy();
            let options = ["--arith", arith, "--domain", domain, "--time", "30"];
            let ran = folder.run(&[&["verify", &file], &options[..]].concat());
            let verdict = ran.last_line();
            let is_right = if expected.starts_with("unknown") {
                verdict.starts_with(expected)
            } else {
                verdict == expected
            };
            assert!(is_right, "{file} in {arith}: expected `{expected}`: {ran:?}");
        }
    }
}

#[test]
fn the_arithmetic_is_said() {
    let folder = Folder::new("arith");
    folder.write("p.c", "int main(void) { int x = 1; x = x + 1; return x; }");
    let ran = folder.run(&["verify", "p.c", "--arith", "unbounded", "--stats"]);
    assert_eq!(ran.stderr, "warning: numbers without wrap-around are not those of C\n");
    assert!(ran.stdout.contains("arithmetic      unbounded\n"), "{ran:?}");
    let ran = folder.run(&["verify", "p.c", "--json"]);
    assert!(ran.stderr.is_empty() && ran.stdout.contains("\"arith\": \"int\""), "{ran:?}");
    let ran = folder.run(&["verify", "safe.cfa", "--harness", "test.c"]);
    assert_eq!(ran.status, 64, "{ran:?}");
}
