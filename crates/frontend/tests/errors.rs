//! Every error of the CFA language with its full rendering: the cases are in `errors.txt`.
//!
//! A case is a whole file (`>>> file`) or the body of an edge (`>>> body`, see [`in_process`]), a line `---`
//! and what is printed. With `UPDATE_EXPECT=1` in the environment the file is written anew.

use std::fmt::Write;

use lapidary_frontend::{SourceFile, cfa};

/// A process with a variable of each kind around the body of its edge.
fn in_process(body: &str) -> String {
    format!(
        "main process p {{
var x : int var b : bool var v : bv[8] var a : [int] -> int
init loc L
L -> L {{
{body}
}}
}}"
    )
}

fn rendered(kind: &str, input: &str) -> String {
    let text = match kind {
        "file" => input.to_owned(),
        "body" => in_process(input),
        other => panic!("a case is a `file` or a `body`, not a `{other}`"),
    };
    match cfa::parse(&SourceFile::new("test.cfa", text)) {
        Ok(_) => "no error".into(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn errors_are_rendered_as_expected() {
    let expected = include_str!("errors.txt").replace("\r\n", "\n");
    let mut sections = expected.split(">>> ");
    let mut actual = sections.next().unwrap_or_default().to_owned();
    for section in sections {
        let (kind, rest) = section.split_once('\n').unwrap_or((section, ""));
        let Some((input, after)) = rest.split_once("\n---\n") else { panic!("no `---`: {rest}") };
        let heading = after.find("## ").map_or("", |at| &after[at..]);
        let _ = write!(actual, ">>> {kind}\n{input}\n---\n{}\n\n{heading}", rendered(kind, input));
    }
    assert!(!actual.contains("no error"), "an input has no error:\n{actual}");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/errors.txt");
        assert!(std::fs::write(path, actual).is_ok(), "cannot write {path}");
        return;
    }
    for (actual, expected) in actual.split(">>> ").zip(expected.split(">>> ")) {
        assert_eq!(actual, expected);
    }
}
