//! Best-effort quantifier elimination (fifth paper, §4.2), each method switchable and counted.
//!
//! In the paper's order: *destructive equality resolution*, *unconnected parameter drop*, then the solver. Its
//! light strategy is here what syntax can do beyond equalities (bounds of a variable combined, truth values
//! by cases), its full one is projection along models, of which there are at most so many. What is left is
//! dropped with its conjuncts, if that is wanted.
//!
//! Difference: the paper drops a satisfiable conjunct over quantified variables only. That is right if these
//! variables occur nowhere else, so here whole groups of conjuncts that share them are looked at. A group that is
//! not satisfiable makes the formula false.

use lapidary_expr::{Term, Var, VarSet};
use lapidary_solver::eliminate::{Partial, by_equalities, by_syntax};
use lapidary_solver::{Backend, Eliminate, Result, Stop, UnsatCore};

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
    options: NewtonOptions,
    solver: Box<dyn UnsatCore>,
    eliminator: Option<Box<dyn Eliminate>>,
    counts: Eliminations,
    /// Quantified variables that are left in formulas under other names.
    left_over: VarSet,
}

impl Quantify {
    pub(super) fn new(backend: &dyn Backend, options: &NewtonOptions) -> Self {
        Quantify {
            options: *options,
            solver: backend.solver(),
            eliminator: backend.eliminator(),
            counts: Eliminations::default(),
            left_over: VarSet::new(),
        }
    }

    /// The numbers since they were last taken.
    pub(super) fn take_counts(&mut self) -> Eliminations {
        self.left_over.clear();
        std::mem::take(&mut self.counts)
    }

    /// `∃ vars. formula`; what cannot be eliminated is there under another name.
    pub(super) fn exists(&mut self, vars: &VarSet, formula: Term) -> Result<Term> {
        let Partial { formula, left } = self.eliminate(vars, formula)?;
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
        let Partial { formula, left } = self.eliminate(&left, formula)?;
        if left.is_empty() {
            return Ok(Some(formula));
        }
        if !self.options.approx.is_on() {
            self.counts.failed += left.len();
            return Ok(None);
        }
        self.counts.approximated += left.len();
        let is_clean = |term: &Term| !term.vars().iter().any(|var| left.contains(var));
        let clean = |term: Term| Term::and(term.conjuncts().into_iter().filter(is_clean));
        Ok(Some(Term::or(formula.disjuncts().into_iter().map(clean))))
    }

    fn eliminate(&mut self, vars: &VarSet, formula: Term) -> Result<Partial> {
        let disjuncts = formula.disjuncts();
        if disjuncts.len() > 1 {
            let mut parts = Vec::new();
            let mut left = VarSet::new();
            for disjunct in disjuncts {
                let part = self.eliminate(vars, disjunct)?;
                parts.push(part.formula);
                left.extend(part.left);
            }
            return Ok(Partial { formula: Term::or(parts), left });
        }
        let left = vars.iter().copied().filter(|var| formula.mentions(*var)).collect();
        let mut state = Partial { formula, left };
        if self.options.der.is_on() && !state.left.is_empty() {
            let next = by_equalities(&state.left, state.formula);
            self.counts.der += state.left.len() - next.left.len();
            state = next;
        }
        if self.options.upd.is_on() && !state.left.is_empty() {
            let next = self.drop_unconnected(&state)?;
            self.counts.upd += state.left.len() - next.left.len();
            state = next;
        }
        if self.options.qe != Qe::None && !state.left.is_empty() {
            let next = by_syntax(&state.left, state.formula);
            self.counts.light += state.left.len() - next.left.len();
            state = next;
        }
        if self.options.qe == Qe::Full && !state.left.is_empty() {
            state = self.by_solver(state)?;
        }
        Ok(state)
    }

    fn by_solver(&mut self, state: Partial) -> Result<Partial> {
        let Some(eliminator) = &mut self.eliminator else { return Ok(state) };
        match eliminator.eliminate(&state.left, state.formula) {
            Ok(Some(formula)) => {
                self.counts.full += state.left.len();
                Ok(Partial { formula, left: VarSet::new() })
            }
            Err(stop @ Stop::Limit(_)) => Err(stop),
            Ok(None) | Err(_) => Ok(state),
        }
    }

    /// Unconnected parameter drop.
    fn drop_unconnected(&mut self, state: &Partial) -> Result<Partial> {
        let mut kept = Vec::new();
        for group in groups(&state.formula.conjuncts(), &state.left) {
            let body = Term::and(group);
            let is_unconnected =
                !body.vars().is_empty() && body.vars().iter().all(|var| state.left.contains(var));
            if !is_unconnected {
                kept.push(body);
            } else if !self.is_sat(body)? {
                return Ok(Partial { formula: false.into(), left: VarSet::new() });
            }
        }
        let formula = Term::and(kept);
        let left = state.left.iter().copied().filter(|var| formula.mentions(*var)).collect();
        Ok(Partial { formula, left })
    }

    fn is_sat(&mut self, formula: Term) -> Result<bool> {
        self.solver.push();
        self.solver.assert(formula);
        let answer = self.solver.is_sat();
        self.solver.pop();
        answer
    }
}

/// The conjuncts in groups that share no quantified variable with each other.
fn groups(conjuncts: &[Term], quantified: &VarSet) -> Vec<Vec<Term>> {
    let mut groups: Vec<(VarSet, Vec<Term>)> = Vec::new();
    for conjunct in conjuncts {
        let vars = conjunct.vars().iter().copied().filter(|var| quantified.contains(var)).collect();
        let mut merged: (VarSet, Vec<Term>) = (vars, vec![*conjunct]);
        let (touching, others): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|(vars, _)| !vars.is_disjoint(&merged.0));
        for (vars, terms) in touching.into_iter().rev() {
            merged.0.extend(vars);
            merged.1.splice(0..0, terms);
        }
        groups = others;
        groups.push(merged);
    }
    groups.into_iter().map(|(_, terms)| terms).collect()
}
