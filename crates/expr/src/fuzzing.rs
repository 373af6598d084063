//! What must hold of any text that is read as a term, and texts to try it on.
//!
//! The bodies of fuzz targets live beside what they test, so that the tests run them as well, for a while and on
//! the same texts each time.

use std::sync::LazyLock;

use crate::sort::Sort;
use crate::text::{Scope, parse};
use crate::var::{Func, Var};

/// Variables of most sorts, and functions.
struct Names;

static VARS: LazyLock<Vec<(&str, Var)>> = LazyLock::new(|| {
    let sorts = [
        ("p", Sort::Bool),
        ("q", Sort::Bool),
        ("x", Sort::Int),
        ("y", Sort::Int),
        ("r", Sort::Rat),
        ("u", Sort::Bv(4)),
        ("v", Sort::Bv(4)),
        ("w", Sort::Bv(1)),
        ("a", Sort::array(Sort::Int, Sort::Int)),
        ("b", Sort::array(Sort::Bv(4), Sort::Bool)),
    ];
    sorts.map(|(name, sort)| (name, Var::new(name, sort))).into()
});

impl Scope for Names {
    fn var(&self, name: &str) -> Option<Var> {
        VARS.iter().find(|(known, _)| *known == name).map(|(_, var)| *var)
    }

    fn func(&self, name: &str) -> Option<Func> {
        (name == "f").then(|| Func::new("f", &[Sort::Int], Sort::Int))
    }
}

/// Any text is a term, which survives being written and read, or is refused with a reason.
pub fn term(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match parse(&text, &Names) {
        Ok(term) => {
            let written = term.to_string();
            let again = parse(&written, &Names);
            assert_eq!(again, Ok(term), "{text} is written as {written}");
        }
        Err(error) => {
            assert!(!error.message.is_empty(), "{text}");
            assert!(
                error.offset.is_none_or(|offset| offset < text.len().max(1)),
                "{text}: {error}"
            );
        }
    }
}

/// A source of changes to texts (Marsaglia's xorshift): the same ones each time.
#[derive(Clone, Debug)]
pub struct Mutator(u64);

impl Default for Mutator {
    fn default() -> Self {
        Mutator(0x9e37_79b9_7f4a_7c15)
    }
}

impl Mutator {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }

    /// The text with a few of its words and characters deleted, repeated, exchanged or replaced by `odd` ones.
    pub fn mutate(&mut self, text: &str, odd: &[&str]) -> String {
        let mut pieces = pieces(text);
        for _ in 0..=self.below(3) {
            if pieces.is_empty() {
                break;
            }
            let (i, j) = (self.below(pieces.len()), self.below(pieces.len()));
            let copy = pieces[j].clone();
            match self.below(6) {
                0 => drop(pieces.remove(i)),
                1 => pieces.insert(i, copy),
                2 => pieces.swap(i, j),
                3 => pieces[i] = copy,
                4 => drop(pieces[i].pop()),
                _ => pieces[i] = odd[self.below(odd.len())].into(),
            }
        }
        pieces.concat()
    }
}

/// The text cut into words, numbers and single characters.
fn pieces(text: &str) -> Vec<String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut pieces: Vec<String> = Vec::new();
    for c in text.chars() {
        match pieces.last_mut() {
            Some(last) if is_word(c) && last.chars().all(is_word) => last.push(c),
            _ => pieces.push(c.into()),
        }
    }
    pieces
}
