//! Valuations: values for variables and uninterpreted functions.

use std::collections::BTreeMap;

use crate::term::Term;
use crate::value::{FuncValue, Value};
use crate::var::{Func, Var};

/// An assignment of values to variables (and functions), iterating in a fixed order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Valuation {
    vars: BTreeMap<Var, Value>,
    funcs: BTreeMap<Func, FuncValue>,
}

impl Valuation {
    /// Without any value.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of `var`, if it has one.
    pub fn get(&self, var: Var) -> Option<&Value> {
        self.vars.get(&var)
    }

    /// Gives `var` a value of its sort.
    pub fn set(&mut self, var: Var, value: Value) {
        debug_assert_eq!(var.sort(), value.sort(), "sort of {var}");
        self.vars.insert(var, value);
    }

    /// The value of `var`, if it has one, to be changed to another of its sort.
    pub fn get_mut(&mut self, var: Var) -> Option<&mut Value> {
        self.vars.get_mut(&var)
    }

    /// Takes the value of `var` away.
    pub fn forget(&mut self, var: Var) {
        self.vars.remove(&var);
    }

    /// The interpretation of `func`, if it has one.
    pub fn func(&self, func: Func) -> Option<&FuncValue> {
        self.funcs.get(&func)
    }

    /// Interprets `func`.
    pub fn set_func(&mut self, func: Func, value: FuncValue) {
        self.funcs.insert(func, value);
    }

    /// The variables with their values, in a fixed order.
    pub fn iter(&self) -> impl Iterator<Item = (Var, &Value)> {
        self.vars.iter().map(|(var, value)| (*var, value))
    }

    /// The interpreted functions, in a fixed order.
    pub fn funcs(&self) -> impl Iterator<Item = (Func, &FuncValue)> {
        self.funcs.iter().map(|(func, value)| (*func, value))
    }

    /// The number of variables with a value.
    pub fn len(&self) -> usize {
        self.vars.len()
    }

    /// Whether no variable has a value.
    pub fn is_empty(&self) -> bool {
        self.vars.is_empty()
    }

    /// The conjunction of `x = value`.
    pub fn to_term(&self) -> Term {
        Term::and(self.iter().map(|(var, value)| Term::var(var).equals(Term::lit(value.clone()))))
    }
}

impl FromIterator<(Var, Value)> for Valuation {
    fn from_iter<I: IntoIterator<Item = (Var, Value)>>(iter: I) -> Self {
        let mut valuation = Valuation::new();
        iter.into_iter().for_each(|(var, value)| valuation.set(var, value));
        valuation
    }
}
