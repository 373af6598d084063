//! Variables, their versions, and uninterpreted functions.

use std::collections::BTreeSet;
use std::fmt;

use crate::intern::{Interned, Interner};
use crate::sort::Sort;

/// A variable: a declared name and sort, at a version.
///
/// Version 0 is the variable itself (`x`), version 1 the next state (`x'` in relations), and along a
/// path version *i* is its *i*-th value. See [`Versions`](crate::Versions).
#[derive(Clone, Copy)]
pub struct Var {
    decl: &'static Interned<Decl>,
    version: u32,
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Decl {
    name: Box<str>,
    sort: Sort,
}

/// A set of variables that iterates in a fixed order.
pub type VarSet = BTreeSet<Var>;

static DECLS: Interner<Decl> = Interner::new();

impl Var {
    /// The variable with this name and sort; the same handle for the same arguments.
    pub fn new(name: &str, sort: Sort) -> Var {
        Var { decl: DECLS.intern(Decl { name: name.into(), sort }), version: 0 }
    }

    /// The declared name, without the version.
    pub fn name(self) -> &'static str {
        &self.decl.value.name
    }

    /// The declared sort.
    pub fn sort(self) -> Sort {
        self.decl.value.sort
    }

    /// Which value of the variable along a path this is.
    pub fn version(self) -> u32 {
        self.version
    }

    /// The same variable at another version.
    #[must_use]
    pub fn at(self, version: u32) -> Var {
        Var { version, ..self }
    }

    /// The variable at version 0.
    #[must_use]
    pub fn base(self) -> Var {
        self.at(0)
    }

    /// The next-state variable `x'` of a relation.
    #[must_use]
    pub fn primed(self) -> Var {
        self.at(1)
    }

    fn key(self) -> (u32, u32) {
        (self.decl.id, self.version)
    }
}

impl PartialEq for Var {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Var {}

impl std::hash::Hash for Var {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl PartialOrd for Var {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Var {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// An uninterpreted function.
#[derive(Clone, Copy)]
pub struct Func(&'static Interned<Signature>);

#[derive(Debug, PartialEq, Eq, Hash)]
struct Signature {
    name: Box<str>,
    params: Box<[Sort]>,
    result: Sort,
}

static FUNCS: Interner<Signature> = Interner::new();

impl Func {
    /// The function with this name and signature.
    pub fn new(name: &str, params: &[Sort], result: Sort) -> Func {
        Func(FUNCS.intern(Signature { name: name.into(), params: params.into(), result }))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        &self.0.value.name
    }

    /// The sorts of its parameters.
    pub fn params(self) -> &'static [Sort] {
        &self.0.value.params
    }

    /// The sort of its result.
    pub fn result(self) -> Sort {
        self.0.value.result
    }
}

impl PartialEq for Func {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Func {}

impl std::hash::Hash for Func {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.id.hash(state);
    }
}

impl PartialOrd for Func {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Func {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.id.cmp(&other.0.id)
    }
}

impl fmt::Debug for Func {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
