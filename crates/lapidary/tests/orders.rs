//! What a verification does depends on its input alone, not on what the process has verified before.

use lapidary::model::text::{write_execution, write_proof};
use lapidary::{Finding, Source, Verifier};

const TASKS: [&str; 12] = [
    "absolute.c",
    "absolute_bug.c",
    "array_swap.cfa",
    "charger_bug.c",
    "count.btor2",
    "counter.system",
    "figure1.cfa",
    "lock.cfa",
    "midpoint.cfa",
    "ring_buffer_bug.c",
    "sensor_filter.c",
    "toggle.aag",
];

/// The verdict, what each stage did, and the evidence.
fn course(name: &str) -> String {
    let file = format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
    let outcome = Verifier::default().file(&Source::new(file)).unwrap();
    let counts = &outcome.costs.counts;
    let stages = counts.stages.iter();
    let stages = stages.map(|cost| format!("{}: {:?}\n", cost.stage.line(), cost.statistics));
    let mut text = format!("{:?} {} calls\n", counts.statistics, counts.solver_calls);
    text.extend(stages);
    match &outcome.finding {
        Finding::Safe { task, proof } => write_proof(&mut text, None, task.cfa(), proof).unwrap(),
        Finding::Unsafe { task, execution, .. } => {
            write_execution(&mut text, None, task.cfa(), execution).unwrap();
        }
        other => panic!("{name}: {other:?}"),
    }
    text
}

#[test]
fn the_order_of_tasks_makes_no_difference() {
    let first: Vec<String> = TASKS.iter().map(|name| course(name)).collect();
    for (name, first) in TASKS.iter().zip(&first).rev() {
        assert_eq!(course(name), *first, "{name}");
    }
}
