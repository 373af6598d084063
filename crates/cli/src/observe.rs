//! Hears the engine: keeps the snapshot for displays, tells the steps of the loop, keeps the graph.

use std::sync::{Mutex, PoisonError};

use lapidary_cegar::abstraction::Exploration;
use lapidary_cegar::{Tracked, precision};
use lapidary_engine::observer::{Step, Story};
use lapidary_engine::{Event, Observer, Stage};
use lapidary_model::text::Names;
use lapidary_solver::counted::Counts;
use lapidary_solver::limits::{cpu_time, resident_memory};

use crate::clock::Stopwatch;
use crate::log;
use crate::outcome::Snapshot;
use crate::report::{megabytes, number};

/// An observer of one run.
pub(crate) struct Watcher<'a> {
    snapshot: &'a Mutex<Snapshot>,
    counts: Counts,
    steps: Steps,
    n_stages: usize,
    /// The drawing of the graph, if it is wanted: empty until there is one.
    graph: Option<String>,
    /// The precision at the end, as text, if it is wanted.
    precision: Option<Precision<'a>>,
}

/// A precision as text, and the names that it is written in.
struct Precision<'a> {
    names: Names<'a>,
    text: String,
}

fn written(names: &Names<'_>, tracked: &[Tracked]) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = precision::text::write(&mut text, names, tracked);
    text
}

impl<'a> Watcher<'a> {
    pub(crate) fn new(snapshot: &'a Mutex<Snapshot>, counts: &Counts, steps: Steps) -> Self {
        let counts = counts.clone();
        Watcher { snapshot, counts, steps, n_stages: 0, graph: None, precision: None }
    }

    /// Asks for a drawing of the graph at the end.
    pub(crate) fn with_graph(mut self, is_wanted: bool) -> Self {
        self.graph = is_wanted.then(String::new);
        self
    }

    /// Asks for the precision at the end, which is that at the start if whatever decides needs none.
    pub(crate) fn with_precision(mut self, names: Option<Names<'a>>, start: &[Tracked]) -> Self {
        self.precision = names.map(|names| Precision { text: written(&names, start), names });
        self
    }

    /// The drawing, if it was wanted and there is one, and the precision, if it was wanted.
    pub(crate) fn into_texts(self) -> [Option<String>; 2] {
        [self.graph.filter(|text| !text.is_empty()), self.precision.map(|precision| precision.text)]
    }

    /// Brings the solver's counts up to date.
    pub(crate) fn count(&mut self) -> Snapshot {
        let mut snapshot = self.snapshot.lock().unwrap_or_else(PoisonError::into_inner);
        snapshot.solver_calls = self.counts.calls();
        snapshot.solver_time = self.counts.time();
        snapshot.clone()
    }
}

impl Observer for Watcher<'_> {
    fn event(&mut self, event: &Event) {
        let before = self.count();
        let after = {
            let mut snapshot = self.snapshot.lock().unwrap_or_else(PoisonError::into_inner);
            match event {
                Event::Stage(stage) => {
                    let number = self.n_stages;
                    self.n_stages += 1;
                    snapshot.begin(number, *stage, cpu_time());
                }
                Event::Turn { stage, cpu } => snapshot.turn_to(*stage, *cpu),
                _ => snapshot.statistics.event(event),
            }
            snapshot.clone()
        };
        self.steps.event(event, &before, &after);
    }

    fn refuted(&mut self, story: &Story) {
        let mut snapshot = self.snapshot.lock().unwrap_or_else(PoisonError::into_inner);
        Observer::refuted(&mut snapshot.statistics, story);
        drop(snapshot);
        self.steps.story(story);
    }

    fn is_curious(&self) -> bool {
        self.steps.verbosity > 0
    }

    fn graph(&mut self, dot: &dyn Fn() -> String) {
        if let Some(graph) = &mut self.graph {
            *graph = dot();
        }
    }

    fn precision(&mut self, tracked: &dyn Fn() -> Vec<Tracked>) {
        if let Some(Precision { names, text }) = &mut self.precision {
            *text = written(names, &tracked());
        }
    }
}

