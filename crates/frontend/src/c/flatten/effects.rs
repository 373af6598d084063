//! In which order the operands of an expression may be evaluated, and whether that makes a difference.
//!
//! C leaves the order of operands, arguments and initialisers open. Operands that do not interfere have the same
//! values in every order: none writes what another one reads or writes. Where operands interfere in one step each, a load
//! or a call, all orders of the operands are all that can happen. Where there is more, evaluations may be interleaved, and
//! the expression is outside the model; so are two accesses without a call between them, one of which writes, as their
//! order is undefined.
//!
//! An operand may also end the program before another one violates the property or leaves the model (`hazards.rs`). Then
//! orders are chosen in which nothing is hidden. More is not needed where operands do not interfere: a step does the same
//! wherever it is interleaved, so it is reached soonest where its own operand comes first. Where a call has an influence on
//! other operands, and its own operand may end the program in another step, the call alone would have to come first. That
//! is outside the model, too.
//!
//! What a function does is summed up over all that it calls. Evaluation of each operand is taken to end.

mod access;
mod actions;
mod changes;
mod hazards;
mod orders;
mod recursion;

use std::cell::OnceCell;
use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::c::flatten::conventions::{Conventions, Known, errno};
use crate::c::ir::CONSTANT_P;
use crate::c::ir::{Expr, Function, Kind, Program, VarRef};
use access::{Access, Base};
use actions::{Action, Actions, Callee};
use hazards::Hazards;
use orders::Orders;

/// An operand: what is evaluated of an expression.
#[derive(Clone, Copy, Debug)]
pub(in crate::c) enum Operand<'e> {
    Value(&'e Expr),
    /// Which place it is.
    Place(&'e Expr),
    /// Which place it is, and its value.
    Old(&'e Expr),
}

/// The orders that make a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::c) enum Order {
    /// None: the given order has all results.
    Any,
    /// These orders of all operands have all results.
    Open(Vec<Vec<usize>>),
    /// More than the orders of operands.
    Interleaved,
}

/// What functions do.
pub(in crate::c) struct Effects<'p> {
    program: &'p Program,
    conventions: Conventions,
    summaries: OnceCell<Summaries>,
}

/// What a function does to memory that it does not own, with all that it calls.
#[derive(Clone, Debug, Default)]
struct Summary {
    reads: BTreeSet<Access>,
    writes: BTreeSet<Access>,
    hazards: Hazards,
}

struct Summaries {
    functions: Vec<Summary>,
    by_pointer: Summary,
    /// The variables whose addresses are taken, with the function of local ones.
    addressed: FxHashSet<(Option<u32>, VarRef)>,
}

