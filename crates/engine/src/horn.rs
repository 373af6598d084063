//! The automaton as Horn clauses: a relation for each location, a clause for each edge.
//!
//! ```text
//! R_l(x) ∧ tran(op)(x, x')  →  R_l'(x')        for each edge l → l'
//! ```
//!
//! Relations that contain what the clauses demand, with nothing in that of the error, are an inductive invariant. A Horn
//! solver looks for all of them at once, backward from the error, and generalises what it finds over any number of steps,
//! where refinement explains one path after the other. Relations are about live variables only.
//!
//! This finds proofs. That there is none the solver may say, but it has no run to show.

use lapidary_cegar::Config;
use lapidary_expr::{Var, Versions};
use lapidary_model::{Cfa, Live, Loc, Proof, ProofState, encode};
use lapidary_solver::horn::{Atom, Clause, System};
use lapidary_solver::{Backend, Stop};

use crate::{Budget, Claim, Engine, Evidence, Input, Observer, Problem, Result, Unknown};

/// The whole automaton as Horn clauses.
#[derive(Debug)]
pub struct HornClauses;

impl Engine for HornClauses {
    fn name(&self) -> &'static str {
        "horn"
    }

    fn title(&self, _config: &Config) -> String {
        "Horn clauses".into()
    }

    fn takes(&self) -> Input {
        Input::Programs
    }

    fn finds(&self) -> Evidence {
        Evidence::Proofs
    }

    fn run(
        &self,
        problem: &Problem<'_>,
        budget: &Budget<'_>,
        _observer: &mut dyn Observer,
    ) -> Result<Claim> {
        horn(problem.cfa, budget.backend()?)
    }
}

/// Looks for an inductive invariant; an error if the back end has no Horn solver.
fn horn(cfa: &Cfa, backend: &dyn Backend) -> Result<Claim> {
    let Some(error) = cfa.error() else { return Ok(Claim::Proof(Proof::default())) };
    let mut solver =
        backend.horn().ok_or_else(|| Stop::Solver("it does not solve Horn clauses".into()))?;
    let system = system(cfa, error, backend)?;
    let Some(formulas) = solver.solve(&system)? else {
        return Ok(Claim::Nothing(Unknown::NoSolution));
    };
    // A wrong solution is the solver's fault, and no reason to end the run as a wrong proof of our own would be.
    if !system.is_solved_by(&formulas, &mut *backend.solver())? {
        return Err(Stop::Solver("wrong solution of Horn clauses".into()));
    }
    let states = cfa.locs().zip(formulas).filter(|(loc, _)| *loc != error);
    let states = states.map(|(loc, formula)| ProofState { loc, formula, successors: Vec::new() });
    Ok(Claim::Proof(Proof::of(states.collect())))
}

fn system(cfa: &Cfa, error: Loc, backend: &dyn Backend) -> Result<System> {
    let live = Live::of(cfa);
    let live_at = |loc: Loc| -> Vec<Var> {
        if loc == error {
            return Vec::new();
        }
        cfa.vars().iter().copied().filter(|var| live.is_live(loc, *var)).collect()
    };
    let relations: Vec<Vec<Var>> = cfa.locs().map(live_at).collect();
    let atom = |loc: Loc, versions: &Versions| {
        let relation = loc.0 as usize;
        let args = relations[relation].iter().map(|var| versions.current(*var)).collect();
        Atom { relation, args }
    };
    let before = Versions::new();
    let mut clauses =
        vec![Clause { from: Vec::new(), by: true.into(), to: atom(cfa.entry(), &before) }];
    for (_, edge) in cfa.edges().filter(|(_, edge)| edge.source != error) {
        backend.check()?;
        let mut after = Versions::new();
        let by = encode(&edge.stmt, &mut after);
        let (from, to) = (vec![atom(edge.source, &before)], atom(edge.target, &after));
        clauses.push(Clause { from, by, to });
    }
    let goal = atom(error, &before);
    Ok(System { relations, clauses, goal })
}
