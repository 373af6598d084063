//! A place in the tokens, and what the parser asks there.

use std::ops::Range;

use lapidary_expr::Sort;

use super::Parsed;
use super::lexer::{Kind, Language, Token, tokens};
use super::typing::{MAX_WIDTH, too_wide};
use crate::source::{ParseError, SourceFile};

/// How deeply types and expressions may nest. A level costs up to five kilobytes of stack without
/// optimization, and a thread may have two megabytes only.
const MAX_NESTING: u32 = 300;

/// The tokens and the next one to read.
pub(crate) struct Cursor<'s> {
    pub(crate) source: &'s SourceFile,
    tokens: Vec<Token<'s>>,
    /// The index of the next token.
    pub(crate) next: usize,
    nesting: u32,
    pub(crate) language: Language,
}

impl<'s> Cursor<'s> {
    pub(crate) fn new(source: &'s SourceFile, language: Language) -> Parsed<Cursor<'s>> {
        Ok(Cursor { source, tokens: tokens(source, language)?, next: 0, nesting: 0, language })
    }

    /// The next token.
    pub(crate) fn peek(&self) -> Token<'s> {
        self.peek_at(0)
    }

    /// The token after so many others; the end of the text stays.
    pub(crate) fn peek_at(&self, distance: usize) -> Token<'s> {
        self.tokens[(self.next + distance).min(self.tokens.len() - 1)]
    }

    pub(crate) fn advance(&mut self) -> Token<'s> {
        let token = self.peek();
        self.next += 1;
        token
    }

    /// The text of the last token read; empty before the first.
    pub(crate) fn last_text(&self) -> &'s str {
        let last = self.next.checked_sub(1).and_then(|last| self.tokens.get(last));
        last.map_or("", |token| token.text)
    }

    /// Where the last token read ends.
    pub(crate) fn last_end(&self) -> usize {
        self.next
            .checked_sub(1)
            .map_or(0, |last| self.tokens[last.min(self.tokens.len() - 1)].end())
    }

    /// Whether the next token is this keyword or symbol.
    pub(crate) fn at(&self, text: &str) -> bool {
        self.peek().text == text
    }

    /// Reads this keyword or symbol if it is next.
    pub(crate) fn eat(&mut self, text: &str) -> Option<Token<'s>> {
        self.at(text).then(|| self.advance())
    }

    pub(crate) fn expect(&mut self, text: &str) -> Parsed<Token<'s>> {
        match self.eat(text) {
            Some(token) => Ok(token),
            None => Err(self.unexpected(&format!("`{text}`")).into()),
        }
    }

    /// Reads a name; `what` says of what.
    pub(crate) fn name(&mut self, what: &str) -> Parsed<Token<'s>> {
        match self.peek() {
            Token { kind: Kind::Word, text, .. } if !self.language.is_reserved(text) => {
                Ok(self.advance())
            }
            _ => Err(self.unexpected(what).into()),
        }
    }

    /// An error: the next token is not what was expected.
    pub(crate) fn unexpected(&self, expected: &str) -> ParseError {
        let found = self.peek();
        let error =
            self.error(found.span(), format!("expected {expected}, found {}", found.describe()));
        match found.text {
            "<-" => error.with_help("`<-` is the arrow of arrays; write `x < -1` with a blank"),
            ";" => error.with_help("declarations and statements are not separated by `;`"),
            "=" => error.with_help("equality is written `=`, an assignment `:=`"),
            _ => error,
        }
    }

    pub(crate) fn error(&self, span: Range<usize>, message: impl Into<String>) -> ParseError {
        self.source.error(span, message)
    }

    pub(crate) fn unsupported<T>(&self, token: Token<'s>, what: &str) -> Parsed<T> {
        Err(self.error(token.span(), format!("{what} not supported")).into())
    }

    /// The number of the line where an earlier token is, for messages.
    pub(crate) fn line_of(&self, token: Token<'s>) -> u32 {
        self.source.position(token.start).line
    }

    /// Enters one level of nesting; the parser stops at the first error, so only success must leave it.
    pub(crate) fn enter(&mut self) -> Parsed<()> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            let error = self.error(self.peek().span(), "this is nested too deeply");
            return Err(error.with_help(format!("at most {MAX_NESTING} levels are read")).into());
        }
        Ok(())
    }

    pub(crate) fn leave(&mut self) {
        self.nesting -= 1;
    }

    /// Reads a type.
    pub(crate) fn sort(&mut self) -> Parsed<Sort> {
        self.enter()?;
        let token = self.peek();
        let sort = match token.text {
            "boolean" if self.language == Language::Systems => self.advance_to(Sort::Bool),
            "integer" if self.language == Language::Systems => self.advance_to(Sort::Int),
            "real" if self.language == Language::Systems => self.advance_to(Sort::Rat),
            "bool" => self.advance_to(Sort::Bool),
            "int" => self.advance_to(Sort::Int),
            "rat" => self.advance_to(Sort::Rat),
            "bv" => Sort::Bv(self.bit_vector_width()?),
            "[" => {
                self.advance();
                let index = self.sort()?;
                self.expect("]")?;
                self.expect("->")?;
                Sort::array(index, self.sort()?)
            }
            "fp" => return self.unsupported(token, "floating point is"),
            "(" => return self.unsupported(token, "function types are"),
            _ => return Err(self.unexpected("a type").into()),
        };
        self.leave();
        Ok(sort)
    }

    fn advance_to(&mut self, sort: Sort) -> Sort {
        self.advance();
        sort
    }

    /// Reads `bv[n]`.
    pub(crate) fn bit_vector_width(&mut self) -> Parsed<u32> {
        self.expect("bv")?;
        self.expect("[")?;
        let size = self.peek();
        if size.kind != Kind::Int {
            return Err(self.unexpected("the number of bits").into());
        }
        self.advance();
        self.expect("]")?;
        self.width(size.text, size.span())
    }

    /// The number of bits that `digits` say.
    pub(crate) fn width(&self, digits: &str, span: Range<usize>) -> Parsed<u32> {
        match digits.parse::<u32>() {
            Ok(0) => Err(self.error(span, "a bit-vector has at least one bit").into()),
            Ok(width) if width <= MAX_WIDTH => Ok(width),
            _ => Err(too_wide(self.source, span).into()),
        }
    }
}
