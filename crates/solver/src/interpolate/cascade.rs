//! Engines in turn, on a minimal core, with every sequence validated.

use lapidary_expr::{Term, VarSet};

use super::{Sequence, shared_variables};
use crate::{Interpolants, Interpolator, Result, Stop, UnsatCore};

/// Cores beyond this size are used as the solver gives them.
const MINIMIZED: usize = 48;

/// Asks one engine after the other.
pub struct Cascade {
    solver: Box<dyn UnsatCore>,
    engines: Vec<Box<dyn Sequence>>,
}

impl Cascade {
    pub(super) fn new(solver: Box<dyn UnsatCore>, engines: Vec<Box<dyn Sequence>>) -> Self {
        Cascade { solver, engines }
    }

    /// The parts reduced to conjuncts that contradict each other, or none if they do not.
    fn core(&mut self, parts: &[Term]) -> Result<Option<Vec<Term>>> {
        let labeled: Vec<(usize, Term)> =
            parts.iter().enumerate().flat_map(|(i, part)| part.conjuncts().into_iter().map(move |c| (i, c))).collect();
        let assumptions: Vec<Term> = labeled.iter().map(|(_, conjunct)| *conjunct).collect();
        let Some(core) = self.solver.core(&assumptions)? else { return Ok(None) };
        let core = self.minimized(&assumptions, core)?;
        let mut reduced: Vec<Vec<Term>> = vec![Vec::new(); parts.len()];
        for position in core {
            let (part, conjunct) = labeled[position];
            reduced[part].push(conjunct);
        }
        Ok(Some(reduced.into_iter().map(Term::and).collect()))
    }

    /// Drops members of the core one by one as long as a contradiction remains.
    fn minimized(&mut self, assumptions: &[Term], mut core: Vec<usize>) -> Result<Vec<usize>> {
        if core.len() > MINIMIZED {
            return Ok(core);
        }
        let mut next = 0;
        while next < core.len() {
            let others = |skip: usize| core.iter().enumerate().filter(move |(i, _)| *i != skip).map(|(_, p)| *p);
            let candidate: Vec<usize> = others(next).collect();
            let formulas: Vec<Term> = candidate.iter().map(|position| assumptions[*position]).collect();
            match self.solver.core(&formulas)? {
                Some(smaller) => core = smaller.into_iter().map(|i| candidate[i]).collect(),
                None => next += 1,
            }
        }
        Ok(core)
    }

    /// Whether `itps` is a sequence interpolant of `parts`.
    fn is_valid(&mut self, parts: &[Term], itps: &[Term]) -> Result<bool> {
        let shared = shared_variables(parts);
        let speaks = |(itp, known): (&Term, &VarSet)| itp.vars().iter().all(|var| known.contains(var));
        if itps.len() + 1 != parts.len() || !itps.iter().zip(&shared).all(speaks) {
            return Ok(false);
        }
        let mut before: Term = true.into();
        for (part, after) in parts.iter().zip(itps.iter().copied().chain([false.into()])) {
            let premise = Term::and([before, *part]);
            if !self.solver.entails(premise, after)? {
                return Ok(false);
            }
            before = after;
        }
        Ok(true)
    }
}

impl Interpolator for Cascade {
    fn interpolate(&mut self, parts: &[Term]) -> Result<Interpolants> {
        let Some(reduced) = self.core(parts)? else {
            let vars: VarSet = parts.iter().flat_map(|part| part.vars()).copied().collect();
            self.solver.push();
            parts.iter().for_each(|part| self.solver.assert(*part));
            let model = self.solver.model(&vars);
            self.solver.pop();
            let model = model?.ok_or_else(|| Stop::Solver("satisfiable, yet without a model".into()))?;
            return Ok(Interpolants::Sat(model));
        };
        if parts.len() < 2 {
            return Ok(Interpolants::Unsat(Vec::new()));
        }
        let mut problems = Vec::new();
        for i in 0..self.engines.len() {
            let problem = match self.engines[i].sequence(&reduced) {
                Ok(Some(itps)) if self.is_valid(&reduced, &itps)? => return Ok(Interpolants::Unsat(itps)),
                Ok(Some(_)) => "proposes an invalid sequence".to_string(),
                Ok(None) => "finds none".to_string(),
                Err(stop @ Stop::Limit(_)) => return Err(stop),
                Err(stop) => stop.to_string(),
            };
            problems.push(format!("{} {problem}", self.engines[i].name()));
        }
        Err(Stop::Interpolation(problems.join("; ")))
    }
}
