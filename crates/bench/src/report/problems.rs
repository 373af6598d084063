//! What must be looked at before anything else: wrong answers, answers that contradict each other, missing rows.

use indexmap::IndexMap;

use super::measurement::Results;
use super::table::{Cell, Table};
use crate::row::{Row, Verdict};

/// Tables of problems; each is there even if it is empty, to say so.
pub(super) struct Problems {
    pub(super) tables: Vec<Table>,
}

impl Problems {
    pub(super) fn new(results: &Results<'_>) -> Problems {
        Problems { tables: vec![wrong(results), contradicting(results)] }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.tables.iter().map(|table| table.rows.len()).sum()
    }
}

/// Answers that are not what is known.
fn wrong(results: &Results<'_>) -> Table {
    let rows = results.rows.iter().filter(|row| row.is_wrong());
    let rows: Vec<_> = rows
        .map(|row| {
            vec![
                Cell::text(&row.key.task),
                Cell::text(&row.key.configuration),
                Cell::number(row.key.repetition),
                Cell::text(row.expected.name()),
                Cell::text(row.result.name()).bold(),
            ]
        })
        .collect();
    Table {
        name: "wrong".into(),
        title: format!("Wrong verdicts: {}", count(rows.len())),
        note: String::new(),
        columns: ["task", "configuration", "repetition", "expected", "answer"]
            .map(Into::into)
            .into(),
        rows,
    }
}

/// Tasks that are safe to one configuration and unsafe to another: one of them is wrong, whatever is known.
fn contradicting(results: &Results<'_>) -> Table {
    let mut answers: IndexMap<&str, [Vec<&Row>; 2]> = IndexMap::new();
    for row in results.rows.iter().filter(|row| row.result.is_decided()) {
        let sides = answers.entry(&row.key.task).or_default();
        sides[usize::from(row.result == Verdict::Unsafe)].push(row);
    }
    let names = |rows: &[&Row]| {
        let mut names: Vec<&str> = rows.iter().map(|row| row.key.configuration.as_str()).collect();
        names.dedup();
        names.join(", ")
    };
    let both = answers.iter().filter(|(_, sides)| sides.iter().all(|side| !side.is_empty()));
    let rows: Vec<_> = both
        .map(|(task, [safe, unsafe_])| {
            vec![Cell::text(task), Cell::text(&names(safe)), Cell::text(&names(unsafe_))]
        })
        .collect();
    Table {
        name: "contradicting".into(),
        title: format!("Contradicting verdicts: {}", count(rows.len())),
        note: String::new(),
        columns: ["task", "safe", "unsafe"].map(Into::into).into(),
        rows,
    }
}

fn count(number: usize) -> String {
    if number == 0 { "none".into() } else { number.to_string() }
}
