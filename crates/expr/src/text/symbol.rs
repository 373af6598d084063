//! Names as symbols of SMT-LIB.

use std::fmt;

use crate::op::is_operator_name;
use crate::var::{Func, Var};

/// `x` or `x@3`, in bars where SMT-LIB would not read the name as one symbol.
impl fmt::Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bars = if is_simple_symbol(self.name()) { "" } else { "|" };
        match self.version() {
            0 => write!(f, "{bars}{}{bars}", self.name()),
            version => write!(f, "{bars}{}@{version}{bars}", self.name()),
        }
    }
}

impl fmt::Display for Func {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bars = if is_simple_symbol(self.name()) { "" } else { "|" };
        write!(f, "{bars}{}{bars}", self.name())
    }
}

/// Whether SMT-LIB reads `name` as one symbol and it is not a reserved word.
pub fn is_simple_symbol(name: &str) -> bool {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!$%^&*_-+=<>.?/".contains(c);
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && name.chars().all(simple)
        && !matches!(
            name,
            "_" | "!" | "as" | "let" | "true" | "false" | "exists" | "forall" | "match" | "par"
        )
        && !is_operator_name(name)
}
