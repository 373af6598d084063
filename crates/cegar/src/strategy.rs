//! The default: stages in turn, each with a budget of work, until one decides.
//!
//! No configuration is the best for every input, and which one is good shows after little work. So each stage gets
//! a budget in units that do not depend on the clock: the same run happens again. A stage that ends without a verdict
//! hands on what it tracked to the next one with the same domain; the last stages have no budget. `docs/algorithms.md`
//! has the measurements behind the stages. [`portfolio`](crate::portfolio) runs several at once.

use lapidary_expr::bits::n_bits;
use lapidary_model::Cfa;
use lapidary_solver::interpolate::Engine;
use lapidary_solver::limits::Watch;
use lapidary_solver::{Backend, Limit, Result, Stop};

use crate::divergence::Divergence;
use crate::observer::Story;
use crate::verify::{Method, Preparations, Reduced, by_method, by_running};
use crate::{Config, Event, Observer, Tracked, Unknown, Verdict};

/// What a stage does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Concrete runs.
    Runs,
    /// A search with a configuration.
    Search(Method, Config),
}

/// A part of the strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// What it does.
    pub way: Way,
    /// The work it may do; the last stages have no limit.
    pub work: Option<u64>,
    /// Whether it ends before that if it diverges.
    pub notices_divergence: bool,
}

impl Stage {
    /// The configuration, unless it has none.
    pub fn config(&self) -> Option<Config> {
        match self.way {
            Way::Runs => None,
            Way::Search(_, config) => Some(config),
        }
    }

    /// A stage alone, without a budget, by one of the names in [`SINGLE`].
    pub fn single(name: &str, config: Config) -> Option<Stage> {
        let way = match name {
            "runs" => Way::Runs,
            "horn" => Way::Search(Method::Horn, config),
            "bounded" => Way::Search(Method::Bounded, config),
            "induction" => Way::Search(Method::Induction, config),
            "ic3" => Way::Search(Method::Ic3, config),
            _ => return None,
        };
        Some(Stage { way, work: None, notices_divergence: false })
    }

    /// The name of the strategy that is this stage alone: one of [`SINGLE`], or `plain`.
    pub fn strategy(&self) -> &'static str {
        match self.way {
            Way::Runs => "runs",
            Way::Search(Method::Cegar, _) => "plain",
            Way::Search(Method::Bounded, _) => "bounded",
            Way::Search(Method::Induction, _) => "induction",
            Way::Search(Method::Horn, _) => "horn",
            Way::Search(Method::Ic3, _) => "ic3",
        }
    }

    /// The configuration line that runs this stage alone.
    pub fn line(&self) -> String {
        match (self.strategy(), self.config()) {
            ("plain", Some(config)) => config.to_string(),
            (strategy, Some(config)) => format!("strategy={strategy} {config}"),
            (strategy, None) => format!("strategy={strategy}"),
        }
    }
}

/// The strategies that are one stage, besides the search by abstraction and refinement.
pub const SINGLE: [&str; 5] = ["runs", "horn", "bounded", "induction", "ic3"];

impl std::fmt::Display for Stage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.way {
            Way::Runs => f.write_str("concrete runs"),
            Way::Search(Method::Cegar, config) => {
                write!(f, "{}, {}", config.domain, config.encoding)
            }
            Way::Search(Method::Bounded, _) => f.write_str("bounded search"),
            Way::Search(Method::Induction, _) => f.write_str("bounded search with induction"),
            Way::Search(Method::Horn, _) => f.write_str("Horn clauses"),
            Way::Search(Method::Ic3, _) => f.write_str("IC3"),
        }
    }
}

/// A stage of each round: its name, its method (none = concrete runs), its configuration, and how many shares of the
/// work of the round it gets. Without a share it takes part after the rounds only.
type Part = (&'static str, Option<Method>, &'static str, u64);

/// What an automaton looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Any number of locations.
    Program,
    /// One location at which every step begins and ends, and what all of them do in one edge.
    System,
    /// The same, with words or truth values for variables: it can be made of bits.
    Circuit,
}

