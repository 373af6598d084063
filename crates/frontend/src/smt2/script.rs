//! The commands of a script.

use std::collections::BTreeMap;

use lapidary_expr::text::{SExpr, Scope, SyntaxError, read_all, sort_of, term_of};
use lapidary_expr::{Func, Sort, Term, Var};

use super::Partition;
use super::place::{blame, span};
use crate::source::{ParseError, SourceFile};

/// What is wrong, and the positions within the command that lead there.
type Failed = (String, Vec<usize>);

/// Reads a script into its parts.
pub(super) fn partition(source: &SourceFile) -> Result<Partition, ParseError> {
    let text = source.text();
    let commands = read_all(text).map_err(|error| {
        let at = error.offset.unwrap_or(text.len());
        source.error(at..at + 1, error.message)
    })?;
    let mut script = Script::default();
    for (i, command) in commands.iter().enumerate() {
        match script.command(command) {
            Ok(true) => {}
            Ok(false) => break,
            Err((message, path)) => {
                let path: Vec<usize> = std::iter::once(i).chain(path).collect();
                return Err(source.error(span(text, &path), message));
            }
        }
    }
    match script.assertions.is_empty() {
        true => Err(ParseError::about_file(source.name(), "nothing is asserted")),
        false => Ok(script.finish()),
    }
}

#[derive(Default)]
struct Script {
    names: Names,
    constants: Vec<(String, Var)>,
    functions: Vec<Func>,
    /// The assertions with their names.
    assertions: Vec<(Option<String>, Term)>,
    /// The parts as `get-interpolants` says.
    parts: Option<Vec<Term>>,
    is_checked: bool,
}

/// What names mean.
#[derive(Default)]
struct Names {
    vars: BTreeMap<String, Var>,
    funcs: BTreeMap<String, Func>,
    macros: BTreeMap<String, Macro>,
}

/// A term with parameters.
struct Macro {
    params: Vec<Var>,
    body: Term,
}

impl Names {
    fn has(&self, name: &str) -> bool {
        self.vars.contains_key(name)
            || self.funcs.contains_key(name)
            || self.macros.contains_key(name)
    }
}

impl Scope for Names {
    fn var(&self, name: &str) -> Option<Var> {
        self.vars.get(name).copied()
    }

    fn func(&self, name: &str) -> Option<Func> {
        self.funcs.get(name).copied()
    }

    fn definition(&self, name: &str, args: &[Term]) -> Option<Result<Term, SyntaxError>> {
        let Macro { params, body } = self.macros.get(name)?;
        let fits = params.len() == args.len()
            && params.iter().zip(args).all(|(param, arg)| param.sort() == arg.sort());
        if !fits {
            let sorts: Vec<String> = params.iter().map(|param| param.sort().to_string()).collect();
            let problem = format!("`{name}` takes the arguments ({})", sorts.join(" "));
            return Some(Err(SyntaxError::new(problem)));
        }
        let values: BTreeMap<Var, Term> =
            params.iter().copied().zip(args.iter().copied()).collect();
        Some(Ok(body.map_vars(&|var| values.get(&var).copied())))
    }
}

/// The parameters of a definition before all else.
struct Inner<'a> {
    params: &'a BTreeMap<String, Var>,
    outer: &'a Names,
}

impl Scope for Inner<'_> {
    fn var(&self, name: &str) -> Option<Var> {
        self.params.get(name).copied().or_else(|| self.outer.var(name))
    }

    fn func(&self, name: &str) -> Option<Func> {
        self.outer.func(name)
    }

    fn definition(&self, name: &str, args: &[Term]) -> Option<Result<Term, SyntaxError>> {
        self.outer.definition(name, args)
    }
}

