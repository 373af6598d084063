//! Invalid C programs are rejected where gcc rejects them, and their valid neighbours are accepted.
//!
//! Each program that is rejected has one `@` before the place of the error. Where gcc is installed it must agree.

use std::io::Write;
use std::process::{Command, Stdio};

use lapidary_frontend::SourceFile;
use lapidary_frontend::c::{self, Options};

#[path = "invalid/cases.rs"]
mod cases;
use cases::{INVALID, UNSUPPORTED, VALID};

const MAIN: &str = "\nint main(void) { return 0; }\n";

/// Parses a program; the message and the column in the first line, if there is an error.
fn rejected(text: &str) -> Option<(String, String)> {
    let source = SourceFile::new("t.c", format!("{text}{MAIN}"));
    let options = Options { is_model_assumed: false, ..Options::default() };
    let error = c::parse(&source, &options).err()?.to_string();
    let mut lines = error.lines();
    let message = lines.next().unwrap_or_default().to_string();
    let place = lines.next().unwrap_or_default().trim().to_string();
    Some((message, place))
}

/// Whether gcc accepts a program; none where gcc is not installed.
fn gcc_accepts(text: &str) -> Option<bool> {
    #[expect(clippy::disallowed_methods, reason = "gcc is what we compare with")]
    let mut command = Command::new("gcc");
    let mut gcc = command
        .args(["-std=gnu11", "-w", "-fsyntax-only", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    gcc.stdin.take()?.write_all(format!("{text}{MAIN}").as_bytes()).ok()?;
    Some(gcc.wait().ok()?.success())
}

#[test]
fn invalid_programs_are_rejected_at_their_place() {
    let mut wrong = Vec::new();
    for (text, expected) in INVALID.iter().chain(UNSUPPORTED) {
        let column = text.find('@').map_or(0, |at| at + 1);
        let text = text.replacen('@', "", 1);
        match rejected(&text) {
            None => wrong.push(format!("accepted: {text}")),
            Some((message, place)) => {
                let starts = message.trim_start_matches("error: ").starts_with(expected);
                if !starts || !place.ends_with(&format!("t.c:1:{column}")) {
                    wrong.push(format!("{text}\n  {message} {place}, not {expected} 1:{column}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn valid_programs_are_accepted() {
    let wrong: Vec<_> =
        VALID.iter().filter_map(|text| rejected(text).map(|e| format!("{text}: {e:?}"))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn gcc_agrees() {
    let invalid = INVALID.iter().map(|(text, _)| (text.replacen('@', "", 1), false));
    let valid = VALID.iter().map(|text| ((*text).to_string(), true));
    let unsupported = UNSUPPORTED.iter().map(|(text, _)| (text.replacen('@', "", 1), true));
    for (text, expected) in invalid.chain(valid).chain(unsupported) {
        assert_eq!(gcc_accepts(&text).unwrap_or(expected), expected, "{text}");
    }
}
