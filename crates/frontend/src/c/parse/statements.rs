//! Statements.

use super::{Parsed, Parser};
use crate::c::ir::{Expr, Stmt, StmtKind};
use crate::c::parse::lexer::Kind;
use crate::c::types::Type;

impl Parser<'_> {
    /// `{ … }` with names of its own.
    pub(super) fn block(&mut self) -> Parsed<Vec<Stmt>> {
        self.in_scope(Self::block_here)
    }

    /// `{ … }` whose names are in the innermost scope that there is.
    pub(super) fn block_here(&mut self) -> Parsed<Vec<Stmt>> {
        self.expect("{")?;
        let mut stmts = Vec::new();
        while !self.is("}") {
            if self.peek().kind == Kind::End {
                return Err(self.unexpected("`}`"));
            }
            self.block_item(&mut stmts)?;
        }
        self.expect("}")?;
        Ok(stmts)
    }

    fn block_item(&mut self, stmts: &mut Vec<Stmt>) -> Parsed<()> {
        if self.accept("__label__") {
            while !self.accept(";") {
                let label = self.advance();
                match (label.kind, self.scopes.last_mut()) {
                    (Kind::End, _) => return Err(self.unexpected("`;`")),
                    (Kind::Word, Some(scope)) => {
                        let name = format!("{}@{}", label.text, label.start);
                        scope.labels.insert(label.text, name);
                    }
                    _ => {}
                }
            }
            return Ok(());
        }
        let is_label = self.peek_at(1).text == ":" && self.peek().kind == Kind::Word;
        // `__extension__` may start an expression, too.
        let starts_expression = self.is("__extension__") && self.peek_at(1).text == "(";
        if self.starts_type() && !is_label && !starts_expression {
            return self.local_declaration(stmts);
        }
        self.statement(stmts)
    }

    fn statement(&mut self, stmts: &mut Vec<Stmt>) -> Parsed<()> {
        self.nested(|parser| parser.statement_inside(stmts))
    }

    /// A statement on its own, as the body of another. It is a block, even without braces.
    pub(super) fn substatement(&mut self) -> Parsed<Box<Stmt>> {
        let start = self.peek().start;
        let mut stmts = Vec::new();
        self.in_scope(|parser| parser.statement(&mut stmts))?;
        Ok(Box::new(match stmts.len() {
            1 => stmts.swap_remove(0),
            _ => Stmt { kind: StmtKind::Block(stmts), start },
        }))
    }

    fn statement_inside(&mut self, stmts: &mut Vec<Stmt>) -> Parsed<()> {
        let token = self.peek();
        let start = token.start;
        if token.kind == Kind::Word && self.peek_at(1).text == ":" && token.text != "default" {
            self.advance();
            self.advance();
            self.skip_attributes()?;
            let name = self.label_name(token.text);
            self.note_label(token, &name)?;
            stmts.push(Stmt { kind: StmtKind::Label(name), start });
            return self.after_label(stmts);
        }
        let kind = match (token.kind, token.text) {
            (Kind::Mark, "{") => StmtKind::Block(self.block()?),
            (Kind::Mark, ";") => {
                self.advance();
                return Ok(());
            }
            (Kind::Word, "__attribute__" | "__attribute") => {
                self.skip_attributes()?;
                self.expect(";")?;
                return Ok(());
            }
            (Kind::Word, "case") => {
                self.advance();
                let first = self.case_value()?;
                let last = if self.accept("...") { self.case_value()? } else { first };
                self.expect(":")?;
                self.note_case(token, first, last)?;
                stmts.push(Stmt { kind: StmtKind::Case(first, last), start });
                return self.after_label(stmts);
            }
            (Kind::Word, "default") => {
                self.advance();
                self.note_default(token)?;
                self.expect(":")?;
                stmts.push(Stmt { kind: StmtKind::Default, start });
                return self.after_label(stmts);
            }
            // These are blocks, too: what their conditions declare ends with them.
            (Kind::Word, "if") => self.in_scope(Self::if_statement)?,
            (Kind::Word, "while") => self.in_scope(Self::while_statement)?,
            (Kind::Word, "do") => self.in_scope(Self::do_statement)?,
            (Kind::Word, "for") => self.in_scope(Self::for_statement)?,
            (Kind::Word, "switch") => self.in_scope(Self::switch_statement)?,
            (Kind::Word, "break") => self.simple(StmtKind::Break)?,
            (Kind::Word, "continue") => self.simple(StmtKind::Continue)?,
            (Kind::Word, "goto") => self.goto()?,
            (Kind::Word, "return") => self.return_statement()?,
            (Kind::Word, "asm" | "__asm__" | "__asm") => self.assembly()?,
            _ => {
                let value = self.expression()?;
                self.expect(";")?;
                StmtKind::Expr(value)
            }
        };
        stmts.push(Stmt { kind, start });
        Ok(())
    }

    /// What a label stands before: a statement, but also a declaration or the end of the block.
    fn after_label(&mut self, stmts: &mut Vec<Stmt>) -> Parsed<()> {
        match self.is("}") {
            true => Ok(()),
            false => self.block_item(stmts),
        }
    }

    fn simple(&mut self, kind: StmtKind) -> Parsed<StmtKind> {
        self.check_jump(self.peek())?;
        self.advance();
        self.expect(";")?;
        Ok(kind)
    }

    fn condition(&mut self) -> Parsed<Expr> {
        self.expect("(")?;
        let condition = self.expression()?;
        self.expect(")")?;
        self.check_scalar(&condition);
        Ok(self.value_of(condition))
    }

    fn case_value(&mut self) -> Parsed<i128> {
        let token = self.peek();
        let value = self.conditional_expression()?;
        let value = value.as_int().filter(|_| self.types.as_int(value.ty).is_some());
        value.ok_or_else(|| self.error_at(token, "this is not an integer constant"))
    }

    fn if_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let condition = self.condition()?;
        let then = self.substatement()?;
        let otherwise = match self.accept("else") {
            true => Some(self.substatement()?),
            false => None,
        };
        Ok(StmtKind::If(condition, then, otherwise))
    }

    fn while_statement(&mut self) -> Parsed<StmtKind> {
        self.note_loop(self.peek().start);
        self.advance();
        let condition = self.condition()?;
        Ok(StmtKind::While(condition, self.loop_body()?))
    }

    fn do_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let body = self.loop_body()?;
        self.expect("while")?;
        let condition = self.condition()?;
        self.expect(";")?;
        Ok(StmtKind::DoWhile(body, condition))
    }

    fn switch_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        self.expect("(")?;
        let value = self.expression()?;
        let value = self.promoted(value);
        self.expect(")")?;
        let ty = self.check_switch(&value);
        Ok(StmtKind::Switch(value, self.switch_body(ty)?))
    }

    fn for_statement(&mut self) -> Parsed<StmtKind> {
        let start = self.advance().start;
        self.expect("(")?;
        let mut init = Vec::new();
        if self.starts_type() {
            let first = self.peek();
            self.local_declaration(&mut init)?;
            self.check_loop_declaration(first)?;
        } else if !self.accept(";") {
            let value = self.expression()?;
            self.expect(";")?;
            init.push(Stmt { start: value.start, kind: StmtKind::Expr(value) });
        }
        self.note_loop(start);
        let condition = match self.is(";") {
            true => None,
            false => {
                let condition = self.expression()?;
                self.check_scalar(&condition);
                Some(self.value_of(condition))
            }
        };
        self.expect(";")?;
        let step = if self.is(")") { None } else { Some(self.expression()?) };
        self.expect(")")?;
        let body = self.loop_body()?;
        let init = Box::new(Stmt { kind: StmtKind::Block(init), start });
        Ok(StmtKind::For(init, condition, step, body))
    }

    fn goto(&mut self) -> Parsed<StmtKind> {
        self.advance();
        if self.accept("*") {
            self.expression()?;
            self.expect(";")?;
            return Ok(StmtKind::Unsupported("computed goto".into()));
        }
        let label = self.advance();
        if label.kind != Kind::Word {
            return Err(self.error_at(label, "expected a label"));
        }
        self.expect(";")?;
        let name = self.label_name(label.text);
        self.mention_label(label, &name);
        Ok(StmtKind::Goto(name))
    }

    /// What a label is called in its function: blocks may have labels of their own.
    pub(super) fn label_name(&self, label: &str) -> String {
        let own = self.scopes.iter().rev().find_map(|scope| scope.labels.get(label));
        own.map_or(label, String::as_str).into()
    }

    fn return_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        if self.accept(";") {
            return Ok(StmtKind::Return(None));
        }
        let value = self.expression()?;
        self.expect(";")?;
        let Some(result) = self.current.as_ref().map(|current| current.result) else {
            return Ok(StmtKind::Expr(value));
        };
        if !matches!(self.types.get(result), Type::Void) {
            self.check_assignable(&value, result);
        }
        Ok(match self.types.get(result) {
            Type::Void => StmtKind::Return(Some(self.value_of(value))),
            _ => StmtKind::Return(Some(self.converted(value, result))),
        })
    }

    /// Assembly; an empty one that only keeps the compiler from reordering means nothing.
    fn assembly(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let mut jumps = false;
        while matches!(
            self.peek().text,
            "volatile" | "__volatile__" | "__volatile" | "goto" | "inline"
        ) {
            jumps |= self.advance().text == "goto";
        }
        let first = self.peek_at(1);
        let is_empty = first.text == "\"\"" && !jumps;
        let from = self.at;
        self.skip_parenthesized()?;
        let writes = self.tokens[from..self.at].iter().any(|token| {
            token.kind == Kind::Text
                && token.text.starts_with(['"'])
                && token.text[1..].starts_with(['=', '+'])
        });
        self.accept(";");
        Ok(match is_empty && !writes {
            true => StmtKind::Block(Vec::new()),
            false => StmtKind::Unsupported("inline assembly".into()),
        })
    }
}
