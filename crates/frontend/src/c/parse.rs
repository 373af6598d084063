//! From tokens to the typed form, in one pass: C cannot be parsed without knowing which names are types.
//!
//! The parser is written by hand. It knows GNU C as preprocessed programs have it; what it can read but not
//! give a meaning to becomes an `Unsupported` node, which matters only where it can be reached.

mod addresses;
mod attributes;
mod builtins;
mod checks;
mod conflicts;
mod declarations;
mod declarators;
mod designators;
mod expressions;
mod fields;
mod floating;
pub(in crate::c) mod headers;
mod initializers;
mod jumps;
pub(in crate::c) mod lexer;
mod library;
mod literals;
mod names;
mod placement;
mod postfix;
pub(in crate::c) mod pragmas;
mod records;
mod scans;
mod specifiers;
mod statements;
mod templates;
mod typing;
mod units;
mod validity;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::c::ir::{Function, LocalNames, Program, VarRef, Variable};
use crate::c::parse::lexer::{Kind, Token, Tokens};
use crate::c::parse::pragmas::Pragmas;
use crate::c::start::FILE;
use crate::c::types::{Type, TypeId, Types};
use crate::source::{ParseError, SourceFile};

/// A result inside the parser; boxed, since a deep recursion carries it.
pub(super) type Parsed<T> = Result<T, Box<ParseError>>;

/// Deeper programs are refused; the thread's stack is made for this depth.
const DEEPEST: u32 = 20_000;

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
enum Entry {
    Typedef(TypeId),
    Var(VarRef, TypeId),
    Function(u32),
    Constant(i128, TypeId),
    /// A variable of type `void`, of which nothing is known but that it has an address.
    Void,
}

/// The names of a block.
#[derive(Clone, Default, Debug)]
struct Scope<'s> {
    names: FxHashMap<&'s str, Entry>,
    tags: FxHashMap<&'s str, TypeId>,
    /// The alignments of type names that have one by an attribute.
    aligns: FxHashMap<&'s str, u64>,
    /// What the program declares, to find what it declares twice.
    declared: FxHashMap<&'s str, conflicts::Declared>,
    /// What labels are called that are declared for this block.
    labels: FxHashMap<&'s str, String>,
}

impl Scope<'_> {
    /// What parameters declare besides themselves.
    fn without_parameters(mut self) -> Self {
        self.names.retain(|_, entry| matches!(entry, Entry::Constant(..)));
        self.declared.retain(|name, _| self.names.contains_key(name));
        self
    }
}

/// Alignments that attributes set.
#[derive(Clone, Copy, Debug)]
struct Aligned {
    /// That of the variable.
    variable: u64,
    /// That of its type, by a type name.
    ty: Option<u64>,
}

/// The function that is being read.
struct Current {
    function: u32,
    result: TypeId,
    locals: Vec<Variable>,
    jumps: jumps::Jumps,
}

/// The state of the parser.
pub(super) struct Parser<'s> {
    source: &'s SourceFile,
    tokens: Vec<Token<'s>>,
    at: usize,
    depth: u32,
    scopes: Vec<Scope<'s>>,
    types: Types,
    globals: Vec<Variable>,
    /// The global variables that have their names everywhere.
    linked: FxHashMap<&'s str, u32>,
    functions: Vec<Function>,
    /// What nothing in the program can be trusted because of, and where that is.
    unmodelled: Option<(String, usize)>,
    pragmas: Pragmas,
    /// The alignment of variables for which it is not that of their type: by attributes and by type names.
    aligns: FxHashMap<VarRef, Aligned>,
    loops: BTreeMap<usize, LocalNames>,
    current: Option<Current>,
    /// What the attributes read since the start of the declaration say.
    attributes: attributes::Attributes,
    checks: validity::Checks<'s>,
    /// The sections that attributes name.
    sections: BTreeSet<String>,
    /// Whether headers are included that no preprocessor has replaced.
    has_headers: bool,
    /// Bodies of functions of the library that are still to be read.
    instances: Vec<templates::Instance>,
    /// How many files there were before this one.
    n_units: usize,
    /// How many structures they have.
    n_earlier: usize,
    /// The functions that are static in them.
    hidden: BTreeSet<usize>,
}

/// Reads a program.
pub(super) fn program<'s>(
    source: &'s SourceFile,
    tokens: Tokens<'s>,
    types: Types,
    has_headers: bool,
) -> Parsed<Program> {
    let mut parser = start(source, tokens, types, has_headers);
    parser.declarations()?;
    parser.check_globals()?;
    parser.check_sections();
    let Parser { types, globals, functions, unmodelled, loops, .. } = parser;
    let constants = BTreeSet::new();
    Ok(Program { types, globals, functions, unmodelled, loops, constants })
}

/// The variables that are `const`, with where they are declared, in a program that is valid otherwise; an error for the first
/// assignment to something `const`. The types have to keep `const`. They are not those of the translation, which knows nothing
/// of it.
pub(super) fn constants<'s>(
    source: &'s SourceFile,
    tokens: Tokens<'s>,
    types: Types,
    has_headers: bool,
) -> Parsed<BTreeSet<(usize, String)>> {
    let mut parser = start(source, tokens, types, has_headers);
    // Other errors were found before, if there were any.
    let _ = parser.declarations();
    // What is given to an entry gets its values although the entry must not change it.
    if let Some(error) = parser.checks.assigned_constant.filter(|error| error.file != FILE) {
        return Err(error);
    }
    let locals = parser.functions.iter().flat_map(|function| &function.locals);
    let variables = parser.globals.iter().chain(locals);
    let constants = variables.filter(|variable| parser.types.is_const(variable.ty));
    Ok(constants.map(|variable| (variable.start, variable.name.clone())).collect())
}

