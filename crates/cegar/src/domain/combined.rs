//! Predicates plus some explicit variables (second paper, §4.1): which variables are explicit is decided at the
//! start, by the user or by a heuristic; refinement adds predicates only.
//!
//! The heuristic is the paper's motive: a variable that is compared for equality with several constants, such as a
//! program counter, would need a predicate for each of them.
//!
//! Difference: where the value of an explicit variable is unknown and has more values than `max-enum` allows, it
//! stays unknown instead of being enumerated without end.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use lapidary_expr::{Op, Sort, Term, Var, VarSet};
use lapidary_model::{Cfa, Stmt};
use lapidary_solver::Backend;

use super::explicit::{Explicit, MaxEnum, Successors};
use super::pair::{Pair, PairIndex, Sides};
use super::predicate::Predicates;
use crate::{Domain, Reason, Result};

/// Equalities with fewer constants than this are cheap predicates.
const MANY_CONSTANTS: usize = 3;

/// Which variables of the combined domain are explicit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ExplicitVars {
    /// Those that are compared with many constants.
    #[default]
    Auto,
    /// Those with these names.
    Named(&'static [&'static str]),
}

impl ExplicitVars {
    /// The variables of `cfa` that are meant.
    pub fn select(self, cfa: &Cfa) -> VarSet {
        match self {
            ExplicitVars::Auto => compared_with_many(cfa),
            ExplicitVars::Named(names) => {
                cfa.vars().iter().copied().filter(|var| names.contains(&var.name())).collect()
            }
        }
    }
}

impl fmt::Display for ExplicitVars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExplicitVars::Auto => f.write_str("auto"),
            ExplicitVars::Named(names) => f.write_str(&names.join(",")),
        }
    }
}

/// Names separated by commas. They live as long as the process, as those of variables do.
impl FromStr for ExplicitVars {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        if text == "auto" {
            return Ok(ExplicitVars::Auto);
        }
        let names: Vec<&'static str> =
            text.split(',').map(|name| &*Box::leak(Box::<str>::from(name))).collect();
        match names.iter().any(|name| name.is_empty()) {
            true => Err(text.to_string()),
            false => Ok(ExplicitVars::Named(Box::leak(names.into()))),
        }
    }
}

/// The variables that statements compare for equality with many constants.
fn compared_with_many(cfa: &Cfa) -> VarSet {
    let mut constants: BTreeMap<Var, BTreeSet<Term>> = BTreeMap::new();
    for (_, edge) in cfa.edges() {
        edge.stmt.for_each_term(&mut |term| {
            let is_formula = term.sort() == Sort::Bool;
            for atom in is_formula.then(|| term.atoms()).into_iter().flatten() {
                if let (Op::Eq, [left, right]) = (atom.op(), atom.args())
                    && let (Some(var), true) = (left.as_var(), right.as_lit().is_some())
                {
                    constants.entry(var.base()).or_default().insert(*right);
                }
            }
        });
    }
    let many = constants.into_iter().filter(|(_, constants)| constants.len() >= MANY_CONSTANTS);
    many.map(|(var, _)| var).collect()
}

/// The combined domain over a predicate domain.
pub struct Combined<P> {
    sides: Sides<P>,
    explicit: Arc<VarSet>,
}

impl<P: Domain<Prec = Predicates>> Combined<P> {
    /// Predicates plus the values of the `explicit` variables.
    pub fn new(backend: &dyn Backend, max_enum: MaxEnum, explicit: VarSet, predicates: P) -> Self {
        let values = Explicit::new(backend, max_enum);
        Combined { sides: Sides { values, predicates }, explicit: Arc::new(explicit) }
    }
}

impl<P: Domain<Prec = Predicates>> Domain for Combined<P> {
    type State = Pair<P::State>;
    type Prec = Predicates;
    type Index = PairIndex;

    fn top(&self) -> Self::State {
        self.sides.top()
    }

    fn leq(&mut self, s: &Self::State, t: &Self::State) -> Result<bool> {
        self.sides.leq(s, t)
    }

    fn post(
        &mut self,
        s: &Self::State,
        given: Term,
        stmt: &Stmt,
        prec: &Predicates,
    ) -> Result<Vec<Self::State>> {
        let known = Term::and([given, self.sides.predicates.expr(&s.predicates)]);
        let explicit = Arc::clone(&self.explicit);
        let successors = match self.sides.values.successors(&s.values, known, stmt, &explicit)? {
            Successors::All { states, certain } => (states, certain),
            Successors::TooMany(_, state) => (vec![state], false),
        };
        self.sides.pairs(s, (given, stmt), successors, &explicit, prec)
    }

    fn expr(&self, s: &Self::State) -> Term {
        self.sides.expr(s)
    }

    fn learn(&mut self, at: &Self::State, reason: &Reason, prec: &Predicates) -> Predicates {
        self.sides.predicates.learn(&at.predicates, reason, prec)
    }
}
