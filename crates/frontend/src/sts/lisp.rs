//! The older notation: `(system (var x Int) (init e) (invar e) (trans e) (prop e))`, with `(prime e)`.

use std::collections::BTreeMap;

use lapidary_expr::text::{SExpr, read_all, term_of};
use lapidary_expr::{Sort, Term, Var};
use lapidary_model::Sts;
use lapidary_model::sts::{Property, Transition};

use crate::cfa::Parsed;
use crate::source::{ParseError, SourceFile};

/// How deeply conditions may nest.
const MAX_NESTING: u32 = 300;

/// The one system of the text.
pub(super) fn systems(source: &SourceFile) -> Parsed<Vec<Sts>> {
    let mut sts = Sts {
        name: "main".into(),
        vars: Vec::new(),
        inputs: Vec::new(),
        init: Vec::new(),
        constraints: Vec::new(),
        step: Transition::anything(),
        properties: Vec::new(),
    };
    let expressions = read_all(source.text()).map_err(|error| {
        let offset = error.offset.unwrap_or(0);
        source.error(offset..offset + 1, error.message)
    })?;
    let [SExpr::List(items)] = &expressions[..] else {
        return Err(whole(source, "expected one list, `(system ...)`").into());
    };
    let Some((SExpr::Atom(head), items)) = items.split_first() else {
        return Err(whole(source, "expected `(system ...)`").into());
    };
    if head != "system" {
        return Err(whole(source, "expected `(system ...)`").into());
    }
    let mut names: BTreeMap<String, Var> = BTreeMap::new();
    let (mut transition, mut good) = (Vec::new(), Vec::new());
    for item in items {
        let SExpr::List(words) = item else {
            return Err(whole(source, "expected a list, such as `(var x Int)`").into());
        };
        match &words[..] {
            [SExpr::Atom(kind), SExpr::Atom(name), sort] if kind == "var" => {
                let var = Var::new(name, sort_of(source, sort)?);
                sts.vars.push(var);
                names.insert(name.clone(), var);
                names.insert(format!("{name}'"), var.primed());
            }
            [SExpr::Atom(kind), body] => {
                let list = match kind.as_str() {
                    "init" => &mut sts.init,
                    "invar" | "inv" => &mut sts.constraints,
                    "trans" => &mut transition,
                    "prop" => &mut good,
                    other => {
                        return Err(
                            whole(source, &format!("`{other}` is no part of a system")).into()
                        );
                    }
                };
                let Some(body) = plain(body, Frame::Current, MAX_NESTING) else {
                    return Err(whole(source, "a condition is nested too deeply").into());
                };
                let term = term_of(&body, &names).map_err(|error| whole(source, &error.message))?;
                if term.sort() != Sort::Bool {
                    return Err(whole(source, &format!("`{kind}` expects a formula")).into());
                }
                list.push(term);
            }
            _ => return Err(whole(source, "expected `(var name sort)` or a condition").into()),
        }
    }
    sts.step = Transition::from_relation(Term::and(transition));
    let position = Some(source.position(0));
    sts.properties.push(Property { name: "prop".into(), bad: Term::and(good).not(), position });
    match sts.check() {
        Ok(()) => Ok(vec![sts]),
        Err(error) => Err(whole(source, &error.to_string()).into()),
    }
}

/// The notation is too rare for exact places: errors about its meaning point at its beginning.
fn whole(source: &SourceFile, message: &str) -> ParseError {
    let start = source.text().find('(').unwrap_or(0);
    source.error(start..start + 1, message)
}

fn sort_of(source: &SourceFile, expr: &SExpr) -> Parsed<Sort> {
    match expr {
        SExpr::Atom(name) if name == "Bool" => Ok(Sort::Bool),
        SExpr::Atom(name) if name == "Int" => Ok(Sort::Int),
        SExpr::Atom(name) if name == "Rat" || name == "Real" => Ok(Sort::Rat),
        _ => Err(whole(source, "expected `Bool`, `Int` or `Rat`").into()),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Frame {
    Current,
    Next,
}

/// The expression in SMT-LIB: primes at the names, `distinct` for `/=`; none if it nests deeper than this.
fn plain(expr: &SExpr, frame: Frame, nesting: u32) -> Option<SExpr> {
    let nesting = nesting.checked_sub(1)?;
    Some(match expr {
        SExpr::Atom(name) if name == "/=" => SExpr::Atom("distinct".into()),
        SExpr::Atom(name) if frame == Frame::Next && is_name(name) => {
            SExpr::Atom(format!("{name}'"))
        }
        SExpr::Atom(name) => SExpr::Atom(name.clone()),
        SExpr::Text(text) => SExpr::Text(text.clone()),
        SExpr::List(items) => match &items[..] {
            [SExpr::Atom(head), body] if head == "prime" => plain(body, Frame::Next, nesting)?,
            [head, args @ ..] => {
                let head = plain(head, Frame::Current, nesting);
                let args = args.iter().map(|arg| plain(arg, frame, nesting));
                SExpr::List(std::iter::once(head).chain(args).collect::<Option<_>>()?)
            }
            [] => SExpr::List(Vec::new()),
        },
    })
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && !matches!(word, "true" | "false")
}
