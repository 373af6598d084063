//! Declarations that make a program invalid: types that cannot be, and names that are taken.

use super::conflicts::{Declared, Linkage, Sort};
use super::declarators::Declarator;
use super::records;
use super::specifiers::Storage;
use super::{Entry, Parsed, Parser};
use crate::c::ir::BUILTIN;
use crate::c::ir::{Expr, VarRef};
use crate::c::parse::lexer::Token;
use crate::c::types::{IntType, Type, TypeId};

impl<'s> Parser<'s> {
    /// A variable or function, before it is declared.
    pub(super) fn check_declared(
        &mut self,
        storage: Storage,
        name: Token<'s>,
        declarator: &Declarator<'s>,
    ) -> Parsed<()> {
        let (ty, is_set) = (declarator.ty, self.is("="));
        let is_block = self.current.is_some();
        let linkage = match storage {
            Storage::Extern => Linkage::Extern,
            Storage::Static if !is_block => Linkage::Internal,
            Storage::Plain if !is_block => Linkage::Plain,
            _ => Linkage::None,
        };
        let sort = match (self.types.get(ty), linkage) {
            (Type::Function(_), Linkage::None) => Sort::Function(Linkage::Extern),
            (Type::Function(_), linkage) => Sort::Function(linkage),
            _ => Sort::Variable(linkage),
        };
        if is_block && storage == Storage::Extern && is_set {
            let message = format!("`{}` has both `extern` and an initialiser", name.text);
            return Err(self.error_at(name, message));
        }
        let is_lasting = !is_block || storage != Storage::Plain;
        let is_variable = self.types.is_variable(ty);
        if is_lasting && is_variable && declarator.lengths.iter().any(|l| self.is_never_constant(l))
        {
            let message = format!("the size of `{}` is not constant", name.text);
            return Err(self.error_at(name, message));
        }
        self.note_declaration(name, Declared { sort, ty, is_set })
    }

    /// The parameter of a function.
    pub(super) fn note_parameter(&mut self, name: Token<'s>, ty: TypeId) -> Parsed<()> {
        self.note_declaration(name, Declared { sort: Sort::Parameter, ty, is_set: false })
    }

    /// A constant of an enumeration.
    pub(super) fn note_enumerator(&mut self, name: Token<'s>, ty: TypeId) -> Parsed<()> {
        self.note_declaration(name, Declared { sort: Sort::Constant, ty, is_set: false })
    }

    /// A function that is called before it is declared.
    pub(super) fn note_implicit(
        &mut self,
        name: Token<'s>,
        function: u32,
        ty: TypeId,
    ) -> Parsed<()> {
        if !self.checks.linked.contains_key(name.text) {
            self.checks.implicit.insert(function);
        }
        self.note_declaration(name, Declared { sort: Sort::Implicit, ty, is_set: false })
    }

    /// A local variable needs a type whose size is known.
    pub(super) fn check_complete(&self, name: Token<'s>, ty: TypeId) -> Parsed<()> {
        let message = match self.types.get(ty) {
            Type::Array(_, None) => "the size of this array is missing",
            _ if self.is_incomplete(ty) => "the type of this variable is incomplete",
            _ => return Ok(()),
        };
        Err(self.error_at(name, message))
    }

    /// Variables at file scope need such a type at the end of the file.
    pub(super) fn check_globals(&self) -> Parsed<()> {
        let is_wrong = |variable: &&crate::c::ir::Variable| {
            !variable.is_extern && self.is_incomplete(variable.ty)
        };
        match self.globals.iter().find(is_wrong) {
            Some(variable) => {
                let message = "the type of this variable is incomplete";
                let place = variable.start..variable.start + 1;
                Err(Box::new(self.source.error(place, message)))
            }
            None => Ok(()),
        }
    }

    /// The parameters and the result of a function with a body.
    pub(super) fn check_definition(
        &self,
        name: Token<'s>,
        declarator: &Declarator<'s>,
    ) -> Parsed<()> {
        let Type::Function(signature) = self.types.get(declarator.ty) else { return Ok(()) };
        if self.is_incomplete(signature.result) {
            return Err(self.error_at(name, "the type of the result is incomplete"));
        }
        for param in &declarator.params {
            let is_void = matches!(self.types.get(param.ty), Type::Void);
            if is_void || self.is_incomplete(param.ty) {
                let place = param.name.unwrap_or(name);
                return Err(self.error_at(place, "the type of this parameter is incomplete"));
            }
        }
        Ok(())
    }

    /// The length of an array.
    pub(super) fn check_length(&mut self, length: &Expr) {
        match (length.as_int(), self.types.get(length.ty)) {
            (Some(value), Type::Int(_)) if value < 0 => {
                self.complain(length.start, "the size of this array is negative");
            }
            (_, Type::Float(_) | Type::Pointer(_) | Type::Record(_)) => {
                self.complain(length.start, "the size of an array must be an integer");
            }
            _ => {}
        }
    }

