//! The command of a run, with places for the task, the configuration and the limits.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::Error;

/// A word of a command, or words that belong together.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(untagged)]
pub enum Word {
    /// A word.
    One(String),
    /// Words that are left out together if what they have a place for is empty.
    Together(Vec<String>),
}

/// `lapidary verify` with everything that a task and a configuration say.
pub fn default_words() -> Vec<Word> {
    let one = |word: &str| Word::One(word.into());
    let pair = |option: &str, value: &str| Word::Together(vec![option.into(), value.into()]);
    vec![
        one("{lapidary}"),
        one("verify"),
        one("{file}"),
        pair("--bits", "{bits}"),
        pair("--property", "{property}"),
        pair("--config", "{configuration}"),
        pair("--time", "{cpu}"),
        pair("--memory", "{memory}"),
        one("--json"),
    ]
}

/// Puts values in their places.
pub fn fill(words: &[Word], values: &IndexMap<&str, String>) -> Result<Vec<String>, Error> {
    let mut filled = Vec::new();
    for word in words {
        match word {
            Word::One(word) => filled.push(fill_word(word, values)?.0),
            Word::Together(words) => {
                let all = words.iter().map(|word| fill_word(word, values));
                let all = all.collect::<Result<Vec<_>, _>>()?;
                if all.iter().all(|(_, is_full)| *is_full) {
                    filled.extend(all.into_iter().map(|(word, _)| word));
                }
            }
        }
    }
    Ok(filled)
}

/// The word, and whether all its places have something in them.
fn fill_word(word: &str, values: &IndexMap<&str, String>) -> Result<(String, bool), Error> {
    let (mut text, mut is_full, mut rest) = (String::new(), true, word);
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after
            .split_once('}')
            .ok_or_else(|| Error::Experiment(format!("`{word}`: `{{` without `}}`")))?;
        let value = values.get(name).ok_or_else(|| {
            let names = values.keys().copied().collect::<Vec<_>>().join(", ");
            Error::Experiment(format!("`{word}`: there is no `{name}`, but {names}"))
        })?;
        is_full &= !value.is_empty();
        text.push_str(before);
        text.push_str(value);
        rest = after;
    }
    text.push_str(rest);
    Ok((text, is_full))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_an_empty_place_go_together() {
        let values = |bits: &str| IndexMap::from([("file", "a b.c".into()), ("bits", bits.into())]);
        let words =
            [Word::One("x={file}".into()), Word::Together(vec!["--bits".into(), "{bits}".into()])];
        assert_eq!(fill(&words, &values("64")).unwrap(), ["x=a b.c", "--bits", "64"]);
        assert_eq!(fill(&words, &values("")).unwrap(), ["x=a b.c"]);
        let wrong = fill(&[Word::One("{fil}".into())], &values("")).unwrap_err().to_string();
        assert!(wrong.contains("no `fil`, but file, bits"), "{wrong}");
    }
}
