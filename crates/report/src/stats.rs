//! The table of statistics.

use crate::{Asked, megabytes};
use lapidary::outcome::{Costs, Outcome};

/// What the run did and what it cost, a line each.
pub(crate) fn table(asked: &Asked<'_>, outcome: &Outcome) -> String {
    let Costs { counts, cpu, wall, peak_memory } = &outcome.costs;
    let statistics = &counts.statistics;
    let seconds = |time: &std::time::Duration| format!("{:.3} s", time.as_secs_f64());
    let stage = counts.deciding();
    let mut rows = vec![
        ("file", asked.file.display().to_string()),
        ("configuration", stage.map_or_else(|| asked.config.to_string(), |stage| stage.line())),
        ("solver", asked.solver.into()),
        ("automaton", counts.size.map_or_else(|| "-".into(), |size| size.to_string())),
        ("iterations", statistics.iterations.to_string()),
        ("refinements #R", statistics.refinements.to_string()),
        ("nodes", statistics.nodes.to_string()),
        ("explored #S", statistics.explored.to_string()),
        ("precision size", statistics.precision.to_string()),
        ("solver calls", counts.solver_calls.to_string()),
        ("solver time", seconds(&counts.solver_time)),
        ("CPU time", seconds(cpu)),
        ("wall time", seconds(wall)),
        ("peak memory", peak_memory.map_or_else(|| "-".into(), megabytes)),
    ];
    if let Some(stage) = stage {
        rows.insert(1, ("stage", format!("{} ({stage})", counts.stages.len())));
    }
    if let Some(arith) = counts.arith {
        rows.insert(4, ("arithmetic", arith.into()));
    }
    // With one in each refinement there is nothing to add.
    if statistics.counterexamples != statistics.refinements {
        rows.push(("explained paths", statistics.counterexamples.to_string()));
    }
    let eliminations: Vec<String> = statistics
        .eliminations
        .named()
        .into_iter()
        .filter(|(_, number)| *number > 0)
        .map(|(name, number)| format!("{name} {number}"))
        .collect();
    if !eliminations.is_empty() {
        rows.push(("eliminations", eliminations.join(", ")));
    }
    let lines: Vec<String> =
        rows.iter().map(|(name, value)| format!("{name:<16}{value}\n")).collect();
    lines.concat()
}
