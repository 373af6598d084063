//! Interpolation: small cases with the interpolants one wants to see, and the error traces of 21 loops.
//! Whatever an engine returns is checked here again, by a solver of our own.

mod loops;
mod small;
mod support;

use support::{mistake, z3};
