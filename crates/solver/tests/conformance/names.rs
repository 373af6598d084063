//! Names of variables and functions are the caller's: nothing about them may matter.

use lapidary_expr::{Func, Op, Sort, Term, Value, Var, VarSet};
use lapidary_solver::interpolate::{Engine, interpolator};
use lapidary_solver::{Backend, Interpolants, Interpolator};

/// Names that are something else to a solver, or to the translation.
const ODD: &[&str] = &[
    "", " ", "x", "x@0", "x@1", "x@1@0", "@", "a b", "a_b", "a|b", "a\\b", "|", "\\", "||x||",
    "guard!0", "guard!1", "cut!0", "cut!1", "k!0", "a!1", "!", "?x1", "$x1", "and", "or", "not",
    "=", "ite", "let", "true", "false", "select", "store", "+", "-", "*", "<=", "div", "bvadd",
    "Int", "as", "_", "forall", "0", "17", "#b1", "#xff", "1.5", "(:var 0)", "(:var 1)", ")", "(",
    ";", "\"", "\n", "é", "変数", "x'", "main::x", "x#1", "\0", ":named",
];

fn odd_vars(sort: Sort) -> Vec<Var> {
    ODD.iter().flat_map(|name| [0, 1].map(|version| Var::new(name, sort).at(version))).collect()
}

/// Each variable is itself and no other.
pub(crate) fn odd_names(backend: &dyn Backend) {
    for sort in [Sort::Int, Sort::Bool, Sort::Bv(16)] {
        let vars = odd_vars(sort);
        let value = |i: usize| match sort {
            Sort::Bool => Value::Bool(i.is_multiple_of(3)),
            Sort::Int => Value::int(i),
            _ => Term::bv(16, i).as_lit().expect("a value").clone(),
        };
        let mut solver = backend.solver();
        vars.iter()
            .enumerate()
            .for_each(|(i, var)| solver.assert(Term::var(*var).equals(Term::lit(value(i)))));
        let model = solver
            .model(&vars.iter().copied().collect())
            .expect("decidable")
            .expect("all are different");
        vars.iter()
            .enumerate()
            .for_each(|(i, var)| assert_eq!(model.get(*var), Some(&value(i)), "{var:?}"));
    }
}

/// One name, several sorts; functions named like variables and operators.
pub(crate) fn two_sorts(backend: &dyn Backend) {
    let mut solver = backend.solver();
    for name in ODD {
        let (int, bool, bits) =
            (Var::new(name, Sort::Int), Var::new(name, Sort::Bool), Var::new(name, Sort::Bv(3)));
        let (f, g) = (
            Func::new(name, &[Sort::Int], Sort::Int),
            Func::new(name, &[Sort::Bool, Sort::Int], Sort::Int),
        );
        let constant = Func::new(name, &[], Sort::Int);
        let apply = |func: Func, args: &[Term]| {
            Term::app(Op::Apply(func), args.to_vec()).expect("well-sorted")
        };
        let formulas = [
            Term::var(int).equals(Term::int(5)),
            Term::var(bool),
            Term::var(bits).equals(Term::bv(3, 7)),
            apply(f, &[int.into()]).equals(Term::int(8)),
            apply(g, &[bool.into(), int.into()]).equals(Term::int(9)),
            apply(constant, &[]).equals(Term::int(10)),
        ];
        solver.push();
        formulas.iter().for_each(|formula| solver.assert(*formula));
        let model = solver
            .model(&[int, bool, bits].into())
            .expect("decidable")
            .expect("no two are the same");
        formulas
            .iter()
            .for_each(|formula| assert_eq!(formula.holds(&model), Some(true), "{formula}"));
        solver.pop();
    }
}

/// `∃x. 2·x = y ∧ z ≤ y` and its like come back in the same names.
pub(crate) fn in_eliminated_formulas(backend: &dyn Backend) {
    let Some(mut eliminator) = backend.eliminator() else { return };
    let mut solver = backend.solver();
    let vars = odd_vars(Sort::Int);
    for (i, y) in vars.iter().enumerate() {
        let (x, z) = (vars[(i + 1) % vars.len()], vars[(i + 2) % vars.len()]);
        let twice = Term::int(2).times(x.into());
        let formula = Term::and([twice.equals(Term::var(*y)), Term::var(z).at_most(Term::var(*y))]);
        let result = eliminator.eliminate(&[x].into(), formula).expect("decidable").expect("easy");
        let even = Term::app(Op::Mod, vec![Term::var(*y), Term::int(2)])
            .expect("integers")
            .equals(Term::int(0));
        let expected = Term::and([even, Term::var(z).at_most(Term::var(*y))]);
        assert_eq!(solver.entails(result, expected), Ok(true), "{result}");
        assert_eq!(solver.entails(expected, result), Ok(true), "{result}");
    }
}

pub(crate) fn in_interpolants(backend: &dyn Backend) {
    let mut solver = backend.solver();
    let vars = odd_vars(Sort::Int);
    for engine in Engine::ALL {
        if engine == Engine::Spacer && backend.interpolator().is_none() {
            continue;
        }
        let mut interpolator = interpolator(engine, backend);
        for shared in vars.chunks(4).filter(|chunk| chunk.len() == 4) {
            let [x, y, z, w]: [Term; 4] =
                [shared[0].into(), shared[1].into(), shared[2].into(), shared[3].into()];
            let parts = [
                Term::and([x.equals(y), z.equals(w), y.less(z)]),
                Term::and([w.at_most(x), y.less(w)]),
            ];
            let Ok(Interpolants::Unsat(itps)) = interpolator.interpolate(&parts) else {
                panic!("{parts:?}")
            };
            let known: VarSet = shared[0..4].iter().copied().collect();
            assert!(itps[0].vars().iter().all(|var| known.contains(var)), "{}", itps[0]);
            assert_eq!(solver.entails(parts[0], itps[0]), Ok(true));
            assert_eq!(solver.entails(Term::and([itps[0], parts[1]]), false.into()), Ok(true));
        }
    }
}
