//! SV-COMP task definitions (`.yml`) and property files (`.prp`).
//!
//! Both are read strictly: a part that is not understood is an error. A verdict about another property than the one
//! that was asked for would be a wrong verdict.

use saphyr::{LoadableYamlNode, Yaml};

use std::collections::BTreeSet;

use crate::c::checks::Check;
use crate::c::types::DataModel;

/// A property that is supported, with the usual names.
pub const SUPPORTED_PROPERTY: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )";

/// The content of a task definition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskFile {
    /// The programs, relative to the definition.
    pub input_files: Vec<String>,
    /// The property files, relative to the definition.
    pub property_files: Vec<String>,
    /// The sizes of the types.
    pub model: Option<DataModel>,
}

/// Reads a task definition. The error completes a sentence about the file.
pub fn task_file(text: &str) -> Result<TaskFile, String> {
    let documents =
        Yaml::load_from_str(text).map_err(|error| format!("is not valid YAML: {error}"))?;
    let [document] = &documents[..] else {
        return Err("is not a task definition: it must have one YAML document".into());
    };
    let inputs = document
        .as_mapping_get("input_files")
        .ok_or("is not a task definition: it has no `input_files`")?;
    let input_files = strings(inputs).ok_or("has `input_files` that are not names of files")?;
    let property_files = match document.as_mapping_get("properties") {
        None => Vec::new(),
        Some(properties) => property_files(properties)
            .ok_or("has `properties` that are not a list of entries with a `property_file`")?,
    };
    let option = |name: &str| document.as_mapping_get("options")?.as_mapping_get(name);
    let word = |name: &str| match option(name) {
        None => Ok(None),
        Some(value) => value.as_str().map(Some).ok_or(format!("has no text for `{name}`")),
    };
    if let Some(other) = word("language")?.filter(|language| *language != "C") {
        return Err(format!("is about the language `{other}`; only `C` is supported"));
    }
    let model = match word("data_model")? {
        None => None,
        Some("ILP32") => Some(DataModel::Ilp32),
        Some("LP64") => Some(DataModel::Lp64),
        Some(other) => {
            return Err(format!("has the data model `{other}`; `ILP32` and `LP64` are supported"));
        }
    };
    Ok(TaskFile { input_files, property_files, model })
}

/// One text, or a list of texts with at least one element.
fn strings(node: &Yaml<'_>) -> Option<Vec<String>> {
    match node.as_sequence() {
        Some(list) => {
            let texts = list.iter().map(|item| Some(item.as_str()?.to_owned()));
            texts.collect::<Option<Vec<String>>>().filter(|texts| !texts.is_empty())
        }
        None => Some(vec![node.as_str()?.to_owned()]),
    }
}

fn property_files(properties: &Yaml<'_>) -> Option<Vec<String>> {
    let file = |entry: &Yaml<'_>| Some(entry.as_mapping_get("property_file")?.as_str()?.to_owned());
    properties.as_sequence()?.iter().map(file).collect()
}

/// What property files ask about the executions from the start of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The function that is called first.
    pub entry: String,
    /// The function that must not be called, if one is named.
    pub error_function: Option<String>,
    /// What is checked.
    pub checks: BTreeSet<Check>,
}

impl Property {
    /// Both properties; the error says why they cannot be asked together.
    pub fn join(self, other: Property) -> Result<Property, String> {
        if self.entry != other.entry {
            return Err(format!("`{}` and `{}` are both entry functions", self.entry, other.entry));
        }
        let error_function = match (self.error_function, other.error_function) {
            (Some(a), Some(b)) if a != b => {
                return Err(format!(
                    "calls of `{a}` and of `{b}` are asked about; one at a time is supported"
                ));
            }
            (a, b) => a.or(b),
        };
        let checks = self.checks.into_iter().chain(other.checks).collect();
        Ok(Property { entry: self.entry, error_function, checks })
    }
}

