//! An oracle for the engine: random small programs, and an exhaustive checker that decides them.
//!
//! A [`Program`] is a control flow automaton over a few variables with few values, in a syntax of its own
//! with machine integers for values. [`explore`](explore::explore) enumerates its states with semantics
//! written here, so that nothing is shared with the engine: not the terms, not their evaluation, not the
//! statements. [`lower`](lower::lower) translates a program for the engine, and [`shrink`](shrink::shrink)
//! makes a program on which both disagree as small as it can.
//!
//! A [`Case`] is a single step with formulas about it, for the laws of abstract domains. [`evidence`] decides by
//! trying all values whether a proof or an execution is what it claims to be.

pub mod c;
pub mod case;
pub mod evidence;
pub mod explore;
pub mod generate;
pub mod lower;
pub mod program;
pub mod random;
pub mod shrink;

pub use case::Case;
pub use program::{Edge, Expr, Kind, Program, Stmt, Value};
pub use random::Random;
