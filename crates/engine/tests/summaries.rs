//! Contracts from Horn clauses: those of safe programs are accepted, changed ones are not, and unsafe programs have none.

#[allow(dead_code)]
#[path = "../../model/tests/programs/sketch.rs"]
mod sketch;

use std::sync::Arc;

use lapidary_engine::calls::{Solved, summaries};
use lapidary_expr::Term;
use lapidary_frontend::load;
use lapidary_model::Inlined;
use lapidary_model::{Contract, Program, ProgramProof};
use lapidary_solver::Backend;
use lapidary_solver::limits::{Limits, within};
use lapidary_solver::z3::Z3;
use lapidary_validate::{Rejection, validate_program_proof};

use sketch::{Rng, interpret, sketch};

fn inlined(text: &str) -> Arc<Inlined> {
    let task = load("test.c", text).expect("it is a program");
    Arc::clone(task.model.program().expect("it has procedures"))
}

/// More than enough.
const WORK: u64 = 20_000_000;

/// Does something with a Z3 of its own.
fn with_z3<T>(work: impl FnOnce(&Z3) -> T) -> T {
    within(&Limits::default(), |watch| {
        work(&Z3::new(&watch.with_work(WORK)).expect("there is a Z3"))
    })
}

fn is_valid(program: &Program, proof: &ProgramProof, z3: &Z3) -> bool {
    match validate_program_proof(program, proof, &mut *z3.solver()) {
        Ok(_) => true,
        Err(Rejection::Evidence(_)) => false,
        Err(Rejection::Stop(stop)) => panic!("{stop}"),
    }
}

fn contracts(program: &Program, z3: &Z3) -> Option<Vec<Contract>> {
    match summaries(program, z3) {
        Ok(Solved::Safe(ProgramProof::Contracts(contracts))) => Some(contracts),
        Ok(Solved::Safe(proof)) => panic!("{proof:?}"),
        Ok(Solved::Unsafe) => None,
        Err(stop) => panic!("{stop}: {}", program.procedures().len()),
    }
}

const HEAD: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n";

const MCCARTHY: &str = "int f(int x) { if (x > 100) return x - 10; return f(f(x + 11)); }
    int main(void) { int x = __VERIFIER_nondet_int(); int r = f(x);
        if (r != 91 && !(x > 101 && r == x - 10)) reach_error(); return 0; }";

const SAFE: [&str; 5] = [
    MCCARTHY,
    "int odd(int n); int even(int n) { return n == 0 ? 1 : odd(n - 1); }
    int odd(int n) { return n == 0 ? 0 : even(n - 1); }
    int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0) return 0;
        if (even(n) + odd(n) > 2) reach_error(); return 0; }",
    // A variable that a callee changes, and one that nobody does.
    "int g, most; void up(int n) { if (n > 0) { if (g < most) g = g + 1; up(n - 1); } }
    int main(void) { most = 7; g = 0; up(__VERIFIER_nondet_int()); if (g > 7) reach_error(); return 0; }",
    // Arguments that change places, and a local that an inner activation does not touch.
    "int f(int a, int b, int n) { int kept = a; if (n > 0) f(b, a, n - 1); if (kept != a) reach_error();
        return a + b; }
    int main(void) { int n = __VERIFIER_nondet_int(); if (f(1, 2, n) != 3) reach_error(); return 0; }",
    // A parameter whose address is taken, which calls write.
    "int *p; void see(int x) { p = &x; if (*p > 7) reach_error(); }
    int f(int n) { if (n > 6) return 7; see(n); return f(n + 1); }
    int main(void) { see(f(__VERIFIER_nondet_int())); return 0; }",
];

#[test]
fn safe_programs_have_contracts() {
    for text in SAFE {
        let inlined = inlined(&format!("{HEAD}{text}"));
        let program = inlined.program();
        with_z3(|z3| {
            let found = contracts(program, z3).expect(text);
            assert!(is_valid(program, &ProgramProof::Contracts(found), z3), "{text}");
        });
    }
}

#[test]
fn unsafe_programs_have_none() {
    let texts = [
        MCCARTHY.replace("x > 101", "x > 102"),
        "int f(int n) { if (n == 4) reach_error(); return n > 6 ? n : f(n + 1); }
        int main(void) { return f(0); }"
            .into(),
        // The error is inside a procedure that never returns.
        "int f(int n) { if (n == 3) reach_error(); return f(n + 1); }
        int main(void) { f(0); return 0; }"
            .into(),
    ];
    for text in texts {
        let inlined = inlined(&format!("{HEAD}{text}"));
        with_z3(|z3| assert_eq!(contracts(inlined.program(), z3), None, "{text}"));
    }
}

