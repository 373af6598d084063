//! Bodies of systems: declarations and conditions, in any order.

use std::ops::Range;

use lapidary_expr::{Sort, Term, Var};

use super::Parser;
use crate::cfa::Parsed;
use crate::cfa::build::Scope;
use crate::cfa::lexer::{Kind, Token};

/// What a system consists of.
#[derive(Clone, Default)]
pub(super) struct Body<'s> {
    pub(super) scope: Scope<'s>,
    pub(super) vars: Vec<Var>,
    pub(super) inputs: Vec<Var>,
    pub(super) init: Vec<Term>,
    pub(super) invariant: Vec<Term>,
    pub(super) transition: Vec<Term>,
}

impl<'s> Body<'s> {
    /// An error if there is something of this name.
    pub(super) fn is_new(&self, parser: &Parser<'s>, name: Token<'s>) -> Parsed<()> {
        match self.scope.terms.contains_key(name.text) {
            true => Err(parser.declared_already(name).into()),
            false => Ok(()),
        }
    }

    /// Declares a variable.
    fn variable(&mut self, name: Token<'s>, sort: Sort) -> Var {
        let var = Var::new(name.text, sort);
        self.vars.push(var);
        self.scope.terms.insert(name.text, Term::var(var));
        var
    }

    /// Declares what has any value and keeps it.
    pub(super) fn rigid(&mut self, name: Token<'s>, sort: Sort) {
        let var = self.variable(name, sort);
        self.transition.push(Term::var(var.primed()).equals(Term::var(var)));
    }

    /// Reads `const c : T = e` or `const c : T`.
    pub(super) fn constant(&mut self, parser: &mut Parser<'s>) -> Parsed<()> {
        parser.cursor.expect("const")?;
        let (name, sort) = declaration(parser)?;
        self.is_new(parser, name)?;
        if parser.cursor.eat("=").is_none() {
            self.rigid(name, sort);
            return Ok(());
        }
        let value = parser.expression(&self.scope)?;
        parser.current(value)?;
        let value = parser.terms.expect(value, sort)?;
        self.scope.terms.insert(name.text, value);
        Ok(())
    }

    /// Reads the tokens of a body. Conditions may speak of variables that are declared after them.
    pub(super) fn read(&mut self, parser: &mut Parser<'s>, tokens: Range<usize>) -> Parsed<()> {
        while parser.cursor.next < tokens.end {
            let is_declaration = parser.cursor.at("var")
                && parser.cursor.peek_at(1).kind == Kind::Word
                && parser.cursor.peek_at(2).text == ":";
            let is_input = parser.cursor.last_text() == "input";
            parser.cursor.advance();
            if is_declaration {
                let (name, sort) = declaration(parser)?;
                self.is_new(parser, name)?;
                self.variable(name, sort);
                if is_input {
                    self.inputs.extend(self.vars.pop());
                }
            }
        }
        parser.cursor.next = tokens.start;
        while parser.cursor.next < tokens.end {
            self.item(parser)?;
        }
        Ok(())
    }

    fn item(&mut self, parser: &mut Parser<'s>) -> Parsed<()> {
        // Who may write a variable is of no importance here.
        let is_qualifier = matches!(parser.cursor.peek().text, "input" | "global" | "local");
        if is_qualifier && parser.cursor.peek_at(1).text == "var" {
            parser.cursor.advance();
        }
        match parser.cursor.peek().text {
            "var" => {
                parser.cursor.advance();
                let (name, sort) = declaration(parser)?;
                if parser.cursor.eat("=").is_some() {
                    let value = parser.expression(&self.scope)?;
                    parser.current(value)?;
                    let value = parser.terms.expect(value, sort)?;
                    self.init.push(Term::var(Var::new(name.text, sort)).equals(value));
                }
            }
            "const" => self.constant(parser)?,
            "initial" => {
                parser.cursor.advance();
                self.init.push(parser.condition(&self.scope)?);
            }
            "invariant" => {
                parser.cursor.advance();
                self.invariant.push(parser.condition(&self.scope)?);
            }
            "transition" => {
                parser.cursor.advance();
                let relation = parser.expression(&self.scope)?;
                self.transition.push(parser.terms.expect(relation, Sort::Bool)?);
            }
            _ => {
                let expected = "`var`, `const`, `initial`, `invariant`, `transition` or `}`";
                return Err(parser.cursor.unexpected(expected).into());
            }
        }
        Ok(())
    }
}

fn declaration<'s>(parser: &mut Parser<'s>) -> Parsed<(Token<'s>, Sort)> {
    let name = parser.cursor.name("a name")?;
    parser.cursor.expect(":")?;
    Ok((name, parser.cursor.sort()?))
}
