//! Boolean predicate abstraction with one state per cube.

use lapidary_cegar::domain::predicate::{AllNodes, Literals, Predicates};
use lapidary_cegar::{Domain, Reason, Result};
use lapidary_expr::{Term, VarSet, Versions};
use lapidary_model::{Stmt, encode};
use lapidary_solver::z3::Z3;
use lapidary_solver::{Backend, UnsatCore};

pub(crate) struct Split {
    solver: Box<dyn UnsatCore>,
}

impl Split {
    pub(crate) fn new(z3: &Z3) -> Self {
        Split { solver: z3.solver() }
    }

    fn cubes(&mut self, predicates: &[Term], versions: &Versions) -> Result<Vec<Literals>> {
        let after: Vec<Term> = predicates.iter().map(|p| versions.now(*p)).collect();
        let vars: VarSet = after.iter().flat_map(|p| p.vars()).copied().collect();
        let mut cubes = Vec::new();
        while let Some(model) = self.solver.model(&vars)? {
            let holds = |p: &Term| p.holds(&model) == Some(true);
            let literal = |(p, now): (&Term, &Term)| if holds(now) { *p } else { p.not() };
            let cube: Vec<Term> = predicates.iter().zip(&after).map(literal).collect();
            self.solver.assert(versions.now(Term::and(cube.iter().copied())).not());
            cubes.push(Literals::new(cube));
        }
        Ok(cubes)
    }
}

impl Domain for Split {
    type State = Literals;
    type Prec = Predicates;
    type Index = AllNodes;

    fn top(&self) -> Literals {
        Literals::new([])
    }

    fn leq(&mut self, s: &Literals, t: &Literals) -> Result<bool> {
        let (s, t) = (self.expr(s), self.expr(t));
        self.solver.entails(s, t)
    }

    fn post(
        &mut self,
        s: &Literals,
        given: Term,
        stmt: &Stmt,
        prec: &Predicates,
    ) -> Result<Vec<Literals>> {
        let mut versions = Versions::new();
        let step = encode(stmt, &mut versions);
        self.solver.push();
        self.solver.assert(Term::and([self.expr(s), step, Versions::new().step(&versions, given)]));
        let cubes = self.cubes(&prec.iter().collect::<Vec<_>>(), &versions);
        self.solver.pop();
        cubes
    }

    fn expr(&self, s: &Literals) -> Term {
        s.formula()
    }

    fn learn(&mut self, _at: &Literals, reason: &Reason, _prec: &Predicates) -> Predicates {
        match reason {
            Reason::Holds(term) => Predicates::new(term.atoms()),
            Reason::Core { atoms, .. } => Predicates::new(atoms.iter().copied()),
            Reason::Tracks(_) => Predicates::default(),
        }
    }
}
