//! Whether a program is safe only because no execution passes what it assumes.

use std::collections::BTreeSet;

use lapidary_engine::strategy::Shape;
use lapidary_engine::{Reduced, Stage, Verdict, strategy};
use lapidary_frontend::Task;
use lapidary_model::{Cfa, CfaBuilder, Loc, Stmt};
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;
use lapidary_solver::{Backend, Result};

/// What each stage of this question may do; some tenths of a second.
const WORK: u64 = 500_000;
/// In larger automata it is not asked, as passes over them alone take their time.
const MOST_EDGES: usize = 20_000;
/// So many assumptions are looked at one by one.
const MOST_ASSUMPTIONS: usize = 16;

/// What is said about a program that is safe, if it is proved that no execution passes one of its assumptions, and that
/// therefore none comes to an assertion or to the end.
pub(crate) fn note(task: &Task, watch: &Watch) -> Option<String> {
    let map = task.map.as_ref()?;
    if map.assumptions.is_empty() || task.cfa().n_edges() > MOST_EDGES {
        return None;
    }
    let stopped = map.assumptions.iter().flat_map(|place| &place.stopped).copied().collect();
    let wanted: Vec<Loc> = checks(task.cfa(), &stopped).into_iter().chain(map.end).collect();
    if !is_out_of_reach(task.cfa(), &wanted, watch) {
        return None;
    }
    let mut assumptions = map.assumptions.iter().take(MOST_ASSUMPTIONS);
    let never = assumptions.find(|place| is_out_of_reach(task.cfa(), &place.after, watch))?;
    Some(format!("no execution passes the assumption at {}", never.name))
}

/// Where it is decided whether the error is reached: the locations with an edge to where every path leads to the error, and
/// another edge. Those that assume something are none: the other edge only leads to where executions are `stopped`.
fn checks(cfa: &Cfa, stopped: &BTreeSet<Loc>) -> Vec<Loc> {
    let Some(error) = cfa.error() else { return Vec::new() };
    let mut lost: BTreeSet<Loc> = BTreeSet::from_iter([error]);
    let mut open = vec![error];
    let mut checks = Vec::new();
    while let Some(loc) = open.pop() {
        for edge in cfa.incoming(loc) {
            let source = cfa.edge(*edge).source;
            let is_lost = |edge: &lapidary_model::EdgeId| {
                let target = cfa.edge(*edge).target;
                lost.contains(&target) || stopped.contains(&target)
            };
            if lost.contains(&source) {
                continue;
            }
            if cfa.outgoing(source).iter().all(is_lost) {
                lost.insert(source);
                open.push(source);
            } else {
                checks.push(source);
            }
        }
    }
    checks.retain(|check| !lost.contains(check));
    checks.sort_unstable();
    checks.dedup();
    checks
}

/// Whether it is proved, with little work, that none of these locations can be reached.
fn is_out_of_reach(cfa: &Cfa, wanted: &[Loc], watch: &Watch) -> bool {
    if wanted.is_empty() {
        return true;
    }
    let Some(cfa) = leading_to(cfa, wanted) else { return false };
    let solvers = |watch: &Watch| -> Result<Box<dyn Backend>> { Ok(Box::new(Z3::new(watch)?)) };
    let Ok(judge) = Z3::new(watch) else { return false };
    let reduced = Reduced::unchanged(&cfa, &[]);
    let verdict = strategy::decide(&cfa, &reduced, &stages(&cfa), watch, &solvers, &judge, &mut ());
    matches!(verdict, Verdict::Safe(_))
}

/// The automaton in which the error is to reach one of these locations.
fn leading_to(cfa: &Cfa, wanted: &[Loc]) -> Option<Cfa> {
    let mut builder = CfaBuilder::new(cfa.name(), cfa.loc_name(Loc(0)));
    builder.vars(cfa.vars());
    builder.written_checks(cfa.has_written_checks());
    for loc in cfa.locs().skip(1) {
        builder.loc(cfa.loc_name(loc));
    }
    for (_, edge) in cfa.edges() {
        builder.edge(edge.source, edge.stmt.clone(), edge.target, edge.position);
    }
    let passed = builder.loc("PASSED");
    for loc in wanted {
        builder.edge(*loc, Stmt::skip(), passed, None);
    }
    builder.error(passed);
    builder.build().ok()
}

/// Concrete runs first: most programs can be run.
fn stages(cfa: &Cfa) -> Vec<Stage> {
    let mut stages: Vec<Stage> = strategy::stages(Shape::of(cfa));
    stages.truncate(3);
    stages.iter_mut().for_each(|stage| stage.work = Some(WORK));
    stages.sort_by_key(|stage| !stage.engine.runs_the_input());
    stages
}
