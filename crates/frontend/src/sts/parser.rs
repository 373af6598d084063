//! Specifications: constants, systems and properties, the bodies of systems read where they are used.

mod body;

use std::ops::Range;

use lapidary_expr::{Sort, Term, Var};
use lapidary_model::Sts;
use lapidary_model::sts::{Property, Transition};
use rustc_hash::FxHashMap;

use crate::cfa::Parsed;
use crate::cfa::build::Scope;
use crate::cfa::build::expr::Expressions;
use crate::cfa::cursor::Cursor;
use crate::cfa::lexer::Language;
use crate::cfa::lexer::{Kind, Token};
use crate::cfa::typing::{Operand, Terms};
use crate::source::{ParseError, SourceFile};
use body::Body;

/// A system that was declared: its parameters, and the tokens of its body.
struct Declared<'s> {
    parameters: Vec<(Token<'s>, Sort)>,
    body: Range<usize>,
}

/// Reads a specification and the terms in it.
pub(super) struct Parser<'s> {
    pub(super) cursor: Cursor<'s>,
    pub(super) terms: Terms<'s>,
    systems: FxHashMap<&'s str, Declared<'s>>,
}

/// The system of each property.
pub(super) fn systems(source: &SourceFile) -> Parsed<Vec<Sts>> {
    let cursor = Cursor::new(source, Language::Systems)?;
    let mut parser = Parser { cursor, terms: Terms::new(source), systems: FxHashMap::default() };
    parser.specification()
}

impl<'s> Parser<'s> {
    fn specification(&mut self) -> Parsed<Vec<Sts>> {
        self.cursor.expect("specification")?;
        let name = self.cursor.name("the name of the specification")?;
        // What holds for all systems: parameters and constants, none of which ever changes.
        let mut common = Body::default();
        for (name, sort) in self.parameters()? {
            common.rigid(name, sort);
        }
        self.cursor.expect("{")?;
        let start = self.cursor.next;
        self.declared_systems()?;
        self.cursor.next = start;
        let mut found = Vec::new();
        while self.cursor.eat("}").is_none() {
            match self.cursor.peek().text {
                "const" => common.constant(self)?,
                "system" => self.skip_system()?,
                "property" => found.push(self.property(&common, name)?),
                _ => {
                    return Err(self
                        .cursor
                        .unexpected("`const`, `system`, `property` or `}`")
                        .into());
                }
            }
        }
        if self.cursor.peek().kind != Kind::End {
            return Err(self.cursor.unexpected("the end of the file").into());
        }
        if found.is_empty() {
            let message = format!("the specification `{}` has no property", name.text);
            return Err(self.cursor.error(name.span(), message).into());
        }
        Ok(found)
    }

    /// Finds the systems first: properties may come before them.
    fn declared_systems(&mut self) -> Parsed<()> {
        while self.cursor.peek().kind != Kind::End {
            if !self.cursor.at("system") {
                self.cursor.advance();
                continue;
            }
            let (name, declared) = self.system()?;
            if self.systems.insert(name.text, declared).is_some() {
                let message = format!("the system `{}` is declared twice", name.text);
                return Err(self.cursor.error(name.span(), message).into());
            }
        }
        Ok(())
    }

    fn skip_system(&mut self) -> Parsed<()> {
        self.system().map(|_| ())
    }

    fn system(&mut self) -> Parsed<(Token<'s>, Declared<'s>)> {
        self.cursor.expect("system")?;
        let name = self.cursor.name("the name of the system")?;
        let parameters = self.parameters()?;
        if self.cursor.eat(":=").is_none() {
            self.cursor.expect("=")?;
        }
        Ok((name, Declared { parameters, body: self.block()? }))
    }

