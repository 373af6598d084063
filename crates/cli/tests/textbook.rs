//! Programs as a new user writes them, with the default strategy: the first line of each says what the verdict is. Where a line
//! has `// or: …` behind it, the program with that in its place is unsafe.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::Folder;

fn programs() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/textbook");
    let mut names: Vec<_> =
        fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    names
}

/// The program with the other assertion, if it has one.
fn other(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.contains("// or: "))?;
    let indent = &line[..line.len() - line.trim_start().len()];
    let instead = line.split("// or: ").nth(1).unwrap_or_default();
    Some(text.replacen(line, &format!("{indent}{instead}"), 1))
}

#[test]
fn programs_get_the_verdict_of_their_first_line() {
    let folder = Folder::new("textbook");
    for path in programs() {
        let text = fs::read_to_string(&path).unwrap();
        let first = text.lines().next().unwrap_or_default();
        let expected = first.strip_prefix("// expect: ").unwrap_or_else(|| panic!("{first}"));
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut variants = vec![(text.clone(), expected)];
        variants.extend(other(&text).map(|text| (text, "unsafe")));
        for (text, expected) in variants {
            folder.write(&name, &text);
            let ran = folder.run(&["verify", &name, "--time", "60"]);
            assert!(
                ran.last_line().starts_with(expected),
                "{name}: expected `{expected}`: {ran:?}"
            );
        }
    }
}
