//! Hears the verification: tells its steps, and writes files about each property.

use lapidary::clock::Stopwatch;
use lapidary::progress::{Size, Snapshot};
use lapidary::{Finding, Learned, Listener, Progress};
use lapidary_cegar::abstraction::Exploration;
use lapidary_engine::observer::{Step, Story};
use lapidary_engine::{Event, Observer, Stage};
use lapidary_frontend::Task;
use lapidary_frontend::c::Arith;
use lapidary_model::sts::Reduction;
use lapidary_solver::limits::resident_memory;

use crate::args::Args;
use crate::failure::Failure;
use crate::files::Files;
use crate::log;
use crate::report::{megabytes, number};

/// Tells the steps of a run on standard error, and writes files about each property.
pub(crate) struct Steps<'a> {
    args: &'a Args,
    files: &'a Files,
    progress: &'a Progress,
    clock: Stopwatch,
    /// How far the run was at the last event.
    before: Snapshot,
    /// How far it was when costs were last told.
    told: Snapshot,
    /// The stage that steps are about, if several run at once.
    about: Option<Stage>,
    /// Why a file could not be written, if one could not.
    pub(crate) unwritten: Option<Failure>,
}

impl Listener for Steps<'_> {
    fn begin(&mut self, task: &Task, reduction: Option<&Reduction>) -> Result<(), Failure> {
        self.files.draw(task)?;
        if task.map.as_ref().is_some_and(|map| map.arith == Arith::Unbounded) {
            log::line("warning: numbers without wrap-around are not those of C");
        }
        (self.told, self.about) = (Snapshot::default(), None);
        self.before = self.progress.snapshot();
        self.tell(&format!("{}: {}", self.args.source.file.display(), Size::of(task.cfa())));
        if let Some(reduction) = reduction {
            self.tell(&format!("reduced: {}", Size::of(reduction.cfa())));
        }
        if !self.args.is_auto && self.args.single.is_none() {
            self.tell(&format!("configuration: {}", self.args.config));
        }
        Ok(())
    }

    fn learned(&mut self, learned: &Learned) {
        let Learned { graph, precision, unrecorded } = learned;
        let written = self.files.write_learned(graph.as_deref(), precision.as_deref());
        let recorded = unrecorded.as_ref().map_or(Ok(()), |problem| {
            Err(Failure::Output(format!("cannot record the questions to the solver: {problem}")))
        });
        self.note(written.and(recorded));
    }

    fn found(&mut self, property: Option<&str>, finding: &Finding) {
        self.note(self.files.write_evidence(property, finding));
    }
}

impl Observer for Steps<'_> {
    fn event(&mut self, event: &Event) {
        if self.args.verbosity > 0 {
            let after = self.progress.snapshot();
            let before = std::mem::replace(&mut self.before, after.clone());
            self.tell_event(event, &before, &after);
        }
    }

    fn refuted(&mut self, story: &Story) {
        self.story(story);
    }

    fn is_curious(&self) -> bool {
        self.args.verbosity > 0
    }
}

impl<'a> Steps<'a> {
    /// From verbosity 1 on the iterations, from 2 on what they cost.
    pub(crate) fn new(
        args: &'a Args,
        files: &'a Files,
        progress: &'a Progress,
        clock: Stopwatch,
    ) -> Self {
        let (before, told) = (Snapshot::default(), Snapshot::default());
        Steps { args, files, progress, clock, before, told, about: None, unwritten: None }
    }

    /// Keeps the first reason.
    fn note(&mut self, written: Result<(), Failure>) {
        self.unwritten = self.unwritten.take().or(written.err());
    }

    /// Tells something, with the time.
    fn tell(&self, message: &str) {
        if self.args.verbosity > 0 {
            let about = self.about.map_or_else(String::new, |stage| format!("({stage}) "));
            let seconds = self.clock.elapsed().as_secs_f64();
            log::line(format_args!("[{seconds:9.3}] {about}{message}"));
        }
    }

    fn tell_event(&mut self, event: &Event, before: &Snapshot, after: &Snapshot) {
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
        if self.args.verbosity > 1 {
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
