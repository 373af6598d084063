//! The commands of README.md and docs/*.md do what is written there, and the examples get their verdicts.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Folder, Ran};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The names of all files in a folder of the repository.
fn names(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap());
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Whether the name of a file has one of these extensions.
fn has_extension(name: &str, extensions: &[&str]) -> bool {
    name.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension))
}

/// A folder that looks like a clone: with the examples, the experiments and the binary.
fn clone(test: &str) -> Folder {
    let folder = Folder::new(test);
    folder.make_folder("target/release");
    let binary = folder.path().join("target/release/lapidary");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_lapidary"), binary).unwrap();
    for part in ["examples", "experiments"] {
        folder.make_folder(part);
        for name in names(part) {
            let file = format!("{part}/{name}");
            folder.write(&file, fs::read(root().join(&file)).unwrap());
        }
    }
    folder
}

#[expect(clippy::disallowed_methods, reason = "the test runs what a reader types")]
fn shell(folder: &Path, line: &str) -> Ran {
    let path = std::env::var("PATH").unwrap_or_default();
    let binary = folder.join("target/release");
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(folder);
    command.env("PATH", format!("{}:{path}", binary.display()));
    command.env_remove("LAPIDARY_COLLECTION").env_remove("MAKEFLAGS");
    Ran::of(command.output().expect("there is a shell"))
}

/// The contents of the code blocks in this language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let (mut found, mut inside) = (Vec::new(), None::<(bool, String)>);
    for line in text.lines() {
        match (line.strip_prefix("```"), &mut inside) {
            (Some(name), None) => inside = Some((name == language, String::new())),
            (Some(_), Some(_)) => {
                let (is_wanted, block) = inside.take().unwrap();
                found.extend(is_wanted.then_some(block));
            }
            (None, Some((_, block))) => block.extend([line, "\n"]),
            (None, None) => {}
        }
    }
    assert!(inside.is_none(), "a code block does not end");
    found
}

/// The commands of a block with prompts, each with the output that is written below it.
fn sessions(block: &str) -> Vec<(String, String)> {
    let mut sessions: Vec<(String, String)> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix("$ "), sessions.last_mut()) {
            (Some(command), _) => sessions.push((command.into(), String::new())),
            (None, Some((_, output))) => output.extend([line, "\n"]),
            (None, None) => panic!("output before the first command: {line}"),
        }
    }
    sessions
}

/// Whether a text is the expected one, in which `…` stands for anything.
fn matches(expected: &str, text: &str) -> bool {
    let mut parts = expected.split('…');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(place) = rest.find(part) else { return false };
        rest = &rest[place + part.len()..];
    }
    rest.ends_with(last)
}

#[test]
fn dots_stand_for_anything() {
    for (expected, text, is_match) in [
        ("a\n", "a\n", true),
        ("a\n", "a\nb\n", false),
        ("a\n…\nc\n", "a\nb\n\nc\n", true),
        ("a … d\n", "a b c d\n", true),
        ("a … d\n", "a b c\n", false),
        ("…\n", "all\n", true),
    ] {
        assert_eq!(matches(expected, text), is_match, "{expected:?} {text:?}");
    }
}

/// The exit status that belongs to an output: that of its verdict, or 0.
fn status(output: &str) -> i32 {
    match output.lines().last().unwrap_or_default() {
        "unsafe" | "confirmed: unsafe" => 1,
        verdict if verdict.starts_with("unknown") || verdict.starts_with("not confirmed") => 2,
        _ => 0,
    }
}

/// Runs all commands with prompts, and compares; returns how many there were.
fn check_sessions(file: &str, folder: &Folder) -> usize {
    let mut n_checked = 0;
    for block in blocks(&read(file), "console") {
        let mut last = 0;
        for (command, expected) in sessions(&block) {
            if command == "echo $?" {
                assert_eq!(expected, format!("{last}\n"), "{file}: the status in\n{block}");
                continue;
            }
            let ran = shell(folder.path(), &command);
            assert!(matches(&expected, &ran.stdout), "{file}: {command}: {ran:?}");
            assert_eq!(ran.status, status(&ran.stdout), "{file}: {command}: {ran:?}");
            last = ran.status;
            n_checked += 1;
        }
    }
    n_checked
}

#[test]
fn the_sessions_of_the_readme_are_as_written() {
    let folder = clone("readme");
    assert!(check_sessions("README.md", &folder) >= 10);
    // The first example is shown as it is in its file.
    let [program] = &blocks(&read("README.md"), "c")[..] else { panic!("one program is shown") };
    assert!(folder.read("examples/absolute_bug.c").ends_with(program), "{program}");
}

