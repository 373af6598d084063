//! Experiments from the file to the report, with a small shell script as the tool.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use lapidary_bench::local::{self, Options};
use lapidary_bench::plan::{self, Overrides, Plan};
use lapidary_bench::process::Groups;
use lapidary_bench::row::{Row, Termination, Verdict};
use lapidary_bench::{Error, benchexec, diff, report, store};

/// The tool says what stands in the file after the name of its configuration, or else after `*`.
const TOOL: &str = r#"
command = ["sh", "-c", '''
v=$(sed -n "s/^$1 //p" "$0"); [ -n "$v" ] || v=$(sed -n "s/^\* //p" "$0")
case $v in
  safe) echo safe; exit 0;;
  unsafe) echo unsafe; exit 1;;
  crash) echo oops >&2; kill -SEGV $$;;
  spin) while :; do :; done;;
  grow) head -c 900000000 /dev/zero | tail -c 900000000 > /dev/null; echo safe; exit 0;;
  *) echo "unknown: $v"; exit 2;;
esac
''', "{file}", "{configuration}"]
"#;

const EXPERIMENT: &str = r#"
title = "A <small> experiment"
reproduces = "nothing"
limits = { cpu = 0.2, memory = 100 }

[[configuration]]
name = "a"
set = { k = "a" }

[[configuration]]
name = "b"
set = { k = "b" }

[[tasks]]
index = "index.csv"
"#;

