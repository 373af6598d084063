//! Models, by asking for values.
//!
//! A function is read off its applications in the assertions: each argument and the result is asked for. So
//! no solver's way of printing functions matters, and elsewhere the function may be anything.

use std::collections::{BTreeMap, BTreeSet};

use lapidary_expr::text::{SExpr, read_all, term_of};
use lapidary_expr::{Func, FuncValue, Op, Sort, Term, Valuation, Value, Var, VarSet};
use rustc_hash::FxHashSet;

use super::Session;
use crate::smtlib::answers::shortened;
use crate::smtlib::text::Symbol;
use crate::{Result, Stop};

/// The values of `vars` and of the functions, after the process has answered `sat`.
pub(super) fn valuation(session: &mut Session, vars: &VarSet) -> Result<Valuation> {
    let mut valuation = Valuation::new();
    // What the solver has never heard of may have any value.
    let (known, unknown): (Vec<Var>, Vec<Var>) =
        vars.iter().partition(|var| session.text().is_declared(Symbol::Var(**var)));
    unknown.into_iter().for_each(|var| valuation.set(var, Value::default_of(var.sort())));
    let applications = applications(session);
    let mut terms: Vec<Term> = known.iter().copied().map(Term::var).collect();
    for application in &applications {
        terms.extend(application.args());
        terms.push(*application);
    }
    let mut values = values(session, &terms)?.into_iter();
    known.into_iter().zip(&mut values).for_each(|(var, value)| valuation.set(var, value));
    for (func, value) in functions(session, &applications, &mut values)? {
        valuation.set_func(func, value);
    }
    Ok(valuation)
}

/// The applications of functions in the assertions, in a fixed order.
fn applications(session: &Session) -> Vec<Term> {
    let mut found = BTreeSet::new();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut open: Vec<Term> = session.assertions().collect();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        if matches!(term.op(), Op::Apply(_)) {
            found.insert(term);
        }
        open.extend(term.args());
    }
    found.into_iter().collect()
}

/// The functions that have these values at their applications.
fn functions(
    session: &mut Session,
    applications: &[Term],
    values: &mut impl Iterator<Item = Value>,
) -> Result<Vec<(Func, FuncValue)>> {
    let anything = |func: Func| FuncValue {
        entries: BTreeMap::new(),
        default: Value::default_of(func.result()),
    };
    let mut functions: BTreeMap<Func, FuncValue> =
        session.text().functions().into_iter().map(|func| (func, anything(func))).collect();
    for application in applications {
        let Op::Apply(func) = application.op() else { continue };
        let args: Vec<Value> = values.take(application.args().len()).collect();
        let Some(result) = values.next() else { continue };
        let function = functions.entry(*func).or_insert_with(|| anything(*func));
        if *function.entries.entry(args).or_insert_with(|| result.clone()) != result {
            return Err(session.refuse("gives a function two results for the same arguments"));
        }
    }
    Ok(functions.into_iter().collect())
}

/// The values of terms.
fn values(session: &mut Session, terms: &[Term]) -> Result<Vec<Value>> {
    if terms.is_empty() {
        return Ok(Vec::new());
    }
    let mut question = String::from("(get-value (");
    for term in terms {
        let mut declarations = String::new();
        question.push_str(&session.text().term(*term, &mut declarations)?);
        question.push(' ');
        debug_assert!(declarations.is_empty(), "all of {term} is asserted");
    }
    question.push_str("))\n");
    let said = session.ask(&question)?;
    match read(&said, terms) {
        Some(Ok(values)) => Ok(values),
        Some(Err(value)) => {
            let name = session.text().dialect.name;
            Err(Stop::Solver(format!("{name} gives the value `{value}`, which cannot be read")))
        }
        None => Err(session.refuse(&format!("answers `{}`", shortened(&said)))),
    }
}

/// The values in an answer to `get-value`, if it is one; a value that cannot be read is an error.
fn read(said: &str, terms: &[Term]) -> Option<std::result::Result<Vec<Value>, String>> {
    let exprs = read_all(said).ok()?;
    let [SExpr::List(pairs)] = &exprs[..] else { return None };
    if pairs.len() != terms.len() {
        return None;
    }
    let mut values = Vec::with_capacity(terms.len());
    for (pair, term) in pairs.iter().zip(terms) {
        let SExpr::List(pair) = pair else { return None };
        let [_, value] = &pair[..] else { return None };
        match literal(value, term.sort()) {
            Some(value) => values.push(value),
            None => return Some(Err(written(value))),
        }
    }
    Some(Ok(values))
}

fn literal(expr: &SExpr, sort: Sort) -> Option<Value> {
    let term = term_of(expr, &BTreeMap::new()).ok()?;
    match term.as_lit()? {
        value if value.sort() == sort => Some(value.clone()),
        // Integral rationals may be printed as integers.
        Value::Int(i) if sort == Sort::Rat => Some(Value::Rat(i.clone().into())),
        _ => None,
    }
}

/// The S-expression as text, as far as it is worth showing.
fn written(expr: &SExpr) -> String {
    match expr {
        SExpr::Atom(word) | SExpr::Text(word) => shortened(word),
        SExpr::List(items) => {
            let items: Vec<String> = items.iter().take(8).map(head).collect();
            shortened(&format!("({})", items.join(" ")))
        }
    }
}

fn head(expr: &SExpr) -> String {
    match expr {
        SExpr::Atom(word) | SExpr::Text(word) => word.clone(),
        SExpr::List(_) => "(…)".into(),
    }
}
