//! Evaluation: the reference semantics of terms.
//!
//! Small terms are evaluated as trees, by recursion. Large ones keep their pending applications on a heap
//! stack and remember the values of shared parts, so that neither depth nor sharing is a limit.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::op::Op;
use crate::term::{SMALL, Term};
use crate::valuation::Valuation;
use crate::value::{FuncValue, Value};
use crate::var::{Func, Var};

/// Something that words do not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beyond;

/// Where evaluation finds the values of variables and functions.
pub trait Assignment {
    /// The value of `var`, if known.
    fn value(&self, var: Var) -> Option<Value>;

    /// The value of `var` in a word, if known.
    fn word(&self, var: Var) -> Result<Option<i64>, Beyond> {
        self.value(var).map(|value| value.pack().ok_or(Beyond)).transpose()
    }

    /// The interpretation of `func`, if known.
    fn function(&self, _func: Func) -> Option<&FuncValue> {
        None
    }
}

impl Assignment for Valuation {
    fn value(&self, var: Var) -> Option<Value> {
        self.get(var).cloned()
    }

    fn word(&self, var: Var) -> Result<Option<i64>, Beyond> {
        self.get(var).map(|value| value.pack().ok_or(Beyond)).transpose()
    }

    fn function(&self, func: Func) -> Option<&FuncValue> {
        self.func(func)
    }
}

impl Term {
    /// The value of the term, if the known values decide it: `false` for `x < 0 ∧ y` with `x = 1`, even
    /// though `y` is unknown.
    pub fn eval(self, known: &impl Assignment) -> Option<Value> {
        if self.size() <= SMALL { tree(self, known) } else { Graph::new(known).eval(self) }
    }

    /// The values of several terms, as [`eval`](Term::eval) finds them; parts that they share are evaluated once.
    pub fn eval_all(terms: &[Term], known: &impl Assignment) -> Vec<Option<Value>> {
        let mut graph = Graph::new(known);
        let value = |term: &Term| match term.size() <= SMALL {
            true => tree(*term, known),
            false => graph.eval(*term),
        };
        terms.iter().map(value).collect()
    }

    /// Whether the known values make this formula true (`Some(false)` if they make it false).
    pub fn holds(self, known: &impl Assignment) -> Option<bool> {
        self.eval(known).map(|value| value.is_true())
    }
}

/// The value of a small term.
fn tree(term: Term, known: &impl Assignment) -> Option<Value> {
    match (term.op(), term.args()) {
        (Op::Lit(value), _) => Some(value.clone()),
        (Op::Var(var), _) => known.value(*var),
        (Op::And, args) => connective(args, known, false),
        (Op::Or, args) => connective(args, known, true),
        (Op::Ite, [condition, then, otherwise]) => match tree(*condition, known) {
            Some(value) => tree(if value.is_true() { *then } else { *otherwise }, known),
            None => agreed(tree(*then, known)?, tree(*otherwise, known)),
        },
        (Op::Mul, args) => product(args.iter().map(|arg| tree(*arg, known)).collect(), term),
        (Op::Apply(func), args) => {
            let args = args.iter().map(|arg| tree(*arg, known)).collect::<Option<Vec<_>>>()?;
            application(*func, &args, known)
        }
        (op, [only]) => table(op, &[tree(*only, known)?]),
        (op, [left, right]) => table(op, &[tree(*left, known)?, tree(*right, known)?]),
        (op, args) => {
            let values = args.iter().map(|arg| tree(*arg, known));
            table(op, &values.collect::<Option<SmallVec<[Value; 4]>>>()?)
        }
    }
}

/// One argument with the value `dominant` decides, whatever is unknown about the others.
fn connective(args: &[Term], known: &impl Assignment, dominant: bool) -> Option<Value> {
    let mut unknown = false;
    for arg in args {
        match tree(*arg, known) {
            Some(value) if value.is_true() == dominant => return Some(Value::Bool(dominant)),
            Some(_) => {}
            None => unknown = true,
        }
    }
    (!unknown).then_some(Value::Bool(!dominant))
}

/// What `ite` yields under an unknown condition: the value of both branches, if they have the same.
fn agreed(then: Value, otherwise: Option<Value>) -> Option<Value> {
    (otherwise? == then).then_some(then)
}

