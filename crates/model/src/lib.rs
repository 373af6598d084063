//! What is verified: statements, control flow automata, and the evidence for a verdict about them.
//!
//! A [`Model`] is a program, which is a control flow automaton ([`Cfa`]), or a transition system ([`Sts`]) with one
//! property ([`sts::System`]), which owns its automaton for engines that need one. A [`Pass`](pass::Pass) rewrites an automaton into a smaller one and translates evidence back, so
//! that a verdict is always about the automaton that was read. Evidence is either an [`Execution`] that
//! reaches the error location or a [`Proof`] that none does; both have a [text form](text).

mod cfa;
mod dot;
mod encode;
mod ends;
mod execution;
mod live;
mod model;
pub mod pass;
pub mod program;
mod proof;
mod stmt;
pub mod sts;
pub mod text;
mod variable_types;

pub use cfa::{Cfa, CfaBuilder, Edge, EdgeId, InvalidCfa, Loc, Position};
pub use dot::cfa_to_dot;
pub use encode::{Path, encode};
pub use ends::{ASSERTION, Ends, Outside, Property, PropertyId};
pub use execution::{Execution, ReplayError, Step};
pub use live::{Live, live_before};
pub use model::Model;
pub use program::{Inlined, Program};
pub use proof::{Contract, ProgramProof, Proof, ProofState, StateId};
pub use stmt::{Decision, Stmt};
pub use sts::Sts;
pub use variable_types::{VariableType, VariableTypes};
