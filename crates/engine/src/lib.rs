//! Engines: what decides whether the error location of an automaton can be reached.
//!
//! An [`Engine`] takes a [`Problem`] and a [`Budget`] and answers with a [`Claim`], which nobody needs to trust: the
//! [`Stage`]s of the [`strategy`] name an engine, its configuration and its budget, and a [`Verdict`] is a claim that
//! survived the way back through the passes and [the validator](lapidary_validate).
//!
//! | engine | takes | finds |
//! |---|---|---|
//! | [`Cegar`](cegar::Cegar) | programs | proofs, errors |
//! | [`BoundedSearch`](bounded::BoundedSearch) | programs | errors |
//! | [`KInduction`](bounded::KInduction) | programs; it proves systems | proofs, errors |
//! | [`HornClauses`](horn::HornClauses) | programs | proofs |
//! | [`Ic3`](ic3::Ic3) | systems | proofs, errors |
//! | [`ConcreteRuns`](concrete::ConcreteRuns) | programs | errors |
//!
//! These take automata, in which calls are inlined. [`calls`] takes programs with their calls and finds proofs.

mod attempt;
pub mod bounded;
pub mod calls;
pub mod cegar;
pub mod concrete;
mod divergence;
mod event_text;
pub mod horn;
pub mod ic3;
mod induction;
pub mod observer;
pub mod portfolio;
mod reduced;
mod stage;
pub mod strategy;
mod verdict;
mod verify;

use std::fmt::Debug;

use lapidary_cegar::{Config, Tracked};
use lapidary_model::{Cfa, Execution, Proof};
use lapidary_solver::Backend;
use lapidary_solver::limits::Watch;
pub use lapidary_solver::{Result, Stop};

pub use observer::{Event, Observer};
pub use reduced::Reduced;
pub use stage::Stage;
pub use verdict::{Unknown, Verdict};
pub use verify::{verify, verify_reduced};

/// A method to decide reachability.
pub trait Engine: Debug + Sync {
    /// Its name in reports, one word.
    fn name(&self) -> &'static str;

    /// Its name for people, with what matters most of its configuration.
    fn title(&self, config: &Config) -> String;

    /// Which automata it can decide.
    fn takes(&self) -> Input;

    /// What it can find.
    fn finds(&self) -> Evidence;

    /// Whether it executes the automaton that was read: it needs neither passes nor a configuration nor a solver.
    fn runs_the_input(&self) -> bool {
        false
    }

    /// Searches until it finds evidence, has nothing left to try, or reaches a limit of the budget.
    fn run(
        &self,
        problem: &Problem<'_>,
        budget: &Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Claim>;
}

/// Engines are the same if they have the same name.
impl PartialEq for dyn Engine {
    fn eq(&self, other: &dyn Engine) -> bool {
        self.name() == other.name()
    }
}

impl Eq for dyn Engine {}

/// The automata that an engine can decide. It answers for all others, too, that it cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Any automaton.
    Programs,
    /// Automata with one loop in one edge, whose variables are bits.
    Systems,
}

/// What an engine can find. Any engine may find that no path of the graph leads to the error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Proofs.
    Proofs,
    /// Executions.
    Errors,
    /// Both.
    Both,
}

/// The question to an engine: can the error location of `cfa` be reached?
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// The automaton to search.
    pub cfa: &'a Cfa,
    /// The automaton that the verdict is about, before all passes.
    pub original: &'a Cfa,
    /// How to search.
    pub config: &'a Config,
    /// A precision that another run has found.
    pub start: &'a [Tracked],
}

/// What an engine may use.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    /// The limits, and the work that is left.
    pub watch: &'a Watch,
    /// The solver, which counts its work there; none for engines that run the input.
    pub solver: Option<&'a dyn Backend>,
}

impl<'a> Budget<'a> {
    /// The solver.
    pub fn backend(&self) -> Result<&'a dyn Backend> {
        self.solver.ok_or_else(|| Stop::Solver("this engine was given no solver".into()))
    }
}

/// What an engine says, before anything of it has been validated.
#[derive(Clone, Debug)]
pub enum Claim {
    /// The error location cannot be reached.
    Proof(Proof),
    /// This execution reaches it.
    Execution(Execution),
    /// The engine cannot tell, and why.
    Nothing(Unknown),
}