/// Zero times anything is zero.
fn product(args: Vec<Option<Value>>, term: Term) -> Option<Value> {
    let zero = Value::default_of(term.sort());
    if args.iter().any(|arg| arg.as_ref() == Some(&zero)) {
        return Some(zero);
    }
    table(term.op(), &args.into_iter().collect::<Option<Vec<_>>>()?)
}

fn application(func: Func, args: &[Value], known: &impl Assignment) -> Option<Value> {
    let function = known.function(func)?;
    Some(function.entries.get(args).unwrap_or(&function.default).clone())
}

fn table(op: &Op, args: &[Value]) -> Option<Value> {
    op.info().map(|info| (info.eval)(op, args))
}

/// Evaluation of large terms.
struct Graph<'a, A> {
    known: &'a A,
    /// The values of the parts so far.
    done: FxHashMap<Term, Option<Value>>,
}

/// An application whose arguments are being evaluated, those that are needed from left to right.
struct Frame {
    term: Term,
    values: Vec<Option<Value>>,
}

impl<'a, A: Assignment> Graph<'a, A> {
    fn new(known: &'a A) -> Self {
        Self { known, done: FxHashMap::default() }
    }

    fn eval(&mut self, root: Term) -> Option<Value> {
        if let Some(value) = self.done.get(&root) {
            return value.clone();
        }
        let mut pending = vec![Frame::new(root)];
        while let Some(frame) = pending.last_mut() {
            if let Some(arg) = frame.next() {
                match self.value(arg) {
                    Ok(value) => frame.values.push(value),
                    Err(first) => pending.push(first),
                }
            } else if let Some(Frame { term, values }) = pending.pop() {
                let value = self.combine(term, values);
                self.done.insert(term, value);
            }
        }
        self.done.get(&root).cloned().flatten()
    }

    /// The value of a part; what must be evaluated first, if the part is large and new.
    fn value(&mut self, term: Term) -> Result<Option<Value>, Frame> {
        if term.args().is_empty() {
            return Ok(tree(term, self.known));
        }
        if let Some(value) = self.done.get(&term) {
            return Ok(value.clone());
        }
        if term.size() > SMALL {
            return Err(Frame::new(term));
        }
        let value = tree(term, self.known);
        self.done.insert(term, value.clone());
        Ok(value)
    }

    fn combine(&self, term: Term, mut values: Vec<Option<Value>>) -> Option<Value> {
        match term.op() {
            Op::And | Op::Or => {
                let dominant = Value::Bool(*term.op() == Op::Or);
                if values.last() == Some(&Some(dominant.clone())) {
                    return Some(dominant);
                }
                let value = Value::Bool(*term.op() == Op::And);
                values.iter().all(Option::is_some).then_some(value)
            }
            Op::Ite if values[0].is_some() => values.pop().flatten(),
            Op::Ite => {
                let otherwise = values.pop().flatten();
                agreed(values.pop().flatten()?, otherwise)
            }
            Op::Mul => product(values, term),
            op => {
                let values = values.into_iter().collect::<Option<Vec<_>>>()?;
                match op {
                    Op::Apply(func) => application(*func, &values, self.known),
                    _ => table(op, &values),
                }
            }
        }
    }
}

impl Frame {
    fn new(term: Term) -> Self {
        Self { term, values: Vec::new() }
    }

    /// The next argument whose value matters.
    fn next(&self) -> Option<Term> {
        let (args, n) = (self.term.args(), self.values.len());
        let last = self.values.last();
        match (self.term.op(), last) {
            (Op::And | Op::Or, Some(Some(Value::Bool(value))))
                if *value == (*self.term.op() == Op::Or) =>
            {
                None
            }
            (Op::Ite, Some(Some(condition))) if n == 1 => {
                Some(if condition.is_true() { args[1] } else { args[2] })
            }
            // Known condition: one branch is enough.
            (Op::Ite, _) if n == 2 && self.values[0].is_some() => None,
            (Op::And | Op::Or | Op::Mul | Op::Ite, _) | (_, None | Some(Some(_))) => {
                args.get(n).copied()
            }
            (_, Some(None)) => None,
        }
    }
}
