//! Programs as a new user writes them, with the default strategy: the first line of each says what the verdict is. Where a line
//! has `// or: …` behind it, the program with that in its place is unsafe. Programs that are not decided yet have `// and not: …`
//! instead, and those that take too long for it are in a folder `open`, which `LAPIDARY_TEXTBOOK=open` runs as well.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::Folder;

fn programs() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/textbook");
    let has_open = std::env::var("LAPIDARY_TEXTBOOK").is_ok_and(|which| which == "open");
    let folders = [Some(corpus.clone()), has_open.then(|| corpus.join("open"))];
    let entries = folders.into_iter().flatten().flat_map(|folder| fs::read_dir(folder).unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut names: Vec<_> = paths.filter(|path| path.is_file()).collect();
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
        assert!(
            expected == "safe" || other(&text).is_none(),
            "{name}: what is not decided has no other"
        );
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
