//! Terms: interned applications of operators.

pub mod simplify;

use std::cell::Cell;
use std::cmp::Ordering;
use std::fmt;
use std::sync::OnceLock;

use dashu_int::IBig;
use dashu_ratio::RBig;
use rustc_hash::FxHashSet;

use crate::intern::{Interned, Interner};
use crate::op::{IllSorted, Op};
use crate::sort::Sort;
use crate::value::Value;
use crate::var::Var;

/// A term; equal terms are the same handle.
///
/// Order is the order of creation: fixed within a run, meaningless across runs and never shown.
#[derive(Clone, Copy)]
pub struct Term(&'static Interned<Node>);

/// Terms up to this size are walked by recursion, larger ones with a stack on the heap: terms of
/// programs nest deeper than a thread's stack.
pub(crate) const SMALL: u32 = 64;

#[derive(Debug)]
struct Node {
    op: Op,
    args: Box<[Term]>,
    sort: Sort,
    /// Nodes of the term written as a tree, saturating.
    size: u32,
    /// Sorted; computed when first asked for, and shared with an argument that has the same.
    vars: OnceLock<&'static [Var]>,
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.op == other.op && self.args == other.args
    }
}

impl Eq for Node {}

impl std::hash::Hash for Node {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.op.hash(state);
        self.args.hash(state);
    }
}

static TERMS: Interner<Node> = Interner::new();

thread_local! {
    /// How many terms this thread has asked for.
    static BUILT: Cell<u64> = const { Cell::new(0) };
}

impl Term {
    /// A value as a term.
    pub fn lit(value: Value) -> Term {
        let sort = value.sort();
        Term::intern(Op::Lit(value), Box::default(), sort)
    }

    /// A variable as a term.
    pub fn var(var: Var) -> Term {
        Term::intern(Op::Var(var), Box::default(), var.sort())
    }

    /// `op` applied to `args`, simplified locally; an error where the sorts do not fit.
    pub fn app(op: Op, args: Vec<Term>) -> Result<Term, IllSorted> {
        let sort = op.sort_of(&args.iter().map(|arg| arg.sort()).collect::<Vec<_>>())?;
        Ok(simplify::app(op, args, sort))
    }

    /// `op` applied to `args` just as written, for tests of what simplification preserves.
    pub fn verbatim(op: Op, args: Vec<Term>) -> Result<Term, IllSorted> {
        let sort = op.sort_of(&args.iter().map(|arg| arg.sort()).collect::<Vec<_>>())?;
        Ok(Term::intern(op, args.into(), sort))
    }

    pub(crate) fn intern(op: Op, args: Box<[Term]>, sort: Sort) -> Term {
        let size = args.iter().fold(1u32, |size, arg| size.saturating_add(arg.size()));
        BUILT.set(BUILT.get() + 1);
        Term(TERMS.intern(Node { op, args, sort, size, vars: OnceLock::new() }))
    }

    /// How many terms this thread has built, again or for the first time: a measure of effort without a clock.
    pub fn n_built() -> u64 {
        BUILT.get()
    }

