//! Automata as text of the CFA language.
//!
//! What [`parse`](super::parse) has read is printed so that it is read again as the same automaton. Automata
//! of other origin may have names or statements that the language does not know: names are replaced, and for
//! statements without a counterpart there is a [`PrintError`].

pub(crate) mod names;
pub(crate) mod term;

use std::fmt::Write;

use lapidary_expr::{Term, Var};
use lapidary_model::{Cfa, Edge, Loc, Stmt};

use self::names::Names;
use super::typing::TypeName;

/// What the CFA language cannot say.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrintError {
    /// A statement of a kind that the language does not have.
    #[error("the CFA language has no statement for `{0}`")]
    Statement(String),
    /// An operator that the language does not have.
    #[error("the CFA language has no operator for `{0}`")]
    Operator(String),
    /// A term that is small only because its parts are shared.
    #[error("a term is too large to be written without sharing its parts")]
    TooLarge,
    /// The entry is the error location; a location has one role only.
    #[error("the CFA language has no location that is both initial and erroneous")]
    EntryIsError,
}

/// Writes an automaton in the CFA language.
pub fn print(cfa: &Cfa) -> Result<String, PrintError> {
    if cfa.error() == Some(cfa.entry()) {
        return Err(PrintError::EntryIsError);
    }
    let names = Names::of(cfa);
    let mut text = format!("main process {} {{\n", names.process());
    for var in cfa.vars() {
        append(&mut text, format_args!("    var {} : {}\n", names.var(*var), TypeName(var.sort())));
    }
    for loc in entry_first(cfa) {
        let role = match loc {
            loc if loc == cfa.entry() => "init ",
            loc if Some(loc) == cfa.error() => "error ",
            _ => "",
        };
        append(&mut text, format_args!("    {role}loc {}\n", names.loc(loc)));
    }
    for (_, edge) in cfa.edges() {
        print_edge(edge, &names, &mut text)?;
    }
    text.push_str("}\n");
    Ok(text)
}

/// The parser puts the entry first; printing it first keeps the order of the others.
fn entry_first(cfa: &Cfa) -> impl Iterator<Item = Loc> {
    let entry = cfa.entry();
    std::iter::once(entry).chain(cfa.locs().filter(move |loc| *loc != entry))
}

pub(crate) fn append(text: &mut String, what: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(what);
}

fn print_edge(edge: &Edge, names: &Names, text: &mut String) -> Result<(), PrintError> {
    let mut lines = Vec::new();
    print_stmt(&edge.stmt, names, &mut lines)?;
    append(text, format_args!("    {} -> {}", names.loc(edge.source), names.loc(edge.target)));
    match &lines[..] {
        [] => {}
        [only] => append(text, format_args!(" {{ {only} }}")),
        _ => {
            text.push_str(" {\n");
            lines.iter().for_each(|line| append(text, format_args!("        {line}\n")));
            text.push_str("    }");
        }
    }
    text.push('\n');
    Ok(())
}

fn print_stmt(stmt: &Stmt, names: &Names, lines: &mut Vec<String>) -> Result<(), PrintError> {
    match stmt {
        Stmt::Assume(condition) => {
            lines.push(format!("assume {}", term::print(*condition, names)?));
        }
        Stmt::Assign(assignments) => {
            for (var, value) in one_by_one(stmt, assignments)? {
                lines.push(format!("{} := {}", names.var(var), term::print(value, names)?));
            }
        }
        Stmt::Havoc(vars) => {
            lines.extend(vars.iter().map(|var| format!("havoc {}", names.var(*var))));
        }
        Stmt::Seq(parts) => parts.iter().try_for_each(|part| print_stmt(part, names, lines))?,
        Stmt::Choice(_) | Stmt::Relation { .. } => {
            return Err(PrintError::Statement(stmt.to_string()));
        }
    }
    Ok(())
}

/// Assignments at once as assignments one after the other: a variable is written only when no later right
/// side reads it. Where variables are exchanged there is no such order.
fn one_by_one(stmt: &Stmt, assignments: &[(Var, Term)]) -> Result<Vec<(Var, Term)>, PrintError> {
    let mut pending = assignments.to_vec();
    let mut ordered = Vec::with_capacity(pending.len());
    while !pending.is_empty() {
        let is_free = |(i, (var, _)): (usize, &(Var, Term))| {
            let mut others = pending.iter().enumerate().filter(|(j, _)| *j != i);
            others.all(|(_, (_, value))| !value.mentions(*var))
        };
        let Some(free) = pending.iter().enumerate().position(is_free) else {
            return Err(PrintError::Statement(stmt.to_string()));
        };
        ordered.push(pending.remove(free));
    }
    Ok(ordered)
}
