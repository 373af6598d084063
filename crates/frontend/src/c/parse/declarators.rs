//! Declarators: pointers, arrays and functions around a name.

use super::names::is_qualifier;
use super::specifiers::Storage;
use super::{Entry, Parsed, Parser, Scope};
use crate::c::ir::Expr;
use crate::c::ir::purity::is_pure;
use crate::c::parse::lexer::{Kind, Token};
use crate::c::types::{Type, TypeId};

/// A name with its type.
#[derive(Clone, Debug)]
pub(super) struct Declarator<'s> {
    pub(super) name: Option<Token<'s>>,
    pub(super) ty: TypeId,
    /// The names of the parameters, of the innermost function.
    pub(super) params: Vec<Param<'s>>,
    /// Whether the parameters were named without types, as in old C.
    pub(super) is_old: bool,
    /// The lengths of arrays that are no constants; that of the outermost one is the last.
    pub(super) lengths: Vec<Expr>,
    /// A `*` for a length.
    star: Option<Token<'s>>,
    /// The types and constants that the parameters declare, which the body of the function knows.
    pub(super) scope: Scope<'s>,
}

/// What is said of `*` for a length where it is not allowed.
pub(super) const OPEN_LENGTH: &str = "`[*]` outside of the parameters of a prototype";

/// A parameter of a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Param<'s> {
    pub(super) name: Option<Token<'s>>,
    pub(super) ty: TypeId,
    /// A `*` for a length in its type.
    pub(super) star: Option<Token<'s>>,
}

impl Declarator<'_> {
    pub(super) fn unnamed(ty: TypeId) -> Self {
        let (params, lengths) = (Vec::new(), Vec::new());
        Declarator {
            name: None,
            ty,
            params,
            is_old: false,
            lengths,
            star: None,
            scope: Scope::default(),
        }
    }
}

