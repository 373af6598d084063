//! The interpolation engines on the loops of the collection, as tables in Markdown:
//! `cargo bench -p lapidary-solver --bench interpolation -- [k=5,10,20] [engines=auto,spacer] [loops=lia] [seconds=20]`.
//!
//! A cell says what came of the sequence for the loop unrolled k times: whether its atoms, as the predicates of
//! Boolean predicate abstraction, prove the loop for *all* k (`proof`, `no proof`, `too many`), the number of
//! atoms, the CPU time of the engine, and the mean size of an interpolant; `–` is no sequence.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it is a program, and prints tables")]

#[path = "../tests/interpolation/support/mod.rs"]
mod support;

use std::time::Duration;

use lapidary_solver::interpolate::Engine;
use support::abstraction::Worth;
use support::loops::{Loop, collection};
use support::measure::{Judged, judged};

/// What to measure.
struct Options {
    rounds: Vec<u32>,
    engines: Vec<Engine>,
    loops: String,
    budget: Duration,
}

/// The loops with what one engine made of them.
type Column<'a> = Vec<(&'a Loop, Judged)>;

fn main() {
    let options = match options(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(problem) => {
            eprintln!("error: {problem}");
            eprintln!(
                "arguments: k=5,10,20 engines={} loops=PART seconds=20",
                Engine::NAMES.join(",")
            );
            std::process::exit(64);
        }
    };
    let Some(loops) = collection() else {
        eprintln!("SKIPPED: the loops are not above the repository (shared/bench/interpolation)");
        return;
    };
    let loops: Vec<Loop> =
        loops.into_iter().filter(|task| task.name.contains(&options.loops)).collect();
    // Z3 sets itself up at its first use, at nobody's expense.
    if let Some(task) = loops.first() {
        judged(Engine::Spacer, task, 1, options.budget);
    }
    for rounds in &options.rounds {
        table(&options, &loops, *rounds);
    }
}

fn options(words: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options {
        rounds: vec![5, 10, 20],
        engines: Engine::ALL.to_vec(),
        loops: String::new(),
        budget: Duration::from_secs(20),
    };
    // Cargo says `--bench` to every benchmark.
    for word in words.filter(|word| word != "--bench") {
        let (key, value) =
            word.split_once('=').ok_or_else(|| format!("`{word}` is not `key=value`"))?;
        let numbers = || value.split(',').map(str::parse::<u32>).collect::<Result<Vec<_>, _>>();
        match key {
            "k" => options.rounds = numbers().map_err(|_| format!("`{value}` is no number"))?,
            "engines" => {
                options.engines = value
                    .split(',')
                    .map(|name| name.parse().map_err(|name| format!("there is no engine `{name}`")))
                    .collect::<Result<_, _>>()?;
            }
            "loops" => options.loops = value.into(),
            "seconds" => {
                let seconds = value.parse().map_err(|_| format!("`{value}` is no number"))?;
                options.budget = Duration::from_secs(seconds);
            }
            _ => return Err(format!("there is no option `{key}`")),
        }
    }
    Ok(options)
}

fn cell(judged: &Judged) -> String {
    let time = judged.run.time.as_secs_f64();
    if let Some(mistake) = &judged.mistake {
        return format!("INVALID: {mistake}");
    }
    if judged.run.result.is_err() {
        return format!("– {time:.3} s");
    }
    let worth = match judged.worth {
        Worth::Proof(_) => "**proof**",
        Worth::NoProof => "no proof",
        Worth::TooMany => "too many",
    };
    format!("{worth}, {} atoms, {time:.3} s, size {}", judged.atoms, judged.size)
}

fn table(options: &Options, loops: &[Loop], rounds: u32) {
    let engines = &options.engines;
    let names: Vec<&str> = engines.iter().map(|engine| engine.name()).collect();
    println!("\n### k = {rounds}\n\n| loop | {} |", names.join(" | "));
    println!("|---{}|", "|---".repeat(engines.len()));
    let mut columns: Vec<Column<'_>> = engines.iter().map(|_| Vec::new()).collect();
    for task in loops {
        let mut cells = Vec::new();
        for (engine, column) in engines.iter().zip(&mut columns) {
            let judged = judged(*engine, task, rounds, options.budget);
            cells.push(cell(&judged));
            column.push((task, judged));
        }
        println!("| {} | {} |", task.name, cells.join(" | "));
    }
    let row = |name: &str, value: &dyn Fn(&Column<'_>) -> String| {
        let cells: Vec<String> = columns.iter().map(value).collect();
        println!("| *{name}* | {} |", cells.join(" | "));
    };
    let of = loops.len();
    let count = |column: &Column<'_>, holds: &dyn Fn(&Judged) -> bool| {
        column.iter().filter(|(_, judged)| holds(judged)).count()
    };
    row("valid", &|column| format!("{} of {of}", count(column, &Judged::is_valid)));
    row("proofs", &|column| format!("{} of {of}", count(column, &Judged::is_proof)));
    row("CPU", &|column| format!("{:.3} s", seconds(column, "")));
    row("CPU, LIA and LRA", &|column| format!("{:.3} s", seconds(column, "L")));
    row("interpolants per second", &|column| {
        let interpolants: u32 = column.iter().map(|(_, judged)| judged.count()).sum();
        format!("{:.0}", f64::from(interpolants) / seconds(column, "").max(1e-9))
    });
    comparison(engines, &columns);
}

/// What `spacer` alone needs, compared to `auto`.
fn comparison(engines: &[Engine], columns: &[Column<'_>]) {
    let of = |engine: Engine| {
        let position = engines.iter().position(|other| *other == engine)?;
        Some(seconds(&columns[position], "L"))
    };
    if let (Some(auto), Some(spacer)) = (of(Engine::Auto), of(Engine::Spacer)) {
        println!(
            "\nOn the LIA and LRA loops, `spacer` needs {:.1} times the CPU time of `auto`.",
            spacer / auto.max(1e-9)
        );
    }
}

/// The CPU time for loops whose theory's name begins so.
fn seconds(column: &Column<'_>, theory: &str) -> f64 {
    let selected = column.iter().filter(|(task, _)| task.theory.starts_with(theory));
    selected.map(|(_, judged)| judged.run.time.as_secs_f64()).sum()
}
