//! What a verdict rests on that a reader may not expect, for people.

use super::parse::{self, headers, lexer};
use super::{Options, flatten};
use crate::c::flatten::conventions::Conventions;
use crate::c::parse::lexer::{Kind, Token};
use crate::c::types::Types;
use crate::c::types::qualifiers::{Qualifier, named};
use crate::source::SourceFile;

/// Said where the sizes of types may matter and were not asked for.
pub(super) const MODEL: &str =
    "`long` and pointers are taken to have 32 bits; `--bits 64` or `--bits 32` says which";

/// What is said about what an entry is given.
pub(super) fn given(options: &Options, given: super::Given) -> String {
    let null = if given.null { "null, or" } else { "not null, and" };
    format!(
        "pointers that `{}` is given are {null} to objects of their own: arrays of 1 to {} elements, with pointers of their own to a depth of {}",
        options.entry, given.length, given.depth
    )
}

/// Words that mean something else in another data model.
const WORDS: [&str; 12] = [
    "sizeof",
    "_Alignof",
    "__alignof__",
    "union",
    "size_t",
    "ssize_t",
    "ptrdiff_t",
    "intptr_t",
    "uintptr_t",
    "time_t",
    "off_t",
    "__builtin_offsetof",
];

/// Whether the meaning of a program may depend on the sizes of types that differ between machines.
pub(super) fn depends_on_model(tokens: &[Token<'_>]) -> bool {
    let word = |i: usize| tokens.get(i).filter(|token| token.kind == Kind::Word);
    let is_long = |i: usize| word(i).is_some_and(|token| token.text == "long");
    let is_plain_long = |i: usize| {
        // Neither `long long` nor `long double`; what stands between is rare.
        let is_other = |i: usize| is_long(i) || word(i).is_some_and(|token| token.text == "double");
        is_long(i) && !is_other(i + 1) && !i.checked_sub(1).is_some_and(is_other)
    };
    (0..tokens.len())
        .any(|i| is_plain_long(i) || word(i).is_some_and(|token| WORDS.contains(&token.text)))
}

/// Where something is first said to be `volatile`, other than inline assembly.
pub(super) fn first_volatile(tokens: &[Token<'_>]) -> Option<usize> {
    let is_assembly = |i: usize| matches!(tokens[i].text, "asm" | "__asm" | "__asm__");
    let is_volatile = |word: &str| named(word) == Some(Qualifier::Volatile);
    let is_it =
        |i: &usize| is_volatile(tokens[*i].text) && !i.checked_sub(1).is_some_and(is_assembly);
    (0..tokens.len()).find(is_it).map(|i| tokens[i].start)
}

/// What is said about an assertion in a program whose error is a call of other functions.
pub(super) fn no_error(source: &SourceFile, start: usize, errors: &[String]) -> String {
    format!(
        "the error is a call of `{}`; a failed assertion, at {} for example, only ends the program",
        errors.join("` or `"),
        source.place(start)
    )
}

/// What is said about a label `ERROR`, which is the error or not.
pub(super) fn label(source: &SourceFile, start: usize, is_error: bool) -> String {
    let place = source.place(start);
    match is_error {
        true => format!("the label `ERROR` at {place} is taken for the error"),
        false => format!(
            "the label `ERROR` at {place} is not taken for the error, since there are assertions"
        ),
    }
}

/// What is said about `volatile`, if the program reads what is; `first` is where the word is.
pub(super) fn volatile(source: &SourceFile, options: &Options, first: usize) -> Option<String> {
    // Types forget it unless they are asked not to, so the program is read once more. What cannot be read that way may well
    // read it.
    let place = reads_volatile(source, options).unwrap_or(Some(first))?;
    Some(format!(
        "`volatile` is taken as ordinary memory, at {} for example; with `--volatile havoc` each read yields any value",
        source.place(place)
    ))
}

/// Where the program first reads what is `volatile`.
fn reads_volatile(source: &SourceFile, options: &Options) -> parse::Parsed<Option<usize>> {
    let tokens = lexer::tokens(source)?;
    let has_headers = headers::check(source, &tokens)?;
    let types = Types::new(options.model, Some(Qualifier::Volatile));
    let program = parse::program(source, tokens, types, has_headers)?;
    let main = program.functions.iter().position(|function| function.name == "main");
    let (property, checks) = (options.error_function.as_deref(), options.checks);
    let conventions = Conventions::of(&program, property, checks);
    Ok(main.and_then(|main| flatten::flatten(&program, conventions, main as u32).volatile))
}
