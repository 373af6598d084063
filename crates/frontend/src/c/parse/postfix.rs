//! Primary expressions, calls, members and elements.

use super::{Entry, Parsed, Parser};
use crate::c::ir::{Expr, Init, Kind as ExprKind, STRING, Stmt, StmtKind, VarRef};
use crate::c::parse::lexer::{Kind, Token};
use crate::c::types::{IntType, Type};

impl<'s> Parser<'s> {
    pub(super) fn postfix_expression(&mut self) -> Parsed<Expr> {
        let first = self.at;
        let primary = self.primary()?;
        self.postfix(primary, first)
    }

    /// What may follow a primary expression, whose first token is `first`.
    pub(super) fn postfix(&mut self, mut value: Expr, first: usize) -> Parsed<Expr> {
        loop {
            let token = self.peek();
            if token.kind != Kind::Mark {
                return Ok(value);
            }
            value = match token.text {
                "(" => {
                    let args = self.arguments()?;
                    let close = self.before().start;
                    self.check_call(&value, args.len());
                    let special = self.call_for_types(&value, &args, close)?;
                    match special.or(self.scan(&value, &args, close)?) {
                        Some(call) => call,
                        None => self.call(value, args, close),
                    }
                }
                "[" => {
                    self.advance();
                    let index = self.expression()?;
                    self.expect("]")?;
                    self.check_element(&value, &index);
                    self.element(value, index)
                }
                "." => {
                    let is_rvalue = self.is_rvalue(first);
                    self.advance();
                    let name = self.advance();
                    if is_rvalue {
                        self.note_rvalue(first);
                    }
                    self.member(value, name)?
                }
                "->" => {
                    self.advance();
                    let name = self.advance();
                    let start = value.start;
                    self.check_operand("->", &value);
                    let record = self.deref(value, start);
                    self.member(record, name)?
                }
                "++" | "--" => {
                    self.check_place(token, &value, first)?;
                    self.check_operand(token.text, &value);
                    self.advance();
                    self.step(token, value, true)
                }
                _ => return Ok(value),
            };
        }
    }

    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.expect("(")?;
        let mut args = Vec::new();
        while !self.is(")") {
            args.push(self.assignment_expression()?);
            if !self.accept(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(args)
    }

    fn member(&mut self, mut record: Expr, name: Token<'s>) -> Parsed<Expr> {
        if matches!(record.kind, ExprKind::Unsupported(_)) {
            return Ok(record);
        }
        let Some(path) = self.types.find_member(record.ty, name.text) else {
            let ty = self.types.name(record.ty);
            return Err(self.error_at(name, format!("`{ty}` has no member `{}`", name.text)));
        };
        for index in path {
            let ty = self.types.members(record.ty).map_or(record.ty, |members| members[index].ty);
            let ty = self.types.part_of(record.ty, ty);
            let start = record.start;
            record = Expr::new(ExprKind::Member(Box::new(record), index), ty, start);
        }
        Ok(record)
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let token = self.peek();
        match token.kind {
            Kind::Number => self.number(),
            Kind::Char => self.character(),
            Kind::Text => self.string(),
            Kind::Mark if token.text == "(" => {
                self.advance();
                if self.is("{") {
                    return self.statement_expression(token);
                }
                let first = self.at;
                let value = self.expression()?;
                let is_rvalue = self.is_rvalue(first);
                self.expect(")")?;
                if is_rvalue {
                    self.note_rvalue(first - 1);
                }
                Ok(value)
            }
            Kind::Word if token.text.starts_with("__builtin_") => self.builtin(),
            Kind::Word if token.text == "_Generic" => {
                self.advance();
                self.skip_parenthesized()?;
                Ok(self.unsupported("`_Generic`", token.start))
            }
            Kind::Word if !super::names::is_keyword(token.text) => self.name(),
            _ => Err(self.unexpected("an expression")),
        }
    }

    pub(super) fn name(&mut self) -> Parsed<Expr> {
        let token = self.advance();
        match self.lookup(token.text) {
            Some(Entry::Var(var, ty)) => Ok(Expr::new(ExprKind::Var(var), ty, token.start)),
            Some(Entry::Constant(value, ty)) => {
                Ok(Expr::new(ExprKind::Int(value), ty, token.start))
            }
            Some(Entry::Function(function)) => Ok(self.function(function, token)),
            Some(Entry::Void) => Ok(self.unsupported("a variable of type `void`", token.start)),
            Some(Entry::Typedef(_)) => {
                Err(self.error_at(token, format!("`{}` is a type", token.text)))
            }
            None if self.has_headers && self.declare_of_library(token)?.is_some() => {
                self.at -= 1;
                self.name()
            }
            None if self.is("(") => {
                // Old C: a function that is called without a declaration returns `int`.
                let int = self.types.int(IntType::INT);
                let ty = self.function_type(int, Vec::new(), true);
                let function = self.declare_function(token, ty);
                self.note_implicit(token, function, ty)?;
                Ok(self.function(function, token))
            }
            None if matches!(token.text, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") => {
                let name = self.current.as_ref().map(|current| current.function);
                let name = name.map_or("", |function| &self.functions[function as usize].name);
                let units = name.bytes().map(i128::from).collect();
                Ok(self.text(units, token.start))
            }
            None if matches!(token.text, "__LINE__" | "__FILE__") => Ok(self.position_of(token)),
            None => Err(self.error_at(token, format!("`{}` is not declared", token.text))),
        }
    }

    /// `__LINE__` and `__FILE__` of a program that needs no preprocessor.
    fn position_of(&mut self, token: Token<'s>) -> Expr {
        let is_marker = |line: &str| {
            let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
            directive.is_some_and(|text| {
                text.starts_with("line") || text.starts_with(|c: char| c.is_ascii_digit())
            })
        };
        if self.source.text().lines().any(is_marker) {
            let what = format!("`{}` in a file with line markers", token.text);
            return self.unsupported(&what, token.start);
        }
        if token.text == "__FILE__" {
            let units = self.source.name().bytes();
            let units = units.map(|unit| IntType::CHAR.wrap(i128::from(unit))).collect();
            return self.text(units, token.start);
        }
        let int = self.types.int(IntType::INT);
        let line = self.source.position(token.start).line;
        Expr::new(ExprKind::Int(i128::from(line)), int, token.start)
    }

    pub(super) fn function(&mut self, function: u32, token: Token<'_>) -> Expr {
        let ty = self.functions[function as usize].ty;
        self.functions[function as usize].is_used = true;
        self.functions[function as usize].has_address |= !self.is("(");
        Expr::new(ExprKind::Function(function), ty, token.start)
    }

    fn string(&mut self) -> Parsed<Expr> {
        let start = self.peek().start;
        let is_wide = !self.peek().text.starts_with('"');
        let units = self.string_units()?;
        match is_wide {
            true => Ok(self.unsupported("a wide string", start)),
            false => Ok(self.text(units, start)),
        }
    }

    /// A string as a variable.
    fn text(&mut self, units: Vec<i128>, start: usize) -> Expr {
        let char = self.types.int(IntType::CHAR);
        let ty = self.types.id(Type::Array(char, Some(units.len() as u64 + 1)));
        let is_set = |(_, unit): &(usize, i128)| *unit != 0;
        let init = units.into_iter().enumerate().filter(is_set).map(|(i, unit)| Init {
            path: vec![i as u64],
            value: Expr::new(ExprKind::Int(unit), char, start),
        });
        let init = init.collect();
        let name = format!("{STRING}{}", self.globals.len());
        self.globals.push(crate::c::ir::Variable {
            name,
            ty,
            start,
            init,
            is_extern: false,
            extent: None,
        });
        Expr::new(ExprKind::Var(VarRef::Global(self.globals.len() as u32 - 1)), ty, start)
    }

    fn statement_expression(&mut self, opening: Token<'_>) -> Parsed<Expr> {
        if self.current.is_none() {
            return Err(self.error_at(opening, "a statement expression outside of a function"));
        }
        let mut stmts = self.block()?;
        self.expect(")")?;
        let void = self.types.id(Type::Void);
        let ty = match stmts.pop() {
            Some(Stmt { kind: StmtKind::Expr(value), start }) => {
                let value = self.value_of(value);
                let ty = value.ty;
                stmts.push(Stmt { kind: StmtKind::Expr(value), start });
                ty
            }
            last => {
                stmts.extend(last);
                void
            }
        };
        Ok(Expr::new(ExprKind::Block(stmts), ty, opening.start))
    }
}
