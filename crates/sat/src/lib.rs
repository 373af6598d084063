//! A SAT solver for many small incremental queries about one circuit.
//!
//! IC3 asks hundreds of thousands of queries with few conflicts each, so the fixed cost of a query decides. Therefore:
//!
//! - a query decides and propagates only in its *domain*: the cone of its literals, and what was declared to be in
//!   every domain ([`Cones`]; Su et al., *Deeply Optimizing the SAT Solver for the IC3 Algorithm*, CAV 2025, section 4);
//! - a query has at most one *temporary clause*. It contains the negation of one reserved literal that the query
//!   assumes, so every clause learned from it contains that negation, too, and is deleted after the query;
//! - clauses are in one array, and binary ones in the watch lists alone.
//!
//! Otherwise this is conflict-driven clause learning as in MiniSat (Eén & Sörensson, 2003): two watched literals with
//! blockers, first unique implication points with recursive minimisation, activities, saved phases, Luby restarts,
//! and unsatisfiable cores of assumptions.

mod analyze;
mod arena;
mod clean;
mod cones;
mod heap;
mod lit;
mod search;
mod solver;

pub use cones::Cones;
pub use lit::{Lit, Var};
pub use solver::{Meter, Solver, Stopped, Unlimited};
