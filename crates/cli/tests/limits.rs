//! Runs that end at limits, ours and the system's: each prints its verdict and exits with 2. How far a run goes beyond
//! its limit depends on the machine; `tools/limits` measures that.

mod common;

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::Duration;

use common::{FOR_EVER, Folder, REFINED, Ran};

/// Z3 works on it for long without looking for an interrupt, and takes much memory.
const LARGE: &str = "main process large {
    var x : bv[1000000]
    var y : bv[1000000]
    init loc A
    loc L
    error loc E
    A -> L { havoc x  havoc y }
    L -> L { y := (x bvrol y) bvudiv x }
    L -> E { assume x = y }
}
";

fn folder(test: &str) -> Folder {
    let folder = Folder::new(test);
    folder.write("large.cfa", LARGE);
    folder
}

/// Runs `lapidary` under a limit that a shell sets.
#[expect(clippy::disallowed_methods, reason = "a shell sets the limit")]
fn confined(folder: &Folder, limit: &str, words: &[&str]) -> Ran {
    let script = format!("ulimit -c 0; {limit}; exec \"$0\" \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_lapidary")]).args(words);
    Ran::of(shell.current_dir(folder.path()).output().expect("there is a shell"))
}

#[track_caller]
fn ended(ran: &Ran, limit: &str) {
    let expected = format!("unknown: {limit}");
    assert_eq!((ran.last_line(), ran.status), (&expected[..], 2), "{ran:?}");
    assert!(!ran.stderr.contains("a bug of lapidary"), "{}", ran.stderr);
}

const TIME: &str = "time limit reached";
const MEMORY: &str = "memory limit reached";

#[test]
fn time() {
    let folder = folder("limits_time");
    let explicit = [&["--domain", "explicit", "--arg", "arg.dot"], &REFINED[..]].concat();
    for strategy in [&FOR_EVER[..], &explicit] {
        let words = [&["verify", "diverging.cfa", "--time", "0.3"], strategy].concat();
        ended(&folder.run(&words), TIME);
    }
}

/// The process ends while Z3 is at work, without the destructors of what Z3 works on.
#[test]
fn time_within_a_call_of_the_solver() {
    let folder = folder("limits_large");
    for _ in 0..3 {
        ended(&folder.run(&["verify", "large.cfa", "--time", "0.5"]), TIME);
    }
}

#[test]
fn memory() {
    let folder = folder("limits_memory");
    let words = ["verify", "diverging.cfa", "--memory", "20"];
    ended(&folder.run(&[&words, &FOR_EVER[..]].concat()), MEMORY);
    ended(&folder.run(&["verify", "large.cfa", "--memory", "100"]), MEMORY);
}

/// A file that takes more memory than there may be, though not enough for the limit of the file's size.
#[test]
fn memory_while_reading() {
    let folder = folder("limits_reading");
    let line = "    LOOP -> LOOP { x := x + 1  y := y + 2 }\n";
    let more = format!("{}}}\n", line.repeat(400_000));
    folder.write("many.cfa", common::DIVERGING.trim_end().trim_end_matches('}').to_owned() + &more);
    ended(&folder.run(&["verify", "many.cfa", "--memory", "60"]), MEMORY);
    for limit in ["ulimit -v 60000", "ulimit -v 90000"] {
        ended(&confined(&folder, limit, &["verify", "many.cfa"]), MEMORY);
    }
}

/// The system kills a process without a word at `ulimit -t`; with a soft limit, it sends a signal before.
#[test]
fn time_of_the_system() {
    let folder = folder("limits_system_time");
    for limit in ["ulimit -t 1", "ulimit -S -t 1"] {
        let words = [&["verify", "diverging.cfa"], &FOR_EVER[..]].concat();
        ended(&confined(&folder, limit, &words), TIME);
        ended(&confined(&folder, limit, &["verify", "large.cfa"]), TIME);
    }
    // The report is that of any other run.
    let words = [&["verify", "diverging.cfa", "--json"], &FOR_EVER[..]].concat();
    let ran = confined(&folder, "ulimit -t 1", &words);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("a report");
    assert_eq!((&report["verdict"], ran.status), (&"unknown".into(), 2), "{ran:?}");
    assert_eq!(report["reason"], TIME, "{ran:?}");
}

/// An allocation that fails ends the process.
#[test]
fn address_space() {
    let folder = folder("limits_addresses");
    for megabytes in [50, 60, 80, 100, 120, 200, 300] {
        let limit = format!("ulimit -v {}", megabytes * 1024);
        ended(&confined(&folder, &limit, &["verify", "large.cfa"]), MEMORY);
    }
    ended(&confined(&folder, "ulimit -d 200000", &["verify", "large.cfa"]), MEMORY);
    let words = ["verify", "large.cfa", "--jobs", "3"];
    ended(&confined(&folder, "ulimit -v 200000", &words), MEMORY);
}

