//! Engines in turn, on a minimal core, with every sequence validated.

use lapidary_expr::{Term, VarSet};

use super::score::Score;
use super::{Sequence, is_sequence};
use crate::limits::cpu_time;
use crate::{Interpolants, Interpolator, Result, Stop, UnsatCore};

/// Cores beyond this size are used as the solver gives them.
const MINIMIZED: usize = 48;

/// A family of atoms may have so many members too many before an engine that takes long is asked.
const DEAR: usize = 2;

/// Asks one engine after the other.
pub struct Cascade {
    solver: Box<dyn UnsatCore>,
    engines: Vec<Box<dyn Sequence>>,
    attempts: Vec<Attempt>,
}

/// What came of asking one engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The name of the engine.
    pub engine: &'static str,
    /// The CPU time it took, validation included.
    pub time: std::time::Duration,
    /// What became of it.
    pub result: AttemptResult,
}

/// What became of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttemptResult {
    /// Its sequence is the answer.
    Chosen,
    /// Its sequence is valid, but another was preferred.
    Passed,
    /// There is no sequence, for this reason.
    Failed(String),
}

impl Cascade {
    pub(super) fn new(solver: Box<dyn UnsatCore>, engines: Vec<Box<dyn Sequence>>) -> Self {
        Cascade { solver, engines, attempts: Vec::new() }
    }

    /// Which engines were asked in the last interpolation, in order; none if no engine was needed.
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// The parts reduced to conjuncts that contradict each other, or none if they do not.
    fn core(&mut self, parts: &[Term]) -> Result<Option<Vec<Term>>> {
        let labeled: Vec<(usize, Term)> = parts
            .iter()
            .enumerate()
            .flat_map(|(i, part)| part.conjuncts().into_iter().map(move |c| (i, c)))
            .collect();
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

    /// Drops members of the core one by one as long as a contradiction remains. A question that the solver
    /// cannot answer leaves its member in.
    fn minimized(&mut self, assumptions: &[Term], mut core: Vec<usize>) -> Result<Vec<usize>> {
        if core.len() > MINIMIZED {
            return Ok(core);
        }
        let mut next = 0;
        while next < core.len() {
            let mut candidate = core.clone();
            candidate.remove(next);
            let formulas: Vec<Term> =
                candidate.iter().map(|position| assumptions[*position]).collect();
            match self.solver.core(&formulas) {
                Ok(Some(smaller)) => {
                    // Members before `next` are needed, so they are still there.
                    core = smaller.into_iter().map(|i| candidate[i]).collect();
                }
                Err(stop @ Stop::Limit(_)) => return Err(stop),
                Ok(None) | Err(_) => next += 1,
            }
        }
        Ok(core)
    }

    /// What the engine proposes for `parts`, validated; otherwise why there is nothing.
    fn ask(
        &mut self,
        engine: usize,
        parts: &[Term],
    ) -> Result<std::result::Result<Vec<Term>, String>> {
        let answer = match self.engines[engine].sequence(parts) {
            Ok(Some(itps)) => {
                is_sequence(&mut *self.solver, parts, &itps).map(|valid| match valid {
                    true => Ok(itps),
                    false => Err("proposes an invalid sequence".to_string()),
                })
            }
            Ok(None) => Ok(Err("finds none".to_string())),
            Err(stop) => Err(stop),
        };
        match answer {
            Err(stop @ Stop::Limit(_)) => Err(stop),
            Err(stop) => Ok(Err(format!("fails ({stop})"))),
            Ok(answer) => Ok(answer),
        }
    }

    fn model(&mut self, parts: &[Term]) -> Result<Interpolants> {
        let vars: VarSet = parts.iter().flat_map(|part| part.vars()).copied().collect();
        self.solver.push();
        parts.iter().for_each(|part| self.solver.assert(*part));
        let model = self.solver.model(&vars);
        self.solver.pop();
        model?
            .map(Interpolants::Sat)
            .ok_or_else(|| Stop::Solver("satisfiable, yet without a model".into()))
    }

    /// Interpolants between the parts of a contradiction without superfluous conjuncts.
    fn sequence(&mut self, parts: &[Term]) -> Result<Vec<Term>> {
        let needed = |part: &Term| !part.is_true();
        let (Some(first), Some(last)) =
            (parts.iter().position(needed), parts.iter().rposition(needed))
        else {
            return Err(Stop::Solver("nothing contradicts itself".into()));
        };
        // Before the contradiction begins there is nothing to say, and after it has ended nothing to add.
        let mut itps = vec![true.into(); first];
        if first < last {
            itps.extend(self.by_engines(&parts[first..=last])?);
        }
        itps.resize(parts.len() - 1, false.into());
        Ok(itps)
    }

    /// The first sequence that looks inductive; if there is none, the best.
    fn by_engines(&mut self, parts: &[Term]) -> Result<Vec<Term>> {
        let mut best: Option<(Score, usize, Vec<Term>)> = None;
        for engine in self.order(parts) {
            let diverging = best.as_ref().map(|(score, _, _)| score.diverging);
            let patience = if self.engines[engine].is_dear() { DEAR } else { 0 };
            if diverging.is_some_and(|diverging| diverging <= patience) {
                continue;
            }
            let start = cpu_time();
            let answer = self.ask(engine, parts)?;
            let time = cpu_time().saturating_sub(start);
            let result = match answer {
                Ok(itps) => {
                    let score = Score::of(&itps);
                    if best.as_ref().is_none_or(|(old, _, _)| score < *old) {
                        best = Some((score, self.attempts.len(), itps));
                    }
                    AttemptResult::Passed
                }
                Err(problem) => AttemptResult::Failed(problem),
            };
            self.attempts.push(Attempt { engine: self.engines[engine].name(), time, result });
        }
        match best {
            Some((_, attempt, itps)) => {
                self.attempts[attempt].result = AttemptResult::Chosen;
                Ok(itps)
            }
            None => Err(Stop::Interpolation(self.problems())),
        }
    }

    /// The engines that are good at such parts, then the others.
    fn order(&self, parts: &[Term]) -> Vec<usize> {
        let (suited, others): (Vec<usize>, Vec<usize>) =
            (0..self.engines.len()).partition(|engine| self.engines[*engine].suits(parts));
        suited.into_iter().chain(others).collect()
    }

    fn problems(&self) -> String {
        let problem = |attempt: &Attempt| match &attempt.result {
            AttemptResult::Failed(problem) => format!("{} {problem}", attempt.engine),
            _ => attempt.engine.to_string(),
        };
        self.attempts.iter().map(problem).collect::<Vec<_>>().join("; ")
    }
}

impl Interpolator for Cascade {
    fn interpolate(&mut self, parts: &[Term]) -> Result<Interpolants> {
        self.attempts.clear();
        match self.core(parts)? {
            Some(reduced) => self.sequence(&reduced).map(Interpolants::Unsat),
            None => self.model(parts),
        }
    }
}
