//! Terms as text for one solver: its names for symbols and operators, and what it must be told first.
//!
//! Parts that occur more than once get a `let`. Where a solver's operator means something else than ours, or is
//! missing, a template writes ours out in terms of what the solver has.

use std::collections::BTreeMap;
use std::fmt::Write;

use lapidary_expr::{Func, IBig, Op, Sort, Term, Value, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::templates::{Form, form, repeats};
use super::{ConstArrays, Dialect, Theory};
use crate::{Result, Stop};

/// Parts at least this large get a `let` when they occur more than once.
const SHARED: u32 = 8;

/// A symbol that must be declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Symbol {
    Var(Var),
    Func(Func),
    /// A truth value that implies an assumption.
    Guard(usize),
}

/// The text of a session so far: what symbols are called, and which are declared.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) dialect: &'static Dialect,
    names: FxHashMap<Symbol, String>,
    taken: FxHashSet<String>,
    declared: FxHashSet<Symbol>,
    /// What was declared in each open scope; the first one is never closed.
    scopes: Vec<Vec<Symbol>>,
}

impl Text {
    pub(crate) fn new(dialect: &'static Dialect) -> Text {
        Text {
            dialect,
            names: FxHashMap::default(),
            taken: FxHashSet::default(),
            declared: FxHashSet::default(),
            scopes: vec![Vec::new()],
        }
    }

    /// The text for a new process, which knows nothing.
    pub(crate) fn forget(&mut self) {
        self.declared.clear();
        self.scopes = vec![Vec::new()];
    }

    pub(crate) fn push(&mut self, out: &mut String) {
        self.scopes.push(Vec::new());
        out.push_str("(push 1)\n");
    }

    pub(crate) fn pop(&mut self, out: &mut String) {
        let gone = self.scopes.pop().unwrap_or_default();
        gone.iter().for_each(|symbol| {
            self.declared.remove(symbol);
        });
        out.push_str("(pop 1)\n");
    }

    /// The symbols by their names.
    pub(crate) fn symbols(&self) -> BTreeMap<String, Symbol> {
        self.names.iter().map(|(symbol, name)| (name.clone(), *symbol)).collect()
    }

    pub(crate) fn is_declared(&self, symbol: Symbol) -> bool {
        self.declared.contains(&symbol)
    }

    /// The functions that are declared, in a fixed order.
    pub(crate) fn functions(&self) -> Vec<Func> {
        let symbols = self.scopes.iter().flatten();
        symbols
            .filter_map(|symbol| if let Symbol::Func(f) = symbol { Some(*f) } else { None })
            .collect()
    }

    /// The symbol's name; declares it where it is new.
    pub(crate) fn symbol(&mut self, symbol: Symbol, out: &mut String) -> Result<&str> {
        if self.declared.insert(symbol) {
            let depth = if self.dialect.global_declarations { 0 } else { self.scopes.len() - 1 };
            self.scopes[depth].push(symbol);
            let (params, result) = signature(&symbol);
            if let Some(sort) = params.iter().chain([&result]).find(|s| !self.dialect.has_sort(**s))
            {
                self.declared.remove(&symbol);
                self.scopes[depth].pop();
                return Err(self.refusal(&format!("the sort {sort}")));
            }
            let params: Vec<String> = params.iter().map(Sort::to_string).collect();
            let name = self.name(symbol);
            let _ = writeln!(out, "(declare-fun {name} ({}) {result})", params.join(" "));
        }
        Ok(self.name(symbol))
    }

