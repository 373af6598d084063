//! Expressions, by precedence climbing: from text to terms in one step.
//!
//! ```text
//! expression := 'if' expression 'then' expression 'else' expression | binary(iff)
//! binary(l)  := prefix (operator of level at least l  binary(tighter))*
//! prefix     := 'not' ... | ('+' | '-' | 'bvpos' | 'bvneg' | 'bvnot') prefix | access
//! access     := primary ('[' index ']' | '[' index '<-' value ']' | '[' until ':' from ']')*
//! ```
//!
//! The levels are those of [`Level`]. `not` binds weaker than comparisons (`not x = y` is `not (x = y)`) and
//! the other prefix operators bind tighter than everything but access.

use lapidary_expr::{Op, Sort, Term};

use super::Scope;
use crate::cfa::Parsed;
use crate::cfa::cursor::Cursor;
use crate::cfa::lexer::Language;
use crate::cfa::lexer::{Kind, Token, is_floating_point};
use crate::cfa::operator::{Associativity, Infix, Level};
use crate::cfa::typing::{Operand, Terms};

/// Reads expressions with the names of a scope.
pub(crate) struct Expressions<'p, 's> {
    pub(crate) cursor: &'p mut Cursor<'s>,
    pub(crate) scope: &'p Scope<'s>,
    pub(crate) terms: &'p mut Terms<'s>,
}

