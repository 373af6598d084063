//! Bodies of functions of the C library, in C.
//!
//! A program that calls a function of the library without a body gets ours: its text stands behind that of the program and is
//! parsed if the types agree. So undefined behaviour of a call, such as a string without an end, shows as an access outside of an
//! object within the body. The files here are made of pieces, with an empty line before each. A piece defines the function that
//! is named in its first line before a parenthesis, and may use others.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use crate::c::parse::lexer::{Kind, Token};
use crate::source::{Piece, SourceFile};

/// The files, by their names in messages.
pub const FILES: [(&str, &str); 5] = [
    ("<library>/builtins.c", include_str!("library/builtins.c")),
    ("<library>/string.c", include_str!("library/string.c")),
    ("<library>/ctype.c", include_str!("library/ctype.c")),
    ("<library>/stdlib.c", include_str!("library/stdlib.c")),
    ("<library>/stdio.c", include_str!("library/stdio.c")),
];

/// What the names of the functions start with that read an item for `scanf`.
const SCAN: &str = "lapidary_scan_";

/// A piece, with the words in it.
struct Known {
    piece: Piece,
    words: FxHashSet<&'static str>,
}

/// All pieces, in an order in which a piece comes before those that it uses.
static PIECES: LazyLock<Vec<Known>> =
    LazyLock::new(|| FILES.iter().flat_map(|(file, text)| pieces(file, text)).collect());

fn pieces(file: &'static str, text: &'static str) -> Vec<Known> {
    let (mut known, mut line) = (Vec::new(), 1);
    for block in text.split("\n\n") {
        if let Some(name) = defined(block) {
            let piece = Piece { name, text: block.into(), file, of: String::new(), line, start: 0 };
            known.push(Known { piece, words: words(block).collect() });
        }
        line += block.matches('\n').count() as u32 + 2;
    }
    known
}

/// The function that a piece defines.
fn defined(block: &'static str) -> Option<&'static str> {
    let is_definition = |line: &&str| {
        line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && !line.starts_with("extern")
    };
    let head = block.lines().find(is_definition)?;
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    head.match_indices('(').find_map(|(open, _)| {
        let before = &head[..open];
        let start = before.rfind(|c| !is_letter(c)).map_or(0, |last| last + 1);
        (start < open && &before[start..] != "__typeof__").then(|| &before[start..])
    })
}

fn words(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// The program with the pieces behind it that it may use, by the words in it.
pub(in crate::c) fn with_library(source: &SourceFile, tokens: &[Token<'_>]) -> SourceFile {
    let used = tokens.iter().filter(|token| token.kind == Kind::Word).map(|token| token.text);
    let used: FxHashSet<&str> = used.collect();
    let defined = definitions(tokens);
    let scans = used.iter().any(|word| word.ends_with("scanf"));
    let is_used = |known: &&Known| {
        let name = known.piece.name;
        (used.contains(name) || scans && name.starts_with(SCAN)) && !defined.contains(name)
    };
    let mut open: Vec<&str> = PIECES.iter().filter(is_used).map(|known| known.piece.name).collect();
    let mut wanted: BTreeSet<&str> = BTreeSet::new();
    while let Some(name) = open.pop() {
        if wanted.insert(name) {
            let known = PIECES.iter().filter(|known| known.piece.name == name);
            let words = known.flat_map(|known| &known.words);
            open.extend(
                PIECES
                    .iter()
                    .filter(|other| words.clone().any(|word| *word == other.piece.name))
                    .map(|other| other.piece.name),
            );
        }
    }
    let wanted = PIECES.iter().filter(|known| wanted.contains(known.piece.name));
    source.clone().with_pieces(wanted.map(|known| known.piece.clone()))
}

/// The functions that have a body at file scope, or seem to.
fn definitions<'s>(tokens: &[Token<'s>]) -> FxHashSet<&'s str> {
    let (mut defined, mut depth, mut last) = (FxHashSet::default(), 0_u32, None);
    for (i, token) in tokens.iter().enumerate() {
        match token.text {
            "(" if depth == 0 => last = i.checked_sub(1).map(|before| tokens[before].text),
            ";" if depth == 0 => last = None,
            _ => {}
        }
        match token.text {
            "{" if depth == 0 => {
                defined.extend(last.take());
                depth = 1;
            }
            "{" | "(" => depth += 1,
            "}" | ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    defined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_the_names_of_their_functions() {
        let names: Vec<&str> = PIECES.iter().map(|known| known.piece.name).collect();
        for name in ["strlen", "strtok", "isalpha", "atoi", "div", "qsort", "lapidary_scan_int"] {
            assert!(names.contains(&name), "{name}: {names:?}");
        }
        let distinct: BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(distinct.len(), names.len(), "{names:?}");
    }
}