/// The formulas of properties, and what they check; `NAME` is a function.
const FORMULAS: [(&str, &[Check]); 6] = [
    ("! call ( NAME ( ) )", &[Check::Assertion]),
    ("! overflow", &[Check::Overflow]),
    ("valid - deref", &[Check::Bounds, Check::Pointer]),
    ("valid - free", &[Check::Free]),
    ("valid - memtrack", &[Check::Leak]),
    ("valid - memcleanup", &[Check::Leak, Check::Cleanup]),
];

/// Reads a property file, such as `CHECK( init(main()), LTL(G ! call(reach_error())) )`; several are asked together. The
/// error describes the property that the file has instead.
pub fn property(text: &str) -> Result<Property, String> {
    let tokens = tokens(text);
    let mut rest = &tokens[..];
    let mut all: Option<Property> = None;
    while !rest.is_empty() {
        let Some((property, n_tokens)) = first(rest) else { return Err(shown(text)) };
        if property.error_function.as_ref() == Some(&property.entry) {
            return Err(format!(
                "`{}` is the entry function and must not be called",
                property.entry
            ));
        }
        all = Some(match all {
            Some(before) => before.join(property)?,
            None => property,
        });
        rest = &rest[n_tokens..];
    }
    all.ok_or_else(|| shown(text))
}

/// The property that the tokens start with, and the number of its tokens.
fn first(tokens: &[&str]) -> Option<(Property, usize)> {
    FORMULAS.iter().find_map(|(formula, checks)| {
        let pattern = format!("CHECK ( init ( NAME ( ) ) , LTL ( G {formula} ) )");
        let pattern: Vec<&str> = pattern.split(' ').collect();
        let mut names = Vec::new();
        let is_it = pattern.len() <= tokens.len()
            && pattern.iter().zip(tokens).all(|(expected, token)| match *expected {
                "NAME" => {
                    names.push((*token).to_owned());
                    is_name(token)
                }
                _ => expected == token,
            });
        let mut names = names.into_iter().filter(|_| is_it);
        let (entry, error_function) = (names.next()?, names.next());
        let checks = checks.iter().copied().collect();
        Some((Property { entry, error_function, checks }, pattern.len()))
    })
}

/// The text in one line.
fn shown(text: &str) -> String {
    match text.split_whitespace().collect::<Vec<_>>().join(" ") {
        empty if empty.is_empty() => "it is empty".into(),
        line => format!("`{line}`"),
    }
}

