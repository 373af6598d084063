//! Error traces of 21 loops (linear integers and rationals, bit-vectors, arrays, functions), unrolled 5 and
//! 10 times. `cargo test -p lapidary-solver --test interpolation -- --nocapture loops` shows the table.

use std::path::PathBuf;
use std::time::Duration;

use lapidary_expr::Term;
use lapidary_solver::interpolate::{Engine, interpolator};
use lapidary_solver::limits::{Limits, Watch, attempt, cpu_time};
use lapidary_solver::{Interpolants, Interpolator, Stop};

use crate::{mistake, smt2, z3};

const NAMES: [&str; 21] = [
    "lia_even",
    "lia_sum",
    "lia_eq",
    "lia_bound",
    "lia_lock",
    "lia_mod",
    "lia_branch",
    "lra_drift",
    "bv_even",
    "bv_sum",
    "bv_eq",
    "bv_bound",
    "bv_sdec",
    "bv_wrap",
    "bv_lock",
    "bv_urem",
    "hw_ring8",
    "hw_cnteq",
    "arr_lia",
    "arr_bv",
    "uf_eq",
];

/// CPU time for one sequence: `auto` has to solve it, the others may give up.
fn budget(engine: Engine) -> Duration {
    if engine == Engine::Auto { Duration::from_secs(4) } else { Duration::from_millis(300) }
}

/// What `auto` is known to solve.
const FLOOR: usize = 42;

fn traces(unrolled: usize) -> Option<Vec<(&'static str, Vec<Term>)>> {
    let folder =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench/interpolation");
    let trace = |name: &'static str| {
        let script =
            std::fs::read_to_string(folder.join(format!("{name}_{unrolled}.smt2"))).ok()?;
        Some((name, smt2::assertions(&script)))
    };
    NAMES.into_iter().map(trace).collect()
}

struct Run {
    result: Result<Vec<Term>, Stop>,
    time: Duration,
}

fn run(engine: Engine, parts: &[Term]) -> Run {
    let start = cpu_time();
    let limits = Limits { cpu: Some(start + budget(engine)), ..Limits::default() };
    let result =
        attempt(&limits, |watch| match interpolator(engine, &z3(watch)).interpolate(parts)? {
            Interpolants::Unsat(itps) => Ok(itps),
            Interpolants::Sat(model) => panic!("an error trace has the model {model:?}"),
        });
    Run { result, time: cpu_time().saturating_sub(start) }
}

fn cell(Run { result, time }: &Run) -> String {
    match result {
        Ok(itps) => {
            let size: u32 = itps.iter().map(|itp| itp.size()).sum();
            format!("{:.2} s, size {}", time.as_secs_f32(), size as usize / itps.len().max(1))
        }
        Err(stop) => format!("– {:.2} s: {stop}", time.as_secs_f32()),
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the table is for people")]
fn loops() {
    let mut by_auto = 0;
    for unrolled in [5, 10] {
        let Some(traces) = traces(unrolled) else {
            println!(
                "SKIPPED: the traces of the loops are not beside the repository (shared/bench/interpolation)"
            );
            return;
        };
        println!("\n| k = {unrolled} | {} |", Engine::ALL.map(Engine::name).join(" | "));
        println!("|---|---|---|---|---|");
        for (name, parts) in traces {
            let runs = Engine::ALL.map(|engine| run(engine, &parts));
            println!("| {name} | {} |", runs.each_ref().map(cell).join(" | "));
            for (engine, run) in Engine::ALL.into_iter().zip(&runs) {
                let Ok(itps) = &run.result else { continue };
                assert_eq!(
                    mistake(&z3(&Watch::default()), &parts, itps),
                    None,
                    "{engine} on {name}"
                );
                by_auto += usize::from(engine == Engine::Auto);
            }
        }
    }
    assert!(by_auto >= FLOOR, "auto solves {by_auto} traces of 42, it was {FLOOR}");
}