/// Tells the steps of the loop on standard error.
pub(crate) struct Steps {
    verbosity: u8,
    clock: Stopwatch,
    told: Snapshot,
    /// The stage that steps are about, if several run at once.
    about: Option<Stage>,
}

impl Steps {
    /// From verbosity 1 on the iterations, from 2 on what they cost.
    pub(crate) fn new(verbosity: u8, clock: Stopwatch) -> Steps {
        Steps { verbosity, clock, told: Snapshot::default(), about: None }
    }

    /// Tells something, with the time.
    pub(crate) fn tell(&self, message: &str) {
        if self.verbosity > 0 {
            let about = self.about.map_or_else(String::new, |stage| format!("({stage}) "));
            let seconds = self.clock.elapsed().as_secs_f64();
            log::line(format_args!("[{seconds:9.3}] {about}{message}"));
        }
    }

    fn event(&mut self, event: &Event, before: &Snapshot, after: &Snapshot) {
        if self.verbosity == 0 {
            return;
        }
        match event {
            Event::Loop(Step::Explored { nodes, result, .. }) => {
                let found = match result {
                    Exploration::Safe => "no way to the error".to_string(),
                    Exploration::Unsafe(errors) if errors.len() == 1 => "a way to the error".into(),
                    Exploration::Unsafe(errors) => format!("{} ways to the error", errors.len()),
                };
                let iteration = after.statistics.iterations;
                self.tell(&format!("iteration {iteration}: {}, {found}", number(*nodes, "node")));
            }
            Event::Loop(Step::Refined { length, precision, nodes }) => {
                let (steps, old) = (number(*length, "step"), before.statistics.precision);
                let nodes = number(*nodes, "node");
                self.tell(&format!(
                    "  {steps}, spurious: precision {old} -> {precision}, {nodes} kept"
                ));
            }
            Event::Stage(stage) => {
                self.about = None;
                self.tell(&format!("stage: {stage}"));
            }
            Event::Turn { .. } => {
                self.about = after.stages.last().map(|last| last.stage);
                return;
            }
            Event::Unrolled { depth } => self.tell(&format!("  {} deep", number(*depth, "edge"))),
            Event::Running { length } => {
                self.tell(&format!("  runs of {}", number(*length as usize, "step")));
            }
            Event::Diverging { length } => self.tell(&format!(
                "  diverging: counterexamples of up to {} that differ in constants only",
                number(*length, "step")
            )),
            Event::Validating => self.tell("validating the evidence"),
            Event::Repeated => self.tell("the execution is none: starting again without slicing"),
        }
        if self.verbosity > 1 {
            self.tell_costs(after);
        }
    }

    /// How a counterexample was refuted, and what was learned from it.
    fn story(&self, story: &Story) {
        let Story { length, checker, choice, prune_index, learned, .. } = story;
        let index = prune_index.map_or_else(String::new, |i| format!(", pruned from state {i} on"));
        self.tell(&format!("  {}: refuted by {checker}{index}", number(*length, "step")));
        if let Some(choice) = choice {
            let (among, of) = (choice.among, number(choice.length, "step"));
            self.tell(&format!("    chosen among {among}, {of} long: {}", choice.why));
        }
        for (loc, item) in learned {
            self.tell(&format!("    new at {loc}: {item}"));
        }
    }

    fn tell_costs(&mut self, now: &Snapshot) {
        let calls = number(
            usize::try_from(now.solver_calls - self.told.solver_calls).unwrap_or(0),
            "solver call",
        );
        let seconds = now.solver_time.saturating_sub(self.told.solver_time).as_secs_f64();
        let memory =
            resident_memory().map_or_else(String::new, |bytes| format!(", {}", megabytes(bytes)));
        self.tell(&format!("  {calls}, {seconds:.3} s in the solver{memory}"));
        self.told = now.clone();
    }
}
