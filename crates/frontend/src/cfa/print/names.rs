//! Names that the CFA language accepts: own names where they are words of their own, replacements elsewhere.

use lapidary_expr::Var;
use lapidary_model::{Cfa, Loc};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cfa::lexer::Language;

/// The names of an automaton and its parts.
pub(crate) struct Names {
    process: String,
    vars: FxHashMap<Var, String>,
    locs: Vec<String>,
}

impl Names {
    pub(crate) fn of(cfa: &Cfa) -> Names {
        let vars = unique(cfa.vars().iter().map(|var| var.name()), Language::Automata);
        Names {
            process: word(cfa.name(), Language::Automata),
            vars: cfa.vars().iter().copied().zip(vars).collect(),
            locs: unique(cfa.locs().map(|loc| cfa.loc_name(loc)), Language::Automata),
        }
    }

    /// The names of variables alone, for the language of transition systems.
    pub(crate) fn of_system(name: &str, vars: &[Var]) -> Names {
        let names = unique(vars.iter().map(|var| var.name()), Language::Systems);
        Names {
            process: word(name, Language::Systems),
            vars: vars.iter().copied().zip(names).collect(),
            locs: Vec::new(),
        }
    }

    pub(crate) fn process(&self) -> &str {
        &self.process
    }

    pub(crate) fn var(&self, var: Var) -> &str {
        self.vars.get(&var).map_or(var.name(), String::as_str)
    }

    pub(crate) fn loc(&self, loc: Loc) -> &str {
        &self.locs[loc.0 as usize]
    }
}

/// A word for each name, all different; a name that is a word already and occurs once stays.
fn unique<'n>(names: impl Iterator<Item = &'n str>, language: Language) -> Vec<String> {
    let names: Vec<&str> = names.collect();
    let mut taken: FxHashSet<String> = FxHashSet::default();
    let keeps: Vec<bool> = names
        .iter()
        .map(|name| word(name, language) == *name && taken.insert((*name).into()))
        .collect();
    let rename = |(name, keeps): (&&str, bool)| {
        if keeps {
            return (*name).to_owned();
        }
        let base = word(name, language);
        let mut fresh = base.clone();
        let mut number = 1u32;
        while !taken.insert(fresh.clone()) {
            number += 1;
            fresh = format!("{base}_{number}");
        }
        fresh
    };
    names.iter().zip(keeps).map(rename).collect()
}

/// The name itself, or the nearest word that the lexer reads as a name.
pub(crate) fn word(name: &str, language: Language) -> String {
    let letters = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let word: String = name.chars().map(letters).collect();
    let starts_well = word.starts_with(|c: char| !c.is_ascii_digit());
    if starts_well && !language.is_reserved(&word) { word } else { format!("_{word}") }
}
