//! `lapidary bench`: experiments that are killed and go on, and the experiments of the repository.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use lapidary_bench::configurations::{configurations, line};
use lapidary_bench::experiment;
use lapidary_cegar::Config;

/// Thirty tasks and two configurations; each run tells that it was started.
const EXPERIMENT: &str = r#"
title = "Killed and started again"
command = ["sh", "-c", "echo {configuration} >> started; sleep 0.02; echo safe"]
limits = { cpu = 5 }
jobs = 2
product = { k = ["1", "2"] }

[[tasks]]
files = ["task*"]
"#;

const RUNS: usize = 60;

fn folder(name: &str, experiment: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bench-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    (0..RUNS / 2).for_each(|i| fs::write(folder.join(format!("task{i:02}")), "").unwrap());
    fs::write(folder.join("killed.toml"), experiment).unwrap();
    folder
}

#[expect(clippy::disallowed_methods, reason = "the test runs the program")]
fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lapidary"));
    // The measured binary is told apart by its sum: that of a small one is made quickly.
    let small: &[&str] = if words[0] == "run" { &["--binary", "/bin/sh"] } else { &[] };
    command.arg("bench").args(words).args(small).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn finish(folder: &Path, words: &[&str]) -> Output {
    command(folder, words).output().unwrap()
}

/// The lines of the rows, whole or not.
fn lines(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("results/killed/rows.jsonl")).unwrap_or_default();
    text.split_inclusive('\n').map(String::from).collect()
}