impl Shape {
    /// The shape of an automaton.
    pub fn of(cfa: &Cfa) -> Shape {
        let has_bits = || cfa.vars().iter().all(|var| n_bits(var.sort()).is_some());
        match cfa.is_system() {
            true if has_bits() => Shape::Circuit,
            true => Shape::System,
            false => Shape::Program,
        }
    }

    /// The stages of a round.
    fn round(self) -> &'static [Part] {
        match self {
            Shape::Program => &PROGRAM,
            Shape::System => &SYSTEM,
            Shape::Circuit => &CIRCUIT,
        }
    }
}

/// A round for programs.
const PROGRAM: [Part; 7] = [
    ("explicit", Some(Method::Cegar), "domain=explicit", 2),
    ("runs", None, "", 2),
    ("values", Some(Method::Cegar), "domain=explicit max-enum=4 initial-precision=all-vars", 1),
    ("lbe", Some(Method::Cegar), "domain=predicate encoding=lbe", 4),
    ("horn", Some(Method::Horn), "encoding=lbe", 2),
    ("bounded", Some(Method::Bounded), "encoding=lbe", 2),
    ("sbe", Some(Method::Cegar), "domain=predicate", 0),
];

/// A round for systems. A step with inputs has many successors, and all of them are wanted. Large blocks are single edges,
/// so that single ones would repeat them. Many properties of circuits are k-inductive.
const SYSTEM: [Part; 4] = [
    ("explicit", Some(Method::Cegar), "domain=explicit max-enum=0", 2),
    ("bounded", Some(Method::Induction), "encoding=lbe", 2),
    ("runs", None, "", 2),
    ("lbe", Some(Method::Cegar), "domain=predicate encoding=lbe", 12),
];

/// A round for circuits. Most of them IC3 decides, or nothing does.
const CIRCUIT: [Part; 5] = [
    ("ic3", Some(Method::Ic3), "domain=predicate passes=bits", 8),
    ("explicit", Some(Method::Cegar), "domain=explicit max-enum=0", 2),
    ("bounded", Some(Method::Induction), "encoding=lbe", 2),
    ("runs", None, "", 1),
    ("lbe", Some(Method::Cegar), "domain=predicate encoding=lbe", 4),
];

/// A share in each round, in units of which a million take between a tenth of a second and one.
const SHARES: [u64; 4] = [500_000, 2_000_000, 8_000_000, 32_000_000];

/// The stages after the rounds, without a budget: the next of these only begins if the one before it had another end.
const LAST: [&str; 4] = ["ic3", "lbe", "sbe", "explicit"];

/// What the strategy can do without: its stages, induction in one of them, the pass that finds invariants, and noticing
/// divergence.
pub const INGREDIENTS: [&str; 11] = [
    "ic3",
    "explicit",
    "runs",
    "values",
    "lbe",
    "horn",
    "bounded",
    "induction",
    "sbe",
    "invariants",
    "divergence",
];

/// The stages: rounds that get longer, so that whatever decides is asked soon, and none for long in vain.
pub fn stages(shape: Shape) -> Vec<Stage> {
    stages_without(shape, &[])
}

/// The stages without some of the [`INGREDIENTS`], to measure what each of them is good for.
pub fn stages_without(shape: Shape, without: &[&str]) -> Vec<Stage> {
    let config = |line: &str| {
        let mut config = Config::default();
        config.set_line(line).expect("the lines above are configurations");
        if without.contains(&"invariants") {
            config.passes = config.passes.without("invariants").unwrap_or(config.passes);
        }
        config
    };
    let method = |method| match method {
        Method::Induction if without.contains(&"induction") => Method::Bounded,
        method => method,
    };
    let stage = |(_, way, line, _): &Part, work: Option<u64>| Stage {
        way: way.map_or(Way::Runs, |way| Way::Search(method(way), config(line))),
        work,
        notices_divergence: !without.contains(&"divergence"),
    };
    let parts = shape.round().iter().copied();
    let parts: Vec<Part> = parts.filter(|(name, ..)| !without.contains(name)).collect();
    let rounds = SHARES.into_iter().flat_map(|share| {
        let takes_part = |part: &&Part| part.3 > 0;
        let stages = parts.iter().filter(takes_part).map(|part| stage(part, Some(part.3 * share)));
        stages.collect::<Vec<_>>()
    });
    let last = LAST.iter().filter_map(|last| parts.iter().find(|(name, ..)| name == last));
    rounds.chain(last.map(|part| stage(part, None))).collect()
}

