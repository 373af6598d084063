//! Exact linear arithmetic: rational numbers with a machine-word fast path, and the simplex method that
//! explains contradictions by Farkas multipliers.

mod rational;
mod simplex;

pub(crate) use rational::Rational;
pub(crate) use simplex::{Feasibility, Relation, Row, solve};
