//! Which functions that call themselves are one procedure, and not a copy for each depth.
//!
//! A procedure has its locals for each activation, but an address in the model is that of one variable. So the activations
//! of a function share a procedure only if no pointer can tell their locals apart: no function that is active between two
//! activations takes the address of a local variable. Memory is allocated once at each place of each procedure, so what allocates is
//! copied as well.

use std::collections::BTreeSet;

use lapidary_model::program::{reached, within_cycles};

use super::Effects;
use super::actions::{Action, Actions, Callee};
use crate::c::flatten::conventions::Known;
use crate::c::ir::VarRef;
use crate::c::types::Type;

impl Effects<'_> {
    /// For each function whether it calls itself, perhaps by way of others, and all its activations can be those of one
    /// procedure. `main` begins with what is done once.
    pub(in crate::c) fn shared(&self, main: u32) -> Vec<bool> {
        let n = self.program.functions.len();
        let mut callees: Vec<BTreeSet<u32>> = Vec::with_capacity(n);
        let mut is_fixed: Vec<bool> = Vec::with_capacity(n);
        let mut allocates = vec![false; n];
        for function in 0..n as u32 {
            let definition = &self.program.functions[function as usize];
            let mut actions = Actions::new(self.program, &self.conventions);
            let known = actions.known(function);
            allocates[function as usize] = known == Some(Known::Allocate);
            actions.is_whole = true;
            actions.statements(definition.body.as_deref().unwrap_or_default());
            let is_local = |var: &VarRef| matches!(var, VarRef::Local(_));
            let is_open = match self.program.types.get(definition.ty) {
                Type::Function(signature) => signature.open && !signature.params.is_empty(),
                _ => true,
            };
            let has_extent = definition.locals.iter().any(|local| local.extent.is_some());
            let is_addressed = actions.addressed.iter().any(is_local);
            is_fixed.push(function == main || is_open || has_extent || is_addressed);
            callees.push(self.called(&actions));
        }
        close(&mut allocates, &callees);
        let cycles = within_cycles(&callees);
        let is_shared = |function: u32| {
            let from = reached(function, &cycles);
            let is_between = |other: &&u32| reached(**other, &cycles).contains(&function);
            from.contains(&function)
                && !allocates[function as usize]
                && !from.iter().filter(is_between).any(|other| is_fixed[*other as usize])
        };
        (0..n as u32).map(is_shared).collect()
    }

    /// The functions that steps may call.
    fn called(&self, actions: &Actions<'_>) -> BTreeSet<u32> {
        let mut called = BTreeSet::new();
        for action in &actions.all {
            match action {
                Action::Call(Callee::Function(function)) => drop(called.insert(*function)),
                Action::Call(Callee::Pointer) => {
                    let functions = self.program.functions.iter().enumerate();
                    let by_pointer = functions.filter(|(_, definition)| definition.has_address);
                    called.extend(by_pointer.map(|(function, _)| function as u32));
                }
                Action::Load(_) | Action::Write { .. } => {}
            }
        }
        called
    }
}

/// Adds the callers of those that are marked.
fn close(is_marked: &mut [bool], callees: &[BTreeSet<u32>]) {
    let mut is_changed = true;
    while std::mem::replace(&mut is_changed, false) {
        for (function, called) in callees.iter().enumerate() {
            if !is_marked[function] && called.iter().any(|callee| is_marked[*callee as usize]) {
                is_marked[function] = true;
                is_changed = true;
            }
        }
    }
}
