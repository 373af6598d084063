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
//! Queries are remembered by what is left of the formula once the known values are filled in.

mod index;
mod run;

use std::sync::Arc;

use lapidary_expr::{Assignment, Term, Valuation, Value, Var, VarSet, Versions};
use lapidary_model::{Stmt, encode};
use lapidary_solver::{Backend, UnsatCore};
use rustc_hash::FxHashMap;

use crate::{Domain, Precision, Reason, Result};
pub use index::ValueIndex;
use run::{Run, Taken};

/// How many successors to enumerate where evaluation does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MaxEnum {
    /// `1*`: evaluation alone, never the solver.
    Evaluate,
    /// Up to this many combinations of values, then ⊤.
    Limit(u32),
    /// All of them, however many.
    Unlimited,
}

impl Default for MaxEnum {
    fn default() -> Self {
        MaxEnum::Limit(1)
    }
}

impl std::fmt::Display for MaxEnum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            MaxEnum::Evaluate => f.write_str("1*"),
            MaxEnum::Limit(k) => write!(f, "{k}"),
            MaxEnum::Unlimited => f.write_str("0"),
        }
    }
}

impl std::str::FromStr for MaxEnum {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match (text, text.parse::<u32>()) {
            ("1*", _) => Ok(MaxEnum::Evaluate),
            (_, Ok(0)) => Ok(MaxEnum::Unlimited),
            (_, Ok(k)) => Ok(MaxEnum::Limit(k)),
            _ => Err(text.to_string()),
        }
    }
}

/// An abstract variable assignment: the variables with a value, sorted; the others are ⊤.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Values(Arc<[(Var, Value)]>);

impl Values {
    fn of(values: impl IntoIterator<Item = (Var, Value)>) -> Values {
        let mut values: Vec<(Var, Value)> = values.into_iter().collect();
        values.sort_unstable_by_key(|(var, _)| *var);
        Values(values.into())
    }

    /// The value of a variable, if it has one.
    pub fn get(&self, var: Var) -> Option<&Value> {
        self.0.binary_search_by_key(&var, |(v, _)| *v).ok().map(|i| &self.0[i].1)
    }
}

impl Assignment for Values {
    fn value(&self, var: Var) -> Option<Value> {
        self.get(var).cloned()
    }
}

impl Precision for VarSet {
    fn join(&mut self, other: &Self) -> bool {
        let before = self.len();
        self.extend(other);
        self.len() > before
    }

    fn size(&self) -> usize {
        self.len()
    }

    fn items(&self) -> Vec<String> {
        self.iter().map(ToString::to_string).collect()
    }
}

/// What a query enumerated.
type Enumeration = Option<Vec<Valuation>>;

/// The explicit-value domain.
pub struct Explicit {
    solver: Box<dyn UnsatCore>,
    max_enum: MaxEnum,
    /// Answers by formula and enumerated variables; none = more than the limit.
    answers: FxHashMap<(Term, Vec<Var>), Enumeration>,
}

impl Explicit {
    /// The domain with the given limit of enumeration.
    pub fn new(backend: &dyn Backend, max_enum: MaxEnum) -> Self {
        Explicit { solver: backend.solver(), max_enum, answers: FxHashMap::default() }
    }

    /// At most `k` assignments of `vars` that satisfy the formula; none if there are more.
    fn enumerate(&mut self, formula: Term, vars: &VarSet) -> Result<Enumeration> {
        let key = (formula, vars.iter().copied().collect::<Vec<_>>());
        if let Some(answer) = self.answers.get(&key) {
            return Ok(answer.clone());
        }
        self.solver.push();
        self.solver.assert(formula);
        let answer = self.models(vars);
        self.solver.pop();
        self.answers.insert(key, answer.clone()?);
        answer
    }

    fn models(&mut self, vars: &VarSet) -> Result<Enumeration> {
        let mut models: Vec<Valuation> = Vec::new();
        while let Some(model) = self.solver.model(vars)? {
            let full = matches!(self.max_enum, MaxEnum::Limit(k) if models.len() >= k as usize);
            if full && !vars.is_empty() {
                return Ok(None);
            }
            self.solver.assert(model.to_term().not());
            models.push(model);
            if vars.is_empty() {
                break;
            }
        }
        Ok(Some(models))
    }

    /// Lines 3 and 4 of Algorithm 4: `taken` is `sp(s, op)`, of which some tracked values are unknown.
    fn query(
        &mut self,
        s: &Values,
        given: Term,
        stmt: &Stmt,
        prec: &VarSet,
        taken: &Taken,
    ) -> Result<Vec<Values>> {
        let mut versions = Versions::new();
        let step = encode(stmt, &mut versions);
        let formula = Term::and([step, Versions::new().step(&versions, given)]);
        let formula = formula.map_vars(&|var| s.get(var).cloned().map(Term::lit));
        let unknown = prec.iter().filter(|var| taken.known.get(**var).is_none());
        let open: VarSet = unknown
            .map(|var| versions.current(*var))
            .filter(|var| formula.mentions(*var))
            .collect();
        if formula.is_true() || formula.is_false() {
            return Ok(if formula.is_true() { vec![taken.project(prec)] } else { Vec::new() });
        }
        let Some(models) = self.enumerate(formula, &open)? else {
            return Ok(vec![taken.project(prec)]);
        };
        let successor = |model: Valuation| {
            let enumerated =
                model.iter().map(|(var, value)| (var.base(), value.clone())).collect::<Vec<_>>();
            Values::of(taken.project(prec).0.iter().cloned().chain(enumerated))
        };
        Ok(models.into_iter().map(successor).collect())
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
        Ok(t.0.iter().all(|(var, value)| s.get(*var) == Some(value)))
    }

    fn post(&mut self, s: &Values, given: Term, stmt: &Stmt, prec: &VarSet) -> Result<Vec<Values>> {
        let Some(taken) = Run::sp(s, stmt) else { return Ok(Vec::new()) };
        let asks =
            self.max_enum != MaxEnum::Evaluate && (taken.matters_to(prec) || !given.is_true());
        if asks { self.query(s, given, stmt, prec, &taken) } else { Ok(vec![taken.project(prec)]) }
    }

    fn expr(&self, s: &Values) -> Term {
        Term::and(s.0.iter().map(|(var, value)| Term::var(*var).equals(Term::lit(value.clone()))))
    }

    /// All variables of a formula are worth tracking (first paper, Algorithm 2, line 5).
    fn learn(&mut self, _at: &Values, reason: &Reason, _prec: &VarSet) -> VarSet {
        match reason {
            Reason::Holds(term) => term.vars().iter().copied().collect(),
            Reason::Tracks(vars) | Reason::Core { vars, .. } => vars.clone(),
        }
    }
}