    /// A name that no other symbol has. It consists of plain characters and begins with a letter, and the `@`
    /// or `!` in it keeps it apart from every word of the language; `?` begins the names of parts.
    fn name(&mut self, symbol: Symbol) -> &str {
        let Text { names, taken, .. } = self;
        names.entry(symbol).or_insert_with(|| {
            let wanted = match symbol {
                Symbol::Var(var) => format!("{}@{}", var.name(), var.version()),
                Symbol::Func(func) => format!("{}@", func.name()),
                Symbol::Guard(number) => return format!("guard!{number}"),
            };
            let plain =
                |c: char| if c.is_ascii_alphanumeric() || "@.$".contains(c) { c } else { '_' };
            let mut name: String = wanted.chars().map(plain).collect();
            if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
                name.insert(0, 'v');
            }
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            name
        })
    }

    /// The term; what must be declared for it is written to `out` first.
    pub(crate) fn term(&mut self, root: Term, out: &mut String) -> Result<String> {
        let shared = shared_parts(root, self.dialect);
        let mut parts: FxHashMap<Term, String> = FxHashMap::default();
        let mut text = String::new();
        for (number, part) in shared.iter().enumerate() {
            let name = format!("?{number}");
            let _ = write!(text, "(let (({name} ");
            self.write(*part, &parts, &mut text, out)?;
            text.push_str(")) ");
            parts.insert(*part, name);
        }
        self.write(root, &parts, &mut text, out)?;
        text.push_str(&")".repeat(shared.len()));
        Ok(text)
    }

    /// Writes `root` with the given names for its parts.
    fn write(
        &mut self,
        root: Term,
        parts: &FxHashMap<Term, String>,
        text: &mut String,
        out: &mut String,
    ) -> Result<()> {
        let mut open = vec![Piece::Term(root)];
        while let Some(piece) = open.pop() {
            let term = match piece {
                Piece::Text(piece) => {
                    text.push_str(&piece);
                    continue;
                }
                Piece::Term(term) => term,
            };
            if let Some(name) = parts.get(&term) {
                text.push_str(name);
                continue;
            }
            self.allowed(term)?;
            match term.op() {
                Op::Lit(value) => self.literal(value, text)?,
                Op::Var(var) => text.push_str(self.symbol(Symbol::Var(*var), out)?),
                Op::Apply(func) if term.args().is_empty() => {
                    text.push_str(self.symbol(Symbol::Func(*func), out)?);
                }
                Op::Apply(func) => {
                    let head = self.symbol(Symbol::Func(*func), out)?.to_string();
                    spread(&Form::Plain(head), term.args(), &mut open);
                }
                _ => spread(&form(term, self.dialect), term.args(), &mut open),
            }
        }
        Ok(())
    }

    /// An error where the solver has no such thing.
    fn allowed(&self, term: Term) -> Result<()> {
        let dialect = self.dialect;
        if !dialect.has_sort(term.sort()) {
            return Err(self.refusal(&format!("the sort {}", term.sort())));
        }
        let is_known = |arg: &Term| arg.as_lit().is_some();
        let has = match term.op() {
            Op::Mul => {
                let unknown = term.args().iter().filter(|arg| !is_known(arg)).count();
                unknown < 2 || dialect.has(Theory::Nonlinear)
            }
            Op::Div | Op::Mod | Op::Rem | Op::RatDiv => {
                is_known(&term.args()[1]) || dialect.has(Theory::Nonlinear)
            }
            Op::ToRat | Op::Floor => dialect.has(Theory::IntRat),
            Op::BvToInt | Op::BvToSigned | Op::IntToBv(_) => dialect.has(Theory::IntBv),
            Op::Apply(_) => dialect.has(Theory::Function),
            Op::ConstArray(_) => self.may_fill(term.args()[0].as_lit()),
            _ => true,
        };
        if has { Ok(()) } else { Err(self.refusal(&format!("`{}` of such terms", term.op()))) }
    }

    /// Whether there can be an array full of this value, or of an unknown one.
    fn may_fill(&self, value: Option<&Value>) -> bool {
        match (self.dialect.const_arrays, value) {
            (ConstArrays::Terms, _) => true,
            (ConstArrays::Values, Some(Value::Array(array))) => array.entries().next().is_none(),
            (ConstArrays::Values, value) => value.is_some(),
            (ConstArrays::None, _) => false,
        }
    }

    fn refusal(&self, what: &str) -> Stop {
        Stop::Solver(format!("{} does not know {what}", self.dialect.name))
    }

    fn literal(&self, value: &Value, text: &mut String) -> Result<()> {
        match value {
            Value::Rat(rat) => {
                // Some solvers take no other form of a negative or broken number for a value.
                let numerator = Value::Int(rat.numerator().clone());
                let _ = match rat.denominator() {
                    one if one.is_one() && *rat.numerator() >= IBig::ZERO => {
                        write!(text, "{numerator}.0")
                    }
                    denominator => write!(text, "(/ {numerator} {denominator})"),
                };
            }
            Value::Array(array) if !self.may_fill(Some(array.default())) => {
                return Err(self.refusal("such constant arrays"));
            }
            Value::Array(array) => {
                text.push_str(&"(store ".repeat(array.entries().count()));
                let _ = write!(text, "((as const {}) ", Sort::Array(array.sort()));
                self.literal(array.default(), text)?;
                text.push(')');
                for (index, element) in array.entries() {
                    text.push(' ');
                    self.literal(index, text)?;
                    text.push(' ');
                    self.literal(element, text)?;
                    text.push(')');
                }
            }
            Value::Bool(_) | Value::Int(_) | Value::Bv(_) => {
                let _ = write!(text, "{value}");
            }
        }
        Ok(())
    }
}

