//! Statements become edges.

use std::collections::BTreeSet;

use super::{Flattener, Role};
use crate::c::flat::{Node, Op, Value, ValueKind};
use crate::c::ir::{Binary, Expr, Stmt, StmtKind, VarRef};
use crate::c::types::{IntType, Type, TypeId};

/// A `switch` whose labels are being collected.
pub(super) struct Switch {
    ty: TypeId,
    cases: Vec<(i128, i128, Node)>,
    default: Option<Node>,
    /// How many variables are in scope outside.
    n_declared: usize,
    /// The variables whose declarations are jumped over.
    skipped: BTreeSet<u32>,
}

impl Flattener<'_> {
    pub(super) fn statements(&mut self, stmts: &[Stmt]) {
        let start = stmts.first().map_or(0, |first| first.start);
        self.in_scope(start, |flattener| stmts.iter().for_each(|stmt| flattener.statement(stmt)));
    }

    pub(super) fn statement(&mut self, stmt: &Stmt) {
        let outer = std::mem::replace(&mut self.statement, stmt.start);
        let n_kept = std::mem::take(&mut self.n_kept);
        match stmt.kind {
            StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::For(..) => {
                self.in_loop(stmt, |this| this.inner_statement(stmt));
            }
            _ => self.inner_statement(stmt),
        }
        self.n_kept = n_kept;
        self.statement = outer;
    }

    fn inner_statement(&mut self, stmt: &Stmt) {
        let start = stmt.start;
        match &stmt.kind {
            StmtKind::Expr(value) => {
                self.effect(value);
                self.flush(start);
            }
            StmtKind::Declare(local, init) => {
                let place = self.local(*local);
                self.declared(*local);
                self.declare(VarRef::Local(*local), place, init.as_deref(), start);
                self.flush(start);
            }
            StmtKind::Block(stmts) => self.statements(stmts),
            StmtKind::If(condition, then, otherwise) => {
                let (yes, no, end) = (self.node(), self.node(), self.node());
                self.branch(condition, yes, no);
                self.here = Some(yes);
                self.statement(then);
                self.goto(end, start);
                self.here = Some(no);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise);
                }
                self.goto(end, start);
                self.here = Some(end);
            }
            StmtKind::While(condition, body) => {
                let (head, inside, end) = (self.node(), self.node(), self.node());
                self.goto(head, start);
                self.here = Some(head);
                self.loop_at(head, start);
                self.branch(condition, inside, end);
                self.here = Some(inside);
                self.body_of_loop(body, end, head);
                self.goto(head, start);
                self.here = Some(end);
            }
            StmtKind::DoWhile(body, condition) => {
                let (head, test, end) = (self.node(), self.node(), self.node());
                self.goto(head, start);
                self.here = Some(head);
                self.loop_at(head, start);
                self.body_of_loop(body, end, test);
                self.goto(test, start);
                self.here = Some(test);
                self.branch(condition, head, end);
                self.here = Some(end);
            }
            StmtKind::For(init, condition, step, body) => self.in_scope(start, |flattener| {
                flattener.in_same_scope(init);
                flattener.for_loop(condition.as_ref(), step.as_ref(), body, start);
            }),
            StmtKind::Switch(value, body) => self.switch(value, body, start),
            StmtKind::Case(first, last) => self.case(*first, *last, start),
            StmtKind::Default => {
                let node = self.node();
                self.goto(node, start);
                self.here = Some(node);
                if let Some(switch) = self.innermost_switch() {
                    switch.default = Some(node);
                }
            }
            StmtKind::Break => {
                match self.frames.last().and_then(|frame| frame.breaks.last().copied()) {
                    Some(target) => self.goto(target, start),
                    None => self.unsupported("`break` outside of a loop", start),
                }
            }
            StmtKind::Continue => {
                match self.frames.last().and_then(|frame| frame.continues.last().copied()) {
                    Some(target) => self.goto(target, start),
                    None => self.unsupported("`continue` outside of a loop", start),
                }
            }
            StmtKind::Return(value) => self.return_(value.as_ref(), start),
            StmtKind::Goto(label) => {
                if self.frames.last().is_some_and(|frame| frame.passed.contains_key(label)) {
                    self.jump_round(start);
                }
                let (target, edge) = (self.label(label), self.flat.edges.len());
                self.goto(target, start);
                self.jumps(edge, label);
                self.jumps_back(label);
            }
            StmtKind::Label(label) => {
                let node = self.label(label);
                self.goto(node, start);
                self.labelled(label);
                self.passes(label);
                self.here = Some(node);
                if self.conventions.is_error_label(label) {
                    self.error(start);
                }
            }
            StmtKind::Unsupported(what) => self.unsupported(what.clone(), start),
        }
    }

    fn for_loop(
        &mut self,
        condition: Option<&Expr>,
        step: Option<&Expr>,
        body: &Stmt,
        start: usize,
    ) {
        let (head, inside, next, end) = (self.node(), self.node(), self.node(), self.node());
        self.goto(head, start);
        self.here = Some(head);
        self.loop_at(head, start);
        match condition {
            Some(condition) => self.branch(condition, inside, end),
            None => self.goto(inside, start),
        }
        self.here = Some(inside);
        self.body_of_loop(body, end, next);
        self.goto(next, start);
        self.here = Some(next);
        if let Some(step) = step {
            self.effect(step);
        }
        self.goto(head, step.map_or(start, |step| step.start));
        self.here = Some(end);
    }

    fn body_of_loop(&mut self, body: &Stmt, breaks: Node, continues: Node) {
        if let Some(frame) = self.frames.last_mut() {
            frame.breaks.push(breaks);
            frame.continues.push(continues);
        }
        self.statement(body);
        if let Some(frame) = self.frames.last_mut() {
            frame.breaks.pop();
            frame.continues.pop();
        }
    }

    fn label(&mut self, label: &str) -> Node {
        let known = self.frames.last().and_then(|frame| frame.labels.get(label).copied());
        known.unwrap_or_else(|| {
            let node = self.node();
            if let Some(frame) = self.frames.last_mut() {
                frame.labels.insert(label.into(), node);
            }
            node
        })
    }

    /// All tests are made before the body starts, from one node.
    fn switch(&mut self, value: &Expr, body: &Stmt, start: usize) {
        let ty = value.ty;
        let value = self.value(value);
        self.discard(std::slice::from_ref(&value));
        let dispatch = self.flush(start);
        let end = self.node();
        let n_declared = self.n_declared();
        if let Some(frame) = self.frames.last_mut() {
            frame.breaks.push(end);
            let (cases, skipped) = (Vec::new(), BTreeSet::new());
            frame.switches.push(Switch { ty, cases, default: None, n_declared, skipped });
        }
        self.here = None;
        self.statement(body);
        self.goto(end, start);
        let Some(frame) = self.frames.last_mut() else { return };
        frame.breaks.pop();
        let Some(switch) = frame.switches.pop() else { return };
        let Some(mut dispatch) = dispatch else {
            self.here = Some(end);
            return;
        };
        if !switch.skipped.is_empty() {
            let births = switch.skipped.iter().map(|local| self.birth(*local)).collect();
            let node = self.node();
            self.add_edge(dispatch, births, node, start);
            dispatch = node;
        }
        let mut others = Vec::new();
        for (first, last, target) in switch.cases {
            let test = self.in_range(&value, first, last, ty);
            self.add_edge(dispatch, vec![Op::Assume(test.clone(), true)], target, start);
            others.push(Op::Assume(test, false));
        }
        self.add_edge(dispatch, others, switch.default.unwrap_or(end), start);
        self.here = Some(end);
    }

    fn in_range(&self, value: &Value, first: i128, last: i128, ty: TypeId) -> Value {
        let start = value.start;
        let compare = |op, left: Value, right: Value| {
            Value::new(
                ValueKind::Binary(op, Box::new(left), Box::new(right)),
                self.int_type(),
                start,
            )
        };
        let int = |number| Value::int(number, ty, start);
        if first == last {
            return compare(Binary::Eq, value.clone(), int(first));
        }
        let low = compare(Binary::Le, int(first), value.clone());
        let high = compare(Binary::Le, value.clone(), int(last));
        Value::new(ValueKind::And(Box::new(low), Box::new(high)), self.int_type(), start)
    }

    fn case(&mut self, first: i128, last: i128, start: usize) {
        let node = self.node();
        self.goto(node, start);
        self.here = Some(node);
        let types = &self.program.types;
        if let Some(switch) = self.innermost_switch() {
            let int = types.as_int(switch.ty).unwrap_or(IntType::INT);
            switch.cases.push((int.wrap(first), int.wrap(last), node));
        }
    }

    /// The `switch` that a label is of, which jumps over the declarations before it.
    fn innermost_switch(&mut self) -> Option<&mut Switch> {
        let outer = self.frames.last()?.switches.last()?.n_declared;
        let skipped = self.declared_since(outer);
        let switch = self.frames.last_mut()?.switches.last_mut()?;
        switch.skipped.extend(skipped);
        Some(switch)
    }

    fn return_(&mut self, value: Option<&Expr>, start: usize) {
        let Some(frame) = self.frames.last() else { return };
        let exit = frame.exit;
        if let Some(value) = value {
            let is_void = matches!(self.program.types.get(value.ty), Type::Void);
            match is_void || self.frames.len() == 1 {
                true => self.effect(value),
                false => {
                    let ty = value.ty;
                    let result = self.role(Role::Result, ty, 0);
                    self.assign_value(result, value);
                }
            }
        }
        self.goto(exit, start);
    }
}
