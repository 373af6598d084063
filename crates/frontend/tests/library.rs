//! Our bodies of the C library against the system's: the same calls with random arguments.
//!
//! `LAPIDARY_LIBRARY_CALLS=1000000` is the longer run.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

use lapidary_frontend::c::LIBRARY;

/// The words of a text with what is between them.
fn words(text: &str) -> Vec<&str> {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (mut words, mut start) = (Vec::new(), 0);
    let breaks = text.char_indices().zip(text.chars().skip(1));
    for ((i, c), next) in breaks.filter(|((_, c), next)| is_letter(*c) != is_letter(*next)) {
        let end = i + c.len_utf8();
        words.push(&text[start..end]);
        start = end;
        let _ = next;
    }
    words.push(&text[start..]);
    words
}

/// The definitions of our functions, each in front of `name(`: lines that start with a letter and end with a parenthesis.
fn heads(text: &str) -> impl Iterator<Item = &str> {
    text.split("\n\n").filter_map(|block| {
        let is_head = |line: &&str| {
            line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && !line.starts_with("extern")
        };
        let start = block.find(block.lines().find(is_head)?)?;
        Some(block[start..].split("\n{").next().unwrap_or_default())
    })
}

/// Our bodies with names of their own, and declarations of them.
fn ours() -> (String, String) {
    let all = LIBRARY.map(|(_, text)| text).join("\n");
    let all = ["div", "ldiv", "lldiv"].iter().fold(all, |text, name| {
        text.replace(&format!("__typeof__({name}(0, 0))"), &format!("{name}_t"))
    });
    let name = |head: &str| {
        let before = head.split('(').next().unwrap_or_default();
        before.rsplit([' ', '*']).next().unwrap_or_default().to_string()
    };
    let mut names: Vec<String> = heads(&all).map(name).collect();
    names.push("errno".into());
    let rename = |text: &str| -> String {
        let renamed = |word: &str| match names.iter().any(|name| name == word) {
            true => format!("ours_{word}"),
            false => word.to_string(),
        };
        words(text).into_iter().map(renamed).collect()
    };
    let header: Vec<String> = heads(&all).map(rename).collect();
    let header = header.join(";\n") + ";\n";
    let without_externs: Vec<&str> =
        all.lines().filter(|line| *line != "extern int errno;").collect();
    (header, rename(&without_externs.join("\n")))
}

/// What the comparison of these bodies with the system's library says; nothing without a compiler.
#[expect(clippy::disallowed_methods, reason = "gcc's library is what we compare with")]
fn compared(folder: &str, bodies: &str, calls: &str) -> Option<String> {
    let folder = std::env::temp_dir().join(format!("lapidary-{folder}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("ours.h"), ours().0).unwrap();
    fs::write(folder.join("ours.c"), bodies).unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library/compare.c");
    let mut compiler = Command::new("gcc");
    compiler.args(["-w", "-O1", "-fwrapv", "-fno-builtin", "-I"]).arg(&folder).arg(source);
    let Ok(compiled) = compiler.arg("-o").arg(folder.join("compare")).output() else {
        let _ = writeln!(io::stderr(), "SKIPPED: there is no gcc to compare with");
        return None;
    };
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let ran = Command::new(folder.join("compare")).arg(calls).output().unwrap();
    let _ = fs::remove_dir_all(&folder);
    Some(String::from_utf8_lossy(&ran.stdout).into_owned())
}

#[test]
fn bodies_compute_what_the_system_does() {
    let calls = std::env::var("LAPIDARY_LIBRARY_CALLS").unwrap_or_else(|_| "100000".into());
    if let Some(told) = compared("library", &ours().1, &calls) {
        assert_eq!(told, "no difference\n");
    }
}

#[test]
fn differences_are_found() {
    let bodies = ours().1;
    for (right, wrong) in [
        ("letter - 'a' + 10", "letter - 'a' + 11"),
        ("while (i < most && from[i] != 0)", "while (from[i] != 0)"),
        ("letter > 32 && letter < 127", "letter >= 32 && letter < 127"),
        ("number == 0 ? 0 : ours_lapidary_zeros((unsigned int)number) + 1", "0"),
    ] {
        assert!(bodies.contains(right), "{right}");
        if let Some(told) = compared("wrong", &bodies.replacen(right, wrong, 1), "20000") {
            assert!(told.contains("differs"), "{wrong}: {told}");
        }
    }
}
