//! Transition systems and circuits of the field's own collections: every file is read.
//!
//! The collection is third-party data that lies beside a checkout (or where `LAPIDARY_BENCH` says), or does not: then
//! this test says so and skips.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lapidary_frontend::{aiger, btor2, read, sts};
use lapidary_model::sts::reduce;

/// The files of the collection that are of these kinds.
fn files() -> Vec<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench");
    let bench = std::env::var_os("LAPIDARY_BENCH").map_or(beside, PathBuf::from);
    let rows = |index: &str| std::fs::read_to_string(bench.join(index)).unwrap_or_default();
    let is_ours = |row: &&str| {
        ["aag", "sts", "fischer-sts", "plc"].contains(&row.split(',').nth(1).unwrap_or(""))
    };
    let (models, hardware) = (rows("models.csv"), rows("hw.csv"));
    let models = models.lines().skip(1).filter(is_ours);
    let all = models.chain(hardware.lines().skip(1)).filter_map(|row| row.split(',').next());
    let mut files: Vec<PathBuf> = all.map(|file| bench.join(file)).collect();
    files.sort();
    files.dedup();
    if files.is_empty() {
        // Not `eprintln!`, which the test harness keeps to itself.
        let _ = writeln!(io::stderr(), "SKIPPED: there is no collection beside the repository");
    }
    files
}

#[test]
#[expect(clippy::disallowed_methods, reason = "it measures how long reading takes")]
fn every_file_is_read() {
    let mut slowest = (Duration::ZERO, PathBuf::new());
    let mut refused = Vec::new();
    for file in files() {
        let bytes = std::fs::read(&file).unwrap();
        let start = Instant::now();
        let input = match read(&file.to_string_lossy(), &bytes) {
            Ok(input) => input,
            Err(error) => {
                refused.push(error.to_string());
                continue;
            }
        };
        for property in 0..input.properties().len().max(1) {
            let task = input.task(property).unwrap_or_else(|error| panic!("{error}"));
            task.model.system().map(reduce);
        }
        slowest = slowest.max((start.elapsed(), file));
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    // It is for people: how long it takes depends on the machine.
    let _ = writeln!(io::stderr(), "the slowest to read: {slowest:?}");
}

#[test]
fn every_file_is_printed_and_read_again_as_the_same_system() {
    for file in files() {
        let (bytes, name) = (std::fs::read(&file).unwrap(), file.to_string_lossy().into_owned());
        let extension = file.extension().and_then(|e| e.to_str()).unwrap_or("");
        match extension {
            "aag" | "aig" => aiger_survives(&name, &bytes),
            "btor" | "btor2" => btor2_survives(&name, &String::from_utf8(bytes).unwrap()),
            "system" | "sts" => systems_survive(&name, &String::from_utf8(bytes).unwrap()),
            _ => {}
        }
    }
}

fn aiger_survives(name: &str, bytes: &[u8]) {
    let circuit = aiger::parse(name, bytes).unwrap_or_else(|error| panic!("{error}"));
    let again =
        aiger::parse(name, circuit.to_ascii().as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(circuit, again, "{name}");
    // The binary variant numbers variables anew and orders the operands of gates, once.
    let binary = aiger::parse(name, &circuit.to_binary()).unwrap_or_else(|error| panic!("{error}"));
    let again = aiger::parse(name, &binary.to_binary()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(binary, again, "{name}");
    assert_eq!(circuit.gates.len(), binary.gates.len(), "{name}");
    let resets = |circuit: &aiger::Circuit| {
        circuit.latches.iter().map(|latch| latch.reset).collect::<Vec<_>>()
    };
    assert_eq!((resets(&circuit), circuit.symbols), (resets(&binary), binary.symbols), "{name}");
}

fn btor2_survives(name: &str, text: &str) {
    let parse = |text: &str| {
        let source = lapidary_frontend::SourceFile::new(name, text);
        btor2::parse(&source).unwrap_or_else(|error| panic!("{error}"))
    };
    let without_positions = |mut model: btor2::Model| {
        let marks = model.bads.iter_mut().chain(&mut model.constraints).chain(&mut model.outputs);
        marks.for_each(|mark| mark.position = lapidary_model::Position { line: 1, column: 1 });
        model
    };
    let model = parse(text);
    let again = parse(&model.to_string());
    assert!(without_positions(model) == without_positions(again), "{name}");
}

fn systems_survive(name: &str, text: &str) {
    let parse = |text: &str| {
        let source = lapidary_frontend::SourceFile::new(name, text);
        sts::parse(&source).unwrap_or_else(|error| panic!("{error}"))
    };
    for mut system in parse(text) {
        let printed = sts::print(&system).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut again = parse(&printed).remove(0);
        system.properties[0].position = None;
        again.properties[0].position = None;
        assert_eq!(system, again, "{name}\n{printed}");
    }
}
