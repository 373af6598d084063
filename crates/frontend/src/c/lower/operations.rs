//! Operations of an edge become statements.

use lapidary_expr::{Op as TermOp, Sort, Term, Var};
use lapidary_model::Stmt;

use super::memory::Access;
use super::{LoweredEdge, Lowerer};
use crate::c::flat::{CHANGED, Failure, Op, Place, Root, Value, ValueKind};
use crate::c::lower::layout::{Leaf, has_parts};
use crate::c::types::Type;

/// What an operation does: its statements, and under which conditions it leaves the model.
#[derive(Clone)]
pub(super) struct Effect {
    stmts: Vec<Stmt>,
    escapes: Vec<(Term, Failure)>,
}

impl<'a> Lowerer<'a> {
    /// Adds the statements of an operation to an edge.
    pub(super) fn operation(&mut self, op: &'a Op, edge: &mut LoweredEdge) {
        let effect = match op {
            Op::Assume(..) | Op::Assign(..) => self.known(op),
            Op::Zero(place) => self.zero(place),
            Op::Havoc { place, is_external } => {
                let effect = self.havoc(place);
                if let (false, Some(Stmt::Havoc(vars))) = (*is_external, effect.first()) {
                    edge.unset.extend(vars);
                }
                effect
            }
            Op::Nondet { place, function, close } => {
                let effect = place.as_ref().map_or_else(Vec::new, |place| self.havoc(place));
                let var = effect.iter().find_map(|stmt| match stmt {
                    Stmt::Havoc(vars) => vars.first().copied(),
                    _ => None,
                });
                edge.nondets.push((*function, var, *close));
                effect
            }
            Op::Approximate(what) => {
                let vars = edge.stmts.iter().rev().find_map(|stmt| match stmt {
                    Stmt::Havoc(vars) => Some(vars.clone()),
                    _ => None,
                });
                edge.approximations.push((what.clone(), vars));
                Vec::new()
            }
            Op::Evaluate(value) => {
                self.evaluate(value);
                Vec::new()
            }
            Op::Begin => self.begin(),
            Op::NothingHeld => vec![Stmt::Assume(self.nothing_is_held())],
            Op::Allocate { site, count, size } => {
                let effect = self.allocate(self.flat.sites[*site as usize], count, size);
                self.needed().into_iter().chain(effect).collect()
            }
            Op::Free { pointer, .. } => self.free(pointer),
            Op::Outside { .. } => Vec::new(),
        };
        self.needed().into_iter().chain(effect).for_each(|stmt| {
            if !joined(edge.stmts.last_mut(), &stmt) {
                edge.stmts.push(stmt);
            }
        });
    }

    /// The statements of a condition or assignment, from memory if it was met before.
    fn known(&mut self, op: &'a Op) -> Vec<Stmt> {
        if let Some(known) = self.known.get(op) {
            self.escapes.extend_from_slice(&known.escapes);
            return known.stmts.clone();
        }
        let stmts = self.condition_or_assignment(op);
        let effect = Effect { stmts: stmts.clone(), escapes: self.escapes.clone() };
        self.known.insert(op, effect);
        stmts
    }

    fn condition_or_assignment(&mut self, op: &Op) -> Vec<Stmt> {
        let effect = match op {
            Op::Assume(value, holds) => {
                let truth = self.truth(value);
                let condition = if *holds { truth } else { truth.not() };
                let needs = std::mem::take(&mut self.needs);
                return vec![Stmt::Assume(Term::and(needs.into_iter().chain([condition])))];
            }
            Op::Assign(place, value) => match self.int_of(place.ty) {
                Some(_) => self.assign(place, value),
                None => self.copy(place, value),
            },
            _ => Vec::new(),
        };
        self.needed().into_iter().chain(effect).collect()
    }

    /// Assumes what has to hold for the operation to have a meaning.
    fn needed(&mut self) -> Option<Stmt> {
        let needs = Term::and(std::mem::take(&mut self.needs));
        (!needs.is_true()).then_some(Stmt::Assume(needs))
    }

    /// Computes what nobody uses: only what may be wrong with it matters.
    fn evaluate(&mut self, value: &Value) {
        match (&value.kind, self.int_of(value.ty)) {
            (_, Some(_)) => drop(self.number(value)),
            (ValueKind::Load(place), None) => drop(self.accesses(place)),
            _ => {}
        }
    }

