//! The tasks of an experiment: rows of an index, files, lists of task definitions.

mod index;
mod sv_comp;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::experiment::TaskSet;
use crate::row::Verdict;

/// A task.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct Task {
    /// Its file, from the collection if it lies there, and its property if the file has several.
    pub name: String,
    /// The file, from the collection.
    pub file: PathBuf,
    /// Its category.
    pub category: String,
    /// What is known to be right; `unknown` if nothing is.
    pub expected: Verdict,
    /// The number of bits of `long`, for C; empty if nobody says.
    pub bits: String,
    /// The name of the property, if not the file's only one, or its file (`.prp`), from the collection.
    pub property: String,
    /// The number of the task set in the experiment.
    pub set: usize,
}

/// The tasks of all sets, each once: the first set that has a task keeps it.
pub fn tasks(sets: &[TaskSet], collection: &Path) -> Result<Vec<Task>, Error> {
    let (mut all, mut names) = (Vec::new(), BTreeSet::new());
    for (number, set) in sets.iter().enumerate() {
        let mut found = match &set.index {
            Some(index) => index::read(collection, index, &set.filter)?,
            None => Vec::new(),
        };
        for pattern in &set.files {
            for file in files(collection, pattern)? {
                found.push(sv_comp::task(collection, &file)?);
            }
        }
        for list in &set.sets {
            for pattern in sv_comp::patterns(collection, list)? {
                for file in files(collection, &pattern)? {
                    found.push(sv_comp::task(collection, &file)?);
                }
            }
        }
        if found.is_empty() {
            return Err(Error::Experiment(format!(
                "task set {} has no tasks in `{}`",
                number + 1,
                collection.display()
            )));
        }
        found.retain(|task| names.insert(task.name.clone()));
        all.extend(found.into_iter().map(|task| Task {
            category: set.category.clone().unwrap_or(task.category),
            set: number,
            ..task
        }));
    }
    Ok(all)
}

/// The files that a pattern matches, from the collection, sorted.
fn files(collection: &Path, pattern: &str) -> Result<Vec<PathBuf>, Error> {
    let escaped = glob::Pattern::escape(&collection.to_string_lossy());
    let whole = Path::new(&escaped).join(pattern);
    let paths = glob::glob(&whole.to_string_lossy())
        .map_err(|error| Error::Experiment(format!("the pattern `{pattern}`: {error}")))?;
    let mut found = Vec::new();
    for path in paths {
        let path = path.map_err(|error| Error::file("read", error.path(), error.error()))?;
        found.push(path.strip_prefix(collection).map(Path::to_path_buf).unwrap_or(path));
    }
    Ok(found)
}

/// At most `most` tasks: as many of each category as there are, in turns, and of a category those that lie evenly
/// spread over it, since neighbours in an index are alike.
pub fn sample(tasks: Vec<Task>, most: usize) -> Vec<Task> {
    let mut categories: indexmap::IndexMap<String, usize> = indexmap::IndexMap::new();
    tasks.iter().for_each(|task| *categories.entry(task.category.clone()).or_default() += 1);
    let mut shares = vec![0; categories.len()];
    let mut left = most.min(tasks.len());
    while left > 0 {
        for (share, size) in shares.iter_mut().zip(categories.values()) {
            if left > 0 && *share < *size {
                *share += 1;
                left -= 1;
            }
        }
    }
    let mut seen = vec![0; categories.len()];
    let is_chosen = |task: &Task| {
        let category = categories.get_index_of(&task.category).expect("it was counted");
        let (share, size, i) = (shares[category], categories[category], seen[category]);
        seen[category] += 1;
        // The i-th of `size` is taken where i·share/size reaches the next whole number.
        (i * share) / size != ((i + 1) * share) / size
    };
    let mut is_chosen = is_chosen;
    tasks.into_iter().filter(|task| is_chosen(task)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_fair_and_spread() {
        let task = |name: &str, category: &str| Task {
            name: name.into(),
            file: name.into(),
            category: category.into(),
            expected: Verdict::Safe,
            bits: String::new(),
            property: String::new(),
            set: 0,
        };
        let tasks: Vec<_> = (0..10)
            .map(|i| task(&format!("a{i}"), "a"))
            .chain((0..2).map(|i| task(&format!("b{i}"), "b")))
            .collect();
        let names = |most| {
            sample(tasks.clone(), most).into_iter().map(|task| task.name).collect::<Vec<_>>()
        };
        assert_eq!(names(7), ["a1", "a3", "a5", "a7", "a9", "b0", "b1"]);
        assert_eq!(names(2), ["a9", "b1"]);
        assert_eq!(names(100).len(), 12);
    }
}
