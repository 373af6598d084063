//! Engines in turn, on a core of the parts, with every sequence validated.
//!
//! Cheap engines come first, and those that are good at the theory. A sequence that looks inductive (see
//! `score`) is taken at once; one that seems to diverge is kept while others are asked, the dear ones only if
//! it diverges badly, and the best of all is the answer. The core is minimised for the engines that use all of
//! what they are given, and not before one of them is asked.

use lapidary_expr::{Term, VarSet};

use super::core::Core;
use super::score::Score;
use super::steps::Steps;
use super::{Sequence, is_propositional, is_sequence, values};
use crate::limits::cpu_time;
use crate::{Interpolants, Interpolator, Result, Stop, UnsatCore};

/// A family of atoms may have so many members too many before an engine that takes long is asked.
const DEAR: usize = 2;

/// With so many parts that leave a choice, an engine is asked before the solver.
const CHOICES: usize = 12;

/// Asks one engine after the other.
pub struct Cascade {
    solver: Box<dyn UnsatCore>,
    engines: Vec<Box<dyn Sequence>>,
    steps: Steps,
    attempts: Vec<Attempt>,
    /// Whether the values of a path are said first where they contradict each other.
    prefers_values: bool,
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

/// A valid sequence, or why there is none.
type Answer = std::result::Result<Vec<Term>, String>;

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
        let (steps, attempts) = (Steps::default(), Vec::new());
        Cascade { solver, engines, steps, attempts, prefers_values: false }
    }

    /// Says what the values of a path say where it is hard to reason about it. That is right if values are what is to
    /// be learned; as predicates, they would unroll loops.
    #[must_use]
    pub fn preferring_values(self) -> Self {
        Cascade { prefers_values: true, ..self }
    }

    /// Which engines were asked in the last interpolation, in order; none if no engine was needed.
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// What the engine proposes, validated; otherwise why there is nothing.
    fn ask(&mut self, engine: usize, core: &mut Core) -> Result<Answer> {
        if !self.engines[engine].selects() {
            core.minimize(&mut *self.solver)?;
        }
        let parts = core.parts();
        let needed = |part: &Term| !part.is_true();
        let (Some(first), Some(last)) =
            (parts.iter().position(needed), parts.iter().rposition(needed))
        else {
            return Err(Stop::Solver("nothing contradicts itself".into()));
        };
        // Before the contradiction begins there is nothing to say, and after it has ended nothing to add.
        let answer =
            if first < last { self.proposal(engine, &parts[first..=last]) } else { Ok(Ok(vec![])) };
        match answer {
            Err(stop @ Stop::Limit(_)) => Err(stop),
            Err(stop) => Ok(Err(format!("fails ({stop})"))),
            Ok(answer) => Ok(answer.map(|inner| {
                let mut itps = vec![true.into(); first];
                itps.extend(inner);
                itps.resize(parts.len() - 1, false.into());
                itps
            })),
        }
    }

    fn proposal(&mut self, engine: usize, parts: &[Term]) -> Result<Answer> {
        let Some(itps) = self.engines[engine].sequence(parts)? else {
            return Ok(Err("finds none".to_string()));
        };
        Ok(match self.is_valid(parts, &itps)? {
            true => Ok(itps),
            false => Err("proposes an invalid sequence".to_string()),
        })
    }

    fn is_valid(&mut self, parts: &[Term], itps: &[Term]) -> Result<bool> {
        let entails = |before, after| self.steps.entails(&mut *self.solver, before, after);
        is_sequence(parts, itps, entails)
    }

    /// What values say, where nothing else has to be known.
    fn by_values(&mut self, parts: &[Term]) -> Result<Option<Vec<Term>>> {
        let start = cpu_time();
        let proposed = if self.prefers_values { values::sequence(parts) } else { None };
        let Some(itps) = proposed else { return Ok(None) };
        let is_valid = self.is_valid(parts, &itps)?;
        let result = match is_valid {
            true => AttemptResult::Chosen,
            false => AttemptResult::Failed("proposes an invalid sequence".to_string()),
        };
        let time = cpu_time().saturating_sub(start);
        self.attempts.push(Attempt { engine: "values", time, result });
        Ok(is_valid.then_some(itps))
    }

    /// A solver tries the choices of a path one by one, of which there may be exponentially many. An engine
    /// that finds by itself what matters is asked before it; but of nothing but choices the solver knows more.
    fn before_solving(&mut self, parts: &[Term]) -> Result<Option<Vec<Term>>> {
        let mut whole = Core::whole(parts);
        if is_propositional(parts) || whole.choices() < CHOICES {
            return Ok(None);
        }
        // A back end without an interpolator of its own may leave no engine at all.
        let first = self.order(parts).first().copied();
        let Some(engine) = first.filter(|engine| self.engines[*engine].selects()) else {
            return Ok(None);
        };
        let start = cpu_time();
        let answer = self.ask(engine, &mut whole)?;
        let time = cpu_time().saturating_sub(start);
        let itps = answer.ok().filter(|itps| Score::of(itps).diverging == 0);
        if itps.is_some() {
            let (engine, result) = (self.engines[engine].name(), AttemptResult::Chosen);
            self.attempts.push(Attempt { engine, time, result });
        }
        Ok(itps)
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

    /// The first sequence that looks inductive; if there is none, the best.
    fn by_engines(&mut self, core: &mut Core) -> Result<Vec<Term>> {
        let mut best: Option<(Score, usize, Vec<Term>)> = None;
        for engine in self.order(&core.parts()) {
            let diverging = best.as_ref().map(|(score, _, _)| score.diverging);
            let patience = if self.engines[engine].is_dear() { DEAR } else { 0 };
            if diverging.is_some_and(|diverging| diverging <= patience) {
                continue;
            }
            let start = cpu_time();
            let answer = self.ask(engine, core)?;
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
        if let Some(itps) = self.by_values(parts)? {
            return Ok(Interpolants::Unsat(itps));
        }
        if let Some(itps) = self.before_solving(parts)? {
            return Ok(Interpolants::Unsat(itps));
        }
        let solver = &mut *self.solver;
        let core = match is_propositional(parts) {
            // Where questions are cheap, the first contradiction is told by all that is known about it.
            true => Core::prefix(solver, parts)?,
            false => Core::of(solver, parts)?,
        };
        match core {
            Some(mut core) => self.by_engines(&mut core).map(Interpolants::Unsat),
            None => self.model(parts),
        }
    }
}