/// `make` knows the targets, and cargo would find the package.
#[test]
fn the_build_commands_of_the_readme_exist() {
    let mut n_checked = 0;
    for block in blocks(&read("README.md"), "sh") {
        for line in block.lines() {
            let words: Vec<&str> = line.split('#').next().unwrap().split_whitespace().collect();
            match words[..] {
                ["make", target] => {
                    let ran = shell(&root(), &format!("make -n {target}"));
                    assert_eq!(ran.status, 0, "{line}: {ran:?}");
                }
                ["cargo", "install", .., "--path", path] => {
                    assert!(root().join(path).join("Cargo.toml").is_file(), "{line}");
                }
                _ => panic!("README.md: `{line}` is not checked: write it with a prompt"),
            }
            n_checked += 1;
        }
    }
    assert!(n_checked >= 4);
}

/// No command of the manual is wrong usage; those about examples work.
#[test]
fn the_commands_of_the_manual_work() {
    let folder = clone("manual");
    let mut n_examples = 0;
    for name in names("docs").iter().filter(|name| has_extension(name, &["md"])) {
        let file = format!("docs/{name}");
        n_examples += check_sessions(&file, &folder);
        let lines = blocks(&read(&file), "sh").concat();
        for line in lines.lines().filter(|line| line.starts_with("lapidary ")) {
            let command = line.split(" #").next().unwrap().trim_end();
            // What a run of an experiment would do is enough.
            let is_run = command.starts_with("lapidary bench run");
            let command = format!("{command}{}", if is_run { " --dry-run" } else { "" });
            let ran = shell(folder.path(), &command);
            // A missing experiment or result is not told from wrong usage by its status.
            let is_wrong = match command.starts_with("lapidary bench ") {
                true => ran.stderr.contains("Usage: ") || ran.stderr.contains("panicked"),
                false => ![0, 1, 2, 65].contains(&ran.status),
            };
            assert!(!is_wrong, "{file}: {command}: {ran:?}");
            if command.contains(" examples/") || command.contains("/examples.toml") {
                assert!(ran.status <= 2, "{file}: {command}: {ran:?}");
                n_examples += 1;
            } else if is_run && !command.contains("--collection") {
                assert!(ran.stderr.contains("cannot read the task collection"), "{ran:?}");
                assert!(ran.stderr.contains("experiments/examples.toml needs no"), "{ran:?}");
            }
        }
    }
    assert!(n_examples >= 5);
}

#[test]
fn links_of_the_readme_lead_somewhere() {
    let text = read("README.md");
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let local: Vec<&str> = targets.filter(|target| !target.starts_with("https:")).collect();
    assert!(local.len() > 10);
    for target in local {
        assert!(root().join(target).exists(), "{target}");
    }
}

/// The line of a table of statistics.
fn row<'a>(ran: &'a Ran, name: &str) -> &'a str {
    let line = ran.stdout.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap_or_else(|| panic!("no `{name}`: {ran:?}")).trim()
}

/// Every example gets the verdict of its first line, and again from the configuration line of the report.
#[test]
fn examples_get_their_verdict_and_the_configuration_line_repeats_it() {
    let folder = clone("examples");
    let mut strategies = Vec::new();
    for name in names("examples").iter().filter(|name| !has_extension(name, &["smt2"])) {
        let file = format!("examples/{name}");
        let ran = folder.run(&["verify", &file, "--stats", "--time", "60"]);
        let verdict = ran.last_line();
        let text = folder.read(&file);
        match text.lines().next().unwrap_or_default().strip_prefix("// expect: ") {
            Some(expected) => assert_eq!(verdict, expected, "{file}"),
            None => assert!(!has_extension(name, &["c", "cfa"]), "{file}"),
        }
        let line = row(&ran, "configuration");
        strategies.extend(line.strip_prefix("strategy=").map(str::to_owned));
        let again = folder.run(&["verify", &file, "--stats", "--config", line, "--time", "60"]);
        assert_eq!(again.last_line(), verdict, "{file}: {line}");
        assert_eq!(row(&again, "configuration"), line, "{file}");
        if ran.stdout.contains("(concrete runs)") {
            let execution = |ran: &Ran| ran.stdout.split("\nfile ").next().unwrap().to_owned();
            assert_eq!(execution(&again), execution(&ran), "{file}: {line}");
        }
    }
    // Not only searches by abstraction decide.
    assert!(strategies.iter().any(|line| line == "runs"), "{strategies:?}");
}

