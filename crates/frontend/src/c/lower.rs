//! From the graph to the automaton: values become terms, places become variables.

mod allocation;
pub(in crate::c) mod arith;
mod bounds;
mod comparisons;
mod floats;
pub(in crate::c) mod layout;
mod lifetimes;
mod memory;
mod operations;
mod pointers;
pub(in crate::c) mod reduce;
mod regions;
mod values;

use lapidary_expr::Term;
use lapidary_model::Stmt;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::c::checks::{Check, Checks, Meaning};
use crate::c::flat::points_to::{PointsTo, points_to};
use crate::c::flat::visit::for_each_value;
use crate::c::flat::{
    Edge, Failure, Flat, ObjectId, Op, Place, Root, Step, Value, ValueKind, Violation,
};
use crate::c::ir::Binary;
use crate::c::lower::arith::{Arith, Numbers};
use crate::c::lower::layout::slots::Slots;
use crate::c::lower::layout::{Layout, function_address, layouts};
use crate::c::types::{IntType, Type, TypeId, Types};

/// An edge with its statement, before the automaton is built.
#[derive(Clone, Debug)]
pub(super) struct LoweredEdge {
    pub(super) source: u32,
    pub(super) target: u32,
    pub(super) stmts: Vec<Stmt>,
    pub(super) start: usize,
    pub(super) function: u32,
    pub(super) procedure: u32,
    /// The procedure that is called after the statements.
    pub(super) call: Option<u32>,
    /// Set on edges to the error node.
    pub(super) failure: Option<Failure>,
    /// Why an execution over this edge may not be one of the program, and the variables that got any value.
    pub(super) approximations: Vec<(String, Option<Vec<lapidary_expr::Var>>)>,
    /// The calls of `__VERIFIER_nondet_…` in their order: the function, the variable with its value, and where
    /// the closing parenthesis is.
    pub(super) nondets: Vec<(u32, Option<lapidary_expr::Var>, usize)>,
    /// The variables that come to life here without a value.
    pub(super) unset: Vec<lapidary_expr::Var>,
}

/// The state of the translation.
pub(super) struct Lowerer<'a> {
    flat: &'a Flat,
    types: &'a Types,
    numbers: Numbers,
    layouts: Vec<Layout>,
    slots: Slots,
    pointers: PointsTo<'a>,
    has_addresses_in_unions: bool,
    computed: floats::Computed,
    /// The first address after all objects.
    functions: u64,
    /// What the parts of an expression that are being read depend on, as in `i < n && a[i]`.
    guards: Vec<Term>,
    /// What has to hold for the operation to have a meaning.
    needs: Vec<Term>,
    /// Under which conditions the operation ends the execution, and why.
    escapes: Vec<(Term, Failure)>,
    checks: Checks,
    /// The objects that may be pointed to after their end.
    ended: FxHashSet<ObjectId>,
    /// What became of operations: copies of a function have many of the same ones.
    known: FxHashMap<&'a Op, operations::Effect>,
}

/// Lowers all edges; also tells the layout of the objects.
pub(super) fn lower(
    flat: &Flat,
    types: &Types,
    arith: Arith,
    checks: Checks,
) -> (Vec<LoweredEdge>, Vec<Layout>) {
    let numbers = Numbers::new(arith);
    let split = computed_indices(flat, types);
    let pointers = points_to(flat, types);
    let is_bounded = numbers.is_of_bits() || pointers.has_addresses_in_unions();
    let slots = Slots::of(flat, types, is_bounded);
    let ended = match checks.ask_memory() {
        true => lifetimes::may_be_used_ended(flat, &pointers),
        false => FxHashSet::default(),
    };
    let mut lowerer = Lowerer {
        flat,
        types,
        numbers,
        layouts: layouts(flat, types, numbers, &split, &slots),
        slots,
        has_addresses_in_unions: pointers.has_addresses_in_unions(),
        pointers,
        computed: floats::Computed::of(flat, types),
        functions: function_address(flat, types, 0),
        guards: Vec::new(),
        needs: Vec::new(),
        escapes: Vec::new(),
        checks,
        ended,
        known: FxHashMap::default(),
    };
    let mut edges = Vec::with_capacity(flat.edges.len());
    for edge in &flat.edges {
        lowerer.edge(edge, &mut edges);
    }
    (edges, lowerer.layouts)
}

