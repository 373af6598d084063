//! The loops of the collection (linear integers and rationals, bit-vectors, arrays, functions): `auto` explains
//! their unrollings, and what it says about ten rounds proves most of them for all rounds. The table is that of
//! `cargo bench -p lapidary-solver --bench interpolation`.

use std::io::{self, Write};
use std::time::Duration;

use lapidary_solver::interpolate::Engine;

use crate::support::loops::collection;
use crate::support::measure::{Judged, judged};
use crate::turn;

/// How many loops `auto` is known to prove from ten rounds.
const PROVED: usize = 20;

/// CPU time for one sequence: `auto` has to solve it, the others may give up.
fn budget(engine: Engine) -> Duration {
    if engine == Engine::Auto { Duration::from_secs(10) } else { Duration::from_millis(300) }
}

#[test]
fn loops() {
    let _turn = turn();
    let Some(loops) = collection() else {
        // Not `eprintln!`, which the test harness keeps to itself.
        let _ = writeln!(
            io::stderr(),
            "SKIPPED: the loops are not above the repository (shared/bench/interpolation)"
        );
        return;
    };
    assert_eq!(loops.len(), 21, "the collection has changed");
    let mut proved = Vec::new();
    let mut too_many = Vec::new();
    for task in &loops {
        for rounds in [5, 10] {
            let auto = judged(Engine::Auto, task, rounds, budget(Engine::Auto));
            let name = &task.name;
            assert!(auto.is_valid(), "{name} with {rounds} rounds: {auto:?}");
            if rounds == 10 && auto.is_proof() {
                proved.push(name);
                let others = Engine::ALL.into_iter().filter(|engine| *engine != Engine::Auto);
                let least = others
                    .map(|engine| judged(engine, task, rounds, budget(engine)))
                    .inspect(|other| assert_eq!(other.mistake, None, "{name}"))
                    .filter(Judged::is_proof)
                    .map(|other| other.atoms)
                    .min();
                if let Some(least) = least.filter(|least| 2 * auto.atoms > 3 * least) {
                    too_many.push(format!("{name}: {} instead of {least}", auto.atoms));
                }
            }
        }
    }
    assert!(proved.len() >= PROVED, "auto proves {} of the loops: {proved:?}", proved.len());
    assert!(too_many.is_empty(), "auto needs more atoms than another engine: {too_many:?}");
}
