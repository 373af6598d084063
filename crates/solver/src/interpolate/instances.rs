//! Arrays and functions: what the axioms say about the elements and results that a path speaks of, so that
//! arithmetic can take them for unknowns.
//!
//! An interpolant may only speak of what both sides know, so each part gets its own instances: for the indices that
//! stand in it, and for its variables that are an index in another part. A write `b = store(a, i, v)` says
//! `b[j] = ite(i = j, v, a[j])`, an equation `b = a` says `b[j] = a[j]`, and equal indices have equal elements. Where
//! the part itself tells whether two indices are equal, nothing has to be distinguished. A function has equal results for
//! equal arguments.
//!
//! All of these follow from the part they are added to, so sequences for the larger parts are sequences for the
//! parts themselves.

use std::collections::BTreeSet;

use lapidary_expr::{Op, Sort, Term, Var};
use rustc_hash::FxHashSet;

/// So many instances are added to a part at most.
const INSTANCES: usize = 160;

/// The parts with what follows from them about elements and results; none if there are no arrays and functions.
pub(super) fn instantiated(parts: &[Term]) -> Option<Vec<Term>> {
    let accesses: Vec<Accesses> = parts.iter().map(|part| Accesses::of(*part)).collect();
    if accesses.iter().all(|accesses| accesses.arrays.is_empty() && accesses.results.is_empty()) {
        return None;
    }
    let indices: BTreeSet<Var> =
        accesses.iter().flat_map(Accesses::index_vars).map(Var::base).collect();
    let add = |(part, accesses): (&Term, &Accesses)| with_instances(*part, accesses, &indices);
    Some(parts.iter().zip(&accesses).map(add).collect())
}

fn with_instances(part: Term, accesses: &Accesses, index_vars: &BTreeSet<Var>) -> Term {
    let known = Known::of(part);
    let mut instances = elements(part, accesses, index_vars, &known);
    for (i, result) in accesses.results.iter().enumerate() {
        let others = accesses.results[..i].iter().filter(|other| other.op() == result.op());
        instances.extend(others.map(|other| known.congruence(*result, *other)));
    }
    instances.retain(|instance| !instance.is_true());
    instances.truncate(INSTANCES);
    Term::and(std::iter::once(part).chain(instances))
}

/// What the axioms say about the elements of arrays.
fn elements(
    part: Term,
    accesses: &Accesses,
    index_vars: &BTreeSet<Var>,
    known: &Known,
) -> Vec<Term> {
    let mut indices = accesses.indices.clone();
    let others = part.vars().iter().filter(|var| index_vars.contains(&var.base()));
    indices
        .extend(others.map(|var| Term::var(*var)).filter(|term| !accesses.indices.contains(term)));
    let mut instances = Vec::new();
    for array in &accesses.arrays {
        let Sort::Array(sort) = array.sort() else { continue };
        let fitting: Vec<Term> =
            indices.iter().copied().filter(|index| index.sort() == sort.index()).collect();
        for (i, index) in fitting.iter().enumerate() {
            if let (Op::Store, [inner, at, value]) = (array.op(), array.args()) {
                let kept = inner.select(*index);
                let element = known.choose(*at, *index, *value, kept);
                instances.push(array.select(*index).equals(element));
            }
            for other in &fitting[..i] {
                let same = array.select(*index).equals(array.select(*other));
                instances.push(known.implication(*index, *other, same));
            }
        }
        for equal in accesses.equations.iter().filter(|(left, _)| left == array) {
            instances.extend(
                fitting.iter().map(|index| array.select(*index).equals(equal.1.select(*index))),
            );
        }
    }
    instances
}

/// The arrays, indices and results of functions of a formula, in the order of their occurrence.
#[derive(Default)]
struct Accesses {
    arrays: Vec<Term>,
    indices: Vec<Term>,
    results: Vec<Term>,
    /// Conjuncts that are equations of arrays.
    equations: Vec<(Term, Term)>,
}

impl Accesses {
    fn of(part: Term) -> Accesses {
        let mut accesses = Accesses::default();
        let mut seen = FxHashSet::default();
        let mut pending = vec![part];
        while let Some(term) = pending.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let (Op::Select | Op::Store, [_, index, ..]) = (term.op(), term.args())
                && !accesses.indices.contains(index)
            {
                accesses.indices.push(*index);
            }
            if matches!(term.sort(), Sort::Array(_)) && *term.op() != Op::Ite {
                accesses.arrays.push(term);
            }
            if matches!(term.op(), Op::Apply(_)) {
                accesses.results.push(term);
            }
            pending.extend(term.args());
        }
        for conjunct in part.conjuncts() {
            if let (Op::Eq, [left, right]) = (conjunct.op(), conjunct.args())
                && matches!(left.sort(), Sort::Array(_))
            {
                accesses.equations.push((*left, *right));
            }
        }
        accesses
    }

    fn index_vars(&self) -> Vec<Var> {
        self.indices.iter().filter_map(|index| index.as_var()).collect()
    }
}

/// What the literals of a part say about indices.
struct Known {
    equal: Vec<(Term, Term)>,
    different: Vec<(Term, Term)>,
}

impl Known {
    fn of(part: Term) -> Known {
        let mut known = Known { equal: Vec::new(), different: Vec::new() };
        for conjunct in part.conjuncts() {
            match (conjunct.op(), conjunct.args()) {
                (Op::Eq, [left, right]) => known.equal.push((*left, *right)),
                (Op::Not, [inner]) if *inner.op() == Op::Eq => {
                    known.different.push((inner.args()[0], inner.args()[1]));
                }
                _ => {}
            }
        }
        known
    }

    /// The term and those that the part says are equal to it.
    fn class(&self, term: Term) -> Vec<Term> {
        let mut class = vec![term];
        let mut next = 0;
        while next < class.len() {
            for (left, right) in &self.equal {
                for (a, b) in [(left, right), (right, left)] {
                    if *a == class[next] && !class.contains(b) {
                        class.push(*b);
                    }
                }
            }
            next += 1;
        }
        class
    }

    /// Whether the part says that two terms are equal, or that they are not.
    fn are_equal(&self, left: Term, right: Term) -> Option<bool> {
        let (lefts, rights) = (self.class(left), self.class(right));
        if lefts.iter().any(|term| rights.contains(term)) {
            return Some(true);
        }
        let apart = |a: &Term, b: &Term| lefts.contains(a) && rights.contains(b);
        let differ = self.different.iter().any(|(a, b)| apart(a, b) || apart(b, a))
            || lefts.iter().any(|a| rights.iter().any(|b| a.equals(*b).is_false()));
        differ.then_some(false)
    }

    /// `ite(at = index, value, kept)`, as far as it has to be distinguished.
    fn choose(&self, at: Term, index: Term, value: Term, kept: Term) -> Term {
        match self.are_equal(at, index) {
            Some(true) => value,
            Some(false) => kept,
            None => at.equals(index).ite(value, kept),
        }
    }

    /// `left = right → consequence`, as far as it has to be said.
    fn implication(&self, left: Term, right: Term, consequence: Term) -> Term {
        match self.are_equal(left, right) {
            Some(true) => consequence,
            Some(false) => true.into(),
            None => left.equals(right).implies(consequence),
        }
    }

    /// Equal arguments have equal results.
    fn congruence(&self, left: Term, right: Term) -> Term {
        let same = left.equals(right);
        let arguments = left.args().iter().zip(right.args());
        arguments.fold(same, |claim, (a, b)| self.implication(*a, *b, claim))
    }
}