/// The arithmetic that fits the program: bit-vectors if it has bit operations that are no arithmetic, or makes floating
/// numbers of integers or the other way round.
pub(super) fn choose(flat: &Flat, types: &Types) -> Arith {
    let mut has_bits = false;
    for_each_value(flat, &mut |value| {
        if let ValueKind::Convert(inner) = &value.kind {
            let are_float = [value, inner].map(|value| types.as_float(value.ty).is_some());
            has_bits |= are_float[0] != are_float[1] && inner.as_int().is_none();
        }
        if let ValueKind::Binary(op, left, right) = &value.kind {
            let constant = left.as_int().or(right.as_int());
            has_bits |= match op {
                Binary::And => {
                    let is_number = constant.is_some_and(crate::c::lower::arith::is_mask);
                    !(is_number || is_truth(left) && is_truth(right))
                }
                Binary::Or | Binary::Xor => !(is_truth(left) && is_truth(right)),
                Binary::Shl | Binary::Shr => right.as_int().is_none(),
                _ => false,
            };
        }
    });
    if has_bits { Arith::Bv } else { Arith::Int }
}

/// Whether a value is one or zero.
fn is_truth(value: &Value) -> bool {
    match &value.kind {
        ValueKind::Binary(op, ..) => op.is_comparison(),
        ValueKind::Truth(_) | ValueKind::And(..) | ValueKind::Or(..) => true,
        ValueKind::Unary(op, _) => *op == crate::c::ir::Unary::Zero,
        ValueKind::Convert(inner) => is_truth(inner),
        ValueKind::Int(value) => matches!(value, 0 | 1),
        _ => false,
    }
}

/// For each object whether it can be split: no index is computed, and its address is not taken.
fn computed_indices(flat: &Flat, types: &Types) -> Vec<bool> {
    let mut split: Vec<bool> = flat.objects.iter().map(|object| object.length.is_none()).collect();
    let visit_place = |split: &mut Vec<bool>, place: &Place, is_address: bool| {
        if let Root::Object(object) = place.root {
            let is_computed = has_computed_index(place);
            // A whole array that is copied must look like the other one.
            let is_whole = matches!(types.get(place.ty), Type::Array(..) | Type::Record(_))
                && !is_address
                && !place.path.is_empty();
            split[object.index()] &= !(is_computed || is_address || is_whole);
        }
    };
    for_each_value(flat, &mut |value| match &value.kind {
        ValueKind::Load(place) => visit_place(&mut split, place, false),
        ValueKind::Address(place) => visit_place(&mut split, place, true),
        _ => {}
    });
    for op in flat.edges.iter().flat_map(|edge| &edge.ops) {
        match op {
            Op::Assign(place, value) => {
                visit_place(&mut split, place, false);
                if !types.is_scalar(place.ty)
                    && let (Root::Object(a), ValueKind::Load(source)) = (&place.root, &value.kind)
                {
                    split[a.index()] = false;
                    if let Root::Object(b) = source.root {
                        split[b.index()] = false;
                    }
                }
            }
            Op::Zero(place) | Op::Havoc { place, .. } | Op::Nondet { place: Some(place), .. } => {
                if let Root::Object(object) = place.root {
                    split[object.index()] &= !has_computed_index(place);
                }
            }
            Op::Assume(..)
            | Op::Evaluate(_)
            | Op::Nondet { place: None, .. }
            | Op::Approximate(_)
            | Op::Begin
            | Op::NothingHeld
            | Op::Allocate { .. }
            | Op::Free { .. }
            | Op::Outside { .. } => {}
        }
    }
    split
}