/// Runs until there are so many rows, and then kills it with no chance to clean up.
#[expect(clippy::disallowed_methods, reason = "waiting for another process")]
fn kill_after(folder: &Path, rows: usize) -> Vec<String> {
    let mut child: Child = command(folder, &["run", "killed.toml"]).spawn().unwrap();
    let began = Instant::now();
    while lines(folder).len() < rows {
        assert!(began.elapsed() < Duration::from_secs(100), "no progress");
        assert_eq!(child.try_wait().unwrap(), None, "it ended by itself");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    lines(folder)
}

#[test]
fn killed_twice_each_row_is_there_once() {
    let folder = folder("killed", EXPERIMENT);
    let first = kill_after(&folder, 11);
    // A kill in the middle of a write leaves a part of a line.
    let rows = folder.join("results/killed/rows.jsonl");
    let mut file = fs::OpenOptions::new().append(true).open(&rows).unwrap();
    file.write_all(&first[0].as_bytes()[..40]).unwrap();
    drop(file);
    let second = kill_after(&folder, 29);
    assert_eq!(second[..first.len()], first, "what was there stays as it was");
    let output = finish(&folder, &["run", "killed.toml"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let all = lines(&folder);
    assert_eq!(all[..second.len()], second);
    let mut seen: BTreeMap<(String, String), usize> = BTreeMap::new();
    for line in &all {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let word = |name: &str| row[name].as_str().unwrap().to_string();
        assert_eq!(row["termination"], "success", "{line}");
        *seen.entry((word("task"), word("configuration"))).or_default() += 1;
    }
    assert_eq!((all.len(), seen.len()), (RUNS, RUNS));
    assert!(seen.values().all(|times| *times == 1));
    // Two kills cost two runs each at most: nothing else was done again.
    let started = fs::read_to_string(folder.join("started")).unwrap().lines().count();
    assert!((RUNS..=RUNS + 4).contains(&started), "{started} runs");
    // Nothing is left to do.
    let output = finish(&folder, &["run", "killed.toml"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("60 runs, 60 of them done before"));
    assert_eq!(lines(&folder), all);
    assert!(folder.join("results/killed/report/index.html").exists());
}

/// Waits for something that another process does.
#[expect(clippy::disallowed_methods, reason = "waiting for another process")]
fn wait_for<T>(what: &str, mut get: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = get() {
            return found;
        }
        assert!(began.elapsed() < Duration::from_secs(100), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The number of the process that runs in the first slot.
fn noted(folder: &Path) -> u64 {
    wait_for("nothing runs", || {
        let text = fs::read_to_string(folder.join("results/killed/running/0")).ok()?;
        serde_json::from_str::<serde_json::Value>(&text).ok()?["pid"].as_u64()
    })
}

/// Whether a process has ended, though perhaps nobody has waited for it.
fn has_ended(pid: u64) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat")).map_or(true, |stat| stat.contains(") Z "))
}

/// The processes that a process has started.
fn children(pid: u64) -> Vec<u64> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    let lists = threads.map(|thread| fs::read_to_string(thread.unwrap().path().join("children")));
    let pids = lists.map(Result::unwrap_or_default).collect::<Vec<_>>().join(" ");
    pids.split_whitespace().map(|pid| pid.parse().unwrap()).collect()
}

/// Nothing goes on, neither what the experiment started nor what that started, whatever the tool is.
#[test]
fn a_killed_experiment_leaves_no_process() {
    let sleeper = EXPERIMENT.replace("echo safe", "sleep 1000 & sleep 2000; echo safe");
    let folder = folder("no_process", &sleeper);
    let mut child = command(&folder, &["run", "killed.toml"]).spawn().unwrap();
    let pid = noted(&folder);
    let sleepers = wait_for("no children", || Some(children(pid)).filter(|pids| pids.len() == 2));
    assert!(!has_ended(pid) && !sleepers.iter().any(|pid| has_ended(*pid)));
    child.kill().unwrap();
    child.wait().unwrap();
    for pid in sleepers.into_iter().chain([pid]) {
        wait_for("it goes on", || has_ended(pid).then_some(()));
    }
}

/// Ends a process with no chance to clean up.
#[expect(clippy::disallowed_methods, reason = "a shell can kill any process")]
fn kill(pid: u64) {
    assert!(Command::new("sh").args(["-c", &format!("kill -9 {pid}")]).status().unwrap().success());
    wait_for("it goes on", || has_ended(pid).then_some(()));
}

/// Lapidary itself asks for its end when the experiment ends: it needs no guard.
#[test]
fn lapidary_ends_with_the_experiment() {
    let words =
        "\"verify\", \"{file}\", \"-v\", \"--interpolation\", \"sp\", \"--passes\", \"none\"";
    let tool = format!("command = [{:?}, {words}]", env!("CARGO_BIN_EXE_lapidary"));
    let line = EXPERIMENT.lines().find(|line| line.starts_with("command")).unwrap();
    let text = EXPERIMENT.replace(line, &tool).replace("cpu = 5", "cpu = 1000");
    let folder = folder("no_lapidary", &text.replace("jobs = 2", ""));
    let endless = "main process parity { var x : int  var y : int  init loc A  loc B  error loc E
        A -> B { x := 0  y := 0 }  B -> B { x := x + 1  y := y + 2 }  B -> E { assume y = 2 * x + 1 } }";
    (0..RUNS / 2).for_each(|i| fs::write(folder.join(format!("task{i:02}")), endless).unwrap());
    let mut child = command(&folder, &["run", "killed.toml"]).spawn().unwrap();
    let pid = noted(&folder);
    wait_for("it says nothing", || {
        let text = fs::read_to_string(folder.join("results/killed/output/0.err")).ok()?;
        text.contains("iteration").then_some(())
    });
    children(child.id().into()).into_iter().filter(|other| *other != pid).for_each(kill);
    assert!(!has_ended(pid));
    child.kill().unwrap();
    child.wait().unwrap();
    wait_for("it goes on", || has_ended(pid).then_some(()));
}

/// What a killed experiment leaves running would disturb the measurements of the next. Here its guard is killed, too.
#[test]
fn leftovers_are_ended() {
    let text = EXPERIMENT.replace("sleep 0.02", "[ -e go ] || sleep 1000").replace("jobs = 2", "");
    let folder = folder("leftovers", &text);
    let mut child = command(&folder, &["run", "killed.toml"]).spawn().unwrap();
    let pid = noted(&folder);
    children(child.id().into()).into_iter().filter(|other| *other != pid).for_each(kill);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!has_ended(pid), "it was to be left running");
    let stat = format!("/proc/{pid}/stat");
    fs::write(folder.join("go"), "").unwrap();
    let output = finish(&folder, &["run", "killed.toml"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let is_gone = fs::read_to_string(&stat).map_or(true, |text| text.contains(") Z "));
    assert!(is_gone, "process {pid} is still there");
    assert_eq!(lines(&folder).len(), RUNS);
}

/// A Slurm that runs everything at once. The first job loses every other task, as if a machine had died.
const SBATCH: &str = r#"#!/bin/sh
d=$(dirname "$0"); for w; do case $w in --array=0-*) echo "${w#--array=0-}" > "$d/last";; esac; done
printf '%s' "$w" > "$d/wrap"; echo x >> "$d/jobs"; wc -l < "$d/jobs"
"#;

const SCONTROL: &str = r#"#!/bin/sh
d=$(dirname "$0"); n=$(cat "$d/last"); [ "$1" = release ] || exit 1
for i in $(seq 0 "$n"); do
    [ "$2$((i % 2))" = 11 ] || SLURM_ARRAY_JOB_ID=$2 SLURM_ARRAY_TASK_ID=$i sh -c "$(cat "$d/wrap")" || exit 1
done
"#;

#[test]
fn jobs_of_slurm_are_collected_and_what_they_lose_is_submitted_again() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("slurm", &EXPERIMENT.replace("sleep 0.02; ", ""));
    let programs = folder.join("programs");
    fs::create_dir(&programs).unwrap();
    for (name, text) in [("sbatch", SBATCH), ("scontrol", SCONTROL), ("squeue", "#!/bin/sh\n")] {
        fs::write(programs.join(name), text).unwrap();
        fs::set_permissions(programs.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let run = || {
        let mut command = command(&folder, &["run", "killed.toml", "--runner", "slurm"]);
        let output = command.env("PATH", &path).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (status, text) = run();
    assert_eq!(status, Some(70), "{text}");
    assert!(
        text.contains("job 1: 60 rows in 60 tasks") && text.contains("30 rows are missing"),
        "{text}"
    );
    assert_eq!(lines(&folder).len(), RUNS / 2);
    let (status, text) = run();
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("job 2: 30 rows in 30 tasks"), "{text}");
    let all = lines(&folder);
    let keys: BTreeSet<String> = all
        .iter()
        .map(|line| {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            format!("{} {} {}", row["task"], row["configuration"], row["repetition"])
        })
        .collect();
    assert_eq!((all.len(), keys.len()), (RUNS, RUNS));
    let started = fs::read_to_string(folder.join("started")).unwrap().lines().count();
    assert_eq!(started, RUNS, "each row was run once");
    // Nothing is left to submit.
    assert_eq!(run().0, Some(0));
    assert_eq!(fs::read_to_string(programs.join("jobs")).unwrap().lines().count(), 2);
    assert_eq!(lines(&folder), all);
    // What is forgotten is not collected again from what the first jobs have written.
    let mut forget = command(&folder, &["forget", "results/killed", "--only", "task0*"]);
    assert_eq!(forget.env("PATH", &path).output().unwrap().status.code(), Some(0));
    let (status, text) = run();
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("job 3: 20 rows in 20 tasks"), "{text}");
    assert_eq!(lines(&folder).len(), RUNS);
}

#[test]
fn forgotten_rows_are_kept_apart_and_done_again() {
    let text =
        EXPERIMENT.replace("echo safe", "[ -e go ] || [ {configuration} = k=1 ] && echo safe");
    let folder = folder("forgotten", &text);
    finish(&folder, &["run", "killed.toml"]);
    let before = lines(&folder);
    let failed = |line: &&String| line.contains("exception");
    assert_eq!(before.iter().filter(failed).count(), RUNS / 2);
    let forget = |words: &[&str]| {
        let output = finish(&folder, &[&["forget", "results/killed"], words].concat());
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    assert_eq!(forget(&[]).0, Some(64), "all rows are not forgotten by accident");
    let none = forget(&["--ended", "exception", "--only", "other*"]);
    assert!(none.0 == Some(0) && none.1.starts_with("0 rows"), "{none:?}");
    assert_eq!(lines(&folder), before);
    let some = forget(&["--ended", "exception", "--ended", "wrong"]);
    assert!(some.0 == Some(0) && some.1.starts_with("30 rows"), "{some:?}");
    let succeeded: Vec<String> = before.iter().filter(|line| !failed(line)).cloned().collect();
    assert_eq!(lines(&folder), succeeded);
    let kept = fs::read_to_string(folder.join("results/killed/forgotten.jsonl")).unwrap();
    assert_eq!(kept, before.iter().filter(failed).map(String::as_str).collect::<String>());
    fs::write(folder.join("go"), "").unwrap();
    let output = finish(&folder, &["run", "killed.toml"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("60 runs, 30 of them done before"));
    assert_eq!(lines(&folder)[..RUNS / 2], succeeded);
    assert_eq!(lines(&folder).iter().filter(|line| line.contains("success")).count(), RUNS);
}

#[test]
fn mistakes_are_usage_errors() {
    let folder = folder("mistakes", &EXPERIMENT.replace("limits", "limit"));
    let check = |words: &[&str], expected: &str| {
        let output = finish(&folder, words);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(64), "{words:?}: {text}");
        assert!(text.contains(expected), "{words:?}: {text}");
    };
    check(&["run", "killed.toml"], "unknown field `limit`");
    check(&["run", "killed.toml", "--tasks", "0"], "a number of at least 1");
    check(&["run"], "EXPERIMENT");
}

/// Every configuration of every experiment is one that `lapidary verify` accepts, and says what it reproduces.
#[test]
fn the_experiments_of_the_repository_are_configurations() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut names = Vec::new();
    for entry in fs::read_dir(root.join("experiments")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension != "toml") {
            continue;
        }
        let experiment = experiment::read(&path).unwrap();
        let tells = ["paper", "docs/"].iter().any(|word| experiment.reproduces.contains(word));
        assert!(tells, "{}", path.display());
        assert!(!experiment.differs.is_empty(), "{}", path.display());
        for one in configurations(&experiment).unwrap() {
            for set in &experiment.tasks {
                let levels = set.levels.iter().chain(&experiment.levels);
                let line = line(&one.with_levels(levels).unwrap());
                let mut config = Config::default();
                let set = config.set_line(&line);
                let set = set.unwrap_or_else(|error| panic!("{}: {line}: {error}", path.display()));
                let checked = config.check_effective(&set);
                checked.unwrap_or_else(|error| panic!("{}: {line}: {error}", path.display()));
            }
        }
        names.push(path.file_stem().unwrap().to_string_lossy().into_owned());
    }
    names.sort();
    let expected = [
        "ablation",
        "default",
        "examples",
        "forte16",
        "newton",
        "product",
        "rq1",
        "rq2",
        "rq3",
        "rq4",
        "rq5",
        "rq6",
        "selection",
        "table4",
    ];
    assert_eq!(names, expected);
}
