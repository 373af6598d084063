//! Source texts, places in them, and errors that show the place.
//!
//! The rendering follows rustc's. It is written by hand because one underlined span without colors is all
//! that is needed, and the crates for it (miette, ariadne) would be larger than this one.

mod origins;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use lapidary_model::Position;
use origins::{Origins, is_same};

/// Bytes as a text of the same length: those that are no UTF-8 are question marks.
pub(crate) fn readable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text
}

/// A text with a name, and where its lines start.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    line_starts: Vec<usize>,
    origins: Origins,
    /// Texts behind that of the file, in their order.
    pieces: Vec<Piece>,
}

/// A text behind that of a file: a function of the library that the file may use.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The function that it defines.
    pub name: &'static str,
    /// What it defines.
    pub text: Cow<'static, str>,
    /// The file that it comes from.
    pub file: &'static str,
    /// The function of the program that it calls, if it is made for one.
    pub of: String,
    /// Where it starts in that file.
    pub line: u32,
    /// Where it starts in the text, in bytes.
    pub start: usize,
}

impl SourceFile {
    /// The text of the file with this name. The byte order mark that some editors write is no part of it.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> SourceFile {
        let mut text: String = text.into();
        if text.starts_with('\u{feff}') {
            text.remove(0);
        }
        let after_breaks = text.match_indices('\n').map(|(i, _)| i + 1);
        let line_starts = std::iter::once(0).chain(after_breaks).collect();
        SourceFile {
            name: name.into(),
            text,
            line_starts,
            origins: Origins::default(),
            pieces: Vec::new(),
        }
    }

    /// What a preprocessor made of the file with this name. Positions are those that its line markers tell.
    pub fn preprocessed(name: impl Into<String>, text: impl Into<String>) -> SourceFile {
        let file = SourceFile::new(name, text);
        SourceFile { origins: Origins::of(&file.text), ..file }
    }

    /// The file with these texts behind its own.
    #[must_use]
    pub fn with_pieces(mut self, pieces: impl IntoIterator<Item = Piece>) -> SourceFile {
        for mut piece in pieces {
            if !self.text.ends_with('\n') {
                self.text.push('\n');
                self.line_starts.push(self.text.len());
            }
            piece.start = self.text.len();
            self.origins.add(self.line_starts.len() as u32, piece.file, piece.line);
            let breaks = piece.text.match_indices('\n');
            self.line_starts.extend(breaks.map(|(i, _)| piece.start + i + 1));
            self.text.push_str(&piece.text);
            self.pieces.push(piece);
        }
        self
    }

    /// The texts behind that of the file.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Where the text of the file ends, in bytes.
    pub fn end(&self) -> usize {
        self.pieces.first().map_or(self.text.len(), |piece| piece.start)
    }

    /// The name, as errors show it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text, with the pieces behind that of the file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line and column of a byte offset, in the file that it comes from; the end of the text for offsets beyond it.
    pub fn position(&self, offset: usize) -> Position {
        let Position { line, column } = self.place_in_text(offset);
        Position { line: self.origins.origin(line).map_or(line, |(_, line)| line), column }
    }

    /// The file that a byte offset comes from.
    pub fn file(&self, offset: usize) -> &str {
        match self.origins.origin(self.place_in_text(offset).line) {
            Some((file, _)) if !is_same(file, &self.name) => file,
            _ => &self.name,
        }
    }

    /// The position of a byte offset for people, with the file unless it is the one that is read.
    pub fn place(&self, offset: usize) -> String {
        let (file, position) = (self.file(offset), self.position(offset));
        if file == self.name { position.to_string() } else { format!("{file}:{position}") }
    }

    fn place_in_text(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let column = self.text[self.line_starts[line - 1]..offset].chars().count() + 1;
        Position { line: line as u32, column: column as u32 }
    }

    /// The line of the text that a byte offset is in, as it can be shown.
    pub fn line_at(&self, offset: usize) -> String {
        let line: Vec<char> = self.line(self.place_in_text(offset).line).chars().collect();
        cells(&line)
    }

    /// A line of the text, counted from one, without its line break; empty if there is no such line.
    pub fn line(&self, number: u32) -> &str {
        let number = number as usize;
        let start = number.checked_sub(1).and_then(|i| self.line_starts.get(i));
        let end = self.line_starts.get(number).copied().unwrap_or(self.text.len());
        start.map_or("", |start| self.text[*start..end].trim_end_matches(['\n', '\r']))
    }

    /// An error about the part of the text between two byte offsets.
    pub fn error(&self, span: Range<usize>, message: impl Into<String>) -> ParseError {
        let (position, end) = (self.place_in_text(span.start), self.place_in_text(span.end));
        let line = self.line(position.line);
        let width = match end.line == position.line {
            true => end.column.saturating_sub(position.column),
            // A span of several lines is underlined to the end of its first line.
            false => (line.chars().count() as u32 + 1).saturating_sub(position.column),
        };
        ParseError {
            file: self.file(span.start).into(),
            position: self.position(span.start),
            message: message.into(),
            help: None,
            excerpt: Some(Excerpt { line: line.into(), width: width.max(1) }),
        }
    }
}

/// Why a text was not read, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ParseError {
    /// The name of the file.
    pub file: String,
    /// Where the underlined part starts.
    pub position: Position,
    /// What is wrong.
    pub message: String,
    /// What might be done about it.
    pub help: Option<String>,
    excerpt: Option<Excerpt>,
}

