//! Proofs: evidence that the error location cannot be reached.

mod contract;

use lapidary_expr::Term;

use crate::cfa::Loc;

pub use contract::{Contract, ProgramProof};

/// A state of a [`Proof`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

/// Abstract states at some locations, the *cut points*. Where the error location cannot be reached in the
/// graph, nothing needs to be said; elsewhere they prove the automaton safe if
///
/// 1. every valuation satisfies a state at the entry;
/// 2. whatever satisfies a state and runs along edges to the next cut point satisfies a state there;
/// 3. cut points break every cycle, and none of them is the error location: runs from a state end in a
///    contradiction before they get there. Edges out of the error location do not count.
///
/// With `induction` = k > 0, a proof about a [system](crate::Cfa::is_system) may demand less of runs from a state: they
/// must not get to the error after k steps at each of which they could not have got there, and the first k states
/// of every run must not lead there at all (k-induction).
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// The states, by id.
    pub states: Vec<ProofState>,
    /// How many steps without an error go before the one that must be without.
    pub induction: usize,
    /// Instead of states: a proof about the program whose calls the automaton has inlined.
    pub program: Option<ProgramProof>,
}

/// An abstract state: what holds at a location, and what can follow.
#[derive(Clone, Debug, PartialEq)]
pub struct ProofState {
    /// The location.
    pub loc: Loc,
    /// The formula over the variables.
    pub formula: Term,
    /// Hints: the states that cover what can follow. Checking tries them first, so that an obligation stays
    /// small where a location has many states; it depends on nothing here.
    pub successors: Vec<StateId>,
}

impl Proof {
    /// A proof by these states alone.
    pub fn of(states: Vec<ProofState>) -> Proof {
        Proof { states, ..Proof::default() }
    }

    /// A proof about a program with its calls.
    pub fn of_program(proof: ProgramProof) -> Proof {
        Proof { program: Some(proof), ..Proof::default() }
    }

    /// A state by its id, if there is one.
    pub fn state(&self, id: StateId) -> Option<&ProofState> {
        self.states.get(id.0 as usize)
    }

    /// What the proof says about a location, for people: the disjunction of its states, `false` where it has
    /// none. Meaningful at cut points.
    pub fn invariant(&self, loc: Loc) -> Term {
        Term::or(self.states.iter().filter(|state| state.loc == loc).map(|state| state.formula))
    }
}
