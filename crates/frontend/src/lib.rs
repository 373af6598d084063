//! Input languages: from source text to a verification task, with errors that point into the text.
//!
//! Every language is read into the one formalism of the engine, the control flow automaton
//! ([`lapidary_model::Cfa`]). [`load`] chooses the language by the extension of the file's name; it is given
//! the text and reads no files.
//!
//! | extension | language | module |
//! |---|---|---|
//! | `.c`, `.i` | C | [`c`] |
//! | `.cfa`, `.theta` | Theta's CFA language | [`cfa`] |

pub mod c;
pub mod cfa;
pub mod fuzzing;
pub mod source;
mod task;

pub use source::{ParseError, SourceFile};
pub use task::{Task, load, load_with};
