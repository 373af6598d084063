//! The Boolean structure of formulas: conjuncts, disjuncts, atoms.

use rustc_hash::FxHashSet;

use crate::op::Op;
use crate::sort::Sort;
use crate::term::Term;
use crate::term::simplify::linear::Linear;
use crate::var::Var;

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
        let mut pending = vec![self];
        while let Some(term) = pending.pop() {
            if term.as_lit().is_some() || !seen.insert(term) {
                continue;
            }
            if term.is_connective() {
                pending.extend(term.args().iter().rev());
                continue;
            }
            let atom = term.positive();
            if atom == term || seen.insert(atom) {
                atoms.push(atom);
            }
        }
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
                let [left, right] = [self.args()[0], self.args()[1]];
                let is_second = match (left.as_lit(), right.as_lit()) {
                    (Some(_), _) => true,
                    (_, Some(_)) => false,
                    _ => first_in(right) < first_in(left),
                };
                if is_second { self.not() } else { self }
            }
            _ => self,
        }
    }

    /// Whether this is a truth value made of truth values.
    fn is_connective(self) -> bool {
        match self.op() {
            Op::Not | Op::And | Op::Or | Op::Ite => true,
            Op::Eq => self.args()[0].sort() == Sort::Bool,
            _ => false,
        }
    }
}

/// What orders the sides of a comparison: its first variable and, where both sides have that one (in
/// products or other operators), the first monomial, which is never on both sides.
fn first_in(side: Term) -> (Option<Var>, Option<Term>) {
    let first_monomial = Linear::of(side).monomials.first().map(|(term, _)| *term);
    (side.vars().first().copied(), first_monomial)
}
