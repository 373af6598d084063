//! Conditions: one assumption where they have no side effects, control flow where they have.

use super::{Flattener, Role};
use crate::c::flat::{Node, Op, Place, Value, ValueKind};
use crate::c::ir::purity::{is_pure, is_pure_place};
use crate::c::ir::{Expr, Kind, Unary};
use crate::c::types::IntType;

impl Flattener<'_> {
    pub(super) fn int_type(&self) -> crate::c::types::TypeId {
        self.program.types.find_int(IntType::INT).unwrap_or(crate::c::types::TypeId(0))
    }

    pub(super) fn is_pure(&self, expr: &Expr) -> bool {
        is_pure(expr, &self.program.types)
    }

    /// Whether finding a place has no side effects, whatever is there.
    pub(super) fn is_pure_place(&self, expr: &Expr) -> bool {
        is_pure_place(expr, &self.program.types)
    }

    /// Goes to `yes` where the condition holds, and to `no` where not.
    pub(super) fn branch(&mut self, condition: &Expr, yes: Node, no: Node) {
        let start = condition.start;
        if self.here.is_none() {
            return;
        }
        match &condition.kind {
            Kind::Int(value) => self.goto(if *value != 0 { yes } else { no }, start),
            Kind::Unary(Unary::Zero, inner) => self.branch(inner, no, yes),
            Kind::And(left, right) if !self.is_pure(right) => {
                let middle = self.node();
                self.branch(left, middle, no);
                self.here = Some(middle);
                self.branch(right, yes, no);
            }
            Kind::Or(left, right) if !self.is_pure(right) => {
                let middle = self.node();
                self.branch(left, yes, middle);
                self.here = Some(middle);
                self.branch(right, yes, no);
            }
            _ => {
                let value = self.value(condition);
                if self.is_unmodelled(condition.ty) {
                    let choice = self.approximated(self.int_type(), start);
                    return self.split(&choice, yes, no, start);
                }
                self.split(&value, yes, no, start);
            }
        }
        self.here = None;
    }

    fn split(&mut self, value: &Value, yes: Node, no: Node, start: usize) {
        if let Some(value) = value.as_int() {
            return self.goto(if value != 0 { yes } else { no }, start);
        }
        if let Some(here) = self.flush(start) {
            self.add_edge(here, vec![Op::Assume(value.clone(), true)], yes, start);
            self.add_edge(here, vec![Op::Assume(value.clone(), false)], no, start);
        }
        self.here = None;
    }

    /// A value that is computed by control flow: what both branches assign to one variable.
    pub(super) fn by_branches(
        &mut self,
        condition: &Expr,
        ty: crate::c::types::TypeId,
        start: usize,
        then: impl FnOnce(&mut Self, Place),
        otherwise: impl FnOnce(&mut Self, Place),
    ) -> Value {
        let (yes, no, end) = (self.node(), self.node(), self.node());
        let outcome = self.role(Role::Outcome, ty, start);
        self.branch(condition, yes, no);
        self.here = Some(yes);
        then(self, outcome.clone());
        self.goto(end, start);
        self.here = Some(no);
        otherwise(self, outcome.clone());
        self.goto(end, start);
        self.here = Some(end);
        Value::load(outcome, start)
    }

    /// `a && b` and `a || b` where `b` has side effects.
    pub(super) fn short_circuit(&mut self, expr: &Expr) -> Value {
        let (int, start) = (self.int_type(), expr.start);
        let number = move |value| Value::int(value, int, start);
        self.by_branches(
            expr,
            int,
            start,
            |this, place| this.assign(place, number(1)),
            |this, place| this.assign(place, number(0)),
        )
    }

    /// Some value, because the true one is not modelled.
    pub(super) fn approximated(&mut self, ty: crate::c::types::TypeId, start: usize) -> Value {
        let place = self.role(Role::Choice, ty, start);
        self.ops.push(Op::Havoc { place: place.clone(), is_external: true });
        self.ops.push(Op::Approximate("`long double` is not modelled".into()));
        Value::load(place, start)
    }

    /// One or zero, because what is compared is not modelled.
    pub(super) fn approximated_truth(&mut self, start: usize) -> Value {
        let any = self.approximated(self.int_type(), start);
        self.truth(any)
    }

    pub(super) fn truth(&self, value: Value) -> Value {
        let (int, start) = (self.int_type(), value.start);
        Value::new(ValueKind::Truth(Box::new(value)), int, start)
    }
}
