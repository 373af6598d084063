//! Input languages: from source text to a verification task, with errors that point into the text.
//!
//! Every language is read into the one formalism of the engine, the control flow automaton
//! ([`lapidary_model::Cfa`]). [`load`] chooses the language by the extension of the file's name; it is given
//! the text and reads no files.
//!
//! | extension | language | module |
//! |---|---|---|
//! | `.cfa`, `.theta` | Theta's CFA language | [`cfa`] |
//!
//! [`smt2`] reads formulas, for interpolation.

pub mod cfa;
pub mod fuzzing;
pub mod smt2;
pub mod source;
mod task;

pub use source::{ParseError, SourceFile};
pub use task::{Task, load};
