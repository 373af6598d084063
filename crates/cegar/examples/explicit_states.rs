//! How many abstract states per CPU second explicit exploration reaches: an odometer with four tracked digits.
//!
//! `cargo run --release -p lapidary-cegar --example explicit_states [BASE]`

#![allow(clippy::print_stdout)] // a report is what this is for

use lapidary_cegar::Domain;
use lapidary_cegar::abstraction::{Abstractor, Exploration};
use lapidary_cegar::arg::Arg;
use lapidary_cegar::domain::explicit::MaxEnum;
use lapidary_cegar::domain::{Explicit, Limited};
use lapidary_cegar::precision::{Granularity, PrecisionMap};
use lapidary_cegar::search::Search;
use lapidary_model::Cfa;
use lapidary_solver::limits::{Watch, cpu_time};
use lapidary_solver::z3::Z3;

/// Four digits that count up, the last one fastest; the error is behind a number that is never shown.
fn odometer(base: u32) -> Cfa {
    let last = base - 1;
    let text = format!(
        "main process odometer {{
            var a : int  var b : int  var c : int  var d : int
            init loc A  loc L  error loc E
            A -> L {{ a := 0 b := 0 c := 0 d := 0 }}
            L -> L {{ assume d < {last} d := d + 1 }}
            L -> L {{ assume d = {last} and c < {last} c := c + 1 d := 0 }}
            L -> L {{ assume d = {last} and c = {last} and b < {last} b := b + 1 c := 0 d := 0 }}
            L -> L {{ assume d = {last} and c = {last} and b = {last} and a < {last}
                      a := a + 1 b := 0 c := 0 d := 0 }}
            L -> E {{ assume a + b + c + d > {} }}
        }}",
        4 * last
    );
    lapidary_frontend::load("odometer.cfa", &text)
        .unwrap_or_else(|error| panic!("{error}"))
        .model
        .into_cfa()
}

fn main() {
    let base = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(32).max(2);
    let cfa = odometer(base);
    let z3 = Z3::new(&Watch::default()).expect("Z3");
    let mut domain = Limited::new(Explicit::new(&z3, MaxEnum::default()), &z3);
    let mut prec = PrecisionMap::new(&cfa, Granularity::Global);
    prec.refine(cfa.entry(), &cfa.vars().iter().copied().collect());
    let start = cpu_time();
    let mut arg = Arg::new(&cfa, domain.top());
    let mut abstractor = Abstractor::new::<Limited<'_, Explicit>>(&cfa, Search::Bfs, 1, &arg);
    let result = abstractor.explore(&mut domain, &prec, &mut arg).expect("no limit");
    let seconds = cpu_time().saturating_sub(start).as_secs_f64();
    assert_eq!(result, Exploration::Safe, "the digits stay below the base");
    let states = u32::try_from(arg.len()).expect("fewer than 2^32 nodes");
    println!(
        "{states} abstract states in {seconds:.2} s of CPU time: {:.0} per second",
        f64::from(states) / seconds
    );
}