    /// The operator at the head.
    pub fn op(self) -> &'static Op {
        &self.0.value.op
    }

    /// The arguments.
    pub fn args(self) -> &'static [Term] {
        &self.0.value.args
    }

    /// The sort.
    pub fn sort(self) -> Sort {
        self.0.value.sort
    }

    /// The number of nodes of the term written as a tree (saturating).
    pub fn size(self) -> u32 {
        self.0.value.size
    }

    /// The variables that occur, sorted.
    pub fn vars(self) -> &'static [Var] {
        self.0.value.vars.get_or_init(|| match (self.op(), self.args()) {
            (Op::Var(var), _) => Box::leak(Box::from([*var])),
            (_, []) => &[],
            (_, args) if self.size() <= SMALL => union(args.iter().map(|arg| arg.vars())),
            _ => union(self.frontier().into_iter().map(Term::vars)),
        })
    }

    /// Small parts, and parts whose variables are known, that together have all variables of this term.
    fn frontier(self) -> Vec<Term> {
        let mut frontier = Vec::new();
        let mut seen = FxHashSet::default();
        let mut pending = self.args().to_vec();
        while let Some(term) = pending.pop() {
            if !seen.insert(term) {
                continue;
            }
            if term.size() <= SMALL || term.0.value.vars.get().is_some() {
                frontier.push(term);
            } else {
                pending.extend(term.args());
            }
        }
        frontier
    }

    /// Whether `var` occurs.
    pub fn mentions(self, var: Var) -> bool {
        self.vars().binary_search(&var).is_ok()
    }

    /// The value, if the term is one.
    pub fn as_lit(self) -> Option<&'static Value> {
        match self.op() {
            Op::Lit(value) => Some(value),
            _ => None,
        }
    }

    /// The integer, if the term is one.
    pub fn as_int(self) -> Option<&'static IBig> {
        match self.as_lit() {
            Some(Value::Int(value)) => Some(value),
            _ => None,
        }
    }

    /// The number as a rational, if the term is one.
    pub fn as_number(self) -> Option<RBig> {
        match self.as_lit() {
            Some(value @ (Value::Int(_) | Value::Rat(_))) => Some(value.to_rat()),
            _ => None,
        }
    }

    /// The variable, if the term is one.
    pub fn as_var(self) -> Option<Var> {
        match self.op() {
            Op::Var(var) => Some(*var),
            _ => None,
        }
    }

    /// Whether the term is the literal `true`.
    pub fn is_true(self) -> bool {
        self.as_lit() == Some(&Value::Bool(true))
    }

    /// Whether the term is the literal `false`.
    pub fn is_false(self) -> bool {
        self.as_lit() == Some(&Value::Bool(false))
    }
}

impl Term {
    /// Order by what the terms are: variables as they were declared, before operators as they are listed, then by the
    /// first argument in which the terms differ. Unlike that of [`Ord`], this order does not depend on what else was built.
    pub(crate) fn cmp_structure(self, other: Term) -> Ordering {
        let (mut left, mut right) = (self, other);
        while left != right {
            let heads = left.op().cmp(right.op());
            let heads = heads.then_with(|| left.args().len().cmp(&right.args().len()));
            if heads.is_ne() {
                return heads;
            }
            let differing =
                left.args().iter().zip(right.args()).find(|(left, right)| left != right);
            // Terms with equal heads and equal arguments are one.
            let Some((left_arg, right_arg)) = differing else { break };
            (left, right) = (*left_arg, *right_arg);
        }
        Ordering::Equal
    }
}

/// The union of sorted sets; the largest of them itself if it has all.
fn union(sets: impl Iterator<Item = &'static [Var]> + Clone) -> &'static [Var] {
    let largest = sets.clone().max_by_key(|set| set.len()).unwrap_or_default();
    let is_new = |var: &&Var| largest.binary_search(var).is_err();
    let mut new: Vec<Var> =
        sets.filter(|set| !std::ptr::eq(*set, largest)).flatten().filter(is_new).copied().collect();
    if new.is_empty() {
        return largest;
    }
    new.extend(largest);
    new.sort_unstable();
    new.dedup();
    Box::leak(new.into())
}

impl PartialEq for Term {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Term {}

impl std::hash::Hash for Term {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.id.hash(state);
    }
}

impl PartialOrd for Term {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Term {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.id.cmp(&other.0.id)
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl From<Var> for Term {
    fn from(var: Var) -> Term {
        Term::var(var)
    }
}

impl From<Value> for Term {
    fn from(value: Value) -> Term {
        Term::lit(value)
    }
}

impl From<bool> for Term {
    fn from(value: bool) -> Term {
        // These two are asked for more often than all others together, and need no lookup.
        static TRUE: OnceLock<Term> = OnceLock::new();
        static FALSE: OnceLock<Term> = OnceLock::new();
        let known = if value { &TRUE } else { &FALSE };
        *known.get_or_init(|| Term::lit(Value::Bool(value)))
    }
}
