//! Horn clauses: what relations must contain at least, and whether one of them can be empty.

use lapidary_expr::{Term, Var};
use rustc_hash::FxHashMap;

use crate::{Result, Solver};

/// That some values are in a relation.
#[derive(Clone, Debug)]
pub struct Atom {
    /// The number of the relation.
    pub relation: usize,
    /// A variable for each of its parameters.
    pub args: Vec<Var>,
}

/// Whatever is in some relations, or anything at all, and satisfies a formula, is in another.
#[derive(Clone, Debug)]
pub struct Clause {
    /// The relations: none or one in linear clauses, and more where there are calls.
    pub from: Vec<Atom>,
    /// The formula.
    pub by: Term,
    /// The other.
    pub to: Atom,
}

/// Relations and what they must contain.
#[derive(Clone, Debug)]
pub struct System {
    /// The parameters of each relation.
    pub relations: Vec<Vec<Var>>,
    /// What they must contain.
    pub clauses: Vec<Clause>,
    /// The one that should be empty.
    pub goal: Atom,
}

/// Solves Horn clauses.
pub trait Horn {
    /// A formula over its parameters for each relation, so that all clauses hold and the goal is false; none if the goal
    /// contains something.
    fn solve(&mut self, system: &System) -> Result<Option<Vec<Term>>>;
}

impl System {
    /// Whether the formulas are a solution, by a query for each clause.
    pub fn is_solved_by(&self, formulas: &[Term], solver: &mut dyn Solver) -> Result<bool> {
        let wrong = |clause: &Clause| {
            let from = clause.from.iter().map(|atom| self.applied(formulas, atom));
            Term::and(from.chain([clause.by, self.applied(formulas, &clause.to).not()]))
        };
        let wrongs = self.clauses.iter().map(wrong).chain([self.applied(formulas, &self.goal)]);
        for wrong in wrongs {
            solver.push();
            solver.assert(wrong);
            let is_sat = solver.is_sat();
            solver.pop();
            if is_sat? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn applied(&self, formulas: &[Term], atom: &Atom) -> Term {
        let parameters = self.relations[atom.relation].iter().copied();
        let args: FxHashMap<Var, Var> = parameters.zip(atom.args.iter().copied()).collect();
        formulas[atom.relation].map_vars(&|var| args.get(&var).map(|arg| Term::var(*arg)))
    }
}
