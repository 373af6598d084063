//! Strongest postconditions, and backward the states from which a statement leads somewhere.
//!
//! A variable whose old value cannot be eliminated at once stays as a variable of another name, and is tried
//! again when the step has ended.

use lapidary_expr::{Term, Var, VarSet, Versions};
use lapidary_model::{Stmt, encode};
use lapidary_solver::Result;

use super::Level;
use super::quantify::Quantify;

impl Quantify {
    /// `SP(φ, stmt)` (definitions 3.7 and 3.8).
    pub(super) fn sp(&mut self, phi: Term, stmt: &Stmt, level: Level) -> Result<Term> {
        match stmt {
            _ if phi.is_false() => Ok(phi),
            Stmt::Assume(term) => Ok(Term::and([phi, *term])),
            Stmt::Havoc(vars) => self.exists(&vars.iter().copied().collect(), phi),
            Stmt::Seq(parts) if level == Level::Edge => {
                parts.iter().try_fold(phi, |phi, part| self.sp(phi, part, level))
            }
            Stmt::Choice(parts) if level == Level::Edge => {
                let posts: Result<Vec<Term>> =
                    parts.iter().map(|part| self.sp(phi, part, level)).collect();
                posts.map(Term::or)
            }
            _ => self.sp_of_formula(phi, stmt),
        }
    }

    /// As one formula: what is not the last version of a variable is old.
    fn sp_of_formula(&mut self, phi: Term, stmt: &Stmt) -> Result<Term> {
        let mut after = Versions::new();
        let body = Term::and([phi, encode(stmt, &mut after)]);
        let is_old = |var: &Var| after.current(*var) != *var;
        let old: VarSet = body.vars().iter().copied().filter(is_old).collect();
        let post = self.exists(&old, body)?;
        Ok(after.forget(post))
    }

    /// From where `stmt` can lead to `goal`: the negation of `WP(¬goal, stmt)`.
    pub(super) fn pre(&mut self, goal: Term, stmt: &Stmt, level: Level) -> Result<Term> {
        match stmt {
            _ if goal.is_false() => Ok(goal),
            Stmt::Assume(term) => Ok(Term::and([goal, *term])),
            Stmt::Havoc(vars) => self.exists(&vars.iter().copied().collect(), goal),
            // By substitution, so that there is nothing to eliminate.
            Stmt::Assign(assignments) => Ok(goal.map_vars(&|var| {
                assignments.iter().find(|(written, _)| *written == var).map(|(_, term)| *term)
            })),
            Stmt::Seq(parts) if level == Level::Edge => {
                parts.iter().rev().try_fold(goal, |goal, part| self.pre(goal, part, level))
            }
            Stmt::Choice(parts) if level == Level::Edge => {
                let pres: Result<Vec<Term>> =
                    parts.iter().map(|part| self.pre(goal, part, level)).collect();
                pres.map(Term::or)
            }
            _ => self.pre_of_formula(goal, stmt),
        }
    }

    /// As one formula: whatever is not the first version of a variable comes after the start.
    fn pre_of_formula(&mut self, goal: Term, stmt: &Stmt) -> Result<Term> {
        let mut after = Versions::new();
        let step = encode(stmt, &mut after);
        let body = Term::and([step, after.now(goal)]);
        let later: VarSet = body.vars().iter().copied().filter(|var| var.version() > 0).collect();
        self.exists(&later, body)
    }
}
