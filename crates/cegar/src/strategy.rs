//! The default: stages in turn, each with a budget of work, until one decides.
//!
//! No configuration is the best for every input, and which one is good shows after little work. So each stage gets
//! a budget in units that do not depend on the clock: the same run happens again. A stage that ends without a verdict
//! hands on what it tracked to the next one with the same domain; the last stage has no budget. `docs/algorithms.md`
//! has the measurements behind the stages.

use lapidary_model::Cfa;
use lapidary_solver::limits::Watch;
use lapidary_solver::{Backend, Limit, Result, Stop};

use crate::observer::Story;
use crate::verify::{Method, Prepared, Reduced, by_method, by_running};
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
    /// The work it may do; the last stage has no limit.
    pub work: Option<u64>,
}

impl Stage {
    /// The configuration, unless it has none.
    pub fn config(&self) -> Option<Config> {
        match self.way {
            Way::Runs => None,
            Way::Search(_, config) => Some(config),
        }
    }
}

impl std::fmt::Display for Stage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.way {
            Way::Runs => f.write_str("concrete runs"),
            Way::Search(Method::Cegar, config) => {
                write!(f, "{}, {}", config.domain, config.encoding)
            }
            Way::Search(Method::Bounded, _) => f.write_str("bounded search"),
        }
    }
}

/// A stage of each round: its name, its method (none = concrete runs), its configuration, and how many shares of the
/// work of the round it gets.
type Part = (&'static str, Option<Method>, &'static str, u64);

/// A round.
const ROUND: [Part; 5] = [
    ("explicit", Some(Method::Cegar), "domain=explicit", 2),
    ("runs", None, "", 2),
    ("lbe", Some(Method::Cegar), "domain=predicate encoding=lbe", 4),
    ("bounded", Some(Method::Bounded), "encoding=lbe", 2),
    ("sbe", Some(Method::Cegar), "domain=predicate", 2),
];

/// A share in each round, in units of which a million take between a tenth of a second and one.
const SHARES: [u64; 4] = [500_000, 2_000_000, 8_000_000, 32_000_000];

/// The stage that ends with the run: the first of these that takes part.
const LAST: [&str; 3] = ["lbe", "sbe", "explicit"];

/// What the strategy can do without: its stages, and the pass that finds invariants.
pub const INGREDIENTS: [&str; 6] = ["explicit", "runs", "lbe", "bounded", "sbe", "invariants"];

/// The stages: rounds that get longer, so that whatever decides is asked soon, and none for long in vain.
pub fn stages() -> Vec<Stage> {
    stages_without(&[])
}

/// The stages without some of the [`INGREDIENTS`], to measure what each of them is good for.
pub fn stages_without(without: &[&str]) -> Vec<Stage> {
    let config = |line: &str| {
        let mut config = Config::default();
        config.set_line(line).expect("the lines above are configurations");
        if without.contains(&"invariants") {
            config.passes = config.passes.without("invariants").unwrap_or(config.passes);
        }
        config
    };
    let stage = |(_, method, line, _): &Part, work: Option<u64>| Stage {
        way: method.map_or(Way::Runs, |method| Way::Search(method, config(line))),
        work,
    };
    let parts: Vec<Part> = ROUND.into_iter().filter(|(name, ..)| !without.contains(name)).collect();
    let rounds = SHARES.into_iter().flat_map(|share| {
        parts.iter().map(move |part| stage(part, Some(part.3 * share))).collect::<Vec<_>>()
    });
    let last = LAST.iter().find_map(|last| parts.iter().find(|(name, ..)| name == last));
    rounds.chain(last.map(|part| stage(part, None))).collect()
}

/// Decides by the stages in turn. Each has a solver of its own from `solvers`, within its budget; `judge` has none.
pub fn decide(
    cfa: &Cfa,
    reduced: &Reduced<'_>,
    stages: &[Stage],
    watch: &Watch,
    solvers: &dyn Fn(&Watch) -> Result<Box<dyn Backend>>,
    judge: &dyn Backend,
    observer: &mut dyn Observer,
) -> Verdict {
    let mut ended: Vec<Ended> = Vec::new();
    let mut prepared: Vec<Prepared<'_>> = Vec::new();
    let mut verdict = Verdict::Unknown(Unknown::Stop(Stop::Limit(Limit::Work)));
    for stage in stages {
        let before = ended.iter().rev().find(|other| other.way == stage.way);
        if before.is_some_and(|before| !before.for_want_of_work) {
            continue; // it would end in the same way again
        }
        observer.event(&Event::Stage(*stage));
        let watch = stage.work.map_or_else(|| watch.clone(), |work| watch.with_work(work));
        let mut listener = Listener { inner: observer, tracked: Vec::new() };
        verdict = match &stage.way {
            Way::Runs => by_running(cfa, &watch, &mut listener),
            Way::Search(method, config) => {
                let backend = match solvers(&watch) {
                    Ok(backend) => backend,
                    Err(stop) => return Verdict::Unknown(stop.into()),
                };
                let start = before.map_or(reduced.start, |before| &before.tracked);
                if !prepared.iter().any(|prepared| prepared.fits(config)) {
                    prepared.push(Prepared::new(*reduced, config));
                }
                let fits = prepared.iter().find(|prepared| prepared.fits(config));
                let now = fits.expect("it has just been made").starting_from(start);
                by_method(cfa, &now, *method, config, &*backend, judge, &mut listener)
            }
        };
        if is_final(&verdict) {
            break;
        }
        let for_want_of_work = matches!(verdict, Verdict::Unknown(Unknown::Stop(Stop::Limit(_))));
        ended.push(Ended { way: stage.way, for_want_of_work, tracked: listener.tracked });
    }
    verdict
}

/// A stage without a verdict.
struct Ended {
    way: Way,
    /// With more work, it may come to another end.
    for_want_of_work: bool,
    tracked: Vec<Tracked>,
}

/// Whether no other stage can say more: a verdict, the end of the run, or a bug that must not be passed over.
fn is_final(verdict: &Verdict) -> bool {
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
