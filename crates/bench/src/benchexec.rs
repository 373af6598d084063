//! The same experiment for BenchExec: a benchmark definition, a definition of each task, the tool-info module.
//!
//! Repetitions are left to BenchExec's user, since its definitions have none.

use std::fmt::Write;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::Error;
use crate::configurations::{self, Configuration};
use crate::experiment::any_matches;
use crate::plan::Plan;
use crate::row::Verdict;
use crate::store;
use crate::tasks::Task;

/// The tool-info module.
const MODULE: &str = include_str!("../../../tools/benchexec/lapidary.py");

const PROPERTY: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";

const HEADER: &str = "<?xml version=\"1.0\"?>
<!DOCTYPE benchmark PUBLIC \"+//IDN sosy-lab.org//DTD BenchExec benchmark 2.3//EN\" \"https://www.sosy-lab.org/benchexec/benchmark-2.3.dtd\">
";

/// The columns of a table, besides those that BenchExec has by itself.
const COLUMNS: [&str; 7] = [
    "iterations",
    "nodes",
    "explored",
    "precision_size",
    "refinements",
    "solver_calls",
    "solver_seconds",
];

/// Writes everything into a folder; says how to use it.
pub fn write(plan: &Plan, folder: &Path) -> Result<String, Error> {
    if let Some(other) = plan.configurations.iter().find(|one| one.command.is_some()) {
        return Err(Error::Experiment(format!(
            "`{}` is another tool, which needs a definition of its own: leave it out with `--configurations`",
            other.name
        )));
    }
    let tasks = folder.join("tasks");
    fs::create_dir_all(&tasks).map_err(|error| Error::file("make", &tasks, &error))?;
    let folder = folder.canonicalize().map_err(|error| Error::file("find", folder, &error))?;
    let put = |name: &str, text: &str| {
        let path = folder.join(name);
        store::replace(&path, text)
    };
    put("lapidary.py", MODULE)?;
    put("tasks/unreach-call.prp", PROPERTY)?;
    for (i, task) in plan.tasks.iter().enumerate() {
        let file = relative(&folder.join("tasks"), &plan.collection.join(&task.file));
        put(&definition_name(i, task), &definition(task, &file, &plan.property(task)))?;
    }
    let sets = sets(plan);
    for (name, members) in &sets {
        let lines = members.iter().map(|i| definition_name(*i, &plan.tasks[*i]));
        let lines = lines.map(|name| name.replace("tasks/", "") + "\n");
        put(&format!("tasks/{name}.set"), &lines.collect::<String>())?;
    }
    let name = format!("{}.xml", plan.name);
    put(&name, &benchmark(plan, &sets)?)?;
    Ok(format!(
        "{n} tasks, {c} run definitions. With lapidary on the PATH:\n  cd {folder} && PYTHONPATH=. benchexec {name}\n",
        n = plan.tasks.len(),
        c = plan.configurations.len(),
        folder = folder.display()
    ))
}

/// The tasks of each task set and category, under a name for a file.
fn sets(plan: &Plan) -> Vec<(String, Vec<usize>)> {
    let mut sets: indexmap::IndexMap<String, Vec<usize>> = indexmap::IndexMap::new();
    for (i, task) in plan.tasks.iter().enumerate() {
        let name = format!("{}-{}", task.set + 1, plain(&task.category));
        sets.entry(name).or_default().push(i);
    }
    sets.into_iter().collect()
}

/// A name with ordinary letters only.
fn plain(name: &str) -> String {
    let letters = name.chars().map(|c| match c {
        '*' => "star".into(),
        c if c.is_ascii_alphanumeric() || "-_.".contains(c) => c.to_string(),
        _ => "-".into(),
    });
    letters.collect()
}

fn definition_name(number: usize, task: &Task) -> String {
    let stem = task.file.file_stem().unwrap_or_default().to_string_lossy();
    format!("tasks/{number:04}-{}.yml", plain(&stem))
}

/// A path from a folder to a file.
fn relative(from: &Path, to: &Path) -> PathBuf {
    let (from, to): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (from.components().collect(), to.components().collect());
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from[common..].iter().map(|_| Component::ParentDir);
    up.chain(to[common..].iter().copied()).collect()
}