impl<'s> Parser<'s> {
    /// Reads a declarator around `base`; the name may be missing in abstract ones.
    pub(super) fn declarator(&mut self, base: TypeId, is_abstract: bool) -> Parsed<Declarator<'s>> {
        self.nested(|parser| parser.declarator_inside(base, is_abstract))
    }

    fn declarator_inside(&mut self, mut base: TypeId, is_abstract: bool) -> Parsed<Declarator<'s>> {
        loop {
            self.skip_attributes()?;
            if self.accept("*") {
                base = self.types.pointer(base);
            } else if is_qualifier(self.peek().text) {
                let word = self.advance().text;
                if let Some(qualifier) = self.types.kept_qualifier(word) {
                    base = self.types.qualified(base, qualifier);
                }
            } else {
                break;
            }
        }
        if self.is("(") && self.is_grouped() {
            // What is inside applies to what the suffixes behind make of the base: read them first.
            self.advance();
            let inside = self.at;
            self.skip_to_close()?;
            let mut outer = Declarator::unnamed(base);
            self.suffixes(&mut outer, true)?;
            let end = self.at;
            self.at = inside;
            let mut declarator = self.declarator(outer.ty, is_abstract)?;
            self.expect(")")?;
            self.at = end;
            declarator.lengths.splice(0..0, outer.lengths);
            declarator.star = declarator.star.or(outer.star);
            if declarator.params.is_empty() {
                declarator.params = outer.params;
                declarator.is_old = outer.is_old;
                declarator.scope = outer.scope;
            }
            return Ok(declarator);
        }
        let mut declarator = Declarator::unnamed(base);
        let token = self.peek();
        if token.kind == Kind::Word && !super::names::is_keyword(token.text) {
            declarator.name = Some(self.advance());
        } else if !is_abstract {
            return Err(self.unexpected("a name"));
        }
        self.suffixes(&mut declarator, false)?;
        Ok(declarator)
    }

    /// Whether a parenthesis groups a declarator, or lists parameters.
    fn is_grouped(&self) -> bool {
        let next = self.peek_at(1);
        match next.text {
            "*" | "(" | "^" | "[" | "__attribute__" | "__attribute" => true,
            ")" => false,
            word if is_qualifier(word) => false,
            word if next.kind == Kind::Word => {
                let is_type = super::names::is_specifier(word)
                    || matches!(self.lookup(word), Some(Entry::Typedef(_)));
                !is_type
            }
            _ => false,
        }
    }

    fn skip_to_close(&mut self) -> Parsed<()> {
        let mut open = 1;
        while open > 0 {
            let token = self.advance();
            match (token.kind, token.text) {
                (Kind::End, _) => return Err(self.unexpected("`)`")),
                (Kind::Mark, "(") => open += 1,
                (Kind::Mark, ")") => open -= 1,
                _ => {}
            }
        }
        Ok(())
    }

    /// `[…]` and `(…)` behind a name; the last one is applied first.
    fn suffixes(&mut self, declarator: &mut Declarator<'s>, is_outer: bool) -> Parsed<()> {
        enum Suffix {
            Array(Option<u64>),
            Variable(Expr),
            Star,
            Function(Vec<TypeId>, bool),
        }
        let mut suffixes = Vec::new();
        loop {
            if self.accept("[") {
                while is_qualifier(self.peek().text) || self.is("static") {
                    self.advance();
                }
                if self.is("*") && self.peek_at(1).text == "]" {
                    declarator.star = Some(self.star()?);
                    self.expect("]")?;
                    suffixes.push(Suffix::Star);
                    continue;
                }
                if self.accept("]") {
                    suffixes.push(Suffix::Array(None));
                    continue;
                }
                let length = self.assignment_expression()?;
                self.check_length(&length);
                self.expect("]")?;
                suffixes.push(match length.as_int() {
                    Some(length) => Suffix::Array(Some(u64::try_from(length).unwrap_or(u64::MAX))),
                    None => Suffix::Variable(length),
                });
            } else if self.is("(") {
                let list = self.parameters()?;
                let types = list.params.iter().map(|param| param.ty).collect();
                suffixes.push(Suffix::Function(types, list.open));
                if declarator.params.is_empty() && (suffixes.len() == 1 || is_outer) {
                    declarator.params = list.params;
                    declarator.is_old = list.is_old;
                    declarator.scope = list.scope;
                }
            } else {
                break;
            }
        }
        self.skip_attributes()?;
        for suffix in suffixes.into_iter().rev() {
            let ty = declarator.ty;
            let is_function = matches!(suffix, Suffix::Function(..));
            self.check_part(ty, is_function, declarator.name.unwrap_or_else(|| self.before()));
            declarator.ty = match suffix {
                Suffix::Array(length) => self.types.id(Type::Array(ty, length)),
                Suffix::Variable(length) => {
                    declarator.lengths.push(length);
                    self.types.id(Type::Variable(ty))
                }
                Suffix::Star => self.types.id(Type::Variable(ty)),
                Suffix::Function(params, open) => self.function_type(ty, params, open),
            };
        }
        Ok(())
    }

    /// `*` for a length that is left open, which only prototypes do.
    fn star(&mut self) -> Parsed<Token<'s>> {
        let token = self.advance();
        match self.checks.n_prototypes {
            0 => Err(self.error_at(token, OPEN_LENGTH)),
            _ => Ok(token),
        }
    }

    fn parameters(&mut self) -> Parsed<Parameters<'s>> {
        self.expect("(")?;
        let mut list = Parameters::default();
        if self.accept(")") {
            list.open = true;
            return Ok(list);
        }
        let first = self.peek();
        let is_old = first.kind == Kind::Word && !self.starts_type();
        if is_old {
            self.old_parameters(&mut list)?;
        } else {
            self.checks.n_prototypes += 1;
            let (result, scope) =
                self.with_scope(Scope::default(), |parser| parser.typed_parameters(&mut list));
            self.checks.n_prototypes -= 1;
            result?;
            list.scope = scope.without_parameters();
        }
        self.expect(")")?;
        Ok(list)
    }

    fn old_parameters(&mut self, list: &mut Parameters<'s>) -> Parsed<()> {
        (list.open, list.is_old) = (true, true);
        let int = self.types.int(crate::c::types::IntType::INT);
        loop {
            let name = self.advance();
            if name.kind != Kind::Word {
                return Err(self.error_at(name, "expected the name of a parameter"));
            }
            list.params.push(Param { name: Some(name), ty: int, star: None });
            if !self.accept(",") {
                return Ok(());
            }
        }
    }

    fn typed_parameters(&mut self, list: &mut Parameters<'s>) -> Parsed<()> {
        loop {
            if self.accept("...") {
                list.open = true;
                return Ok(());
            }
            let saved = self.attributes;
            let specifiers = self.specifiers()?;
            let declarator = self.declarator(specifiers.ty, true)?;
            self.attributes = saved;
            self.check_lengths(&declarator.lengths)?;
            let is_void = matches!(self.types.get(declarator.ty), Type::Void);
            if is_void && declarator.name.is_none() && list.params.is_empty() && self.is(")") {
                return Ok(());
            }
            if is_void && declarator.name.is_none() {
                return Err(self.error_at(self.before(), "a parameter cannot be `void`"));
            }
            if specifiers.storage != Storage::Plain {
                return Err(self.error_at(self.before(), "a storage class for a parameter"));
            }
            let ty = self.adjusted(declarator.ty);
            if let Some(name) = declarator.name {
                // Lengths of later parameters may mention it; as a parameter it is defined again.
                self.note_parameter(name, ty)?;
                let var = super::VarRef::Local(u32::MAX);
                self.define(name.text, Entry::Var(var, ty));
            }
            list.params.push(Param { name: declarator.name, ty, star: declarator.star });
            if !self.accept(",") {
                return Ok(());
            }
        }
    }

    /// Lengths that nobody keeps must not do anything, since they are not computed either.
    pub(super) fn check_lengths(&self, lengths: &[Expr]) -> Parsed<()> {
        match lengths.iter().find(|length| !is_pure(length, &self.types)) {
            Some(length) => {
                let what = "side effects in the length of an array are supported only where a variable is declared to be one";
                Err(Box::new(self.source.error(length.start..length.start + 1, what)))
            }
            None => Ok(()),
        }
    }

    /// Arrays and functions as parameters are pointers.
    pub(super) fn adjusted(&mut self, ty: TypeId) -> TypeId {
        if let Some(element) = self.types.element(ty) {
            return self.types.pointer(element);
        }
        match self.types.get(ty) {
            Type::Function(_) => self.types.pointer(ty),
            _ => ty,
        }
    }
}

#[derive(Default)]
struct Parameters<'s> {
    params: Vec<Param<'s>>,
    open: bool,
    is_old: bool,
    /// What else they declare.
    scope: Scope<'s>,
}
