//! SMT-LIB text as terms.

mod sugar;

use std::collections::BTreeMap;

use dashu_int::UBig;
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;

use super::lexer::{SExpr, SyntaxError, read_all};
use crate::op::Op;
use crate::sort::Sort;
use crate::term::Term;
use crate::value::{Bv, Value};
use crate::var::{Func, Var};
use sugar::{apply_indexed, mixed, sugar};

/// What names mean.
pub trait Scope {
    /// The variable that prints as `name`.
    fn var(&self, name: &str) -> Option<Var>;

    /// The function called `name`.
    fn func(&self, _name: &str) -> Option<Func> {
        None
    }

    /// What `name` is defined to mean for these arguments, if it is defined.
    fn definition(&self, _name: &str, _args: &[Term]) -> Option<Result<Term, SyntaxError>> {
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
    Parser { scope, bound: FxHashMap::default(), terms: Vec::new() }.term(expr)
}

struct Parser<'a> {
    scope: &'a dyn Scope,
    bound: FxHashMap<String, Term>,
    /// What has been read and not been used yet.
    terms: Vec<Term>,
}

/// What remains to be done, as a stack on the heap: solvers and we ourselves write `let` in `let` in `let`.
enum Task<'e> {
    Read(&'e SExpr),
    /// Applies the head to that many terms.
    Apply(&'e SExpr, usize),
    /// Binds the names to the last terms.
    Bind(Vec<&'e str>),
    /// Gives the names back what they meant before.
    Unbind(Vec<(&'e str, Option<Term>)>),
}

pub(super) type Parsed = Result<Term, SyntaxError>;

pub(super) fn fail<T>(message: impl Into<String>) -> Result<T, SyntaxError> {
    Err(SyntaxError::new(message))
}

pub(super) fn app(op: Op, args: Vec<Term>) -> Parsed {
    Term::app(op, args).map_err(|error| SyntaxError::new(error.to_string()))
}

impl Parser<'_> {
    fn term(mut self, expr: &SExpr) -> Parsed {
        let mut tasks = vec![Task::Read(expr)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Read(SExpr::Atom(word)) => self.terms.push(self.atom(word)?),
                Task::Read(SExpr::Text(_)) => return fail("strings are not supported"),
                Task::Read(SExpr::List(items)) => self.list(items, &mut tasks)?,
                Task::Apply(head, n) => {
                    let args = self.take(n);
                    let term = match head {
                        SExpr::List(head) => apply_indexed(head, args),
                        SExpr::Atom(head) | SExpr::Text(head) => self.apply(head, args),
                    };
                    self.terms.push(term?);
                }
                Task::Bind(names) => {
                    let values = self.take(names.len());
                    let binding = names.into_iter().zip(values);
                    let shadowed =
                        binding.map(|(name, value)| (name, self.bound.insert(name.into(), value)));
                    // Under the body, which is the next task, or it would not see the names.
                    let body = tasks.pop();
                    tasks.push(Task::Unbind(shadowed.collect()));
                    tasks.extend(body);
                }
                Task::Unbind(shadowed) => self.unbind(shadowed),
            }
        }
        self.terms.pop().map_or_else(|| fail("a term was expected, found nothing"), Ok)
    }

    /// The last `n` terms.
    fn take(&mut self, n: usize) -> Vec<Term> {
        self.terms.split_off(self.terms.len() - n)
    }

    fn unbind(&mut self, shadowed: Vec<(&str, Option<Term>)>) {
        for (name, old) in shadowed.into_iter().rev() {
            match old {
                Some(old) => self.bound.insert(name.into(), old),
                None => self.bound.remove(name),
            };
        }
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
        if let Some(term) = self.scope.definition(word, &[]) {
            return term;
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

    fn list<'e>(
        &mut self,
        items: &'e [SExpr],
        tasks: &mut Vec<Task<'e>>,
    ) -> Result<(), SyntaxError> {
        match items {
            [SExpr::Atom(head), SExpr::List(bindings), body] if head == "let" => {
                let pairs = bindings.iter().map(pair).collect::<Result<Vec<_>, _>>()?;
                tasks.push(Task::Read(body));
                tasks.push(Task::Bind(pairs.iter().map(|(name, _)| *name).collect()));
                tasks.extend(pairs.into_iter().rev().map(|(_, value)| Task::Read(value)));
            }
            [SExpr::Atom(head), body, ..] if head == "!" => tasks.push(Task::Read(body)),
            [SExpr::Atom(head), SExpr::Atom(name), SExpr::Atom(width)]
                if head == "_" && name.starts_with("bv") =>
            {
                match (digits(&name[2..], 10), number(width)) {
                    (Some(bits), Ok(width)) if width > 0 => {
                        self.terms.push(Term::bv(width, bits));
                    }
                    _ => return fail(format!("`(_ {name} {width})` is no bit-vector")),
                }
            }
            [SExpr::Text(_), ..] => return fail("strings are not supported"),
            [head, args @ ..] => {
                tasks.push(Task::Apply(head, args.len()));
                tasks.extend(args.iter().rev().map(Task::Read));
            }
            [] => return fail("a term was expected, found `()`"),
        }
        Ok(())
    }

    fn apply(&mut self, head: &str, args: Vec<Term>) -> Parsed {
        if let Some(func) = self.scope.func(head) {
            return app(Op::Apply(func), args);
        }
        if let Some(term) = self.scope.definition(head, &args) {
            return term;
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

/// The name and the value of a `let`.
fn pair(binding: &SExpr) -> Result<(&str, &SExpr), SyntaxError> {
    let SExpr::List(pair) = binding else { return fail("`let` binds pairs") };
    match &pair[..] {
        [SExpr::Atom(name), value] => Ok((name, value)),
        _ => fail("`let` binds a name to a term"),
    }
}

fn is_left_associative(op: &Op) -> bool {
    matches!(op, Op::Add | Op::Mul | Op::Le | Op::Lt | Op::Eq | Op::RatDiv)
}

pub(super) fn connective(args: Vec<Term>, op: &Op) -> Parsed {
    if args.len() == 1 && args[0].sort() == Sort::Bool {
        Ok(args[0])
    } else {
        app(op.clone(), args)
    }
}

/// Arrays of arrays are no deeper than this.
const DEEPEST: u32 = 64;

/// The sort that an S-expression writes.
pub fn sort_of(expr: &SExpr) -> Result<Sort, SyntaxError> {
    sort_within(expr, DEEPEST)
}

fn sort_within(expr: &SExpr, depth: u32) -> Result<Sort, SyntaxError> {
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
                let Some(depth) = depth.checked_sub(1) else { return fail("the sort is too deep") };
                Ok(Sort::array(sort_within(index, depth)?, sort_within(element, depth)?))
            }
            _ => fail("a sort was expected"),
        },
        SExpr::Text(_) => fail("a sort was expected"),
    }
}

pub(super) fn number(word: &str) -> Result<u32, SyntaxError> {
    let index = digits(word, 10).and_then(|n| u32::try_from(n).ok());
    index.map_or_else(|| fail(format!("`{word}` is no index")), Ok)
}

pub(super) fn literal(word: &str) -> Option<Value> {
    let bits = |digits: UBig, width: usize| {
        u32::try_from(width).ok().map(|width| Value::Bv(Bv::new(width, digits)))
    };
    if let Some(word) = word.strip_prefix("#b") {
        return bits(digits(word, 2)?, word.len());
    }
    if let Some(word) = word.strip_prefix("#x") {
        return bits(digits(word, 16)?, word.len() * 4);
    }
    match word.split_once('.') {
        None => Some(Value::Int(digits(word, 10)?.into())),
        Some((whole, fraction)) => {
            digits(whole, 10)?;
            digits(fraction, 10)?;
            let scale = UBig::from(10u8).pow(fraction.len());
            let number = digits(&format!("{whole}{fraction}"), 10)?;
            Some(Value::Rat(RBig::from_parts(number.into(), scale)))
        }
    }
}

/// The number that one or more digits write.
pub(super) fn digits(word: &str, radix: u32) -> Option<UBig> {
    let fits = !word.is_empty() && word.chars().all(|c| c.is_digit(radix));
    fits.then(|| UBig::from_str_radix(word, radix).ok()).flatten()
}
