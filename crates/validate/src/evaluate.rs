//! Running an automaton on the values that a state knows.
//!
//! Variables without a known value may have any. Where a value decides, it is used; where not, both sides
//! are taken. If every run gets to cut points where it surely satisfies a state, nothing else needs to be
//! asked.

use lapidary_expr::{Term, Valuation};
use lapidary_model::{EdgeId, Loc, StateId, Stmt};
use rustc_hash::FxHashMap;

use crate::graph::{Graph, Kind};
use crate::values::learn;

/// The runs from one state.
pub(crate) struct Evaluation<'a> {
    graph: &'a Graph<'a>,
    hints: &'a [StateId],
    /// The number of statements that may still be run: branches could multiply without end.
    budget: usize,
}

/// The budget is used up.
struct Exhausted;

impl<'a> Evaluation<'a> {
    pub(crate) fn new(graph: &'a Graph<'a>, hints: &'a [StateId]) -> Self {
        Evaluation { graph, hints, budget: 100 + 4 * graph.n_stmts }
    }

    /// Whether all runs that start along `edge` with the known values surely end in states.
    pub(crate) fn covers(mut self, edge: EdgeId, known: &Valuation) -> bool {
        let mut seen: FxHashMap<Loc, Vec<Valuation>> = FxHashMap::default();
        let mut pending = vec![(edge, known.clone())];
        while let Some((id, known)) = pending.pop() {
            let edge = self.graph.cfa.edge(id);
            let Ok(outcomes) = self.run(&edge.stmt, known) else { return false };
            for known in outcomes {
                match self.graph.kind(edge.target) {
                    Kind::Harmless => {}
                    Kind::Cut if self.is_state(edge.target, &known) => {}
                    Kind::Between if !self.graph.is_retreating(id) => {
                        let seen = seen.entry(edge.target).or_default();
                        if !seen.contains(&known) {
                            let edges = self.graph.outgoing(edge.target).iter();
                            pending.extend(edges.map(|edge| (*edge, known.clone())));
                            seen.push(known);
                        }
                    }
                    Kind::Error | Kind::Cut | Kind::Between => return false,
                }
            }
        }
        true
    }

    /// Whether the values satisfy a state at `loc`, whatever the others are.
    fn is_state(&self, loc: Loc, known: &Valuation) -> bool {
        let holds = |formula: Term| formula.holds(known) == Some(true);
        self.graph.hinted(loc, self.hints).any(holds)
            || self.graph.candidates(loc, known).any(holds)
    }

    /// What can be known after a statement, for each of the ways through it.
    fn run(&mut self, stmt: &Stmt, mut known: Valuation) -> Result<Vec<Valuation>, Exhausted> {
        self.budget = self.budget.checked_sub(1).ok_or(Exhausted)?;
        match stmt {
            Stmt::Assume(condition) => {
                if condition.holds(&known) == Some(false) {
                    return Ok(Vec::new());
                }
                learn(*condition, &mut known);
            }
            Stmt::Assign(assignments) => {
                let values: Vec<_> =
                    assignments.iter().map(|(var, term)| (*var, term.eval(&known))).collect();
                for (var, value) in values {
                    match value {
                        Some(value) => known.set(var, value),
                        None => known.forget(var),
                    }
                }
            }
            Stmt::Havoc(vars) => vars.iter().for_each(|var| known.forget(*var)),
            Stmt::Relation { formula, written } => {
                if formula.holds(&known) == Some(false) {
                    return Ok(Vec::new());
                }
                written.iter().for_each(|var| known.forget(*var));
            }
            Stmt::Seq(parts) => {
                return parts.iter().try_fold(vec![known], |all, part| self.run_each(part, all));
            }
            Stmt::Choice(parts) => {
                let mut outcomes = Vec::new();
                for part in parts {
                    outcomes.extend(self.run(part, known.clone())?);
                }
                return Ok(outcomes);
            }
        }
        Ok(vec![known])
    }

    /// Runs a statement from each of several points.
    fn run_each(&mut self, stmt: &Stmt, all: Vec<Valuation>) -> Result<Vec<Valuation>, Exhausted> {
        let mut outcomes = Vec::new();
        for known in all {
            for outcome in self.run(stmt, known)? {
                if !outcomes.contains(&outcome) {
                    outcomes.push(outcome);
                }
            }
        }
        Ok(outcomes)
    }
}
