//! Pragmas: `#pragma pack` changes layouts, some others have no effect on the meaning, the rest is unsupported.

use crate::c::parse::lexer::Directive;

/// Pragmas without effect on the meaning of a program, by their first words.
const IDLE: [&str; 20] = [
    "GCC diagnostic",
    "GCC system_header",
    "GCC visibility",
    "GCC poison",
    "GCC dependency",
    "GCC warning",
    "GCC ivdep",
    "GCC unroll",
    "STDC FP_CONTRACT",
    "STDC CX_LIMITED_RANGE",
    "clang diagnostic",
    "alloc_text",
    "function",
    "merger",
    "message",
    "once",
    "omp",
    "unused",
    "warning",
    "ident",
];

/// The pragma that begins another file of a program.
const UNIT: &str = "lapidary_unit";

/// What the pragmas of a program say.
#[derive(Debug, Default)]
pub(in crate::c) struct Pragmas {
    /// From where on which limit of `pack` holds.
    packs: Vec<(usize, Option<u64>)>,
    /// Where the files of the program start, but for the first.
    pub(in crate::c) units: Vec<usize>,
    /// The first pragma whose effect is not known.
    pub(in crate::c) unknown: Option<(String, usize)>,
}

impl Pragmas {
    /// Reads the pragmas of a text, in their order.
    pub(in crate::c) fn new(directives: &[Directive<'_>]) -> Pragmas {
        let mut pragmas = Pragmas::default();
        let mut packs = Packs { levels: vec![(String::new(), None)] };
        for pragma in directives {
            let text = pragma.text.strip_prefix("pragma").unwrap_or(&pragma.text);
            let words = words(text);
            let is_idle = IDLE.iter().any(|idle| {
                let idle: Vec<_> = idle.split(' ').collect();
                words.starts_with(&idle.iter().map(|word| (*word).to_string()).collect::<Vec<_>>())
            });
            if words.first().is_some_and(|word| word == UNIT) {
                packs = Packs { levels: vec![(String::new(), None)] };
                pragmas.packs.push((pragma.start, None));
                pragmas.units.push(pragma.start);
            } else if words.first().is_some_and(|word| word == "pack") {
                let words: Vec<_> = words.iter().map(String::as_str).collect();
                packs.apply(&words[1..]);
                pragmas.packs.push((pragma.start, packs.current()));
            } else if !is_idle && !words.is_empty() {
                let what = format!("`#pragma {}`", words[0]);
                pragmas.unknown.get_or_insert((what, pragma.start));
            }
        }
        pragmas
    }

    /// The largest alignment of members in structures that end at a place.
    pub(in crate::c) fn pack_at(&self, place: usize) -> Option<u64> {
        let n_before = self.packs.partition_point(|(start, _)| *start < place);
        n_before.checked_sub(1).and_then(|last| self.packs[last].1)
    }
}

/// The stack of limits; `pack(n)` changes its top.
struct Packs {
    levels: Vec<(String, Option<u64>)>,
}

impl Packs {
    fn current(&self) -> Option<u64> {
        self.levels.last().and_then(|(_, limit)| *limit)
    }

    /// One `pack`; like gcc, ignores those that are not written as they should be.
    fn apply(&mut self, words: &[&str]) {
        let limit = |word: &str| match word.parse() {
            Ok(0) => Some(None),
            Ok(n @ (1 | 2 | 4 | 8 | 16)) => Some(Some(n)),
            _ => None,
        };
        match words {
            ["(", ")"] => self.set(None),
            ["(", "push", ")"] => self.levels.push((String::new(), self.current())),
            ["(", "push", ",", word, ")"] => match limit(word) {
                Some(limit) => self.levels.push((String::new(), limit)),
                None if word.starts_with(|c: char| c.is_ascii_digit()) => {}
                None => self.levels.push(((*word).into(), self.current())),
            },
            ["(", "push", ",", name, ",", n, ")"] => {
                if let Some(limit) = limit(n) {
                    self.levels.push(((*name).into(), limit));
                }
            }
            ["(", "pop", ")"] => self.pop(self.levels.len() - 1),
            ["(", "pop", ",", name, ")"] => {
                if let Some(level) = self.levels.iter().rposition(|(known, _)| known == name) {
                    self.pop(level);
                }
            }
            ["(", n, ")"] => {
                if let Some(limit) = limit(n) {
                    self.set(limit);
                }
            }
            _ => {}
        }
    }

    fn set(&mut self, limit: Option<u64>) {
        if let Some(top) = self.levels.last_mut() {
            top.1 = limit;
        }
    }

    /// Removes a level and those above, but not the lowest one.
    fn pop(&mut self, level: usize) {
        self.levels.truncate(level.max(1));
    }
}

/// The words and marks of a pragma, without comments.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_letter = |c: char| c.is_alphanumeric() || c == '_';
        let length = if rest.starts_with("//") {
            rest.len()
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if is_letter(first) {
            rest.find(|c| !is_letter(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        if !rest.starts_with("//") && !rest.starts_with("/*") {
            words.push(rest[..length].into());
        }
        rest = rest[length..].trim_start();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The limits after each pragma.
    fn limits(texts: &[&str]) -> Vec<Option<u64>> {
        let directives: Vec<_> = texts
            .iter()
            .enumerate()
            .map(|(start, text)| Directive { text: (*text).into(), start })
            .collect();
        let pragmas = Pragmas::new(&directives);
        (1..=texts.len()).map(|place| pragmas.pack_at(place)).collect()
    }

    #[test]
    fn pack_is_a_stack_whose_top_changes() {
        let texts =
            ["pragma pack(2)", "pragma pack(push, 8)", "pragma pack ( 4 )", "pragma pack(push)"];
        assert_eq!(limits(&texts), [Some(2), Some(8), Some(4), Some(4)]);
        let texts =
            ["pragma pack(push,2)", "pragma pack(4)", "pragma pack(push,1)", "pragma pack(pop)"];
        assert_eq!(limits(&texts), [Some(2), Some(4), Some(1), Some(4)]);
        let texts = [
            "pragma pack(push, a, 2)",
            "pragma pack(push, 1)",
            "pragma pack(pop, a)",
            "pragma pack(pop)",
        ];
        assert_eq!(limits(&texts), [Some(2), Some(1), None, None]);
        let texts =
            ["pragma pack(1) // tight", "pragma pack(3)", "pragma pack(/* */)", "pragma pack(0)"];
        assert_eq!(limits(&texts), [Some(1), Some(1), None, None]);
    }

    #[test]
    fn unknown_pragmas_are_noted() {
        let pragma = |text: &str| Directive { text: text.to_string().into(), start: 7 };
        assert_eq!(Pragmas::new(&[pragma("pragma GCC diagnostic push")]).unknown, None);
        let unknown = Pragmas::new(&[pragma("pragma ms_struct on")]).unknown;
        assert_eq!(unknown, Some(("`#pragma ms_struct`".into(), 7)));
    }
}
