//! Runs a C program without choices: its automaton, statement by statement.

use std::fmt;

use lapidary_expr::{Sort, Valuation, Value};
use lapidary_frontend::SourceFile;
use lapidary_frontend::c::{self, Options};
use lapidary_model::Stmt;

/// Why a program does not run to its end.
pub(crate) enum Failure {
    /// It is not read.
    Refused(String),
    /// It reaches the error in this line, or something unsupported.
    Error(u32),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Refused(message) => f.write_str(message),
            Failure::Error(line) => write!(f, "the error is reached in line {line}"),
        }
    }
}

/// Runs a program to its end.
pub(crate) fn run(text: &str, options: &Options) -> Result<(), Failure> {
    let source = SourceFile::new("t.c", text.to_string());
    let task = c::parse(&source, options).map_err(|error| Failure::Refused(error.to_string()))?;
    let cfa = task.cfa();
    let mut state = Valuation::new();
    for var in cfa.vars() {
        // Nothing depends on it: the program initialises what it reads.
        if !matches!(var.sort(), Sort::Array(_)) {
            state.set(*var, Value::default_of(var.sort()));
        }
    }
    let mut loc = cfa.entry();
    loop {
        let mut possible = cfa.outgoing(loc).iter().filter_map(|edge| {
            let edge = cfa.edge(*edge);
            let mut state = state.clone();
            execute(&edge.stmt, &mut state).then_some((edge, state))
        });
        let Some((edge, next)) = possible.next() else { return Ok(()) };
        if Some(edge.target) == cfa.error() {
            return Err(Failure::Error(edge.position.map_or(0, |position| position.line)));
        }
        (loc, state) = (edge.target, next);
    }
}

/// Whether the statement can be executed; then the state is the one after it.
fn execute(stmt: &Stmt, state: &mut Valuation) -> bool {
    match stmt {
        Stmt::Assume(condition) => condition.holds(state) == Some(true),
        Stmt::Assign(assignments) => {
            let values: Vec<_> = assignments.iter().map(|(_, term)| term.eval(state)).collect();
            for ((var, term), value) in assignments.iter().zip(values) {
                state.set(*var, value.unwrap_or_else(|| panic!("no value of {term}")));
            }
            true
        }
        Stmt::Havoc(_) => true,
        Stmt::Seq(parts) => parts.iter().all(|part| execute(part, state)),
        Stmt::Choice(_) | Stmt::Relation { .. } => panic!("a choice in a program without any"),
    }
}
