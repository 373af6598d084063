//! Mutation testing of the trusted part of the C front end.
//!
//! ```sh
//! cargo run --manifest-path tools/mutants/Cargo.toml -- build
//! cargo run --manifest-path tools/mutants/Cargo.toml -- run --claims FOLDER
//! cargo run --manifest-path tools/mutants/Cargo.toml -- report
//! ```
//!
//! `build` copies the repository, writes all mutants of the trusted sources into the copy and compiles it once.
//! `run` chooses a mutant at a time by an environment variable and gives it the checks that reach it.

#![allow(clippy::disallowed_methods, reason = "this tool starts processes, and no test does")]

mod checks;
mod compile;
mod digests;
mod points;
mod report;
mod rewrite;
mod run;
mod tree;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use compile::Built;
use report::{Equivalent, report};
use run::Wanted;
use tree::Folders;

const USAGE: &str = "usage: mutants build|list|run|report [OPTION VALUE]...
  --root FOLDER      the repository (.)
  --out FOLDER       what is built and the results (ROOT/target/mutants)
  --without NAME     build: leave this source out; more than once
  --only NAME        build: this source only; more than once
  --test NAME        build: this test of crates/cli too (c, c_witness, gcc, notes); more than once
  --sample N         run, report: how many mutants (300)
  --seed N           run, report: the start of their order (22)
  --claims FOLDER    run: the claims about generated programs
  --seconds N        run: the CPU seconds for one mutant (60)
  --again yes        run: those that survived too, unless they are equivalent
  --check NAME       run: only the checks with this in their names; more than once
  --part I/N         run: only the mutants I, I + N, I + 2 N, ... (0/1)
  --rows FILE        run, report: the results (OUT/rows.jsonl)";

struct Arguments {
    command: String,
    folders: Folders,
    without: Vec<String>,
    only: Vec<String>,
    tests: Vec<String>,
    wanted: Wanted,
}

fn arguments() -> Result<Arguments, String> {
    let mut words = std::env::args().skip(1);
    let command = words.next().ok_or(USAGE)?;
    let (mut root, mut out, mut rows) = (PathBuf::from("."), None, None);
    let (mut without, mut only, mut tests) = (Vec::new(), Vec::new(), Vec::new());
    let mut wanted = Wanted {
        sample: 300,
        seed: 22,
        claims: None,
        seconds: 60.0,
        again: false,
        rows: PathBuf::new(),
        checks: Vec::new(),
        part: (0, 1),
    };
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
        let number = || value.parse::<usize>().map_err(|_| format!("{word} needs a number"));
        match word.as_str() {
            "--root" => root = value.into(),
            "--out" => out = Some(PathBuf::from(value)),
            "--rows" => rows = Some(PathBuf::from(value)),
            "--without" => without.push(value),
            "--only" => only.push(value),
            "--test" => tests.push(value),
            "--sample" => wanted.sample = number()?,
            "--seed" => wanted.seed = number()? as u64,
            "--seconds" => wanted.seconds = number()? as f64,
            "--claims" => wanted.claims = Some(value.into()),
            "--check" => wanted.checks.push(value),
            "--part" => {
                let part = value.split_once('/');
                let part = part.and_then(|(at, n)| Some((at.parse().ok()?, n.parse().ok()?)));
                wanted.part = part.filter(|(at, n)| at < n).ok_or("--part needs I/N")?;
            }
            "--again" => wanted.again = value == "yes",
            _ => return Err(format!("{word} is not an option\n{USAGE}")),
        }
    }
    if tests.is_empty() {
        tests = ["c", "c_witness", "gcc", "notes"].map(String::from).to_vec();
    }
    let root = root.canonicalize().map_err(|error| format!("{}: {error}", root.display()))?;
    let out = out.unwrap_or_else(|| root.join("target/mutants"));
    fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    wanted.rows = rows.unwrap_or_else(|| out.join("rows.jsonl"));
    Ok(Arguments { command, folders: Folders { root, out }, without, only, tests, wanted })
}

fn built(folders: &Folders) -> Result<Built, String> {
    let path = folders.out.join("built.json");
    let text = fs::read_to_string(&path)
        .map_err(|error| format!("{}: {error}: build first", path.display()))?;
    serde_json::from_str(&text).map_err(|error| error.to_string())
}

fn done() -> Result<(), String> {
    let Arguments { command, folders, without, only, tests, wanted } = arguments()?;
    match command.as_str() {
        "build" => {
            let is_wanted = |file: &str| {
                let is = |name: &String| file.ends_with(&format!("/c/{name}"));
                !without.iter().any(is) && (only.is_empty() || only.iter().any(is))
            };
            let built = compile::build(&folders, is_wanted, &tests)?;
            println!(
                "{} mutants, {} that the compiler refuses",
                built.mutants.len(),
                built.n_refused
            );
            let text = serde_json::to_string(&built).map_err(|error| error.to_string())?;
            tree::write(&folders.out.join("built.json"), text.as_bytes())
        }
        "list" => {
            for mutant in built(&folders)?.mutants {
                println!(
                    "{:5} {}:{}:{}: {} -> {}",
                    mutant.number, mutant.file, mutant.line, mutant.column, mutant.from, mutant.to
                );
            }
            Ok(())
        }
        "run" => {
            let equivalent = Equivalent::read(&folders.root.join("tools/mutants/equivalent.txt"))?;
            run::run(&folders, &built(&folders)?, &wanted, &equivalent)
        }
        "report" => {
            let equivalent = Equivalent::read(&folders.root.join("tools/mutants/equivalent.txt"))?;
            let rows: Vec<_> = run::rows(&wanted.rows).into_values().collect();
            print!("{}", report(&rows, &equivalent));
            Ok(())
        }
        _ => Err(USAGE.into()),
    }
}

fn main() -> ExitCode {
    match done() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}
