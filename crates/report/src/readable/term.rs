//! Terms with infix operators.
//!
//! Operators on numbers and formulas have their usual symbols; those on bit-vectors keep their names
//! (`x bvult y`), because their symbols would hide whether they are signed.

use lapidary_expr::{Op, Sort, Term, Value};

use super::value::short;
use super::var;

/// Larger terms are written as SMT-LIB text, which writes shared parts once.
const LARGEST: u32 = 2_000;

/// How tightly an operator binds, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Loose,
    Or,
    And,
    Not,
    Relation,
    Bits,
    Sum,
    Product,
    Unary,
    Atom,
}

/// The term as text.
pub(crate) fn term(term: Term) -> String {
    match term.size() <= LARGEST {
        true => Text::of(term).text,
        false => term.to_string(),
    }
}

/// A written term with the level of its outermost operator.
struct Text {
    level: Level,
    text: String,
}

impl Text {
    fn new(level: Level, text: impl Into<String>) -> Text {
        Text { level, text: text.into() }
    }

    fn of(term: Term) -> Text {
        let args = term.args();
        match (term.op(), args) {
            (Op::Lit(value), _) => literal(value),
            (Op::Var(name), _) => Text::new(Level::Atom, var(*name)),
            (Op::Not, [inner]) => negation(*inner),
            (Op::Eq, [left, right]) if left.sort() == Sort::Bool => {
                infix(Level::Relation, "<=>", &[*left, *right])
            }
            (Op::Eq, [left, right]) => relation(*left, ("=", "="), *right),
            (Op::Le, [left, right]) => relation(*left, ("<=", ">="), *right),
            (Op::Lt, [left, right]) => relation(*left, ("<", ">"), *right),
            (Op::And, _) => infix(Level::And, "and", args),
            (Op::Or, _) => infix(Level::Or, "or", args),
            (Op::Add, _) => sum(args),
            (Op::Mul, [factor, rest]) if is_minus_one(*factor) => {
                Text::new(Level::Unary, format!("-{}", at(Level::Unary, *rest)))
            }
            (Op::Mul, _) => infix(Level::Product, "*", args),
            (Op::Div | Op::Mod | Op::Rem | Op::RatDiv, _) => {
                infix(Level::Product, name(term.op()), args)
            }
            (Op::Ite, [condition, then, otherwise]) => {
                let part = |part: Term| at(Level::Or, part);
                let text = format!(
                    "if {} then {} else {}",
                    part(*condition),
                    part(*then),
                    part(*otherwise)
                );
                Text::new(Level::Loose, text)
            }
            (Op::ToRat, [inner]) => Text::of(*inner),
            (Op::Select, [array, index]) => access(*array, &Text::of(*index).text),
            (Op::Store, [array, index, element]) => {
                access(*array, &format!("{} := {}", Text::of(*index).text, Text::of(*element).text))
            }
            (Op::Extract(high, low), [bits]) => access(*bits, &format!("{high}:{low}")),
            (op, [_, _, ..]) if name(op).starts_with("bv") => infix(Level::Bits, name(op), args),
            (op, _) => application(op, args),
        }
    }
}

fn name(op: &Op) -> &'static str {
    op.info().map_or("", |info| info.name)
}

/// The term where operators of at least this level need no parentheses.
fn at(level: Level, term: Term) -> String {
    let Text { level: own, text } = Text::of(term);
    if own >= level { text } else { format!("({text})") }
}

fn literal(value: &Value) -> Text {
    let text = short(value);
    let level = match () {
        () if text.starts_with('-') => Level::Unary,
        () if text.contains('/') => Level::Product,
        () => Level::Atom,
    };
    Text { level, text }
}

fn negation(inner: Term) -> Text {
    match (inner.op(), inner.args()) {
        (Op::Eq, [left, right]) if left.sort() != Sort::Bool => {
            relation(*left, ("!=", "!="), *right)
        }
        _ => Text::new(Level::Not, format!("not {}", at(Level::Unary, inner))),
    }
}

