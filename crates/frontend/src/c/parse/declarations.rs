//! Declarations of variables, functions and type names.

use super::conflicts::{Declared, Sort};
use super::declarators::{Declarator, OPEN_LENGTH};
use super::jumps::Jumps;
use super::specifiers::{Specifiers, Storage};
use super::{Current, Entry, Parsed, Parser};
use crate::c::ir::{
    Expr, Extent, Function, Init, Kind, Stmt, StmtKind, VarRef, Variable, unmodelled,
};
use crate::c::parse::lexer::Token;
use crate::c::types::{Type, TypeId};

/// The most bytes that an array of variable length has: twice what Linux gives to a stack.
const LARGEST_ARRAY: u64 = 1 << 24;

impl<'s> Parser<'s> {
    /// Something at file scope.
    pub(super) fn external_declaration(&mut self) -> Parsed<()> {
        if self.accept(";") {
            return Ok(());
        }
        match self.peek().text {
            "_Static_assert" => return self.static_assert(),
            "asm" | "__asm__" | "__asm" => {
                return self.file_assembly();
            }
            _ => {}
        }
        let first = self.peek();
        let specifiers = self.specifiers()?;
        if self.accept(";") {
            return Ok(());
        }
        let declarator = self.declarator(specifiers.ty, false)?;
        let is_function = matches!(self.types.get(declarator.ty), Type::Function(_));
        let starts_body = self.is("{") || declarator.is_old && self.starts_type();
        if is_function && starts_body && specifiers.storage != Storage::Typedef {
            return self.function_definition(specifiers.storage, declarator);
        }
        if self.at > 0 && first.start == self.peek().start {
            return Err(self.unexpected("a declaration"));
        }
        self.declarators(specifiers, declarator, &mut Vec::new())
    }

    /// Declarations inside a function; what has to be done is added to `stmts`.
    pub(super) fn local_declaration(&mut self, stmts: &mut Vec<Stmt>) -> Parsed<()> {
        if self.is("_Static_assert") {
            return self.static_assert();
        }
        self.forward_record()?;
        let specifiers = self.specifiers()?;
        if self.accept(";") {
            return Ok(());
        }
        let declarator = self.declarator(specifiers.ty, false)?;
        let is_function = matches!(self.types.get(declarator.ty), Type::Function(_));
        if is_function && self.is("{") {
            return Err(self.unexpected("`;` (functions inside functions are not supported)"));
        }
        self.declarators(specifiers, declarator, stmts)
    }

    fn declarators(
        &mut self,
        specifiers: Specifiers,
        first: Declarator<'s>,
        stmts: &mut Vec<Stmt>,
    ) -> Parsed<()> {
        let mut declarator = first;
        loop {
            declarator.ty = self.with_mode(declarator.ty);
            if !self.is_made_of(declarator.ty, specifiers.ty) {
                self.attributes.type_align = None;
            }
            self.declare(specifiers.storage, &declarator, stmts)?;
            if !self.accept(",") {
                break;
            }
            self.attributes = specifiers.attributes;
            declarator = self.declarator(specifiers.ty, false)?;
        }
        self.expect(";")?;
        Ok(())
    }

