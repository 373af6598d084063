//! Packed states: a list of variables that many states share, and a word for each of their values.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use lapidary_expr::{Assignment, Beyond, Term, Value, Var};
use rustc_hash::{FxHashSet, FxHasher};

/// A value in a word, if it fits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Packed {
    /// A truth value, a small number or a narrow bit-vector; the variable knows which.
    Word(i64),
    /// Anything else.
    Large(Arc<Value>),
}

impl Packed {
    pub(super) fn new(value: &Value) -> Packed {
        match value.pack() {
            Some(word) => Packed::Word(word),
            None => Packed::Large(Arc::new(value.clone())),
        }
    }

    /// The value as a word.
    pub(super) fn word(&self) -> Result<i64, Beyond> {
        match self {
            Packed::Word(word) => Ok(*word),
            Packed::Large(_) => Err(Beyond),
        }
    }

    /// The value of `var` that this is.
    pub(super) fn value(&self, var: Var) -> Value {
        match self {
            Packed::Word(word) => Value::unpack(var.sort(), *word),
            Packed::Large(value) => Value::clone(value),
        }
    }
}

/// An abstract variable assignment: the variables with a value, sorted; the others are ⊤.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Values {
    pub(super) vars: Arc<[Var]>,
    pub(super) packed: Arc<[Packed]>,
    /// The hash of the values: an index of many states had better not look at each of them again.
    pub(super) hash: u64,
}

/// The hash of values; 0 if there are none.
pub(super) fn hash<'a>(packed: impl IntoIterator<Item = &'a Packed>) -> u64 {
    let mut hasher = FxHasher::default();
    let mut is_empty = true;
    for value in packed {
        value.hash(&mut hasher);
        is_empty = false;
    }
    if is_empty { 0 } else { hasher.finish() }
}

impl Values {
    /// The value of a variable, if it has one.
    pub fn get(&self, var: Var) -> Option<Value> {
        self.packed(var).map(|packed| packed.value(var))
    }

    pub(super) fn packed(&self, var: Var) -> Option<&Packed> {
        // States track few variables, or few are asked for.
        match self.vars.len() {
            ..=8 => self.vars.iter().position(|other| *other == var).map(|i| &self.packed[i]),
            _ => self.vars.binary_search(&var).ok().map(|i| &self.packed[i]),
        }
    }

    /// The variables with their values, in a fixed order.
    pub fn iter(&self) -> impl Iterator<Item = (Var, Value)> {
        self.vars.iter().zip(self.packed.iter()).map(|(var, packed)| (*var, packed.value(*var)))
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.vars.is_empty()
    }

    /// What the values of those variables say that are wanted.
    pub(in crate::domain) fn to_term(&self, wanted: impl Fn(Var) -> bool) -> Term {
        let equal = |(var, value): (Var, Value)| Term::var(var).equals(Term::lit(value));
        Term::and(self.iter().filter(|(var, _)| wanted(*var)).map(equal))
    }
}

impl Assignment for Values {
    fn value(&self, var: Var) -> Option<Value> {
        self.get(var)
    }

    fn word(&self, var: Var) -> Result<Option<i64>, Beyond> {
        self.packed(var).map(Packed::word).transpose()
    }
}

/// The lists of variables of states, each once.
#[derive(Debug, Default)]
pub(super) struct Lists {
    lists: FxHashSet<Arc<[Var]>>,
    /// The list that was asked for last: mostly that is the one.
    last: Arc<[Var]>,
}

impl Lists {
    /// The state with these variables, sorted, and values.
    pub(super) fn state(&mut self, vars: &[Var], packed: Vec<Packed>) -> Values {
        if *self.last != *vars {
            self.last = match self.lists.get(vars) {
                Some(list) => Arc::clone(list),
                None => {
                    let list: Arc<[Var]> = vars.into();
                    self.lists.insert(Arc::clone(&list));
                    list
                }
            };
        }
        let hash = hash(&packed);
        Values { vars: Arc::clone(&self.last), packed: packed.into(), hash }
    }
}
