//! Theta's CFA language: control flow automata as text.
//!
//! ```text
//! main process counter {
//!     var x : int
//!     init loc L0
//!     loc L1
//!     error loc ERR
//!     L0 -> L1 { x := 0 }
//!     L1 -> L1 { assume x < 5  x := x + 1 }
//!     L1 -> ERR { assume x > 5 }
//! }
//! ```
//!
//! The language is that of the `theta-cfa` tool (`CfaDsl.g4`), its meaning that of Theta's expressions, with
//! these differences:
//!
//! - More is accepted: variables named `u` and `s`, an index `a[N]` in capitals, chains of bit operations
//!   and shifts (they associate to the left), `not not x`, an `int` wherever a `rat` is expected, and a
//!   location that has the name of a variable.
//! - All processes are checked, the main process alone becomes the automaton. Its parameters are variables
//!   with any initial value.
//! - Every operator is total: `x / 0` is 0, and `x mod 0` and `x rem 0` are `x`. Theta leaves them to the
//!   solver.
//! - Floating point, functions, quantifiers and `return` are refused as not supported.
//!
//! `x rem y` is Theta's: the Euclidean remainder with the sign of the *divisor* (`5 rem -3 = -2`,
//! `-5 rem 3 = 1`). It is not C's remainder, which is [`Op::Rem`](lapidary_expr::Op::Rem).
//!
//! Reading goes in two steps, because names may be used before they are declared: `parser` reads the
//! declarations and skips the bodies of edges, `build` then reads the bodies with all names known. Terms
//! are built while the expressions are read; no syntax tree is kept.

mod apply;
pub(crate) mod build;
pub(crate) mod cursor;
pub(crate) mod lexer;
mod literal;
mod operator;
mod parser;
pub(crate) mod print;
pub(crate) mod typing;

pub use print::{PrintError, print};

use crate::source::{ParseError, SourceFile};
use crate::task::Task;

/// A result inside the parser; boxed, since a deep recursion carries it.
pub(crate) type Parsed<T> = Result<T, Box<ParseError>>;

/// Reads an automaton.
pub fn parse(source: &SourceFile) -> Result<Task, ParseError> {
    let cfa = parser::specification(source)
        .and_then(|(specification, cursor)| build::main_process(&specification, cursor))
        .map_err(|error| *error)?;
    Ok(Task { model: lapidary_model::Model::Automaton(cfa), source: source.clone(), map: None })
}
