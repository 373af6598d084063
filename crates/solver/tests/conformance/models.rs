//! Models: a value for everything that was asked for, and the assertions hold under them.

use lapidary_expr::{Func, Op, Sort, Term, Valuation, Value, Var, VarSet};
use lapidary_solver::{Backend, Stop};

use crate::common::{Generator, Rng};
use crate::{common, is_refusal, term};

/// A model of the assertions, checked by evaluation.
fn model(backend: &dyn Backend, assertions: &[Term]) -> Result<Option<Valuation>, Stop> {
    let mut solver = backend.solver();
    assertions.iter().for_each(|formula| solver.assert(*formula));
    let mut vars: VarSet = assertions.iter().flat_map(|formula| formula.vars()).copied().collect();
    vars.insert(Var::new("unconstrained", Sort::array(Sort::Int, Sort::Bool)));
    let model = solver.model(&vars)?;
    if let Some(model) = &model {
        vars.iter().for_each(|var| assert!(model.get(*var).is_some(), "{var} has no value"));
        for formula in assertions {
            assert_eq!(formula.holds(model), Some(true), "{formula} under {model:?}");
        }
    }
    Ok(model)
}

/// The model that the assertions must have; none if the solver has no such thing.
fn found(backend: &dyn Backend, assertions: &[Term]) -> Option<Valuation> {
    match model(backend, assertions) {
        Err(stop) if is_refusal(&stop) => None,
        model => Some(model.expect("decidable").unwrap_or_else(|| panic!("{assertions:?}"))),
    }
}

fn is_unsat(backend: &dyn Backend, assertions: &[Term]) {
    match model(backend, assertions) {
        Err(stop) if is_refusal(&stop) => {}
        model => assert_eq!(model, Ok(None), "{assertions:?}"),
    }
}

pub(crate) fn every_sort(backend: &dyn Backend) {
    let mut rng = Rng(11);
    for sort in common::sorts() {
        let [x, y] = common::vars(sort);
        for value in common::edges(sort)
            .into_iter()
            .chain((0..6).map(|_| rng.value(sort)).collect::<Vec<_>>())
        {
            let equality = Term::var(x).equals(Term::lit(value.clone()));
            if let Some(found) = found(backend, &[equality]) {
                assert_eq!(found.get(x), Some(&value));
            }
            let other = Term::var(y).equals(Term::var(x)).not();
            if let Some(found) = found(backend, &[equality, other]) {
                assert_ne!(found.get(y), Some(&value));
            }
        }
    }
    is_unsat(backend, &[term("(< x x)")]);
}

pub(crate) fn big_numbers(backend: &dyn Backend) {
    let check = |text: &str| {
        found(backend, &[term(text)]);
    };
    check("(< 123456789012345678901234567890 x)");
    check("(and (< x (- 123456789012345678901234567890)) (= (mod x 7) 3))");
    check("(and (= (* 3 x) (+ y 1)) (< 99999999999999999999999 y))");
    check("(and (< 0.0 p) (< p (/ 1.0 100000000000000000000000000.0)))");
    check("(= (* 7.0 p) (- 3.0))");
    check("(and (= (+ p q) (/ 1 3)) (= (- p q) (/ 5 7)))");
    check("(and (= (to_int p) (- 3)) (not (= p (- 3.0))))");
    check("(= (sbv_to_int u) (- 128))");
    check("(and (= (ubv_to_int (concat u v u v u v u v u v)) x) (bvult #xf0 u))");
    check("(= ((_ int_to_bv 8) x) #xff)");
}

#[expect(clippy::many_single_char_names, reason = "the letters that everybody uses for them")]
pub(crate) fn functions(backend: &dyn Backend) {
    let f = Func::new("f", &[Sort::Int], Sort::Int);
    let g = Func::new("g", &[Sort::Bv(8), Sort::Bool], Sort::Rat);
    let constant = Func::new("k", &[], Sort::Int);
    let to_array = Func::new("h", &[Sort::Int], Sort::array(Sort::Int, Sort::Int));
    let apply =
        |func: Func, args: &[Term]| Term::app(Op::Apply(func), args.to_vec()).expect("well-sorted");
    let (x, y, u) = (term("x"), term("y"), term("u"));
    let sat: Vec<Vec<Term>> = vec![
        vec![apply(constant, &[]).equals(Term::int(42))],
        vec![
            apply(f, &[x]).equals(x.plus(Term::int(1))),
            apply(f, &[apply(f, &[x])]).equals(Term::int(10)),
        ],
        vec![
            apply(f, &[x]).equals(apply(f, &[y])).not(),
            apply(f, &[Term::int(0)]).equals(Term::int(7)),
            x.less(y),
        ],
        vec![
            apply(g, &[u, true.into()]).less(apply(g, &[u, false.into()])),
            u.equals(Term::bv(8, 200)),
        ],
        vec![
            apply(to_array, &[x]).select(y).equals(Term::int(5)),
            apply(to_array, &[y]).select(y).equals(Term::int(6)),
        ],
        (0..12).map(|n| apply(f, &[Term::int(n)]).equals(Term::int(n * n % 5))).collect(),
    ];
    for assertions in sat {
        found(backend, &assertions);
    }
    let unsat = [x.equals(y), apply(f, &[x]).equals(apply(f, &[y])).not()];
    is_unsat(backend, &unsat);
}

