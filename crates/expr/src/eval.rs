//! Evaluation: the reference semantics of terms.

use rustc_hash::FxHashMap;

use crate::op::Op;
use crate::term::Term;
use crate::valuation::Valuation;
use crate::value::{FuncValue, Value};
use crate::var::{Func, Var};

/// Where evaluation finds the values of variables and functions.
pub trait Assignment {
    /// The value of `var`, if known.
    fn value(&self, var: Var) -> Option<Value>;

    /// The interpretation of `func`, if known.
    fn function(&self, _func: Func) -> Option<&FuncValue> {
        None
    }
}

impl Assignment for Valuation {
    fn value(&self, var: Var) -> Option<Value> {
        self.get(var).cloned()
    }

    fn function(&self, func: Func) -> Option<&FuncValue> {
        self.func(func)
    }
}

/// Terms up to this size are evaluated as trees; sharing pays only beyond it.
const TREE: u32 = 64;

impl Term {
    /// The value of the term, if the known values decide it: `false` for `x < 0 ∧ y` with `x = 1`, even
    /// though `y` is unknown.
    pub fn eval(self, known: &impl Assignment) -> Option<Value> {
        Evaluator { known, memo: (self.size() > TREE).then(FxHashMap::default) }.eval(self)
    }

    /// Whether the known values make this formula true (`Some(false)` if they make it false).
    pub fn holds(self, known: &impl Assignment) -> Option<bool> {
        self.eval(known).map(|value| value.is_true())
    }
}

struct Evaluator<'a, A> {
    known: &'a A,
    memo: Option<FxHashMap<Term, Option<Value>>>,
}

impl<A: Assignment> Evaluator<'_, A> {
    fn eval(&mut self, term: Term) -> Option<Value> {
        match term.op() {
            Op::Lit(value) => return Some(value.clone()),
            Op::Var(var) => return self.known.value(*var),
            _ => {}
        }
        if let Some(known) = self.memo.as_ref().and_then(|memo| memo.get(&term)) {
            return known.clone();
        }
        let value = self.apply(term);
        if let Some(memo) = &mut self.memo {
            memo.insert(term, value.clone());
        }
        value
    }

    fn apply(&mut self, term: Term) -> Option<Value> {
        match term.op() {
            Op::And => self.connective(term, false),
            Op::Or => self.connective(term, true),
            Op::Ite => self.ite(term),
            Op::Mul => self.product(term),
            Op::Apply(func) => {
                let args = self.all(term)?;
                let function = self.known.function(*func)?;
                Some(function.entries.get(&args).unwrap_or(&function.default).clone())
            }
            op => {
                let args = self.all(term)?;
                op.info().map(|info| (info.eval)(op, &args))
            }
        }
    }

    fn all(&mut self, term: Term) -> Option<Vec<Value>> {
        term.args().iter().map(|arg| self.eval(*arg)).collect()
    }

    /// One argument with the value `dominant` decides, whatever is unknown about the others.
    fn connective(&mut self, term: Term, dominant: bool) -> Option<Value> {
        let mut unknown = false;
        for arg in term.args() {
            match self.eval(*arg) {
                Some(value) if value.is_true() == dominant => return Some(Value::Bool(dominant)),
                Some(_) => {}
                None => unknown = true,
            }
        }
        (!unknown).then_some(Value::Bool(!dominant))
    }

    fn ite(&mut self, term: Term) -> Option<Value> {
        let [condition, then, otherwise] = *term.args() else {
            unreachable!("ite has three arguments")
        };
        match self.eval(condition) {
            Some(value) => self.eval(if value.is_true() { then } else { otherwise }),
            None => {
                let then = self.eval(then)?;
                (self.eval(otherwise)? == then).then_some(then)
            }
        }
    }

    /// Zero times anything is zero.
    fn product(&mut self, term: Term) -> Option<Value> {
        let zero = Value::default_of(term.sort());
        let args: Vec<Option<Value>> = term.args().iter().map(|arg| self.eval(*arg)).collect();
        if args.iter().any(|arg| arg.as_ref() == Some(&zero)) {
            return Some(zero);
        }
        let args: Vec<Value> = args.into_iter().collect::<Option<_>>()?;
        Op::Mul.info().map(|info| (info.eval)(&Op::Mul, &args))
    }
}
