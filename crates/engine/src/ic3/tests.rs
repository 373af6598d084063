//! Lemmas of real runs, checked by other code and another solver: each must follow in one step from the frame before.
//!
//! `LAPIDARY_LEMMAS="a.aig b.btor2"` checks those of runs on these files as well, each with `LAPIDARY_LEMMAS_WORK` units of
//! work.

use std::fmt::Write;

use lapidary_expr::{Sort, Term, Var, Versions};
use lapidary_model::pass::{Bits, Pass};
use lapidary_model::{Cfa, encode};
use lapidary_oracle::Random;
use lapidary_solver::limits::Watch;
use lapidary_solver::wrap::Propositional;
use lapidary_solver::z3::Z3;
use lapidary_solver::{Backend, UnsatCore};

use super::circuit::Circuit;
use super::cube::latch_of;
use super::{Lit, Run};

/// Runs IC3 and checks all lemmas that it ends with; their number.
fn lemmas_hold(cfa: &Cfa, work: u64) -> usize {
    let watch = Watch::default();
    let search = Z3::new(&watch.with_work(work)).expect("a recent Z3");
    let Some(circuit) = Circuit::new(cfa) else { return 0 };
    let mut engine = Run::new(cfa, circuit, &search);
    // A run that is stopped has frames, too.
    let _ = engine.check(&mut ());
    let judge = Propositional::new(Z3::new(&watch).expect("a recent Z3"), &watch);
    let [first, step, _] = engine.circuit.edges.map(|edge| &cfa.edge(edge).stmt);
    let mut n_lemmas = 0;
    for level in 1..=engine.frames.last() {
        let mut solver = judge.solver();
        let mut versions = Versions::new();
        if level == 1 {
            solver.assert(encode(first, &mut versions));
        } else {
            let facts = engine.circuit.invariants.iter().map(|(fact, _)| *fact);
            facts.for_each(|fact| solver.assert(fact));
            for lemma in engine.frames.lemmas(level - 1) {
                let literals = lemma.cube.iter().map(|lit| literal(&engine, *lit, &versions));
                solver.assert(Term::and(literals).not());
            }
        }
        let initial = versions.clone();
        solver.assert(encode(step, &mut versions));
        for lemma in &engine.frames.deltas[level] {
            let after: Vec<Term> =
                lemma.cube.iter().map(|lit| literal(&engine, *lit, &versions)).collect();
            let is_reached = solver.core(&after).expect("no limits").is_none();
            assert!(!is_reached, "{:?} at level {level} of `{}`", lemma.cube, cfa.name());
            n_lemmas += 1;
            if level == 1 {
                let literals = lemma.cube.iter().map(|lit| literal(&engine, *lit, &initial));
                let is_met = solver_without_step(&judge, cfa, &engine)
                    .core(&literals.collect::<Vec<_>>())
                    .expect("no limits")
                    .is_none();
                assert!(!is_met, "{:?} of `{}` has an initial state", lemma.cube, cfa.name());
            }
        }
    }
    n_lemmas
}

fn solver_without_step(judge: &dyn Backend, cfa: &Cfa, engine: &Run<'_>) -> Box<dyn UnsatCore> {
    let mut solver = judge.solver();
    let [first, ..] = engine.circuit.edges;
    solver.assert(encode(&cfa.edge(first).stmt, &mut Versions::new()));
    solver
}

/// A literal of a latch as a formula about the variable in this version.
fn literal(engine: &Run<'_>, lit: Lit, versions: &Versions) -> Term {
    let var: Var = engine.circuit.latches[latch_of(lit)].var;
    let value = Term::var(versions.current(var));
    if lit.is_positive() { value } else { value.not() }
}

/// The automaton of a circuit, in bits.
fn automaton(name: &str, bytes: &[u8]) -> Option<Cfa> {
    let input = lapidary_frontend::read(name, bytes).ok()?;
    let task = input.task(0).ok()?;
    let reduction = lapidary_model::sts::reduce(task.model.system()?).ok()?;
    let (cfa, _) = Bits.run(reduction.cfa());
    cfa.vars().iter().all(|var| var.sort() == Sort::Bool).then_some(cfa)
}

/// Eight latches with random gates between them: lemmas at many levels.
fn random_circuit(random: &mut Random) -> String {
    let (n_inputs, n_latches, n_gates) = (2, 8, 24);
    let first = 1 + n_inputs + n_latches;
    let last = first + n_gates - 1;
    let literal = |random: &mut Random, vars: usize| 2 + random.below(2 * vars - 2);
    let mut text = format!("aag {last} {n_inputs} {n_latches} 0 {n_gates} 1 0\n2\n4\n");
    for latch in 1 + n_inputs..first {
        let next = literal(random, 1 + last);
        writeln!(text, "{} {next} 0", 2 * latch).expect("memory");
    }
    writeln!(text, "{}", 2 * last).expect("memory");
    for gate in first..=last {
        let [a, b] = [(); 2].map(|()| literal(random, gate));
        writeln!(text, "{} {a} {b}", 2 * gate).expect("memory");
    }
    text
}

#[test]
fn lemmas_follow_from_the_frame_before() {
    let mut random = Random::new(1);
    let mut n_lemmas = 0;
    for _ in 0..150 {
        let text = random_circuit(&mut random);
        let cfa = automaton("random", text.as_bytes()).expect("a circuit");
        n_lemmas += lemmas_hold(&cfa, u64::MAX);
    }
    assert!(n_lemmas > 100, "{n_lemmas}");
}

#[test]
fn lemmas_of_files_follow_from_the_frame_before() {
    let Ok(files) = std::env::var("LAPIDARY_LEMMAS") else { return };
    let work = std::env::var("LAPIDARY_LEMMAS_WORK").ok().and_then(|text| text.parse().ok());
    let mut total = 0;
    for file in files.split_whitespace() {
        let bytes = std::fs::read(file).expect("a readable file");
        let Some(cfa) = automaton(file, &bytes) else { continue };
        total += lemmas_hold(&cfa, work.unwrap_or(10_000_000));
    }
    assert!(total > 0, "no lemmas in {files}");
    let told = std::env::var("LAPIDARY_LEMMAS_LEAST").ok().and_then(|text| text.parse().ok());
    assert!(total >= told.unwrap_or(0), "only {total} lemmas");
}
