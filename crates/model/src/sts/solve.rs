//! Formulas that define a variable: `x = e` in any of the forms that normalized terms take.

use lapidary_expr::term::simplify::linear::Linear;
use lapidary_expr::{Op, RBig, Sort, Term, Value, Var};
use rustc_hash::FxHashMap;

/// What may be solved for, and what may stand on the other side.
pub(super) struct Question<'a> {
    pub(super) target: &'a dyn Fn(Var) -> bool,
    pub(super) value: &'a dyn Fn(Var, Term) -> bool,
}

impl Question<'_> {
    /// The variable that the formula is equivalent to a definition of, with its value.
    pub(super) fn definition(&self, formula: Term) -> Option<(Var, Term)> {
        match (formula.op(), formula.args()) {
            (Op::Var(var), _) => self.accept(*var, true.into()),
            (Op::Not, [arg]) => match arg.op() {
                Op::Var(var) => self.accept(*var, false.into()),
                Op::Eq if arg.args()[0].sort() == Sort::Bool => {
                    let (var, value) = self.definition(*arg)?;
                    Some((var, value.not()))
                }
                _ => None,
            },
            (Op::Eq, [left, right]) => {
                self.side(*left, *right).or_else(|| self.linear(*left, *right))
            }
            (Op::Ite, [condition, then, otherwise]) => {
                let (var, then) = self.definition(*then)?;
                let (other, otherwise) = self.definition(*otherwise)?;
                if var != other {
                    return None;
                }
                self.accept(var, condition.ite(then, otherwise))
            }
            _ => None,
        }
    }

    fn accept(&self, var: Var, value: Term) -> Option<(Var, Term)> {
        ((self.target)(var) && (self.value)(var, value)).then_some((var, value))
    }

    /// One side is the variable itself.
    fn side(&self, left: Term, right: Term) -> Option<(Var, Term)> {
        let as_definition = |(var, value): (Term, Term)| self.accept(var.as_var()?, value);
        [(left, right), (right, left)].into_iter().find_map(as_definition)
    }

    /// The variable stands in a sum; over the integers, its coefficient is 1 or -1.
    fn linear(&self, left: Term, right: Term) -> Option<(Var, Term)> {
        if !left.sort().is_arithmetic() {
            return None;
        }
        let difference = left.minus(right);
        let monomials = Linear::of(difference).monomials;
        monomials.into_iter().find_map(|(term, coefficient)| {
            let var = term.as_var().filter(|var| (self.target)(*var))?;
            let factor = RBig::ONE / coefficient;
            let factor = match left.sort() {
                Sort::Int if factor == RBig::ONE || factor == -RBig::ONE => {
                    Value::Int(factor.numerator().clone())
                }
                Sort::Rat => Value::Rat(factor),
                _ => return None,
            };
            self.accept(var, term.minus(Term::lit(factor).times(difference)))
        })
    }
}

/// Whether a term speaks of the current frame only.
pub(super) fn is_current(term: Term) -> bool {
    term.vars().iter().all(|var| var.version() == 0)
}

/// The guard and the next values that a relation over `x` and `x'` consists of; none if it is no set of
/// functions. Conjuncts that restrict defined next values become guards: `x' = x + 1 ∧ x' < 5` is a step
/// where `x + 1 < 5`.
pub(super) fn functions(relation: Term) -> Option<(Term, Vec<(Var, Term)>)> {
    let (mut guards, mut pending) = (Vec::new(), Vec::new());
    for conjunct in conjuncts(relation) {
        let list = if is_current(conjunct) { &mut guards } else { &mut pending };
        list.push(conjunct);
    }
    let question =
        Question { target: &|var| var.version() == 1, value: &|_, value| is_current(value) };
    let mut next: Vec<(Var, Term)> = Vec::new();
    while !pending.is_empty() {
        let mut defined: FxHashMap<Var, Term> = FxHashMap::default();
        let mut rest = Vec::new();
        for conjunct in pending {
            match question.definition(conjunct) {
                Some((var, value)) if !defined.contains_key(&var) => {
                    defined.insert(var, value);
                    next.push((var.base(), value));
                }
                _ => rest.push(conjunct),
            }
        }
        if defined.is_empty() {
            return None;
        }
        let replaced = Term::map_vars_all(&rest, &|var| defined.get(&var).copied());
        (pending, rest) = (Vec::new(), replaced);
        for conjunct in rest.into_iter().flat_map(conjuncts) {
            let list = if is_current(conjunct) { &mut guards } else { &mut pending };
            list.push(conjunct);
        }
    }
    Some((Term::and(guards), next))
}

/// The conjuncts, also those of nested conjunctions.
pub(super) fn conjuncts(formula: Term) -> Vec<Term> {
    let (mut found, mut pending) = (Vec::new(), vec![formula]);
    while let Some(term) = pending.pop() {
        match term.op() {
            Op::And => pending.extend(term.args().iter().rev()),
            _ if term.is_true() => {}
            _ => found.push(term),
        }
    }
    found
}
