//! Same input, same configuration, same run: the graph, the statistics (times aside) and the evidence.

mod common;

use std::path::Path;

use common::Folder;
use lapidary_cegar::config::AXES;
use serde_json::Value;

/// Everything that a run shows but for what the clock and the machine say.
fn run(folder: &Folder, file: &str, config: &str) -> (Value, String) {
    let mut words = vec!["verify", file, "--json", "--arg", "arg.dot", "--time", "20"];
    words.extend(match config {
        "auto" => ["--strategy", config],
        line => ["--config", line],
    });
    let ran = folder.run(&words);
    let mut report: Value = serde_json::from_str(&ran.stdout).expect("a report");
    let fields = report.as_object_mut().expect("an object");
    for field in ["cpu_seconds", "wall_seconds", "peak_memory_bytes", "solver_seconds"] {
        fields.remove(field);
    }
    for stage in fields["stages"].as_array_mut().into_iter().flatten() {
        stage.as_object_mut().expect("an object").remove("cpu_seconds");
    }
    (report, folder.read("arg.dot"))
}

#[test]
fn runs_repeat() {
    let folder = Folder::new("determinism");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    // One value of each axis after the other, so that all of them occur.
    let longest = AXES.iter().map(|axis| axis.values.len()).max().unwrap_or(0);
    for i in 0..longest {
        let value = |axis: &lapidary_cegar::config::Axis| axis.values[i % axis.values.len()];
        let line: Vec<String> =
            AXES.iter().map(|axis| format!("{}={}", axis.name, value(axis))).collect();
        let mut config = lapidary_cegar::Config::default();
        config.set_line(&line.join(" ")).expect("the values of the axes");
        if config.conflict().is_some() {
            config
                .set_line("domain=predicate abstraction=split")
                .expect("what goes with all others");
        }
        for name in ["figure1.cfa", "lock.cfa", "midpoint.cfa"] {
            let file = examples.join(name);
            let file = file.to_str().expect("a readable path");
            let (first, second) =
                (run(&folder, file, &config.to_string()), run(&folder, file, &config.to_string()));
            assert!(first == second, "{name} with {config}: {} and {}", first.0, second.0);
        }
    }
}

#[test]
fn stages_repeat() {
    let folder = Folder::new("stages_repeat");
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cegar/tests/corpus");
    for name in ["equal_counters.cfa", "nested_loops.cfa"] {
        let file = corpus.join(name);
        let file = file.to_str().expect("a readable path");
        let (first, second) = (run(&folder, file, "auto"), run(&folder, file, "auto"));
        assert!(first == second, "{name}: {} and {}", first.0, second.0);
    }
}
