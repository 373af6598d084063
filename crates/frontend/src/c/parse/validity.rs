//! Operands that no operator takes, and other expressions that make a program invalid.
//!
//! The parser gives everything a type, also what it does not support. A complaint is made only where the types are certain.
//! The first complaint rejects the program at the end of the declaration.

use rustc_hash::{FxHashMap, FxHashSet};

use super::conflicts::Declared;
use super::{Parsed, Parser};
use crate::c::ir::BUILTIN;
use crate::c::ir::{Binary, Expr, Kind, StmtKind};
use crate::c::types::{Type, TypeId};
use crate::source::ParseError;

/// What is remembered in order to reject invalid programs.
#[derive(Default)]
pub(super) struct Checks<'s> {
    /// The first complaint.
    problem: Option<Box<ParseError>>,
    /// What is declared with linkage, in whatever scope.
    pub(super) linked: FxHashMap<&'s str, Declared>,
    /// The functions that were called before they were declared.
    pub(super) implicit: FxHashSet<u32>,
    /// The functions whose parameters are named without types, as in old C.
    pub(super) old: FxHashSet<u32>,
    /// Whether arguments may be given for a union.
    pub(super) has_transparent_unions: bool,
    /// The first assignment to something `const`.
    pub(super) assigned_constant: Option<Box<ParseError>>,
    /// The tokens of the last expression that is no lvalue, although its operand may be one.
    rvalue: Option<(usize, usize)>,
    /// In how many lists of parameters the parser is.
    pub(super) n_prototypes: usize,
}