/// Each bug has its mended version.
#[test]
fn programs_with_a_bug_have_a_corrected_version() {
    let names = names("examples");
    let programs = |verdict: &str| -> Vec<String> {
        let header = format!("// expect: {verdict}\n");
        let has_verdict = |name: &&String| {
            has_extension(name, &["c"]) && read(&format!("examples/{name}")).starts_with(&header)
        };
        names.iter().filter(has_verdict).map(|name| name.replace("_bug", "")).collect()
    };
    assert_eq!(programs("unsafe"), programs("safe"));
    assert!(programs("safe").len() >= 4);
}

#[test]
fn the_line_of_each_method_is_read_again() {
    let folder = clone("methods");
    for (line, file, verdict) in [
        ("strategy=runs", "examples/charger_bug.c", "unsafe"),
        ("strategy=bounded", "examples/absolute_bug.c", "unsafe"),
        ("strategy=horn", "examples/lock.cfa", "safe"),
        ("strategy=induction", "examples/toggle.aag", "safe"),
        ("strategy=plain domain=explicit", "examples/absolute.c", "safe"),
    ] {
        let ran = folder.run(&["verify", file, "--config", line, "--stats"]);
        assert_eq!(ran.last_line(), verdict, "{line}: {ran:?}");
        let shown = row(&ran, "configuration");
        let (strategy, _) = line.split_once(' ').unwrap_or((line, ""));
        assert!(shown.starts_with(strategy) || strategy == "strategy=plain", "{line}: {shown}");
        let again = folder.run(&["verify", file, "--config", shown, "--stats"]);
        assert_eq!(row(&again, "configuration"), shown);
        let json = folder.run(&["verify", file, "--config", line, "--json"]);
        assert!(json.stdout.contains(&format!("\"line\": \"{shown}\"")), "{line}: {json:?}");
    }
}

/// The line is that of the property that decides, not of the one that was verified last.
#[test]
fn the_line_is_that_of_the_property_that_decides() {
    let folder = clone("decides");
    let file = "examples/charger_bug.c";
    let all = folder.run(&["verify", file, "--each-assertion", "--stats"]);
    let first = folder.run(&["verify", file, "--property", "0", "--stats"]);
    let last = folder.run(&["verify", file, "--property", "2", "--stats"]);
    assert_eq!((all.status, first.status, last.status), (1, 1, 0));
    assert_eq!(row(&all, "configuration"), row(&first, "configuration"));
    assert_ne!(row(&all, "configuration"), row(&last, "configuration"));
}

#[test]
fn an_unknown_extension_lists_all_that_is_read() {
    let folder = Folder::new("extension");
    folder.write("model.promela", "init { skip }");
    let ran = folder.run(&["verify", "model.promela"]);
    assert_eq!(ran.status, 65, "{ran:?}");
    for extension in
        ["c", "i", "yml", "cfa", "theta", "system", "sts", "aag", "aig", "btor", "btor2"]
    {
        assert!(ran.stderr.contains(&format!("`.{extension}`")), ".{extension}: {ran:?}");
    }
}

#[test]
fn an_assertion_is_chosen_by_its_position() {
    let folder = clone("position");
    let file = "examples/charger_bug.c";
    for (property, verdict) in [("85:9", "unsafe"), ("86:9", "safe"), ("2", "safe")] {
        let ran = folder.run(&["verify", file, "--property", property, "-q"]);
        assert_eq!(ran.stdout, format!("{verdict}\n"), "{property}: {ran:?}");
    }
    for (property, message) in [
        ("99:9", "there is no property `99:9`; there are 3, from 0 (`85:9`)"),
        ("3", "there is no property `3`"),
    ] {
        for command in ["verify", "inspect"] {
            let ran = folder.run(&[command, file, "--property", property]);
            assert_eq!(ran.status, 64, "{ran:?}");
            assert!(ran.stderr.contains(message), "{ran:?}");
        }
    }
    let ran = folder.run(&["inspect", file, "--property", "86:9"]);
    assert!(ran.stdout.starts_with("property 86:9\n"), "{ran:?}");
    assert_eq!(ran.stdout.matches("property ").count(), 1, "{ran:?}");
}

/// There is space between a name and its value.
#[test]
fn columns_of_inspect_do_not_touch() {
    let folder = clone("columns");
    let ran = folder.run(&["inspect", "examples/charger_bug.c"]);
    assert!(ran.stdout.contains("\n  nondeterministic calls  3\n"), "{ran:?}");
    assert!(ran.stdout.contains("\n  variables               16\n"), "{ran:?}");
}
