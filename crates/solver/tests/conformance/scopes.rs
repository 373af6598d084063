//! Assertions, scopes, entailment.

use lapidary_solver::Backend;

use crate::term;

pub(crate) fn nesting(backend: &dyn Backend) {
    let mut solver = backend.solver();
    assert_eq!(solver.is_sat(), Ok(true), "nothing is asserted");
    solver.assert(term("(< 0 x)"));
    solver.push();
    solver.assert(term("(< x y)"));
    solver.push();
    solver.assert(term("(< y 2)"));
    assert_eq!(solver.is_sat(), Ok(false));
    solver.pop();
    assert_eq!(solver.is_sat(), Ok(true));
    solver.push();
    solver.assert(false.into());
    assert_eq!(solver.is_sat(), Ok(false));
    solver.pop();
    solver.pop();
    solver.assert(term("(= y 0)"));
    assert_eq!(solver.is_sat(), Ok(true));
    solver.push();
    solver.assert(term("(<= x y)"));
    assert_eq!(solver.is_sat(), Ok(false));
    solver.pop();
    // Another solver of the same back end knows nothing of it.
    let mut other = backend.solver();
    other.assert(term("(and (<= x y) (= y 0))"));
    assert_eq!(other.is_sat(), Ok(true));
    assert_eq!(solver.is_sat(), Ok(true));
}

pub(crate) fn entailment(backend: &dyn Backend) {
    let mut solver = backend.solver();
    assert_eq!(solver.entails(term("(< 2 x)"), term("(< 1 x)")), Ok(true));
    assert_eq!(solver.entails(term("(< 1 x)"), term("(< 2 x)")), Ok(false));
    assert_eq!(solver.entails(term("(= (* 2 x) y)"), term("(not (= y 7))")), Ok(true));
    assert_eq!(solver.entails(term("false"), term("(< 2 x)")), Ok(true));
    assert_eq!(solver.entails(term("true"), term("(< 2 x)")), Ok(false));
    assert_eq!(solver.entails(term("(< 2 x)"), term("false")), Ok(false));
    assert_eq!(solver.entails(term("(and (< 2 x) (< x 3))"), term("false")), Ok(true));
    solver.assert(term("(= x y)"));
    assert_eq!(solver.entails(term("(< 2 x)"), term("(< 2 y)")), Ok(true));
    assert_eq!(solver.entails(term("(bvult u v)"), term("(not (= u #xff))")), Ok(true));
    assert_eq!(solver.is_sat(), Ok(true), "entailment leaves nothing behind");
}
