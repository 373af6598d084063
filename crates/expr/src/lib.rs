//! Terms of many-sorted first-order logic, as the engine sees them.
//!
//! A [`Term`] is a `Copy` handle into an append-only interner: equal terms are the same node, so
//! equality is a pointer comparison, and a node can be read from any thread without a lock. Nodes are
//! uniform (an operator and its arguments) and every operator is one line of the table in [`op`]: its
//! name, arity, sort rule and evaluation. Terms are quantifier-free and every operator is total.
//!
//! Constructors simplify locally, so a term that has been built is already in the
//! crate's normal form. [`eval`](Term::eval) is the reference semantics that simplifier and solvers are
//! tested against.

pub mod bits;
mod construct;
mod eval;
pub mod float;
pub mod fuzzing;
mod intern;
pub mod interval;
mod logic;
pub mod op;
mod shape;
mod sort;
mod subst;
pub mod term;
pub mod text;
mod valuation;
mod value;
mod var;
mod versions;
mod walk;
mod word;

pub use dashu_int::ops::BitTest;
pub use dashu_int::{IBig, UBig};
pub use dashu_ratio::RBig;
pub use eval::{Assignment, Beyond};
pub use op::{IllSorted, Op};
pub use shape::Shapes;
pub use sort::{ArraySort, Sort};
pub use term::Term;
pub use valuation::Valuation;
pub use value::{ArrayValue, Bv, FuncValue, Value};
pub use var::{Func, Var, VarSet};
pub use versions::Versions;
pub use word::WordOp;
