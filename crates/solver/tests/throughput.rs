//! How many queries a CPU second holds: eight integers, twenty literals asserted, three more per query.
//! Meant for `cargo test --release -p lapidary-solver --test throughput -- --nocapture`.

mod common;

use std::time::Duration;

use common::Rng;
use lapidary_expr::{Sort, Term, Var};
use lapidary_solver::Backend;
use lapidary_solver::limits::{Watch, cpu_time};
use lapidary_solver::smtlib::{Command, Dialect, SmtLib};
use lapidary_solver::wrap::Checked;
use lapidary_solver::z3::Z3;

const LEAST: Duration = Duration::from_millis(if cfg!(debug_assertions) { 50 } else { 500 });

fn literal(rng: &mut Rng) -> Term {
    let var = |rng: &mut Rng| Term::var(Var::new(&format!("x{}", rng.below(8)), Sort::Int));
    let sum = var(rng).plus(Term::int(rng.number(-2, 5)).times(var(rng)));
    sum.at_most(var(rng).plus(Term::int(rng.number(-4, 31))))
}

#[expect(clippy::print_stdout, reason = "figures are for people")]
fn measure(name: &str, mut query: impl FnMut(&mut Rng) -> bool) {
    let (mut rng, start, mut n, mut sat) = (Rng(99), cpu_time(), 0u32, 0u32);
    // A solver process that is waited for counts with the time that passes, which may be long on a busy machine.
    while cpu_time() < start + LEAST || n <= 5 {
        sat += u32::from(query(&mut rng));
        n += 1;
    }
    let seconds = cpu_time().saturating_sub(start).as_secs_f64();
    println!(
        "{name}: {:.0} queries per CPU second ({}% sat)",
        f64::from(n) / seconds,
        100 * sat / n
    );
}

fn measure_all(name: &str, backend: &dyn Backend) {
    let mut setup = Rng(1);
    let base: Vec<Term> = (0..20).map(|_| literal(&mut setup)).collect();
    let pool: Vec<Term> = (0..60).map(|_| literal(&mut setup)).collect();
    let mut solver = backend.solver();
    base.iter().for_each(|formula| solver.assert(*formula));
    measure(&format!("{name}, push and pop"), |rng| {
        solver.push();
        (0..3).for_each(|_| solver.assert(rng.pick(&pool)));
        let sat = solver.is_sat();
        solver.pop();
        sat.expect("linear")
    });
    measure(&format!("{name}, entailment"), |rng| {
        let premise = Term::and([rng.pick(&pool), rng.pick(&pool)]);
        !solver.entails(premise, rng.pick(&pool)).expect("linear")
    });
    measure(&format!("{name}, assumptions from a pool"), |rng| {
        let assumptions = [rng.pick(&pool), rng.pick(&pool), rng.pick(&pool)];
        solver.core(&assumptions).expect("linear").is_none()
    });
    measure(&format!("{name}, assumptions never seen before"), |rng| {
        let assumptions = [literal(rng), literal(rng), literal(rng)];
        solver.core(&assumptions).expect("linear").is_none()
    });
}

#[test]
fn throughput() {
    let watch = Watch::default();
    measure_all("z3", &Z3::new(&watch).expect("Z3 is there"));
    let z3 = concat!(env!("CARGO_MANIFEST_DIR"), "/../../third_party/z3/bin/z3");
    for command in [z3, "cvc5"] {
        let parsed = Command::parse(command).expect("a command");
        let dialect = Dialect::of(&parsed);
        if let Ok(process) = SmtLib::new(parsed, dialect, &watch) {
            measure_all(&format!("{} process", dialect.name), &process);
            measure_all(&format!("{} process, checked", dialect.name), &Checked::new(process));
        }
    }
}
