//! What a tool said: a verdict, and statistics if it prints a JSON report.

use indexmap::IndexMap;
use serde::Deserialize;

use crate::process::{Ended, Exit, Stopped};
use crate::row::{Statistics, Termination, Verdict};

/// What a run's output says.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Safe or unsafe, if it says so.
    pub verdict: Verdict,
    /// Why not, for people.
    pub reason: String,
    /// Why not, for programs.
    reason_kind: String,
    /// The axes of the configuration, if it tells them.
    pub axes: IndexMap<String, String>,
    /// What it says about the run.
    pub statistics: Statistics,
}

#[derive(Deserialize)]
struct Report {
    verdict: String,
    reason: Option<String>,
    reason_kind: Option<String>,
    configuration: Option<Configuration>,
    #[serde(flatten)]
    statistics: Statistics,
}

#[derive(Deserialize)]
struct Configuration {
    #[serde(default)]
    axes: IndexMap<String, String>,
}

/// The answer in standard output and exit status. A JSON report and the status must agree; without a report, the last
/// line and the status must.
pub fn read(stdout: &str, stderr: &str, exit: Exit) -> Answer {
    let by_status = match exit {
        Exit::Status(0) => Verdict::Safe,
        Exit::Status(1) => Verdict::Unsafe,
        _ => Verdict::Unknown,
    };
    let complaint = stderr.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    if let Ok(report) = serde_json::from_str::<Report>(stdout) {
        let said = Verdict::of(&report.verdict);
        let is_one = said == by_status;
        let reason = match report.reason {
            _ if !is_one => format!("the report says {} and the process {exit}", report.verdict),
            Some(reason) => reason,
            None => String::new(),
        };
        return Answer {
            verdict: if is_one { said } else { Verdict::Unknown },
            reason: shortened(&reason),
            reason_kind: report.reason_kind.unwrap_or_default(),
            axes: report.configuration.map(|it| it.axes).unwrap_or_default(),
            statistics: report.statistics,
        };
    }
    let last = stdout.lines().rev().map(str::trim).find(|line| !line.is_empty());
    let said = Verdict::of(last.unwrap_or_default());
    let is_one = said == by_status && said.is_decided();
    let reason = match last {
        _ if is_one => "",
        _ if !complaint.is_empty() => complaint,
        Some(last) => last,
        None => "no output",
    };
    Answer {
        verdict: if is_one { said } else { Verdict::Unknown },
        reason: shortened(reason),
        reason_kind: String::new(),
        axes: IndexMap::new(),
        statistics: Statistics::default(),
    }
}

/// The beginning of a text, on one line.
fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(200) {
        Some((end, _)) => format!("{} …", &line[..end]),
        None => line,
    }
}

/// Why the run ended. An answer after the limit does not count, as in BenchExec.
pub fn termination(
    answer: &Answer,
    ended: &Ended,
    expected: Verdict,
    cpu_limit: f64,
) -> Termination {
    match (ended.stopped, answer.reason_kind.as_str()) {
        (Some(Stopped::Cpu | Stopped::Wall), _) => Termination::Time,
        (Some(Stopped::Memory), _) => Termination::Memory,
        _ if answer.verdict.is_decided() && expected.is_decided() && answer.verdict != expected => {
            Termination::Wrong
        }
        _ if ended.cpu.as_secs_f64() > cpu_limit => Termination::Time,
        _ if answer.verdict.is_decided() => Termination::Success,
        (_, "time" | "wall-time") => Termination::Time,
        (_, "memory") => Termination::Memory,
        _ => Termination::Exception,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_and_output_must_agree() {
        let verdict = |text, status| read(text, "", Exit::Status(status)).verdict;
        assert_eq!(verdict("proof\nsafe\n", 0), Verdict::Safe);
        assert_eq!(verdict("unsafe\n", 1), Verdict::Unsafe);
        assert_eq!(verdict("safe\n", 1), Verdict::Unknown);
        assert_eq!(verdict("", 0), Verdict::Unknown);
        assert_eq!(verdict(r#"{"verdict": "safe"}"#, 0), Verdict::Safe);
        assert_eq!(verdict(r#"{"verdict": "safe"}"#, 2), Verdict::Unknown);
        assert_eq!(read("safe", "", Exit::Signal(9)).verdict, Verdict::Unknown);
    }

    #[test]
    fn reports_are_read() {
        let text = r#"{"verdict": "unknown", "reason": "time limit\nreached", "reason_kind": "time", "nodes": 7,
            "solver_seconds": 0.5, "configuration": {"line": "", "axes": {"domain": "explicit"}}, "more": [1]}"#;
        let answer = read(text, "", Exit::Status(2));
        assert_eq!(answer.reason, "time limit reached");
        assert_eq!(answer.statistics.nodes, Some(7));
        assert_eq!(answer.statistics.iterations, None);
        assert_eq!(answer.axes["domain"], "explicit");
    }

    #[test]
    fn complaints_are_reasons() {
        let answer = read("", "\nerror: x.c:1:2: what?\nmore", Exit::Status(65));
        assert_eq!(answer.reason, "error: x.c:1:2: what?");
        assert!(read(&"x".repeat(1000), "", Exit::Status(2)).reason.len() < 210);
    }
}
