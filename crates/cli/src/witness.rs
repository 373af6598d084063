//! Witnesses for C programs in the competition's format 2.0: what the run was about, and the evidence.

use std::fmt::Write;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use lapidary_frontend::Task;
use lapidary_frontend::c::{Check, SourceMap, UNDEFINED_BEHAVIOUR, invariants, violation};
use lapidary_model::ASSERTION;
use sha2::{Digest, Sha256};

use lapidary::outcome::Finding;

/// The hash of a program.
pub(crate) fn hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The witness for a verdict about the program with this hash; none if there is no verdict.
pub(crate) fn witness(finding: &Finding, hash: &str, configuration: &str) -> Option<String> {
    let (task, kind, content) = match finding {
        Finding::Unknown(_) | Finding::Outside { .. } => return None,
        Finding::Unsafe { task, execution, .. } => {
            (task, "violation_sequence", violation(task, execution))
        }
        Finding::Safe { task, proof } => (task, "invariant_set", invariants(task, proof)),
    };
    let (Some(content), Some(map)) = (content, &task.map) else { return None };
    let file = task.source.name();
    let uuid = uuid(&[kind, hash, configuration, &content]);
    let content = match content.is_empty() {
        true => "  content: []\n".into(),
        false => format!("  content:\n{content}"),
    };
    Some(format!(
        "- entry_type: \"{kind}\"\n  metadata:\n    format_version: \"2.0\"\n    uuid: \"{uuid}\"\n    \
         creation_time: \"{}\"\n    producer:\n      name: \"Lapidary\"\n      version: \"{}\"\n      \
         configuration: {}\n    task:\n      input_files:\n        - {name}\n      input_file_hashes:\n        \
         {name}: \"{hash}\"\n      specification: {}\n      data_model: \"{}\"\n      language: \"C\"\n{content}",
        time(now()),
        env!("CARGO_PKG_VERSION"),
        quoted(configuration),
        quoted(&specification(finding, task, map)),
        map.model.name(),
        name = quoted(file),
    ))
}

/// The property, as the competition writes it.
fn specification(finding: &Finding, task: &Task, map: &SourceMap) -> String {
    let check = |formula: &str| format!("CHECK( init({}()), LTL({formula}) )", map.entry);
    let of = |name: &str| match name {
        "no-overflow" => "G ! overflow".to_string(),
        name => format!("G {name}"),
    };
    if let Some(violated) = finding.violated().filter(|violated| violated.kind != ASSERTION) {
        return check(&of(violated.competition));
    }
    if !map.checks.contains(&Check::Assertion) {
        let others = map.checks.iter().map(|kind| kind.competition());
        let mut others: Vec<&str> = others.filter(|name| *name != UNDEFINED_BEHAVIOUR).collect();
        others.dedup();
        let others = others.into_iter().map(|name| check(&of(name)));
        return others.collect::<Vec<_>>().join(" ");
    }
    let formula = match (map.errors.first(), map.asserts, task.cfa().error()) {
        (Some(function), _, _) => format!("G ! call({function}())"),
        (None, true, _) => "G assert".into(),
        (None, false, _) => "G ! label(ERROR)".into(),
    };
    check(&formula)
}

/// A text in double quotes; those of YAML are those of JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// An identifier that is the same for the same witness (RFC 9562, version 8).
fn uuid(parts: &[&str]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(part);
        digest.update([0]);
    }
    let mut bytes: Vec<u8> = digest.finalize().iter().copied().take(16).collect();
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let text = hex(&bytes);
    [&text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..]].join("-")
}

/// The time since 1970: what `SOURCE_DATE_EPOCH` says, where files have to be the same each time, or what it is.
fn now() -> Duration {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse().ok());
    let is = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    fixed.map_or_else(is, Duration::from_secs)
}

/// A time since 1970 as text.
fn time(since: Duration) -> String {
    let (mut days, seconds) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (mut year, mut month) = (1970, 1);
    let length = |year: u64, month: u64| match month {
        2 => 28 + u64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    while days >= length(year, month) {
        days -= length(year, month);
        month += 1;
    }
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_dates() {
        let check = |seconds, text| assert_eq!(time(Duration::from_secs(seconds)), text);
        check(0, "1970-01-01T00:00:00Z");
        check(951_782_399, "2000-02-28T23:59:59Z");
        check(951_782_400, "2000-02-29T00:00:00Z");
        check(1_735_689_599, "2024-12-31T23:59:59Z");
        check(1_794_787_200, "2026-11-16T00:00:00Z");
    }
}
