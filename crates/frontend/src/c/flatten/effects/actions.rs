//! The single steps of an evaluation that the order may matter for: loads, writes and calls.

use super::access::{Access, Base};
use super::hazards::{Hazards, overflows};
use crate::c::flatten::conventions::{Conventions, Known};
use crate::c::ir::{BUILTIN, Expr, Init, Kind, Operation, Program, Stmt, StmtKind, Unary, VarRef};
use crate::c::types::Type;

/// A step of an evaluation. The body of a function that is called is one step: nothing comes between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Load(Access),
    /// `is_pending` if nothing says that it comes before the value of the expression is used.
    Write {
        access: Access,
        is_pending: bool,
    },
    Call(Callee),
}

/// What is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Callee {
    Function(u32),
    /// Any function whose address is taken.
    Pointer,
}

/// Collects the steps of expressions and statements.
pub(super) struct Actions<'a> {
    program: &'a Program,
    conventions: &'a Conventions,
    pub(super) all: Vec<Action>,
    /// Those of all steps but the calls.
    pub(super) hazards: Hazards,
    /// The variables whose addresses are taken.
    pub(super) addressed: Vec<VarRef>,
    /// Whether there are statements in an expression, which have labels.
    pub(super) has_block: bool,
    /// Whether a label is reached that is the error.
    pub(super) has_error_label: bool,
    /// Whether what follows an error counts as well.
    pub(super) is_whole: bool,
}

