//! CPU time, memory and limits of processes with children, against what the system says itself.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use lapidary_bench::process::{Bounds, Ended, Exit, Groups, Start, Stopped, run};
use wait4::Wait4;

/// Half a second of CPU time or so in a child, some in the shell itself, and a table of it at the end.
const SPIN: &str = "spin() { i=0; while [ $i -lt $1 ]; do i=$((i+1)); done; }; \
                    sh -c 'i=0; while [ $i -lt 600000 ]; do i=$((i+1)); done' & \
                    spin 200000; wait; times";

/// A child that keeps 150 MB while the shell waits for it.
const HOLD: &str = "head -c 157286400 /dev/zero | tail -c 157286400 | cat > /dev/null; true";

/// A child that takes more and more memory.
const GROW: &str = "head -c 4000000000 /dev/zero | tail -c 4000000000 > /dev/null; true";

const FOREVER: &str = "while :; do :; done & while :; do :; done";

fn bounds(cpu: f64, wall: f64, megabytes: u64) -> Bounds {
    Bounds {
        cpu: Duration::from_secs_f64(cpu),
        wall: Duration::from_secs_f64(wall),
        memory: Some(megabytes << 20),
    }
}

/// Runs a script; also what it printed.
fn shell(name: &str, script: &str, bounds: Bounds, groups: &Groups) -> (Ended, String) {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("accounting-{name}.out"));
    let words: Vec<String> = ["sh", "-c", script].map(String::from).to_vec();
    let start = Start {
        words: &words,
        stdout: File::create(&out).unwrap(),
        stderr: File::create(out.with_extension("err")).unwrap(),
    };
    let ended = run(start, bounds, groups, &AtomicBool::new(false), |_| ()).unwrap();
    (ended, fs::read_to_string(out).unwrap())
}

/// The seconds in the output of `times`, of the shell and of its children.
fn times(table: &str) -> f64 {
    let seconds = |word: &str| {
        let (minutes, seconds) = word.trim_end_matches('s').split_once('m').unwrap();
        minutes.parse::<f64>().unwrap() * 60.0 + seconds.parse::<f64>().unwrap()
    };
    table.split_whitespace().map(seconds).sum()
}

fn assert_close(what: &str, ours: f64, theirs: f64, slack: f64) {
    let most = theirs * 0.05 + slack;
    assert!((ours - theirs).abs() <= most, "{what}: {ours} here, {theirs} by the system");
}

#[test]
fn cpu_time_counts_children() {
    for (name, groups) in [("cpu-groups", Groups::none()), ("cpu-found", Groups::find())] {
        let (ended, table) = shell(name, SPIN, bounds(60.0, 60.0, 1000), &groups);
        assert_eq!((ended.exit, ended.stopped), (Exit::Status(0), None));
        // The shell rounds each of four numbers to hundredths, and starting it is not in them.
        assert_close(&ended.metered, ended.cpu.as_secs_f64(), times(&table), 0.03);
        assert!(times(&table) > 0.2, "too little to compare: {table}");
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "what the system says about the same program")]
#[expect(clippy::cast_precision_loss, reason = "numbers of bytes far below 2⁵³")]
fn memory_counts_children() {
    let child = Command::new("sh").args(["-c", HOLD]).stdout(Stdio::null()).spawn().unwrap();
    // What `wait4` says is the largest process, which is `tail` by far.
    let theirs = child.wait4().unwrap().rusage.maxrss as f64;
    for (name, groups) in [("memory-groups", Groups::none()), ("memory-found", Groups::find())] {
        let (ended, _) = shell(name, HOLD, bounds(60.0, 60.0, 1000), &groups);
        assert_eq!((ended.exit, ended.stopped), (Exit::Status(0), None));
        assert!(theirs > 150e6, "too little to compare: {theirs}");
        assert_close(&ended.metered, ended.memory as f64, theirs, 4e6);
    }
}

#[test]
fn limits_of_time_are_kept() {
    for (name, groups) in [("time-groups", Groups::none()), ("time-found", Groups::find())] {
        let (ended, _) = shell(name, FOREVER, bounds(1.0, 60.0, 1000), &groups);
        assert_eq!(ended.stopped, Some(Stopped::Cpu));
        let cpu = ended.cpu.as_secs_f64();
        // How soon after the limit depends on the machine.
        assert!((1.0..30.0).contains(&cpu), "{}: {cpu}", ended.metered);
        let (ended, _) = shell(name, "sleep 1000", bounds(10.0, 0.5, 1000), &groups);
        assert_eq!(ended.stopped, Some(Stopped::Wall));
        let wall = ended.wall.as_secs_f64();
        assert!((0.5..500.0).contains(&wall), "{wall}");
    }
}

#[test]
fn a_limit_of_memory_is_kept_and_told() {
    for (name, groups) in [("limit-groups", Groups::none()), ("limit-found", Groups::find())] {
        let (ended, _) = shell(name, GROW, bounds(60.0, 60.0, 100), &groups);
        assert_eq!(ended.stopped, Some(Stopped::Memory), "{ended:?}");
        // It was ended before it had all that it wanted.
        assert!(ended.memory < 3 << 30, "{ended:?}");
    }
}

#[test]
fn nothing_is_left_running() {
    let (ended, output) =
        shell("left", "sleep 77 & echo $!; exit 3", bounds(10.0, 10.0, 1000), &Groups::none());
    assert_eq!(ended.exit, Exit::Status(3));
    let stat = format!("/proc/{}/stat", output.trim());
    let is_gone = || fs::read_to_string(&stat).map_or(true, |text| text.contains(") Z "));
    assert!((0..10_000).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        is_gone()
    }));
}
