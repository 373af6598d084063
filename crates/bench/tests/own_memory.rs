//! The memory of a run is not that of the process that started it. In a file of its own, since it needs much of it.

use std::fs::File;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use lapidary_bench::process::{Bounds, Groups, Start, run};

/// A new process begins as a copy of ours, and `wait4` counts that.
#[test]
fn memory_of_the_runner_is_not_that_of_the_run() {
    let ours = vec![1u8; 200 << 20];
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("own-memory.out");
    // Long enough to be sampled while others use the processors.
    let words = ["sleep", "2"].map(String::from);
    for groups in [Groups::none(), Groups::find()] {
        let start = Start {
            words: &words,
            stdout: File::create(&out).unwrap(),
            stderr: File::create(out.with_extension("err")).unwrap(),
        };
        let time = Duration::from_mins(1);
        let bounds = Bounds { cpu: time, wall: time, memory: None };
        let ended = run(start, bounds, &groups, &AtomicBool::new(false), |_| ()).unwrap();
        assert!(ended.memory > 100 << 10 && ended.memory < 50 << 20, "{ended:?}");
    }
    assert!(ours.iter().all(|byte| *byte == 1));
}
