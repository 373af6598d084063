//! Invalid C programs are rejected where gcc rejects them, and their valid neighbours are accepted.
//!
//! Each program that is rejected has one `@` before the place of the error. Where gcc is installed it must agree.

use std::io::Write;
use std::process::{Command, Stdio};

use lapidary_frontend::SourceFile;
use lapidary_frontend::c::{self, DataModel, Options};

#[path = "invalid/cases.rs"]
mod cases;
use cases::{INVALID, INVALID_WITH_32_BITS, UNSUPPORTED, VALID};

const MAIN: &str = "\nint main(void) { return 0; }\n";

/// Parses a program; the message and the column in the first line, if there is an error.
fn rejected(text: &str, model: DataModel) -> Option<(String, String)> {
    let source = SourceFile::new("t.c", format!("{text}{MAIN}"));
    let options = Options { model, is_model_assumed: false, ..Options::default() };
    let error = c::parse(&source, &options).err()?.to_string();
    let mut lines = error.lines();
    let message = lines.next().unwrap_or_default().to_string();
    let place = lines.next().unwrap_or_default().trim().to_string();
    Some((message, place))
}

/// Whether gcc accepts a program; none where gcc is not installed.
fn gcc_accepts(text: &str, bits: &str) -> Option<bool> {
    #[expect(clippy::disallowed_methods, reason = "gcc is what we compare with")]
    let mut command = Command::new("gcc");
    let mut gcc = command
        .args([bits, "-std=gnu11", "-w", "-fsyntax-only", "-x", "c", "-"])
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
    for (text, expected) in INVALID.iter().chain(UNSUPPORTED).chain(INVALID_WITH_32_BITS) {
        let column = text.find('@').map_or(0, |at| at + 1);
        let text = text.replacen('@', "", 1);
        match rejected(&text, DataModel::Ilp32) {
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
    let check = |text: &str, model| rejected(text, model).map(|e| format!("{text}: {e:?}"));
    let wide = INVALID_WITH_32_BITS.iter().map(|(text, _)| text.replacen('@', "", 1));
    let wrong: Vec<_> = VALID
        .iter()
        .filter_map(|text| check(text, DataModel::Ilp32))
        .chain(wide.filter_map(|text| check(&text, DataModel::Lp64)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn gcc_agrees() {
    let invalid = INVALID.iter().map(|(text, _)| (text.replacen('@', "", 1), false));
    let valid = VALID.iter().map(|text| ((*text).to_string(), true));
    let unsupported = UNSUPPORTED.iter().map(|(text, _)| (text.replacen('@', "", 1), true));
    for (text, expected) in invalid.chain(valid).chain(unsupported) {
        assert_eq!(gcc_accepts(&text, "-m64").unwrap_or(expected), expected, "{text}");
    }
    for (text, _) in INVALID_WITH_32_BITS {
        let text = text.replacen('@', "", 1);
        assert!(gcc_accepts(&text, "-m64").unwrap_or(true), "{text}");
        assert!(!gcc_accepts(&text, "-m32").unwrap_or(false), "{text}");
    }
}
