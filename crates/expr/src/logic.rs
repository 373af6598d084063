//! The Boolean structure of formulas: conjuncts, disjuncts, atoms.

use rustc_hash::FxHashSet;

use crate::op::Op;
use crate::sort::Sort;
use crate::term::Term;

impl Term {
    /// The formulas whose conjunction this is: none for `true`, itself if it is no conjunction.
    pub fn conjuncts(self) -> Vec<Term> {
        match self.op() {
            Op::And => self.args().to_vec(),
            _ if self.is_true() => Vec::new(),
            _ => vec![self],
        }
    }

    /// The formulas whose disjunction this is: none for `false`, itself if it is no disjunction.
    pub fn disjuncts(self) -> Vec<Term> {
        match self.op() {
            Op::Or => self.args().to_vec(),
            _ if self.is_false() => Vec::new(),
            _ => vec![self],
        }
    }

    /// The atoms below the Boolean connectives, each once, in the order of first occurrence. An atom
    /// and its negation count as one (see [`positive`](Term::positive)).
    pub fn atoms(self) -> Vec<Term> {
        let (mut atoms, mut seen) = (Vec::new(), FxHashSet::default());
        collect(self, &mut seen, &mut atoms);
        atoms
    }

    /// Of a formula and its negation, the one that stands for both: the argument of a `not`, and the
    /// non-strict one of two inequalities.
    #[must_use]
    pub fn positive(self) -> Term {
        match self.op() {
            Op::Not => self.args()[0],
            Op::Lt | Op::BvUlt | Op::BvSlt => self.not(),
            // Integers have no `<`: of `a <= b` and its negation `b + 1 <= a`, take the one with the
            // variable that was declared first on the left.
            Op::Le if self.args()[0].sort() == Sort::Int => {
                match (self.args()[0].vars(), self.args()[1].vars()) {
                    ([], _) => self.not(),
                    ([left, ..], [right, ..]) if right < left => self.not(),
                    _ => self,
                }
            }
            _ => self,
        }
    }
}

fn collect(term: Term, seen: &mut FxHashSet<Term>, atoms: &mut Vec<Term>) {
    if term.as_lit().is_some() || !seen.insert(term) {
        return;
    }
    let connective = match term.op() {
        Op::Not | Op::And | Op::Or => true,
        Op::Ite => true,
        Op::Eq => term.args()[0].sort() == Sort::Bool,
        _ => false,
    };
    if connective {
        term.args().iter().for_each(|arg| collect(*arg, seen, atoms));
    } else {
        let atom = term.positive();
        if atom == term || seen.insert(atom) {
            atoms.push(atom);
        }
    }
}