impl<'s> Expressions<'_, 's> {
    /// Reads an expression.
    pub(crate) fn expression(&mut self) -> Parsed<Operand> {
        if self.cursor.at("if") { self.conditional() } else { self.binary(Level::Iff) }
    }

    /// `if c then a else if d then b else e`: a chain is read in a loop and built from its end.
    fn conditional(&mut self) -> Parsed<Operand> {
        self.cursor.enter()?;
        let mut arms = Vec::new();
        while let Some(keyword) = self.cursor.eat("if") {
            let condition = self.expression()?;
            let condition = self.terms.expect(condition, Sort::Bool)?;
            self.cursor.expect("then")?;
            let then = self.expression()?;
            self.cursor.expect("else")?;
            arms.push((keyword.start, condition, then));
        }
        let mut otherwise = self.binary(Level::Iff)?;
        for (start, condition, then) in arms.into_iter().rev() {
            let branches = self.terms.unify(&[then, otherwise])?;
            let args = vec![condition, branches[0], branches[1]];
            let term = self.terms.apply(Op::Ite, args, start..otherwise.end)?;
            otherwise = Operand { term, start, end: otherwise.end };
        }
        self.cursor.leave();
        Ok(otherwise)
    }

    /// Operators of this level or tighter ones.
    fn binary(&mut self, level: Level) -> Parsed<Operand> {
        self.cursor.enter()?;
        let mut left = self.prefix(level)?;
        while let Some((at, infix)) = self.infix(level)? {
            left = self.continued(left, at, &infix)?;
        }
        self.cursor.leave();
        Ok(left)
    }

    /// The next operator, if it is of this level or tighter.
    fn infix(&self, level: Level) -> Parsed<Option<(Level, Infix)>> {
        let token = self.cursor.peek();
        if is_floating_point(token.text) {
            return self.cursor.unsupported(token, "floating point is");
        }
        let text = match (token.text, self.cursor.language) {
            ("equal", Language::Systems) => "=",
            ("!=", Language::Systems) => "/=",
            (text, _) => text,
        };
        Ok(Infix::of(text).filter(|(at, _)| *at >= level))
    }

    /// The operand `left` with the operator after it, and all that joins it.
    fn continued(&mut self, left: Operand, at: Level, infix: &Infix) -> Parsed<Operand> {
        match infix {
            Infix::ZeroExtend => return self.extended(left, Op::ZeroExtend),
            Infix::SignExtend => return self.extended(left, Op::SignExtend),
            _ => {}
        }
        let right_level = match at.associativity() {
            Associativity::Right => at,
            _ => at.tighter(),
        };
        let mut rest: Vec<(Infix, Operand)> = Vec::new();
        let mut next = Some((at, infix.clone()));
        while let Some((_, infix)) = next {
            self.cursor.advance();
            rest.push((infix, self.binary(right_level)?));
            next = self.infix(at)?.filter(|(_, next)| next.joins(&rest[0].0));
        }
        if at.associativity() == Associativity::None {
            self.refuse_chain(at)?;
        }
        self.terms.chain(left, &rest)
    }

    /// An extension to the width that is written after its operator.
    fn extended(&mut self, operand: Operand, by: fn(u32) -> Op) -> Parsed<Operand> {
        self.cursor.advance();
        let width = self.cursor.bit_vector_width()?;
        self.terms.extend(operand, by, width, self.cursor.last_end())
    }

    /// `a = b = c` and `a < b < c` mean nothing.
    fn refuse_chain(&self, at: Level) -> Parsed<()> {
        match self.infix(at)? {
            Some((next, _)) if next == at => {
                let token = self.cursor.peek();
                let message = format!("`{}` cannot follow another comparison", token.text);
                let error = self.cursor.error(token.span(), message);
                Err(error.with_help("use parentheses, or `and` between two comparisons").into())
            }
            _ => Ok(()),
        }
    }

    fn prefix(&mut self, level: Level) -> Parsed<Operand> {
        let token = self.cursor.peek();
        match token.text {
            "not" if level <= Level::Not => {
                self.cursor.advance();
                // At its own level, so that `not not x` needs no parentheses.
                let operand = self.binary(Level::Not)?;
                let term = self.terms.expect(operand, Sort::Bool)?.not();
                let span = token.start..operand.end;
                let term = self.terms.checked(term, span.clone())?;
                Ok(Operand { term, start: span.start, end: span.end })
            }
            "if" if self.cursor.language == Language::Systems => self.conditional(),
            "not" | "if" => {
                let error = self.cursor.unexpected("an operand");
                Err(error.with_help(format!("put `{} ...` in parentheses", token.text)).into())
            }
            "+" | "-" | "bvpos" | "bvneg" | "bvnot" => {
                self.cursor.enter()?;
                self.cursor.advance();
                let operand = self.prefix(Level::Unary)?;
                self.cursor.leave();
                self.terms.prefix(token.text, token.start, operand)
            }
            // `invariant a and invariant b` occurs in published systems.
            "invariant" if self.cursor.language == Language::Systems => {
                self.cursor.advance();
                self.access()
            }
            _ => self.access(),
        }
    }

    fn access(&mut self) -> Parsed<Operand> {
        let mut operand = self.primary()?;
        loop {
            let token = self.cursor.peek();
            operand = match token.text {
                "[" => self.brackets(operand)?,
                "(" => return self.cursor.unsupported(token, "function application is"),
                "'" if self.cursor.language == Language::Systems => self.primed(operand)?,
                "'" => {
                    let message =
                        "`'` speaks of the next state, which an edge of an automaton cannot";
                    return Err(self.cursor.error(token.span(), message).into());
                }
                _ => return Ok(operand),
            };
        }
    }

    /// The operand in the next state.
    fn primed(&mut self, operand: Operand) -> Parsed<Operand> {
        let end = self.cursor.advance().end();
        let span = operand.start..end;
        if operand.term.vars().iter().any(|var| var.version() > 0) {
            let message = "the state after the next one cannot be spoken of";
            return Err(self.cursor.error(span, message).into());
        }
        let term = operand.term.map_vars(&|var| Some(Term::var(var.primed())));
        Ok(Operand { term, start: operand.start, end })
    }

    /// `x[until:from]`, `a[i]` or `a[i <- e]`.
    fn brackets(&mut self, operand: Operand) -> Parsed<Operand> {
        self.cursor.expect("[")?;
        if self.cursor.peek().kind == Kind::Int && self.cursor.peek_at(1).text == ":" {
            return self.extract(operand);
        }
        let Sort::Array(sort) = operand.sort() else {
            return Err(self.terms.mismatch(operand, &"an array").into());
        };
        let index = self.expression()?;
        let mut args = vec![operand.term, self.terms.expect(index, sort.index())?];
        if self.cursor.eat("<-").is_some() {
            let element = self.expression()?;
            args.push(self.terms.expect(element, sort.element())?);
        }
        let end = self.cursor.expect("]")?.end();
        let op = if args.len() == 2 { Op::Select } else { Op::Store };
        let term = self.terms.apply(op, args, operand.start..end)?;
        Ok(Operand { term, start: operand.start, end })
    }

    /// The bits from `from` up to, without, `until`.
    fn extract(&mut self, operand: Operand) -> Parsed<Operand> {
        let width = self.terms.width(operand)?;
        let until = self.cursor.advance();
        self.cursor.expect(":")?;
        let from = self.cursor.peek();
        if from.kind != Kind::Int {
            return Err(self.cursor.unexpected("the number of a bit").into());
        }
        self.cursor.advance();
        let end = self.cursor.expect("]")?.end();
        let bounds = (from.text.parse::<u32>(), until.text.parse::<u32>());
        let (Ok(low), Ok(high)) = bounds else {
            return self.bad_extract(until, from, width);
        };
        if low >= high || high > width {
            return self.bad_extract(until, from, width);
        }
        let op = Op::Extract(high - 1, low);
        let term = self.terms.apply(op, vec![operand.term], operand.start..end)?;
        Ok(Operand { term, start: operand.start, end })
    }

    fn bad_extract<T>(&self, until: Token<'s>, from: Token<'s>, width: u32) -> Parsed<T> {
        let message = format!("bv[{width}] has no bits [{}:{}]", until.text, from.text);
        let error = self.cursor.error(until.start..from.end(), message);
        let help = "`x[until:from]` takes the bits from `from` up to, but without, `until`";
        Err(error.with_help(help).into())
    }

    fn primary(&mut self) -> Parsed<Operand> {
        let token = self.cursor.peek();
        match (token.kind, token.text) {
            (_, "true" | "false") => Ok(self.leaf((token.text == "true").into())),
            (Kind::Int | Kind::Bits, _) => self.number(),
            (_, "[") => self.array_literal(),
            (_, "(") => self.parenthesized(),
            (_, "forall" | "exists") => self.cursor.unsupported(token, "quantifiers are"),
            (_, text) if is_floating_point(text) => {
                self.cursor.unsupported(token, "floating point is")
            }
            (Kind::Word, text) if !self.cursor.language.is_reserved(text) => {
                let term = self.scope.term(self.cursor, token)?;
                Ok(self.leaf(term))
            }
            _ => Err(self.cursor.unexpected("an expression").into()),
        }
    }

    /// The next token, which stands for this term.
    pub(crate) fn leaf(&mut self, term: Term) -> Operand {
        let token = self.cursor.advance();
        Operand { term, start: token.start, end: token.end() }
    }

    fn parenthesized(&mut self) -> Parsed<Operand> {
        let open = self.cursor.expect("(")?;
        let parameter = self.cursor.peek().kind == Kind::Word && self.cursor.peek_at(1).text == ":";
        if parameter || self.cursor.at(")") {
            return self.cursor.unsupported(open, "function literals are");
        }
        let inner = self.expression()?;
        let end = self.cursor.expect(")")?.end();
        Ok(Operand { term: inner.term, start: open.start, end })
    }
}