impl Parser<'_> {
    /// Rejects the program for what starts at a place, unless that happened before.
    pub(super) fn complain(&mut self, start: usize, message: impl Into<String>) {
        if self.checks.problem.is_none() {
            let last = self.source.text().len();
            let end = (start + 1).min(last);
            let error = self.source.error(start.min(last)..end, message);
            self.checks.problem = Some(Box::new(error));
        }
    }

    /// The first complaint so far.
    pub(super) fn check_problems(&mut self) -> Parsed<()> {
        self.checks.problem.take().map_or(Ok(()), Err)
    }

    /// The expression from the token `first` to the current one is no lvalue.
    pub(super) fn note_rvalue(&mut self, first: usize) {
        self.checks.rvalue = Some((first, self.at));
    }

    /// Whether that was noted.
    pub(super) fn is_rvalue(&self, first: usize) -> bool {
        self.checks.rvalue == Some((first, self.at))
    }

    /// Whether the type of an expression is that of the program, and not a stand-in.
    fn is_certain(&self, value: &Expr) -> bool {
        if matches!(self.types.get(value.ty), Type::Opaque(_)) {
            return false;
        }
        match &value.kind {
            Kind::Unsupported(_) => false,
            Kind::Function(function) => {
                let name = &self.functions[*function as usize].name;
                !self.checks.implicit.contains(function) && !name.starts_with(BUILTIN)
            }
            Kind::Deref(a)
            | Kind::Member(a, _)
            | Kind::Address(a)
            | Kind::Decay(a)
            | Kind::Unary(_, a)
            | Kind::Wrapped(_, a)
            | Kind::Convert(a)
            | Kind::Comma(_, a)
            | Kind::Call(a, ..) => self.is_certain(a),
            Kind::Index(a, b)
            | Kind::Binary(_, a, b)
            | Kind::Move(a, b)
            | Kind::Distance(a, b)
            | Kind::Conditional(_, a, b)
            | Kind::Elvis(a, b)
            | Kind::Assign(a, b) => self.is_certain(a) && self.is_certain(b),
            Kind::Update { place, right, .. } => self.is_certain(place) && self.is_certain(right),
            Kind::Block(stmts) => match stmts.last().map(|last| &last.kind) {
                Some(StmtKind::Expr(value)) => self.is_certain(value),
                Some(StmtKind::Unsupported(_)) => false,
                _ => true,
            },
            Kind::Int(_)
            | Kind::Float(_)
            | Kind::Var(_)
            | Kind::And(..)
            | Kind::Or(..)
            | Kind::Literal(..) => true,
        }
    }

    /// Complains about a value, if its type is certain.
    fn reject(&mut self, value: &Expr, message: impl Into<String>) {
        if self.is_certain(value) {
            self.complain(value.start, message);
        }
    }

    fn is_void(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Void)
    }

    fn is_record(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Record(_))
    }

    fn is_float(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Float(_))
    }

    fn is_pointer(&self, ty: TypeId) -> bool {
        self.types.pointee(ty).is_some() || self.types.element(ty).is_some()
    }

    /// A condition must be a number or a pointer.
    pub(super) fn check_scalar(&mut self, value: &Expr) {
        if self.is_void(value.ty) {
            self.reject(value, "a `void` value is used");
        } else if self.is_record(value.ty) {
            self.reject(value, "a structure is used where a number or a pointer is required");
        }
    }

    /// A value that is used must be one.
    pub(super) fn check_used(&mut self, value: &Expr) {
        if self.is_void(value.ty) {
            self.reject(value, "a `void` value is used");
        }
    }

    /// A value that must be an integer.
    pub(super) fn check_integer(&mut self, value: &Expr, message: &str) {
        if self.types.as_int(value.ty).is_none() {
            self.reject(value, message);
        }
    }

    /// A value for something of a type, as in an assignment.
    pub(super) fn check_assignable(&mut self, value: &Expr, ty: TypeId) {
        let from = value.ty;
        if self.is_void(from) {
            return self.reject(value, "a `void` value is used");
        }
        let is_wrong = match (self.types.get(ty), self.types.get(from)) {
            (Type::Record(a), Type::Record(b)) => a != b,
            (Type::Record(record), from) => {
                let is_union = self.types.records[*record as usize].is_union;
                let may_be_given = is_union && self.checks.has_transparent_unions;
                !(may_be_given || matches!(from, Type::Opaque(_)))
            }
            (Type::Int(_) | Type::Float(_) | Type::Pointer(_), Type::Record(_))
            | (Type::Array(..), Type::Int(_) | Type::Float(_)) => true,
            (Type::Pointer(_), _) => self.is_float(from),
            (Type::Float(_), _) => self.is_pointer(from),
            _ => false,
        };
        if is_wrong {
            let (to, from) = (self.types.name(ty), self.types.name(from));
            self.reject(value, format!("incompatible types: `{from}` where `{to}` is required"));
        }
    }

    /// A cast: to a number or pointer only from one, and not between floating numbers and pointers.
    pub(super) fn check_cast(&mut self, value: &Expr, ty: TypeId) {
        let is_wrong = self.types.is_scalar(ty)
            && (self.is_void(value.ty) || self.is_record(value.ty))
            || self.is_float(ty) && self.is_pointer(value.ty)
            || self.types.pointee(ty).is_some() && self.is_float(value.ty);
        if is_wrong {
            let (to, from) = (self.types.name(ty), self.types.name(value.ty));
            self.reject(value, format!("a value of type `{from}` cannot be cast to `{to}`"));
        }
    }

    /// The operands of a binary operator.
    pub(super) fn check_operands(&mut self, op: &str, left: &Expr, right: &Expr) {
        for side in [left, right] {
            if self.is_void(side.ty) {
                return self.reject(side, "a `void` value is used");
            }
        }
        let [l, r] = [left.ty, right.ty];
        let is_int = |ty| self.types.as_int(ty).is_some();
        let is_right = match op {
            _ if self.is_record(l) || self.is_record(r) => false,
            "&&" | "||" => true,
            "%" | "&" | "|" | "^" | "<<" | ">>" => is_int(l) && is_int(r),
            "*" | "/" => !self.is_pointer(l) && !self.is_pointer(r),
            "+" if self.is_pointer(l) => is_int(r),
            "+" if self.is_pointer(r) => is_int(l),
            "-" if self.is_pointer(l) => is_int(r) || self.is_pointer(r),
            "-" => !self.is_pointer(r),
            _ => {
                !(self.is_pointer(l) && self.is_float(r) || self.is_float(l) && self.is_pointer(r))
            }
        };
        if !is_right && self.is_certain(right) {
            let (l, r) = (self.types.name(l), self.types.name(r));
            self.reject(left, format!("invalid operands of `{op}`: `{l}` and `{r}`"));
        }
        if matches!(op, "+" | "-") {
            self.check_moved(left);
            self.check_moved(right);
        }
    }

    /// The operand of a unary operator.
    pub(super) fn check_operand(&mut self, op: &str, value: &Expr) {
        let is_right = match op {
            "!" => self.types.is_scalar(value.ty) || self.is_pointer(value.ty),
            "~" => self.types.as_int(value.ty).is_some(),
            "*" | "->" | "[]" => self.is_pointer(value.ty),
            "++" | "--" => self.types.is_scalar(value.ty),
            _ => self.types.as_int(value.ty).is_some() || self.is_float(value.ty),
        };
        let is_function = matches!(self.types.get(value.ty), Type::Function(_));
        let is_right = is_right || is_function && matches!(op, "!" | "*" | "[]");
        if !is_right {
            let ty = self.types.name(value.ty);
            self.reject(value, format!("invalid operand of `{op}`: `{ty}`"));
        }
        if matches!(op, "++" | "--" | "[]") {
            self.check_moved(value);
        }
    }

    /// How far a pointer moves depends on the size of its target.
    fn check_moved(&mut self, pointer: &Expr) {
        let Some(to) = self.types.pointee(pointer.ty) else { return };
        if self.is_incomplete(to) || matches!(self.types.get(to), Type::Array(_, None)) {
            self.reject(pointer, "arithmetic on a pointer to an incomplete type");
        }
    }

    /// The branches of `?:`.
    pub(super) fn check_branches(&mut self, then: &Expr, otherwise: &Expr) {
        let (a, b) = (then.ty, otherwise.ty);
        let is_right = match (self.types.get(a), self.types.get(b)) {
            (Type::Void, _) | (_, Type::Void) => true,
            (Type::Record(a), Type::Record(b)) => a == b,
            (Type::Record(_), _)
            | (_, Type::Record(_))
            | (Type::Pointer(_), Type::Float(_))
            | (Type::Float(_), Type::Pointer(_)) => false,
            _ => true,
        };
        if !is_right && self.is_certain(otherwise) {
            self.reject(then, "the branches of `?:` have types that do not match");
        }
    }

    /// What is called, and how many arguments it gets.
    pub(super) fn check_call(&mut self, callee: &Expr, n_args: usize) {
        let function = self.types.pointee(callee.ty).unwrap_or(callee.ty);
        let (n_params, open) = match self.types.get(function) {
            Type::Function(signature) => (signature.params.len(), signature.open),
            _ => return self.reject(callee, "this is called, but it is no function"),
        };
        let is_lax = match callee.kind {
            Kind::Function(function) => self.checks.old.contains(&function),
            _ => open,
        };
        if n_args < n_params && !is_lax {
            self.reject(callee, "too few arguments to this function");
        } else if n_args > n_params && !open {
            self.reject(callee, "too many arguments to this function");
        }
    }

    /// What stands on the left of an assignment.
    pub(super) fn check_assigned(&mut self, place: &Expr) {
        match self.types.get(place.ty) {
            Type::Array(..) | Type::Variable(_) => {
                self.reject(place, "an array cannot be assigned");
            }
            Type::Function(_) => self.reject(place, "a function cannot be assigned"),
            Type::Void => self.reject(place, "a `void` value is used"),
            _ => {}
        }
        if self.checks.assigned_constant.is_none() && self.types.is_read_only(place.ty) {
            let message = "a `const` object cannot be assigned";
            let error = self.source.error(place.start..place.start + 1, message);
            self.checks.assigned_constant = Some(Box::new(error));
        }
    }

    /// What `&` is applied to must lie in memory, and be no part of a byte.
    pub(super) fn check_addressed(&mut self, place: &Expr) {
        if !is_place(place) {
            self.reject(place, "the operand of `&` is no lvalue");
        } else if let Kind::Member(record, index) = &place.kind
            && self.types.members(record.ty).is_some_and(|members| members[*index].bits.is_some())
        {
            self.complain(place.start, "the address of a bit-field cannot be taken");
        }
    }

    /// `sizeof` needs a type whose size is known.
    pub(super) fn check_sized(&mut self, ty: TypeId, start: usize) {
        if self.is_incomplete(ty) || matches!(self.types.get(ty), Type::Array(_, None)) {
            self.complain(start, "`sizeof` of an incomplete type");
        }
    }

    /// Whether the length of an array cannot be constant: it depends on variables or calls, or divides by zero.
    pub(super) fn is_never_constant(&self, length: &Expr) -> bool {
        let any = |parts: &[&Expr]| parts.iter().any(|part| self.is_never_constant(part));
        match &length.kind {
            Kind::Int(_)
            | Kind::Float(_)
            | Kind::Function(_)
            | Kind::Unsupported(_)
            | Kind::Address(_)
            | Kind::Decay(_) => false,
            Kind::Binary(Binary::Div | Binary::Rem, _, right) if right.as_int() == Some(0) => true,
            Kind::Unary(_, a) | Kind::Convert(a) | Kind::Member(a, _) => any(&[a]),
            Kind::Binary(_, a, b)
            | Kind::Move(a, b)
            | Kind::Distance(a, b)
            | Kind::And(a, b)
            | Kind::Or(a, b)
            | Kind::Elvis(a, b) => any(&[a, b]),
            Kind::Conditional(a, b, c) => any(&[a, b, c]),
            Kind::Call(callee, ..) => self.is_certain(callee),
            _ => true,
        }
    }
}

/// Whether an expression names something in memory.
pub(super) fn is_place(place: &Expr) -> bool {
    match &place.kind {
        Kind::Member(base, _) => is_place(base),
        Kind::Var(_)
        | Kind::Deref(_)
        | Kind::Index(..)
        | Kind::Literal(..)
        | Kind::Function(_)
        | Kind::Unsupported(_) => true,
        _ => false,
    }
}