/// A string of YAML, in the form that is also JSON.
fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn definition(task: &Task, file: &Path, property: &str) -> String {
    let verdict = match task.expected {
        Verdict::Safe => "\n    expected_verdict: true",
        Verdict::Unsafe => "\n    expected_verdict: false",
        Verdict::Unknown => "",
    };
    let model = match task.bits.as_str() {
        "32" => "\n  data_model: ILP32",
        "64" => "\n  data_model: LP64",
        _ => "",
    };
    let is_c = task.file.extension().is_some_and(|e| e == "c" || e == "i");
    format!(
        "format_version: '2.0'\ninput_files: {}\nproperties:\n  - property_file: unreach-call.prp{verdict}\noptions:\n  \
         language: {}{model}\n  property: {}\n",
        string(&file.to_string_lossy()),
        if is_c { "C" } else { "other" },
        string(property)
    )
}

/// A text between tags or in quotes.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn benchmark(plan: &Plan, sets: &[(String, Vec<usize>)]) -> Result<String, Error> {
    let limits = &plan.limits;
    let memory =
        limits.memory.map_or_else(String::new, |mb| format!(" memlimit=\"{} MB\"", mb_of(mb)));
    // BenchExec counts whole seconds.
    let mut text = format!(
        "{HEADER}<benchmark tool=\".lapidary\" displayName=\"{}\" timelimit=\"{} s\" hardtimelimit=\"{} s\" walltimelimit=\"{} s\"{memory} cpuCores=\"1\">\n",
        escaped(&plan.title),
        limits.cpu.ceil(),
        limits.cpu.ceil() + 1.0,
        limits.wall().ceil()
    );
    for configuration in &plan.configurations {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  <rundefinition name=\"{}\">", plain(&configuration.name));
        for (name, members) in sets {
            let Some(first) = members.first().map(|i| &plan.tasks[*i]) else { continue };
            if !any_matches(&plan.sets[first.set].without, &configuration.name)? {
                text += &tasks(plan, configuration, name, first)?;
            }
        }
        text += "  </rundefinition>\n";
    }
    text += "  <propertyfile>tasks/unreach-call.prp</propertyfile>\n  <columns>\n";
    for column in COLUMNS {
        let _ = writeln!(text, "    <column title=\"{column}\">{column}</column>");
    }
    text += "  </columns>\n</benchmark>\n";
    Ok(text)
}

/// BenchExec's megabytes have a million bytes.
fn mb_of(mebibytes: u64) -> u64 {
    (mebibytes << 20) / 1_000_000
}

/// The tasks of a set, with what the configuration is for them.
fn tasks(
    plan: &Plan,
    configuration: &Configuration,
    name: &str,
    first: &Task,
) -> Result<String, Error> {
    let line = configurations::line(&plan.settings(first, configuration)?);
    let mut option = match line.as_str() {
        "" => String::new(),
        line => format!("      <option name=\"--config\">{}</option>\n", escaped(line)),
    };
    for word in &configuration.options {
        // Writing to a string cannot fail.
        let _ = writeln!(option, "      <option name=\"{}\"/>", escaped(word));
    }
    Ok(format!(
        "    <tasks name=\"{name}\">\n      <includesfile>tasks/{name}.set</includesfile>\n{option}    </tasks>\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_from_the_folder_to_the_file() {
        let path = |from: &str, to: &str| relative(Path::new(from), Path::new(to));
        assert_eq!(path("/a/b/tasks", "/a/c/x.c"), Path::new("../../c/x.c"));
        assert_eq!(path("/a", "/a/x.c"), Path::new("x.c"));
    }

    #[test]
    fn definitions_have_no_letters_to_stumble_over() {
        assert_eq!(plain("BFS_1* a/b"), "BFS_1star-a-b");
        assert_eq!(escaped("a<b & \"c\""), "a&lt;b &amp; &quot;c&quot;");
        assert_eq!(string("a\"b"), "\"a\\\"b\"");
    }
}
