//! The precision that a run starts from: the axis `initial-precision`.
//!
//! The papers start from nothing, or from what the task suggests. What is suggested is told to the domain as if a
//! refinement had found it, so that each domain takes from it what it can: predicates, or the variables in them.

use lapidary_expr::Term;
use lapidary_model::{Cfa, Stmt};

use crate::Reason;
use crate::axis::axis;

axis! {
    /// What a run knows is worth tracking before its first iteration.
    pub enum InitialPrecision {
        /// Nothing.
        #[default]
        Empty = "empty",
        /// The assumptions on the edges to the error location.
        Property = "property",
        /// All variables.
        AllVars = "all-vars",
        /// All assumptions of the automaton.
        AllAssumes = "all-assumes",
    }
}

impl InitialPrecision {
    /// What to learn from `cfa` before the first iteration.
    pub(crate) fn reasons(self, cfa: &Cfa) -> Vec<Reason> {
        let mut assumptions = Vec::new();
        match self {
            InitialPrecision::Empty => {}
            InitialPrecision::AllVars => {
                return vec![Reason::Tracks(cfa.vars().iter().copied().collect())];
            }
            InitialPrecision::Property => {
                for edge in cfa.error().into_iter().flat_map(|error| cfa.incoming(error)) {
                    assumed(&cfa.edge(*edge).stmt, &mut assumptions);
                }
            }
            InitialPrecision::AllAssumes => {
                cfa.edges().for_each(|(_, edge)| assumed(&edge.stmt, &mut assumptions));
            }
        }
        assumptions.into_iter().map(Reason::Holds).collect()
    }
}

/// The assumptions of a statement. Those of a relation speak of two states at once, and are none.
fn assumed(stmt: &Stmt, found: &mut Vec<Term>) {
    match stmt {
        Stmt::Assume(term) => found.push(*term),
        Stmt::Seq(parts) | Stmt::Choice(parts) => {
            parts.iter().for_each(|part| assumed(part, found));
        }
        Stmt::Assign(_) | Stmt::Havoc(_) | Stmt::Relation { .. } => {}
    }
}
