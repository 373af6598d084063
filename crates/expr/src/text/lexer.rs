//! S-expressions.

use std::fmt;

/// An S-expression of SMT-LIB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SExpr {
    /// A symbol, numeral, keyword or other single word; bars around symbols are taken off.
    Atom(String),
    /// A string literal.
    Text(String),
    /// A list.
    List(Vec<SExpr>),
}

/// Without recursion: lists nest as deep as terms do.
impl Drop for SExpr {
    fn drop(&mut self) {
        let SExpr::List(items) = self else { return };
        let mut pending = std::mem::take(items);
        while let Some(mut item) = pending.pop() {
            if let SExpr::List(inner) = &mut item {
                pending.append(inner);
            }
        }
    }
}

/// Why text is no term, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// What is wrong.
    pub message: String,
    /// The byte at which it was noticed, where that is known.
    pub offset: Option<usize>,
}

impl SyntaxError {
    /// An error whose place is not known.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), offset: None }
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.offset {
            Some(offset) => write!(f, "{} at byte {offset}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for SyntaxError {}

/// Reads all S-expressions of `text`.
pub fn read_all(text: &str) -> Result<Vec<SExpr>, SyntaxError> {
    let at = |offset: usize, message: &str| SyntaxError {
        message: message.into(),
        offset: Some(offset),
    };
    let mut open: Vec<(usize, Vec<SExpr>)> = vec![(0, Vec::new())];
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        let item = match c {
            c if c.is_whitespace() => continue,
            ';' => {
                while chars.next_if(|(_, c)| *c != '\n').is_some() {}
                continue;
            }
            '(' => {
                open.push((start, Vec::new()));
                continue;
            }
            ')' => match open.pop() {
                Some((_, items)) if !open.is_empty() => SExpr::List(items),
                _ => return Err(at(start, "unexpected `)`")),
            },
            '|' => {
                let name: String = std::iter::from_fn(|| chars.next_if(|(_, c)| *c != '|'))
                    .map(|(_, c)| c)
                    .collect();
                chars.next().ok_or_else(|| at(start, "`|` is never closed"))?;
                SExpr::Atom(name)
            }
            '"' => {
                let mut content = String::new();
                loop {
                    match chars.next() {
                        None => return Err(at(start, "string is never closed")),
                        Some((_, '"')) if chars.next_if(|(_, c)| *c == '"').is_some() => {
                            content.push('"');
                        }
                        Some((_, '"')) => break SExpr::Text(content),
                        Some((_, c)) => content.push(c),
                    }
                }
            }
            c => {
                let mut word = String::from(c);
                let ends = |c: char| c.is_whitespace() || "();|\"".contains(c);
                while let Some((_, c)) = chars.next_if(|(_, c)| !ends(*c)) {
                    word.push(c);
                }
                SExpr::Atom(word)
            }
        };
        if let Some((_, items)) = open.last_mut() {
            items.push(item);
        }
    }
    match open.pop() {
        Some((_, items)) if open.is_empty() => Ok(items),
        Some((start, _)) => Err(at(start, "`(` is never closed")),
        None => Ok(Vec::new()),
    }
}
