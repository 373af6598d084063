//! The strongest post-operators `sp` and `sp'`: execution with some values unknown.
//!
//! One run computes both: `sp` is its result, and `sp'` additionally says where evaluation did not know: at an
//! assumption, or at the assignment of a variable.

use lapidary_expr::{Assignment, Beyond, Op, Sort, Term, Value, Var, VarSet};
use lapidary_model::Stmt;

use super::Values;
use super::values::Packed;

/// The values known at a point, sorted by variable.
#[derive(Clone, Debug, Default)]
pub(super) struct Known(Vec<(Var, Packed)>);

impl Known {
    fn position(&self, var: Var) -> Result<usize, usize> {
        self.0.binary_search_by_key(&var, |(other, _)| *other)
    }

    pub(super) fn get(&self, var: Var) -> Option<&Packed> {
        self.position(var).ok().map(|i| &self.0[i].1)
    }

    /// The value of a term, if it is known.
    fn eval(&self, term: Term) -> Option<Packed> {
        match term.as_word(self) {
            Ok(word) => word.map(Packed::Word),
            Err(Beyond) => term.eval(self).as_ref().map(Packed::new),
        }
    }

    fn set(&mut self, var: Var, value: Packed) {
        match self.position(var) {
            Ok(i) => self.0[i].1 = value,
            Err(i) => self.0.insert(i, (var, value)),
        }
    }

    fn forget(&mut self, var: Var) {
        if let Ok(i) = self.position(var) {
            self.0.remove(i);
        }
    }
}

impl Assignment for Known {
    fn value(&self, var: Var) -> Option<Value> {
        self.get(var).map(|packed| packed.value(var))
    }

    fn word(&self, var: Var) -> Result<Option<i64>, Beyond> {
        self.get(var).map(Packed::word).transpose()
    }
}

/// The result of executing a statement.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    /// The values known afterwards.
    pub(super) known: Known,
    /// An assumption could not be evaluated.
    pub(super) open_assumption: bool,
    /// Variables that were assigned something that could not be evaluated.
    open_variables: VarSet,
}

impl Taken {
    /// Whether an unknown value may hide something about the tracked variables.
    pub(super) fn matters_to(&self, prec: &VarSet) -> bool {
        self.open_assumption || self.open_variables.iter().any(|var| prec.contains(var))
    }
}

/// An execution under way.
pub(super) struct Run {
    taken: Taken,
}

impl Run {
    /// `sp(s, op)`; none if it is ⊥.
    pub(super) fn sp(s: &Values, stmt: &Stmt) -> Option<Taken> {
        let (parts, decided) = match stmt {
            Stmt::Seq(parts) => match &parts[..] {
                [Stmt::Assume(first), rest @ ..] => (rest, first.holds_packed(s)),
                _ => (&parts[..], None),
            },
            Stmt::Assume(only) => (&[][..], only.holds_packed(s)),
            _ => (std::slice::from_ref(stmt), None),
        };
        if decided == Some(false) {
            return None; // most edges are not taken: not worth unpacking the state
        }
        let known = Known(s.vars.iter().copied().zip(s.packed.iter().cloned()).collect());
        let mut run =
            Run { taken: Taken { known, open_assumption: false, open_variables: VarSet::new() } };
        let goes_on = match decided {
            Some(_) => parts.iter().all(|part| run.exec(part)),
            None => run.exec(stmt),
        };
        goes_on.then_some(run.taken)
    }

    /// Executes a statement; whether there is a way through.
    fn exec(&mut self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Assume(term) => return self.assume(*term),
            Stmt::Assign(assignments) => match &assignments[..] {
                [(var, term)] => self.assign(*var, self.taken.known.eval(*term)),
                _ => {
                    let values: Vec<Option<Packed>> =
                        assignments.iter().map(|(_, term)| self.taken.known.eval(*term)).collect();
                    let targets = assignments.iter().map(|(var, _)| *var);
                    targets.zip(values).for_each(|(var, value)| self.assign(var, value));
                }
            },
            Stmt::Havoc(vars) => vars.iter().for_each(|var| {
                self.taken.known.forget(*var);
                self.taken.open_variables.remove(var);
            }),
            Stmt::Seq(parts) => return parts.iter().all(|part| self.exec(part)),
            Stmt::Choice(parts) => return self.choose(parts),
            Stmt::Relation { formula, written } => {
                written.iter().for_each(|var| self.assign(*var, None));
                self.taken.open_assumption |= !formula.is_true();
            }
        }
        true
    }

    fn assign(&mut self, var: Var, value: Option<Packed>) {
        match value {
            Some(value) => {
                self.taken.known.set(var, value);
                self.taken.open_variables.remove(&var);
            }
            None => {
                self.taken.known.forget(var);
                self.taken.open_variables.insert(var);
            }
        }
    }

    /// The equality heuristic of §2.2.1: `[x = 1]` with an unknown `x` makes it 1.
    fn assume(&mut self, term: Term) -> bool {
        match term.holds_packed(&self.taken.known) {
            Some(decided) => return decided,
            None => self.learn_equalities(term),
        }
        match term.holds_packed(&self.taken.known) {
            Some(decided) => decided,
            None => {
                self.taken.open_assumption = true;
                true
            }
        }
    }

    fn learn_equalities(&mut self, term: Term) {
        let filled = term.map_vars(&|var| self.taken.known.value(var).map(Term::lit));
        for conjunct in filled.conjuncts() {
            if let Some((var, value)) = as_equality(conjunct) {
                self.assign(var, Some(Packed::new(&value)));
            }
        }
    }

    /// What all branches with a way through agree on.
    fn choose(&mut self, parts: &[Stmt]) -> bool {
        let before = self.taken.clone();
        let mut joined: Option<Taken> = None;
        for part in parts {
            self.taken = before.clone();
            if self.exec(part) {
                let taken = self.taken.clone();
                joined = Some(joined.map_or(taken.clone(), |other| join(other, &taken)));
            }
        }
        match joined {
            Some(taken) => {
                self.taken = taken;
                true
            }
            None => false,
        }
    }
}

fn join(mut left: Taken, right: &Taken) -> Taken {
    let differing: Vec<Var> = left
        .known
        .0
        .iter()
        .filter(|(var, value)| right.known.get(*var) != Some(value))
        .map(|(var, _)| *var)
        .collect();
    for var in differing {
        left.known.forget(var);
        left.open_variables.insert(var);
    }
    let lost =
        right.known.0.iter().map(|(var, _)| *var).filter(|var| left.known.get(*var).is_none());
    left.open_variables.extend(lost);
    left.open_variables.extend(&right.open_variables);
    left.open_assumption |= right.open_assumption;
    left
}

/// `x = value`, `x` or `¬x`.
fn as_equality(term: Term) -> Option<(Var, Value)> {
    match (term.op(), term.args()) {
        (Op::Var(var), _) if var.sort() == Sort::Bool => Some((*var, Value::Bool(true))),
        (Op::Not, [inner]) => Some((inner.as_var()?, Value::Bool(false))),
        (Op::Eq, [left, right]) => Some((left.as_var()?, right.as_lit()?.clone())),
        _ => None,
    }
}
