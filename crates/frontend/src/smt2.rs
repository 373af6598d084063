//! SMT-LIB 2 scripts as partitioned formulas: the assertions, in order, are the parts.
//!
//! A script declares constants and functions, defines macros and asserts formulas; `check-sat` ends it. Names
//! may be given to assertions, and `(get-interpolants A (and B C) D)` then says which of them are which part. What
//! does not matter for that (`set-logic`, `set-option`, `set-info`, `echo`, `get-model`) is skipped; what would
//! change the meaning (`push`, sorts of one's own, quantifiers) is refused.
//!
//! Names that end in `_3`, `@3` or `!3` are the variable of the name before at version 3, so that engines
//! recognise the same fact about another round of a loop. Terms in the script's own names are
//! [`named`](Partition::named).

mod place;
mod script;

use std::collections::BTreeMap;

use lapidary_expr::{Func, Term, Var};

use crate::source::{ParseError, SourceFile};

/// Formulas in order, and the names that their variables have in the script.
#[derive(Clone, Debug)]
pub struct Partition {
    /// The parts.
    pub parts: Vec<Term>,
    /// The declared constants with their names, in the order of declaration.
    pub constants: Vec<(String, Var)>,
    /// The declared functions with arguments, in the order of declaration.
    pub functions: Vec<Func>,
}

impl Partition {
    /// The term in the names of the script.
    #[must_use]
    pub fn named(&self, term: Term) -> Term {
        let names: BTreeMap<Var, &str> =
            self.constants.iter().map(|(name, var)| (*var, name.as_str())).collect();
        term.map_vars(&|var| names.get(&var).map(|name| Var::new(name, var.sort()).into()))
    }
}

impl Partition {
    /// The term as SMT-LIB text in the names of the script, as they were written there.
    pub fn text(&self, term: Term) -> String {
        let mut text = self.named(term).to_string();
        // Ours have bars around `@`, which marks versions; within text in bars there are none.
        for (name, _) in self.constants.iter().filter(|(name, _)| is_simple_with_at(name)) {
            text = text.replace(&format!("|{name}|"), name);
        }
        text
    }
}

/// Whether SMT-LIB, unlike us, reads the name as one symbol without bars.
fn is_simple_with_at(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    name.contains('@')
        && name.chars().all(plain)
        && !name.starts_with(|c: char| c.is_ascii_digit() || c == '@' || c == '.')
}

/// Reads a script.
pub fn parse(source: &SourceFile) -> Result<Partition, ParseError> {
    script::partition(source)
}
