//! Lines of text and the words in them, with their positions.

use std::fmt;

use lapidary_expr::text::{SExpr, Scope, SyntaxError, is_simple_symbol, parse, read_all, value};
use lapidary_expr::{Sort, Term, Value};

use crate::cfa::Position;

/// Why a text cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The place.
    pub position: Position,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column } = self.position;
        write!(f, "line {line}, column {column}: {}", self.message)
    }
}

impl std::error::Error for TextError {}

/// The lines of a text, without blank ones and comments.
#[derive(Clone, Debug)]
pub struct Lines<'t> {
    rest: std::iter::Enumerate<std::str::Lines<'t>>,
    /// The line that was looked at and not taken.
    peeked: Option<Line<'t>>,
    /// The number of the last line that was taken.
    last: u32,
}

impl<'t> Lines<'t> {
    /// All lines of the text.
    pub fn new(text: &'t str) -> Self {
        Lines { rest: text.lines().enumerate(), peeked: None, last: 1 }
    }

    /// The next line, which stays the next one.
    pub fn peek(&mut self) -> Option<Line<'t>> {
        if self.peeked.is_none() {
            let line = |(i, text): (usize, &'t str)| Line { text, number: i as u32 + 1, at: 0 };
            let has_words =
                |line: &Line<'_>| !line.rest().is_empty() && !line.rest().starts_with('#');
            self.peeked = self.rest.by_ref().map(line).find(has_words);
        }
        self.peeked
    }

    /// The next line, which must be there.
    pub fn expect_line(&mut self, what: &str) -> Result<Line<'t>, TextError> {
        let position = Position { line: self.last, column: 1 };
        let missing =
            || TextError { position, message: format!("{what} is expected after this line") };
        self.next().ok_or_else(missing)
    }
}

impl<'t> Iterator for Lines<'t> {
    type Item = Line<'t>;

    fn next(&mut self) -> Option<Line<'t>> {
        let line = self.peek()?;
        self.peeked = None;
        self.last = line.number;
        Some(line)
    }
}

/// A line that is read word by word.
#[derive(Clone, Copy, Debug)]
pub struct Line<'t> {
    text: &'t str,
    number: u32,
    /// The byte to go on from.
    at: usize,
}

impl<'t> Line<'t> {
    /// What has not been read, without space around it.
    pub fn rest(&self) -> &'t str {
        self.text[self.at..].trim()
    }

    /// Whether the next word is this keyword.
    pub fn starts_with(&self, keyword: &str) -> bool {
        let mut ahead = *self;
        matches!(ahead.next_word(), Ok(Some(word)) if word.text == keyword)
    }

    /// The next word, if there is one: a symbol, perhaps in bars, another run of characters, or a list in parentheses.
    pub fn next_word(&mut self) -> Result<Option<Word<'t>>, TextError> {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        let Some(first) = rest.chars().next() else { return Ok(None) };
        let length = match first {
            '(' => list(rest),
            '|' => rest[1..].find('|').map(|end| end + 2),
            ')' => None,
            _ => Some(
                rest.find(|c: char| c.is_whitespace() || "()|".contains(c)).unwrap_or(rest.len()),
            ),
        };
        let Some(length) = length else {
            let problem = if first == ')' { "is never opened" } else { "is never closed" };
            return Err(self.error(format!("`{first}` {problem}")));
        };
        let word = Word { text: &rest[..length], line: *self };
        self.at += length;
        Ok(Some(word))
    }

    /// The characters up to the next space, if there are any.
    pub fn next_field(&mut self) -> Option<Word<'t>> {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let word = Word { text: &rest[..length], line: *self };
        self.at += length;
        (length > 0).then_some(word)
    }

    /// The next word, which must be there.
    pub fn word(&mut self, what: &str) -> Result<Word<'t>, TextError> {
        self.next_word()?.ok_or_else(|| self.error(format!("{what} is expected")))
    }

    /// Reads a keyword.
    pub fn keyword(&mut self, keyword: &str) -> Result<(), TextError> {
        let word = self.word(&format!("`{keyword}`"))?;
        match word.text == keyword {
            true => Ok(()),
            false => Err(word.error(format!("`{keyword}` is expected, found `{}`", word.shown()))),
        }
    }

    /// Checks that nothing is left.
    pub fn end(&mut self) -> Result<(), TextError> {
        match self.next_word()? {
            Some(word) => Err(word.error(format!("the line is to end before `{}`", word.shown()))),
            None => Ok(()),
        }
    }

    /// An error at the place that is to be read next.
    pub fn error(&self, message: impl Into<String>) -> TextError {
        let column = self.text[..self.at].chars().count() as u32 + 1;
        TextError { position: Position { line: self.number, column }, message: message.into() }
    }
}

