//! Programs that were not preprocessed: what the usual headers define is known without them.
//!
//! A program that includes nothing but usual headers is read as it is, so that positions stay those of the
//! file. Everything else is work for a preprocessor; for that, there are headers of ours, which take what depends
//! on the data model from the compiler's own macros.

use crate::c::parse::lexer::{Kind, Token, Tokens};
use crate::c::types::Rank;
use crate::c::types::{DataModel, IntType};
use crate::source::{ParseError, SourceFile};

/// The headers whose names we know, or whose functions need no declaration.
const KNOWN: [&str; 11] = [
    "assert.h",
    "limits.h",
    "stdbool.h",
    "stdint.h",
    "stddef.h",
    "stdlib.h",
    "stdio.h",
    "string.h",
    "inttypes.h",
    "ctype.h",
    "errno.h",
];

/// Headers of ours, for a preprocessor.
pub const HEADERS: [(&str, &str); 31] = [
    ("assert.h", include_str!("headers/assert.h")),
    ("ctype.h", include_str!("headers/ctype.h")),
    ("errno.h", include_str!("headers/errno.h")),
    ("fcntl.h", include_str!("headers/fcntl.h")),
    ("fenv.h", include_str!("headers/fenv.h")),
    ("float.h", include_str!("headers/float.h")),
    ("inttypes.h", include_str!("headers/inttypes.h")),
    ("iso646.h", include_str!("headers/iso646.h")),
    ("limits.h", include_str!("headers/limits.h")),
    ("locale.h", include_str!("headers/locale.h")),
    ("malloc.h", include_str!("headers/stdlib.h")),
    ("math.h", include_str!("headers/math.h")),
    ("pthread.h", include_str!("headers/pthread.h")),
    ("setjmp.h", include_str!("headers/setjmp.h")),
    ("signal.h", include_str!("headers/signal.h")),
    ("stdalign.h", include_str!("headers/stdalign.h")),
    ("stdarg.h", include_str!("headers/stdarg.h")),
    ("stdbool.h", include_str!("headers/stdbool.h")),
    ("stddef.h", include_str!("headers/stddef.h")),
    ("stdint.h", include_str!("headers/stdint.h")),
    ("stdio.h", include_str!("headers/stdio.h")),
    ("stdlib.h", include_str!("headers/stdlib.h")),
    ("stdnoreturn.h", include_str!("headers/stdnoreturn.h")),
    ("string.h", include_str!("headers/string.h")),
    ("strings.h", include_str!("headers/string.h")),
    ("time.h", include_str!("headers/time.h")),
    ("unistd.h", include_str!("headers/unistd.h")),
    ("sys/stat.h", include_str!("headers/stat.h")),
    ("sys/time.h", include_str!("headers/time_sys.h")),
    ("sys/wait.h", include_str!("headers/wait.h")),
    ("sys/types.h", include_str!("headers/types.h")),
];

/// Whether a text has directives for a preprocessor, other than including the headers that are known without one.
pub fn needs_preprocessor(source: &SourceFile) -> bool {
    match crate::c::parse::lexer::tokens(source) {
        Ok(tokens) => {
            let mut words = tokens.all.iter().filter(|token| token.kind == Kind::Word);
            let is_missing = |word: &Token<'_>| is_missing(word.text);
            let is_missing = check(source, &tokens)
                .map_or(true, |has_headers| has_headers && words.any(is_missing));
            is_missing || has_split_words(source.text())
        }
        // What is left out by a condition may well be no C.
        Err(_) => source.text().lines().any(|line| {
            let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
            directive.is_some_and(|directive| {
                ["if", "define", "include", "undef"].iter().any(|word| directive.starts_with(word))
            })
        }),
    }
}

/// Whether a line ends within a word.
fn has_split_words(text: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices("\\\n").any(|(at, end)| {
        text[..at].ends_with(is_letter) && text[at + end.len()..].starts_with(is_letter)
    })
}

