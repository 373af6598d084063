//! Procedures that call themselves, perhaps by way of others.

use std::collections::BTreeSet;

use super::{Action, Procedure, ProcedureId, Program};

/// The calls between procedures that come from a cycle of calls and lead to one. Few procedures have any.
pub fn within_cycles(callees: &[BTreeSet<u32>]) -> Vec<BTreeSet<u32>> {
    let mut callees = callees.to_vec();
    loop {
        let is_called: BTreeSet<u32> = callees.iter().flatten().copied().collect();
        let calls: Vec<bool> = callees.iter().map(|called| !called.is_empty()).collect();
        let mut is_changed = false;
        for (procedure, called) in callees.iter_mut().enumerate() {
            let before = called.len();
            let is_reached = is_called.contains(&(procedure as u32));
            called.retain(|callee| is_reached && calls[*callee as usize]);
            is_changed |= called.len() < before;
        }
        if !is_changed {
            return callees;
        }
    }
}

/// The procedures that a procedure calls, and those that they call.
pub fn reached(procedure: u32, callees: &[BTreeSet<u32>]) -> BTreeSet<u32> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<u32> = callees[procedure as usize].iter().copied().collect();
    while let Some(callee) = open.pop() {
        if reached.insert(callee) {
            open.extend(&callees[callee as usize]);
        }
    }
    reached
}

impl Program {
    /// For each procedure the numbers of those that it calls.
    pub fn callees(&self) -> Vec<BTreeSet<u32>> {
        let called = |procedure: &Procedure| {
            let calls = procedure.edges.iter().filter_map(|id| match &self.edge(*id).action {
                Action::Call(call) => Some(call.callee.0),
                Action::Stmt(_) => None,
            });
            calls.collect()
        };
        self.procedures().iter().map(called).collect()
    }

    /// The procedures that call themselves, perhaps by way of others.
    pub fn recursive(&self) -> Vec<ProcedureId> {
        let callees = within_cycles(&self.callees());
        let numbers = 0..callees.len() as u32;
        let is_recursive = |number: &u32| reached(*number, &callees).contains(number);
        numbers.filter(is_recursive).map(ProcedureId).collect()
    }
}