/// A folder with an experiment, and tasks by their names and contents.
fn folder(name: &str, tasks: &[(&str, &str, &str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("experiment-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let mut index = "file,category,expected\n".to_string();
    for (file, category, expected, text) in tasks {
        fs::write(folder.join(file), text.replace(", ", "\n") + "\n").unwrap();
        index.extend([file, ",", category, ",", expected, "\n"]);
    }
    fs::write(folder.join("index.csv"), index).unwrap();
    fs::write(folder.join("small.toml"), format!("{TOOL}{EXPERIMENT}")).unwrap();
    folder
}

fn planned(folder: &Path, overrides: Overrides) -> Result<Plan, Error> {
    let binary = Some(PathBuf::from("/bin/sh"));
    plan::plan(&folder.join("small.toml"), &Overrides { binary, ..overrides })
}

fn run(plan: &Plan, out: &Path) -> Result<Vec<Row>, Error> {
    let interrupt = AtomicBool::new(false);
    let options = Options {
        jobs: 2,
        interrupt: &interrupt,
        groups: Groups::none(),
        guard: None,
        is_terminal: false,
    };
    local::run(plan, out, &options, &mut Vec::new())?;
    store::read_rows(out, plan)
}

const TASKS: [(&str, &str, &str, &str); 6] = [
    ("t1", "x", "safe", "* safe"),
    ("t2", "x", "unsafe", "k=a unsafe, k=b memory"),
    ("t3", "y", "safe", "k=a unsafe, k=b safe"),
    ("t4", "y", "unknown", "* safe"),
    ("t5", "y", "safe", "* crash"),
    ("t6", "y", "safe", "k=a spin, k=b unsupported"),
];

#[test]
fn rows_say_what_happened() {
    let folder = folder("rows", &TASKS);
    let plan = planned(&folder, Overrides::default()).unwrap();
    let rows = run(&plan, &folder.join("out")).unwrap();
    let row = |task: &str, configuration: &str| {
        let found = rows
            .iter()
            .filter(|row| row.key.task == task && row.key.configuration == configuration);
        let found: Vec<_> = found.collect();
        assert_eq!(found.len(), 1);
        found[0]
    };
    let end = |task, configuration| {
        let row = row(task, configuration);
        (row.termination, row.result, row.exit.as_str())
    };
    assert_eq!(rows.len(), 12);
    assert_eq!(end("t1", "a"), (Termination::Success, Verdict::Safe, "exit 0"));
    assert_eq!(end("t2", "a"), (Termination::Success, Verdict::Unsafe, "exit 1"));
    assert_eq!(end("t3", "a"), (Termination::Wrong, Verdict::Unsafe, "exit 1"));
    assert_eq!(end("t4", "b"), (Termination::Success, Verdict::Safe, "exit 0"));
    assert_eq!(end("t5", "b"), (Termination::Exception, Verdict::Unknown, "signal 11"));
    assert_eq!(end("t6", "a"), (Termination::Time, Verdict::Unknown, "signal 9"));
    assert_eq!(row("t5", "a").reason, "oops");
    assert_eq!(row("t6", "b").reason, "unknown: unsupported");
    let spun = row("t6", "a").cpu_seconds;
    assert!((0.2..1.2).contains(&spun), "a limit of 0.2 s is kept within a second: {spun}");
    assert_eq!(row("t1", "b").axes["k"], "b");
}

#[test]
fn a_limit_of_memory_is_a_termination_of_its_own() {
    let folder = folder("memory", &[("t", "x", "safe", "k=a grow, k=b safe")]);
    let text = format!("{TOOL}{EXPERIMENT}").replace("cpu = 0.2", "cpu = 20");
    fs::write(folder.join("small.toml"), text).unwrap();
    let rows = run(&planned(&folder, Overrides::default()).unwrap(), &folder.join("out")).unwrap();
    let ends: Vec<_> = rows.iter().map(|row| (row.termination, row.result)).collect();
    assert_eq!(
        ends,
        [(Termination::Memory, Verdict::Unknown), (Termination::Success, Verdict::Safe)]
    );
}

#[test]
fn reports_are_complete_and_start_with_what_is_wrong() {
    let folder = folder("report", &TASKS);
    let plan = planned(&folder, Overrides::default()).unwrap();
    let rows = run(&plan, &folder.join("out")).unwrap();
    let out = folder.join("report");
    let summary = report::write(&plan, &rows, &out, &[]).unwrap();
    // One wrong answer, and the same task is safe to one and unsafe to the other.
    assert_eq!(summary.wrong, 2);
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    let page = read("index.html");
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text}"));
    assert!(place("Wrong verdicts: 1") < place("Contradicting verdicts: 1"));
    assert!(place("Contradicting verdicts: 1") < place("virtual best"));
    assert!(page.contains("A &lt;small&gt; experiment") && page.contains("prefers-color-scheme"));
    let without_namespaces = page.replace("http://www.w3.org/", "");
    assert!(!without_namespaces.contains("http") && !page.contains("<script"), "no network");
    let oracle = read("oracle.csv");
    let expected = [
        "configuration,x,y,all",
        "tasks,2,4,6",
        "a,2,1,3",
        "b,1,2,3",
        "oracle best,2,2,4",
        "oracle worst,1,1,2",
        "difference,1,1,2",
    ];
    // The last column are times.
    let solved = oracle.lines().filter_map(|line| Some(line.rsplit_once(',')?.0));
    assert_eq!(solved.collect::<Vec<_>>(), expected);
    let verdicts = read("verdicts.csv");
    assert!(verdicts.contains("a,1,1,0,1,1,1,0,1"), "{verdicts}");
    assert!(read("heat-map.csv").contains("virtual best,2 |"), "{}", read("heat-map.csv"));
    let header = "model,category,expected,configuration,repetition,k,success,termination,result,time_ms,memory,";
    assert!(read("rows.csv").starts_with(header));
    assert_eq!(read("rows.csv").lines().count(), 13);
    for name in ["heat-map.svg", "quantile.svg", "scatter-a-b.svg"] {
        assert!(read(name).starts_with("<svg "), "{name}");
    }
    assert!(read("report.md").contains("| t3 | a | 1 | safe | **unsafe** |"));
}

#[test]
fn comparisons_tell_gains_and_losses() {
    let folder = folder("diff", &TASKS);
    let (old, new) = (folder.join("old"), folder.join("new"));
    let plan = planned(&folder, Overrides::default()).unwrap();
    run(&plan, &old).unwrap();
    fs::write(folder.join("t1"), "k=a crash, k=b safe".replace(", ", "\n")).unwrap();
    fs::write(folder.join("t2"), "* unsafe\n").unwrap();
    run(&plan, &new).unwrap();
    let diff = diff::diff(&old, &new).unwrap();
    assert_eq!(diff.gained, ["t2  b  was exception"]);
    assert_eq!(diff.lost, ["t1  a  is exception"]);
    assert_eq!(diff.wrong, ["t3  a  says unsafe"]);
    let both: Vec<_> = diff.times.iter().map(|(name, both, ..)| (name.as_str(), *both)).collect();
    assert_eq!(both, [("a", 2), ("b", 3)]);
    assert!(diff.to_string().contains("| all | 5 |"));
}

#[test]
fn rows_of_another_plan_are_not_mixed_in() {
    let folder = folder("mixed", &TASKS[..2]);
    let out = folder.join("out");
    let plan = planned(&folder, Overrides::default()).unwrap();
    run(&plan, &out).unwrap();
    let other = Overrides { cpu: Some(0.3), ..Overrides::default() };
    let refused = run(&planned(&folder, other).unwrap(), &out).unwrap_err().to_string();
    assert!(refused.contains("the limits differ"), "{refused}");
    let other = Overrides { configurations: vec!["b".into()], ..Overrides::default() };
    let refused = run(&planned(&folder, other).unwrap(), &out).unwrap_err().to_string();
    assert!(refused.contains("the configurations differ"), "{refused}");
}

#[test]
fn a_list_says_which_tasks_and_options_end_the_command() {
    let folder = folder("list", &TASKS);
    fs::write(folder.join("list.txt"), "# two of them\n\nt2\n t[45]\n").unwrap();
    let with_option = "name = \"b\"\noptions = [\"--more\", \"{file}\"]";
    let text = format!("{TOOL}{EXPERIMENT}").replace("name = \"b\"", with_option);
    fs::write(folder.join("small.toml"), text).unwrap();
    let list = |name: &str| Overrides { list: Some(folder.join(name)), ..Overrides::default() };
    let plan = planned(&folder, list("list.txt")).unwrap();
    let names: Vec<_> = plan.tasks.iter().map(|task| task.name.as_str()).collect();
    assert_eq!(names, ["t2", "t4", "t5"]);
    let runs = plan.runs().unwrap();
    let last = |run: usize| runs[run].words.iter().rev().take(2).rev().collect::<Vec<_>>();
    assert_eq!(last(0)[1], "k=a");
    assert_eq!(last(1), ["--more", "{file}"], "words of their own, without places");
    let missing = planned(&folder, list("nothing.txt")).unwrap_err().to_string();
    assert!(missing.contains("nothing.txt"), "{missing}");
}

#[test]
fn lists_and_definitions_of_the_competition_are_tasks() {
    let folder = folder("set", &[]);
    fs::create_dir_all(folder.join("c/loops")).unwrap();
    let definition = "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n  - property_file: unreach-call.prp\n    \
                      expected_verdict: false\noptions:\n  data_model: LP64\n";
    fs::write(folder.join("c/loops/a.yml"), definition).unwrap();
    fs::write(folder.join("c/loops/b_true-unreach-call.c"), "").unwrap();
    fs::write(folder.join("c/Loops.set"), "# loops\nloops/*.yml\n\n").unwrap();
    let tasks = "\n[[tasks]]\nsets = ['c/Loops.set']\n[[tasks]]\nfiles = ['c/*/*.c']\ncategory = 'by hand'\n";
    let text = format!("{TOOL}{EXPERIMENT}").replace("[[tasks]]\nindex = \"index.csv\"\n", tasks);
    fs::write(folder.join("small.toml"), text).unwrap();
    let plan = planned(&folder, Overrides::default()).unwrap();
    let tasks: Vec<_> = plan
        .tasks
        .iter()
        .map(|task| (task.name.as_str(), task.category.as_str(), task.expected, task.bits.as_str()))
        .collect();
    let expected = [
        ("c/loops/a.yml", "loops", Verdict::Unsafe, "64"),
        ("c/loops/b_true-unreach-call.c", "by hand", Verdict::Safe, ""),
    ];
    assert_eq!(tasks, expected);
}

#[test]
fn mistakes_in_experiments_are_explained() {
    let folder = folder("mistakes", &TASKS[..1]);
    let check = |from: &str, to: &str, expected: &str| {
        let text = format!("{TOOL}{EXPERIMENT}").replace(from, to);
        fs::write(folder.join("small.toml"), text).unwrap();
        let error = planned(&folder, Overrides::default()).unwrap_err().to_string();
        assert!(error.contains(expected), "{to}: {error}");
    };
    check("cpu = 0.2", "cpu = -1", "seconds above 0");
    check("title", "tilte", "unknown field `tilte`");
    check("index.csv", "none.csv", "cannot read");
    check("\"sh\"", "\"no-such-tool\"", "no program `no-such-tool`");
    check("{file}", "{fiel}", "there is no `fiel`");
    check("[[tasks]]", "[[tasks]]\nwhere = { colour = 'red' }", "no column `colour`");
    check("[[tasks]]", "[[tasks]]\nwhere = { category = 'z' }", "has no tasks");
    check("name = \"b\"", "name = \"a\"", "two configurations are called `a`");
}

#[test]
fn the_same_experiment_is_written_for_benchexec() {
    let folder = folder("benchexec", &TASKS[..3]);
    let plan = planned(&folder, Overrides::default()).unwrap();
    let out = folder.join("benchexec");
    benchexec::write(&plan, &out).unwrap();
    let definition = fs::read_to_string(out.join("small.xml")).unwrap();
    assert!(definition.contains("<option name=\"--config\">k=a</option>"), "{definition}");
    assert_eq!(definition.matches("<rundefinition").count(), 2);
    assert_eq!(
        fs::read_to_string(out.join("tasks/1-x.set")).unwrap(),
        "0000-t1.yml\n0001-t2.yml\n"
    );
    let task = fs::read_to_string(out.join("tasks/0001-t2.yml")).unwrap();
    assert!(
        task.contains("input_files: \"../../t2\"") && task.contains("expected_verdict: false"),
        "{task}"
    );
    assert!(out.join("lapidary.py").exists());
}

/// A line that is no row is kept in another file, and its run is done again.
#[test]
fn corrupt_rows_are_set_aside() {
    let folder = folder("corrupt", &TASKS);
    let plan = planned(&folder, Overrides::default()).unwrap();
    let out = folder.join("out");
    let before = run(&plan, &out).unwrap();
    let path = out.join("rows.jsonl");
    let lines: Vec<Vec<u8>> =
        fs::read(&path).unwrap().split_inclusive(|byte| *byte == b'\n').map(Vec::from).collect();
    let broken: [&[u8]; 3] = [b"{\"task\": \"t1\"\n", b"\xff\xfe\n", b"\n"];
    let mut corrupt = lines.clone();
    broken.iter().zip([1, 4, 7]).for_each(|(text, at)| corrupt[at] = text.to_vec());
    fs::write(&path, corrupt.concat()).unwrap();
    // A report does not do without them silently.
    let problem = store::read_rows(&out, &plan).unwrap_err().to_string();
    assert!(problem.contains("line 2 is corrupt") && problem.contains("bench run"), "{problem}");
    let interrupt = AtomicBool::new(false);
    let options = Options {
        jobs: 1,
        interrupt: &interrupt,
        groups: Groups::none(),
        guard: None,
        is_terminal: false,
    };
    let mut log = Vec::new();
    local::run(&plan, &out, &options, &mut log).unwrap();
    let log = String::from_utf8(log).unwrap();
    for line in ["line 2 is corrupt", "line 5 is corrupt", "line 8 is corrupt"] {
        assert!(log.contains(line) && log.contains("corrupt.jsonl"), "{log}");
    }
    assert!(log.contains("12 runs, 9 of them done before"), "{log}");
    assert_eq!(fs::read(out.join("corrupt.jsonl")).unwrap(), broken.concat());
    let after = store::read_rows(&out, &plan).unwrap();
    let keys = |rows: &[Row]| rows.iter().map(|row| row.key.clone()).collect::<Vec<_>>();
    assert_eq!(keys(&after), keys(&before));
    // The others are as they were.
    let kept: Vec<_> =
        (0..12).filter(|i| ![1, 4, 7].contains(i)).map(|i| lines[i].clone()).collect();
    assert!(fs::read(&path).unwrap().starts_with(&kept.concat()));
}

/// Names are those of files and experiments, which may come from anywhere.
#[test]
fn reports_are_neither_html_nor_formulas() {
    let tasks = [("=cmd<img src=x>|1", "<b>", "safe", "* unsafe"), ("@t", "-x", "safe", "* safe")];
    let folder = folder("hostile", &tasks);
    let text = format!("{TOOL}{EXPERIMENT}").replace("name = \"a\"", "name = \"=a<i>\"");
    fs::write(folder.join("small.toml"), text).unwrap();
    let plan = planned(&folder, Overrides::default()).unwrap();
    let rows = run(&plan, &folder.join("out")).unwrap();
    let out = folder.join("report");
    report::write(&plan, &rows, &out, &[]).unwrap();
    let markdown = fs::read_to_string(out.join("report.md")).unwrap();
    assert!(!markdown.contains('<'), "{markdown}");
    assert!(markdown.contains("# A &lt;small&gt; experiment"), "{markdown}");
    assert!(markdown.contains("=cmd&lt;img src=x&gt;\\|1"), "{markdown}");
    let mut n_files = 0;
    for entry in fs::read_dir(&out).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "csv") {
            continue;
        }
        n_files += 1;
        let mut reader =
            csv::ReaderBuilder::new().has_headers(false).flexible(true).from_path(&path).unwrap();
        for record in reader.records() {
            for cell in &record.unwrap() {
                let is_formula =
                    cell.starts_with(['=', '+', '-', '@']) && cell.parse::<f64>().is_err();
                assert!(!is_formula, "{}: {cell}", path.display());
            }
        }
    }
    assert!(n_files > 4);
    let rows = fs::read_to_string(out.join("rows.csv")).unwrap();
    assert!(rows.contains("'=cmd<img src=x>|1") && rows.contains("'@t"), "{rows}");
}
