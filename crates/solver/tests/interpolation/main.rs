//! Interpolation: small cases with the interpolants one wants to see, the error traces of 21 loops, and random
//! contradictions.
//! Whatever an engine returns is checked here again, by a solver of our own.

#[path = "../common/mod.rs"]
mod common;
mod generate;
mod loops;
mod random;
mod small;
mod support;

use support::{mistake, z3};
