//! Validation: every verdict's evidence is checked again before it counts.
//!
//! An execution is run. A proof is a set of states, formulas at locations; those locations are its *cut
//! points*. Where the graph has no way to the error location nothing needs to hold; elsewhere
//!
//! 1. every valuation satisfies a state at the entry;
//! 2. whatever satisfies a state satisfies, at the next cut point, a state there:
//!    `state ⇒ wp(stmt, cover)` for each edge that leaves the state's location;
//! 3. no state is at the error location, and whatever satisfies a state gets neither there nor around a
//!    cycle without a cut point: both have the cover `false`.
//!
//! By induction over its steps, an execution then satisfies a state at each cut point that it passes, and
//! is never at the error location.
//!
//! The cover of a cut point is the disjunction of its states: first of the hinted successors among them,
//! and if these do not suffice, of all. The cover of another location is what its edges ask for, the
//! conjunction of their weakest preconditions. These are
//!
//! - `wp([ψ], Q) = ¬ψ ∨ Q`;
//! - `wp(x := e, Q) = Q[e/x]`, for all assigned variables at once;
//! - `wp(havoc x, Q) = Q[f/x]` with a fresh variable `f`, which validity quantifies universally;
//! - `wp(s; t, Q) = wp(s, wp(t, Q))` and `wp(s | t, Q) = wp(s, Q) ∧ wp(t, Q)`;
//! - `wp(R, Q) = ¬R[f/x'] ∨ Q[f/x]` for a relation that writes `x`.
//!
//! Substitution copies a formula per branch, and after many branches in a row that is too much. So edges are brought into
//! passive form first (`passive.rs`), where the formula of a location is over the values of variables there and
//! needs no substitution.
//!
//! What a state's known values decide is evaluated, what can be read off the formulas is, and the rest goes
//! to the solver.
//!
//! Proofs of systems may be by k-induction (`induction.rs`), and those of programs about procedures with their calls
//! (`program.rs`).
//!
//! A search that goes wrong must not mislead its own validator. So this crate shares no code with the
//! search. Both only have the terms, their evaluation and the solver in common: even the graph is explored anew, from the
//! list of edges, and statements are given their meaning again.

mod entail;
mod evaluate;
mod graph;
mod induction;
mod needed;
mod passive;
mod program;
mod values;
mod wp;

use std::cell::OnceCell;

use lapidary_expr::{Sort, Term, Valuation, Var};
use lapidary_model::{Cfa, EdgeId, Execution, Proof, ProofState};
use lapidary_solver::{Solver, Stop};
use rustc_hash::FxHashSet;

use entail::Facts;
use evaluate::Evaluation;
use graph::{Graph, Kind};
use passive::Passive;
use wp::Preconditions;

pub use program::validate_program_proof;

/// Why evidence is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// It is wrong, and how.
    #[error("{0}")]
    Evidence(String),
    /// It could not be checked.
    #[error("not checked: {0}")]
    Stop(#[from] Stop),
}

/// What it took to check a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProofCheck {
    /// The number of implications that had to hold.
    pub obligations: usize,
    /// Those among them that evaluation and the look of the formulas decided.
    pub by_evaluation: usize,
    /// Those among them that the solver decided.
    pub by_solver: usize,
}

/// Checks that the execution leads from the entry to the error location.
pub fn validate_execution(cfa: &Cfa, execution: &Execution) -> Result<(), Rejection> {
    let is_wrong = |(var, value): &(Var, &lapidary_expr::Value)| var.sort() != value.sort();
    if let Some((var, value)) = execution.start.iter().find(is_wrong) {
        return reject(format!("`{var}` cannot have the initial value `{value}`"));
    }
    match execution.run(cfa, &mut |_, _| {}) {
        Ok(()) => Ok(()),
        Err(error) => reject(error.to_string()),
    }
}