impl<'p> Effects<'p> {
    pub(in crate::c) fn new(program: &'p Program, conventions: Conventions) -> Effects<'p> {
        Effects { program, conventions, summaries: OnceCell::new() }
    }

    /// The order of operands in a function.
    pub(in crate::c) fn order(&self, function: u32, operands: &[Operand<'_>]) -> Order {
        let mut parts = Vec::with_capacity(operands.len());
        let mut hazards = Vec::with_capacity(operands.len());
        let mut has_block = false;
        for operand in operands {
            let actions = self.actions(*operand);
            has_block |= actions.has_block;
            hazards.push(self.hazards(&actions, None));
            parts.push(actions);
        }
        match self.order_of(function, &parts, &hazards) {
            // A block has labels, which cannot be there twice.
            Order::Open(orders) if has_block && orders.len() > 1 => Order::Interleaved,
            order => order,
        }
    }

    /// What the steps of an operand may do, with all that it calls, but for one of the steps.
    fn hazards(&self, actions: &Actions<'_>, but: Option<usize>) -> Hazards {
        let mut all = actions.hazards;
        for (i, action) in actions.all.iter().enumerate() {
            if let Action::Call(callee) = action
                && Some(i) != but
            {
                all.join(self.summary(*callee).hazards);
            }
        }
        all
    }

    fn actions(&self, operand: Operand<'_>) -> Actions<'_> {
        let mut actions = Actions::new(self.program, &self.conventions);
        match operand {
            Operand::Value(expr) => actions.value(expr),
            Operand::Place(expr) => actions.place(expr),
            Operand::Old(expr) => {
                actions.place(expr);
                actions.load(expr);
            }
        }
        actions
    }

    fn order_of(&self, function: u32, parts: &[Actions<'_>], hazards: &[Hazards]) -> Order {
        let mut involved = Vec::new();
        let mut is_interleaved = false;
        for (i, part) in parts.iter().enumerate() {
            let others = || parts.iter().enumerate().filter(|(j, _)| *j != i);
            let may_hide = others().any(|(j, _)| hazards[j].fails);
            let mut n_steps = 0;
            for (step, action) in part.all.iter().enumerate() {
                let mut conflicts = others()
                    .flat_map(|(_, other)| &other.all)
                    .filter(|other| self.interfere(function, *action, **other))
                    .peekable();
                if conflicts.peek().is_none() {
                    continue;
                }
                n_steps += 1;
                let is_write = |action: &Action| matches!(action, Action::Write { .. });
                is_interleaved |= conflicts.any(|other| is_write(action) || is_write(other));
                // A call that others depend on, and the rest of its operand may end the program.
                let is_call = matches!(action, Action::Call(_));
                is_interleaved |= is_call && may_hide && self.hazards(part, Some(step)).ends;
            }
            is_interleaved |= n_steps > 1;
            if n_steps > 0 {
                involved.push(i);
            }
        }
        if is_interleaved {
            return Order::Interleaved;
        }
        let orders = match involved.is_empty() {
            true => orders::revealing(hazards),
            false => orders::all(hazards, &involved),
        };
        match orders {
            Orders::Given => Order::Any,
            Orders::These(orders) => Order::Open(orders),
            Orders::TooMany => Order::Interleaved,
        }
    }

    /// Whether an assignment to a target writes it twice without an order between the writes: `i = i++`.
    pub(in crate::c) fn writes_twice(
        &self,
        function: u32,
        target: &Expr,
        operands: &[Operand<'_>],
    ) -> bool {
        let Some(store) = Access::to(target, &self.program.types) else { return false };
        // In `a = b = c` both get the same value.
        let is_chain = |operand: &Operand<'_>| {
            matches!(operand, Operand::Value(Expr { kind: Kind::Assign(..), .. }))
        };
        operands.iter().filter(|operand| !is_chain(operand)).any(|operand| {
            self.actions(*operand).all.into_iter().any(|action| match action {
                Action::Write { access, is_pending: true } => self.overlap(function, store, access),
                _ => false,
            })
        })
    }

    /// Whether the evaluation of an operand reads a variable.
    pub(in crate::c) fn reads(&self, function: u32, operand: Operand<'_>, var: VarRef) -> bool {
        self.actions(operand).all.into_iter().any(|action| match action {
            Action::Load(access) => self.overlap(function, access, Access::whole(var)),
            _ => false,
        })
    }

    fn overlap(&self, function: u32, a: Access, b: Access) -> bool {
        a.may_overlap(b, |var| self.is_addressed(function, var))
    }

    fn is_addressed(&self, function: u32, var: VarRef) -> bool {
        self.summaries().addressed.contains(&owned(function, var))
    }

    fn interfere(&self, function: u32, a: Action, b: Action) -> bool {
        match (a, b) {
            (Action::Load(_), Action::Load(_)) => false,
            (
                Action::Load(a) | Action::Write { access: a, .. },
                Action::Write { access: b, .. },
            )
            | (Action::Write { access: a, .. }, Action::Load(b)) => self.overlap(function, a, b),
            (Action::Load(access), Action::Call(callee))
            | (Action::Call(callee), Action::Load(access)) => {
                self.any(function, &self.summary(callee).writes, access)
            }
            (Action::Write { access, .. }, Action::Call(callee))
            | (Action::Call(callee), Action::Write { access, .. }) => {
                let summary = self.summary(callee);
                self.any(function, &summary.writes, access)
                    || self.any(function, &summary.reads, access)
            }
            (Action::Call(a), Action::Call(b)) => {
                let (a, b) = (self.summary(a), self.summary(b));
                let hits = |a: &Summary, b: &Summary| {
                    a.writes.iter().any(|access| {
                        self.any(function, &b.reads, *access)
                            || self.any(function, &b.writes, *access)
                    })
                };
                hits(a, b) || hits(b, a)
            }
        }
    }

    fn any(&self, function: u32, set: &BTreeSet<Access>, access: Access) -> bool {
        set.iter().any(|other| self.overlap(function, access, *other))
    }

    /// What a call does.
    fn summary(&self, callee: Callee) -> &Summary {
        let summaries = self.summaries();
        match callee {
            Callee::Function(function) => &summaries.functions[function as usize],
            Callee::Pointer => &summaries.by_pointer,
        }
    }

    fn summaries(&self) -> &Summaries {
        self.summaries.get_or_init(|| self.summarize())
    }

    fn summarize(&self) -> Summaries {
        let program = self.program;
        let mut addressed = FxHashSet::default();
        let mut actions = Actions::new(program, &self.conventions);
        program.globals.iter().for_each(|global| actions.initializer(&global.init));
        addressed.extend(actions.addressed.into_iter().map(|var| owned(0, var)));
        let errno = errno(program).map(Access::whole);
        let mut functions = Vec::with_capacity(program.functions.len());
        let mut callees = Vec::with_capacity(program.functions.len());
        for (function, definition) in program.functions.iter().enumerate() {
            let mut actions = Actions::new(program, &self.conventions);
            let known = actions.known(function as u32);
            let mut summary =
                Summary { hazards: self.hazards_of(known, definition), ..Summary::default() };
            let mut called = BTreeSet::new();
            if self.conventions.sets_errno(definition) {
                summary.writes.extend(errno);
            }
            if known == Some(Known::Free) {
                // What is freed cannot be used.
                summary.writes.insert(Access::MEMORY);
            }
            if known.is_none() {
                actions.statements(definition.body.as_deref().unwrap_or_default());
                summary.hazards.join(actions.hazards);
                if actions.has_error_label {
                    summary.hazards.join(FAILS);
                }
                addressed.extend(actions.addressed.iter().map(|var| owned(function as u32, *var)));
                for action in &actions.all {
                    match action {
                        Action::Load(access) => summary.reads.extend(outside(*access)),
                        Action::Write { access, .. } => summary.writes.extend(outside(*access)),
                        Action::Call(callee) => drop(called.insert(*callee)),
                    }
                }
            }
            functions.push(summary);
            callees.push(called);
        }
        for (summary, is_recursive) in functions.iter_mut().zip(recursive(&callees)) {
            summary.hazards.fails |= is_recursive;
        }
        let by_pointer = closed(program, &mut functions, &callees);
        Summaries { functions, by_pointer, addressed }
    }

    /// What a function does whose name tells, or that has no body. Functions of the library may leave the model.
    fn hazards_of(&self, known: Option<Known>, definition: &Function) -> Hazards {
        match known {
            Some(Known::Error) => FAILS,
            Some(Known::Assert | Known::AssertionFailed) if self.conventions.asserts() => FAILS,
            Some(Known::Assert | Known::AssertionFailed | Known::Assume | Known::End) => ENDS,
            Some(Known::Nondet) => Hazards::default(),
            None if definition.name == CONSTANT_P => Hazards::default(),
            None if definition.body.is_some() => {
                let fails = definition.locals.iter().any(|local| local.extent.is_some());
                Hazards { fails, ends: definition.is_noreturn }
            }
            _ => Hazards { ends: definition.is_noreturn, ..Hazards::LEAVES },
        }
    }
}

/// A violation also ends the program for all other properties.
const FAILS: Hazards = Hazards { fails: true, ends: true };
const ENDS: Hazards = Hazards { fails: false, ends: true };

/// Functions that call themselves, or one that does: they are inlined only so deep.
fn recursive(callees: &[BTreeSet<Callee>]) -> Vec<bool> {
    let mut is_recursive = vec![true; callees.len()];
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for (function, called) in callees.iter().enumerate() {
            let is_open = |callee: &Callee| match callee {
                Callee::Function(called) => is_recursive[*called as usize],
                Callee::Pointer => true,
            };
            if is_recursive[function] && !called.iter().any(is_open) {
                is_recursive[function] = false;
                is_changed = true;
            }
        }
    }
    is_recursive
}

/// Adds to each function what it calls, until nothing is new; also sums up all whose addresses are taken.
fn closed(program: &Program, functions: &mut [Summary], callees: &[BTreeSet<Callee>]) -> Summary {
    // The pointer may be none to a function of the program.
    let mut by_pointer = Summary { hazards: Hazards::LEAVES, ..Summary::default() };
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for (function, definition) in program.functions.iter().enumerate() {
            let mut summary = std::mem::take(&mut functions[function]);
            for callee in &callees[function] {
                let called = match callee {
                    Callee::Function(called) if *called as usize == function => continue,
                    Callee::Function(called) => &functions[*called as usize],
                    Callee::Pointer => &by_pointer,
                };
                is_changed |= summary.join(called);
            }
            functions[function] = summary;
            if definition.has_address {
                is_changed |= by_pointer.join(&functions[function]);
            }
        }
    }
    by_pointer
}

impl Summary {
    /// Adds another one; whether that is new.
    fn join(&mut self, other: &Summary) -> bool {
        let size = |summary: &Summary| summary.reads.len() + summary.writes.len();
        let before = size(self);
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.hazards.join(other.hazards) || size(self) > before
    }
}

/// A variable with its function, if it is a local one.
fn owned(function: u32, var: VarRef) -> (Option<u32>, VarRef) {
    match var {
        VarRef::Local(_) => (Some(function), var),
        VarRef::Global(_) => (None, var),
    }
}

/// An access that others than the function can see.
fn outside(access: Access) -> Option<Access> {
    match access.base {
        Base::Variable(VarRef::Local(_)) => None,
        Base::Variable(VarRef::Global(_)) | Base::Memory => Some(access),
    }
}
