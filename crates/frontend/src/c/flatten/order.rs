//! Operands in every order that C allows, where the order makes a difference.

use super::expressions::nothing;
use super::{Flattener, Role};
use crate::c::flat::{Op, Place, Value, ValueKind};
use crate::c::flatten::effects::{Operand, Order};
use crate::c::ir::{Binary, Expr};
use crate::c::types::TypeId;

/// Why an expression is outside the model.
pub(super) const INTERLEAVED: &str =
    "an expression whose value depends on the order in which its parts are evaluated";

impl Flattener<'_> {
    /// The values of operands; what one is must not be changed by computing another, unless C allows that.
    pub(super) fn operands(&mut self, exprs: &[&Expr]) -> Vec<Value> {
        let operands: Vec<Operand<'_>> = exprs.iter().map(|expr| Operand::Value(expr)).collect();
        match self.order(&operands) {
            Order::Any => self.in_this_order(exprs, 0..exprs.len()),
            Order::Open(orders) => match &orders[..] {
                [only] => self.in_this_order(exprs, only.iter().copied()),
                _ => self.in_all_orders(exprs, &orders),
            },
            Order::Interleaved => {
                self.unsupported(INTERLEAVED, exprs[0].start);
                exprs.iter().map(|expr| nothing(expr.ty, expr.start)).collect()
            }
        }
    }

    /// Computes operands for their side effects only.
    pub(super) fn operand_effects(&mut self, exprs: &[Expr]) {
        let operands: Vec<Operand<'_>> = exprs.iter().map(Operand::Value).collect();
        match self.order(&operands) {
            Order::Any => exprs.iter().for_each(|expr| self.effect(expr)),
            _ => drop(self.operands(&exprs.iter().collect::<Vec<_>>())),
        }
    }

    /// The orders of operands that make a difference here.
    pub(super) fn order(&self, operands: &[Operand<'_>]) -> Order {
        let is_pure = |operand: &Operand<'_>| match operand {
            Operand::Value(expr) | Operand::Old(expr) => self.is_pure(expr),
            Operand::Place(expr) => self.is_pure_place(expr),
        };
        if operands.len() < 2 || operands.iter().all(is_pure) {
            return Order::Any;
        }
        self.effects.order(self.function(), operands)
    }

    /// An expression whose operands interfere is outside the model.
    pub(super) fn check_order(&mut self, operands: &[Operand<'_>], start: usize) {
        if self.order(operands) != Order::Any {
            self.unsupported(INTERLEAVED, start);
        }
    }

    fn in_this_order(
        &mut self,
        exprs: &[&Expr],
        order: impl DoubleEndedIterator<Item = usize> + Clone,
    ) -> Vec<Value> {
        let is_impure = |i: &usize| !self.is_pure(exprs[*i]);
        let last_impure = order.clone().rev().find(is_impure);
        let mut is_before = last_impure.is_some();
        let mut values: Vec<Value> =
            exprs.iter().map(|expr| nothing(expr.ty, expr.start)).collect();
        for i in order {
            is_before &= last_impure != Some(i);
            let value = self.value(exprs[i]);
            values[i] = if is_before { self.keep(value) } else { value };
        }
        values
    }

    /// Branches for these orders of the operands; each has the values of all operands.
    fn in_all_orders(&mut self, exprs: &[&Expr], orders: &[Vec<usize>]) -> Vec<Value> {
        let start = exprs[0].start;
        let mut room = Vec::with_capacity(exprs.len());
        for expr in exprs {
            let is_kept = !self.is_unmodelled(expr.ty);
            room.push(is_kept.then(|| self.room_for_kept(expr.ty, expr.start)));
        }
        let (branches, end) = (self.choose(orders.len(), start), self.node());
        for (branch, order) in branches.into_iter().zip(orders) {
            self.here = Some(branch);
            for i in order {
                let value = self.value(exprs[*i]);
                if let Some(place) = &room[*i] {
                    self.assign(place.clone(), value);
                }
            }
            self.goto(end, start);
        }
        self.here = Some(end);
        let values = exprs.iter().zip(room).map(|(expr, place)| match place {
            Some(place) => Value::load(place, expr.start),
            None => nothing(expr.ty, expr.start),
        });
        values.collect()
    }

    /// What one of two ways to do something yields, whichever the compiler takes.
    pub(super) fn either_way(
        &mut self,
        ty: TypeId,
        start: usize,
        ways: [&mut dyn FnMut(&mut Self) -> Value; 2],
    ) -> Place {
        let outcome = self.room_for_kept(ty, start);
        let (branches, end) = (self.choose(ways.len(), start), self.node());
        for (branch, way) in branches.into_iter().zip(ways) {
            self.here = Some(branch);
            let value = way(self);
            self.store(outcome.clone(), value);
            self.goto(end, start);
        }
        self.here = Some(end);
        outcome
    }

    /// A branch for each of so many choices.
    fn choose(&mut self, n: usize, start: usize) -> Vec<crate::c::flat::Node> {
        let int = self.int_type();
        let choice = self.role(Role::Order, int, start);
        self.ops.push(Op::Havoc { place: choice.clone(), is_external: true });
        let Some(here) = self.flush(start) else { return Vec::new() };
        let mut others = Vec::new();
        let mut branches = Vec::with_capacity(n);
        for i in 0..n {
            let number = Value::int(i as i128, int, start);
            let choice = Box::new(Value::load(choice.clone(), start));
            let is_this = ValueKind::Binary(Binary::Eq, choice, Box::new(number));
            let is_this = Value::new(is_this, int, start);
            let branch = self.node();
            let is_last = i + 1 == n;
            let taken = match is_last {
                true => others.clone(),
                false => vec![Op::Assume(is_this.clone(), true)],
            };
            self.add_edge(here, taken, branch, start);
            others.push(Op::Assume(is_this, false));
            branches.push(branch);
        }
        branches
    }
}