/// Checks that the proof shows the error location to be unreachable. The solver must have no assertions; it
/// has none afterwards.
pub fn validate_proof(
    cfa: &Cfa,
    proof: &Proof,
    solver: &mut dyn Solver,
) -> Result<ProofCheck, Rejection> {
    if proof.program.is_some() {
        return reject("the proof is about a program with its calls".into());
    }
    check_form(cfa, proof)?;
    if proof.induction > 0 {
        return induction::validate(cfa, proof, solver);
    }
    let graph = Graph::new(cfa, proof);
    let passive = Passive::new(&graph);
    let all = Preconditions::new(&graph, &passive, &[]);
    let count = ProofCheck::default();
    let mut validator = Validator { graph: &graph, passive: &passive, all, solver, count };
    validator.entry()?;
    for (number, state) in proof.states.iter().enumerate() {
        if graph.kind(state.loc) == Kind::Cut {
            validator.state(number, state)?;
        }
    }
    Ok(validator.count)
}

fn reject<T>(problem: String) -> Result<T, Rejection> {
    Err(Rejection::Evidence(problem))
}

/// States are formulas over the automaton's variables at its locations, not at the error location.
fn check_form(cfa: &Cfa, proof: &Proof) -> Result<(), Rejection> {
    let declared: FxHashSet<Var> = cfa.vars().iter().copied().collect();
    let is_state = |var: &Var| var.version() == 0 && declared.contains(var);
    for (number, ProofState { loc, formula, .. }) in proof.states.iter().enumerate() {
        if loc.0 as usize >= cfa.n_locs() {
            return reject(format!("state {number} is at no location"));
        }
        if formula.sort() != Sort::Bool {
            return reject(format!("state {number} has `{formula}`, which is no formula"));
        }
        if let Some(var) = formula.vars().iter().find(|var| !is_state(var)) {
            return reject(format!(
                "state {number} mentions `{var}`, no variable of the automaton"
            ));
        }
        if Some(*loc) == cfa.error() {
            return reject(format!("state {number} is at the error location"));
        }
    }
    Ok(())
}

struct Validator<'a> {
    graph: &'a Graph<'a>,
    passive: &'a Passive,
    /// The preconditions of covers that consist of all states.
    all: Preconditions<'a>,
    solver: &'a mut dyn Solver,
    count: ProofCheck,
}