    fn assign(&mut self, place: &Place, value: &Value) -> Vec<Stmt> {
        let Some(mut from) = self.int_of(value.ty) else { return Vec::new() };
        let mut number = self.number(value);
        // Only what is read or written by a pointer of another type is a matter of bits.
        if let Some(to) = self.int_of(place.ty).filter(|to| to.is_float() || from.is_float()) {
            (number, from) = (self.converted(number, from, to), to);
        }
        let accesses = self.accesses(place);
        let mut changes: Vec<(Var, Term)> = Vec::new();
        let is_by_pointer = matches!(place.root, Root::Pointer(_));
        for access in accesses {
            if is_by_pointer && self.is_string(access.object) {
                self.escape(access.guard, "a string literal is changed");
                continue;
            }
            if is_by_pointer && self.flat.objects[access.object.index()].is_const {
                self.escape(access.guard, CHANGED);
                continue;
            }
            let Some(leaf) = self.layouts[access.object.index()].leaf(&access.keys).cloned() else {
                self.escape(access.guard, "an assignment to a part that is not modelled");
                continue;
            };
            if leaf.is_union && from.is_float() {
                self.look_at_bits(access.guard, value, number.term());
            }
            let current = changes.iter().find(|(var, _)| *var == leaf.var).map(|(_, term)| *term);
            let current = current.unwrap_or(Term::var(leaf.var));
            let Some(new) = self.stored(current, &leaf, &access, number, from) else {
                self.escape(access.guard, "an assignment to a part that is not modelled");
                continue;
            };
            let new = access.guard.ite(new, current);
            match changes.iter_mut().find(|(var, _)| *var == leaf.var) {
                Some((_, term)) => *term = new,
                None => changes.push((leaf.var, new)),
            }
        }
        changes.retain(|(var, term)| *term != Term::var(*var));
        if changes.is_empty() { Vec::new() } else { vec![Stmt::Assign(changes)] }
    }

    /// A structure or array that is copied: part by part.
    fn copy(&mut self, place: &Place, value: &Value) -> Vec<Stmt> {
        let ValueKind::Load(source) = &value.kind else {
            if matches!(self.types.get(place.ty), Type::Record(_) | Type::Array(..)) {
                self.escape(true.into(), "a structure that is no variable");
            }
            return Vec::new();
        };
        let (to, from) = (self.accesses(place), self.accesses(source));
        let ([to], [from]) = (&to[..], &from[..]) else {
            self.escape(true.into(), "a structure is copied by pointers that may point to several");
            return Vec::new();
        };
        if matches!(place.root, Root::Pointer(_)) && self.flat.objects[to.object.index()].is_const {
            self.escape(to.guard, CHANGED);
        }
        let mut changes = Vec::new();
        for leaf in self.leaves(to) {
            let keys = [&from.keys[..], &leaf.keys[to.keys.len()..]].concat();
            let source = self.layouts[from.object.index()].leaf(&keys).cloned();
            let copied =
                source.and_then(|source| Some((self.copied(&leaf, to, &source, from)?, source)));
            match copied {
                Some((term, source)) => {
                    let is_number = !source.is_union && !source.int.is_address();
                    if source.is_repeated && !leaf.is_repeated && is_number {
                        // As where an element is read.
                        let range = self.numbers.in_range(term, source.int);
                        range.into_iter().for_each(|range| self.need(range));
                    }
                    changes.push((leaf.var, term));
                }
                None => {
                    self.escape(
                        true.into(),
                        "a structure with an array inside is copied from or to an array",
                    );
                    return Vec::new();
                }
            }
        }
        if to.bits.is_some() || from.bits.is_some() {
            self.escape(true.into(), "a structure inside a union is copied");
        }
        if changes.is_empty() { Vec::new() } else { vec![Stmt::Assign(changes)] }
    }

    /// The leaves of a part. If there should be some and are none, or only one that contains more, the model is left.
    fn leaves(&mut self, access: &Access) -> Vec<Leaf> {
        let layout = &self.layouts[access.object.index()];
        let leaves: Vec<Leaf> = layout.below(&access.keys).cloned().collect();
        if layout.is_inside_leaf(&access.keys) {
            self.escape(access.guard, "a part of a union is written by a pointer");
        } else if leaves.is_empty() && has_parts(self.types, access.ty) {
            self.escape(access.guard, "a part that is not modelled is written");
        }
        leaves
    }

