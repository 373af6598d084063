//! Memory that is lost or not freed.
//!
//! A block that is lost is never freed, so it is still live where the execution ends, and in all rounds of a loop that never
//! ends. So the number of live blocks is counted, and looked at where executions end. A loop that may go round many times while
//! blocks are live leaves the model, unless it plainly ends.

use super::Flattener;
use crate::c::checks::Check;
use crate::c::flat::{Failure, Flat, ObjectId, Op, Place, Value, ValueKind, Violation};
use crate::c::flatten::conventions::Known;
use crate::c::ir::{Binary, Expr, Kind, Operation, Stmt, StmtKind, VarRef};

/// How many rounds of a loop are looked at.
const MOST_ROUNDS: i128 = 1000;

/// What is said where a block may be lost.
const MAY_BE_LOST: &str = "memory that may be lost or not freed";

impl Flattener<'_> {
    /// Counts live blocks, if it matters how many there are.
    pub(super) fn count_blocks(&mut self) {
        let checks = self.conventions.checks();
        let is_asked = [Check::Leak, Check::Cleanup].into_iter().any(|check| checks.ask(check));
        let allocates = self.program.functions.iter().any(|function| {
            function.is_used
                && self.conventions.known(&function.name, function.body.is_some())
                    == Some(Known::Allocate)
        });
        if is_asked && allocates {
            let count = self.object("allocated blocks".into(), self.long_type());
            self.flat.n_live = Some(count);
            self.ops.push(Op::Assign(self.count(count), Value::int(0, self.long_type(), 0)));
        }
    }

    fn count(&self, count: ObjectId) -> Place {
        Place::object(count, self.long_type())
    }

    /// Whether some blocks are live.
    fn any_live(&self, start: usize) -> Option<Value> {
        let count = Value::load(self.count(self.flat.n_live?), start);
        let none = Box::new(Value::int(0, self.long_type(), start));
        let kind = ValueKind::Binary(Binary::Ne, Box::new(count), none);
        Some(Value::new(kind, self.int_type(), start))
    }

    /// An execution ends here, other than by the end of `main`. What is live may still be pointed to.
    pub(super) fn check_end(&mut self, start: usize) {
        let Some(live) = self.any_live(start) else { return };
        let Some(here) = self.flush(start) else { return };
        self.ops.push(Op::Assume(live, true));
        match self.conventions.checks().ask(Check::Cleanup) {
            true => self.not_freed(Check::Cleanup, start),
            false => self.unsupported(MAY_BE_LOST, start),
        }
        self.here = Some(here);
        self.ops.clear();
    }

    /// An execution is not looked at any further.
    pub(super) fn check_stop(&mut self, start: usize) {
        let Some(live) = self.any_live(start) else { return };
        self.ops.push(Op::Assume(live, true));
        self.unsupported(MAY_BE_LOST, start);
    }

    fn not_freed(&mut self, check: Check, start: usize) {
        let violation = Violation { start, check, expression: String::new() };
        self.fail(Failure::Violation(violation), start);
    }

    /// The end of `main`: its variables end, and only static ones are left.
    pub(super) fn check_end_of_main(&mut self, start: usize) {
        let Some(live) = self.any_live(start) else { return };
        let Some(here) = self.flush(start) else { return };
        if self.conventions.checks().ask(Check::Leak) {
            self.ops.extend([Op::Assume(live.clone(), true), Op::NothingHeld]);
            self.not_freed(Check::Leak, start);
            self.here = Some(here);
        }
        self.check_end(start);
    }

    /// A loop is entered, which is a statement or begins at a label.
    pub(super) fn enter_rounds(&mut self, stmt: Option<&Stmt>, start: usize) {
        let is_counted = stmt.is_some_and(|stmt| self.is_counted(stmt));
        let rounds = match self.flat.n_live {
            Some(_) if !is_counted => {
                let object = self.object("rounds".into(), self.long_type());
                let place = Place::object(object, self.long_type());
                self.assign(place.clone(), Value::int(0, self.long_type(), start));
                Some(place)
            }
            _ => None,
        };
        self.rounds.push(rounds);
    }

    pub(super) fn leave_rounds(&mut self) {
        self.rounds.pop();
    }

    /// The next round of the innermost loop.
    pub(super) fn next_round(&mut self, start: usize) {
        let Some(rounds) = self.rounds.last().cloned().flatten() else { return };
        self.count_round(&rounds, start);
    }

    fn count_round(&mut self, rounds: &Place, start: usize) {
        let (Some(live), Some(here)) = (self.any_live(start), self.flush(start)) else { return };
        let long = self.long_type();
        let number = Value::load(rounds.clone(), start);
        let most = Box::new(Value::int(MOST_ROUNDS, long, start));
        let is_few = ValueKind::Binary(Binary::Lt, Box::new(number.clone()), most);
        let is_few = Value::new(is_few, self.int_type(), start);
        let one = Box::new(Value::int(1, long, start));
        let next = Value::new(ValueKind::Binary(Binary::Add, Box::new(number), one), long, start);
        let node = self.node();
        self.add_edge(here, vec![Op::Assume(live.clone(), false)], node, start);
        let counted = Op::Assign(rounds.clone(), next);
        let few = vec![Op::Assume(live.clone(), true), Op::Assume(is_few.clone(), true), counted];
        self.add_edge(here, few, node, start);
        self.ops.extend([Op::Assume(live, true), Op::Assume(is_few, false)]);
        self.unsupported(MAY_BE_LOST, start);
        self.here = Some(node);
    }

    /// A jump back, which is a round of a loop without a statement.
    pub(super) fn jump_round(&mut self, start: usize) {
        if self.flat.n_live.is_some() && self.here.is_some() {
            let object = self.object("rounds".into(), self.long_type());
            let place = Place::object(object, self.long_type());
            self.flat.counters.push(object);
            self.count_round(&place, start);
        }
    }

    /// Whether a loop counts by one to a bound, and neither is changed otherwise.
    fn is_counted(&self, stmt: &Stmt) -> bool {
        let StmtKind::For(_, Some(condition), Some(step), body) = &stmt.kind else { return false };
        let Kind::Update { place, op: Operation::Number(op), right, .. } = &step.kind else {
            return false;
        };
        let Kind::Var(var @ VarRef::Local(_)) = place.kind else { return false };
        let by = right.as_int();
        let is_up = match (op, by) {
            (Binary::Add, Some(1)) | (Binary::Sub, Some(-1)) => true,
            (Binary::Sub, Some(1)) | (Binary::Add, Some(-1)) => false,
            _ => return false,
        };
        let Some((low, high)) = less(condition) else { return false };
        let (counter, bound) = if is_up { (low, high) } else { (high, low) };
        let types = &self.program.types;
        let width = |expr: &Expr| types.as_int(expr.ty).map(|int| int.width);
        let counter = match &counter.kind {
            Kind::Convert(inner) if width(inner) == width(counter) => inner,
            _ => counter,
        };
        let bound = match &bound.kind {
            Kind::Convert(inner) => inner,
            _ => bound,
        };
        let is_counter = matches!(counter.kind, Kind::Var(found) if found == var);
        let bound = match bound.kind {
            Kind::Int(_) => None,
            Kind::Var(bound @ VarRef::Local(_)) => Some(bound),
            _ => return false,
        };
        let fixed: Vec<VarRef> = [var].into_iter().chain(bound).collect();
        is_counter
            && width(counter).is_some()
            && !self.effects.changes(self.function(), body, &fixed)
    }
}

/// The sides of `a < b`.
fn less(condition: &Expr) -> Option<(&Expr, &Expr)> {
    match &condition.kind {
        Kind::Binary(Binary::Lt, low, high) => Some((low, high)),
        Kind::Convert(inner) => less(inner),
        _ => None,
    }
}

impl Flat {
    /// The rounds of jumps back begin with none.
    pub(super) fn zero_counters(&self, long: crate::c::types::TypeId) -> Vec<Op> {
        let zero =
            |object: &ObjectId| Op::Assign(Place::object(*object, long), Value::int(0, long, 0));
        self.counters.iter().map(zero).collect()
    }
}
