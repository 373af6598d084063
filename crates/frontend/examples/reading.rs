//! How much CPU time and memory it takes to read circuits: files, or random circuits of growing size.
//!
//! `cargo run --release -p lapidary-frontend --example reading [FILE…]`

#![allow(clippy::print_stdout)] // a report is what this is for

/// A circuit of gates over gates, and of half as many latches as inputs.
fn random(gates: u32) -> String {
    use std::fmt::Write;
    let (inputs, latches) = (64, 32);
    let first = inputs + latches + 1;
    let mut text = format!("aag {} {inputs} {latches} 1 {gates}\n", inputs + latches + gates);
    let mut state = 1u64;
    let mut below = |bound: u32| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32 % bound
    };
    for input in 1..=inputs {
        let _ = writeln!(text, "{}", 2 * input);
    }
    for latch in inputs + 1..first {
        let _ = writeln!(text, "{} {}", 2 * latch, 2 * (first + below(gates)));
    }
    let _ = writeln!(text, "{}", 2 * (first + gates - 1));
    for gate in first..first + gates {
        let (left, right) = (2 + below(2 * gate - 2), 2 + below(2 * gate - 2));
        let _ = writeln!(text, "{} {} {}", 2 * gate, left.max(right), left.min(right));
    }
    text
}

/// The most memory so far in megabytes, where the system tells.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes >> 10)
}

/// CPU time of this thread in seconds, where the system tells.
fn cpu_time() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|word| word.parse().ok());
    nanoseconds.unwrap_or(f64::NAN) / 1e9
}

fn measure(name: &str, bytes: &[u8]) {
    let start = cpu_time();
    let input = lapidary_frontend::read(name, bytes).unwrap_or_else(|error| panic!("{error}"));
    let task = input.task(0).unwrap_or_else(|error| panic!("{error}"));
    let (seconds, edges) = (cpu_time() - start, task.cfa().edges().count());
    let memory = peak().map_or_else(String::new, |peak| format!(", at most {peak} MB so far"));
    println!("{name}: {} bytes, {edges} edges, {seconds:.2} s{memory}", bytes.len());
}

fn main() {
    let files: Vec<String> = std::env::args().skip(1).collect();
    for file in &files {
        let bytes = std::fs::read(file).unwrap_or_else(|error| panic!("{file}: {error}"));
        measure(file, &bytes);
    }
    for gates in [25_000, 50_000, 100_000, 200_000].into_iter().filter(|_| files.is_empty()) {
        measure(&format!("{gates} gates"), random(gates).as_bytes());
    }
}
