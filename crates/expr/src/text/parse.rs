//! SMT-LIB text as terms.

use std::collections::BTreeMap;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;

use super::lexer::{SExpr, SyntaxError, read_all};
use crate::op::Op;
use crate::sort::Sort;
use crate::term::Term;
use crate::value::{Bv, Value};
use crate::var::{Func, Var};

/// Nesting beyond this is refused rather than risked on the stack.
const DEEPEST: usize = 20_000;

/// What names mean.
pub trait Scope {
    /// The variable that prints as `name`.
    fn var(&self, name: &str) -> Option<Var>;

    /// The function called `name`.
    fn func(&self, _name: &str) -> Option<Func> {
        None
    }
}

/// Variables by the name they print as, without bars.
impl Scope for BTreeMap<String, Var> {
    fn var(&self, name: &str) -> Option<Var> {
        self.get(name).copied()
    }
}

/// Reads one term.
pub fn parse(text: &str, scope: &dyn Scope) -> Result<Term, SyntaxError> {
    match &read_all(text)?[..] {
        [one] => term_of(one, scope),
        [] => Err(SyntaxError::new("a term was expected, found nothing")),
        _ => Err(SyntaxError::new("one term was expected, found several")),
    }
}

/// The term that an S-expression writes.
pub fn term_of(expr: &SExpr, scope: &dyn Scope) -> Result<Term, SyntaxError> {
    Parser { scope, bound: FxHashMap::default(), depth: 0 }.term(expr)
}

struct Parser<'a> {
    scope: &'a dyn Scope,
    bound: FxHashMap<String, Term>,
    depth: usize,
}

type Parsed = Result<Term, SyntaxError>;

fn fail<T>(message: impl Into<String>) -> Result<T, SyntaxError> {
    Err(SyntaxError::new(message))
}

fn app(op: Op, args: Vec<Term>) -> Parsed {
    Term::app(op, args).map_err(|error| SyntaxError::new(error.to_string()))
}

impl Parser<'_> {
    fn term(&mut self, expr: &SExpr) -> Parsed {
        self.depth += 1;
        if self.depth > DEEPEST {
            return fail("the term is nested too deeply");
        }
        let term = match expr {
            SExpr::Atom(word) => self.atom(word),
            SExpr::Text(_) => fail("strings are not supported"),
            SExpr::List(items) => self.list(items),
        };
        self.depth -= 1;
        term
    }

    fn atom(&self, word: &str) -> Parsed {
        if let Some(term) = self.bound.get(word) {
            return Ok(*term);
        }
        if let Some(var) = self.scope.var(word) {
            return Ok(var.into());
        }
        if let Some(func) = self.scope.func(word) {
            return app(Op::Apply(func), Vec::new());
        }
        match word {
            "true" => Ok(true.into()),
            "false" => Ok(false.into()),
            _ => match literal(word) {
                Some(value) => Ok(Term::lit(value)),
                None => fail(format!("`{word}` is not declared")),
            },
        }
    }

    fn list(&mut self, items: &[SExpr]) -> Parsed {
        match items {
            [SExpr::Atom(head), SExpr::List(bindings), body] if head == "let" => {
                self.binding(bindings, body)
            }
            [SExpr::Atom(head), body, ..] if head == "!" => self.term(body),
            [SExpr::Atom(head), SExpr::Atom(name), SExpr::Atom(width)]
                if head == "_"
                    && name.starts_with("bv")
                    && name[2..].starts_with(|c: char| c.is_ascii_digit()) =>
            {
                match (name[2..].parse::<UBig>(), number(width)) {
                    (Ok(bits), Ok(width)) if width > 0 => {
                        Ok(Term::lit(Value::Bv(Bv::new(width, bits))))
                    }
                    _ => fail(format!("`(_ {name} {width})` is no bit-vector")),
                }
            }
            [SExpr::Atom(head), args @ ..] => {
                let args = self.terms(args)?;
                self.apply(head, args)
            }
            [SExpr::List(head), args @ ..] => {
                let args = self.terms(args)?;
                apply_indexed(head, args)
            }
            _ => fail("a term was expected, found `()`"),
        }
    }

    fn terms(&mut self, items: &[SExpr]) -> Result<Vec<Term>, SyntaxError> {
        items.iter().map(|item| self.term(item)).collect()
    }

    fn binding(&mut self, bindings: &[SExpr], body: &SExpr) -> Parsed {
        let mut shadowed = Vec::new();
        let mut new = Vec::new();
        for binding in bindings {
            let SExpr::List(pair) = binding else { return fail("`let` binds pairs") };
            let [SExpr::Atom(name), value] = &pair[..] else {
                return fail("`let` binds a name to a term");
            };
            new.push((name.clone(), self.term(value)?));
        }
        for (name, value) in new {
            shadowed.push((name.clone(), self.bound.insert(name, value)));
        }
        let term = self.term(body);
        for (name, old) in shadowed.into_iter().rev() {
            match old {
                Some(old) => self.bound.insert(name, old),
                None => self.bound.remove(&name),
            };
        }
        term
    }

    fn apply(&mut self, head: &str, args: Vec<Term>) -> Parsed {
        if let Some(func) = self.scope.func(head) {
            return app(Op::Apply(func), args);
        }
        if args.is_empty() {
            return fail(format!("`{head}` has no arguments"));
        }
        match head {
            "and" => connective(args, &Op::And),
            "or" => connective(args, &Op::Or),
            "=" | "<=" | "<" | ">=" | ">" if args.len() > 2 => {
                let links = args.windows(2).map(|pair| self.apply(head, pair.to_vec()));
                connective(links.collect::<Result<_, _>>()?, &Op::And)
            }
            _ => sugar(head, &args).unwrap_or_else(|| match Op::plain(head) {
                Some(op) => app(
                    op.clone(),
                    if args.len() == 1 || !is_left_associative(op) { args } else { mixed(args) },
                ),
                None => fail(format!("`{head}` is no operator")),
            }),
        }
    }
}