impl Validator<'_> {
    /// Condition 1.
    fn entry(&mut self) -> Result<(), Rejection> {
        let cfa = self.graph.cfa;
        let name = cfa.loc_name(cfa.entry());
        match self.graph.kind(cfa.entry()) {
            Kind::Harmless => return Ok(()),
            Kind::Cut => {}
            Kind::Error | Kind::Between => {
                return reject(format!("there is no state at the entry `{name}`"));
            }
        }
        let cover = self.graph.cover(cfa.entry());
        self.count.obligations += 1;
        if cover.is_true() {
            self.count.by_evaluation += 1;
            return Ok(());
        }
        if self.follows(cover, &[])? {
            return Ok(());
        }
        let example = self.example(cover, &[]);
        reject(format!("no state at the entry `{name}` allows {example}"))
    }

    /// Conditions 2 and 3 for the edges that leave one state.
    fn state(&mut self, number: usize, state: &ProofState) -> Result<(), Rejection> {
        let known = values::known_values(state.formula);
        let hinted = Preconditions::new(self.graph, self.passive, &state.successors);
        let mut source =
            Source { number, state, known, hinted, facts: OnceCell::new(), is_asserted: false };
        let outcome = self.graph.outgoing(state.loc).iter().try_for_each(|edge| {
            self.count.obligations += 1;
            self.edge(&mut source, *edge)
        });
        if source.is_asserted {
            self.solver.pop();
        }
        outcome
    }

    fn edge(&mut self, source: &mut Source<'_>, edge: EdgeId) -> Result<(), Rejection> {
        let evaluation = Evaluation::new(self.graph, &source.state.successors);
        if source.state.formula.is_false() || evaluation.covers(edge, &source.known) {
            self.count.by_evaluation += 1;
            return Ok(());
        }
        if !source.state.successors.is_empty() {
            let goal = source.hinted.edge(edge);
            let goal = source.with_known(goal);
            let definitions = source.hinted.definitions(goal);
            // Where the solver gives up here, it may still be able to do with all states.
            if self.implies(source, goal, &definitions) == Ok(true) {
                return Ok(());
            }
        }
        let goal = source.with_known(self.all.edge(edge));
        let definitions = self.all.definitions(goal);
        if self.implies(source, goal, &definitions)? {
            return Ok(());
        }
        let example = self.example(goal, &definitions);
        reject(self.problem(source, edge, &example))
    }

    /// Whether a state implies `goal`, given the definitions of its names.
    fn implies(
        &mut self,
        source: &mut Source<'_>,
        goal: Term,
        definitions: &[Term],
    ) -> Result<bool, Stop> {
        if source.facts().imply(goal) {
            self.count.by_evaluation += 1;
            return Ok(true);
        }
        if !std::mem::replace(&mut source.is_asserted, true) {
            self.solver.push();
            self.solver.assert(source.state.formula);
        }
        self.follows(goal, definitions)
    }

    /// Whether `goal` follows from the assertions and the definitions of its names.
    fn follows(&mut self, goal: Term, definitions: &[Term]) -> Result<bool, Stop> {
        let is_sat = self.within(goal, definitions, |solver| solver.is_sat())?;
        self.count.by_solver += usize::from(!is_sat);
        Ok(!is_sat)
    }

    /// Values for which the assertions hold and `goal` does not, for people: no verdict depends on them.
    fn example(&mut self, goal: Term, definitions: &[Term]) -> String {
        let vars = self.graph.cfa.vars().iter().copied().collect();
        match self.within(goal, definitions, |solver| solver.model(&vars)) {
            Ok(Some(model)) => format!("`{}`", model.to_term()),
            _ => "some values".into(),
        }
    }

    /// Asks the solver for a case in which `goal` does not hold.
    fn within<T>(
        &mut self,
        goal: Term,
        definitions: &[Term],
        ask: impl FnOnce(&mut dyn Solver) -> T,
    ) -> T {
        self.solver.push();
        definitions.iter().for_each(|definition| self.solver.assert(*definition));
        self.solver.assert(goal.not());
        let answer = ask(self.solver);
        self.solver.pop();
        answer
    }

    fn problem(&self, source: &Source<'_>, edge: EdgeId, example: &str) -> String {
        let (cfa, target) = (self.graph.cfa, self.graph.cfa.edge(edge).target);
        let (number, from) = (source.number, cfa.loc_name(source.state.loc));
        let cycle = match self.graph.uncut_from(target) {
            Some(loc) => format!("; no state breaks a cycle through `{}`", cfa.loc_name(loc)),
            None => String::new(),
        };
        format!(
            "state {number} at `{from}` allows {example}, and from there the edge to `{}` leads to no \
             state{cycle}",
            cfa.loc_name(target)
        )
    }
}

/// A state whose edges are being checked.
struct Source<'a> {
    number: usize,
    state: &'a ProofState,
    /// The values that its formula gives to variables.
    known: Valuation,
    /// The preconditions of covers that consist of hinted states.
    hinted: Preconditions<'a>,
    /// Made when first needed.
    facts: OnceCell<Facts>,
    /// Whether the solver knows the formula.
    is_asserted: bool,
}

impl Source<'_> {
    /// The formula with the known values in it, which are as good as their variables here.
    fn with_known(&self, formula: Term) -> Term {
        match self.known.is_empty() {
            true => formula,
            false => {
                formula.map_vars(&|var| self.known.get(var).map(|value| Term::lit(value.clone())))
            }
        }
    }

    /// The formula's conjuncts, also with the known values in them.
    fn facts(&self) -> &Facts {
        let formula = self.state.formula;
        self.facts.get_or_init(|| Facts::new([formula, self.with_known(formula)]))
    }
}
