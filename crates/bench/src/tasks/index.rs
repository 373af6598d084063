//! CSV indexes of tasks.

use std::path::Path;

use indexmap::IndexMap;

use super::Task;
use crate::Error;
use crate::experiment::Patterns;
use crate::row::Verdict;

/// The rows that the filter lets through. Columns are found by name: `file`, `expected`, `bits`, `property`, and
/// for the category `category`, `kind` or `format`.
pub(super) fn read(
    collection: &Path,
    index: &Path,
    filter: &IndexMap<String, Patterns>,
) -> Result<Vec<Task>, Error> {
    let path = collection.join(index);
    let problem = |what: String| Error::Experiment(format!("`{}`: {what}", path.display()));
    let file = std::fs::File::open(&path).map_err(|error| Error::file("read", &path, &error))?;
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(file);
    let headers = reader.headers().map_err(|error| problem(error.to_string()))?.clone();
    let column = |name: &str| headers.iter().position(|header| header.trim() == name);
    let file = column("file").ok_or_else(|| problem("there is no column `file`".into()))?;
    let category = ["category", "kind", "format"].into_iter().find_map(column);
    for name in filter.keys() {
        column(name).ok_or_else(|| problem(format!("there is no column `{name}`")))?;
    }
    let mut tasks = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| problem(error.to_string()))?;
        let cell = |column: Option<usize>| {
            column.and_then(|column| record.get(column)).unwrap_or_default().trim()
        };
        let mut is_wanted = true;
        for (name, patterns) in filter {
            is_wanted &= patterns.matches(cell(column(name)))?;
        }
        if !is_wanted {
            continue;
        }
        // A name of a property that ends so means the only one of the file.
        let property = Some(cell(column("property")))
            .filter(|name| Path::new(name).extension().is_none_or(|e| e != "prp"));
        let property = property.unwrap_or_default().to_string();
        let file = cell(Some(file)).to_string();
        tasks.push(Task {
            name: if property.is_empty() { file.clone() } else { format!("{file}#{property}") },
            file: file.into(),
            category: cell(category).into(),
            expected: Verdict::of(cell(column("expected"))),
            bits: cell(column("bits")).into(),
            property,
            set: 0,
        });
    }
    Ok(tasks)
}
