//! Configurations: products of factors, and lines with names.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::command::Word;
use crate::experiment::{Experiment, Factor, Level, Settings};

/// A configuration of the experiment.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct Configuration {
    /// Its name.
    pub name: String,
    /// Its own settings.
    pub settings: Settings,
    /// The command of another tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<Word>>,
    /// Words at the end of the command.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
}

/// All configurations of an experiment: first the product, then those with names.
pub fn configurations(experiment: &Experiment) -> Result<Vec<Configuration>, Error> {
    let mut all = product(&experiment.product);
    all.extend(experiment.configuration.iter().map(|named| Configuration {
        name: named.name.clone(),
        settings: named.set.clone(),
        command: named.command.clone(),
        options: named.options.clone(),
    }));
    let mut names = std::collections::BTreeSet::new();
    match all.iter().find(|configuration| !names.insert(&configuration.name)) {
        Some(twice) => {
            Err(Error::Experiment(format!("two configurations are called `{}`", twice.name)))
        }
        None => Ok(all),
    }
}

/// Each combination of levels, the last factor fastest. Names are the levels', as in the first paper: `BFS_50`.
fn product(factors: &IndexMap<String, Factor>) -> Vec<Configuration> {
    if factors.is_empty() {
        return Vec::new();
    }
    let mut all = vec![(Vec::<&str>::new(), Settings::new())];
    for (axis, factor) in factors {
        let levels: Vec<(&str, Settings)> = match factor {
            Factor::Values(values) => values
                .iter()
                .map(|value| (value.as_str(), Settings::from([(axis.clone(), value.clone())])))
                .collect(),
            Factor::Named(levels) => {
                levels.iter().map(|(name, settings)| (name.as_str(), settings.clone())).collect()
            }
        };
        let combine = |(names, settings): (Vec<_>, Settings)| {
            levels
                .iter()
                .map(move |(name, level)| {
                    let (mut names, mut settings) = (names.clone(), settings.clone());
                    names.push(*name);
                    settings.extend(level.clone());
                    (names, settings)
                })
                .collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(combine).collect();
    }
    all.into_iter()
        .map(|(names, settings)| Configuration {
            name: names.join("_"),
            settings,
            command: None,
            options: Vec::new(),
        })
        .collect()
}

impl Configuration {
    /// Its settings, and what the levels add to them: a level says nothing about an axis that is set already.
    pub fn with_levels<'a>(
        &self,
        levels: impl IntoIterator<Item = &'a Level>,
    ) -> Result<Settings, Error> {
        let mut settings = self.settings.clone();
        for level in levels {
            let mut holds = true;
            for (axis, patterns) in &level.when {
                let value = settings.get(axis).map_or("", String::as_str);
                holds &= patterns.matches(value)?;
            }
            if holds {
                for (axis, value) in &level.set {
                    settings.entry(axis.clone()).or_insert_with(|| value.clone());
                }
            }
        }
        Ok(settings)
    }
}

/// The settings as a configuration line.
pub fn line(settings: &Settings) -> String {
    let words = settings.iter().map(|(axis, value)| format!("{axis}={value}"));
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn experiment(text: &str) -> Experiment {
        let text = format!("title = 'x'\ntasks = []\nlimits.cpu = 1\n{text}");
        toml::from_str(&text).unwrap()
    }

    #[test]
    fn products_are_in_the_order_of_the_file() {
        let experiment = experiment(
            "[product]\nsearch = ['BFS', 'DFS']\nrefinement = { BW = { checker = 'backward' }, MIN = { select = 'min-prune' } }\n\
             [[configuration]]\nname = 'extra'\nset = { domain = 'product' }\n",
        );
        let all = configurations(&experiment).unwrap();
        let lines: Vec<_> =
            all.iter().map(|one| format!("{}: {}", one.name, line(&one.settings))).collect();
        let expected = [
            "BFS_BW: search=BFS checker=backward",
            "BFS_MIN: search=BFS select=min-prune",
            "DFS_BW: search=DFS checker=backward",
            "DFS_MIN: search=DFS select=min-prune",
            "extra: domain=product",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn levels_fill_up_and_depend_on_what_is_set() {
        let experiment = experiment(
            "levels = [{ when = { domain = 'PRED*' }, set = { pred-split = 'WHOLE' } }, { set = { search = 'BFS' } }]\n\
             [product]\ndomain = ['EXPL', 'PRED_CART']\nsearch = ['ERR']",
        );
        let all = configurations(&experiment).unwrap();
        let lines = all
            .iter()
            .map(|one| line(&one.with_levels(&experiment.levels).unwrap()))
            .collect::<Vec<_>>();
        assert_eq!(
            lines,
            ["domain=EXPL search=ERR", "domain=PRED_CART search=ERR pred-split=WHOLE"]
        );
    }

    #[test]
    fn names_are_unique() {
        let twice = experiment("[[configuration]]\nname = 'a'\n[[configuration]]\nname = 'a'");
        assert!(configurations(&twice).unwrap_err().to_string().contains("called `a`"));
    }
}
