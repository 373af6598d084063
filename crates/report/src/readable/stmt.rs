//! Statements as they were executed.

use lapidary_model::{Decision, Stmt};

use super::{term, var};

/// Statements with more nodes than these, as the steps of circuits have, are not written for people.
const LARGEST: u32 = 2000;

/// The statement as the decisions on the tape let it run: of a choice, the branch that was taken.
pub(crate) fn taken(stmt: &Stmt, tape: &[Decision]) -> String {
    let mut branches = tape.iter().filter_map(|decision| match decision {
        Decision::Branch(branch) => Some(*branch),
        Decision::Value(_) => None,
    });
    let mut size = 0u32;
    stmt.for_each_term(&mut |term| size = size.saturating_add(term.size()));
    if size > LARGEST {
        return "(too large to show)".into();
    }
    let mut parts = Vec::new();
    collect(stmt, &mut branches, &mut parts);
    match parts.is_empty() {
        true => "skip".into(),
        false => parts.join("; "),
    }
}

fn collect(stmt: &Stmt, branches: &mut dyn Iterator<Item = usize>, parts: &mut Vec<String>) {
    match stmt {
        Stmt::Assume(condition) => parts.push(format!("assume {}", term(*condition))),
        Stmt::Assign(assignments) => {
            let assign = |(left, right): &(_, _)| format!("{} := {}", var(*left), term(*right));
            parts.push(assignments.iter().map(assign).collect::<Vec<_>>().join(", "));
        }
        Stmt::Havoc(vars) => {
            parts.push(format!(
                "havoc {}",
                vars.iter().map(|name| var(*name)).collect::<Vec<_>>().join(", ")
            ));
        }
        Stmt::Relation { formula, .. } => parts.push(format!("assume {}", term(*formula))),
        Stmt::Seq(inner) => inner.iter().for_each(|part| collect(part, branches, parts)),
        Stmt::Choice(inner) => {
            if let Some(part) = branches.next().and_then(|branch| inner.get(branch)) {
                collect(part, branches, parts);
            }
        }
    }
}