/// The line that is shown and how many of its characters are underlined.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Excerpt {
    line: String,
    width: u32,
}

impl ParseError {
    /// An error about a file as a whole.
    pub fn about_file(file: impl Into<String>, message: impl Into<String>) -> ParseError {
        let position = Position { line: 1, column: 1 };
        ParseError {
            file: file.into(),
            position,
            message: message.into(),
            help: None,
            excerpt: None,
        }
    }

    /// An error in a file that is no text, at this offset.
    pub fn at_byte(file: impl Into<String>, offset: usize, message: &str) -> ParseError {
        ParseError::about_file(file, format!("{message} (at byte {offset})"))
    }

    /// The same error with advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> ParseError {
        self.help = Some(help.into());
        self
    }

    /// The text of the line where the error is, if it is about a line.
    pub fn source_line(&self) -> Option<&str> {
        self.excerpt.as_ref().map(|excerpt| excerpt.line.as_str())
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "error: {}", self.message)?;
        let Some(excerpt) = &self.excerpt else {
            write!(f, " --> {}", self.file)?;
            return self.write_help(f, 1);
        };
        let gutter = self.position.line.to_string().len();
        let shown = Shown::of(excerpt, self.position.column as usize - 1);
        writeln!(f, "{:gutter$}--> {}:{}", "", self.file, self.position)?;
        writeln!(f, "{:gutter$} |", "")?;
        writeln!(f, "{} | {}", self.position.line, shown.text)?;
        write!(f, "{:gutter$} | {:indent$}", "", "", indent = shown.indent)?;
        f.write_str(&"^".repeat(shown.carets))?;
        self.write_help(f, gutter)
    }
}

impl ParseError {
    fn write_help(&self, f: &mut fmt::Formatter<'_>, gutter: usize) -> fmt::Result {
        match &self.help {
            Some(help) => write!(f, "\n{:gutter$} = help: {help}", ""),
            None => Ok(()),
        }
    }
}

/// Lines longer than this are shown around the error only.
const LONGEST_LINE: usize = 120;

/// A line as it is shown: tabs as four spaces, so that the carets line up, and control characters
/// replaced, so that no text can move the cursor.
struct Shown {
    text: String,
    indent: usize,
    carets: usize,
}

impl Shown {
    fn of(excerpt: &Excerpt, start: usize) -> Shown {
        let chars: Vec<char> = excerpt.line.chars().collect();
        let start = start.min(chars.len());
        let from = match chars.len() > LONGEST_LINE {
            true => start.saturating_sub(LONGEST_LINE / 2),
            false => 0,
        };
        let to = chars.len().min(from + LONGEST_LINE);
        let end = to.min(start + excerpt.width as usize);
        let before = if from > 0 { "…" } else { "" };
        let after = if to < chars.len() { "…" } else { "" };
        Shown {
            text: format!("{before}{}{after}", cells(&chars[from..to])),
            indent: before.chars().count() + cells(&chars[from..start]).chars().count(),
            carets: cells(&chars[start..end]).chars().count().max(1),
        }
    }
}

fn cells(chars: &[char]) -> String {
    let mut cells = String::with_capacity(chars.len());
    for c in chars {
        match c {
            '\t' => cells.push_str("    "),
            c if c.is_control() => cells.push('\u{fffd}'),
            c => cells.push(*c),
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, span: Range<usize>, expected: &str) {
        let error = SourceFile::new("f", text).error(span, "no").with_help("yes");
        assert_eq!(error.to_string(), expected, "{text:?}");
    }

    #[test]
    fn errors_show_the_place() {
        check("abc", 1..3, "error: no\n --> f:1:2\n  |\n1 | abc\n  |  ^^\n  = help: yes");
        check("a\r\nbc\r\n", 3..4, "error: no\n --> f:2:1\n  |\n2 | bc\n  | ^\n  = help: yes");
    }

    #[test]
    fn tabs_and_control_characters_keep_the_carets_in_line() {
        check(
            "\tä\tb",
            4..5,
            "error: no\n --> f:1:4\n  |\n1 |     ä    b\n  |          ^\n  = help: yes",
        );
        check(
            "\u{1b}[2Jb",
            4..5,
            "error: no\n --> f:1:5\n  |\n1 | \u{fffd}[2Jb\n  |     ^\n  = help: yes",
        );
    }

    #[test]
    fn spans_end_with_their_line_and_may_be_empty() {
        check("ab\nc", 1..4, "error: no\n --> f:1:2\n  |\n1 | ab\n  |  ^\n  = help: yes");
        check("ab", 2..2, "error: no\n --> f:1:3\n  |\n1 | ab\n  |   ^\n  = help: yes");
        check("", 9..99, "error: no\n --> f:1:1\n  |\n1 | \n  | ^\n  = help: yes");
    }

    #[test]
    fn line_numbers_widen_the_gutter() {
        let text = "\n".repeat(9) + "x";
        check(&text, 9..10, "error: no\n  --> f:10:1\n   |\n10 | x\n   | ^\n   = help: yes");
    }

    #[test]
    fn long_lines_are_shown_around_the_error() {
        let text = format!("{}!{}", "a".repeat(500), "b".repeat(500));
        let shown = format!("…{}!{}…", "a".repeat(60), "b".repeat(59));
        let caret = format!("{}^", " ".repeat(61));
        check(
            &text,
            500..501,
            &format!("error: no\n --> f:1:501\n  |\n1 | {shown}\n  | {caret}\n  = help: yes"),
        );
    }
}
