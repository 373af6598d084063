//! Task definitions (`.yml`) and properties (`.prp`) as the competition writes them, read by their content.

use super::types::DataModel;

/// What a task definition says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskFile {
    /// The programs, relative to the definition.
    pub input_files: Vec<String>,
    /// The properties, relative to the definition.
    pub property_files: Vec<String>,
    /// The sizes of the types.
    pub model: Option<DataModel>,
}

/// Reads a task definition; none if the text is not one. The format is a small part of YAML: keys and
/// values on lines, lists with dashes or in brackets.
pub fn task_file(text: &str) -> Option<TaskFile> {
    let mut task = TaskFile::default();
    let mut in_inputs = false;
    for line in text.lines() {
        let line = line.split(" #").next().unwrap_or_default();
        let content = line.trim().trim_start_matches("- ").trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let Some((key, value)) = content.split_once(':') else {
            if in_inputs {
                task.input_files.push(unquoted(content));
            }
            continue;
        };
        let value = value.trim();
        in_inputs = key == "input_files" && value.is_empty();
        match key.trim() {
            "input_files" => task.input_files.extend(list(value)),
            "property_file" => task.property_files.push(unquoted(value)),
            "data_model" => {
                task.model = match unquoted(value).as_str() {
                    "ILP32" => Some(DataModel::Ilp32),
                    "LP64" => Some(DataModel::Lp64),
                    _ => None,
                }
            }
            _ => {}
        }
    }
    (!task.input_files.is_empty()).then_some(task)
}

/// The values of `[a, b]`, or of a single one.
fn list(value: &str) -> Vec<String> {
    let inner = value.strip_prefix('[').and_then(|value| value.strip_suffix(']'));
    inner
        .unwrap_or(value)
        .split(',')
        .map(|item| unquoted(item.trim()))
        .filter(|item| !item.is_empty())
        .collect()
}

fn unquoted(value: &str) -> String {
    value.trim_matches(['\'', '"']).into()
}

/// The function that a property forbids to call: `CHECK( init(main()), LTL(G ! call(name())) )`. An error
/// says which other property it is.
pub fn error_function(text: &str) -> Result<String, String> {
    let dense: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let formula = dense.split("LTL(").nth(1).unwrap_or(&dense);
    let function = formula.strip_prefix("G!call(").and_then(|rest| rest.split(['(', ')']).next());
    match function.filter(|name| !name.is_empty()) {
        Some(name) => Ok(name.into()),
        None => Err(text.split_whitespace().collect::<Vec<_>>().join(" ")),
    }
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
        assert_eq!(
            task_file("input_files:\n  - a.c\n  - \"b.c\"\n").map(|task| task.input_files.len()),
            Some(2)
        );
        assert_eq!(
            task_file("input_files: [a.c, 'b.c']\n").map(|task| task.input_files.len()),
            Some(2)
        );
        assert_eq!(task_file("int main(void) { return 0; }"), None);
    }

    #[test]
    fn properties_are_read() {
        let text = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
        assert_eq!(error_function(text).as_deref(), Ok("reach_error"));
        assert!(error_function("CHECK( init(main()), LTL(G ! overflow) )").is_err());
        assert!(error_function("").is_err());
    }
}