/// Whether a name is one that only the headers themselves define.
fn is_missing(name: &str) -> bool {
    let is_number =
        ["INT", "UINT", "SIZE", "PTRDIFF", "WCHAR"].iter().any(|ty| name.starts_with(ty));
    let is_limit = is_number && ["_MAX", "_MIN", "_C"].iter().any(|end| name.ends_with(end));
    let is_known = |known: &(&str, i128, IntType)| known.0 == name;
    let is_type = name.ends_with("_t")
        && ["int_least", "uint_least", "int_fast", "uint_fast", "intmax", "uintmax"]
            .iter()
            .any(|ty| name.starts_with(ty));
    is_limit && !constants(DataModel::Ilp32).iter().any(is_known)
        || is_type
        || name.starts_with("PRI")
            && name.len() > 3
            && name[3..].starts_with(['d', 'i', 'u', 'x', 'X', 'o'])
        || matches!(
            name,
            "offsetof"
                | "stdin"
                | "stdout"
                | "stderr"
                | "FILE"
                | "EOF"
                | "RAND_MAX"
                | "errno"
                | "wchar_t"
                | "div_t"
                | "static_assert"
                | "max_align_t"
                | "__bool_true_false_are_defined"
                | "ldiv_t"
        )
}

/// An error for the first directive that needs a preprocessor; whether any header is included.
pub(in crate::c) fn check(
    source: &SourceFile,
    tokens: &Tokens<'_>,
) -> Result<bool, Box<ParseError>> {
    for directive in &tokens.directives {
        let included = directive.text.strip_prefix("include").map(str::trim);
        let header = included.and_then(|text| text.strip_prefix('<')?.split('>').next());
        if header.is_some_and(|header| KNOWN.contains(&header)) {
            continue;
        }
        let end = directive.start + 1 + directive.text.len();
        let error = source.error(directive.start..end, "this needs a preprocessor");
        return Err(Box::new(
            error.with_help("run `gcc -E` (with `-m32` for 32 bits) and verify what it prints"),
        ));
    }
    Ok(!tokens.directives.is_empty())
}

/// The types that headers define.
pub(in crate::c) fn types(model: DataModel) -> Vec<(&'static str, IntType)> {
    let long = IntType { width: model.word(), signed: true, rank: Rank::Long };
    let wide = if model == DataModel::Lp64 { long } else { IntType::LLONG };
    // On 32 bits, pointers and sizes are `int`.
    let word = if model == DataModel::Lp64 { long } else { IntType::INT };
    vec![
        ("int8_t", IntType::CHAR),
        ("uint8_t", IntType::CHAR.unsigned()),
        ("int16_t", IntType::SHORT),
        ("uint16_t", IntType::SHORT.unsigned()),
        ("int32_t", IntType::INT),
        ("uint32_t", IntType::UINT),
        ("int64_t", wide),
        ("uint64_t", wide.unsigned()),
        ("intptr_t", word),
        ("uintptr_t", word.unsigned()),
        ("ptrdiff_t", word),
        ("size_t", word.unsigned()),
        ("ssize_t", word),
    ]
}

/// The constants that headers define.
pub(in crate::c) fn constants(model: DataModel) -> Vec<(&'static str, i128, IntType)> {
    let long = IntType { width: model.word(), signed: true, rank: Rank::Long };
    let both = |min, max, ty: IntType| [(min, ty.least(), ty), (max, ty.greatest(), ty)];
    let small = |name, value| (name, value, IntType::INT);
    let most = |name, ty: IntType| (name, ty.greatest(), ty);
    let mut all = vec![
        small("CHAR_BIT", 8),
        small("CHAR_MIN", -128),
        small("CHAR_MAX", 127),
        small("SCHAR_MIN", -128),
        small("SCHAR_MAX", 127),
        small("UCHAR_MAX", 255),
        small("SHRT_MIN", -32768),
        small("SHRT_MAX", 32767),
        small("USHRT_MAX", 65535),
        small("MB_LEN_MAX", 16),
        small("EXIT_SUCCESS", 0),
        small("EXIT_FAILURE", 1),
        ("NULL", 0, long),
        most("UINT_MAX", IntType::UINT),
        most("ULONG_MAX", long.unsigned()),
        most("ULLONG_MAX", IntType::LLONG.unsigned()),
        most("UINT32_MAX", IntType::UINT),
        small("UINT8_MAX", 255),
        small("UINT16_MAX", 65535),
    ];
    all.extend(both("INT_MIN", "INT_MAX", IntType::INT));
    all.extend(both("INT32_MIN", "INT32_MAX", IntType::INT));
    all.extend(both("LONG_MIN", "LONG_MAX", long));
    all.extend(both("LLONG_MIN", "LLONG_MAX", IntType::LLONG));
    all.extend(both("INT64_MIN", "INT64_MAX", IntType::LLONG));
    all
}