/// Makes solvers within limits and budgets.
pub type Solvers<'a> = dyn Fn(&Watch) -> Result<Box<dyn Backend>> + 'a;

/// Decides by the stages in turn. Each has a solver of its own from `solvers`, within its budget; `judge` has none.
pub fn decide(
    cfa: &Cfa,
    reduced: &Reduced<'_>,
    stages: &[Stage],
    watch: &Watch,
    solvers: &Solvers<'_>,
    judge: &dyn Backend,
    observer: &mut dyn Observer,
) -> Verdict {
    let (mut history, preparations) = (History::default(), Preparations::default());
    let mut verdict = NOTHING_TO_DO;
    for stage in stages {
        if history.is_in_vain(stage) {
            continue;
        }
        let now = history.changed(stage);
        observer.event(&Event::Stage(now));
        let mut listener = Listener { inner: observer, tracked: Vec::new() };
        let start = history.tracked(stage).unwrap_or(reduced.start);
        let reduced = Reduced { start, ..*reduced };
        let attempt = Attempt { cfa, reduced, preparations: &preparations, solvers, judge };
        let ended = match attempt.run(&now, watch, &mut listener) {
            Ok(ended) => ended,
            Err(stop) => return Verdict::Unknown(stop.into()),
        };
        verdict = ended.verdict;
        if is_final(&verdict) {
            break;
        }
        history.add(stage, &verdict, ended.has_diverged, listener.tracked);
    }
    verdict
}

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
        let (method, config) = match &stage.way {
            Way::Runs => {
                let verdict =
                    by_running(self.cfa, self.reduced, self.preparations, &watch, observer);
                return Ok(Attempted { verdict, has_diverged: false });
            }
            Way::Search(method, config) => (*method, config),
        };
        let backend = (self.solvers)(&watch)?;
        let prepared = self.preparations.prepared(self.reduced, config);
        let budget = (stage.notices_divergence && stage.work.is_some()).then_some(&watch);
        let mut divergence = Divergence::new(observer, budget);
        let verdict =
            by_method(self.cfa, &prepared, method, config, &*backend, self.judge, &mut divergence);
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
    way: Way,
    /// With more work, it may come to another end.
    for_want_of_work: bool,
    has_diverged: bool,
    tracked: Vec<Tracked>,
}

impl History {
    /// The last stage that went the same way.
    fn before(&self, stage: &Stage) -> Option<&Ended> {
        self.0.iter().rev().find(|other| other.way == stage.way)
    }

    /// Whether a stage would end as another did.
    pub(crate) fn is_in_vain(&self, stage: &Stage) -> bool {
        self.before(stage).is_some_and(|before| !before.for_want_of_work)
    }

    /// The stage, with another interpolation engine if the one before diverged.
    pub(crate) fn changed(&self, stage: &Stage) -> Stage {
        match (self.before(stage), stage.way) {
            (Some(before), Way::Search(method, config)) if before.has_diverged => {
                let config = Config { interpolation: Engine::Spacer, ..config };
                Stage { way: Way::Search(method, config), ..*stage }
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
        self.0.push(Ended { way: stage.way, for_want_of_work, has_diverged, tracked });
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

/// Keeps what a stage tracked, and passes everything on.
struct Listener<'a> {
    inner: &'a mut dyn Observer,
    tracked: Vec<Tracked>,
}

impl Observer for Listener<'_> {
    fn event(&mut self, event: &Event) {
        self.inner.event(event);
    }

    fn refuted(&mut self, story: &Story) {
        self.inner.refuted(story);
    }

    fn is_curious(&self) -> bool {
        self.inner.is_curious()
    }

    fn graph(&mut self, dot: &dyn Fn() -> String) {
        self.inner.graph(dot);
    }

    fn precision(&mut self, tracked: &dyn Fn() -> Vec<Tracked>) {
        self.tracked = tracked();
        self.inner.precision(tracked);
    }
}
