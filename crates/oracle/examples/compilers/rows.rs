//! One row of JSON for each program, and what all of them come to.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use lapidary_oracle::c::{Answer, Claim, Verdict, is_wrong};
use serde_json::{Value, json};

/// What was asked about a program.
#[derive(Debug)]
pub(crate) struct Row {
    number: u64,
    value: Value,
}

impl Row {
    pub(crate) fn new(number: u64, bits: &str, is_open: bool, differs: bool) -> Row {
        let value = json!({
            "number": number, "bits": bits, "open": is_open, "differs": differs, "claims": []
        });
        Row { number, value }
    }

    pub(crate) fn add(&mut self, claim: &Claim, answer: &Answer) {
        let asked = json!({
            "claim": claim.name,
            "verdict": answer.verdict.map(Verdict::word),
            "line": answer.line,
            "wrong": is_wrong(claim, answer),
            "cpu": answer.cpu.as_secs_f64(),
        });
        if let Some(claims) = self.value["claims"].as_array_mut() {
            claims.push(asked);
        }
    }
}

/// All rows, also those of earlier calls.
#[derive(Debug)]
pub(crate) struct Rows {
    file: Option<File>,
    values: Vec<Value>,
    numbers: BTreeSet<u64>,
}

impl Rows {
    /// The rows of a file, which goes on with new ones.
    pub(crate) fn open(path: Option<&Path>) -> Result<Rows, String> {
        let Some(path) = path else {
            return Ok(Rows { file: None, values: Vec::new(), numbers: BTreeSet::new() });
        };
        let text = if path.exists() { fs::read_to_string(path) } else { Ok(String::new()) };
        let text = text.map_err(|error| error.to_string())?;
        // A row that was cut off is made again.
        let values: Vec<Value> =
            text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let numbers = values.iter().filter_map(|value| value["number"].as_u64()).collect();
        let file = File::options().append(true).create(true).open(path);
        let mut file = file.map_err(|error| error.to_string())?;
        if !text.is_empty() && !text.ends_with('\n') {
            writeln!(file).map_err(|error| error.to_string())?;
        }
        Ok(Rows { file: Some(file), values, numbers })
    }

    pub(crate) fn has(&self, number: u64) -> bool {
        self.numbers.contains(&number)
    }

    pub(crate) fn push(&mut self, row: Row) -> Result<(), String> {
        if let Some(file) = &mut self.file {
            writeln!(file, "{}", row.value).map_err(|error| error.to_string())?;
        }
        self.numbers.insert(row.number);
        self.values.push(row.value);
        Ok(())
    }

    fn claims(&self) -> impl Iterator<Item = &Value> {
        self.values.iter().filter_map(|row| row["claims"].as_array()).flatten()
    }

    /// How many claims about these programs are decided, and how many there are.
    fn decided<'a>(rows: impl Iterator<Item = &'a Value>) -> (usize, usize) {
        let claims: Vec<&Value> =
            rows.filter_map(|row| row["claims"].as_array()).flatten().collect();
        (claims.iter().filter(|claim| !claim["verdict"].is_null()).count(), claims.len())
    }

    pub(crate) fn n_wrong(&self) -> usize {
        self.claims().filter(|claim| claim["wrong"] == true).count()
    }

    /// Shares, reasons, and the numbers of what is wrong.
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    pub(crate) fn summary(&self) -> String {
        let (n_decided, n_claims) = Self::decided(self.values.iter());
        let (n_closed, n_all) =
            Self::decided(self.values.iter().filter(|row| row["open"] == false));
        let cpu: f64 = self.claims().filter_map(|claim| claim["cpu"].as_f64()).sum();
        let with = |key: &str| self.values.iter().filter(|row| row[key] == true).count();
        let mut text = format!(
            "{} programs, {} open, compilers differ in {}\n{n_claims} claims, {n_decided} decided ({:.1} %), {} wrong, {cpu:.0} CPU s\n\
             {n_all} claims where C defines the result, {n_closed} decided ({:.1} %)\n",
            self.values.len(),
            with("open"),
            with("differs"),
            100.0 * n_decided as f64 / n_claims.max(1) as f64,
            self.n_wrong(),
            100.0 * n_closed as f64 / n_all.max(1) as f64,
        );
        let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
        for claim in self.claims().filter(|claim| claim["verdict"].is_null()) {
            let line = claim["line"].as_str().unwrap_or_default();
            let line = line.split(" at ").next().unwrap_or_default();
            *reasons.entry(line.chars().take(100).collect()).or_default() += 1;
        }
        let mut reasons: Vec<_> = reasons.into_iter().collect();
        reasons.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        for (reason, n) in reasons {
            let _ = writeln!(text, "{n:6}  {reason}");
        }
        let is_wrong = |row: &&Value| {
            row["claims"].as_array().is_some_and(|all| all.iter().any(|c| c["wrong"] == true))
        };
        for row in self.values.iter().filter(is_wrong) {
            let _ = writeln!(text, "wrong: {row}");
        }
        text
    }
}