/// Names, and single characters between them.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let word = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        let (token, after) = rest.split_at(if word == 0 { first.len_utf8() } else { word });
        tokens.push(token);
        rest = after.trim_start();
    }
    tokens
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && token.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_read() {
        let text = "format_version: '2.0'\n\n# a comment\ninput_files: 'a.i'\nproperties:\n  - property_file: \
                    ../properties/unreach-call.prp\n    expected_verdict: false\noptions:\n  language: C\n  \
                    data_model: LP64\n";
        let task = task_file(text).expect("a task");
        assert_eq!(task.input_files, ["a.i"]);
        assert_eq!(task.property_files, ["../properties/unreach-call.prp"]);
        assert_eq!(task.model, Some(DataModel::Lp64));
        let inputs = |text: &str| task_file(text).map(|task| task.input_files);
        assert_eq!(inputs("input_files:\n  - a.c\n  - \"b.c\"\n").unwrap(), ["a.c", "b.c"]);
        assert_eq!(inputs("input_files: [a.c, 'b.c']\n").unwrap(), ["a.c", "b.c"]);
    }

    /// Any form of YAML: a property that is overlooked would be replaced by the usual one.
    #[test]
    fn properties_of_tasks_are_found_in_any_notation() {
        let files = |text: &str| task_file(text).map(|task| task.property_files);
        let flow =
            "{input_files: a.c, properties: [{property_file: x.prp}, {\"property_file\": y.prp}]}";
        assert_eq!(files(flow).unwrap(), ["x.prp", "y.prp"]);
        let spaced = "input_files: a.c\nproperties:\n -\n   property_file : x.prp\n";
        assert_eq!(files(spaced).unwrap(), ["x.prp"]);
        assert_eq!(files("input_files: a.c\n").unwrap(), [""; 0]);
    }

    #[test]
    fn tasks_that_are_not_understood_are_errors() {
        let check = |text: &str, expected: &str| {
            let problem = task_file(text).unwrap_err();
            assert!(problem.contains(expected), "{text}: {problem}");
        };
        check("int main(void) { return 0; }", "is not a task definition");
        check("", "is not a task definition");
        check("a: [", "is not valid YAML");
        check("input_files: {a: b}\n", "`input_files`");
        check("input_files: []\n", "`input_files`");
        check("input_files: a.c\nproperties: x.prp\n", "`properties`");
        check("input_files: a.c\nproperties: [x.prp]\n", "`properties`");
        check("input_files: a.c\nproperties: [{file: x.prp}]\n", "`properties`");
        check("input_files: a.c\noptions: {data_model: LLP64}\n", "the data model `LLP64`");
        check("input_files: a.c\noptions: {language: Java}\n", "the language `Java`");
    }

    #[test]
    fn properties_are_read() {
        let read = |text: &str| property(text).map(|p| (p.entry, p.error_function.unwrap()));
        let names = |a: &str, b: &str| Ok((a.to_string(), b.to_string()));
        let check = |formulas: &[&str], expected: &[Check]| {
            let line = |formula: &&str| format!("CHECK( init(main()), LTL(G {formula}) )\n");
            let text: String = formulas.iter().map(line).collect();
            let property = property(&text).expect("a property");
            assert!(property.checks.iter().eq(expected), "{text}: {property:?}");
        };
        check(&["! overflow"], &[Check::Overflow]);
        check(&["valid-memcleanup"], &[Check::Leak, Check::Cleanup]);
        let memory = ["valid-free", "valid-deref", "valid-memtrack"];
        check(&memory, &[Check::Bounds, Check::Pointer, Check::Free, Check::Leak]);
        check(&["! overflow", "! call(f())"], &[Check::Assertion, Check::Overflow]);
        check(&["! call(f())", "! call(f())"], &[Check::Assertion]);
        assert_eq!(read(SUPPORTED_PROPERTY), names("main", "reach_error"));
        let dense = "\tCHECK(init(f2()),LTL(G!call(__VERIFIER_error())))\r\n";
        assert_eq!(read(dense), names("f2", "__VERIFIER_error"));
    }

    #[test]
    fn other_properties_are_errors() {
        let check = |text: &str, expected: &str| {
            let problem = property(text).unwrap_err();
            assert!(problem.contains(expected), "{text}: {problem}");
        };
        check("CHECK( init(main()), LTL(G ! data-race) )", "G ! data-race");
        check("CHECK( init(main()), LTL(G valid_deref) )", "G valid_deref");
        check("CHECK( init(main()), LTL(G valid-deref & valid-free) )", "valid-deref & valid-free");
        check("CHECK( init(main()), LTL(F end) )", "F end");
        check("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )", "DECISIONEDGE");
        check(" \n", "it is empty");
        let other = SUPPORTED_PROPERTY.replace("reach_error", "f");
        check(&format!("{SUPPORTED_PROPERTY}{other}"), "`reach_error` and of `f`");
        let other = SUPPORTED_PROPERTY.replace("main", "f");
        check(&format!("{SUPPORTED_PROPERTY}{other}"), "`main` and `f` are both entry functions");
        check(&format!("{SUPPORTED_PROPERTY}\nCHECK( init(main()), LTL(F end) )"), "F end");
        // No part may be overlooked.
        for (part, other) in [
            ("G !", "F !"),
            ("G !", "G"),
            ("G ! call", "! call"),
            ("G !", "G ! X"),
            ("reach_error()", "reach_error(int)"),
            ("reach_error()", "reach error()"),
            ("reach_error())", "reach_error()) & G ! call(f())"),
            ("main()", "main(1)"),
            ("init(main()), ", ""),
            ("CHECK", "check"),
            ("LTL", "CTL"),
            (" )", ""),
            (" )", " ) )"),
            ("main", "7"),
            ("main", "ma\u{ef}n"),
        ] {
            let text = SUPPORTED_PROPERTY.replace(part, other);
            assert!(property(&text).is_err(), "{text}");
        }
        check("CHECK( init(f()), LTL(G ! call(f())) )", "`f` is the entry function");
    }
}