/// A relation, with a number on its right side.
fn relation(left: Term, (symbol, mirrored): (&str, &str), right: Term) -> Text {
    let (left, symbol, right) = match left.as_lit().is_some() && right.as_lit().is_none() {
        true => (right, mirrored, left),
        false => (left, symbol, right),
    };
    infix(Level::Relation, symbol, &[left, right])
}

fn infix(level: Level, symbol: &str, args: &[Term]) -> Text {
    let tighter = match level {
        Level::Or => Level::And,
        Level::And => Level::Not,
        Level::Relation => Level::Bits,
        Level::Bits => Level::Sum,
        _ => Level::Unary,
    };
    let args: Vec<String> = args.iter().map(|arg| at(tighter, *arg)).collect();
    Text::new(level, args.join(&format!(" {symbol} ")))
}

/// `a - 2 * b + 3` rather than `a + -2 * b + 3`.
fn sum(args: &[Term]) -> Text {
    let mut text = at(Level::Product, args[0]);
    for arg in &args[1..] {
        let arg = at(Level::Product, *arg);
        match arg.strip_prefix('-') {
            Some(rest) => text.extend([" - ", rest]),
            None => text.extend([" + ", &arg]),
        }
    }
    Text::new(Level::Sum, text)
}

fn access(accessed: Term, inside: &str) -> Text {
    Text::new(Level::Atom, format!("{}[{inside}]", at(Level::Atom, accessed)))
}

/// `f(a, b)`.
fn application(op: &Op, args: &[Term]) -> Text {
    let head = match op {
        Op::Apply(func) => func.name().into(),
        Op::ZeroExtend(n) | Op::SignExtend(n) | Op::IntToBv(n) => format!("{}[{n}]", name(op)),
        op => name(op).to_string(),
    };
    let args: Vec<String> = args.iter().map(|arg| Text::of(*arg).text).collect();
    Text::new(Level::Atom, format!("{head}({})", args.join(", ")))
}

fn is_minus_one(term: Term) -> bool {
    term.as_lit().is_some_and(|value| short(value) == "-1" && !matches!(value, Value::Bv(_)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use lapidary_expr::Var;
    use lapidary_expr::text::parse;

    use super::*;

    fn check(smtlib: &str, expected: &str) {
        let array = Sort::array(Sort::Int, Sort::Int);
        let names = [
            ("x y z", Sort::Int),
            ("p q r", Sort::Bool),
            ("u v", Sort::Bv(8)),
            ("s t", Sort::Rat),
            ("a", array),
        ];
        let declare = |(names, sort): (&'static str, Sort)| {
            names.split(' ').map(move |name| (name.into(), Var::new(name, sort)))
        };
        let scope: BTreeMap<String, Var> = names.into_iter().flat_map(declare).collect();
        assert_eq!(term(parse(smtlib, &scope).expect(smtlib)), expected, "{smtlib}");
    }

    #[test]
    fn terms() {
        check("(- 5)", "-5");
        check("(<= x (- 5))", "x <= -5");
        check("(<= 5 x)", "x >= 5");
        check("(not (= x 1))", "x != 1");
        check("(and p (or q (not r)))", "p and (q or not r)");
        check("(or p (and q r))", "p or q and r");
        check("(= p (and q r))", "p <=> (q and r)");
        check("(not (and p q))", "not (p and q)");
        check("(select a (+ (* 2 y) (* (- 1) z) (- 3)))", "a[2 * y - z - 3]");
        check("(select a (* y (+ z 1)))", "a[y * (z + 1)]");
        check("(+ x (ite p y z))", "x + (if p then y else z)");
        check("(= x (mod y 3))", "x = y mod 3");
        check("(= (select a x) 3)", "a[x] = 3");
        check("(= a (store a 1 x))", "a = a[1 := x]");
        check("(bvult u #x0a)", "u bvult 10");
        check("(bvult (bvadd u v) #x0a)", "(u bvadd v) bvult 10");
        check("(= ((_ extract 3 0) u) #x1)", "u[3:0] = 1");
        check("(= ((_ zero_extend 8) u) #x0001)", "zero_extend[8](u) = 1");
        check("(< s (/ 1 2))", "s < 1/2");
    }
}
