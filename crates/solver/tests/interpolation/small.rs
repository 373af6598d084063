//! Small contradictions, text in and text out; and what is no contradiction.

use lapidary_expr::text::{Scope, parse};
use lapidary_expr::{Sort, Term, Var};
use lapidary_solver::interpolate::{Engine, interpolator};
use lapidary_solver::limits::Watch;
use lapidary_solver::{Backend, Eliminate, Interpolants, Interpolator, Result, Stop, UnsatCore};

use crate::{mistake, z3};

/// `x0` is the integer `x` at version 0; `a`, `b`, `c`, `d` are truth values, `u`, `v`, `w` bytes, `p`, `q`, `r` rationals,
/// `m` an array.
struct Letters;

impl Scope for Letters {
    fn var(&self, name: &str) -> Option<Var> {
        let (letter, version) = name.split_at(1);
        let version = if version.is_empty() { 0 } else { version.parse().ok()? };
        let sort = match letter {
            "a" | "b" | "c" | "d" => Sort::Bool,
            "p" | "q" | "r" => Sort::Rat,
            "u" | "v" | "w" => Sort::Bv(8),
            "m" => Sort::array(Sort::Int, Sort::Int),
            "i" | "j" | "n" | "x" | "y" | "z" => Sort::Int,
            _ => return None,
        };
        Some(Var::new(letter, sort).at(version))
    }
}

fn term(text: &str) -> Term {
    parse(text, &Letters).unwrap_or_else(|error| panic!("{error} in {text}"))
}

fn interpolate(engine: Engine, parts: &[Term]) -> Result<Interpolants> {
    interpolator(engine, &z3(&Watch::default())).interpolate(parts)
}

/// The engine finds these interpolants.
fn check(engine: Engine, parts: &[&str], expected: &[&str]) {
    let parts: Vec<Term> = parts.iter().map(|part| term(part)).collect();
    match interpolate(engine, &parts) {
        Ok(Interpolants::Unsat(itps)) => {
            assert_eq!(mistake(&z3(&Watch::default()), &parts, &itps), None, "{engine}: {itps:?}");
            let expected: Vec<Term> = expected.iter().map(|itp| term(itp)).collect();
            assert_eq!(itps, expected, "{engine}");
        }
        other => panic!("{engine}: {other:?}"),
    }
}

#[test]
fn nice_ones() {
    let count = ["(= x0 0)", "(= x1 (+ x0 1))", "(< 5 x1)"];
    check(Engine::Wp, &count, &["(<= x0 4)", "(<= x1 5)"]);
    check(Engine::Auto, &count, &["(<= x0 4)", "(<= x1 5)"]);
    check(Engine::Farkas, &count, &["(<= x0 4)", "(<= x1 5)"]);
    check(Engine::Sp, &count, &["(= x0 0)", "(= x1 1)"]);
    // What does not matter is not spoken of.
    let noise = [
        "(and (= x0 0) (= y0 7) a)",
        "(and (= x1 (+ x0 1)) (= y1 (* 2 y0)))",
        "(and (< 5 x1) (< y1 100))",
    ];
    check(Engine::Wp, &noise, &["(<= x0 4)", "(<= x1 5)"]);
    check(Engine::Sp, &noise, &["(= x0 0)", "(= x1 1)"]);
    check(Engine::Wp, &["a", "(= b a)", "(not b)"], &["a", "b"]);
    // Of two contradictions the first one is told.
    let two = ["(and a b)", "(and (= c a) (= d b))", "(not c)", "(not d)"];
    check(Engine::Clauses, &two, &["a", "c", "false"]);
    check(
        Engine::Wp,
        &["(= u #x01)", "(= v (bvadd u #x01))", "(= v #x00)"],
        &["(not (= (bvadd u #x01) #x00))", "(not (= v #x00))"],
    );
    check(
        Engine::Wp,
        &["(<= p 1.0)", "(= q (+ p 0.5))", "(< 2.0 q)"],
        &["(<= p 1.5)", "(<= q 2.0)"],
    );
    check(
        Engine::Wp,
        &["(< x0 y0)", "(= y1 (- y0 1))", "(< y1 x0)"],
        &["(<= x0 (+ y0 (- 1)))", "(<= x0 y1)"],
    );
}