#[test]
fn changed_contracts_are_rejected() {
    let inlined = inlined(&format!("{HEAD}{MCCARTHY}"));
    let program = inlined.program();
    with_z3(|z3| {
        let found = contracts(program, z3).expect("it is safe");
        let rejects = |what: &str, change: &dyn Fn(&mut Vec<Contract>)| {
            let mut changed = found.clone();
            change(&mut changed);
            assert!(!is_valid(program, &ProgramProof::Contracts(changed), z3), "{what}");
        };
        let f = found.iter().position(|contract| contract.procedure.0 == 1).expect("`f` is called");
        rejects("no contract", &|all| drop(all.remove(f)));
        rejects("two contracts", &|all| all.push(found[f].clone()));
        rejects("of another procedure", &|all| {
            all[f] = Contract { procedure: all[f].procedure, ..found[1 - f].clone() };
        });
        rejects("it may return anything", &|all| all[f].post = true.into());
        rejects("it never returns", &|all| all[f].post = false.into());
        rejects("it is never called", &|all| all[f].pre = false.into());
        rejects("it writes nothing", &|all| all[f].writes.clear());
        rejects("nothing runs", &|all| all[1 - f].pre = false.into());
        for i in 0..found[f].states.len() {
            rejects("nothing gets there", &|all| all[f].states[i].formula = false.into());
        }
        // Each part of what it returns with is needed, or follows from others.
        for part in found[f].post.conjuncts() {
            let rest = found[f].post.conjuncts().into_iter().filter(|other| *other != part);
            let rest = Term::and(rest.collect::<Vec<_>>());
            let mut changed = found.clone();
            changed[f].post = rest;
            let follows = z3.solver().entails(rest, part).expect("an answer");
            let is_accepted = is_valid(program, &ProgramProof::Contracts(changed), z3);
            assert!(follows || !is_accepted || found[f].post.conjuncts().len() > 1, "{part}");
        }
    });
}

/// All states of a program with its stack decide whether its error is reached; the depth is bounded there, so what is deeper is left
/// out.
#[test]
fn random_programs_are_decided_as_an_interpreter_with_a_stack_decides() {
    let wanted = std::env::var("LAPIDARY_PROGRAMS").ok().and_then(|text| text.parse().ok());
    let wanted: usize = wanted.unwrap_or(300);
    let (mut n_safe, mut n_unsafe, mut n_rejected) = (0, 0, 0);
    for seed in 0..wanted {
        let sketch = sketch(&mut Rng(0x51ed_270b_9f4a_7c15 ^ (seed as u64 + 1) << 20));
        let Some(expected) = interpret(&sketch) else { continue };
        let is_unsafe = !expected.at_error.is_empty();
        if !is_unsafe && !expected.too_deep.is_empty() {
            continue;
        }
        let program = sketch::program(&sketch);
        with_z3(|z3| match contracts(&program, z3) {
            None => assert!(is_unsafe, "seed {seed}: {:?}", sketch.procedures),
            Some(found) => {
                assert!(!is_unsafe, "seed {seed}: {:?}", sketch.procedures);
                let proof = ProgramProof::Contracts(found.clone());
                assert!(is_valid(&program, &proof, z3), "seed {seed}: {:?}", sketch.procedures);
                let contract = &found[seed % found.len()];
                let mut changed = found.clone();
                changed[seed % found.len()].post = contract.post.not();
                let changed = ProgramProof::Contracts(changed);
                n_rejected += usize::from(!is_valid(&program, &changed, z3));
            }
        });
        n_safe += usize::from(!is_unsafe);
        n_unsafe += usize::from(is_unsafe);
    }
    assert!(n_safe * 20 > wanted && n_unsafe * 8 > wanted, "{n_safe} {n_unsafe}");
    assert!(n_rejected * 4 > n_safe, "{n_rejected} of {n_safe}");
}

#[test]
fn a_program_with_one_run_is_run_again() {
    let fibonacci = |wanted: u32| {
        inlined(&format!(
            "{HEAD}int fib(int n) {{ return n < 2 ? n : fib(n - 1) + fib(n - 2); }}
            int main(void) {{ if (fib(12) != {wanted}) reach_error(); return 0; }}"
        ))
    };
    let of = |inlined: &Inlined, steps| {
        with_z3(|z3| is_valid(inlined.program(), &ProgramProof::Run { steps }, z3))
    };
    assert!(of(&fibonacci(144), 100_000));
    assert!(!of(&fibonacci(143), 100_000), "it is unsafe");
    assert!(!of(&fibonacci(144), 1_000), "it is longer");
    // A value that nothing depends on is as good as any, but no branch depends on one.
    let with_input = |text: &str| {
        inlined(&format!(
            "{HEAD}int f(int n, int x) {{ return n == 0 ? 0 : f(n - 1, x) + 1; }}
            int main(void) {{ int x = __VERIFIER_nondet_int(); int r = f(9, x); {text} return 0; }}"
        ))
    };
    assert!(of(&with_input("if (r != 9) reach_error();"), 1_000));
    assert!(!of(&with_input("if (r + x == 12) reach_error();"), 1_000));
}
