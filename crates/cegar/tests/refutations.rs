//! Each refutation really refutes, for every checker and selection, on random infeasible paths.
//!
//! A sequence of assertions starts with what always holds, is inductive along the path and ends in false. What the
//! binary checkers say about one state follows from what comes before it and contradicts what comes after. What
//! is said about variables is enough if the path with copies of all other variables at each state is infeasible.
//! All of that is checked on the whole path, also where a sliced prefix was explained (fourth paper, the
//! proposition of §3).

use lapidary_cegar::checker::Checker;
use lapidary_cegar::config::{AXES, Config};
use lapidary_cegar::{Feasibility, Reason, Refutation, Stop, Trace, trace_checker};
use lapidary_expr::{Term, Var};
use lapidary_model::{Cfa, Path, Stmt};
use lapidary_oracle::lower::lower;
use lapidary_oracle::{Random, generate};
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;
use lapidary_solver::{Backend, UnsatCore};

fn is_sat(solver: &mut dyn UnsatCore, formulas: &[Term]) -> bool {
    solver.push();
    formulas.iter().for_each(|formula| solver.assert(*formula));
    let answer = solver.is_sat();
    solver.pop();
    answer.unwrap()
}

/// The statements of a random way from the entry to the error.
fn random_path<'a>(cfa: &'a Cfa, random: &mut Random) -> Option<Vec<&'a Stmt>> {
    let distances = cfa.distances_to_error();
    let (mut loc, mut stmts) = (cfa.entry(), Vec::new());
    while Some(loc) != cfa.error() {
        let reaches = |edge: &&lapidary_model::EdgeId| {
            distances[cfa.edge(**edge).target.0 as usize].is_some()
        };
        let mut edges: Vec<_> = cfa.outgoing(loc).iter().filter(reaches).collect();
        if edges.is_empty() || stmts.len() > 30 {
            return None;
        }
        // Towards the error, once the path is long enough.
        edges.sort_by_key(|edge| distances[cfa.edge(**edge).target.0 as usize]);
        let edge = if stmts.len() > 8 { edges[0] } else { *random.pick(&edges) };
        stmts.push(&cfa.edge(*edge).stmt);
        loc = cfa.edge(*edge).target;
    }
    Some(stmts)
}

/// What is wrong with a refutation of the path.
fn problem(refutation: &Refutation, path: &Path, solver: &mut dyn UnsatCore) -> Option<String> {
    let holds: Option<Vec<Term>> = refutation
        .reasons
        .iter()
        .zip(&path.versions)
        .map(|(reason, versions)| match reason {
            Reason::Holds(term) => Some(versions.now(*term)),
            Reason::Tracks(_) | Reason::Core { .. } => None,
        })
        .collect();
    if refutation.reasons.len() != path.versions.len() {
        return Some("has not one reason for each state".into());
    }
    match holds {
        Some(holds) if ["forward", "backward"].contains(&refutation.checker) => {
            separates(refutation, &holds, path, solver)
        }
        Some(holds) => is_inductive(&holds, path, solver),
        None => tells_enough(refutation, path, solver),
    }
}

fn separates(
    refutation: &Refutation,
    holds: &[Term],
    path: &Path,
    solver: &mut dyn UnsatCore,
) -> Option<String> {
    let index = refutation.prune_index()?;
    let (before, after) = path.formulas.split_at(index);
    let with = |formulas: &[Term], last: Term| [formulas, &[last]].concat();
    if is_sat(solver, &with(before, holds[index].not())) {
        return Some(format!("{} does not follow", holds[index]));
    }
    is_sat(solver, &with(after, holds[index])).then(|| format!("{} goes on", holds[index]))
}

fn is_inductive(holds: &[Term], path: &Path, solver: &mut dyn UnsatCore) -> Option<String> {
    if is_sat(solver, &[holds[0].not()]) {
        return Some(format!("starts with {}", holds[0]));
    }
    for (i, step) in path.formulas.iter().enumerate() {
        if is_sat(solver, &[holds[i], *step, holds[i + 1].not()]) {
            return Some(format!("{} does not follow from {}", holds[i + 1], holds[i]));
        }
    }
    is_sat(solver, &[holds[holds.len() - 1]]).then(|| "does not end in false".into())
}

/// Each step over variables of its own, but for those that are tracked between it and the next.
fn tells_enough(
    refutation: &Refutation,
    path: &Path,
    solver: &mut dyn UnsatCore,
) -> Option<String> {
    let own =
        |var: Var, step: usize| Var::new(&format!("{} in step {step}", var.name()), var.sort());
    let mut formulas = Vec::new();
    for (i, step) in path.formulas.iter().enumerate() {
        let renamed = |var: Var| Some(Term::var(own(var, i).at(var.version())));
        formulas.push(step.map_vars(&renamed));
        if i == 0 {
            continue;
        }
        for var in refutation.reasons[i].vars() {
            let version = path.versions[i].current(var).version();
            let (before, after) = (own(var, i - 1).at(version), own(var, i).at(version));
            formulas.push(Term::var(before).equals(after.into()));
        }
    }
    is_sat(solver, &formulas).then(|| "tracks too little".into())
}

#[test]
fn refutations_refute() {
    let z3 = Z3::new(&Watch::default()).unwrap();
    let mut solver = z3.solver();
    let mut random = Random::new(7);
    let (mut checked, mut by) = (0, std::collections::BTreeMap::new());
    for _ in 0..160 {
        let cfa = lower(&generate::program(&mut random));
        let Some(stmts) = random_path(&cfa, &mut random) else { continue };
        let path = Path::new(stmts.iter().copied());
        let feasible = is_sat(&mut *solver, &path.formulas);
        for checker in Checker::NAMES {
            let mut config = Config::default();
            for axis in AXES.iter().filter(|axis| !["domain", "checker"].contains(&axis.name)) {
                let value: &str = random.pick::<&str>(axis.values);
                config.set(axis.name, value).unwrap();
            }
            config.set("checker", checker).unwrap();
            let trace = Trace::unlabelled(stmts.clone());
            match trace_checker(&cfa, &config, &z3).check(&trace) {
                Ok(Feasibility::Feasible(_)) => assert!(feasible, "{config}"),
                Ok(Feasibility::Infeasible(refutation)) => {
                    assert!(!feasible, "{config}");
                    let wrong = problem(&refutation, &path, &mut *solver);
                    let stmts: Vec<String> = stmts.iter().map(ToString::to_string).collect();
                    assert_eq!(wrong, None, "{config}\n{stmts:#?}\n{:?}", refutation.reasons);
                    *by.entry(refutation.checker).or_insert(0) += 1;
                    checked += 1;
                }
                Err(Stop::Interpolation(_)) => {}
                Err(stop) => panic!("{config}: {stop}"),
            }
        }
    }
    assert!(checked > 120, "{checked} refutations");
    let all = ["sequence", "forward", "backward", "unsat-core", "value", "newton"];
    assert!(all.iter().all(|name| by.get(name).is_some_and(|n| *n > 8)), "{by:?}");
}