impl<'a> Actions<'a> {
    pub(super) fn new(program: &'a Program, conventions: &'a Conventions) -> Actions<'a> {
        Actions {
            program,
            conventions,
            all: Vec::new(),
            hazards: Hazards::default(),
            addressed: Vec::new(),
            has_block: false,
            has_error_label: false,
            is_whole: false,
        }
    }

    pub(super) fn load(&mut self, place: &Expr) {
        // Arrays and functions are named, not read.
        let types = &self.program.types;
        let is_read = !matches!(types.get(place.ty), Type::Array(..) | Type::Function(_));
        if is_read {
            self.hazards.join(Hazards::of_access(place, types));
            self.all.extend(Access::to(place, types).map(Action::Load));
        }
    }

    fn write(&mut self, place: &Expr) {
        let types = &self.program.types;
        self.hazards.join(Hazards::of_access(place, types));
        let access = Access::to(place, types);
        self.all.extend(access.map(|access| Action::Write { access, is_pending: true }));
    }

    /// Steps that are over before what follows.
    fn settled(&mut self, collect: impl FnOnce(&mut Self)) {
        let before = self.all.len();
        collect(self);
        for action in &mut self.all[before..] {
            if let Action::Write { is_pending, .. } = action {
                *is_pending = false;
            }
        }
    }

    /// The steps to the value of an expression.
    pub(super) fn value(&mut self, expr: &Expr) {
        match &expr.kind {
            Kind::Int(_) | Kind::Float(_) | Kind::Function(_) => {}
            Kind::Unsupported(_) => drop(self.hazards.join(Hazards::LEAVES)),
            Kind::Var(_)
            | Kind::Deref(_)
            | Kind::Member(..)
            | Kind::Index(..)
            | Kind::Literal(..) => {
                self.place(expr);
                self.load(expr);
            }
            Kind::Address(place) | Kind::Decay(place) => {
                self.place(place);
                if let Some(Access { base: Base::Variable(var), .. }) =
                    Access::to(place, &self.program.types)
                {
                    self.addressed.push(var);
                }
            }
            Kind::Wrapped(_, a) => self.value(a),
            Kind::Unary(op, a) => {
                self.value(a);
                let checks = self.conventions.checks();
                if *op == Unary::Neg && overflows(a.ty, &self.program.types, checks) {
                    self.hazards.join(Hazards::LEAVES);
                }
            }
            Kind::Convert(a) => {
                self.value(a);
                let types = &self.program.types;
                self.hazards.join(Hazards::of_conversion(a.ty, expr.ty, types));
            }
            Kind::Binary(op, a, b) => {
                self.value(a);
                self.value(b);
                let checks = self.conventions.checks();
                let hazards = Hazards::of_operator(*op, a.ty, b, &self.program.types, checks);
                self.hazards.join(hazards);
            }
            Kind::Move(a, b) | Kind::Distance(a, b) => {
                self.value(a);
                self.value(b);
                self.hazards.join(Hazards::LEAVES);
            }
            Kind::And(a, b) | Kind::Or(a, b) | Kind::Elvis(a, b) | Kind::Comma(a, b) => {
                self.settled(|this| this.value(a));
                self.value(b);
            }
            Kind::Conditional(condition, a, b) => {
                self.settled(|this| this.value(condition));
                self.value(a);
                self.value(b);
            }
            Kind::Assign(place, value) => {
                self.place(place);
                self.value(value);
                self.write(place);
            }
            Kind::Update { place, right, op, old, .. } => {
                self.place(place);
                self.load(place);
                self.value(right);
                let (types, checks) = (&self.program.types, self.conventions.checks());
                self.hazards.join(match op {
                    Operation::Number(op) => Hazards::of_operator(*op, *old, right, types, checks),
                    Operation::Move(_) => Hazards::LEAVES,
                });
                self.hazards.join(Hazards::of_conversion(*old, place.ty, types));
                self.write(place);
            }
            Kind::Call(callee, args, _) => {
                let function = match callee.kind {
                    Kind::Function(function) => Callee::Function(function),
                    _ => Callee::Pointer,
                };
                self.settled(|this| {
                    this.value(callee);
                    args.iter().for_each(|arg| this.value(arg));
                });
                self.all.push(Action::Call(function));
                if let Callee::Function(function) = function
                    && self.changes_memory(function)
                {
                    let access = Access::MEMORY;
                    self.all.push(Action::Write { access, is_pending: false });
                }
            }
            Kind::Block(stmts) => {
                self.has_block = true;
                self.settled(|this| this.statements(stmts));
            }
        }
    }

    /// The steps that find a place, without reading it.
    pub(super) fn place(&mut self, expr: &Expr) {
        match &expr.kind {
            Kind::Var(_) => {}
            Kind::Deref(pointer) => self.value(pointer),
            Kind::Member(record, _) => self.place(record),
            Kind::Index(array, index) => {
                self.place(array);
                self.value(index);
            }
            Kind::Literal(var, init) => self.settled(|this| {
                this.initializer(init);
                let access = Access::whole(*var);
                this.all.push(Action::Write { access, is_pending: false });
            }),
            _ => self.value(expr),
        }
    }

    pub(super) fn initializer(&mut self, init: &[Init]) {
        init.iter().for_each(|part| self.value(&part.value));
    }

    /// All steps of statements, whatever their order. Nothing follows an error but what a label leads to.
    pub(super) fn statements(&mut self, stmts: &[Stmt]) {
        let mut is_over = false;
        for stmt in stmts {
            let is_label =
                matches!(stmt.kind, StmtKind::Label(_) | StmtKind::Case(..) | StmtKind::Default);
            is_over &= !is_label;
            if !is_over {
                self.statement(stmt);
            }
            is_over |= !self.is_whole && self.is_error(stmt);
        }
    }

    fn is_error(&self, stmt: &Stmt) -> bool {
        let StmtKind::Expr(Expr { kind: Kind::Call(callee, ..), .. }) = &stmt.kind else {
            return false;
        };
        let Kind::Function(function) = callee.kind else { return false };
        self.known(function) == Some(Known::Error)
    }

    /// Whether a function of the library changes what it is given in a way that is modelled.
    fn changes_memory(&self, function: u32) -> bool {
        let definition = &self.program.functions[function as usize];
        let is_memset = definition.name.trim_start_matches(BUILTIN) == "memset";
        self.known(function) == Some(Known::Free) || is_memset && definition.body.is_none()
    }

    /// What a function does, if its name tells.
    pub(super) fn known(&self, function: u32) -> Option<Known> {
        let definition = &self.program.functions[function as usize];
        self.conventions.known(&definition.name, definition.body.is_some())
    }

    fn statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(value) | StmtKind::Return(Some(value)) => self.value(value),
            StmtKind::Declare(_, init) => self.initializer(init.as_deref().unwrap_or_default()),
            StmtKind::Unsupported(_) => drop(self.hazards.join(Hazards::LEAVES)),
            StmtKind::Block(stmts) => self.statements(stmts),
            StmtKind::If(condition, then, otherwise) => {
                self.value(condition);
                self.statement(then);
                otherwise.iter().for_each(|stmt| self.statement(stmt));
            }
            StmtKind::While(condition, body) | StmtKind::DoWhile(body, condition) => {
                self.value(condition);
                self.statement(body);
            }
            StmtKind::For(init, condition, step, body) => {
                self.statement(init);
                condition.iter().chain(step).for_each(|expr| self.value(expr));
                self.statement(body);
            }
            StmtKind::Switch(value, body) => {
                self.value(value);
                self.statement(body);
            }
            StmtKind::Label(label) => {
                self.has_error_label |= self.conventions.is_error_label(label);
            }
            StmtKind::Case(..)
            | StmtKind::Default
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None)
            | StmtKind::Goto(_) => {}
        }
    }
}
