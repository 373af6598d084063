//! SMT-LIB text as values, without a term for each part of an array.

use std::collections::BTreeMap;

use dashu_int::IBig;
use dashu_ratio::RBig;

use super::lexer::{SExpr, SyntaxError, read_all};
use super::parse::{digits, fail, literal, sort_of};
use crate::sort::{ArraySort, Sort};
use crate::value::Value;

/// Reads a value of this sort, as [`Display`](std::fmt::Display) writes it.
pub fn value(text: &str, sort: Sort) -> Result<Value, SyntaxError> {
    if let Some(value) = word(text).filter(|value| value.sort() == sort) {
        return Ok(value);
    }
    match &read_all(text)?[..] {
        [one] => value_of(one, sort),
        _ => fail("one value was expected"),
    }
}

/// The value of this sort that an S-expression writes.
pub fn value_of(expr: &SExpr, sort: Sort) -> Result<Value, SyntaxError> {
    let found = match (expr, sort) {
        (_, Sort::Array(array)) => return array_of(expr, array),
        (SExpr::Atom(text), _) => word(text),
        (SExpr::List(items), Sort::Int | Sort::Rat) => number(items),
        _ => None,
    };
    match found.filter(|value| value.sort() == sort) {
        Some(value) => Ok(value),
        None => fail(format!("a value of the sort `{sort}` was expected")),
    }
}

/// A value that is one word.
fn word(text: &str) -> Option<Value> {
    match text {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        _ => literal(text),
    }
}

/// A negative number or a fraction.
fn number(items: &[SExpr]) -> Option<Value> {
    match items {
        [SExpr::Atom(minus), SExpr::Atom(size)] if minus == "-" => Some(negated(literal(size)?)),
        [SExpr::Atom(minus), SExpr::List(fraction)] if minus == "-" => match &fraction[..] {
            [SExpr::Atom(slash), ..] if slash == "/" => Some(negated(number(fraction)?)),
            _ => None,
        },
        [SExpr::Atom(slash), SExpr::Atom(above), SExpr::Atom(below)] if slash == "/" => {
            let below = digits(below, 10).filter(|below| !below.is_zero())?;
            Some(Value::Rat(RBig::from_parts(IBig::from(digits(above, 10)?), below)))
        }
        _ => None,
    }
}

fn negated(number: Value) -> Value {
    match number {
        Value::Int(number) => Value::Int(-number),
        Value::Rat(number) => Value::Rat(-number),
        other => other,
    }
}

/// Follows the stores from the last one to the constant array. Only sorts make this recursive, and these are shallow.
fn array_of(expr: &SExpr, sort: ArraySort) -> Result<Value, SyntaxError> {
    let (mut rest, mut stores) = (expr, Vec::new());
    loop {
        let SExpr::List(items) = rest else { return fail("an array was expected") };
        match &items[..] {
            [SExpr::Atom(store), inner, index, element] if store == "store" => {
                stores.push((index, element));
                rest = inner;
            }
            [SExpr::List(head), default] => {
                let written = match &head[..] {
                    [SExpr::Atom(a), SExpr::Atom(b), written] if a == "as" && b == "const" => {
                        sort_of(written)?
                    }
                    _ => return fail("an array was expected"),
                };
                if written != Sort::Array(sort) {
                    return fail(format!(
                        "an array of another sort was expected: `{}`",
                        Sort::Array(sort)
                    ));
                }
                let default = value_of(default, sort.element())?;
                let mut entries = BTreeMap::new();
                for (index, element) in stores.into_iter().rev() {
                    entries
                        .insert(value_of(index, sort.index())?, value_of(element, sort.element())?);
                }
                return Ok(Value::array(sort, default, entries));
            }
            _ => return fail("an array was expected"),
        }
    }
}
