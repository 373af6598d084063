//! Formulas about words that are hard to reason about: the SAT solver says what Z3 says, and what holds.

mod common;

use common::Rng;
use lapidary_expr::float::Format;
use lapidary_expr::{Op, Sort, Term, Value, Var, VarSet};
use lapidary_solver::interpolate::{Engine, interpolator};
use lapidary_solver::limits::Watch;
use lapidary_solver::wrap::{Counted, Counts, Propositional};
use lapidary_solver::z3::Z3;
use lapidary_solver::{Backend, Interpolants, Interpolator};

fn z3() -> Z3 {
    Z3::new(&Watch::default()).expect("Z3 is there")
}

fn word(name: &str, width: u32) -> Var {
    Var::new(name, Sort::Bv(width))
}

fn app(op: Op, args: &[Term]) -> Term {
    Term::app(op, args.to_vec()).expect("well-sorted")
}

/// A term of small words, most of it hard.
fn term(depth: u32, rng: &mut Rng) -> Term {
    if depth == 0 {
        return match rng.below(4) {
            0 => Term::bv(6, rng.below(64)),
            i => word(["x", "y", "z"][i - 1], 6).into(),
        };
    }
    let ops = [Op::BvMul, Op::BvUdiv, Op::BvUrem, Op::BvShl, Op::BvLshr, Op::BvAshr, Op::BvAdd];
    let op = rng.pick(&ops);
    app(op, &[term(depth - 1, rng), term(depth - 1, rng)])
}

#[test]
fn answers_models_and_cores_are_right() {
    let counts = Counts::default();
    let divided = Propositional::new(Counted::new(z3(), &counts), &Watch::default());
    let (mut answers, mut rng) = ([0; 2], Rng(0x9e37_79b9_7f4a_7c15));
    let vars: VarSet = ["x", "y", "z"].map(|name| word(name, 6)).into();
    for _ in 0..150 {
        let parts: Vec<Term> = (0..3)
            .map(|_| {
                let op = rng.pick(&[Op::Eq, Op::BvUlt, Op::BvSle]);
                let depth = 1 + u32::from(rng.below(2) == 0);
                app(op, &[term(2, &mut rng), term(depth, &mut rng)])
            })
            .collect();
        let (mut one, mut other) = (divided.solver(), z3().solver());
        parts.iter().for_each(|part| other.assert(*part));
        let expected = other.is_sat().unwrap();
        // As assumptions, in a scope, and for good.
        let core = one.core(&parts).unwrap();
        assert_eq!(core.is_none(), expected, "{parts:?}");
        if let Some(core) = core {
            let mut check = z3().solver();
            core.iter().for_each(|part| check.assert(parts[*part]));
            assert_eq!(check.is_sat(), Ok(false), "{core:?} of {parts:?}");
        }
        one.assert(parts[0]);
        one.push();
        parts[1..].iter().for_each(|part| one.assert(*part));
        assert_eq!(one.is_sat(), Ok(expected), "{parts:?}");
        match one.model(&vars).unwrap() {
            Some(model) => assert!(parts.iter().all(|part| part.holds(&model) == Some(true))),
            None => assert!(!expected),
        }
        one.pop();
        answers[usize::from(expected)] += 1;
    }
    assert!(answers.iter().all(|n| *n > 20), "{answers:?}");
    assert!(counts.calls() < 50, "{} questions went to Z3", counts.calls());
}

/// The least number whose square is not less than two.
#[test]
fn floating_numbers_are_found() {
    let format = Format::SINGLE;
    let (x, two) = (word("x", 32), Term::bv(32, 2f32.to_bits()));
    let divided = Propositional::new(z3(), &Watch::default());
    let mut solver = divided.solver();
    let square = format.times(x.into(), x.into());
    solver.assert(format.at_most(two, square));
    solver.assert(format.less(Term::bv(32, 0), x.into()));
    let root = 2f32.sqrt();
    let next = f32::from_bits(root.to_bits() + 1);
    let least = if root * root < 2.0 { next } else { root };
    solver.assert(format.at_most(x.into(), Term::bv(32, least.to_bits())));
    let model = solver.model(&[x].into()).unwrap().expect("there is one");
    assert_eq!(model.get(x), Term::bv(32, least.to_bits()).as_lit());
    solver.assert(format.less(x.into(), Term::bv(32, least.to_bits())));
    assert_eq!(solver.is_sat(), Ok(false));
}

/// What is computed needs no reasoning, and what does not matter is not mentioned.
#[test]
fn values_explain_a_path() {
    let format = Format::DOUBLE;
    let [x, y, z] = ["x", "y", "z"].map(|name| word(name, 64));
    let number = |value: f64| Term::bv(64, value.to_bits());
    let (vx, vy, vz) = (Term::var(x), Term::var(y), Term::var(z));
    let parts = [
        Term::and([vx.equals(number(1.5)), vz.equals(number(7.0))]),
        vy.equals(format.times(vx, format.plus(vx, number(0.25)))),
        Term::var(word("unrelated", 64)).equals(format.over(vz, vy)),
        format.less(vy, number(2.0)),
    ];
    let mut interpolator = interpolator(Engine::Auto, &z3()).preferring_values();
    let Ok(Interpolants::Unsat(itps)) = interpolator.interpolate(&parts) else {
        panic!("it contradicts itself");
    };
    let product = number(1.5 * 1.75);
    assert_eq!(itps, [vx.equals(number(1.5)), vy.equals(product), vy.equals(product)]);
    assert_eq!(interpolator.attempts()[0].engine, "values");
    // A path that there is has a model.
    let Ok(Interpolants::Sat(model)) = interpolator.interpolate(&parts[..2]) else {
        panic!("there is nothing wrong with it");
    };
    assert_eq!(model.get(y).cloned().map(Term::lit), Some(product));
    assert!(matches!(model.get(x), Some(Value::Bv(_))));
}