fn signature(symbol: &Symbol) -> (&'static [Sort], Sort) {
    match symbol {
        Symbol::Var(var) => (&[], var.sort()),
        Symbol::Func(func) => (func.params(), func.result()),
        Symbol::Guard(_) => (&[], Sort::Bool),
    }
}

/// What is still to be written.
enum Piece {
    Text(String),
    Term(Term),
}

/// Puts an application on the stack of what is still to be written.
fn spread(form: &Form, args: &[Term], open: &mut Vec<Piece>) {
    let start = open.len();
    match form {
        Form::Plain(head) => {
            open.push(Piece::Text(format!("({head}")));
            for arg in args {
                open.push(Piece::Text(" ".into()));
                open.push(Piece::Term(*arg));
            }
            open.push(Piece::Text(")".into()));
        }
        Form::Left(head) => {
            open.push(Piece::Text(format!("({head} ").repeat(args.len() - 1)));
            open.push(Piece::Term(args[0]));
            for arg in &args[1..] {
                open.push(Piece::Text(" ".into()));
                open.push(Piece::Term(*arg));
                open.push(Piece::Text(")".into()));
            }
        }
        Form::Template(template) => {
            let mut rest = template.split('$');
            open.extend(rest.next().map(|text| Piece::Text(text.into())));
            for part in rest {
                let (index, text) = part.split_at(1);
                open.push(Piece::Term(args[usize::from(index == "1")]));
                open.push(Piece::Text(text.into()));
            }
        }
    }
    open[start..].reverse();
}

/// The parts that are written more than once, each after its own parts.
fn shared_parts(root: Term, dialect: &Dialect) -> Vec<Term> {
    let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
    let mut order = Vec::new();
    // The terms whose arguments are being counted, with the number of those done.
    let mut open = vec![(root, 0)];
    while let Some((term, done)) = open.last_mut() {
        let Some(arg) = term.args().get(*done).copied() else {
            order.push(*term);
            open.pop();
            continue;
        };
        let repeated = repeats(*term, *done, dialect);
        *done += 1;
        if arg.args().is_empty() {
            continue;
        }
        let count = uses.entry(arg).or_insert(0);
        let is_new = *count == 0;
        *count += 1;
        // What a template repeats is shared whatever its size: repetitions multiply.
        if repeated || (*count > 1 && arg.size() >= SHARED) {
            *count = u32::MAX / 2;
        }
        if is_new {
            open.push((arg, 0));
        }
    }
    order.retain(|term| uses.get(term).is_some_and(|count| *count >= u32::MAX / 2));
    order
}
