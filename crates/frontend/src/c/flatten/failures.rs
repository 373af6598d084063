//! Where executions end with a violation, or where the model ends.

use super::Flattener;
use crate::c::checks::Check;
use crate::c::flat::{Failure, Flat, Violation};

impl Flattener<'_> {
    /// Goes to the error node, and is nowhere then.
    pub(super) fn fail(&mut self, failure: Failure, start: usize) {
        let before = self.flat.edges.len();
        self.goto(Flat::ERROR, start);
        if let Some(edge) = self.flat.edges.get_mut(before) {
            edge.failure = Some(failure);
        }
    }

    /// The property is violated.
    pub(super) fn error(&mut self, start: usize) {
        let violation = Violation { start, check: Check::Assertion, expression: String::new() };
        self.fail(Failure::Violation(violation), start);
    }

    /// A check fails where we are, or the model ends.
    pub(super) fn violated(&mut self, check: Check, what: &str, expression: &str, start: usize) {
        let expression = expression.to_string();
        match self.conventions.checks().ask(check) {
            true => {
                let violation = Violation { start, check, expression };
                self.fail(Failure::Violation(violation), start);
            }
            false => self.unsupported(what, start),
        }
    }

    pub(super) fn unsupported(&mut self, what: impl Into<String>, start: usize) {
        self.fail(Failure::Unsupported(what.into()), start);
    }
}
