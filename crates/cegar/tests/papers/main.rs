//! The tables and figures of the papers on refinement, as tests.
//!
//! Where a figure is not in a paper's text, its program is reconstructed from what the text says about it.

mod incremental;
mod newton;
mod pruning;
mod slicing;
#[path = "../clients/split.rs"]
mod split;
mod splitting;

use lapidary_cegar::cegar::{Outcome, cegar};
use lapidary_cegar::config::DomainKind;
use lapidary_cegar::domain::{Cartesian, Explicit};
use lapidary_cegar::observer::{Observer, Statistics, Step, Story};
use lapidary_cegar::precision::PrecisionMap;
use lapidary_cegar::refinement::Refiner;
use lapidary_cegar::{Config, Domain, trace_checker};
use lapidary_expr::{Sort, Term, Var};
use lapidary_model::{Cfa, Stmt};
use lapidary_solver::Backend;
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;
use lapidary_validate::{validate_execution, validate_proof};

fn z3() -> Z3 {
    Z3::new(&Watch::default()).unwrap()
}

fn automaton(text: &str) -> Cfa {
    lapidary_frontend::load("test.cfa", text)
        .unwrap_or_else(|error| panic!("{error}"))
        .model
        .into_cfa()
}

fn int(name: &str) -> Var {
    Var::new(name, Sort::Int)
}

fn assign(var: Var, value: Term) -> Stmt {
    Stmt::assign(var, value)
}

/// The statements of the edges of an automaton that is one path, in order.
fn path(cfa: &Cfa) -> Vec<&Stmt> {
    let mut stmts = Vec::new();
    let mut loc = cfa.entry();
    while let [edge] = cfa.outgoing(loc) {
        stmts.push(&cfa.edge(*edge).stmt);
        loc = cfa.edge(*edge).target;
    }
    stmts
}

/// Hears everything.
#[derive(Default)]
struct Log {
    statistics: Statistics,
    stories: Vec<Story>,
}

impl Observer for Log {
    fn step(&mut self, step: &Step) {
        self.statistics.step(step);
    }

    fn refuted(&mut self, story: &Story) {
        self.statistics.refuted(story);
        self.stories.push(story.clone());
    }

    fn is_curious(&self) -> bool {
        true
    }
}

/// The verdict of a configuration on the automaton as it is, without passes, and how it was found.
fn run(cfa: &Cfa, line: &str) -> (&'static str, Log) {
    let mut config = Config::default();
    config.set_line(line).unwrap();
    let z3 = z3();
    if config.domain == DomainKind::Explicit {
        return run_with(cfa, &config, Explicit::new(&z3, config.max_enum));
    }
    run_with(cfa, &config, Cartesian::new(&z3, config.pred_split))
}

fn run_with<D: Domain>(cfa: &Cfa, config: &Config, mut domain: D) -> (&'static str, Log) {
    let (z3, mut log) = (z3(), Log::default());
    let checker = trace_checker(cfa, config, &z3);
    let mut refiner = Refiner::new(cfa, &z3, vec![checker], config.prune);
    let mut prec = PrecisionMap::new(cfa, config.precision);
    let most = (config.search, config.refine.most());
    let outcome = cegar(cfa, &mut domain, most, &mut refiner, &mut prec, &mut log).unwrap();
    let verdict = match outcome {
        Outcome::Safe(proof) => {
            validate_proof(cfa, &proof, &mut *z3.solver()).unwrap();
            "safe"
        }
        Outcome::Unsafe(execution) => {
            validate_execution(cfa, &execution).unwrap();
            "unsafe"
        }
        Outcome::NoProgress(_) => "no progress",
    };
    (verdict, log)
}
