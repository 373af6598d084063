//! Programs of several files: which files there are, how each is preprocessed, and their texts as one.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::error::Error;
use crate::read;

/// A file of a program, and the options of its preprocessor.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    pub(crate) file: PathBuf,
    pub(crate) flags: Vec<String>,
    /// Where the preprocessor runs, if not here.
    pub(crate) folder: Option<PathBuf>,
}

/// Options of compilers that matter to the preprocessor and have a value, which may be a word of its own.
const FLAGS: [&str; 8] =
    ["-I", "-D", "-U", "-include", "-isystem", "-iquote", "-idirafter", "-imacros"];

/// The units of a compilation database, `compile_commands.json`; of these files only, if any are named.
pub(crate) fn of_project(project: &Path, chosen: &[PathBuf]) -> Result<Vec<Unit>, Error> {
    let problem = |what: &str| Error::Input(format!("error: `{}` {what}", project.display()));
    let text = read::text(project)?;
    let entries: Value = serde_json::from_str(&text)
        .map_err(|error| problem(&format!("is no compilation database: {error}")))?;
    let Some(entries) = entries.as_array() else {
        return Err(problem("is no compilation database: an array is expected"));
    };
    let chosen: Vec<PathBuf> = chosen.iter().map(|file| absolute(file)).collect();
    let mut units: Vec<Unit> = Vec::new();
    for entry in entries {
        let unit = unit(entry, project).ok_or_else(|| {
            problem("has an entry without `directory`, `file`, and `arguments` or `command`")
        })?;
        let file = absolute(&unit.file);
        let is_c = file.extension().is_some_and(|extension| extension == "c");
        let is_new = units.iter().all(|other| absolute(&other.file) != file);
        if is_c && is_new && (chosen.is_empty() || chosen.contains(&file)) {
            units.push(unit);
        }
    }
    for file in &chosen {
        if !units.iter().any(|unit| absolute(&unit.file) == *file) {
            return Err(problem(&format!("has no entry for `{}`", file.display())));
        }
    }
    if units.is_empty() { Err(problem("has no C files")) } else { Ok(units) }
}

/// A path without symbolic links where it exists.
fn absolute(file: &Path) -> PathBuf {
    fs::canonicalize(file).unwrap_or_else(|_| file.to_path_buf())
}

fn unit(entry: &Value, project: &Path) -> Option<Unit> {
    let beside = project.parent().unwrap_or(Path::new(""));
    let folder = beside.join(entry.get("directory")?.as_str()?);
    let file = folder.join(entry.get("file")?.as_str()?);
    let words: Vec<String> = match (entry.get("arguments"), entry.get("command")) {
        (Some(arguments), _) => {
            let words = arguments.as_array()?.iter().map(|word| Some(word.as_str()?.to_string()));
            words.collect::<Option<_>>()?
        }
        (None, Some(command)) => words(command.as_str()?),
        (None, None) => return None,
    };
    Some(Unit { file, flags: flags(&words), folder: Some(folder) })
}

/// The options among the words of a compiler's command that matter to the preprocessor.
fn flags(words: &[String]) -> Vec<String> {
    let mut flags = Vec::new();
    let mut rest = words.iter().skip(1);
    while let Some(word) = rest.next() {
        if FLAGS.contains(&word.as_str()) {
            flags.push(word.clone());
            flags.extend(rest.next().cloned());
        } else if word.starts_with("-std=") || FLAGS.iter().any(|flag| word.starts_with(flag)) {
            flags.push(word.clone());
        }
    }
    flags
}

/// The words of a command line, as a shell splits it.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), close) if open == close => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(letters.next()),
            (None, blank) if blank.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// The texts of several files as one. A pragma begins each but the first; those that no preprocessor made say by a line marker
/// where they come from.
pub(crate) fn joined(texts: Vec<(PathBuf, Vec<u8>)>) -> Vec<u8> {
    let mut all = Vec::new();
    for (file, text) in texts {
        if !all.is_empty() {
            all.extend_from_slice(b"\n#pragma lapidary_unit\n");
        }
        let name = file.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
        all.extend_from_slice(format!("# 1 \"{name}\"\n").as_bytes());
        all.extend_from_slice(&text);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_a_shell() {
        let split = words(r#"cc  -DNAME=\"a\ b\" '-I x' "y z" -c a.c"#);
        assert_eq!(split, ["cc", "-DNAME=\"a b\"", "-I x", "y z", "-c", "a.c"]);
    }

    #[test]
    fn options_of_the_preprocessor_are_kept() {
        let words = words(
            "gcc -O2 -Iinclude -D N=3 -DM -Wall -include x.h -std=c11 -isystem /y -o a.o -c a.c",
        );
        let kept =
            ["-Iinclude", "-D", "N=3", "-DM", "-include", "x.h", "-std=c11", "-isystem", "/y"];
        assert_eq!(flags(&words), kept);
    }
}
