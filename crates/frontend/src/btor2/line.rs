//! The words of a line, and errors that point at them.

use std::ops::Range;

use crate::source::{ParseError, SourceFile};

pub(super) type Parsed<T> = Result<T, Box<ParseError>>;

/// A word and the offset where it stands.
#[derive(Clone, Copy)]
pub(super) struct Word<'s> {
    pub(super) text: &'s str,
    pub(super) start: usize,
}

impl Word<'_> {
    pub(super) fn span(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }
}

/// A line without its comment.
pub(super) struct Line<'s> {
    pub(super) source: &'s SourceFile,
    words: Vec<Word<'s>>,
    next: usize,
    end: usize,
}

impl<'s> Line<'s> {
    /// The line between two offsets; none if there is nothing on it.
    pub(super) fn new(source: &'s SourceFile, span: Range<usize>) -> Option<Line<'s>> {
        let text = &source.text()[span.clone()];
        let mut words = Vec::new();
        let mut at = 0;
        for text in text.split_inclusive(|c: char| c.is_ascii_whitespace()) {
            let word = text.trim_end_matches(|c: char| c.is_ascii_whitespace());
            // A comment starts with a word of its own: names may contain semicolons.
            if word.starts_with(';') {
                break;
            }
            if !word.is_empty() {
                words.push(Word { text: word, start: span.start + at });
            }
            at += text.len();
        }
        let end = words.last()?.span().end;
        Some(Line { source, words, next: 0, end })
    }

    /// The next word; `what` says what it should be.
    pub(super) fn word(&mut self, what: &str) -> Parsed<Word<'s>> {
        let Some(word) = self.words.get(self.next).copied() else {
            let message = format!("expected {what}, found the end of the line");
            return Err(self.source.error(self.end..self.end + 1, message).into());
        };
        self.next += 1;
        Ok(word)
    }

    /// The next word as a number.
    pub(super) fn number(&mut self, what: &str) -> Parsed<(u32, Word<'s>)> {
        let word = self.word(what)?;
        match word.text.parse() {
            Ok(number) => Ok((number, word)),
            Err(_) => Err(self.error(word, format!("expected {what}, found `{}`", word.text))),
        }
    }

    /// The name at the end of the line, if there is one.
    pub(super) fn symbol(&mut self) -> Parsed<Option<String>> {
        let symbol = self.words.get(self.next).map(|word| word.text.to_owned());
        self.next += 1;
        match self.words.get(self.next) {
            Some(word) => Err(self.error(*word, "expected the end of the line after the name")),
            None => Ok(symbol),
        }
    }

    #[expect(clippy::unnecessary_box_returns, reason = "every result here carries it boxed")]
    pub(super) fn error(&self, word: Word<'_>, message: impl Into<String>) -> Box<ParseError> {
        Box::new(self.source.error(word.span(), message))
    }
}
