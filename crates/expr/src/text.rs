//! The text form of terms: SMT-LIB 2 terms.
//!
//! [`Display`](std::fmt::Display) writes a term, with `let` where a part is used more than once, and
//! [`parse`] reads it back, along with the sugar that solvers print. Values are terms; [`value`] reads them without making
//! terms of them, however many there are.

mod lexer;
mod parse;
mod print;
mod symbol;
mod value;

pub use lexer::{SExpr, SyntaxError, read_all};
pub use parse::{Scope, parse, sort_of, term_of};
pub use symbol::is_simple_symbol;
pub use value::{value, value_of};
