//! The graph of modules: which module mentions which, by `use` and by paths inline, re-exports followed to where things are.
//!
//! A module is a file. Tests are left out. Macros are not expanded, and paths without `crate`, `super` or `self` count only in a
//! `use` that names a child.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A path in a crate, from its root.
pub(crate) type Module = Vec<String>;

/// The modules of a crate, and those that each of them mentions.
pub(crate) struct Graph(pub(crate) BTreeMap<Module, BTreeSet<Module>>);

/// What a file says.
#[derive(Default)]
struct Content {
    /// The paths that it mentions.
    mentioned: Vec<Module>,
    /// The names that it re-exports, and what they stand for.
    exports: BTreeMap<String, Module>,
}

impl Graph {
    /// The graph of the crate with this folder of sources; `files` are those in it.
    pub(crate) fn of(folder: &Path, files: &[std::path::PathBuf]) -> Graph {
        let mut tokens: BTreeMap<Module, Vec<String>> = BTreeMap::new();
        for file in files {
            let path = file.strip_prefix(folder).unwrap().with_extension("");
            let mut module: Module =
                path.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
            if module.last().is_some_and(|last| last == "tests") {
                continue;
            }
            if module.len() == 1 && ["lib", "main"].contains(&&*module[0]) {
                module.clear();
            }
            tokens.insert(module, tokenize(&fs::read_to_string(file).unwrap()));
        }
        let contents: BTreeMap<&Module, Content> = tokens
            .iter()
            .map(|(module, words)| (module, content(module, words, &tokens)))
            .collect();
        let edges = contents.iter().map(|(module, content)| {
            let found = content.mentioned.iter().map(|path| resolve(path, &contents, 0));
            let found: BTreeSet<Module> = found.filter(|other| other != *module).collect();
            ((*module).clone(), found)
        });
        Graph(edges.collect())
    }

    /// Modules that mention each other in a circle. A parent and its children may.
    pub(crate) fn cycles(&self) -> Vec<Vec<String>> {
        let is_child = |parent: &Module, child: &Module| {
            child.len() == parent.len() + 1 && child.starts_with(parent)
        };
        let reached = |from: &Module| {
            let mut found: BTreeSet<&Module> = BTreeSet::new();
            let mut open = vec![from];
            while let Some(module) = open.pop() {
                for other in self.0.get(module).into_iter().flatten() {
                    let is_family = is_child(module, other) || is_child(other, module);
                    if !is_family && found.insert(other) {
                        open.push(other);
                    }
                }
            }
            found.into_iter().cloned().collect::<BTreeSet<Module>>()
        };
        let reached: BTreeMap<&Module, BTreeSet<Module>> =
            self.0.keys().map(|module| (module, reached(module))).collect();
        let mut cycles: BTreeSet<Vec<String>> = BTreeSet::new();
        for (module, others) in reached.iter().filter(|(module, others)| others.contains(**module))
        {
            let back = others.iter().filter(|other| reached[*other].contains(*module));
            cycles.insert(back.map(name).collect());
        }
        cycles.into_iter().collect()
    }
}

/// A module as a path.
pub(crate) fn name(module: &Module) -> String {
    if module.is_empty() { "crate".into() } else { module.join("::") }
}

/// The module in which the thing with this path is.
fn resolve(path: &Module, contents: &BTreeMap<&Module, Content>, depth: usize) -> Module {
    let n = (0..=path.len()).rev().find(|n| contents.contains_key(&path[..*n].to_vec()));
    let module = path[..n.unwrap_or(0)].to_vec();
    let export = path.get(module.len()).and_then(|item| contents[&module].exports.get(item));
    match export.filter(|export| depth < 5 && *export != path) {
        Some(export) => {
            let rest = path[module.len() + 1..].iter().cloned();
            resolve(&export.iter().cloned().chain(rest).collect(), contents, depth + 1)
        }
        None => module,
    }
}

fn content(module: &Module, words: &[String], all: &BTreeMap<Module, Vec<String>>) -> Content {
    let mut content = Content::default();
    let word = |i: usize| words.get(i).map_or("", String::as_str);
    for i in 0..words.len() {
        let before = if i == 0 { "" } else { word(i - 1) };
        if word(i + 1) != "::" || before == "::" || before == "in" {
            continue;
        }
        let parent = || module[..module.len().saturating_sub(1)].to_vec();
        let (mut base, mut at) = match word(i) {
            "crate" => (Vec::new(), i + 2),
            "super" => (parent(), i + 2),
            "self" => (module.clone(), i + 2),
            child if before == "use" => {
                let mut path = module.clone();
                path.push(child.into());
                if !all.contains_key(&path) {
                    continue;
                }
                (path, i + 2)
            }
            _ => continue,
        };
        while word(at) == "super" {
            base.pop();
            at += 2;
        }
        let is_public = before == "use" && i > 1 && ["pub", ")"].contains(&word(i - 2));
        let mut paths = Vec::new();
        tree(words, &mut at, &base, &mut paths);
        for path in paths {
            if let Some(item) = path.last().filter(|_| is_public) {
                content.exports.insert(item.clone(), path.clone());
            }
            content.mentioned.push(path);
        }
    }
    content
}

/// Reads what comes after `base ::` in a path or a `use`.
fn tree(words: &[String], at: &mut usize, base: &Module, found: &mut Vec<Module>) {
    let mut path = base.clone();
    loop {
        match words.get(*at).map_or("", String::as_str) {
            "{" => {
                *at += 1;
                while !["}", ""].contains(&words.get(*at).map_or("", String::as_str)) {
                    let begin = *at;
                    tree(words, at, &path, found);
                    // After a name: `as` and another one, a comma.
                    while !["}", ",", ""].contains(&words.get(*at).map_or("", String::as_str)) {
                        *at += 1;
                    }
                    *at += usize::from(words.get(*at).is_some_and(|word| word == ","));
                    *at += usize::from(*at == begin);
                }
                *at += 1;
                return;
            }
            item if item.starts_with(|c: char| c.is_alphabetic() || c == '_') => {
                if item != "self" {
                    path.push(item.into());
                }
                *at += 1;
            }
            _ => {}
        }
        if words.get(*at).is_none_or(|word| word != "::") {
            found.push(path);
            return;
        }
        *at += 1;
    }
}

/// Names, `::` and single characters, without comments, literals and tests.
fn tokenize(text: &str) -> Vec<String> {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let mut words: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if first == '"' {
            let mut is_escaped = false;
            let end = rest[1..].find(|c: char| {
                let is_end = c == '"' && !is_escaped;
                is_escaped = c == '\\' && !is_escaped;
                is_end
            });
            end.map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") {
            rest[1..].find('\'').map_or(rest.len(), |end| end + 2)
        } else if is_name(first) {
            let length = rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
            words.push(rest[..length].into());
            length
        } else if rest.starts_with("::") {
            words.push("::".into());
            2
        } else {
            if !first.is_whitespace() {
                words.push(first.into());
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    words
}