    /// What the elements of an array, and the results of a function, cannot be.
    pub(super) fn check_part(&mut self, ty: TypeId, is_function: bool, name: Token<'s>) {
        let message = match (self.types.get(ty), is_function) {
            (Type::Function(_), true) => "a function cannot return a function",
            (Type::Array(..) | Type::Variable(_), true) => "a function cannot return an array",
            (_, true) => return,
            (Type::Function(_), false) => "the elements of an array cannot be functions",
            (Type::Void, false) => "the elements of an array cannot be `void`",
            (Type::Array(_, None), false) => "the elements of an array must have a size",
            _ if self.is_incomplete(ty) => "the type of the elements is incomplete",
            _ => return,
        };
        self.complain(name.start, message);
    }

    /// A tag that is mentioned or defined again must be of the same kind; none is that of an enumeration.
    pub(super) fn check_tag(
        &self,
        name: Token<'s>,
        known: TypeId,
        is_union: Option<bool>,
    ) -> Parsed<()> {
        let known = match self.types.get(known) {
            Type::Record(record) => Some(self.types.records[*record as usize].is_union),
            _ => None,
        };
        match known == is_union {
            true => Ok(()),
            false => {
                let message = format!("`{}` is the tag of another kind of type", name.text);
                Err(self.error_at(name, message))
            }
        }
    }

    /// The members of a structure or union.
    pub(super) fn check_members(
        &self,
        members: &[records::Declared<'s>],
        is_union: bool,
    ) -> Parsed<()> {
        let mut names = Vec::new();
        for (i, member) in members.iter().enumerate() {
            let ty = member.declarator.ty;
            let place = member.declarator.name.unwrap_or_else(|| self.before());
            let message = match self.types.get(ty) {
                Type::Void => "a member cannot be `void`",
                Type::Function(_) => "a member cannot be a function",
                Type::Array(_, None) if is_union => "an array without length in a union",
                Type::Array(_, None) if i + 1 < members.len() => {
                    "an array without length must be the last member"
                }
                Type::Array(_, None) if i == 0 => "an array without length is the only member",
                _ => "",
            };
            if !message.is_empty() {
                return Err(self.error_at(place, message));
            }
            match member.declarator.name {
                Some(name) => names.push((name.text.to_string(), place)),
                None => self.inner_names(ty, place, &mut names),
            }
        }
        let mut seen = rustc_hash::FxHashSet::default();
        match names.iter().find(|(name, _)| !seen.insert(name.as_str())) {
            Some((name, place)) => Err(self.error_at(*place, format!("duplicate member `{name}`"))),
            None => Ok(()),
        }
    }

    /// The names in an unnamed structure.
    fn inner_names(&self, ty: TypeId, place: Token<'s>, names: &mut Vec<(String, Token<'s>)>) {
        for member in self.types.members(ty).unwrap_or_default() {
            match member.name.is_empty() {
                true => self.inner_names(member.ty, place, names),
                false => names.push((member.name.clone(), place)),
            }
        }
    }

    /// The value of a switch: its type, if it is an integer.
    pub(super) fn check_switch(&mut self, value: &Expr) -> Option<IntType> {
        let ty = self.types.as_int(value.ty);
        if ty.is_none() {
            self.check_integer(value, "the value of a `switch` must be an integer");
        }
        ty
    }

    /// An argument, for a parameter if that is known.
    pub(super) fn check_argument(&mut self, value: &Expr, param: Option<TypeId>) {
        match param {
            Some(ty) => self.check_assignable(value, ty),
            None => self.check_used(value),
        }
    }

    /// `base[index]`.
    pub(super) fn check_element(&mut self, base: &Expr, index: &Expr) {
        let is_int = |ty| self.types.as_int(ty).is_some();
        let is_swapped = is_int(base.ty) && !is_int(index.ty);
        let (base, index) = if is_swapped { (index, base) } else { (base, index) };
        self.check_operand("[]", base);
        self.check_integer(index, "an index must be an integer");
    }

    /// The declaration at the start of a `for`, which begins with `first`: what it declares belongs to the loop.
    pub(super) fn check_loop_declaration(&self, first: Token<'s>) -> Parsed<()> {
        let Some(scope) = self.scopes.last() else { return Ok(()) };
        let is_called = |function: u32| {
            let name = &self.functions[function as usize].name;
            self.checks.implicit.contains(&function) || name.starts_with(BUILTIN)
        };
        let is_right = |entry: &Entry| match entry {
            Entry::Var(VarRef::Local(_), _) => true,
            Entry::Function(function) => is_called(*function),
            Entry::Var(..) | Entry::Typedef(_) | Entry::Constant(..) | Entry::Void => false,
        };
        if scope.tags.is_empty() && scope.names.values().all(is_right) {
            return Ok(());
        }
        Err(self.error_at(first, "only variables of the loop can be declared here"))
    }
}