    fn zero(&mut self, place: &Place) -> Vec<Stmt> {
        self.each_leaf(place, |this, leaf, access| {
            let zero = this.zero_of(leaf);
            let var = Term::var(leaf.var);
            let is_whole = access.index.is_none();
            Some(match (leaf.is_repeated, is_whole) {
                (false, _) => zero,
                (true, true) => {
                    let Sort::Array(sort) = leaf.var.sort() else { return None };
                    Term::app(TermOp::ConstArray(sort), vec![zero]).ok()?
                }
                (true, false) if access.is_element_of(leaf) => {
                    leaf.with_element(var, access.index?, zero)
                }
                _ => return None,
            })
        })
    }

    pub(super) fn zero_of(&self, leaf: &Leaf) -> Term {
        match leaf.is_union {
            true => Term::bv(leaf.int.width, 0),
            false => self.numbers.constant(leaf.int, 0).term(),
        }
    }

    /// Assigns all leaves of a place at once.
    fn each_leaf(
        &mut self,
        place: &Place,
        new: impl Fn(&mut Self, &Leaf, &Access) -> Option<Term>,
    ) -> Vec<Stmt> {
        let mut changes = Vec::new();
        let accesses = self.accesses(place);
        let [access] = &accesses[..] else {
            self.escape(true.into(), "several places are set at once");
            return Vec::new();
        };
        let is_const =
            self.is_string(access.object) || self.flat.objects[access.object.index()].is_const;
        if is_const && matches!(place.root, Root::Pointer(_)) {
            self.escape(access.guard, CHANGED);
        }
        for leaf in self.leaves(access) {
            match new(self, &leaf, access) {
                Some(term) => changes.push((leaf.var, term)),
                None => {
                    self.escape(true.into(), "a part of an array in an array is set as a whole");
                }
            }
        }
        if changes.is_empty() { Vec::new() } else { vec![Stmt::Assign(changes)] }
    }

    fn havoc(&mut self, place: &Place) -> Vec<Stmt> {
        let accesses = self.accesses(place);
        let [access] = &accesses[..] else {
            self.escape(true.into(), "several places get any value at once");
            return Vec::new();
        };
        let leaves = self.leaves(access);
        if access.bits.is_some() || access.index.is_some() && !leaves.is_empty() {
            self.escape(true.into(), "an element gets any value");
            return Vec::new();
        }
        if leaves.is_empty() {
            return Vec::new();
        }
        let ranges = Term::and(leaves.iter().filter_map(|leaf| leaf.range));
        // Also where there are no ranges: what follows is not to be taken for them.
        vec![Stmt::Havoc(leaves.iter().map(|leaf| leaf.var).collect()), Stmt::Assume(ranges)]
    }
}

/// Joins an assignment of one element to the assignment of its array before it, as initialisers have many.
fn joined(last: Option<&mut Stmt>, stmt: &Stmt) -> bool {
    let (Some(Stmt::Assign(before)), Stmt::Assign(now)) = (last, stmt) else { return false };
    let ([(array, whole)], [(same, term)]) = (&mut before[..], &now[..]) else { return false };
    let (TermOp::Store, [of, index, element]) = (term.op(), term.args()) else { return false };
    let is_simple = index.as_lit().is_some() && element.as_lit().is_some();
    if *array != *same || of.as_var() != Some(*same) || !is_simple {
        return false;
    }
    *whole = whole.store(*index, *element);
    true
}

impl Lowerer<'_> {
    /// The new value of a leaf that is copied from another.
    fn copied(&mut self, leaf: &Leaf, to: &Access, source: &Leaf, from: &Access) -> Option<Term> {
        let (target, value) = (Term::var(leaf.var), Term::var(source.var));
        let element =
            |leaf: &Leaf, access: &Access| access.index.filter(|_| access.is_element_of(leaf));
        let has_mark = |leaf: &Leaf| leaf.mark.is_some();
        let value = match (source.is_repeated, from.index) {
            (true, None) if has_mark(source) || has_mark(leaf) => return None,
            (false, _) | (true, None) => value,
            (true, Some(_)) => {
                let index = element(source, from)?;
                self.check_set(from.guard, source, index);
                source.element(value, index)
            }
        };
        let new = match (leaf.is_repeated, to.index) {
            (false, _) | (true, None) => value,
            (true, Some(_)) => leaf.with_element(target, element(leaf, to)?, value),
        };
        (new.sort() == leaf.var.sort()).then_some(new)
    }
}
