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
use crate::verify::{Method, Reduced, by_method};
use crate::{Config, Event, Observer, Tracked, Unknown, Verdict};

/// A part of the strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// How it looks for a verdict.
    pub method: Method,
    /// With which configuration.
    pub config: Config,
    /// The work it may do; the last stage has no limit.
    pub work: Option<u64>,
}

impl std::fmt::Display for Stage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.method {
            Method::Cegar => write!(f, "{}, {}", self.config.domain, self.config.encoding),
            Method::Bounded => f.write_str("bounded search"),
        }
    }
}

/// A round: methods, configurations, and how many shares of the work of the round each gets.
const ROUND: [(Method, &str, u64); 4] = [
    (Method::Cegar, "domain=explicit", 1),
    (Method::Cegar, "domain=predicate encoding=lbe", 2),
    (Method::Bounded, "encoding=lbe", 1),
    (Method::Cegar, "domain=predicate", 1),
];

/// A share in each round, in units of which a million take between a tenth of a second and half of one.
const SHARES: [u64; 3] = [1_000_000, 8_000_000, 64_000_000];

/// The last stage, which ends with the run.
const LAST: &str = "domain=predicate encoding=lbe";

/// The stages: rounds that get longer, so that whatever decides is asked soon, and none for long in vain.
pub fn stages() -> Vec<Stage> {
    let config = |line: &str| {
        let mut config = Config::default();
        config.set_line(line).expect("the lines above are configurations");
        config
    };
    let round = |share: u64| {
        ROUND.into_iter().map(move |(method, line, shares)| Stage {
            method,
            config: config(line),
            work: Some(shares * share),
        })
    };
    let last = Stage { method: Method::Cegar, config: config(LAST), work: None };
    SHARES.into_iter().flat_map(round).chain([last]).collect()
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
    let mut known: Vec<(Stage, Vec<Tracked>)> = Vec::new();
    let mut verdict = Verdict::Unknown(Unknown::Stop(Stop::Limit(Limit::Work)));
    for stage in stages {
        observer.event(&Event::Stage(*stage));
        let watch = stage.work.map_or_else(|| watch.clone(), |work| watch.with_work(work));
        let backend = match solvers(&watch) {
            Ok(backend) => backend,
            Err(stop) => return Verdict::Unknown(stop.into()),
        };
        let same = |(other, _): &&(Stage, Vec<Tracked>)| {
            other.method == stage.method && other.config == stage.config
        };
        let handed = known.iter().rev().find(same).map_or(reduced.start, |(_, facts)| facts);
        let start = Reduced { start: handed, ..*reduced };
        let mut listener = Listener { inner: observer, tracked: Vec::new() };
        let (method, config) = (stage.method, &stage.config);
        verdict = by_method(cfa, &start, method, config, &*backend, judge, &mut listener);
        if is_final(&verdict) {
            break;
        }
        let tracked = listener.tracked;
        known.push((*stage, tracked));
    }
    verdict
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
