//! The operators mean what evaluation says, for values at the edges of their sorts and random ones.

use lapidary_expr::{Op, Sort, Term, Valuation, Value, Var};
use lapidary_solver::{Backend, UnsatCore};

use crate::common::{Generator, Rng, edges, operators, signatures, sorts};
use crate::is_refusal;

/// Random arguments per signature, beyond the edge cases of one and two arguments.
const SAMPLES: usize = 6;

pub(crate) fn agree_with_evaluation(backend: &dyn Backend) {
    let mut rng = Rng(42);
    let mut solver = backend.solver();
    for op in operators() {
        let signatures = signatures(&op, &sorts());
        assert!(!signatures.is_empty(), "no sorts for `{op}`");
        for sorts in signatures {
            let args: Vec<Term> = sorts.iter().enumerate().map(|(i, sort)| arg(i, *sort)).collect();
            let general = Term::verbatim(op.clone(), args.clone()).expect("a signature");
            let normal = Term::app(op.clone(), args.clone()).expect("a signature");
            for values in samples(&sorts, &mut rng) {
                let expected = (op.info().expect("an operator").eval)(&op, &values);
                let literals = values.iter().cloned().map(Term::lit).collect();
                let special = Term::verbatim(op.clone(), literals).expect("a signature");
                solver.push();
                for (arg, value) in args.iter().zip(&values) {
                    solver.assert(arg.equals(Term::lit(value.clone())));
                }
                // At once, unless the solver does not know one of them.
                let terms = [general, normal, special];
                if agree(&mut *solver, &terms, &expected, &values).is_none() {
                    for term in terms {
                        agree(&mut *solver, &[term], &expected, &values);
                    }
                }
                solver.pop();
            }
        }
    }
}

fn arg(number: usize, sort: Sort) -> Term {
    Term::var(Var::new(&format!("arg{number}"), sort))
}

/// The assertions must leave the terms no other value than `expected`, and be possible; none if the solver does
/// not know them.
fn agree(
    solver: &mut dyn UnsatCore,
    terms: &[Term],
    expected: &Value,
    values: &[Value],
) -> Option<()> {
    let verbatim = |op: Op, args: Vec<Term>| Term::verbatim(op, args).expect("one sort");
    let equalities: Vec<Term> = terms
        .iter()
        .map(|term| verbatim(Op::Eq, vec![*term, Term::lit(expected.clone())]))
        .collect();
    let equal = if let [only] = equalities[..] { only } else { verbatim(Op::And, equalities) };
    for (formula, sat) in [(verbatim(Op::Not, vec![equal]), false), (equal, true)] {
        solver.push();
        solver.assert(formula);
        let answer = solver.is_sat();
        solver.pop();
        match answer {
            Err(stop) if is_refusal(&stop) => return None,
            answer => assert_eq!(answer, Ok(sat), "{terms:?} = {expected} for {values:?}"),
        }
    }
    Some(())
}

fn samples(sorts: &[Sort], rng: &mut Rng) -> Vec<Vec<Value>> {
    let mut samples: Vec<Vec<Value>> = match *sorts {
        [only] => edges(only).into_iter().map(|value| vec![value]).collect(),
        [left, right] => {
            let pairs = edges(left)
                .into_iter()
                .flat_map(|x| edges(right).into_iter().map(move |y| vec![x.clone(), y]));
            pairs.collect()
        }
        _ => Vec::new(),
    };
    samples.extend((0..SAMPLES).map(|_| sorts.iter().map(|sort| rng.value(*sort)).collect()));
    samples
}

pub(crate) fn rotations(backend: &dyn Backend) {
    let mut rng = Rng(9);
    let mut solver = backend.solver();
    for width in [1u32, 2, 5, 32, 64] {
        let [bits, by] = ["bits", "by"].map(|name| Term::var(Var::new(name, Sort::Bv(width))));
        for _ in 0..8 {
            let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
            let draw = |rng: &mut Rng| {
                (rng.below(1 << 32) as u64 | (rng.below(1 << 32) as u64) << 32) & mask
            };
            let (x, n) = (
                draw(&mut rng),
                if rng.below(2) == 0 { draw(&mut rng) } else { rng.below(5) as u64 & mask },
            );
            let (left, right) = (
                n % u64::from(width),
                (u64::from(width) - n % u64::from(width)) % u64::from(width),
            );
            let rotated =
                |n: u64| if n == 0 { x } else { (x << n | x >> (u64::from(width) - n)) & mask };
            solver.push();
            solver.assert(bits.equals(Term::bv(width, x)));
            solver.assert(by.equals(Term::bv(width, n)));
            for (term, expected) in
                [(bits.rotate_left(by), rotated(left)), (bits.rotate_right(by), rotated(right))]
            {
                let expected = Term::bv(width, expected).as_lit().expect("a value").clone();
                agree(&mut *solver, &[term.expect("bits")], &expected, &[]);
            }
            solver.pop();
        }
    }
}

/// Nested terms with all variables fixed.
pub(crate) fn random_terms(backend: &dyn Backend) {
    let sorts = vec![
        Sort::Bool,
        Sort::Int,
        Sort::Rat,
        Sort::Bv(1),
        Sort::Bv(5),
        Sort::array(Sort::Bv(1), Sort::Int),
    ];
    let mut generator = Generator::new(77, sorts.clone());
    let mut solver = backend.solver();
    for round in 0..300 {
        let term = generator.term(sorts[round % sorts.len()], 4);
        let valuation = generator.valuation();
        // Functions have no values that could be asserted.
        if !applies_functions(term) {
            let expected = term.eval(&valuation).expect("a value for everything");
            solver.push();
            term.vars().iter().for_each(|var| {
                let value = valuation.get(*var).expect("a value for everything").clone();
                solver.assert(Term::var(*var).equals(Term::lit(value)));
            });
            agree(&mut *solver, &[term], &expected, &[]);
            solver.pop();
        }
    }
}

/// A term that would be far too large as a tree, with operators that some solvers must be told in other words.
pub(crate) fn shared(backend: &dyn Backend) {
    let var = Var::new("x", Sort::Int);
    let mut term = Term::var(var);
    for n in 0..20 {
        let sum = Term::verbatim(Op::Add, vec![term, term, Term::int(n)]).expect("integers");
        let by = Term::int(1000 + n);
        let op = if n % 2 == 0 { Op::Rem } else { Op::Mod };
        term = Term::verbatim(op, vec![sum, by]).expect("integers");
    }
    let expected = term.eval(&[(var, Value::int(7))].into_iter().collect::<Valuation>());
    let mut solver = backend.solver();
    solver.assert(Term::var(var).equals(Term::int(7)));
    agree(&mut *solver, &[term], &expected.expect("a value"), &[]);
}

fn applies_functions(term: Term) -> bool {
    matches!(term.op(), Op::Apply(_)) || term.args().iter().any(|arg| applies_functions(*arg))
}
