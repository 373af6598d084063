//! Best-effort quantifier elimination (fifth paper, §4.2), each method switchable and counted.
//!
//! In the paper's order: *destructive equality resolution*, *unconnected parameter drop*, then the solver. Its
//! light strategy is here what syntax can do beyond equalities (bounds of a variable combined, truth values
//! by cases), its full one is projection along models, of which there are at most so many.
//!
//! Difference: the paper drops a satisfiable conjunct over quantified variables only. That is right if these
//! variables occur nowhere else, so here whole groups of conjuncts that share them are looked at. A group that is
//! not satisfiable makes the formula false.

use lapidary_expr::{Term, VarSet};

use super::{LARGEST, Partial, by_equalities, by_syntax};
use crate::{Backend, Eliminate, Result, Stop, UnsatCore};

/// Which methods to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each method is switched on its own")]
pub struct Methods {
    /// Destructive equality resolution.
    pub der: bool,
    /// Unconnected parameter drop.
    pub upd: bool,
    /// What syntax can do beyond these.
    pub light: bool,
    /// The solver's projections.
    pub full: bool,
}

impl Methods {
    /// All of them.
    pub const ALL: Methods = Methods { der: true, upd: true, light: true, full: true };

    /// None of them.
    pub const NONE: Methods = Methods { der: false, upd: false, light: false, full: false };

    /// The names of the methods, in order.
    pub const NAMES: [&str; 4] = ["der", "upd", "light", "full"];

    /// Switches a method on by its name; whether there is one.
    pub fn add(&mut self, name: &str) -> bool {
        let method = match name {
            "der" => &mut self.der,
            "upd" => &mut self.upd,
            "light" => &mut self.light,
            "full" => &mut self.full,
            _ => return false,
        };
        *method = true;
        true
    }
}

/// How many variables each method eliminated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Eliminated {
    /// Destructive equality resolution.
    pub der: usize,
    /// Unconnected parameter drop.
    pub upd: usize,
    /// Syntax beyond these.
    pub light: usize,
    /// The solver.
    pub full: usize,
}

/// Eliminates by some methods.
pub struct Elimination {
    methods: Methods,
    solver: Box<dyn UnsatCore>,
    eliminator: Option<Box<dyn Eliminate>>,
    counts: Eliminated,
}

impl Elimination {
    /// Elimination by these methods over a back end.
    pub fn new(backend: &dyn Backend, methods: Methods) -> Self {
        let (solver, eliminator) = (backend.solver(), backend.eliminator());
        Elimination { methods, solver, eliminator, counts: Eliminated::default() }
    }

    /// The numbers since they were last taken.
    pub fn take_counts(&mut self) -> Eliminated {
        std::mem::take(&mut self.counts)
    }

    /// A quantifier-free equivalent of `∃ vars. formula`; none if the methods do not suffice.
    pub fn exactly(&mut self, vars: &VarSet, formula: Term) -> Result<Option<Term>> {
        let Partial { formula, left } = self.by_conjuncts(vars, formula)?;
        Ok(left.is_empty().then_some(formula))
    }

    /// Eliminates what can be eliminated, in each disjunct of its own.
    pub fn eliminate(&mut self, vars: &VarSet, formula: Term) -> Result<Partial> {
        let mut parts = Vec::new();
        let mut left = VarSet::new();
        for disjunct in formula.disjuncts() {
            let part = self.by_conjuncts(vars, disjunct)?;
            parts.push(part.formula);
            left.extend(part.left);
        }
        Ok(Partial { formula: Term::or(parts), left })
    }

    fn by_conjuncts(&mut self, vars: &VarSet, formula: Term) -> Result<Partial> {
        let left = vars.iter().copied().filter(|var| formula.mentions(*var)).collect();
        let mut state = Partial { formula, left };
        if self.methods.der && !state.left.is_empty() {
            let next = by_equalities(&state.left, state.formula);
            self.counts.der += state.left.len() - next.left.len();
            state = next;
        }
        if self.methods.upd && !state.left.is_empty() {
            let next = self.drop_unconnected(&state)?;
            self.counts.upd += state.left.len() - next.left.len();
            state = next;
        }
        if self.methods.light && !state.left.is_empty() {
            let next = by_syntax(&state.left, state.formula);
            self.counts.light += state.left.len() - next.left.len();
            state = next;
        }
        if self.methods.full && !state.left.is_empty() && state.formula.size() <= LARGEST {
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