fn is_left_associative(op: &Op) -> bool {
    matches!(op, Op::Add | Op::Mul | Op::Le | Op::Lt | Op::Eq | Op::RatDiv)
}

/// Integers among rationals are rationals, as solvers print them.
fn mixed(args: Vec<Term>) -> Vec<Term> {
    if !args.iter().any(|arg| arg.sort() == Sort::Rat) {
        return args;
    }
    let lift = |arg: Term| match arg.sort() {
        Sort::Int => Term::app(Op::ToRat, vec![arg]).unwrap_or(arg),
        _ => arg,
    };
    args.into_iter().map(lift).collect()
}

fn connective(args: Vec<Term>, op: &Op) -> Parsed {
    if args.len() == 1 && args[0].sort() == Sort::Bool {
        Ok(args[0])
    } else {
        app(op.clone(), args)
    }
}

/// SMT-LIB's operators that are not in the table, in terms of those that are.
fn sugar(head: &str, args: &[Term]) -> Option<Parsed> {
    let two = |op: Op, left: usize, right: usize| app(op, mixed(vec![args[left], args[right]]));
    let negation = |inner: Parsed| inner.and_then(|term| app(Op::Not, vec![term]));
    let numeric = args.iter().all(|arg| arg.sort().is_arithmetic());
    Some(match (head, args.len()) {
        ("-", _) if !numeric => fail("`-` takes numbers"),
        ("-", 1) => Ok(args[0].negated()),
        ("-", _) => {
            let args = mixed(args.to_vec());
            let parts =
                args.iter().enumerate().map(|(i, arg)| if i == 0 { *arg } else { arg.negated() });
            app(Op::Add, parts.collect())
        }
        ("+" | "*", 1) if numeric => Ok(args[0]),
        ("/", 2) if numeric => {
            let rational = |arg: Term| {
                if arg.sort() == Sort::Int { app(Op::ToRat, vec![arg]) } else { Ok(arg) }
            };
            return Some(
                rational(args[0]).and_then(|left| app(Op::RatDiv, vec![left, rational(args[1])?])),
            );
        }
        ("abs", 1) if numeric => Ok(Term::int(0).at_most(args[0]).ite(args[0], args[0].negated())),
        (">=", 2) => two(Op::Le, 1, 0),
        (">", 2) => two(Op::Lt, 1, 0),
        ("bvuge", 2) => two(Op::BvUle, 1, 0),
        ("bvugt", 2) => two(Op::BvUlt, 1, 0),
        ("bvsge", 2) => two(Op::BvSle, 1, 0),
        ("bvsgt", 2) => two(Op::BvSlt, 1, 0),
        ("xor", 2) => negation(two(Op::Eq, 0, 1)),
        ("bvnand", 2) => two(Op::BvAnd, 0, 1).and_then(|term| app(Op::BvNot, vec![term])),
        ("bvnor", 2) => two(Op::BvOr, 0, 1).and_then(|term| app(Op::BvNot, vec![term])),
        ("bvxnor", 2) => two(Op::BvXor, 0, 1).and_then(|term| app(Op::BvNot, vec![term])),
        ("bvcomp", 2) => two(Op::Eq, 0, 1).map(|equal| equal.ite(Term::bv(1, 1), Term::bv(1, 0))),
        // Z3's division operators for divisors known to be non-zero.
        ("bvudiv_i", 2) => two(Op::BvUdiv, 0, 1),
        ("bvurem_i", 2) => two(Op::BvUrem, 0, 1),
        ("bvsdiv_i", 2) => two(Op::BvSdiv, 0, 1),
        ("bvsrem_i", 2) => two(Op::BvSrem, 0, 1),
        ("bvsmod_i", 2) => two(Op::BvSmod, 0, 1),
        ("bv2int" | "bv2nat", 1) => app(Op::BvToInt, args.to_vec()),
        ("=>", n) if n >= 2 => {
            let premises = args[..n - 1].iter().map(|arg| app(Op::Not, vec![*arg]));
            let parts =
                premises.chain(std::iter::once(Ok(args[n - 1]))).collect::<Result<Vec<_>, _>>();
            parts.and_then(|parts| app(Op::Or, parts))
        }
        ("distinct", _) => {
            let pairs = args
                .iter()
                .enumerate()
                .flat_map(|(i, a)| args[i + 1..].iter().map(move |b| (*a, *b)));
            let parts = pairs
                .map(|(a, b)| negation(app(Op::Eq, mixed(vec![a, b]))))
                .collect::<Result<Vec<_>, _>>();
            parts.and_then(|parts| connective(parts, &Op::And))
        }
        _ => return None,
    })
}

