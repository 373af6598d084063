//! From text to tokens: comments, line markers and what the preprocessor leaves behind are gone after this.

use std::borrow::Cow;

use crate::source::{ParseError, SourceFile};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::c) enum Kind {
    /// An identifier or a keyword.
    Word,
    /// An integer or floating constant, as written.
    Number,
    /// A character constant with its quotes.
    Char,
    /// A string with its quotes.
    Text,
    /// An operator or other punctuation.
    Mark,
    /// The end of the text.
    End,
}

/// A token and where it starts.
#[derive(Clone, Copy, Debug)]
pub(in crate::c) struct Token<'s> {
    pub(in crate::c) kind: Kind,
    pub(in crate::c) text: &'s str,
    pub(in crate::c) start: usize,
}

/// A line that starts with `#` and says something.
#[derive(Clone, Debug)]
pub(in crate::c) struct Directive<'s> {
    /// The words after `#`, on one line.
    pub(in crate::c) text: Cow<'s, str>,
    pub(in crate::c) start: usize,
}

/// The tokens of a text, the last one being [`Kind::End`].
pub(in crate::c) struct Tokens<'s> {
    pub(in crate::c) all: Vec<Token<'s>>,
    /// Directives of the preprocessor that are more than markers.
    pub(in crate::c) directives: Vec<Directive<'s>>,
    /// `#pragma` and `_Pragma`, in their order.
    pub(in crate::c) pragmas: Vec<Directive<'s>>,
}

/// Longest first.
const MARKS: [&str; 46] = [
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!",
    "<", ">", "=", "?", ":", ";", ",", ".", "(", ")", "[", "]", "{", "}",
];

/// Marks that are written in another way.
const DIGRAPHS: [(&str, &str); 4] = [("<:", "["), (":>", "]"), ("<%", "{"), ("%>", "}")];

/// Splits a text into tokens.
pub(in crate::c) fn tokens(source: &SourceFile) -> Result<Tokens<'_>, Box<ParseError>> {
    let mut lexer = Lexer { source, text: source.text(), at: 0, line_is_empty: true };
    let (mut tokens, mut directives, mut pragmas) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        lexer.skip_blanks()?;
        if lexer.line_is_empty && lexer.peek() == Some(b'#') {
            if let Some((text, start)) = lexer.directive() {
                let is_pragma = text.starts_with("pragma");
                let list = if is_pragma { &mut pragmas } else { &mut directives };
                list.push(Directive { text: text.into(), start });
            }
            continue;
        }
        let token = lexer.token()?;
        lexer.line_is_empty = false;
        tokens.push(token);
        if token.kind == Kind::End {
            take_operators(&mut tokens, &mut pragmas);
            return Ok(Tokens { all: tokens, directives, pragmas });
        }
    }
}

/// Takes `_Pragma("…")` out of the tokens.
fn take_operators<'s>(tokens: &mut Vec<Token<'s>>, pragmas: &mut Vec<Directive<'s>>) {
    let is_operator = |tokens: &[Token<'_>]| {
        matches!(tokens, [word, open, text, close, ..] if word.kind == Kind::Word && word.text == "_Pragma"
            && open.text == "(" && text.kind == Kind::Text && close.text == ")")
    };
    let mut at = 0;
    let has_any = tokens.iter().any(|token| token.text == "_Pragma");
    while has_any && at < tokens.len() {
        if is_operator(&tokens[at..]) {
            let text = tokens[at + 2].text.trim_start_matches('L').trim_matches('"');
            let text = text.replace("\\\"", "\"").replace("\\\\", "\\");
            pragmas.push(Directive { text: text.into(), start: tokens[at].start });
            tokens.drain(at..at + 4);
        } else {
            at += 1;
        }
    }
    pragmas.sort_by_key(|pragma| pragma.start);
}

struct Lexer<'s> {
    source: &'s SourceFile,
    text: &'s str,
    at: usize,
    /// Whether nothing but blanks was read on this line.
    line_is_empty: bool,
}

