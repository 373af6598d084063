//! Tokens of the CFA language.

use std::ops::Range;

use super::Parsed;
use crate::source::{ParseError, SourceFile};

/// The languages whose types and expressions are these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// Control flow automata.
    Automata,
    /// Transition systems: with primed variables, and other names for some types.
    Systems,
}

impl Language {
    /// Whether a word can be no name.
    pub(crate) fn is_reserved(self, word: &str) -> bool {
        match self {
            Language::Automata => is_reserved(word),
            Language::Systems => {
                matches!(word, "specification" | "system" | "property" | "models" | "var" | "const")
                    || matches!(word, "invariant" | "initial" | "transition" | "default")
                    || is_reserved_in_expressions(word)
            }
        }
    }
}

/// What kind of token it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or a keyword.
    Word,
    /// Decimal digits.
    Int,
    /// A bit-vector literal such as `8'xff`, not checked yet.
    Bits,
    /// Punctuation.
    Symbol,
    /// The end of the text.
    End,
}

/// A token; its text tells keywords and symbols apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'s> {
    pub(crate) kind: Kind,
    pub(crate) text: &'s str,
    pub(crate) start: usize,
}

impl Token<'_> {
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(crate) fn span(&self) -> Range<usize> {
        self.start..self.end()
    }

    /// The token in an error message.
    pub(crate) fn describe(&self) -> String {
        match self.kind {
            Kind::End => "the end of the file".into(),
            Kind::Word if is_reserved(self.text) => format!("the keyword `{}`", self.text),
            _ => format!("`{}`", self.text),
        }
    }
}

/// Whether a word has a meaning of its own in the CFA language and can be no name.
pub(crate) fn is_reserved(word: &str) -> bool {
    matches!(word, "var" | "main" | "process" | "init" | "final" | "error" | "loc")
        || matches!(word, "default" | "havoc" | "assume" | "return")
        || is_reserved_in_expressions(word)
}

/// Whether a word has a meaning of its own in types and expressions.
pub(crate) fn is_reserved_in_expressions(word: &str) -> bool {
    matches!(word, "bool" | "int" | "rat" | "bv" | "fp")
        || matches!(word, "if" | "then" | "else" | "iff" | "imply" | "forall" | "exists")
        || matches!(word, "or" | "and" | "xor" | "not" | "mod" | "rem" | "true" | "false")
        || matches!(word, "bv_zero_extend" | "bv_sign_extend" | "bvnot" | "bvneg" | "bvpos")
        || matches!(word, "bvadd" | "bvsub" | "bvmul" | "bvudiv" | "bvsdiv" | "bvsmod")
        || matches!(word, "bvurem" | "bvsrem" | "bvor" | "bvand" | "bvxor" | "bvshl" | "bvashr")
        || matches!(word, "bvlshr" | "bvrol" | "bvror" | "bvult" | "bvule" | "bvugt" | "bvuge")
        || matches!(word, "bvslt" | "bvsle" | "bvsgt" | "bvsge")
        || is_floating_point(word)
}

/// Whether a word is an operator on floating point numbers.
pub(crate) fn is_floating_point(word: &str) -> bool {
    matches!(word, "fpabs" | "fpfrombv" | "fpisnan" | "fpmax" | "fpmin" | "fprem" | "fproundtoint")
        || matches!(word, "fpsqrt" | "fptobv" | "fptofp" | "fpsub" | "fpadd" | "fpmul" | "fpdiv")
        || matches!(word, "fppos" | "fpneg")
}

/// Longer symbols before their prefixes.
const SYMBOLS: [&str; 26] = [
    "++", "/=", "<=", ">=", "<-", "->", ":=", "(", ")", "[", "]", "{", "}", ",", ":", ";", "'",
    "=", "<", ">", "+", "-", "*", "/", "%", ".",
];

/// The tokens of the text, the last of which is its end.
pub(crate) fn tokens(source: &SourceFile, language: Language) -> Parsed<Vec<Token<'_>>> {
    let text = source.text();
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut at = 0;
    loop {
        at = skip_blanks(source, at)?;
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else { break };
        let (kind, length) = match first {
            'a'..='z' | 'A'..='Z' | '_' => (Kind::Word, word_length(rest)),
            '0'..='9' => number(rest),
            '!' if language == Language::Systems && rest.starts_with("!=") => (Kind::Symbol, 2),
            _ => (Kind::Symbol, symbol_length(rest)),
        };
        if length == 0 {
            let message = format!("unexpected character `{}`", first.escape_debug());
            let error = source.error(at..at + first.len_utf8(), message);
            return Err(with_spelling(error, first).into());
        }
        tokens.push(Token { kind, text: &rest[..length], start: at });
        at += length;
    }
    // What is missing at the end is missed after the last token, not after the blanks that follow it.
    let end = tokens.last().map_or(at, Token::end);
    tokens.push(Token { kind: Kind::End, text: "", start: end });
    Ok(tokens)
}

/// Advice for who writes the operators of C.
fn with_spelling(error: ParseError, character: char) -> ParseError {
    match character {
        '&' => error.with_help("the connective is written `and`, the bit operation `bvand`"),
        '|' => error.with_help("the connective is written `or`, the bit operation `bvor`"),
        '!' => error.with_help("negation is written `not`, inequality `/=`"),
        _ => error,
    }
}

/// The offset of the next token: after blanks and comments.
fn skip_blanks(source: &SourceFile, mut at: usize) -> Parsed<usize> {
    let text = source.text();
    loop {
        let rest = &text[at..];
        let tight = rest.trim_start_matches([' ', '\t', '\r', '\n', '\u{c}']);
        at += rest.len() - tight.len();
        if tight.starts_with("//") {
            at += tight.find('\n').unwrap_or(tight.len());
        } else if let Some(comment) = tight.strip_prefix("/*") {
            let Some(length) = comment.find("*/") else {
                let error = source.error(at..at + 2, "this comment does not end");
                return Err(error.with_help("close it with `*/`").into());
            };
            at += length + 4;
        } else {
            return Ok(at);
        }
    }
}

/// Zero if there is no symbol.
fn symbol_length(text: &str) -> usize {
    SYMBOLS.iter().find(|symbol| text.starts_with(**symbol)).map_or(0, |symbol| symbol.len())
}

fn word_length(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len())
}

/// The kind and length of a number: `12`, or `4'b0010`, `4'd-5`, `8'xff` with whatever letters and digits
/// follow, so that a wrong digit is reported as such.
fn number(text: &str) -> (Kind, usize) {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let Some(value) = text[digits..].strip_prefix('\'') else { return (Kind::Int, digits) };
    let sign = match value.as_bytes() {
        [b'd', b'+' | b'-', ..] => 1,
        [b'b' | b'd' | b'x', ..] => 0,
        _ => return (Kind::Int, digits),
    };
    (Kind::Bits, digits + 2 + sign + word_length(&value[1 + sign..]))
}
