//! Live variables (fifth paper, §3.2): what the rest of a trace reads, and, backward, what the trace so far
//! has said something about.

use lapidary_expr::VarSet;
use lapidary_model::{Stmt, live_before};

/// For each state of the trace the variables that are read before they are written.
pub(super) fn future(stmts: &[Stmt]) -> Vec<VarSet> {
    let mut live = vec![VarSet::new()];
    for stmt in stmts.iter().rev() {
        live.push(live_before(stmt, live[live.len() - 1].clone()));
    }
    live.reverse();
    live
}

/// For each state of the trace the variables that a statement before it has constrained.
pub(super) fn past(stmts: &[Stmt]) -> Vec<VarSet> {
    let mut live = vec![VarSet::new()];
    for stmt in stmts {
        live.push(after(stmt, live[live.len() - 1].clone()));
    }
    live
}

fn after(stmt: &Stmt, mut live: VarSet) -> VarSet {
    match stmt {
        Stmt::Seq(parts) => parts.iter().fold(live, |live, part| after(part, live)),
        Stmt::Choice(parts) => parts.iter().flat_map(|part| after(part, live.clone())).collect(),
        Stmt::Havoc(vars) => {
            vars.iter().for_each(|var| {
                live.remove(var);
            });
            live
        }
        _ => {
            live.extend(stmt.read());
            live.extend(stmt.written());
            live
        }
    }
}
