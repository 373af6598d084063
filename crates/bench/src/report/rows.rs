//! The rows as CSV, with the columns of the first paper's Table 2 and some more.

use indexmap::IndexSet;

use super::format::cell;
use crate::Error;
use crate::row::Row;

/// All rows. There is a column for each axis that any of them has.
pub(super) fn csv(rows: &[Row]) -> Result<String, Error> {
    let cannot = |error: &dyn std::fmt::Display| Error::System(format!("rows.csv: {error}"));
    let axes: IndexSet<&str> =
        rows.iter().flat_map(|row| row.axes.keys().map(String::as_str)).collect();
    let mut writer = csv::Writer::from_writer(Vec::new());
    let before = ["model", "category", "expected", "configuration", "repetition"];
    let after = [
        "success",
        "termination",
        "result",
        "time_ms",
        "memory",
        "wall_ms",
        "iterations",
        "nodes",
        "explored",
        "precision_size",
        "refinements",
        "solver_calls",
        "solver_ms",
        "exit",
        "reason",
        "metered",
    ];
    let headings = before.into_iter().chain(axes.iter().copied()).chain(after);
    writer.write_record(headings.map(cell)).map_err(|error| cannot(&error))?;
    for row in rows {
        let key = &row.key;
        let mut cells = vec![
            key.task.clone(),
            row.category.clone(),
            row.expected.name().into(),
            key.configuration.clone(),
            key.repetition.to_string(),
        ];
        cells.extend(axes.iter().map(|axis| row.axes.get(*axis).cloned().unwrap_or_default()));
        cells.extend(measured(row));
        writer.write_record(cells.iter().map(|text| cell(text))).map_err(|error| cannot(&error))?;
    }
    let bytes = writer.into_inner().map_err(|error| cannot(&error))?;
    String::from_utf8(bytes).map_err(|error| cannot(&error))
}

fn measured(row: &Row) -> [String; 16] {
    let count = |count: Option<u64>| count.map_or_else(String::new, |count| count.to_string());
    let millis = |seconds: f64| format!("{:.0}", seconds * 1000.0);
    let statistics = &row.statistics;
    [
        row.is_success().to_string(),
        row.termination.name().into(),
        row.result.name().into(),
        millis(row.cpu_seconds),
        row.memory_bytes.to_string(),
        millis(row.wall_seconds),
        count(statistics.iterations),
        count(statistics.nodes),
        count(statistics.explored),
        count(statistics.precision_size),
        count(statistics.refinements),
        count(statistics.solver_calls),
        statistics.solver_seconds.map_or_else(String::new, millis),
        row.exit.clone(),
        row.reason.clone(),
        row.metered.clone(),
    ]
}