impl Script {
    /// Does a command; false after the last one.
    fn command(&mut self, command: &SExpr) -> Result<bool, Failed> {
        let fail = |message: &str| Err((message.to_string(), Vec::new()));
        let SExpr::List(words) = command else { return fail("a command was expected") };
        let Some(SExpr::Atom(head)) = words.first() else { return fail("a command was expected") };
        match (head.as_str(), &words[1..]) {
            ("set-logic" | "set-option" | "set-info" | "echo" | "get-info" | "get-option", _)
            | ("get-model" | "get-proof" | "get-unsat-core", []) => {}
            ("declare-const", [SExpr::Atom(name), sort]) => {
                let sort = at(sort_of(sort), &[2])?;
                self.constant(name, sort)?;
            }
            ("declare-fun", [SExpr::Atom(name), SExpr::List(params), result]) => {
                self.function(name, params, result)?;
            }
            ("define-fun", [SExpr::Atom(name), SExpr::List(params), result, body]) => {
                self.define(name, params, result, body)?;
            }
            ("assert", [formula]) if !self.is_checked => self.assert(formula)?,
            ("assert", [_]) => {
                return fail("an assertion after `check-sat` belongs to no partition");
            }
            ("check-sat", []) => self.is_checked = true,
            ("get-interpolants", groups) if self.parts.is_none() => self.groups(groups)?,
            ("get-interpolants", _) => return fail("interpolants are asked for twice"),
            ("exit", []) => return Ok(false),
            (
                "declare-const" | "declare-fun" | "define-fun" | "assert" | "check-sat" | "exit",
                _,
            ) => return Err((format!("`{head}` is not used like this"), Vec::new())),
            _ => return Err((format!("`{head}` is not supported"), vec![0])),
        }
        Ok(true)
    }

    fn new_name(&self, name: &str) -> Result<(), Failed> {
        match self.names.has(name) {
            true => Err((format!("`{name}` is declared twice"), vec![1])),
            false => Ok(()),
        }
    }

    fn constant(&mut self, name: &str, sort: Sort) -> Result<(), Failed> {
        self.new_name(name)?;
        let mut var = versioned(name, sort);
        // `x_3` and `x!3` would be the same variable, but are two.
        if self.constants.iter().any(|(_, other)| *other == var) {
            var = Var::new(name, sort);
        }
        let mut copies = 0;
        while self.constants.iter().any(|(_, other)| *other == var) {
            copies += 1;
            var = Var::new(&format!("{name} {copies}"), sort);
        }
        self.names.vars.insert(name.into(), var);
        self.constants.push((name.into(), var));
        Ok(())
    }

    fn function(&mut self, name: &str, params: &[SExpr], result: &SExpr) -> Result<(), Failed> {
        let result = at(sort_of(result), &[3])?;
        if params.is_empty() {
            return self.constant(name, result);
        }
        self.new_name(name)?;
        let sorts = params.iter().enumerate().map(|(i, param)| at(sort_of(param), &[2, i]));
        let func = Func::new(name, &sorts.collect::<Result<Vec<_>, _>>()?, result);
        self.names.funcs.insert(name.into(), func);
        self.functions.push(func);
        Ok(())
    }

    fn define(
        &mut self,
        name: &str,
        params: &[SExpr],
        result: &SExpr,
        body: &SExpr,
    ) -> Result<(), Failed> {
        self.new_name(name)?;
        let mut known = BTreeMap::new();
        let mut vars = Vec::new();
        for (i, param) in params.iter().enumerate() {
            let problem = || ("a parameter is a name with its sort".to_string(), vec![2, i]);
            let SExpr::List(pair) = param else { return Err(problem()) };
            let [SExpr::Atom(param), sort] = &pair[..] else { return Err(problem()) };
            // No declared name has a blank before its number.
            let var =
                Var::new(&format!("parameter {i}"), at(sort_of(sort), &[2, i, 1])?).at(u32::MAX);
            vars.push(var);
            known.insert(param.clone(), var);
        }
        let result = at(sort_of(result), &[3])?;
        let scope = Inner { params: &known, outer: &self.names };
        let term = read(body, &scope, &[4])?;
        if term.sort() != result {
            return Err((format!("this is of sort {}, not {result}", term.sort()), vec![4]));
        }
        self.names.macros.insert(name.into(), Macro { params: vars, body: term });
        Ok(())
    }

