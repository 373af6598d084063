//! Values, terms and statements for people: infix, with few parentheses. What machines read is SMT-LIB
//! (`Display` of these types).

pub(crate) mod c;
mod stmt;
mod term;
mod value;

pub(crate) use stmt::taken;
pub(crate) use term::term;
pub(crate) use value::{changes, floating, short as number, value};

use lapidary_expr::Var;

/// The name of a variable, with a prime if it is that of the next state.
pub(crate) fn var(var: Var) -> String {
    match var.version() {
        0 => var.name().into(),
        1 => format!("{}'", var.name()),
        version => format!("{}@{version}", var.name()),
    }
}
