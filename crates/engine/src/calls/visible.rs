//! Which variables matter to a procedure: what it may read of its callers, what it may change, and what is live inside.

use std::collections::BTreeMap;

use lapidary_expr::{Var, VarSet};
use lapidary_model::program::{Action, Call, Procedure, ProcedureId, Program};
use lapidary_model::{Loc, live_before};
use rustc_hash::FxHashSet;

/// What matters to one procedure.
#[derive(Clone, Debug, Default)]
pub(super) struct Visible {
    /// The variables, none of them local, that it or its callees may change.
    pub(super) writes: VarSet,
    /// The variables, none of them local, whose values at the entry may matter inside or to what it leaves behind.
    pub(super) inputs: VarSet,
    /// The parameters whose values may matter; all of them are locals.
    pub(super) params: Vec<Var>,
    /// What is live at the locations, among its locals and what it writes.
    pub(super) live: BTreeMap<Loc, VarSet>,
}

/// What matters to each procedure.
pub(super) fn visible(program: &Program) -> Vec<Visible> {
    let locals: FxHashSet<Var> =
        program.procedures().iter().flat_map(|of| &of.locals).copied().collect();
    let mut all = vec![Visible::default(); program.procedures().len()];
    let mut is_changed = true;
    while std::mem::replace(&mut is_changed, false) {
        for (i, procedure) in program.procedures().iter().enumerate() {
            let before = all[i].writes.len();
            let writes = writes(program, procedure, &all);
            all[i].writes.extend(writes.into_iter().filter(|var| !locals.contains(var)));
            is_changed |= all[i].writes.len() > before;
        }
    }
    is_changed = true;
    while std::mem::replace(&mut is_changed, false) {
        for (i, procedure) in program.procedures().iter().enumerate() {
            let live = live(program, procedure, &all, i);
            let at_entry = live.get(&procedure.entry).cloned().unwrap_or_default();
            let inputs: VarSet =
                at_entry.iter().filter(|var| !locals.contains(var)).copied().collect();
            is_changed |= inputs != all[i].inputs || live != all[i].live;
            let is_param = |var: &&Var| at_entry.contains(var) && procedure.locals.contains(var);
            all[i].params = procedure.params.iter().filter(is_param).copied().collect();
            (all[i].inputs, all[i].live) = (inputs, live);
        }
    }
    for visible in &mut all {
        // What is not written has one value all along, and no columns of its own inside.
        let writes = &visible.writes;
        let changes = |var: &Var| locals.contains(var) || writes.contains(var);
        visible.live.values_mut().for_each(|live| live.retain(|var| changes(var)));
    }
    all
}

/// The variables that a procedure changes itself, and those of which it is known of its callees.
fn writes(program: &Program, procedure: &Procedure, all: &[Visible]) -> VarSet {
    let mut written = VarSet::new();
    for id in procedure.edges() {
        match &program.edge(*id).action {
            Action::Stmt(stmt) => written.extend(stmt.written()),
            Action::Call(call) => {
                written.extend(call.before.written());
                written.extend(call.args.iter().map(|(param, _)| *param));
                written.extend(&all[call.callee.0 as usize].writes);
            }
        }
    }
    written
}

/// What is live at the locations of a procedure, if so much is known of its callees. At the exit, all that it may have changed is.
fn live(
    program: &Program,
    procedure: &Procedure,
    all: &[Visible],
    number: usize,
) -> BTreeMap<Loc, VarSet> {
    let mut live: BTreeMap<Loc, VarSet> = BTreeMap::new();
    live.insert(procedure.exit, all[number].writes.clone());
    let mut is_changed = true;
    while std::mem::replace(&mut is_changed, false) {
        for id in procedure.edges().iter().rev() {
            let edge = program.edge(*id);
            let after = live.get(&edge.target).cloned().unwrap_or_default();
            let before = match &edge.action {
                Action::Stmt(stmt) => live_before(stmt, after),
                Action::Call(call) => before_call(call, after, all),
            };
            let at = live.entry(edge.source).or_default();
            let n_before = at.len();
            at.extend(before);
            is_changed |= at.len() > n_before;
        }
    }
    live
}

/// What is live before a call: what the callee reads, and what is live behind it, since the callee may leave it as it was.
fn before_call(call: &Call, mut live: VarSet, all: &[Visible]) -> VarSet {
    let callee = &all[call.callee.0 as usize];
    live.extend(&callee.inputs);
    // A parameter that is no local is written here; others are those of another activation.
    for (param, _) in call.args.iter().filter(|(param, _)| callee.writes.contains(param)) {
        live.remove(param);
    }
    live.extend(call.args.iter().flat_map(|(_, value)| value.vars()));
    live_before(&call.before, live)
}

/// The procedures that calls lead to from the first one, which is among them.
pub(super) fn called(program: &Program) -> Vec<ProcedureId> {
    let mut called = vec![ProcedureId(0)];
    let mut next = 0;
    while let Some(id) = called.get(next).copied() {
        next += 1;
        for edge in program.procedure(id).edges() {
            if let Action::Call(call) = &program.edge(*edge).action
                && !called.contains(&call.callee)
            {
                called.push(call.callee);
            }
        }
    }
    called
}
