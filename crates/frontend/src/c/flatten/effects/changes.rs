//! What a statement may change.

use super::Effects;
use super::access::Base;
use super::actions::{Action, Actions};
use crate::c::ir::{Stmt, VarRef};

impl Effects<'_> {
    /// Whether a statement of a function may change one of its variables.
    pub(in crate::c) fn changes(&self, function: u32, stmt: &Stmt, vars: &[VarRef]) -> bool {
        let collect = |stmts: &[Stmt]| {
            let mut actions = Actions::new(self.program, &self.conventions);
            actions.is_whole = true;
            actions.statements(stmts);
            actions
        };
        let is_written = |action: &Action| match action {
            Action::Write { access, .. } => match access.base {
                Base::Variable(var) => vars.contains(&var),
                Base::Memory => false,
            },
            _ => false,
        };
        let body = self.program.functions[function as usize].body.as_deref().unwrap_or_default();
        collect(std::slice::from_ref(stmt)).all.iter().any(is_written)
            || collect(body).addressed.iter().any(|var| vars.contains(var))
    }
}
