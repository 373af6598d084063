//! Allocation and its end: new instances, and what `free` does.

use lapidary_expr::{Op as TermOp, Sort, Term, Var};
use lapidary_model::Stmt;

use super::Lowerer;
use crate::c::checks::Check;
use crate::c::flat::points_to::Target;
use crate::c::flat::{ObjectId, Site, Value, written};
use crate::c::ir::Binary;
use crate::c::lower::arith::Number;
use crate::c::types::TypeId;
use crate::c::types::parts::Key;

impl Lowerer<'_> {
    /// All regions are empty.
    pub(super) fn begin(&self) -> Vec<Stmt> {
        let mut changes = Vec::new();
        for region in &self.flat.regions {
            let layout = &self.layouts[region.object.index()];
            for leaf in &layout.leaves {
                let value = match leaf.mark {
                    Some(mark) => mark.value,
                    None => self.zero_of(leaf),
                };
                changes.push((leaf.var, constant_array(leaf.var, value)));
            }
            let ghosts = layout.ghosts;
            changes.extend(ghosts.next.map(|next| (next, self.at(layout.address))));
            for ghost in [ghosts.live, ghosts.size].into_iter().flatten() {
                changes.push((ghost, constant_array(ghost, self.word_constant(0))));
            }
        }
        vec![Stmt::Assign(changes)]
    }

    /// Memory is allocated at a site.
    pub(super) fn allocate(&mut self, site: Site, count: &Value, size: &Value) -> Vec<Stmt> {
        let object = site.object;
        let ghosts = self.layouts[object.index()].ghosts;
        let declared = &self.flat.objects[object.index()];
        let (region, length) = (declared.region, declared.length);
        let mut changes = Vec::new();
        let needs_bytes = length.is_some() || region.is_some();
        let bytes = if needs_bytes { Some(self.bytes(count, size)) } else { None };
        let one = self.word_constant(1);
        match (region, length, bytes) {
            (Some(_), _, Some(bytes)) => {
                let Some(next) = ghosts.next else { return Vec::new() };
                let here = Term::var(next);
                if let Some(end) = self.slots.end {
                    let last = self.at(end - self.slots.stride());
                    let is_full = self.not_after(last, here);
                    self.escape(is_full, "more memory than there are addresses");
                }
                let latest = self.layouts[site.latest.index()].leaves[0].var;
                changes.push((latest, here));
                changes.push((next, self.plus(here, self.at(self.slots.stride()))));
                let store = |var: Var, value| (var, Term::var(var).store(here, value));
                changes.extend(ghosts.size.map(|size| store(size, bytes)));
                changes.extend(ghosts.live.map(|live| store(live, one)));
                let is_zeroed = region.is_some_and(|r| self.flat.regions[r as usize].is_zeroed);
                if site.is_zeroed && !is_zeroed {
                    self.clear(object, here, &mut changes);
                }
            }
            (None, Some(length), Some(bytes)) => {
                let element = self.types.element(self.object_type(object));
                let element = element.and_then(|element| self.types.size(element)).unwrap_or(1);
                let number = self.divided(bytes, element);
                let length = self.layouts[length.index()].leaves[0].var;
                changes.push((length, number));
                changes.extend(ghosts.live.map(|live| (live, one)));
            }
            _ => changes.extend(ghosts.live.map(|live| (live, one))),
        }
        if site.is_heap {
            changes.extend(self.counted(Binary::Add, one));
        }
        if changes.is_empty() { Vec::new() } else { vec![Stmt::Assign(changes)] }
    }

    /// How many elements fit into so many bytes.
    fn divided(&self, bytes: Term, element: u64) -> Term {
        let by = self.numbers.constant(self.word(), i128::from(element));
        let word = self.types.long(false);
        self.numbers.without_wrap(Binary::Div, self.numbers.of_type(bytes, word), by, word).term()
    }

    /// The bytes that are allocated. Allocation of more than half of the address space fails on all machines.
    fn bytes(&mut self, count: &Value, size: &Value) -> Term {
        let word = self.types.long(false);
        let [count, size] = [count, size].map(|value| {
            let number = self.number(value);
            self.as_unsigned(number, value.ty)
        });
        let most = match word.width {
            32 => (1 << 31) - 1,
            _ => (1i128 << 47) - 1,
        };
        let largest = self.slots.largest;
        let is_bounded = largest < most;
        let most = self.at(most);
        let bytes = self.numbers.without_wrap(Binary::Mul, count, size, word).term();
        for factor in [count, size] {
            self.need(self.not_after(factor.term(), most));
        }
        if self.numbers.is_of_bits() && count.range().value().is_none() {
            // The product must not wrap around.
            let zero = size.term().equals(self.word_constant(0));
            let [product, by] = [bytes, size.term()].map(|term| self.numbers.any(term));
            let back = self.numbers.without_wrap(Binary::Div, product, by, word).term();
            self.need(Term::or([zero, back.equals(count.term())]));
        }
        self.need(self.not_after(bytes, most));
        if is_bounded {
            let is_large = self.not_after(bytes, self.at(largest)).not();
            self.escape(is_large, "more memory than there are addresses");
        }
        bytes
    }

    fn as_unsigned(&self, number: Number, ty: TypeId) -> Number {
        let word = self.types.long(false);
        match self.int_of(ty) {
            Some(from) => self.numbers.convert(number, from, word),
            None => number,
        }
    }

    /// Writes zero to all parts of a new instance.
    fn clear(&mut self, object: ObjectId, instance: Term, changes: &mut Vec<(Var, Term)>) {
        let region = self.flat.objects[object.index()].region;
        let region = region.map(|region| self.flat.regions[region as usize]);
        let is_single = region.is_some_and(|region| {
            region.bytes.is_some() && region.bytes == self.types.size(region.element)
        });
        for leaf in self.layouts[object.index()].leaves.clone() {
            let is_array = leaf.keys.iter().filter(|key| **key == Key::Element).count() > 1;
            if is_array || !is_single {
                self.escape(true.into(), "an array of zeros beside others");
                return;
            }
            let zero = self.zero_of(&leaf);
            changes.push((leaf.var, leaf.with_element(Term::var(leaf.var), instance, zero)));
        }
    }

    /// What a pointer points to is freed.
    pub(super) fn free(&mut self, pointer: &Value) -> Vec<Stmt> {
        let address = self.number(pointer).term();
        let is_null = address.equals(self.word_constant(0));
        let mut freed: Vec<(Term, Var, Option<Term>)> = Vec::new();
        let mut is_right = vec![is_null];
        for target in self.pointers.value(pointer) {
            let Target::Part { object, .. } = target else { continue };
            let Some(live) = self.layouts[object.index()].ghosts.live else { continue };
            if freed.iter().any(|(_, known, _)| *known == live) || !self.is_heap(object) {
                continue;
            }
            let (is_here, instance) = match self.flat.objects[object.index()].region {
                Some(_) => {
                    let instance = self.instance(address);
                    let is_start = instance.equals(address);
                    (Term::and([self.is_in_slots(address, object), is_start]), Some(instance))
                }
                None => (address.equals(self.at(self.layouts[object.index()].address)), None),
            };
            let is_live = self.is_live(object, instance.unwrap_or(address));
            is_right.push(Term::and([is_here, is_live]));
            freed.push((is_here, live, instance.map(|_| address)));
        }
        let is_wrong = Term::or(is_right).not();
        let what = "`free` of something that is not allocated memory";
        if self.pointers.value(pointer).iter().all(|target| !target.is_unknown()) {
            let (flat, types) = (self.flat, self.types);
            let text = || format!("free({})", written::value(flat, types, pointer));
            self.check(Check::Free, is_wrong, what, pointer.start, text);
        }
        self.escape(is_wrong, what);
        let zero = self.word_constant(0);
        let change = |(is_here, live, instance): (Term, Var, Option<Term>)| {
            let before = Term::var(live);
            let after = instance.map_or(zero, |instance| before.store(instance, zero));
            (live, is_here.ite(after, before))
        };
        let mut changes: Vec<(Var, Term)> = freed.into_iter().map(change).collect();
        changes.extend(self.counted(Binary::Sub, is_null.ite(zero, self.word_constant(1))));
        if changes.is_empty() { Vec::new() } else { vec![Stmt::Assign(changes)] }
    }

    /// The number of live blocks after a change.
    fn counted(&self, op: Binary, by: Term) -> Option<(Var, Term)> {
        let count = self.layouts[self.flat.n_live?.index()].leaves[0].var;
        Some((count, self.calculate(op, Term::var(count), by)))
    }

    /// Whether no static variable has the address of an allocated block: of what cannot be looked at, one may.
    pub(super) fn nothing_is_held(&self) -> Term {
        let is_block = |target: &Target| match target {
            Target::Part { object, .. } | Target::Beside { object, .. } => {
                self.flat.objects[object.index()].is_allocated
            }
            Target::Null | Target::Function(_) => false,
            _ => true,
        };
        let latest = |object: ObjectId| self.flat.sites.iter().any(|site| site.latest == object);
        // An address that became a number may be anywhere.
        let is_number =
            |(_, address): &(_, Value)| self.pointers.value(address).iter().any(is_block);
        if self.flat.numbers.iter().any(is_number) {
            return false.into();
        }
        let mut conditions = Vec::new();
        for ((object, keys), targets) in self.pointers.cells() {
            let declared = &self.flat.objects[object.index()];
            let is_static = declared.owner.is_none() && !declared.is_allocated;
            if !is_static || latest(*object) || !targets.iter().any(is_block) {
                continue;
            }
            conditions.push(match self.layouts[object.index()].leaf(keys) {
                Some(leaf) if !leaf.is_repeated && !leaf.is_union => {
                    Term::var(leaf.var).equals(self.word_constant(0))
                }
                _ => false.into(),
            });
        }
        Term::and(conditions)
    }

    fn is_heap(&self, object: ObjectId) -> bool {
        let mut sites = self.flat.sites.iter().filter(|site| site.object == object);
        sites.all(|site| site.is_heap)
    }
}

fn constant_array(var: Var, value: Term) -> Term {
    match var.sort() {
        Sort::Array(sort) => Term::app(TermOp::ConstArray(sort), vec![value]).unwrap_or(value),
        _ => value,
    }
}
