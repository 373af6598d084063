//! Verifies a file: `cargo run -p lapidary --example verify_file -- examples/counter.cfa`.
#![allow(clippy::print_stdout, reason = "examples print")]

use lapidary::{Error, Finding, Options};

fn main() -> Result<(), Error> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "examples/counter.cfa".into());
    let outcome = lapidary::verify(path, &Options::default())?;
    outcome.notes.iter().for_each(|note| println!("note: {note}"));
    match &outcome.finding {
        Finding::Safe { proof, .. } => println!("safe: {} states", proof.states.len()),
        Finding::Unsafe { task, execution, .. } => {
            let last = execution.steps.last().and_then(|step| task.place(step.edge));
            println!("unsafe: {} steps to {}", execution.steps.len(), last.unwrap_or_default());
        }
        other => println!("unknown: {}", other.reason().unwrap_or_default()),
    }
    Ok(())
}