fn start<'s>(
    source: &'s SourceFile,
    tokens: Tokens<'s>,
    types: Types,
    has_headers: bool,
) -> Parser<'s> {
    let pragmas = Pragmas::new(&tokens.pragmas);
    let mut parser = Parser {
        source,
        tokens: tokens.all,
        at: 0,
        depth: 0,
        scopes: vec![Scope::default()],
        types,
        globals: Vec::new(),
        linked: FxHashMap::default(),
        functions: Vec::new(),
        unmodelled: pragmas.unknown.clone(),
        pragmas,
        aligns: FxHashMap::default(),
        loops: BTreeMap::new(),
        current: None,
        attributes: attributes::Attributes::default(),
        checks: validity::Checks::default(),
        sections: BTreeSet::new(),
        has_headers,
        instances: Vec::new(),
        n_units: 0,
        n_earlier: 0,
        hidden: BTreeSet::new(),
    };
    parser.builtin_names();
    if has_headers {
        parser.header_names();
    }
    parser
}

impl<'s> Parser<'s> {
    fn declarations(&mut self) -> Parsed<()> {
        while self.is_in_program() {
            self.begin_unit();
            self.external_declaration()?;
            self.check_problems()?;
        }
        self.library()
    }

    fn peek(&self) -> Token<'s> {
        self.tokens[self.at]
    }

    fn peek_at(&self, ahead: usize) -> Token<'s> {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    /// The token before the next one.
    fn before(&self) -> Token<'s> {
        self.tokens[self.at.saturating_sub(1)]
    }

    fn advance(&mut self) -> Token<'s> {
        let token = self.peek();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    /// Whether the next token is this mark or word.
    fn is(&self, text: &str) -> bool {
        let token = self.peek();
        token.text == text && matches!(token.kind, Kind::Mark | Kind::Word)
    }

    fn accept(&mut self, text: &str) -> bool {
        let found = self.is(text);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, text: &str) -> Parsed<Token<'s>> {
        match self.is(text) {
            true => Ok(self.advance()),
            false => Err(self.unexpected(&format!("`{text}`"))),
        }
    }

    #[expect(clippy::unnecessary_box_returns, reason = "errors are carried boxed")]
    fn unexpected(&self, wanted: &str) -> Box<ParseError> {
        let token = self.peek();
        let found = match token.kind {
            Kind::End => "the end of the file".into(),
            _ => format!("`{}`", token.text),
        };
        self.error_at(token, format!("expected {wanted}, found {found}"))
    }

    #[expect(clippy::unnecessary_box_returns, reason = "errors are carried boxed")]
    fn error_at(&self, token: Token<'_>, message: impl Into<String>) -> Box<ParseError> {
        Box::new(self.source.error(token.start..token.start + token.text.len(), message))
    }

    /// Reads something that may contain itself.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.error_at(self.peek(), format!("nested deeper than {DEEPEST} levels")));
        }
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn lookup(&self, name: &str) -> Option<Entry> {
        self.scopes.iter().rev().find_map(|scope| scope.names.get(name).copied())
    }

    /// The alignment that a type name has by an attribute.
    fn typedef_align(&self, name: &str) -> Option<u64> {
        let scope = self.scopes.iter().rev().find(|scope| scope.names.contains_key(name))?;
        scope.aligns.get(name).copied()
    }

    fn define(&mut self, name: &'s str, entry: Entry) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name, entry);
            scope.aligns.remove(name);
        }
    }

    fn tag(&self, name: &str) -> Option<TypeId> {
        self.scopes.iter().rev().find_map(|scope| scope.tags.get(name).copied())
    }

    /// Reads something in a scope of its own, and gives back that scope, too.
    fn with_scope<T>(
        &mut self,
        scope: Scope<'s>,
        read: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> (Parsed<T>, Scope<'s>) {
        self.scopes.push(scope);
        let result = read(self);
        (result, self.scopes.pop().unwrap_or_default())
    }

    fn in_scope<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.with_scope(Scope::default(), read).0
    }

    /// Notes which names there are at a loop.
    fn note_loop(&mut self, start: usize) {
        let mut names = LocalNames::new();
        for scope in self.scopes.iter().skip(1) {
            let mut here: Vec<_> = scope.names.iter().collect();
            here.sort_by_key(|(name, _)| **name);
            for (name, entry) in here {
                let var = if let Entry::Var(var, _) = entry { Some(*var) } else { None };
                names.insert((*name).into(), var);
            }
        }
        self.loops.insert(start, names);
    }

    /// A new variable of the current function, or a global one outside of functions.
    fn new_variable(&mut self, name: &str, ty: TypeId, start: usize) -> VarRef {
        let variable = Variable {
            name: name.into(),
            ty,
            start,
            init: Vec::new(),
            is_extern: false,
            extent: None,
        };
        match &mut self.current {
            Some(current) => {
                current.locals.push(variable);
                VarRef::Local(current.locals.len() as u32 - 1)
            }
            None => {
                self.globals.push(variable);
                VarRef::Global(self.globals.len() as u32 - 1)
            }
        }
    }

    fn function_type(&mut self, result: TypeId, params: Vec<TypeId>, open: bool) -> TypeId {
        self.types.id(Type::Function(crate::c::types::Signature { result, params, open }))
    }
}
