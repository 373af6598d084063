//! Abstract counterexamples, and what checkers say about them.

use lapidary_expr::{Term, Valuation, VarSet};
use lapidary_model::Stmt;

use crate::Result;
use crate::checker::Eliminations;

/// An abstract counterexample: states and the statements between them.
#[derive(Clone, Debug)]
pub struct Trace<'a> {
    /// The meaning of each abstract state, from the entry to the error.
    pub states: Vec<Term>,
    /// The statement after each state but the last.
    pub stmts: Vec<&'a Stmt>,
}

impl<'a> Trace<'a> {
    /// Statements alone: nothing is known about the states between them.
    pub fn unlabelled(stmts: Vec<&'a Stmt>) -> Self {
        let states = vec![true.into(); stmts.len() + 1];
        Trace { states, stmts }
    }
}

/// Why a counterexample cannot go on as it does after some state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// This holds there, and what follows contradicts it. `true` and `false` say nothing about the state.
    Holds(Term),
    /// The values of these variables there contradict what follows.
    Tracks(VarSet),
    /// What an unsatisfiable core has at hand there. The values of `vars` contradict what follows; whether the
    /// truth values of `atoms`, which speak of nothing else, are enough is not said.
    Core {
        /// The variables that connect the core before the state with the core after it.
        vars: VarSet,
        /// The atoms of the core over them.
        atoms: Vec<Term>,
    },
}

impl Reason {
    /// Whether there is nothing to learn from it.
    pub fn is_trivial(&self) -> bool {
        match self {
            Reason::Holds(term) => term.is_true() || term.is_false(),
            Reason::Tracks(vars) | Reason::Core { vars, .. } => vars.is_empty(),
        }
    }

    /// The variables that it speaks of.
    pub fn vars(&self) -> VarSet {
        match self {
            Reason::Holds(term) => term.vars().iter().copied().collect(),
            Reason::Tracks(vars) | Reason::Core { vars, .. } => vars.clone(),
        }
    }
}

/// Why a counterexample is spurious.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// A reason for each state of the trace.
    pub reasons: Vec<Reason>,
    /// The name of the checker that found them.
    pub checker: &'static str,
    /// How this refutation was chosen, if there were several.
    pub choice: Option<Choice>,
    /// Which methods eliminated the quantifiers on the way.
    pub eliminations: Eliminations,
}

/// Why a refutation was taken among several of the same counterexample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// How many there were to choose from.
    pub among: usize,
    /// The number of statements that the chosen one needs, counted from the entry.
    pub length: usize,
    /// What it was chosen for.
    pub why: String,
}

impl Refutation {
    /// Reasons found by `checker`.
    pub fn new(checker: &'static str, reasons: Vec<Reason>) -> Self {
        Refutation { reasons, checker, choice: None, eliminations: Eliminations::default() }
    }

    /// The first state that there is something to learn about: what follows it is to be pruned.
    pub fn prune_index(&self) -> Option<usize> {
        self.reasons.iter().position(|reason| !reason.is_trivial())
    }

    /// The number of states that there is something to learn about.
    pub fn width(&self) -> usize {
        self.reasons.iter().filter(|reason| !reason.is_trivial()).count()
    }

    /// The variables of what there is to learn.
    pub fn vars(&self) -> VarSet {
        self.reasons.iter().filter(|reason| !reason.is_trivial()).flat_map(Reason::vars).collect()
    }
}

/// Whether an abstract counterexample is a real one.
#[derive(Clone, Debug)]
pub enum Feasibility {
    /// It is: a model of the path's formulas.
    Feasible(Valuation),
    /// It is not.
    Infeasible(Refutation),
}

/// Decides abstract counterexamples.
pub trait TraceChecker {
    /// Whether a concrete path follows the trace, and if not, why.
    fn check(&mut self, trace: &Trace<'_>) -> Result<Feasibility>;
}
