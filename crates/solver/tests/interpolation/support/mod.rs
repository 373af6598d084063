//! What the tests and the benchmark of interpolation share: the loops, a check of sequences, and predicate
//! abstraction with what they speak of.

#![allow(dead_code, reason = "test and benchmark use their parts")]

pub(crate) mod abstraction;
pub(crate) mod loops;
pub(crate) mod measure;

use lapidary_expr::{Term, VarSet};
use lapidary_solver::Backend;
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;

pub(crate) fn z3(watch: &Watch) -> Z3 {
    Z3::new(watch).expect("Z3 is there")
}

/// What is wrong with a sequence of interpolants, if anything.
pub(crate) fn mistake(backend: &dyn Backend, parts: &[Term], itps: &[Term]) -> Option<String> {
    if itps.len() + 1 != parts.len() {
        return Some(format!("{} interpolants for {} parts", itps.len(), parts.len()));
    }
    let vars =
        |parts: &[Term]| -> VarSet { parts.iter().flat_map(|part| part.vars()).copied().collect() };
    for (i, itp) in itps.iter().enumerate() {
        let (before, after) = (vars(&parts[..=i]), vars(&parts[i + 1..]));
        if let Some(var) =
            itp.vars().iter().find(|var| !before.contains(var) || !after.contains(var))
        {
            return Some(format!("interpolant {i} must not speak of {var}: {itp}"));
        }
    }
    let mut solver = backend.solver();
    for (i, part) in parts.iter().enumerate() {
        solver.push();
        solver.assert(*part);
        solver.assert(if i == 0 { true.into() } else { itps[i - 1] });
        solver.assert(itps.get(i).map_or(true.into(), |itp| itp.not()));
        match solver.is_sat() {
            Ok(false) => {}
            Ok(true) => return Some(format!("step {i} does not follow")),
            Err(stop) => return Some(format!("step {i} is open: {stop}")),
        }
        solver.pop();
    }
    None
}