    fn parameters(&mut self) -> Parsed<Vec<(Token<'s>, Sort)>> {
        let mut parameters: Vec<(Token<'s>, Sort)> = Vec::new();
        if self.cursor.eat("(").is_none() || self.cursor.eat(")").is_some() {
            return Ok(parameters);
        }
        loop {
            let name = self.cursor.name("the name of a parameter")?;
            self.cursor.expect(":")?;
            if parameters.iter().any(|(other, _)| other.text == name.text) {
                return Err(self.declared_already(name).into());
            }
            parameters.push((name, self.cursor.sort()?));
            if self.cursor.eat(",").is_none() {
                self.cursor.expect(")")?;
                return Ok(parameters);
            }
        }
    }

    /// The tokens between braces, which are skipped.
    fn block(&mut self) -> Parsed<Range<usize>> {
        let brace = self.cursor.expect("{")?;
        let start = self.cursor.next;
        while !self.cursor.at("}") {
            if self.cursor.at("{") || self.cursor.peek().kind == Kind::End {
                let line = self.cursor.line_of(brace);
                let error = self.cursor.unexpected("`}`");
                let help = format!("the system that starts on line {line} is not closed");
                return Err(error.with_help(help).into());
            }
            self.cursor.advance();
        }
        let body = start..self.cursor.next;
        self.cursor.expect("}")?;
        Ok(body)
    }

    fn property(&mut self, common: &Body<'s>, specification: Token<'s>) -> Parsed<Sts> {
        let keyword = self.cursor.expect("property")?;
        let name = self.cursor.name("the name of the property")?;
        self.cursor.expect(":")?;
        let mut body = common.clone();
        match self.cursor.at("{") {
            true => {
                let block = self.block()?;
                self.read(&mut body, block)?;
            }
            false => self.instance(&mut body)?,
        }
        self.cursor.expect("models")?;
        if !self.cursor.at("G") {
            let error = self.cursor.unexpected("`G`");
            return Err(error.with_help("a property is written `models G(...)`").into());
        }
        self.cursor.advance();
        self.cursor.expect("(")?;
        let good = self.condition(&body.scope)?;
        if !self.cursor.at("}") && !self.cursor.at("property") {
            self.cursor.expect(")")?;
        }
        while self.cursor.eat(")").is_some() {}
        let property = Property {
            name: name.text.into(),
            bad: good.not(),
            position: Some(self.cursor.source.position(keyword.start)),
        };
        let sts = Sts {
            name: specification.text.into(),
            vars: body.vars,
            inputs: body.inputs,
            init: body.init,
            constraints: body.invariant,
            step: Transition::from_relation(Term::and(body.transition)),
            properties: vec![property],
        };
        match sts.check() {
            Ok(()) => Ok(sts),
            Err(error) => Err(self.cursor.error(name.span(), error.to_string()).into()),
        }
    }

    /// A declared system with arguments for its parameters.
    fn instance(&mut self, body: &mut Body<'s>) -> Parsed<()> {
        let name = self.cursor.name("a system")?;
        let Some(declared) = self.systems.get(name.text) else {
            let message = format!("there is no system `{}`", name.text);
            return Err(self.cursor.error(name.span(), message).into());
        };
        let (parameters, block) = (declared.parameters.clone(), declared.body.clone());
        let mut arguments = Vec::new();
        if self.cursor.eat("(").is_some() && self.cursor.eat(")").is_none() {
            loop {
                arguments.push(self.expression(&body.scope)?);
                if self.cursor.eat(",").is_none() {
                    self.cursor.expect(")")?;
                    break;
                }
            }
        }
        if arguments.len() != parameters.len() {
            let message = format!(
                "`{}` takes {} arguments, not {}",
                name.text,
                parameters.len(),
                arguments.len()
            );
            return Err(self.cursor.error(name.span(), message).into());
        }
        for ((parameter, sort), argument) in parameters.into_iter().zip(arguments) {
            let value = self.terms.expect(argument, sort)?;
            body.scope.terms.insert(parameter.text, value);
        }
        self.read(body, block)
    }

    /// Reads the body of a system, and comes back.
    fn read(&mut self, body: &mut Body<'s>, block: Range<usize>) -> Parsed<()> {
        let back = std::mem::replace(&mut self.cursor.next, block.start);
        body.read(self, block)?;
        self.cursor.next = back;
        Ok(())
    }

    pub(super) fn expression(&mut self, scope: &Scope<'s>) -> Parsed<Operand> {
        Expressions { cursor: &mut self.cursor, scope, terms: &mut self.terms }.expression()
    }

    /// A formula about one state.
    pub(super) fn condition(&mut self, scope: &Scope<'s>) -> Parsed<Term> {
        let operand = self.expression(scope)?;
        let term = self.terms.expect(operand, Sort::Bool)?;
        self.current(operand)?;
        Ok(term)
    }

    pub(super) fn declared_already(&self, name: Token<'s>) -> ParseError {
        let message = format!("`{}` is declared already", name.text);
        self.cursor.error(name.span(), message)
    }

    /// An error if the operand speaks of the next state.
    pub(super) fn current(&self, operand: Operand) -> Parsed<()> {
        let is_primed = |var: &Var| var.version() > 0;
        match operand.term.vars().iter().any(is_primed) {
            true => {
                let message = "only a transition can speak of the next state";
                Err(self.cursor.error(operand.span(), message).into())
            }
            false => Ok(()),
        }
    }
}
