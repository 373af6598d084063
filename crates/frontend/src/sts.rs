//! The language of symbolic transition systems (`.system`).
//!
//! ```text
//! specification Counter {
//!     const limit : int = 5
//!     system counter = {
//!         var x : int
//!         invariant x >= 0
//!         initial x = 0
//!         transition if x < limit then x' = x + 1 else x' = 0
//!     }
//!     property bounded : counter models G(x <= limit)
//! }
//! ```
//!
//! Types and expressions are those of the [CFA language](crate::cfa), with `boolean`, `integer` and `real` as other
//! names, and with primes. Systems and specifications may have parameters; a system may also stand in the
//! property that asks about it. A constant without a value is any value that never changes. Several conditions of
//! one kind hold together. A variable may have its initial value in its declaration; an `input var` has any value in
//! every state.
//!
//! Published files take liberties that are accepted: `:=` before a system, `global` and `local` before `var`, `equal` for `=`, `!=` for `/=`, `if` without
//! parentheses after an operator, the word `invariant` again within an
//! invariant, and closing parentheses too many or too few after a property. The older notation in S-expressions
//! (`(system (var x Int) (init …) (trans …) (prop …))`) is read as well.

mod lisp;
mod parser;
mod print;

use lapidary_model::Sts;

use crate::source::{ParseError, SourceFile};

pub use print::print;

/// Reads a specification: a system for each property, in their order.
pub fn parse(source: &SourceFile) -> Result<Vec<Sts>, ParseError> {
    let is_lisp = source.text().trim_start().starts_with('(');
    let systems = if is_lisp { lisp::systems(source) } else { parser::systems(source) };
    systems.map_err(|error| *error)
}
