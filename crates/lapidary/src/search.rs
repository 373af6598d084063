//! The search for a verdict about an automaton: which solvers and stages it has, and who is to blame if it goes wrong.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;
use std::sync::Arc;

use lapidary_cegar::Tracked;
use lapidary_engine::calls::{self, Effort};
use lapidary_engine::strategy::Shape;
use lapidary_engine::{Reduced, Stage, Unknown, Verdict, portfolio, strategy, verify_reduced};
use lapidary_model::sts::Reduction;
use lapidary_model::{Cfa, Program};
use lapidary_solver::limits::Watch;
use lapidary_solver::wrap::{Assisted, Counted, Counts, Propositional, Recorded};
use lapidary_solver::z3::Z3;
use lapidary_solver::{Backend, Stop, smtlib};

use crate::error::reason;
use crate::options::{Options, Strategy};
use crate::watcher::Watcher;

/// What the engine is asked.
#[derive(Clone)]
pub(crate) struct Question<'a> {
    pub(crate) options: &'a Options,
    pub(crate) cfa: &'a Cfa,
    pub(crate) reduction: Option<Arc<Reduction>>,
    pub(crate) start: &'a [Tracked],
    /// Whether there is more to be done if this search comes to no end.
    pub(crate) has_more: bool,
    /// Why the solver's sessions could not be recorded, if so.
    pub(crate) unrecorded: &'a Rc<OnceCell<String>>,
}

impl Question<'_> {
    /// A validated verdict about the automaton.
    pub(crate) fn decide(
        &self,
        watch: &Watch,
        counts: &Counts,
        watcher: &mut Watcher<'_>,
    ) -> Verdict {
        let verdict = match self.options.strategy {
            Strategy::Auto { jobs: jobs @ 2.., .. } => self.at_once(jobs, watch, counts, watcher),
            _ => self.in_turn(watch, counts, watcher),
        };
        blamed(self.options, verdict)
    }

    /// Several stages of the strategy at once.
    fn at_once(
        &self,
        jobs: usize,
        watch: &Watch,
        counts: &Counts,
        watcher: &mut Watcher<'_>,
    ) -> Verdict {
        let (of_stages, of_judges) = (counts.clone(), counts.clone());
        let question = portfolio::Question {
            cfa: self.cfa.clone(),
            reduction: self.reduction.clone(),
            start: self.start.to_vec(),
            solvers: Box::new(move |watch| {
                Ok(Box::new(Counted::new(solver(None, watch)?, &of_stages)))
            }),
            judges: Box::new(move |watch| Ok(Box::new(Counted::new(Z3::new(watch)?, &of_judges)))),
        };
        portfolio::decide(question, &self.stages(), jobs, watch, watcher)
    }

    fn stages(&self) -> Vec<Stage> {
        let without: Vec<&str> = match &self.options.strategy {
            Strategy::Auto { without, .. } => without.iter().map(String::as_str).collect(),
            Strategy::Alone(stage) => return vec![*stage],
            Strategy::Plain(_) => return Vec::new(),
        };
        let searched = self.reduction.as_ref().map_or(self.cfa, |reduction| reduction.cfa());
        let mut stages = strategy::stages_without(Shape::of(searched), &without);
        // The last stages have no end.
        stages.retain(|stage| stage.work.is_some() || !self.has_more);
        stages
    }

    /// One configuration, or the stages of the strategy one after the other.
    fn in_turn(&self, watch: &Watch, counts: &Counts, watcher: &mut Watcher<'_>) -> Verdict {
        // The judge has translations of its own, so that not even these are shared with the search.
        let judge = match Z3::new(watch) {
            Ok(judge) => Counted::new(judge, counts),
            Err(stop) => return Verdict::Unknown(stop.into()),
        };
        let cfa = self.cfa;
        let reduced = match self.reduction.as_deref() {
            Some(reduction) => {
                Reduced { smaller: reduction.cfa(), back: reduction, start: self.start }
            }
            None => Reduced::unchanged(cfa, self.start),
        };
        if let Strategy::Plain(config) = &self.options.strategy {
            return match backend(self.options, "", watch, self.unrecorded) {
                Ok(search) => {
                    let search = Counted::new(search, counts);
                    verify_reduced(cfa, &reduced, config, &search, &judge, watcher)
                }
                Err(stop) => Verdict::Unknown(stop.into()),
            };
        }
        // Each stage records in a folder of its own.
        let n_stages = Cell::new(0);
        let solvers = |watch: &Watch| -> Result<Box<dyn Backend>, Stop> {
            n_stages.set(n_stages.get() + 1);
            let part = format!("stage-{:02}", n_stages.get());
            let search = backend(self.options, &part, watch, self.unrecorded)?;
            Ok(Box::new(Counted::new(search, counts)))
        };
        strategy::decide(cfa, &reduced, &self.stages(), watch, &solvers, &judge, watcher)
    }
}

/// A validated proof about a program with its calls, or why there is none.
pub(crate) fn by_calls(
    program: &Program,
    effort: Effort,
    watch: &Watch,
    counts: &Counts,
) -> Verdict {
    let judge = match Z3::new(watch) {
        Ok(judge) => Counted::new(judge, counts),
        Err(stop) => return Verdict::Unknown(stop.into()),
    };
    let solvers = |watch: &Watch| -> Result<Box<dyn Backend>, Stop> {
        Ok(Box::new(Counted::new(solver(None, watch)?, counts)))
    };
    calls::decide(program, effort, watch, &solvers, &judge)
}

/// Evidence that is not valid is our bug, unless a solver searched that may have lied about what is
/// unsatisfiable.
fn blamed(options: &Options, verdict: Verdict) -> Verdict {
    match (&options.solver, verdict) {
        (Some(command), Verdict::Unknown(Unknown::Internal(why))) => {
            let problem = format!("the answers of `{command}` led to wrong evidence: {why}");
            Verdict::Unknown(Unknown::Stop(Stop::Solver(problem)))
        }
        (_, verdict) => verdict,
    }
}

/// The solver that was asked for, recorded if that was asked for, in a part of the folder.
fn backend(
    options: &Options,
    part: &str,
    watch: &Watch,
    unrecorded: &Rc<OnceCell<String>>,
) -> Result<Box<dyn Backend>, Stop> {
    let backend = solver(options.solver.as_deref(), watch)?;
    let Some(folder) = &options.record else { return Ok(backend) };
    match Recorded::new(backend, &folder.join(part)) {
        Ok(recorded) => Ok(Box::new(recorded.reporting(unrecorded))),
        Err(error) => {
            let problem = format!("`{}`: {}", folder.display(), reason(&error));
            let _ = unrecorded.set(problem.clone());
            Err(Stop::Solver(format!("cannot be recorded: {problem}")))
        }
    }
}

/// Z3 in process with a SAT solver at its side, or another solver with its help.
pub fn solver(command: Option<&str>, watch: &Watch) -> Result<Box<dyn Backend>, Stop> {
    let z3 = Z3::new(watch)?;
    Ok(match command {
        None => Box::new(Propositional::new(z3, watch)),
        Some(command) => Box::new(Assisted::new(smtlib::checked(command, watch)?, z3)),
    })
}
