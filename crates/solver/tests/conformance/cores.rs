//! Unsatisfiable cores.

use lapidary_expr::Term;
use lapidary_solver::{Backend, UnsatCore};

use crate::common::Rng;
use crate::term;

/// The core of `assumptions`, which is checked to be one.
fn core(solver: &mut dyn UnsatCore, assumptions: &[Term]) -> Option<Vec<usize>> {
    let core = solver.core(assumptions).expect("decidable")?;
    assert!(core.is_sorted_by(|i, j| i < j), "{core:?} is not sorted");
    assert!(core.iter().all(|i| *i < assumptions.len()), "{core:?} is out of range");
    solver.push();
    core.iter().for_each(|i| solver.assert(assumptions[*i]));
    assert_eq!(solver.is_sat(), Ok(false), "{core:?} of {assumptions:?} is no contradiction");
    solver.pop();
    Some(core)
}

pub(crate) fn subsets(backend: &dyn Backend) {
    let mut solver = backend.solver();
    let solver = &mut *solver;
    assert_eq!(core(solver, &[]), None);
    assert_eq!(core(solver, &[term("a"), term("(< 0 x)")]), None);
    assert_eq!(
        core(solver, &[term("a"), term("(< 0 x)"), term("b"), term("(< x 0)")]),
        Some(vec![1, 3])
    );
    assert_eq!(core(solver, &[term("a"), term("false"), term("b")]), Some(vec![1]));
    assert_eq!(core(solver, &[term("true"), term("a"), term("(not a)")]), Some(vec![1, 2]));
    assert_eq!(core(solver, &[term("a"), term("(< 0 x)")]), None, "assumptions do not stay");
    solver.assert(term("(= x 5)"));
    assert_eq!(core(solver, &[term("a"), term("(< x 5)")]), Some(vec![1]));
    solver.assert(term("(= x 6)"));
    assert_eq!(core(solver, &[term("a"), term("(< x 5)")]), Some(vec![]));
    assert_eq!(core(solver, &[]), Some(vec![]));
}

pub(crate) fn repeated(backend: &dyn Backend) {
    let mut solver = backend.solver();
    let solver = &mut *solver;
    let found = core(solver, &[term("a"), term("a"), term("b"), term("(not a)"), term("(not a)")]);
    assert_eq!(found.map(|core| core.len()), Some(2));
    assert_eq!(core(solver, &[term("a"), term("a")]), None);
    // What is asserted may be assumed as well.
    solver.assert(term("a"));
    assert_eq!(core(solver, &[term("a"), term("b")]), None);
    assert!(core(solver, &[term("a"), term("(not a)")]).is_some());
}

pub(crate) fn within_scopes(backend: &dyn Backend) {
    let mut solver = backend.solver();
    let solver = &mut *solver;
    let (low, high) = (term("(< x 3)"), term("(< 5 x)"));
    solver.push();
    assert_eq!(core(solver, &[low, high]), Some(vec![0, 1]));
    solver.push();
    solver.assert(low);
    // What is asserted and assumed may be in the core.
    assert!(core(solver, &[low, high]).is_some_and(|core| core.contains(&1)));
    solver.pop();
    assert_eq!(core(solver, &[high]), None);
    solver.pop();
    assert_eq!(core(solver, &[low]), None);
    assert_eq!(
        core(solver, &[high, low]),
        Some(vec![0, 1]),
        "also when assumed again after the scope"
    );
    solver.push();
    assert_eq!(core(solver, &[low, term("(< 4 x)"), high]).map(|core| core.len()), Some(2));
    solver.pop();
    // What was assumed in a closed scope means nothing any more.
    for n in 0..20 {
        solver.push();
        let own = term(&format!("(= x {n})"));
        assert_eq!(core(solver, &[own, term("(< x 10)")]).is_none(), n < 10);
        solver.pop();
    }
    assert_eq!(solver.is_sat(), Ok(true));
}

/// Far more assumptions than a solver keeps: forgetting them must not show, inside scopes either.
pub(crate) fn renewed(backend: &dyn Backend) {
    let mut solver = backend.solver();
    let solver = &mut *solver;
    let mut rng = Rng(7);
    solver.assert(term("(<= 0 x)"));
    solver.push();
    solver.assert(term("(<= x 2000)"));
    for round in 0..40 {
        if round % 10 == 5 {
            solver.push();
            solver.assert(term(&format!("(<= x {round})")));
        }
        let (low, high) = (rng.below(2100), rng.below(2100));
        let mut assumptions: Vec<Term> =
            (0..40).map(|n| term(&format!("(not (= y {}))", round * 40 + n))).collect();
        assumptions.push(term(&format!("(<= {low} x)")));
        assumptions.push(term(&format!("(<= x {high})")));
        let most = if round % 10 == 5 { round } else { 2000 };
        let core = core(solver, &assumptions);
        assert_eq!(core.is_none(), low <= high.min(most), "{low} {high} {most}");
        if round % 10 == 5 {
            solver.pop();
        }
    }
    solver.pop();
    assert_eq!(core(solver, &[term("(<= 3000 x)")]), None);
    assert_eq!(core(solver, &[term("(<= x (- 1))")]), Some(vec![0]));
}