    fn declare(
        &mut self,
        storage: Storage,
        declarator: &Declarator<'s>,
        stmts: &mut Vec<Stmt>,
    ) -> Parsed<()> {
        let Some(name) = declarator.name else { return Err(self.unexpected("a name")) };
        let is_local = self.current.is_some() && storage == Storage::Plain;
        if !is_local {
            self.check_lengths(&declarator.lengths)?;
        }
        if storage == Storage::Typedef {
            let ty = declarator.ty;
            self.note_declaration(name, Declared { sort: Sort::Typedef, ty, is_set: false })?;
            self.define(name.text, Entry::Typedef(ty));
            let align = self.attributes.last_align.or(self.attributes.type_align);
            if let (Some(align), Some(scope)) = (align, self.scopes.last_mut()) {
                scope.aligns.insert(name.text, align);
            }
            return Ok(());
        }
        self.check_declared(storage, name, declarator)?;
        if self.is_renamed(name.text) {
            self.attributes.unmodelled = self.attributes.unmodelled.or(Some("asm"));
        }
        if matches!(self.types.get(declarator.ty), Type::Function(_)) {
            self.declare_with_attributes(name, declarator.ty);
            return Ok(());
        }
        if matches!(self.types.get(declarator.ty), Type::Void) {
            let is_outside = storage == Storage::Plain && self.current.is_none();
            if !(is_outside || storage == Storage::Extern) || self.is("=") {
                return Err(self.error_at(name, "a variable cannot be `void`"));
            }
            self.define(name.text, Entry::Void);
            return Ok(());
        }
        let unmodelled = self.attributes.unmodelled.map(|what| (unmodelled(what), name.start));
        match is_local {
            true => {
                self.declare_local(name, declarator, stmts)?;
                stmts.extend(unmodelled.map(|(what, start)| {
                    let kind = StmtKind::Unsupported(what);
                    Stmt { kind, start }
                }));
                Ok(())
            }
            false => {
                self.unmodelled = self.unmodelled.take().or(unmodelled);
                self.declare_global(storage, name, declarator.ty)
            }
        }
    }

    fn declare_local(
        &mut self,
        name: Token<'s>,
        declarator: &Declarator<'s>,
        stmts: &mut Vec<Stmt>,
    ) -> Parsed<()> {
        let ty = declarator.ty;
        let extent = self.extent(name, declarator, stmts)?;
        let var = self.new_variable(name.text, ty, name.start);
        self.define(name.text, Entry::Var(var, ty));
        self.note_alignment(var, ty);
        let init = match self.accept("=") {
            true => Some(self.initializer(ty)?),
            false => None,
        };
        self.check_complete(name, init.as_ref().map_or(ty, |(_, ty)| *ty))?;
        let VarRef::Local(local) = var else { return Ok(()) };
        if let Some(current) = &mut self.current {
            current.locals[local as usize].extent = extent;
        }
        let init = init.map(|(init, ty)| {
            self.set_type(name.text, var, ty);
            init
        });
        stmts.push(Stmt { kind: StmtKind::Declare(local, init), start: name.start });
        Ok(())
    }

    /// The length of an array that is computed here goes to a variable of its own; other lengths in its type are not
    /// computed. Arrays in such arrays must have constant lengths.
    fn extent(
        &mut self,
        name: Token<'s>,
        declarator: &Declarator<'s>,
        stmts: &mut Vec<Stmt>,
    ) -> Parsed<Option<Extent>> {
        let (Type::Variable(element), Some((length, others))) =
            (self.types.get(declarator.ty), declarator.lengths.split_last())
        else {
            self.check_lengths(&declarator.lengths)?;
            return Ok(None);
        };
        self.check_lengths(others)?;
        let element = *element;
        let size = self.types.size(element).filter(|size| (1..=LARGEST_ARRAY).contains(size));
        let Some(size) = size else { return Ok(None) };
        let longest = self.types.id(Type::Array(element, Some(LARGEST_ARRAY / size)));
        let long = self.types.long(true);
        let long = self.types.int(long);
        let start = name.start;
        let hidden = self.new_variable(&format!("{}?length", name.text), long, start);
        let VarRef::Local(local) = hidden else { return Ok(None) };
        let value = Expr::new(Kind::Convert(Box::new(length.clone())), long, length.start);
        let place = Expr::new(Kind::Var(hidden), long, start);
        let assign = Expr::new(Kind::Assign(Box::new(place), Box::new(value)), long, start);
        stmts.push(Stmt { kind: StmtKind::Expr(assign), start });
        Ok(Some(Extent { length: local, longest }))
    }

