//! Statements with what is known in them.

use lapidary_expr::{Op, Term};

use super::state::State;
use super::transfer::Transfer;
use crate::stmt::Stmt;

/// Larger terms stay as they are.
const LARGEST: u32 = 200;

impl Transfer {
    /// The statement with the conditions of `ite` decided where `state` decides them, and what is known after
    /// it; none if it cannot be taken. Decisions of an execution follow the shape of a statement, which stays.
    pub(in crate::pass) fn rewrite(&self, stmt: &Stmt, state: State) -> Option<(Stmt, State)> {
        let new = match stmt {
            Stmt::Assume(term) => Stmt::Assume(self.decide(*term, &state)),
            Stmt::Assign(assignments) => {
                let new = |(var, term): &(_, Term)| (*var, self.decide(*term, &state));
                Stmt::Assign(assignments.iter().map(new).collect())
            }
            Stmt::Havoc(_) | Stmt::Relation { .. } => stmt.clone(),
            Stmt::Seq(parts) => {
                let (mut new, mut state) = (Vec::with_capacity(parts.len()), state);
                for part in parts {
                    let (part, after) = self.rewrite(part, state)?;
                    state = after;
                    new.push(part);
                }
                return Some((Stmt::Seq(new), state));
            }
            Stmt::Choice(parts) => {
                let branch = |part: &Stmt| match self.rewrite(part, state.clone()) {
                    Some((part, _)) => part,
                    None => Stmt::Assume(false.into()),
                };
                Stmt::Choice(parts.iter().map(branch).collect())
            }
        };
        Some((new, self.post(stmt, state)?))
    }

    /// The term with the branches of `ite` that are taken only.
    fn decide(&self, term: Term, state: &State) -> Term {
        if term.size() > LARGEST || term.args().is_empty() {
            return term;
        }
        if let (Op::Ite, [condition, then, otherwise]) = (term.op(), term.args())
            && let Some(truth) = self.eval(*condition, state).as_truth()
        {
            return self.decide(if truth { *then } else { *otherwise }, state);
        }
        let args: Vec<Term> = term.args().iter().map(|arg| self.decide(*arg, state)).collect();
        if args == term.args() {
            return term;
        }
        Term::app(term.op().clone(), args).unwrap_or(term)
    }
}