    fn assert(&mut self, formula: &SExpr) -> Result<(), Failed> {
        let term = read(formula, &self.names, &[1])?;
        if term.sort() != Sort::Bool {
            return Err((format!("this is of sort {}, not Bool", term.sort()), vec![1]));
        }
        let name = label(formula);
        if let Some((name, i)) = &name {
            self.new_name(name).map_err(|(message, _)| (message, vec![1, *i]))?;
            self.names.macros.insert(name.clone(), Macro { params: Vec::new(), body: term });
        }
        self.assertions.push((name.map(|(name, _)| name), term));
        Ok(())
    }

    /// Each assertion must be in one group.
    fn groups(&mut self, groups: &[SExpr]) -> Result<(), Failed> {
        let mut open: Vec<Option<Term>> =
            self.assertions.iter().map(|(_, term)| Some(*term)).collect();
        let mut parts = Vec::new();
        for (i, group) in groups.iter().enumerate() {
            let names = match group {
                SExpr::List(words) if words.first() == Some(&SExpr::Atom("and".into())) => {
                    &words[1..]
                }
                one => std::slice::from_ref(one),
            };
            let mut conjuncts = Vec::new();
            for name in names {
                let SExpr::Atom(name) = name else {
                    return Err(("a name, or `and` of names, was expected".into(), vec![i + 1]));
                };
                let found =
                    self.assertions.iter().position(|(label, _)| label.as_ref() == Some(name));
                match found.and_then(|position| open[position].take()) {
                    Some(term) => conjuncts.push(term),
                    None if found.is_some() => {
                        return Err((format!("`{name}` is in two groups"), vec![i + 1]));
                    }
                    None => return Err((format!("no assertion is named `{name}`"), vec![i + 1])),
                }
            }
            parts.push(Term::and(conjuncts));
        }
        if !groups.is_empty() {
            if let Some(missing) = open.iter().position(Option::is_some) {
                let problem = format!("assertion {} is in no group", missing + 1);
                return Err((problem, Vec::new()));
            }
            self.parts = Some(parts);
        }
        Ok(())
    }

    fn finish(self) -> Partition {
        let assertions = self.assertions.into_iter().map(|(_, term)| term);
        Partition {
            parts: self.parts.unwrap_or_else(|| assertions.collect()),
            constants: self.constants,
            functions: self.functions,
        }
    }
}

/// The name in `(! formula :named name)`, and its position.
fn label(formula: &SExpr) -> Option<(String, usize)> {
    let SExpr::List(words) = formula else { return None };
    if words.first() != Some(&SExpr::Atom("!".into())) {
        return None;
    }
    let i = words.iter().position(|word| *word == SExpr::Atom(":named".into()))? + 1;
    match words.get(i)? {
        SExpr::Atom(name) => Some((name.clone(), i)),
        _ => None,
    }
}

/// A name that ends in a number after `_`, `@` or `!` is a variable at this version.
fn versioned(name: &str, sort: Sort) -> Var {
    let version = |(base, digits): (&str, &str)| {
        let version: u32 = digits.parse().ok()?;
        let plain = !base.is_empty() && version < u32::MAX && version.to_string() == digits;
        plain.then(|| Var::new(base, sort).at(version))
    };
    name.rsplit_once(['_', '@', '!']).and_then(version).unwrap_or_else(|| Var::new(name, sort))
}

fn at<T>(result: Result<T, SyntaxError>, path: &[usize]) -> Result<T, Failed> {
    result.map_err(|error| (error.message.clone(), path.to_vec()))
}

fn read(expr: &SExpr, scope: &dyn Scope, path: &[usize]) -> Result<Term, Failed> {
    term_of(expr, scope).map_err(|error| {
        let mut path = path.to_vec();
        path.extend(blame(expr, scope));
        (error.message.clone(), path)
    })
}
