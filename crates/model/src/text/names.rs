//! Names of locations, variables and functions, each of which means one thing.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use lapidary_expr::text::Scope;
use lapidary_expr::{Func, Op, Term, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::lines::{TextError, Word};
use crate::cfa::{Cfa, Edge, EdgeId, Loc};

/// What the parts of an automaton are called in text. A name that several of them have gets a number from the second one
/// on, in the order of declaration; a character that no symbol may have in it becomes an underscore.
pub struct Names<'a> {
    cfa: &'a Cfa,
    locs: Vec<String>,
    loc_of: FxHashMap<String, Loc>,
    var_of: FxHashMap<String, Var>,
    /// The variables that are not called by their own names.
    renamed: FxHashMap<Var, Var>,
    /// The number of each edge among those with its source and target; none if it is the only one.
    numbers: Vec<Option<usize>>,
    funcs: OnceCell<BTreeMap<String, Func>>,
}

impl<'a> Names<'a> {
    /// The names of an automaton.
    pub fn of(cfa: &'a Cfa) -> Self {
        let locs = unique(cfa.locs().map(|loc| symbol(cfa.loc_name(loc))));
        let loc_of = locs.iter().cloned().zip(cfa.locs()).collect();
        let vars = unique(cfa.vars().iter().map(|var| term_symbol(var.name())));
        let mut renamed = FxHashMap::default();
        for (name, var) in vars.iter().zip(cfa.vars()).filter(|(name, var)| *name != var.name()) {
            renamed.insert(*var, Var::new(name, var.sort()));
        }
        let var_of = vars.into_iter().zip(cfa.vars().iter().copied()).collect();
        let numbers = numbers(cfa);
        Names { cfa, locs, loc_of, var_of, renamed, numbers, funcs: OnceCell::new() }
    }

    /// The automaton.
    pub fn cfa(&self) -> &'a Cfa {
        self.cfa
    }

    /// The name of a location.
    pub fn loc_name(&self, loc: Loc) -> &str {
        &self.locs[loc.0 as usize]
    }

    /// The location with this name.
    pub fn loc(&self, name: &str) -> Option<Loc> {
        self.loc_of.get(name).copied()
    }

    /// The location that a word names.
    pub fn loc_at(&self, word: &Word<'_>) -> Result<Loc, TextError> {
        let loc = word.name().and_then(|name| self.loc(name));
        loc.ok_or_else(|| word.error(format!("there is no location `{}`", word.shown())))
    }

    /// The variable that a word names.
    pub fn var_at(&self, word: &Word<'_>) -> Result<Var, TextError> {
        let var = word.name().and_then(|name| self.var(name));
        var.ok_or_else(|| word.error(format!("there is no variable `{}`", word.shown())))
    }

    /// The variable as it is written.
    pub fn written_var(&self, var: Var) -> Var {
        self.renamed.get(&var).copied().unwrap_or(var)
    }

    /// The term as it is written.
    pub fn written(&self, term: Term) -> Term {
        match self.renamed.is_empty() {
            true => term,
            false => term.map_vars(&|var| self.renamed.get(&var).copied().map(Term::var)),
        }
    }

    /// The number of an edge among those with its source and target, counted from one; none if it is the only one.
    pub fn number(&self, edge: EdgeId) -> Option<usize> {
        self.numbers[edge.0 as usize]
    }

    /// The edges from one location to another, in their order.
    pub fn edges(&self, source: Loc, target: Loc) -> impl Iterator<Item = (EdgeId, &'a Edge)> {
        let edges = self.cfa.outgoing(source).iter().map(|id| (*id, self.cfa.edge(*id)));
        edges.filter(move |(_, edge)| edge.target == target)
    }

    /// The functions that statements mention. A text has the names of few, so they are looked for when one is met.
    fn funcs(&self) -> &BTreeMap<String, Func> {
        self.funcs.get_or_init(|| {
            let (mut funcs, mut seen) = (BTreeMap::new(), FxHashSet::default());
            let mut open = Vec::new();
            for (_, edge) in self.cfa.edges() {
                edge.stmt.for_each_term(&mut |term| open.push(term));
                while let Some(term) = open.pop() {
                    if !seen.insert(term) {
                        continue;
                    }
                    if let Op::Apply(func) = term.op() {
                        funcs.insert(func.name().to_owned(), *func);
                    }
                    open.extend(term.args());
                }
            }
            funcs
        })
    }
}

impl Scope for Names<'_> {
    fn var(&self, name: &str) -> Option<Var> {
        self.var_of.get(name).copied()
    }

    fn func(&self, name: &str) -> Option<Func> {
        // Operators are met all the time, and no function is called like one.
        if Op::plain(name).is_some() {
            return None;
        }
        self.funcs().get(name).copied()
    }
}

/// A name with characters that a symbol in bars may have.
fn symbol(name: &str) -> String {
    name.replace(|c: char| c == '|' || c == '\\' || c.is_control(), "_")
}

/// A name that is no value either.
fn term_symbol(name: &str) -> String {
    let is_value = name.starts_with(|c: char| c.is_ascii_digit() || c == '#')
        || matches!(name, "true" | "false");
    let name = symbol(name);
    if is_value { format!("_{name}") } else { name }
}

/// Each name, or with the first number that makes it new.
fn unique(names: impl Iterator<Item = String>) -> Vec<String> {
    let (mut taken, mut numbers) = (FxHashSet::default(), FxHashMap::<String, usize>::default());
    let mut result = Vec::new();
    for name in names {
        let mut new = name.clone();
        while !taken.insert(new.clone()) {
            let number = numbers.entry(name.clone()).or_insert(1);
            *number += 1;
            new = format!("{name}#{number}");
        }
        result.push(new);
    }
    result
}

fn numbers(cfa: &Cfa) -> Vec<Option<usize>> {
    let mut counts: FxHashMap<(Loc, Loc), usize> = FxHashMap::default();
    for (_, edge) in cfa.edges() {
        *counts.entry((edge.source, edge.target)).or_default() += 1;
    }
    let mut numbers = vec![None; cfa.n_edges()];
    let mut last: FxHashMap<(Loc, Loc), usize> = FxHashMap::default();
    for loc in cfa.locs() {
        for id in cfa.outgoing(loc) {
            let key = (loc, cfa.edge(*id).target);
            if counts.get(&key).is_some_and(|count| *count > 1) {
                let number = last.entry(key).or_default();
                *number += 1;
                numbers[id.0 as usize] = Some(*number);
            }
        }
    }
    numbers
}
