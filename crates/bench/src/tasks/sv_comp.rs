//! What SV-COMP describes tasks with: lists of patterns (`.set`), task definitions (`.yml`), names of files.

use std::path::Path;

use saphyr::{LoadableYamlNode, Yaml};

use super::Task;
use crate::Error;
use crate::row::Verdict;

/// The patterns of a list, from the collection.
pub(super) fn patterns(collection: &Path, list: &Path) -> Result<Vec<String>, Error> {
    let path = collection.join(list);
    let text =
        std::fs::read_to_string(&path).map_err(|error| Error::file("read", &path, &error))?;
    let folder = list.parent().unwrap_or(Path::new(""));
    let lines =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(lines.map(|line| folder.join(line).to_string_lossy().into_owned()).collect())
}

/// The task of a file: what its definition says, or else its name.
pub(super) fn task(collection: &Path, file: &Path) -> Result<Task, Error> {
    let folder = file.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let mut task = Task {
        name: file.to_string_lossy().into_owned(),
        file: file.to_path_buf(),
        category: folder.into_owned(),
        expected: named_verdict(&file.to_string_lossy()),
        bits: String::new(),
        property: String::new(),
        set: 0,
    };
    if file.extension().is_some_and(|extension| extension == "yml" || extension == "yaml") {
        let path = collection.join(file);
        let text =
            std::fs::read_to_string(&path).map_err(|error| Error::file("read", &path, &error))?;
        let definition = definition(&text)
            .map_err(|what| Error::Experiment(format!("`{}`: {what}", path.display())))?;
        (task.expected, task.bits) = (definition.expected, definition.bits);
        let beside = |name| file.parent().unwrap_or(Path::new("")).join(name);
        task.property = definition
            .property
            .map_or_else(String::new, |name| beside(name).to_string_lossy().into_owned());
    }
    Ok(task)
}

/// The verdict in a name such as `sum_true-unreach-call.c`, as SV-COMP had it until 2019.
fn named_verdict(name: &str) -> Verdict {
    match (name.contains("true-unreach-call"), name.contains("false-unreach-call")) {
        (true, false) => Verdict::Safe,
        (false, true) => Verdict::Unsafe,
        _ => Verdict::Unknown,
    }
}

/// What a definition says about reachability.
#[derive(Debug, PartialEq)]
struct Definition {
    expected: Verdict,
    /// The number of bits of `long`.
    bits: String,
    /// The property file, from the definition.
    property: Option<String>,
}

fn definition(text: &str) -> Result<Definition, String> {
    let documents = Yaml::load_from_str(text).map_err(|error| error.to_string())?;
    let document = documents.first().ok_or("there is nothing in it")?;
    document
        .as_mapping_get("input_files")
        .ok_or("it is no task definition: there are no `input_files`")?;
    let properties = document.as_mapping_get("properties").and_then(Yaml::as_sequence);
    let reachability = properties.into_iter().flatten().find_map(|property| {
        let file = property.as_mapping_get("property_file")?.as_str()?;
        let is_reachability = file.contains("unreach") || file.contains("reachability");
        let expected = property.as_mapping_get("expected_verdict").and_then(Yaml::as_bool);
        is_reachability.then_some((file.to_string(), expected))
    });
    let expected = match &reachability {
        Some((_, Some(true))) => Verdict::Safe,
        Some((_, Some(false))) => Verdict::Unsafe,
        _ => Verdict::Unknown,
    };
    let model = document
        .as_mapping_get("options")
        .and_then(|options| options.as_mapping_get("data_model"))
        .and_then(Yaml::as_str);
    let bits = match model {
        Some("ILP32") => "32",
        Some("LP64") => "64",
        _ => "",
    };
    Ok(Definition { expected, bits: bits.into(), property: reachability.map(|(file, _)| file) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFINITION: &str = "format_version: '2.0'
input_files: 'a.i'
properties:
  - property_file: ../properties/no-overflow.prp
    expected_verdict: true
  - property_file: ../properties/unreach-call.prp
    expected_verdict: false
options:
  language: C
  data_model: LP64
";

    #[test]
    fn definitions_are_read() {
        let check = |text: &str, expected, bits: &str, property: Option<&str>| {
            let property = property.map(str::to_string);
            assert_eq!(definition(text), Ok(Definition { expected, bits: bits.into(), property }));
        };
        check(DEFINITION, Verdict::Unsafe, "64", Some("../properties/unreach-call.prp"));
        check("format_version: '2.0'\ninput_files: ['a.c']\n", Verdict::Unknown, "", None);
        let silent = DEFINITION.replace("    expected_verdict: false\n", "");
        check(&silent, Verdict::Unknown, "64", Some("../properties/unreach-call.prp"));
        assert!(definition("x: 1").unwrap_err().contains("no task definition"));
        assert!(definition("").is_err() && definition(": [").is_err());
    }

    #[test]
    fn names_tell_verdicts() {
        assert_eq!(named_verdict("l_true-unreach-call_false-termination.c"), Verdict::Safe);
        assert_eq!(named_verdict("l_false-unreach-call.i"), Verdict::Unsafe);
        assert_eq!(named_verdict("l.c"), Verdict::Unknown);
    }
}