    /// Variables at file scope, and static ones.
    fn declare_global(&mut self, storage: Storage, name: Token<'s>, ty: TypeId) -> Parsed<()> {
        // There is one variable of a name at file scope, also where a function declares it first, or another one hides it.
        let is_linked = storage == Storage::Extern || self.current.is_none();
        let known = self.linked.get(name.text).copied().filter(|_| is_linked);
        let global = known.unwrap_or_else(|| {
            let scope = self.current.as_ref().filter(|_| storage == Storage::Static);
            let scope = scope
                .map(|current| format!("{}::", self.functions[current.function as usize].name));
            self.globals.push(Variable {
                name: format!("{}{}", scope.unwrap_or_default(), name.text),
                ty,
                start: name.start,
                init: Vec::new(),
                is_extern: true,
                extent: None,
            });
            self.globals.len() as u32 - 1
        });
        if is_linked {
            self.linked.insert(name.text, global);
        }
        let var = VarRef::Global(global);
        let ty = match (self.types.get(ty), self.types.size(self.globals[global as usize].ty)) {
            (Type::Array(_, None), Some(_)) if known.is_some() => self.globals[global as usize].ty,
            _ => ty,
        };
        self.globals[global as usize].ty = ty;
        self.define(name.text, Entry::Var(var, ty));
        self.note_alignment(var, ty);
        if storage != Storage::Extern {
            self.globals[global as usize].is_extern = false;
        }
        if self.accept("=") {
            // What a literal in it stands for lives as long as the variable.
            let current = self.current.take();
            let (init, ty) = self.initializer(ty)?;
            self.current = current;
            self.globals[global as usize].init = init;
            self.globals[global as usize].is_extern = false;
            self.set_type(name.text, var, ty);
        }
        Ok(())
    }

    /// Remembers what attributes say about the alignment of a variable.
    fn note_alignment(&mut self, var: VarRef, ty: TypeId) {
        let (own, base) = (self.attributes.align, self.attributes.type_align);
        if own.is_some() || base.is_some() {
            let natural = base.unwrap_or_else(|| self.types.natural_align(ty));
            let variable = own.map_or(natural, |own| own.max(natural));
            self.aligns.insert(var, super::Aligned { variable, ty: base });
        }
    }

    /// The initialiser tells the length of an array.
    pub(super) fn set_type(&mut self, name: &'s str, var: VarRef, ty: TypeId) {
        match (var, &mut self.current) {
            (VarRef::Global(global), _) => self.globals[global as usize].ty = ty,
            (VarRef::Local(local), Some(current)) => current.locals[local as usize].ty = ty,
            _ => {}
        }
        if !name.is_empty() {
            self.define(name, Entry::Var(var, ty));
        }
    }

    /// Declares a function as its declaration says.
    fn declare_with_attributes(&mut self, name: Token<'s>, ty: TypeId) -> u32 {
        let function = self.declare_function(name, ty);
        let entry = &mut self.functions[function as usize];
        entry.is_noreturn |= self.attributes.is_noreturn;
        entry.attribute = entry.attribute.or(self.attributes.unmodelled);
        function
    }

    /// Declares a function, or finds the one of that name.
    pub(super) fn declare_function(&mut self, name: Token<'s>, ty: TypeId) -> u32 {
        let known = self.function_named(name.text);
        let function = known.unwrap_or_else(|| {
            self.functions.push(Function {
                name: name.text.into(),
                ty,
                start: name.start,
                locals: Vec::new(),
                n_params: 0,
                body: None,
                is_used: false,
                has_address: false,
                is_noreturn: false,
                attribute: None,
            });
            self.functions.len() - 1
        });
        let entry = &mut self.functions[function];
        let is_open =
            |ty| matches!(self.types.get(ty), Type::Function(signature) if signature.open);
        if entry.body.is_none() && (is_open(entry.ty) || !is_open(ty)) {
            entry.ty = ty;
        }
        self.define(name.text, Entry::Function(function as u32));
        function as u32
    }

