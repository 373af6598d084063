//! One stage at work, and what stages without a verdict leave to those after them.

use lapidary_cegar::{Config, Tracked};
use lapidary_model::Cfa;
use lapidary_solver::interpolate::Engine as Interpolation;
use lapidary_solver::limits::Watch;
use lapidary_solver::{Backend, Limit, Result, Stop};

use crate::divergence::Divergence;
use crate::reduced::{Preparations, Reduced};
use crate::stage::Stage;
use crate::verify::Judged;
use crate::{Budget, Observer, Unknown, Verdict};

/// Makes solvers within limits and budgets.
pub type Solvers<'a> = dyn Fn(&Watch) -> Result<Box<dyn Backend>> + 'a;

/// The verdict if there are no stages.
pub(crate) const NOTHING_TO_DO: Verdict = Verdict::Unknown(Unknown::Stop(Stop::Limit(Limit::Work)));

/// What a stage needs.
pub(crate) struct Attempt<'a> {
    pub(crate) cfa: &'a Cfa,
    /// With what the stage starts from.
    pub(crate) reduced: Reduced<'a>,
    pub(crate) preparations: &'a Preparations,
    pub(crate) solvers: &'a Solvers<'a>,
    pub(crate) judge: &'a dyn Backend,
}

impl Attempt<'_> {
    /// What the stage says, within its budget; an error if there is no solver for it.
    pub(crate) fn run(
        &self,
        stage: &Stage,
        watch: &Watch,
        observer: &mut dyn Observer,
    ) -> Result<Attempted> {
        let watch = stage.work.map_or_else(|| watch.clone(), |work| watch.with_work(work));
        let solver = match stage.engine.runs_the_input() {
            true => None,
            false => Some((self.solvers)(&watch)?),
        };
        let prepared = match stage.config() {
            Some(config) => self.preparations.prepared(self.reduced, &config),
            None => self.preparations.executed(self.cfa, self.reduced),
        };
        let noticed = (stage.notices_divergence && stage.work.is_some()).then_some(&watch);
        let mut divergence = Divergence::new(observer, noticed);
        let budget = Budget { watch: &watch, solver: solver.as_deref() };
        let judged = Judged { cfa: self.cfa, engine: stage.engine, budget, judge: self.judge };
        let verdict = judged.decide(&prepared, &stage.settings, &mut divergence);
        Ok(Attempted { verdict, has_diverged: divergence.is_noticed() })
    }
}

/// What a stage came to.
pub(crate) struct Attempted {
    pub(crate) verdict: Verdict,
    pub(crate) has_diverged: bool,
}

/// What stages without a verdict leave to those after them.
#[derive(Default)]
pub(crate) struct History(Vec<Ended>);

/// A stage without a verdict.
struct Ended {
    stage: Stage,
    /// With more work, it may come to another end.
    for_want_of_work: bool,
    has_diverged: bool,
    tracked: Vec<Tracked>,
}

impl History {
    /// The last stage that went the same way.
    fn before(&self, stage: &Stage) -> Option<&Ended> {
        self.0.iter().rev().find(|other| other.stage.searches_as(stage))
    }

    /// Whether a stage would end as another did.
    pub(crate) fn is_in_vain(&self, stage: &Stage) -> bool {
        self.before(stage).is_some_and(|before| !before.for_want_of_work)
    }

    /// The stage, with another interpolation engine if the one before diverged.
    pub(crate) fn changed(&self, stage: &Stage) -> Stage {
        match self.before(stage) {
            Some(before) if before.has_diverged => {
                let settings = Config { interpolation: Interpolation::Spacer, ..stage.settings };
                Stage { settings, ..*stage }
            }
            _ => *stage,
        }
    }

    /// What the stage before tracked, if there was one.
    pub(crate) fn tracked(&self, stage: &Stage) -> Option<&[Tracked]> {
        self.before(stage).map(|before| &*before.tracked)
    }

    /// A stage has ended.
    pub(crate) fn add(
        &mut self,
        stage: &Stage,
        verdict: &Verdict,
        has_diverged: bool,
        tracked: Vec<Tracked>,
    ) {
        let for_want_of_work = matches!(verdict, Verdict::Unknown(Unknown::Stop(Stop::Limit(_))));
        // What was learned on the way that led nowhere would lead there again.
        let tracked = if has_diverged { Vec::new() } else { tracked };
        self.0.push(Ended { stage: *stage, for_want_of_work, has_diverged, tracked });
    }
}

/// Whether no other stage can say more: a verdict, the end of the run, or a bug that must not be passed over.
pub(crate) fn is_final(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Safe(_) | Verdict::Unsafe(_) | Verdict::Unknown(Unknown::Internal(_)) => true,
        Verdict::Unknown(Unknown::Stop(Stop::Limit(limit))) => *limit != Limit::Work,
        Verdict::Unknown(_) => false,
    }
}