#[test]
fn where_the_contradiction_is() {
    for engine in Engine::ALL {
        // In the first part, in the last, and in a part that is `false`.
        check(engine, &["(and (< x0 0) (< 0 x0))", "(= y0 1)", "a"], &["false", "false"]);
        check(engine, &["(= y0 1)", "a", "(and (< x0 0) (< 0 x0))"], &["true", "true"]);
        check(engine, &["(= y0 1)", "false", "(= y0 1)"], &["true", "false"]);
        check(engine, &["false", "true"], &["false"]);
        check(engine, &["true", "false"], &["true"]);
        check(engine, &["false"], &[]);
        check(engine, &["(and (< x0 0) (< 0 x0))"], &[]);
    }
}

#[test]
fn valid_ones() {
    let cases: [&[&str]; 5] = [
        &["(and (<= 0 x0) (<= x0 9))", "(= x1 (* 3 x0))", "(= (mod x1 3) 1)"],
        &["(or (= x0 1) (= x0 2))", "(= x1 (+ x0 x0))", "(or (< x1 2) (< 4 x1))"],
        &["(= m1 (store m0 i0 5))", "(and (= j0 i0) (= x0 (select m1 j0)))", "(< x0 5)"],
        &["(bvult u #x10)", "(= v (bvshl u #x01))", "(bvult #x20 v)"],
        &["(= a (< x0 y0))", "(and a (= b (not a)))", "(or b (<= y0 x0))"],
    ];
    for engine in Engine::ALL {
        for case in cases {
            let parts: Vec<Term> = case.iter().map(|part| term(part)).collect();
            match interpolate(engine, &parts) {
                Ok(Interpolants::Unsat(itps)) => {
                    assert_eq!(
                        mistake(&z3(&Watch::default()), &parts, &itps),
                        None,
                        "{engine}: {itps:?}"
                    );
                }
                Err(Stop::Interpolation(_)) if engine != Engine::Auto => {}
                other => panic!("{engine} on {case:?}: {other:?}"),
            }
        }
    }
}

#[test]
fn models_of_what_is_satisfiable() {
    let cases: [&[&str]; 4] = [
        &["(= x0 0)", "(= x1 (+ x0 1))", "(< x1 5)"],
        &["(= m1 (store m0 i0 5))", "(= x0 (select m1 j0))", "(< x0 5)"],
        &["true", "true"],
        &["a"],
    ];
    for engine in Engine::ALL {
        for case in cases {
            let parts: Vec<Term> = case.iter().map(|part| term(part)).collect();
            let Ok(Interpolants::Sat(model)) = interpolate(engine, &parts) else {
                panic!("{engine} on {case:?}")
            };
            parts.iter().for_each(|part| assert_eq!(part.holds(&model), Some(true), "{part}"));
        }
        let Ok(Interpolants::Sat(model)) = interpolate(engine, &[]) else {
            panic!("nothing is satisfiable")
        };
        assert!(model.is_empty());
    }
}

/// What one sequence leaves behind does not show in the next.
#[test]
fn one_after_the_other() {
    let backend = z3(&Watch::default());
    for engine in Engine::ALL {
        let mut interpolator = interpolator(engine, &backend);
        for round in 0..6 {
            let bound = term(&format!("(< {round} x1)"));
            let parts = [term("(= x0 2)"), term("(= x1 (+ x0 1))"), bound];
            match interpolator.interpolate(&parts) {
                Ok(Interpolants::Sat(_)) => assert!(round < 3),
                Ok(Interpolants::Unsat(itps)) => {
                    assert!(round >= 3);
                    assert_eq!(mistake(&backend, &parts, &itps), None);
                }
                Err(stop) => panic!("{engine}: {stop}"),
            }
        }
    }
}

/// A back end that leaves interpolation to us.
struct Plain(lapidary_solver::z3::Z3);

impl Backend for Plain {
    fn solver(&self) -> Box<dyn UnsatCore> {
        self.0.solver()
    }

    fn eliminator(&self) -> Option<Box<dyn Eliminate>> {
        None
    }

    fn interpolator(&self) -> Option<Box<dyn Interpolator>> {
        None
    }

    fn horn(&self) -> Option<Box<dyn lapidary_solver::horn::Horn>> {
        None
    }

    fn check(&self) -> Result<()> {
        self.0.check()
    }

    fn spend(&self, work: u64) {
        self.0.spend(work);
    }
}

#[test]
fn without_any_engine_there_are_no_interpolants() {
    let step = |i: u32| term(&format!("(or (= x{} x{i}) (= x{} (+ x{i} 1)))", i + 1, i + 1));
    let mut parts = vec![term("(= x0 0)")];
    parts.extend((0..20).map(step));
    parts.push(term("(< x20 0)"));
    let answer = interpolator(Engine::Spacer, &Plain(z3(&Watch::default()))).interpolate(&parts);
    assert!(matches!(answer, Err(Stop::Interpolation(_))), "{answer:?}");
}