/// Applications of `(_ name index…)` and `(as const sort)`.
fn apply_indexed(head: &[SExpr], args: Vec<Term>) -> Parsed {
    let words: Vec<&str> =
        head.iter().map(|item| if let SExpr::Atom(word) = item { word } else { "" }).collect();
    let single = |args: &[Term]| match args {
        [only] => Ok(*only),
        _ => fail("one argument was expected"),
    };
    match words[..] {
        ["_", "extract", high, low] => app(Op::Extract(number(high)?, number(low)?), args),
        ["_", "zero_extend", n] => app(Op::ZeroExtend(number(n)?), args),
        ["_", "sign_extend", n] => app(Op::SignExtend(number(n)?), args),
        ["_", "int_to_bv" | "int2bv", n] => app(Op::IntToBv(number(n)?), args),
        ["_", "repeat", n] => match number(n)? {
            1 => single(&args),
            n => app(Op::Concat, vec![single(&args)?; n as usize]),
        },
        ["_", name @ ("rotate_left" | "rotate_right"), n] => {
            let bits = single(&args)?;
            let Sort::Bv(width) = bits.sort() else {
                return fail(format!("`{name}` takes a bit-vector"));
            };
            let by = Term::bv(width, number(n)? % width);
            let rotated =
                if name == "rotate_left" { bits.rotate_left(by) } else { bits.rotate_right(by) };
            rotated.map_err(|error| SyntaxError::new(error.to_string()))
        }
        ["_", "divisible", n] => {
            let remainder = app(Op::Mod, vec![single(&args)?, Term::int(number(n)?)])?;
            Ok(remainder.equals(Term::int(0)))
        }
        ["as", "const", _] => match sort_of(&head[2])? {
            Sort::Array(array) => app(Op::ConstArray(array), args),
            other => fail(format!("`{other}` is no array sort")),
        },
        _ => fail(format!("`({} …)` is no operator", words.join(" "))),
    }
}

fn sort_of(expr: &SExpr) -> Result<Sort, SyntaxError> {
    match expr {
        SExpr::Atom(name) => match &name[..] {
            "Bool" => Ok(Sort::Bool),
            "Int" => Ok(Sort::Int),
            "Real" => Ok(Sort::Rat),
            _ => fail(format!("`{name}` is no sort")),
        },
        SExpr::List(items) => match &items[..] {
            [SExpr::Atom(a), SExpr::Atom(b), SExpr::Atom(n)] if a == "_" && b == "BitVec" => {
                match number(n)? {
                    0 => fail("bit-vectors have at least one bit"),
                    width => Ok(Sort::Bv(width)),
                }
            }
            [SExpr::Atom(a), index, element] if a == "Array" => {
                Ok(Sort::array(sort_of(index)?, sort_of(element)?))
            }
            _ => fail("a sort was expected"),
        },
        SExpr::Text(_) => fail("a sort was expected"),
    }
}

fn number(word: &str) -> Result<u32, SyntaxError> {
    word.parse().or_else(|_| fail(format!("`{word}` is no index")))
}

fn literal(word: &str) -> Option<Value> {
    if let Some(bits) = word.strip_prefix("#b") {
        let width = u32::try_from(bits.len()).ok().filter(|n| *n > 0)?;
        return Some(Value::Bv(Bv::new(width, UBig::from_str_radix(bits, 2).ok()?)));
    }
    if let Some(digits) = word.strip_prefix("#x") {
        let width = u32::try_from(digits.len() * 4).ok().filter(|n| *n > 0)?;
        return Some(Value::Bv(Bv::new(width, UBig::from_str_radix(digits, 16).ok()?)));
    }
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    match word.split_once('.') {
        None => word.parse::<IBig>().ok().map(Value::Int),
        Some((whole, fraction)) if fraction.bytes().all(|b| b.is_ascii_digit()) => {
            let digits: IBig = format!("{whole}{fraction}").parse().ok()?;
            let scale = UBig::from(10u8).pow(fraction.len());
            Some(Value::Rat(RBig::from_parts(digits, scale)))
        }
        Some(_) => None,
    }
}
