//! Input languages: from source text to a verification task, with errors that point into the text.
//!
//! A language of programs is read into a control flow automaton ([`lapidary_model::Cfa`]), one of transition systems
//! into a system ([`lapidary_model::Sts`]); the [`Model`](lapidary_model::Model) of a [`Task`] is one or the other. [`read()`] recognizes the
//! language by what is in the text, or else by the extension of the file's name; it is given the bytes and reads
//! no files. An [`Input`] writes evidence in the formats of its language.
//!
//! | extension | language | module |
//! |---|---|---|
//! | `.c`, `.i` | C | [`c`] |
//! | `.cfa`, `.theta` | Theta's CFA language | [`cfa`] |
//! | `.system`, `.sts` | transition systems | [`sts`] |
//! | `.aag`, `.aig` | AIGER | [`aiger`] |
//! | `.btor`, `.btor2` | BTOR2 | [`btor2`] |
//!
//! [`smt2`] reads formulas, for interpolation.

pub mod aiger;
pub mod btor2;
pub mod c;
pub mod cfa;
pub mod fuzzing;
mod input;
mod load;
mod names;
pub mod smt2;
pub mod source;
pub mod sts;
mod task;

pub use input::{Certificate, Input, is_circuit, read, read_with};
pub use load::{load, load_with};
pub use source::{ParseError, SourceFile};
pub use task::Task;