/// The length of the list that the text begins with, if it is closed.
fn list(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0_usize, None);
    for (at, byte) in text.bytes().enumerate() {
        match (byte, quote) {
            (_, Some(open)) if byte == open => quote = None,
            (b'|' | b'"', None) => quote = Some(byte),
            (b'(', None) => depth += 1,
            (b')', None) => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// A word of a line.
#[derive(Clone, Copy, Debug)]
pub struct Word<'t> {
    text: &'t str,
    /// The line from this word on.
    line: Line<'t>,
}

impl<'t> Word<'t> {
    /// The word as it is written.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The line, to be read from this word on.
    pub fn line(&self) -> &Line<'t> {
        &self.line
    }

    /// The name that the word writes, without bars; none if it is a list.
    pub fn name(&self) -> Option<&'t str> {
        match self.text.strip_prefix('|').and_then(|rest| rest.strip_suffix('|')) {
            Some(name) => Some(name),
            None => (!self.text.starts_with('(')).then_some(self.text),
        }
    }

    /// The number that the word writes.
    pub fn number(&self) -> Result<usize, TextError> {
        let digits = Some(self.text).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        let number = digits.and_then(|digits| digits.parse().ok());
        number.ok_or_else(|| self.error(format!("a number is expected, found `{}`", self.shown())))
    }

    /// A number counted from one, as an index.
    pub fn index(&self) -> Result<usize, TextError> {
        let number = self.number()?;
        number.checked_sub(1).ok_or_else(|| self.error("these are counted from one"))
    }

    /// The term that the word writes.
    pub fn term(&self, scope: &dyn Scope) -> Result<Term, TextError> {
        parse(self.text, scope).map_err(|error| self.wrong(error))
    }

    /// The value of this sort that the word writes.
    pub fn value(&self, sort: Sort) -> Result<Value, TextError> {
        value(self.text, sort).map_err(|error| self.wrong(error))
    }

    /// The word as an S-expression.
    pub fn expr(&self) -> Result<SExpr, TextError> {
        let mut all = read_all(self.text).map_err(|error| self.wrong(error))?;
        match (all.pop(), all.is_empty()) {
            (Some(one), true) => Ok(one),
            _ => Err(self.error("one term is expected")),
        }
    }

    /// The words in the parentheses of a list, to be read like a line; none if this is no list.
    pub fn items(&self) -> Option<Line<'t>> {
        let inner = self.text.strip_prefix('(')?;
        // The line ends before the closing parenthesis.
        let Line { text, number, at } = self.line;
        Some(Line { text: &text[..at + inner.len()], number, at: at + 1 })
    }

    /// What a reader of the text says, with its place in the line.
    pub fn wrong(&self, error: SyntaxError) -> TextError {
        let inside = error.offset.filter(|offset| self.text.is_char_boundary(*offset)).unwrap_or(0);
        Line { at: self.line.at + inside, ..self.line }.error(error.message)
    }

    /// An error at the word.
    pub fn error(&self, message: impl Into<String>) -> TextError {
        self.line.error(message)
    }

    /// The word, or the beginning of a long one, for messages.
    pub fn shown(&self) -> String {
        const LONGEST: usize = 40;
        let mut shown: String = self.text.chars().take(LONGEST).collect();
        if shown.len() < self.text.len() {
            shown.push('…');
        }
        shown
    }
}

/// A name as one word: in bars where it would not be read as one without them.
#[derive(Clone, Copy, Debug)]
pub struct Symbol<'n>(pub &'n str);

impl fmt::Display for Symbol<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match is_simple_symbol(self.0) {
            true => f.write_str(self.0),
            false => write!(f, "|{}|", self.0),
        }
    }
}
