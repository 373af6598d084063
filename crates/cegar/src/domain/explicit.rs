//! Explicit values (first paper, §2.2.1 and §3.1.1): an abstract state maps some variables to values.
//!
//! The transfer function is `T_k` of Algorithm 4:
//!
//! ```text
//! ŝ ← sp'(s, op)
//! if ŝ contains any unknown value
//!     S' ← query at most k assignments of variables in π' for the formula s ∧ op
//!     if more than k assignments are possible   S' ← { sp(s, op) }
//! else S' ← { ŝ }
//! set the variables outside π to ⊤ in each s' ∈ S'
//! ```
//!
//! Differences: only what can matter is asked for. A value that evaluation knows is not enumerated, nor is a
//! variable that the operation leaves unconstrained (a plain `havoc` gives ⊤); an unknown value of an
//! untracked variable asks nothing. Whether more than `k` assignments exist is decided with `k + 1` models.
//! Queries are remembered by what is left of the formula once the known values are filled in. What else is given
//! about the step is asked only where evaluation does not know, and enumerates no variable by itself.

mod enumerate;
mod index;
mod max_enum;
mod run;
mod values;

use lapidary_expr::{Term, Valuation, VarSet, Versions};
use lapidary_model::{Stmt, encode};
use lapidary_solver::Backend;

use crate::{Domain, Fact, Precision, Reason, Result};
use enumerate::{Counted, Enumerator, Found};
pub use index::ValueIndex;
pub use max_enum::MaxEnum;
use run::{Run, Taken};
pub use values::Values;
use values::{Lists, Packed};

impl Precision for VarSet {
    fn join(&mut self, other: &Self) -> bool {
        let before = self.len();
        self.extend(other);
        self.len() > before
    }

    fn size(&self) -> usize {
        self.len()
    }

    fn facts(&self) -> Vec<Fact> {
        self.iter().copied().map(Fact::Variable).collect()
    }

    fn adopt(&mut self, fact: &Fact) {
        match fact {
            Fact::Variable(var) => drop(self.insert(*var)),
            Fact::Predicate(term) => self.extend(term.vars()),
            Fact::Flagged(_) => {}
        }
    }
}

/// The successors of a state by a step.
#[derive(Debug)]
pub(super) enum Successors {
    /// These.
    All {
        /// The states.
        states: Vec<Values>,
        /// Whether it is certain that there is a way to each of them: the values show it, or the solver.
        certain: bool,
    },
    /// More than the limit allows because of some variables; without values that evaluation does not know,
    /// this one.
    TooMany(VarSet, Values),
}

/// The explicit-value domain.
pub struct Explicit {
    enumerator: Enumerator,
    lists: Lists,
}

impl Explicit {
    /// The domain with the given limit of combinations.
    pub fn new(backend: &dyn Backend, max_enum: MaxEnum) -> Self {
        let enumerator = Enumerator::new(backend, max_enum, Counted::Combinations);
        Explicit { enumerator, lists: Lists::default() }
    }

    /// The domain with the given limit of different values for each variable.
    pub(super) fn counting_values(backend: &dyn Backend, max_enum: MaxEnum) -> Self {
        let enumerator = Enumerator::new(backend, max_enum, Counted::Values);
        Explicit { enumerator, lists: Lists::default() }
    }

    /// Algorithm 4 up to the fall-back of its line 4.
    pub(super) fn successors(
        &mut self,
        s: &Values,
        given: Term,
        stmt: &Stmt,
        prec: &VarSet,
    ) -> Result<Successors> {
        let Some(taken) = Run::sp(s, stmt) else {
            return Ok(Successors::All { states: Vec::new(), certain: true });
        };
        let certain = !taken.open_assumption;
        let asks = self.enumerator.max_enum() != MaxEnum::Evaluate && taken.matters_to(prec);
        match asks {
            true => self.query(s, given, stmt, prec, &taken),
            false => {
                Ok(Successors::All { states: vec![self.project(&taken, prec, None)], certain })
            }
        }
    }

    /// The tracked part of what is known, and of a model.
    fn project(&mut self, taken: &Taken, prec: &VarSet, model: Option<&Valuation>) -> Values {
        let (mut vars, mut packed) =
            (Vec::with_capacity(prec.len()), Vec::with_capacity(prec.len()));
        for var in prec {
            let of_model = || model.and_then(|model| model.get(*var)).map(Packed::new);
            if let Some(value) = taken.known.get(*var).cloned().or_else(of_model) {
                vars.push(*var);
                packed.push(value);
            }
        }
        self.lists.state(&vars, packed)
    }

    /// Lines 3 and 4 of Algorithm 4: `taken` is `sp(s, op)`, of which some tracked values are unknown.
    fn query(
        &mut self,
        s: &Values,
        given: Term,
        stmt: &Stmt,
        prec: &VarSet,
        taken: &Taken,
    ) -> Result<Successors> {
        let fill = |term: Term| term.map_vars(&|var| s.get(var).map(Term::lit));
        let mut versions = Versions::new();
        let step = fill(encode(stmt, &mut versions));
        let formula = Term::and([step, fill(Versions::new().step(&versions, given))]);
        let unknown = prec.iter().filter(|var| taken.known.get(**var).is_none());
        let open: VarSet =
            unknown.map(|var| versions.current(*var)).filter(|var| step.mentions(*var)).collect();
        if formula.is_true() || formula.is_false() {
            let state = formula.is_true().then(|| self.project(taken, prec, None));
            return Ok(Successors::All { states: state.into_iter().collect(), certain: true });
        }
        match self.enumerator.enumerate(formula, &open)? {
            Found::TooMany(vars) => {
                let vars = vars.iter().map(|var| var.base()).collect();
                Ok(Successors::TooMany(vars, self.project(taken, prec, None)))
            }
            Found::All(models) => {
                let states = models.iter().map(|model| {
                    let values = model.iter().map(|(var, value)| (var.base(), value.clone()));
                    self.project(taken, prec, Some(&values.collect()))
                });
                Ok(Successors::All { states: states.collect(), certain: true })
            }
        }
    }
}

impl Domain for Explicit {
    type State = Values;
    type Prec = VarSet;
    type Index = ValueIndex;

    fn top(&self) -> Values {
        Values::default()
    }

    fn leq(&mut self, s: &Values, t: &Values) -> Result<bool> {
        Ok(s == t
            || t.vars.iter().zip(&*t.packed).all(|(var, value)| s.packed(*var) == Some(value)))
    }

    fn post(&mut self, s: &Values, given: Term, stmt: &Stmt, prec: &VarSet) -> Result<Vec<Values>> {
        Ok(match self.successors(s, given, stmt, prec)? {
            Successors::All { states, .. } => states,
            Successors::TooMany(_, state) => vec![state],
        })
    }

    fn expr(&self, s: &Values) -> Term {
        s.to_term(|_| true)
    }

    /// All variables of a formula are worth tracking (first paper, Algorithm 2, line 5).
    fn learn(&mut self, _at: &Values, reason: &Reason, _prec: &VarSet) -> VarSet {
        match reason {
            Reason::Holds(term) => term.vars().iter().copied().collect(),
            Reason::Tracks(vars) | Reason::Core { vars, .. } => vars.clone(),
        }
    }
}
