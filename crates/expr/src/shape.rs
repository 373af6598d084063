//! Terms up to their constants: what differs in numbers only has one shape.

use rustc_hash::FxHashMap;

use crate::op::Op;
use crate::term::Term;
use crate::walk::Walk;

/// Numbers the shapes of terms, in the order in which they are met. Each subterm is looked at once, however often it occurs.
#[derive(Debug, Default)]
pub struct Shapes {
    of: FxHashMap<Term, u32>,
    /// By operator (none for a constant) and the shapes of the arguments.
    numbers: FxHashMap<(Option<Op>, Vec<u32>), u32>,
}

impl Shapes {
    /// The number of the shape of `term`.
    pub fn number(&mut self, term: Term) -> u32 {
        self.walk(term);
        self.of[&term]
    }
}

impl Walk for Shapes {
    fn enter(&mut self, term: Term) -> bool {
        !self.of.contains_key(&term)
    }

    fn leave(&mut self, term: Term) {
        let op = term.as_lit().is_none().then(|| term.op().clone());
        let args = term.args().iter().map(|arg| self.of[arg]).collect();
        let next = u32::try_from(self.numbers.len()).expect("fewer than 2^32 terms");
        let number = *self.numbers.entry((op, args)).or_insert(next);
        self.of.insert(term, number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Sort, Var};

    #[test]
    fn only_constants_are_ignored() {
        let [x, y] = ["x", "y"].map(|name| Term::var(Var::new(name, Sort::Int)));
        let mut shapes = Shapes::default();
        let mut number = |term: Term| shapes.number(term);
        let same = number(x.at_most(Term::int(3)));
        assert_eq!(number(x.at_most(Term::int(70))), same);
        assert_ne!(number(y.at_most(Term::int(3))), same);
        assert_ne!(number(x.equals(Term::int(3))), same);
        assert_ne!(number(x.at_most(y)), same);
    }

    /// As a tree, the term has 2^60 nodes.
    #[test]
    fn shared_subterms_are_looked_at_once() {
        let x = Term::var(Var::new("x", Sort::Int));
        let double = |term: Term, i: i64| Term::int(i).less(term).ite(term.plus(x), term);
        let deep = (0..60).fold(x, double);
        let mut shapes = Shapes::default();
        assert_eq!(shapes.number(deep), shapes.number(deep));
    }
}