/// Stacks are a part of the address space, and are smaller where there is less of it.
#[test]
fn there_is_room_to_work() {
    let folder = folder("limits_room");
    let small =
        "extern void reach_error(void);\nint main(void) { int x = 0; if (x) reach_error(); }\n";
    folder.write("small.c", small);
    for megabytes in [200, 500, 1000] {
        let limit = format!("ulimit -v {}", megabytes * 1024);
        for (file, verdict, status) in
            [("safe.cfa", "safe", 0), ("unsafe.cfa", "unsafe", 1), ("small.c", "safe", 0)]
        {
            let ran = confined(&folder, &limit, &["verify", file]);
            assert_eq!((ran.last_line(), ran.status), (verdict, status), "{megabytes} {ran:?}");
            // Output and messages are those of a run without a limit.
            let free = folder.run(&["verify", file]);
            assert_eq!((ran.stdout, ran.stderr), (free.stdout, free.stderr), "{megabytes} {file}");
        }
        let ran = confined(&folder, &limit, &["inspect", "small.c"]);
        assert_eq!((&ran.stderr[..], ran.status), ("", 0));
        assert!(ran.stdout.contains("locations"), "{ran:?}");
    }
    // Also what is wrong with the input or the command line.
    let ran = confined(&folder, "ulimit -v 500000", &["verify", "missing.cfa"]);
    assert_eq!((&ran.stdout[..], ran.status), ("", 65), "{ran:?}");
    let ran = confined(&folder, "ulimit -t 10", &["verify", "safe.cfa", "--frob"]);
    assert_eq!((&ran.stdout[..], ran.status), ("", 64), "{ran:?}");
}

#[test]
fn interpolants_have_limits_too() {
    let folder = folder("limits_interpolate");
    folder.write(
        "hard.smt2",
        "(declare-const x Int) (declare-const y Int) (declare-const z Int)
         (assert (= (+ (* x x x) (* y y y) (* z z z)) 114)) (assert (> x 0))",
    );
    for limit in ["ulimit -t 1", "ulimit -t 60; ulimit -v 60000"] {
        let ran = confined(&folder, limit, &["interpolate", "hard.smt2"]);
        assert_eq!((ran.stdout.lines().next(), ran.status), (Some("unknown"), 2), "{ran:?}");
        assert!(ran.stdout.contains("limit reached"), "{ran:?}");
    }
}

/// Starts a run without end.
#[expect(clippy::disallowed_methods, reason = "a shell sets the limit")]
fn start(folder: &Folder, limit: &str, options: &[&str]) -> Child {
    let script = format!("{limit}; exec \"$0\" verify diverging.cfa -v --arg arg.dot \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_lapidary")]).args(options);
    shell.current_dir(folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
    shell.spawn().expect("there is a shell")
}

/// The same, and waits until the engine is at work.
fn at_work(folder: &Folder, limit: &str) -> (Child, BufReader<ChildStderr>) {
    let mut child = start(folder, limit, &FOR_EVER);
    let mut told = BufReader::new(child.stderr.take().expect("it is piped"));
    let mut line = String::new();
    while !line.contains("iteration 1") {
        line.clear();
        assert!(told.read_line(&mut line).expect("text") > 0, "it ended by itself");
    }
    (child, told)
}

#[expect(clippy::disallowed_methods, reason = "`kill` is how a terminal says Ctrl-C")]
fn signal(name: &str, pid: &str) {
    let kill = Command::new("kill").args([name, pid]).status();
    assert!(kill.expect("there is `kill`").success());
}

#[test]
fn interrupt() {
    let folder = folder("limits_interrupt");
    for limit in [":", "ulimit -t 1000"] {
        let (child, mut told) = at_work(&folder, limit);
        signal("-INT", &child.id().to_string());
        // Otherwise it would wait for somebody to read.
        let _ = told.read_to_string(&mut String::new());
        let ran = Ran::of(child.wait_with_output().expect("it ends"));
        ended(&ran, "interrupted");
        assert!(folder.read("arg.dot").starts_with("digraph"));
    }
}

/// The worker of a supervisor ends with it.
#[test]
fn nothing_is_left_of_a_supervised_run() {
    let folder = folder("limits_killed");
    let (mut child, mut told) = at_work(&folder, "ulimit -t 1000");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    // The worker has the other end as well: it ends only with the worker.
    told.read_to_string(&mut String::new()).expect("text");
}

fn worker_of(supervisor: &Child) -> String {
    let path = format!("/proc/{0}/task/{0}/children", supervisor.id());
    std::fs::read_to_string(path).expect("the supervisor runs").trim().into()
}

/// The verdict is there even if the worker is killed.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_worker_has_a_verdict() {
    let folder = folder("limits_worker");
    let (child, mut told) = at_work(&folder, "ulimit -v 4000000");
    signal("-KILL", &worker_of(&child));
    let mut rest = String::new();
    told.read_to_string(&mut rest).expect("text");
    let ran = Ran::of(child.wait_with_output().expect("it ends"));
    ended(&ran, MEMORY);
    assert!(rest.contains("was ended by signal 9"), "{rest}");
}

/// A solver process that its worker cannot end any more is ended by the supervisor.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_worker_leaves_no_solver() {
    let folder = folder("limits_solver");
    folder.write("solver", "echo $$ > started; mv started pid; exec sleep 1000\n");
    let child = start(&folder, "ulimit -t 1000", &["--solver", "sh solver"]);
    let pid = folder.path().join("pid");
    while !pid.exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    signal("-KILL", &worker_of(&child));
    let ran = Ran::of(child.wait_with_output().expect("it ends"));
    ended(&ran, MEMORY);
    let stat = format!("/proc/{}/stat", folder.read("pid").trim());
    let is_gone = || std::fs::read_to_string(&stat).map_or(true, |text| text.contains(") Z "));
    // It is killed, but it may take a moment to end.
    let gone = (0..10_000).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        is_gone()
    });
    assert!(gone, "{stat}");
}
