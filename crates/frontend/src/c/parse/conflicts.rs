//! Names that are declared more than once: gcc accepts some of that, the rest makes a program invalid.

use super::{Parsed, Parser};
use crate::c::parse::lexer::Token;
use crate::c::types::Rank;
use crate::c::types::{Signature, Type, TypeId};

/// Who else may mean the same thing by the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Linkage {
    /// Nobody: a local variable.
    None,
    /// `static` at file scope.
    Internal,
    /// `extern`, which keeps the linkage that there is.
    Extern,
    /// Neither of them, at file scope.
    Plain,
}

/// What sort of thing a name was declared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Typedef,
    Constant,
    Parameter,
    Variable(Linkage),
    Function(Linkage),
    /// A function that is called before it is declared.
    Implicit,
}

/// A declaration of a name by the program. Names that are known without one conflict with nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Declared {
    pub(super) sort: Sort,
    pub(super) ty: TypeId,
    /// Whether it has an initialiser.
    pub(super) is_set: bool,
}

impl Sort {
    pub(super) fn linkage(self) -> Linkage {
        match self {
            Sort::Variable(linkage) | Sort::Function(linkage) => linkage,
            Sort::Implicit => Linkage::Plain,
            _ => Linkage::None,
        }
    }

    fn is_function(self) -> bool {
        matches!(self, Sort::Function(_) | Sort::Implicit)
    }
}

/// Functions that gcc knows, with results other than `int`: a call before their declaration takes that into account.
const LIBRARY: [&str; 44] = [
    "abort", "alloca", "calloc", "ceil", "cos", "exit", "exp", "fabs", "fabsf", "floor", "fmax",
    "fmin", "fmod", "free", "labs", "llabs", "log", "malloc", "memchr", "memcpy", "memmove",
    "mempcpy", "memset", "pow", "realloc", "round", "sin", "sqrt", "stpcpy", "strcat", "strchr",
    "strcpy", "strcspn", "strdup", "strlen", "strncat", "strncpy", "strndup", "strpbrk", "strrchr",
    "strspn", "strstr", "tan", "trunc",
];

/// Whether gcc knows a function of this name that does not return `int`.
pub(super) fn is_library(name: &str) -> bool {
    LIBRARY.contains(&name)
}

impl<'s> Parser<'s> {
    /// Notes a declaration, and rejects it if an earlier one of the same name conflicts with it.
    pub(super) fn note_declaration(&mut self, name: Token<'s>, new: Declared) -> Parsed<()> {
        let here = self.scopes.last().and_then(|scope| scope.declared.get(name.text).copied());
        let has_linkage = new.sort.linkage() != Linkage::None;
        let linked = self.checks.linked.get(name.text).copied().filter(|_| has_linkage);
        for old in [here, linked].into_iter().flatten() {
            if let Some(conflict) = self.conflict(name.text, old, new) {
                return Err(self.error_at(name, conflict));
            }
        }
        let new = linked.map_or(new, |old| self.merged(old, new));
        if has_linkage {
            self.checks.linked.insert(name.text, new);
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.declared.insert(name.text, new);
        }
        Ok(())
    }

    /// What is known after both declarations.
    fn merged(&self, old: Declared, new: Declared) -> Declared {
        let is_open = match self.types.get(new.ty) {
            Type::Function(signature) => signature.open && signature.params.is_empty(),
            Type::Array(_, None) => true,
            _ => false,
        };
        let keeps = old.sort.linkage() == Linkage::Internal && new.sort != Sort::Implicit;
        Declared {
            sort: if keeps || new.sort == Sort::Implicit { old.sort } else { new.sort },
            ty: if is_open && old.sort != Sort::Implicit { old.ty } else { new.ty },
            is_set: old.is_set || new.is_set,
        }
    }

    /// Why a declaration cannot follow another one.
    fn conflict(&self, name: &str, old: Declared, new: Declared) -> Option<String> {
        let (before, after) = (old.sort.linkage(), new.sort.linkage());
        match (old.sort, new.sort) {
            (_, Sort::Implicit) => return None,
            (Sort::Parameter, Sort::Parameter) => {
                return Some(format!("redefinition of the parameter `{name}`"));
            }
            (Sort::Constant, Sort::Constant) => {
                return Some(format!("redeclaration of the enumerator `{name}`"));
            }
            (Sort::Variable(Linkage::None), Sort::Variable(_))
            | (Sort::Variable(_), Sort::Variable(Linkage::None)) => {
                return Some(format!("redeclaration of `{name}`, which has no linkage"));
            }
            (Sort::Typedef, Sort::Typedef) | (Sort::Variable(_), Sort::Variable(_)) => {}
            (a, b) if a.is_function() && b.is_function() => {}
            _ => return Some(format!("`{name}` is redeclared as a different kind of symbol")),
        }
        if old.sort == Sort::Implicit && is_library(name) {
            return None;
        }
        if !self.is_compatible(old.ty, new.ty) && !self.is_implicit_void(old, new) {
            return Some(format!("conflicting types for `{name}`"));
        }
        if after == Linkage::Internal && before != Linkage::Internal && old.sort != Sort::Typedef {
            return Some(format!("a static declaration of `{name}` follows a non-static one"));
        }
        let is_plain = matches!(new.sort, Sort::Variable(Linkage::Plain));
        if is_plain && before == Linkage::Internal {
            return Some(format!("a non-static declaration of `{name}` follows a static one"));
        }
        (old.is_set && new.is_set).then(|| format!("redefinition of `{name}`"))
    }

    /// gcc only warns if a function turns out to return nothing after it was called.
    fn is_implicit_void(&self, old: Declared, new: Declared) -> bool {
        let returns_nothing = match self.types.get(new.ty) {
            Type::Function(signature) => matches!(self.types.get(signature.result), Type::Void),
            _ => false,
        };
        old.sort == Sort::Implicit && returns_nothing
    }

    /// Whether two types are compatible, as far as types are told apart here: qualifiers are not.
    pub(super) fn is_compatible(&self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        match (self.types.get(a), self.types.get(b)) {
            (Type::Opaque(_), _) | (_, Type::Opaque(_)) => true,
            (Type::Array(a, n), Type::Array(b, m)) => {
                (n.is_none() || m.is_none() || n == m) && self.is_compatible(*a, *b)
            }
            (Type::Pointer(a), Type::Pointer(b))
            | (Type::Variable(a), Type::Variable(b) | Type::Array(b, _))
            | (Type::Array(a, _), Type::Variable(b)) => self.is_compatible(*a, *b),
            (Type::Function(a), Type::Function(b)) => {
                self.is_compatible(a.result, b.result) && self.has_compatible_parameters(a, b)
            }
            (a, b) => a == b,
        }
    }

    fn has_compatible_parameters(&self, a: &Signature, b: &Signature) -> bool {
        match (a.open, b.open) {
            (false, false) => {
                let mut pairs = a.params.iter().zip(&b.params);
                a.params.len() == b.params.len() && pairs.all(|(a, b)| self.is_compatible(*a, *b))
            }
            // Nothing is said about parameters: they are what arguments are promoted to.
            (true, false) if a.params.is_empty() => !self.has_narrow_parameters(b),
            (false, true) if b.params.is_empty() => !self.has_narrow_parameters(a),
            _ => true,
        }
    }

    fn has_narrow_parameters(&self, signature: &Signature) -> bool {
        signature.params.iter().any(|param| match self.types.get(*param) {
            Type::Int(int) => int.rank < Rank::Int,
            Type::Float(bytes) => *bytes < 8,
            _ => false,
        })
    }
}