#[expect(clippy::many_single_char_names, reason = "the letters that everybody uses for them")]
pub(crate) fn arrays(backend: &dyn Backend) {
    let mut rng = Rng(5);
    for (index, element) in [
        (Sort::Int, Sort::Int),
        (Sort::Bv(2), Sort::Int),
        (Sort::Bool, Sort::Rat),
        (Sort::Int, Sort::array(Sort::Bv(8), Sort::Bool)),
    ] {
        let sort = Sort::array(index, element);
        let [a, b] = ["a", "b"].map(|name| Term::var(Var::new(name, sort)));
        let [i, j] = ["i", "j"].map(|name| Term::var(Var::new(name, index)));
        let e = Term::var(Var::new("e", element));
        let some = Term::lit(rng.value(element));
        let constant =
            Term::app(Op::ConstArray(array_sort(sort)), vec![some]).expect("well-sorted");
        for assertions in [
            vec![a.equals(b).not()],
            vec![a.equals(b).not(), a.select(i).equals(b.select(i)), a.select(j).equals(e)],
            vec![a.store(i, e).equals(b), a.select(i).equals(e).not()],
            vec![a.equals(constant), b.equals(a.store(i, e)), b.equals(a).not()],
            vec![a.store(i, e).equals(b.store(j, e)), a.equals(b).not(), i.equals(j).not()],
        ] {
            found(backend, &assertions);
        }
        let unsat = [a.store(i, e).equals(b), b.select(i).equals(e).not()];
        is_unsat(backend, &unsat);
    }
}

fn array_sort(sort: Sort) -> lapidary_expr::ArraySort {
    match sort {
        Sort::Array(array) => array,
        other => panic!("{other} is no array sort"),
    }
}

/// Random formulas that some valuation satisfies, without multiplication of unknowns: the solver must find
/// them satisfiable.
pub(crate) fn witnessed(backend: &dyn Backend) {
    let sorts = vec![
        Sort::Bool,
        Sort::Int,
        Sort::Rat,
        Sort::Bv(1),
        Sort::Bv(5),
        Sort::array(Sort::Int, Sort::Int),
        Sort::array(Sort::Bv(1), Sort::Bool),
    ];
    let mut generator = Generator::new(2024, sorts);
    let (mut decided, mut open) = (0, 0);
    while decided < 250 {
        let witness = generator.valuation();
        let mut assertions = Vec::new();
        while assertions.len() < 3 {
            let formula = generator.term(Sort::Bool, 3);
            if is_linear(formula) {
                let holds = formula.eval(&witness).expect("a value for everything");
                let verbatim_not = || Term::verbatim(Op::Not, vec![formula]).expect("a formula");
                assertions.push(if holds == Value::Bool(true) { formula } else { verbatim_not() });
            }
        }
        match model(backend, &assertions) {
            Ok(found) => assert!(found.is_some(), "{assertions:?} holds for {witness:?}"),
            Err(stop) if is_refusal(&stop) => {}
            Err(stop) => {
                open += 1;
                assert!(open < 10, "{stop} for {assertions:?}");
            }
        }
        decided += 1;
    }
}

/// Whether nothing unknown is multiplied with or divided by something unknown.
fn is_linear(term: Term) -> bool {
    let unknown = term.args().iter().filter(|arg| arg.as_lit().is_none()).count();
    let here = match term.op() {
        Op::Mul => unknown < 2,
        Op::Div | Op::Mod | Op::Rem | Op::RatDiv => term.args()[1].as_lit().is_some(),
        _ => true,
    };
    here && term.args().iter().all(|arg| is_linear(*arg))
}
