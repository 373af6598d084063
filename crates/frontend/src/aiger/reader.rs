//! A place in the bytes of a file, and errors there: with a line in text, with an offset in binary parts.

use std::ops::Range;

use super::Lit;
use crate::source::{ParseError, SourceFile};

pub(super) type Parsed<T> = Result<T, Box<ParseError>>;

pub(super) struct Reader<'s> {
    pub(super) bytes: &'s [u8],
    pub(super) at: usize,
    /// The name of the file.
    pub(super) name: &'s str,
    /// The file as text, if all of it is.
    pub(super) source: Option<&'s SourceFile>,
}

impl Reader<'_> {
    pub(super) fn error(&self, span: Range<usize>, message: impl Into<String>) -> ParseError {
        let message = message.into();
        match self.source {
            Some(source) => source.error(span, message),
            None => ParseError::at_byte(self.name, span.start, &message),
        }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    /// Whether nothing but blanks is left on the line.
    pub(super) fn at_line_end(&mut self) -> bool {
        self.skip_blanks();
        matches!(self.peek(), None | Some(b'\n'))
    }

    /// Reads a number; `what` says which.
    pub(super) fn number(&mut self, what: &str) -> Parsed<u32> {
        self.skip_blanks();
        let start = self.at;
        let mut value = 0u32;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            self.at += 1;
            let longer =
                value.checked_mul(10).and_then(|value| value.checked_add(u32::from(digit - b'0')));
            // Literals are twice as large as variables.
            match longer.filter(|value| *value <= u32::MAX / 2) {
                Some(longer) => value = longer,
                None => {
                    return Err(self.error(start..self.at, format!("{what} is too large")).into());
                }
            }
        }
        match self.at > start {
            true => Ok(value),
            false => Err(self
                .error(start..start + 1, format!("expected {what}, found {}", self.found()))
                .into()),
        }
    }

    /// Reads a literal whose variable is at most `max_var`.
    pub(super) fn lit(&mut self, max_var: u32, what: &str) -> Parsed<Lit> {
        let start = self.token_start();
        let lit = Lit(self.number(what)?);
        match lit.var() <= max_var {
            true => Ok(lit),
            false => {
                let message =
                    format!("the literal {lit} is beyond the largest variable, {max_var}");
                Err(self.error(start..self.at, message).into())
            }
        }
    }

    /// Where the next token starts.
    pub(super) fn token_start(&mut self) -> usize {
        self.skip_blanks();
        self.at
    }

    pub(super) fn line_end(&mut self) -> Parsed<()> {
        self.skip_blanks();
        match self.peek() {
            Some(b'\n') => {
                self.at += 1;
                Ok(())
            }
            None => Ok(()),
            Some(_) => {
                let message = format!("expected the end of the line, found {}", self.found());
                Err(self.error(self.at..self.at + 1, message).into())
            }
        }
    }

    /// The bytes up to the end of the line, which is read.
    pub(super) fn rest_of_line(&mut self) -> &[u8] {
        let start = self.at;
        let length = self.bytes[start..].iter().position(|byte| *byte == b'\n');
        let end = length.map_or(self.bytes.len(), |length| start + length);
        self.at = (end + 1).min(self.bytes.len());
        self.bytes[start..end].trim_ascii_end()
    }

    /// Reads a number of the binary format: seven bits a byte, the low ones first.
    pub(super) fn binary_number(&mut self) -> Parsed<u32> {
        let start = self.at;
        let (mut value, mut shift) = (0u64, 0);
        loop {
            let Some(byte) = self.peek() else {
                return Err(self.error(start..self.at, "the file ends within the gates").into());
            };
            self.at += 1;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                break;
            }
            shift += 7;
            if shift > 28 {
                return Err(self
                    .error(start..self.at, "a difference in the gates is too large")
                    .into());
            }
        }
        match u32::try_from(value) {
            Ok(value) => Ok(value),
            Err(_) => {
                Err(self.error(start..self.at, "a difference in the gates is too large").into())
            }
        }
    }

    pub(super) fn found(&self) -> String {
        match self.peek() {
            None => "the end of the file".into(),
            Some(b'\n') => "the end of the line".into(),
            Some(byte) => format!("`{}`", byte.escape_ascii()),
        }
    }
}
