//! The default: stages in turn, each with a budget of work, until one decides.
//!
//! No configuration is the best for every input, and which one is good shows after little work. So each stage gets
//! a budget in units that do not depend on the clock: the same run happens again. A stage that ends without a verdict
//! hands on what it tracked to the next one with the same domain; the last stages have no budget. `docs/algorithms.md`
//! has the measurements behind the stages. [`portfolio`](crate::portfolio) runs several at once.

use lapidary_cegar::{Config, Tracked};
use lapidary_expr::bits::n_bits;
use lapidary_model::Cfa;
use lapidary_solver::Backend;
use lapidary_solver::limits::Watch;

pub use crate::attempt::Solvers;
use crate::attempt::{Attempt, History, NOTHING_TO_DO, is_final};
use crate::bounded::{BoundedSearch, KInduction};
use crate::cegar::Cegar;
use crate::concrete::ConcreteRuns;
use crate::horn::HornClauses;
use crate::ic3::Ic3;
use crate::observer::{Event, Observer, Story};
use crate::reduced::{Preparations, Reduced};
use crate::stage::Stage;
use crate::{Engine, Verdict};

/// The strategies that are one stage, besides the search by abstraction and refinement.
pub const SINGLE: [&str; 5] = ["runs", "horn", "bounded", "induction", "ic3"];

/// All engines.
pub const ENGINES: [&dyn Engine; 6] =
    [&Cegar, &ConcreteRuns, &HornClauses, &BoundedSearch, &KInduction, &Ic3];

/// One engine alone, without a budget, by one of the names in [`SINGLE`] or `plain`.
pub fn single(name: &str, settings: Config) -> Option<Stage> {
    let alone = |engine| Stage { engine, settings, work: None, notices_divergence: false };
    ENGINES.into_iter().map(alone).find(|stage| stage.strategy() == name)
}

/// A stage of each round.
struct Part {
    /// What the stage can be left out by.
    name: &'static str,
    engine: &'static dyn Engine,
    /// The configuration line.
    line: &'static str,
    /// How many shares of the work of the round it gets. Without a share it takes part after the rounds only.
    shares: u64,
}

impl Part {
    const fn new(
        name: &'static str,
        engine: &'static dyn Engine,
        line: &'static str,
        shares: u64,
    ) -> Part {
        Part { name, engine, line, shares }
    }
}

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
    Part::new("explicit", &Cegar, "domain=explicit", 2),
    Part::new("runs", &ConcreteRuns, "", 2),
    Part::new("values", &Cegar, "domain=explicit max-enum=4 initial-precision=all-vars", 1),
    Part::new("lbe", &Cegar, "domain=predicate encoding=lbe", 4),
    Part::new("horn", &HornClauses, "encoding=lbe", 2),
    Part::new("bounded", &BoundedSearch, "encoding=lbe", 2),
    Part::new("sbe", &Cegar, "domain=predicate", 0),
];

/// A round for systems. A step with inputs has many successors, and all of them are wanted. Large blocks are single edges,
/// so that single ones would repeat them. Many properties of circuits are k-inductive.
const SYSTEM: [Part; 4] = [
    Part::new("explicit", &Cegar, "domain=explicit max-enum=0", 2),
    Part::new("bounded", &KInduction, "encoding=lbe", 2),
    Part::new("runs", &ConcreteRuns, "", 2),
    Part::new("lbe", &Cegar, "domain=predicate encoding=lbe", 12),
];

/// A round for circuits. Most of them IC3 decides, or nothing does.
const CIRCUIT: [Part; 5] = [
    Part::new("ic3", &Ic3, "domain=predicate passes=bits", 8),
    Part::new("explicit", &Cegar, "domain=explicit max-enum=0", 2),
    Part::new("bounded", &KInduction, "encoding=lbe", 2),
    Part::new("runs", &ConcreteRuns, "", 1),
    Part::new("lbe", &Cegar, "domain=predicate encoding=lbe", 4),
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
    let engine = |part: &Part| -> &'static dyn Engine {
        match part.engine == (&KInduction as &dyn Engine) && without.contains(&"induction") {
            true => &BoundedSearch,
            false => part.engine,
        }
    };
    let stage = |part: &Part, work: Option<u64>| Stage {
        engine: engine(part),
        settings: config(part.line),
        work,
        notices_divergence: !without.contains(&"divergence"),
    };
    let parts = shape.round().iter();
    let parts: Vec<&Part> = parts.filter(|part| !without.contains(&part.name)).collect();
    let rounds = SHARES.into_iter().flat_map(|share| {
        let takes_part = parts.iter().filter(|part| part.shares > 0);
        takes_part.map(|part| stage(part, Some(part.shares * share))).collect::<Vec<_>>()
    });
    let last = LAST.iter().filter_map(|last| parts.iter().find(|part| part.name == *last));
    rounds.chain(last.map(|part| stage(part, None))).collect()
}

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
