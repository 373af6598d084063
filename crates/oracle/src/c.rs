//! An oracle for the meaning of C: random programs with few inputs, and what compilers make of them.
//!
//! [`Program::new`] makes a program of a seed and a number. Compilers compute its results for all of its inputs;
//! claims about these are what a verifier is asked. Nothing here knows the verifier.

pub mod aggregate;
pub mod claim;
pub mod compilers;
pub mod construct;
mod declare;
mod expr;
mod function;
pub mod generator;
mod input;
pub mod layout;
mod open;
pub mod program;
mod result;
pub mod scope;
pub mod session;
pub mod shrink;
mod snippet;
mod stmt;
pub mod suite;
pub mod tree;
pub mod types;
pub mod verifier;

pub use claim::{Claim, Verdict, agree, claims};
pub use compilers::{Bits, Compilers, Computed};
pub use construct::{Construct, Table};
pub use input::{Input, Source};
pub use program::Program;
pub use session::{Origin, Session, is_wrong, told};
pub use shrink::shrink;
pub use verifier::{Answer, Verifier};
