//! Tables of what became of the mutants.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::compile::Mutant;
use crate::run::{Fate, Row};

/// Mutants of which somebody argued that they change nothing.
///
/// A block of lines for each, with an empty line between them: the file below `crates/frontend/src/c`, the line of the
/// source, the change (`< -> <=`), and the argument. A line that starts with `#` is a remark.
#[derive(Debug)]
pub(crate) struct Equivalent(Vec<Argument>);

#[derive(Debug)]
struct Argument {
    file: String,
    source: String,
    change: String,
}

impl Equivalent {
    pub(crate) fn read(path: &Path) -> Result<Equivalent, String> {
        let text = fs::read_to_string(path).unwrap_or_default();
        Equivalent::parse(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    fn parse(text: &str) -> Result<Equivalent, String> {
        let lines: Vec<_> =
            text.lines().filter(|line| !line.starts_with('#')).map(str::trim).collect();
        let blocks = lines.split(|line| line.is_empty()).filter(|block| !block.is_empty());
        let argument = |block: &[&str]| match block {
            [file, source, change, _, ..] => {
                let [file, source, change] = [file, source, change].map(ToString::to_string);
                Ok(Argument { file, source, change })
            }
            _ => Err(format!("a block has four lines: {}", block.join(" / "))),
        };
        Ok(Equivalent(blocks.map(argument).collect::<Result<_, _>>()?))
    }

    pub(crate) fn has(&self, mutant: &Mutant) -> bool {
        let change = format!("{} -> {}", mutant.from, mutant.to);
        self.0.iter().any(|argument| {
            mutant.file.ends_with(&format!("/c/{}", argument.file))
                && mutant.source == argument.source
                && change == argument.change
        })
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    caught: usize,
    timeout: usize,
    survived: usize,
    unreached: usize,
    equivalent: usize,
}

impl Counts {
    fn add(&mut self, fate: Fate, is_equivalent: bool) {
        *match (fate, is_equivalent) {
            (Fate::Caught, _) => &mut self.caught,
            (Fate::Timeout, _) => &mut self.timeout,
            (_, true) => &mut self.equivalent,
            (Fate::Survived, false) => &mut self.survived,
            (Fate::Unreached, false) => &mut self.unreached,
        } += 1;
    }

    fn line(&self, name: &str) -> String {
        let all = self.caught + self.timeout + self.survived + self.unreached;
        let share = 100.0 * (self.caught + self.timeout) as f64 / all.max(1) as f64;
        let Counts { caught, timeout, survived, unreached, equivalent } = self;
        format!(
            "| {name} | {} | {caught} | {timeout} | {survived} | {unreached} | {equivalent} | {share:.0} % |\n",
            all + equivalent
        )
    }
}

/// A table by files and by operators, and the list of mutants that nothing caught. The share is of those that are
/// not equivalent.
pub(crate) fn report(rows: &[Row], equivalent: &Equivalent) -> String {
    let mut files: BTreeMap<&str, Counts> = BTreeMap::new();
    let mut operators: BTreeMap<&str, Counts> = BTreeMap::new();
    let mut total = Counts::default();
    for row in rows {
        let is_equivalent = equivalent.has(&row.mutant);
        let name =
            row.mutant.file.split_once("/c/").map_or(row.mutant.file.as_str(), |(_, name)| name);
        files.entry(name).or_default().add(row.fate, is_equivalent);
        operators.entry(&row.mutant.operator).or_default().add(row.fate, is_equivalent);
        total.add(row.fate, is_equivalent);
    }
    let mut out = String::new();
    for (title, counts) in [("file", &files), ("operator", &operators)] {
        let _ = writeln!(
            out,
            "| {title} | mutants | caught | timeout | survived | not reached | equivalent | caught or timeout |"
        );
        out.push_str("|---|---|---|---|---|---|---|---|\n");
        for (name, counts) in counts {
            out.push_str(&counts.line(name));
        }
        out.push_str(&total.line("all"));
        out.push('\n');
    }
    for row in rows.iter().filter(|row| row.fate > Fate::Timeout && !equivalent.has(&row.mutant)) {
        let Row { mutant, fate, .. } = row;
        let Mutant { file, line, column, from, to, source, .. } = mutant;
        let _ = writeln!(out, "{fate:?}: {file}:{line}:{column}: {from} -> {to}\n    {source}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_name_a_place_by_its_text() {
        let text = "# A remark\nlower/memory.rs\nif a < b {\n< -> <=\nThey are never equal.\n";
        let equivalent = Equivalent::parse(text).unwrap();
        let mutant = |to: &str, source: &str| Mutant {
            number: 1,
            file: "crates/frontend/src/c/lower/memory.rs".into(),
            line: 7,
            column: 1,
            operator: "comparison".into(),
            from: "<".into(),
            to: to.into(),
            source: source.into(),
        };
        assert!(equivalent.has(&mutant("<=", "if a < b {")));
        assert!(!equivalent.has(&mutant(">=", "if a < b {")));
        assert!(!equivalent.has(&mutant("<=", "if a < c {")));
        assert!(Equivalent::parse("lower/memory.rs\nif a < b {\n< -> <=\n").is_err());
    }
}
