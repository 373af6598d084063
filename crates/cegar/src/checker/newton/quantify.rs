//! Quantifiers of Newton's assertions: eliminated as the options say, and what cannot be eliminated kept under another
//! name until the end, where it is eliminated again or dropped with its conjuncts (fifth paper, §4.2).

use lapidary_expr::{Term, Var, VarSet};
use lapidary_solver::eliminate::{Eliminated, Elimination, Methods, Partial};
use lapidary_solver::{Backend, Result};

use super::NewtonOptions;
use crate::axis::axis;

axis! {
    /// How much effort elimination may take beyond equalities and unconnected parameters.
    pub enum Qe {
        /// None.
        None = "none",
        /// What syntax can do.
        Light = "light",
        /// The solver's projections, too.
        #[default]
        Full = "full",
    }
}

/// How many variables each method eliminated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Eliminations {
    /// Destructive equality resolution.
    pub der: usize,
    /// Unconnected parameter drop.
    pub upd: usize,
    /// Syntax beyond these.
    pub light: usize,
    /// The solver.
    pub full: usize,
    /// Dropped with their conjuncts.
    pub approximated: usize,
    /// Left over.
    pub failed: usize,
}

impl Eliminations {
    /// The numbers with their names.
    pub fn named(&self) -> [(&'static str, usize); 6] {
        [
            ("der", self.der),
            ("upd", self.upd),
            ("light", self.light),
            ("full", self.full),
            ("approximated", self.approximated),
            ("failed", self.failed),
        ]
    }

    /// Adds other numbers to these.
    pub fn add(&mut self, other: &Eliminations) {
        self.der += other.der;
        self.upd += other.upd;
        self.light += other.light;
        self.full += other.full;
        self.approximated += other.approximated;
        self.failed += other.failed;
    }
}

/// Eliminates as the options say.
pub(super) struct Quantify {
    elimination: Elimination,
    approx: bool,
    counts: Eliminations,
    /// Quantified variables that are left in formulas under other names.
    left_over: VarSet,
}

impl Quantify {
    pub(super) fn new(backend: &dyn Backend, options: &NewtonOptions) -> Self {
        let methods = Methods {
            der: options.der.is_on(),
            upd: options.upd.is_on(),
            light: options.qe != Qe::None,
            full: options.qe == Qe::Full,
        };
        Quantify {
            elimination: Elimination::new(backend, methods),
            approx: options.approx.is_on(),
            counts: Eliminations::default(),
            left_over: VarSet::new(),
        }
    }

    /// The numbers since they were last taken.
    pub(super) fn take_counts(&mut self) -> Eliminations {
        self.left_over.clear();
        let Eliminated { der, upd, light, full } = self.elimination.take_counts();
        Eliminations { der, upd, light, full, ..std::mem::take(&mut self.counts) }
    }

    /// `∃ vars. formula`; what cannot be eliminated is there under another name.
    pub(super) fn exists(&mut self, vars: &VarSet, formula: Term) -> Result<Term> {
        let Partial { formula, left } = self.elimination.eliminate(vars, formula)?;
        let renamed: Vec<(Var, Var)> = left.iter().map(|var| (*var, self.fresh(*var))).collect();
        Ok(formula.map_vars(&|var| {
            renamed.iter().find(|(old, _)| *old == var).map(|(_, new)| Term::var(*new))
        }))
    }

    fn fresh(&mut self, var: Var) -> Var {
        // No program has such a name. The version is that of a variable itself, so that indices leave it alone.
        let new = Var::new(&format!("∃{} {}", self.left_over.len(), var.name()), var.sort());
        self.left_over.insert(new);
        new
    }

    /// The formula about these variables only, and what is left over.
    pub(super) fn restrict(&mut self, formula: Term, live: &VarSet) -> Result<Term> {
        let is_dead = |var: &Var| !live.contains(var) && !self.left_over.contains(var);
        let dead: VarSet = formula.vars().iter().copied().filter(is_dead).collect();
        self.exists(&dead, formula)
    }

    /// The formula without what was left over; none if that cannot be had.
    pub(super) fn settle(&mut self, formula: Term) -> Result<Option<Term>> {
        let left = self.left_over.clone();
        let Partial { formula, left } = self.elimination.eliminate(&left, formula)?;
        if left.is_empty() {
            return Ok(Some(formula));
        }
        if !self.approx {
            self.counts.failed += left.len();
            return Ok(None);
        }
        self.counts.approximated += left.len();
        let is_clean = |term: &Term| !term.vars().iter().any(|var| left.contains(var));
        let clean = |term: Term| Term::and(term.conjuncts().into_iter().filter(is_clean));
        Ok(Some(Term::or(formula.disjuncts().into_iter().map(clean))))
    }
}