fn has_computed_index(place: &Place) -> bool {
    let is_computed = |step: &Step| matches!(step, Step::Index(index) if index.as_int().is_none());
    place.path.iter().any(is_computed)
}

impl<'a> Lowerer<'a> {
    /// The numbers of a type; pointers are addresses.
    fn int_of(&self, ty: TypeId) -> Option<IntType> {
        match self.types.get(ty) {
            Type::Int(int) => Some(*int),
            Type::Pointer(_) => Some(IntType::address(self.types.long(false).width)),
            Type::Float(bytes) => IntType::float(*bytes),
            _ => None,
        }
    }

    fn word(&self) -> IntType {
        self.types.long(true)
    }

    fn object_type(&self, object: ObjectId) -> TypeId {
        self.flat.objects[object.index()].ty
    }

    /// Something has to hold for the expression to have a meaning.
    fn need(&mut self, condition: Term) {
        let guarded = Term::and(self.guards.iter().copied()).implies(condition);
        if !guarded.is_true() {
            self.needs.push(guarded);
        }
    }

    /// The expression leaves the model under a condition.
    fn escape(&mut self, condition: Term, what: &str) {
        self.leave(condition, || Failure::Unsupported(what.into()));
    }

    /// A check is violated under a condition.
    fn check(
        &mut self,
        check: Check,
        condition: Term,
        what: &str,
        start: usize,
        expression: impl FnOnce() -> String,
    ) {
        let meaning = match self.checks.meaning(check) {
            // What ends the program there may have lost memory before.
            Meaning::Machine if self.flat.n_live.is_some() => Meaning::Outside,
            meaning => meaning,
        };
        match meaning {
            Meaning::Machine => self.need(condition.not()),
            Meaning::Outside => self.escape(condition, what),
            Meaning::Violated => self.leave(condition, || {
                let expression = expression();
                Failure::Violation(Violation { start, check, expression })
            }),
        }
    }

    /// The execution ends under a condition, if it has come so far: what the operation needs before holds.
    fn leave(&mut self, condition: Term, failure: impl FnOnce() -> Failure) {
        let before = self.guards.iter().chain(&self.needs).copied();
        let guarded = Term::and(before.chain([condition]));
        let is_known = |(known, _): &(Term, Failure)| *known == guarded;
        if !guarded.is_false() && !self.escapes.iter().any(is_known) {
            self.escapes.push((guarded, failure()));
        }
        self.need(condition.not());
    }

    fn edge(&mut self, edge: &'a Edge, edges: &mut Vec<LoweredEdge>) {
        let mut lowered = LoweredEdge {
            source: edge.source.0,
            target: edge.target.0,
            stmts: Vec::with_capacity(edge.ops.len() + 1),
            start: edge.start,
            function: edge.function,
            procedure: edge.procedure,
            call: edge.call,
            failure: edge.failure.clone(),
            approximations: Vec::new(),
            nondets: Vec::new(),
            unset: Vec::new(),
        };
        for op in &edge.ops {
            let before = lowered.stmts.len();
            self.operation(op, &mut lowered);
            for (condition, what) in std::mem::take(&mut self.escapes) {
                let mut escape = lowered.clone();
                escape.target = Flat::ERROR.0;
                escape.failure = Some(what);
                escape.call = None;
                escape.stmts.truncate(before);
                escape.stmts.push(Stmt::Assume(condition));
                // Both sides of a branch compute the same.
                if !edges.iter().rev().take(8).any(|known| is_same(known, &escape)) {
                    edges.push(escape);
                }
            }
        }
        edges.push(lowered);
    }
}

/// Whether two edges end executions at the same node, in the same way.
fn is_same(a: &LoweredEdge, b: &LoweredEdge) -> bool {
    a.source == b.source && a.failure == b.failure && a.stmts == b.stmts
}
