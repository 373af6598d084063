//! Functions of the library that a program calls without a body: ours are read from the pieces behind its text.

use super::templates::is_template;
use super::{Entry, Parsed, Parser, Scope};
use crate::c::parse::attributes::Attributes;
use crate::c::parse::headers;
use crate::c::parse::lexer::{Kind, Token};
use crate::c::start::PARAMETERS;
use crate::c::types::{Type, TypeId};
use crate::source::Piece;

/// What is put aside while a piece is read.
pub(super) struct Aside<'s> {
    at: usize,
    scopes: Vec<Scope<'s>>,
    attributes: Attributes,
    current: Option<super::Current>,
}

impl<'s> Parser<'s> {
    /// Whether the next token belongs to the program, and not to the library behind it.
    pub(super) fn is_in_program(&self) -> bool {
        let next = self.peek();
        next.kind != Kind::End && next.start < self.source.end()
    }

    /// Reads the pieces whose functions are called and have no body. They may call others.
    pub(super) fn library(&mut self) -> Parsed<()> {
        self.starts()?;
        self.instances()?;
        let pieces = self.source.pieces().iter();
        let mut open: Vec<&Piece> =
            pieces.filter(|piece| piece.of.is_empty() && !is_template(&piece.text)).collect();
        loop {
            let n_open = open.len();
            for piece in std::mem::take(&mut open) {
                let Some(function) = self.called(piece.name) else {
                    open.push(piece);
                    continue;
                };
                let aside = self.begin(piece);
                self.define(piece.name, Entry::Function(function as u32));
                let read = self.piece(piece, function);
                self.resume(aside);
                read?;
            }
            if open.len() == n_open {
                return Ok(());
            }
        }
    }

    /// Reads what calls the entry of the program, in its own scope.
    fn starts(&mut self) -> Parsed<()> {
        for piece in self.source.pieces().iter().filter(|piece| !piece.of.is_empty()) {
            self.at = self.tokens.partition_point(|token| token.start < piece.start);
            let is_entry = |i: &usize| {
                self.functions[*i].name == piece.of && self.functions[*i].body.is_some()
            };
            let Some(entry) = (0..self.functions.len()).find(is_entry) else { continue };
            self.define(&piece.of, Entry::Function(entry as u32));
            let definition = &self.functions[entry];
            let params: Vec<TypeId> =
                definition.locals[..definition.n_params].iter().map(|param| param.ty).collect();
            for (i, ty) in params.into_iter().enumerate() {
                self.define(PARAMETERS[i.min(PARAMETERS.len() - 1)], Entry::Typedef(ty));
            }
            self.declarations_of(piece)?;
        }
        Ok(())
    }

    /// The function of a name that is called and has no body.
    fn called(&self, name: &str) -> Option<usize> {
        let function = self.function_named(name)?;
        let known = &self.functions[function];
        (known.is_used && known.body.is_none() && known.attribute.is_none()).then_some(function)
    }

    /// Declares a function of the library as its piece does, if there is one.
    pub(super) fn declare_of_library(&mut self, name: Token<'s>) -> Parsed<Option<u32>> {
        let Some(piece) = self.source.pieces().iter().find(|piece| piece.name == name.text) else {
            return Ok(None);
        };
        if is_template(&piece.text) {
            return Ok(None);
        }
        let aside = self.begin(piece);
        let ty = self.type_of_piece(piece);
        self.resume(aside);
        // It is known everywhere, as by its header.
        let inner = self.scopes.split_off(1);
        let function = ty?.map(|ty| self.declare_function(name, ty));
        self.scopes.extend(inner);
        Ok(function)
    }

    /// The type of the function that a piece defines.
    pub(super) fn type_of_piece(&mut self, piece: &Piece) -> Parsed<Option<TypeId>> {
        let end = piece.start + piece.text.len();
        while self.peek().start < end {
            if let Some(ty) = self.type_of_declaration(piece.name)? {
                return Ok(Some(ty));
            }
        }
        Ok(None)
    }

    /// Reads all declarations of a piece.
    pub(super) fn declarations_of(&mut self, piece: &Piece) -> Parsed<()> {
        let end = piece.start + piece.text.len();
        while self.peek().start < end && self.peek().kind != Kind::End {
            self.external_declaration()?;
            self.check_problems()?;
        }
        Ok(())
    }

    /// Reads a declaration up to its end or body; its type if it is of this name.
    fn type_of_declaration(&mut self, name: &str) -> Parsed<Option<TypeId>> {
        let specifiers = self.specifiers()?;
        let declarator = self.declarator(specifiers.ty, false)?;
        self.accept(";");
        let is_it = declarator.name.is_some_and(|other| other.text == name);
        Ok(is_it.then_some(declarator.ty))
    }

    pub(super) fn begin(&mut self, piece: &Piece) -> Aside<'s> {
        let aside = Aside {
            at: self.at,
            scopes: std::mem::replace(&mut self.scopes, vec![Scope::default()]),
            attributes: self.attributes,
            current: self.current.take(),
        };
        self.at = self.tokens.partition_point(|token| token.start < piece.start);
        self.builtin_names();
        for (name, ty) in headers::types(self.types.model) {
            let name = match name {
                "size_t" => "lapidary_size",
                "int64_t" => "lapidary_intmax",
                _ => continue,
            };
            let ty = self.types.int(ty);
            self.define(name, Entry::Typedef(ty));
        }
        aside
    }

    pub(super) fn resume(&mut self, aside: Aside<'s>) {
        let Aside { at, scopes, attributes, current } = aside;
        (self.at, self.scopes, self.attributes, self.current) = (at, scopes, attributes, current);
    }

    /// Reads a piece, unless its function has another type than what the program calls by this name.
    fn piece(&mut self, piece: &'s Piece, function: usize) -> Parsed<()> {
        let end = piece.start + piece.text.len();
        while self.peek().start < end && self.peek().kind != Kind::End {
            let at = self.at;
            if !self.is("extern") {
                let specifiers = self.specifiers()?;
                let declarator = self.declarator(specifiers.ty, false)?;
                if declarator.name.is_some_and(|name| name.text == piece.name) {
                    if !self.is_like(declarator.ty, self.functions[function].ty) {
                        return Ok(());
                    }
                    self.checks.linked.remove(piece.name);
                }
                self.at = at;
            }
            self.external_declaration()?;
            self.check_problems()?;
        }
        Ok(())
    }

    /// Whether a function can be called as one of another type: as numbers of one size and as addresses, values are the same.
    fn is_like(&self, ours: TypeId, theirs: TypeId) -> bool {
        let is_alike = |a: TypeId, b: TypeId| match (self.types.get(a), self.types.get(b)) {
            (Type::Pointer(_), Type::Pointer(_)) => true,
            (Type::Int(a), Type::Int(b)) => a.width == b.width && a.signed == b.signed,
            _ => self.is_compatible(a, b),
        };
        match (self.types.get(ours), self.types.get(theirs)) {
            (Type::Function(ours), Type::Function(theirs)) => {
                let mut pairs = ours.params.iter().zip(&theirs.params);
                let is_open = theirs.open && theirs.params.is_empty();
                is_alike(ours.result, theirs.result)
                    && (is_open
                        || ours.params.len() == theirs.params.len()
                            && ours.open == theirs.open
                            && pairs.all(|(a, b)| is_alike(*a, *b)))
            }
            _ => false,
        }
    }
}