    fn function_definition(
        &mut self,
        storage: Storage,
        mut declarator: Declarator<'s>,
    ) -> Parsed<()> {
        let Some(name) = declarator.name else { return Err(self.unexpected("a name")) };
        let mut scope = std::mem::take(&mut declarator.scope);
        if declarator.is_old {
            let (result, known) =
                self.with_scope(scope, |parser| parser.old_declarations(&mut declarator));
            result?;
            scope = known;
        }
        self.check_declared(storage, name, &declarator)?;
        let function = self.declare_with_attributes(name, declarator.ty);
        self.check_definition(name, &declarator)?;
        if declarator.is_old {
            self.checks.old.insert(function);
        }
        if self.functions[function as usize].body.is_some() {
            return Err(self.error_at(name, format!("`{}` is defined twice", name.text)));
        }
        let Type::Function(signature) = self.types.get(declarator.ty) else {
            return Err(self.error_at(name, "this is no function"));
        };
        self.aligns.retain(|var, _| matches!(var, VarRef::Global(_)));
        self.current = Some(Current {
            function,
            result: signature.result,
            locals: Vec::new(),
            jumps: Jumps::default(),
        });
        self.scopes.push(scope);
        for param in &declarator.params {
            if let Some(star) = param.star {
                return Err(self.error_at(star, OPEN_LENGTH));
            }
            let (text, start) = param.name.map_or(("", name.start), |name| (name.text, name.start));
            let var = self.new_variable(text, param.ty, start);
            if let Some(name) = param.name {
                self.note_parameter(name, param.ty)?;
                self.define(text, Entry::Var(var, param.ty));
            }
        }
        let body = self.block_here();
        self.scopes.pop();
        let current = self.current.take();
        if let Some(current) = current.as_ref().filter(|_| body.is_ok()) {
            self.check_labels(&current.jumps)?;
        }
        let entry = &mut self.functions[function as usize];
        (entry.ty, entry.start, entry.n_params) =
            (declarator.ty, name.start, declarator.params.len());
        entry.locals = current.map(|current| current.locals).unwrap_or_default();
        entry.body = Some(body?);
        Ok(())
    }

    /// `int f(a, b) int a, b; { … }`.
    fn old_declarations(&mut self, declarator: &mut Declarator<'s>) -> Parsed<()> {
        while !self.is("{") {
            let specifiers = self.specifiers()?;
            loop {
                let declared = self.declarator(specifiers.ty, false)?;
                let ty = self.adjusted(declared.ty);
                let name = declared.name.map_or("", |name| name.text);
                let param = declarator
                    .params
                    .iter_mut()
                    .find(|param| param.name.is_some_and(|token| token.text == name));
                match param {
                    Some(param) => param.ty = ty,
                    None => return Err(self.unexpected("the declaration of a parameter")),
                }
                if !self.accept(",") {
                    break;
                }
            }
            self.expect(";")?;
        }
        let Type::Function(signature) = self.types.get(declarator.ty) else { return Ok(()) };
        let result = signature.result;
        let params = declarator.params.iter().map(|param| param.ty).collect();
        declarator.ty = self.function_type(result, params, true);
        Ok(())
    }

    /// Assembly at file scope may define and change anything, unless it is empty.
    fn file_assembly(&mut self) -> Parsed<()> {
        let start = self.advance().start;
        while matches!(self.peek().text, "volatile" | "__volatile__" | "__volatile") {
            self.advance();
        }
        let from = self.at;
        self.skip_parenthesized()?;
        let is_empty = |token: &Token<'_>| {
            matches!(token.text, "(" | ")") || token.text.trim_matches('"').trim().is_empty()
        };
        if !self.tokens[from..self.at].iter().all(is_empty) {
            self.unmodelled.get_or_insert(("assembly at file scope".into(), start));
        }
        self.expect(";")?;
        Ok(())
    }

    /// A condition of which we know that it is false rejects the program.
    pub(super) fn static_assert(&mut self) -> Parsed<()> {
        let token = self.advance();
        self.expect("(")?;
        let condition = self.conditional_expression()?;
        if condition.as_int() == Some(0) {
            return Err(self.error_at(token, "static assertion failed"));
        }
        if self.accept(",") {
            self.string_units()?;
        }
        self.expect(")")?;
        self.expect(";")?;
        Ok(())
    }

    /// The value of a variable that is initialised, and its type, with the length where that was open.
    fn initializer(&mut self, ty: TypeId) -> Parsed<(Vec<Init>, TypeId)> {
        self.initializer_of(ty)
    }
}