impl<'s> Lexer<'s> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'s str {
        &self.text[self.at..]
    }

    /// Blanks, comments and continued lines.
    fn skip_blanks(&mut self) -> Result<(), Box<ParseError>> {
        loop {
            let rest = self.rest();
            match self.peek() {
                Some(b'\n') => {
                    self.line_is_empty = true;
                    self.at += 1;
                }
                Some(b' ' | b'\t' | b'\r' | 0x0b | 0x0c) => self.at += 1,
                Some(b'\\') if rest.starts_with("\\\n") => self.at += 2,
                Some(b'\\') if rest.starts_with("\\\r\n") => self.at += 3,
                Some(b'/') if rest.starts_with("//") => self.skip_line(),
                Some(b'/') if rest.starts_with("/*") => match rest[2..].find("*/") {
                    Some(end) => self.at += end + 4,
                    None => return Err(self.error(2, "the comment does not end")),
                },
                Some(c) if !c.is_ascii() && rest.starts_with(char::is_whitespace) => {
                    self.at += rest.chars().next().map_or(1, char::len_utf8);
                }
                _ => return Ok(()),
            }
        }
    }

    /// Goes to the end of the line, and of those that continue it.
    fn skip_line(&mut self) {
        loop {
            let rest = self.rest();
            self.at += rest.find('\n').unwrap_or(rest.len());
            let is_continued = self.text[..self.at].trim_end_matches('\r').ends_with('\\');
            if !is_continued || self.at >= self.text.len() {
                return;
            }
            self.at += 1;
        }
    }

    /// Reads the rest of a line that starts with `#`; none if it is a marker or empty.
    fn directive(&mut self) -> Option<(&'s str, usize)> {
        let start = self.at;
        self.skip_line();
        let text = self.text[start + 1..self.at].trim();
        let word = text.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let is_marker = word.starts_with(|c: char| c.is_ascii_digit());
        let is_idle = text.is_empty() || is_marker || matches!(word, "line" | "ident");
        (!is_idle).then_some((text, start))
    }

    fn token(&mut self) -> Result<Token<'s>, Box<ParseError>> {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return Ok(Token { kind: Kind::End, text: "", start: self.at });
        };
        let after_prefix = rest.trim_start_matches(['L', 'u', 'U', '8']);
        let prefix = rest.len() - after_prefix.len();
        let quote = after_prefix.chars().next().filter(|c| prefix <= 2 && matches!(c, '\'' | '"'));
        if let Some(quote) = quote {
            let length = prefix + self.quoted(after_prefix, quote)?;
            return Ok(self.take(if quote == '"' { Kind::Text } else { Kind::Char }, length));
        }
        let is_letter = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let second = rest[first.len_utf8()..].chars().next();
        if first.is_ascii_digit() || first == '.' && second.is_some_and(|c| c.is_ascii_digit()) {
            return Ok(self.take(Kind::Number, number_length(rest)));
        }
        if is_letter(first) {
            let length = rest.find(|c| !is_letter(c)).unwrap_or(rest.len());
            return Ok(self.take(Kind::Word, length));
        }
        if let Some((written, text)) =
            DIGRAPHS.iter().find(|(written, _)| rest.starts_with(written))
        {
            let token = self.take(Kind::Mark, written.len());
            return Ok(Token { text, ..token });
        }
        match MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            Some(mark) => Ok(self.take(Kind::Mark, mark.len())),
            None => Err(self.error(first.len_utf8(), "this character has no place in C")),
        }
    }

    fn take(&mut self, kind: Kind, length: usize) -> Token<'s> {
        let token = Token { kind, text: &self.rest()[..length], start: self.at };
        self.at += length;
        token
    }

    /// The length of a quoted piece, both quotes included.
    fn quoted(&self, text: &str, quote: char) -> Result<usize, Box<ParseError>> {
        let mut chars = text.char_indices().skip(1);
        while let Some((i, c)) = chars.next() {
            match c {
                '\\' => {
                    chars.next();
                }
                '\n' => break,
                c if c == quote => return Ok(i + 1),
                _ => {}
            }
        }
        Err(self.error(1, "the closing quote is missing"))
    }

    #[expect(clippy::unnecessary_box_returns, reason = "errors are carried boxed")]
    fn error(&self, length: usize, message: &str) -> Box<ParseError> {
        Box::new(self.source.error(self.at..self.at + length, message))
    }
}

/// The length of a preprocessing number: digits, letters, dots, and signs after an exponent's letter.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_hex = text.starts_with("0x") || text.starts_with("0X");
    let mut length = 1;
    while let Some(c) = bytes.get(length) {
        let before = bytes[length - 1];
        let after_exponent = match is_hex {
            true => matches!(before, b'p' | b'P'),
            false => matches!(before, b'e' | b'E'),
        };
        let goes_on = c.is_ascii_alphanumeric()
            || *c == b'.'
            || *c == b'_'
            || after_exponent && matches!(c, b'+' | b'-');
        if !goes_on {
            break;
        }
        length += 1;
    }
    length
}
