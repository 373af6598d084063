//! Verification in a thread of its own: what programs that use the library call.

use std::panic::resume_unwind;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use lapidary_cegar::Config;
use lapidary_engine::portfolio::STACK;
use lapidary_engine::strategy::single;
use lapidary_frontend::{Input, read_with};
use lapidary_model::Cfa;
use lapidary_solver::limits::{cpu_time, peak_memory, stack};

use crate::clock::Stopwatch;
use crate::error::Error;
use crate::listener::Listener;
use crate::options::{Options, Strategy};
use crate::outcome::{Costs, Outcome};
use crate::progress::Progress;
use crate::source::Source;
use crate::verification::verify_input;

/// Reads and verifies a file: a C program, an automaton, a transition system, AIGER or BTOR2.
pub fn verify(path: impl Into<PathBuf>, options: &Options) -> Result<Outcome, Error> {
    Verifier::from(options.clone()).file(&Source::new(path))
}

/// Puts a verification together.
#[derive(Clone, Debug, Default)]
pub struct Verifier {
    options: Options,
    progress: Progress,
}

impl From<Options> for Verifier {
    fn from(options: Options) -> Self {
        Verifier { options, progress: Progress::default() }
    }
}

impl Verifier {
    /// Verifies this property only: its name or its number.
    #[must_use]
    pub fn property(mut self, property: impl Into<String>) -> Self {
        self.options.property = Some(property.into());
        self
    }

    /// Searches with this configuration alone: axes and their values, as in `domain=explicit max-enum=4`, and
    /// optionally the engine, as in `strategy=horn encoding=lbe`.
    pub fn configuration(mut self, line: &str) -> Result<Self, Error> {
        let (names, axes): (Vec<&str>, Vec<&str>) =
            line.split_whitespace().partition(|word| word.starts_with("strategy="));
        let mut config = Config::default();
        let wrong = |problem: String| Error::Usage(problem);
        config.set_line(&axes.join(" ")).map_err(|error| wrong(error.to_string()))?;
        if let Some(conflict) = config.conflict() {
            return Err(wrong(conflict.to_string()));
        }
        let name = names.last().and_then(|word| word.strip_prefix("strategy="));
        self.options.strategy = match name {
            None | Some("plain") => Strategy::Plain(config),
            Some(name) => match single(name, config) {
                Some(stage) => Strategy::Alone(stage),
                None => return Err(wrong(format!("there is no strategy `{name}`"))),
            },
        };
        Ok(self)
    }

    /// Runs so many stages of the default strategy at once.
    #[must_use]
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.options.strategy =
            Strategy::Auto { without: Vec::new(), jobs, calls: crate::Calls::Auto };
        self
    }

    /// Ends the verification after so much CPU time of the process, counted from now.
    #[must_use]
    pub fn cpu_time(mut self, limit: Duration) -> Self {
        self.options.limits.cpu = Some(cpu_time() + limit);
        self
    }

    /// Ends the verification when the process has so many bytes of memory.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Self {
        self.options.limits.memory = Some(bytes);
        self
    }

    /// How far the verification is, for another thread to look at.
    pub fn progress(&self) -> Progress {
        self.progress.clone()
    }

    /// Reads and verifies a file.
    pub fn file(&self, source: &Source) -> Result<Outcome, Error> {
        self.file_with(source, &mut ())
    }

    /// The same with somebody who listens.
    pub fn file_with(
        &self,
        source: &Source,
        listener: &mut (dyn Listener + Send),
    ) -> Result<Outcome, Error> {
        let mut options = self.options.clone();
        options.property = options.property.or_else(|| source.property.clone());
        self.run(&options, || source.read(), listener)
    }

    /// Verifies a text in the language that the extension of `name` or its first words stand for.
    pub fn text(&self, name: &str, text: &str) -> Result<Outcome, Error> {
        let c = Source::new(name).c;
        let read = || {
            read_with(name, text.as_bytes(), &c).map_err(|error| Error::Input(error.to_string()))
        };
        self.run(&self.options, read, &mut ())
    }

    /// Verifies an automaton.
    pub fn automaton(&self, cfa: Cfa) -> Result<Outcome, Error> {
        self.run(&self.options, || Ok(Input::of_automaton(cfa)), &mut ())
    }

    /// Does everything in a thread with a stack that is large enough, and with a Z3 that is freed with it.
    fn run(
        &self,
        options: &Options,
        read: impl FnOnce() -> Result<Input, Error> + Send,
        listener: &mut (dyn Listener + Send),
    ) -> Result<Outcome, Error> {
        let (clock, progress) = (Stopwatch::start(), &self.progress);
        let work = move || verify_input(&read()?, options, progress, listener);
        let found = thread::scope(|scope| {
            let thread = thread::Builder::new().name("lapidary".into()).stack_size(stack(STACK));
            match thread.spawn_scoped(scope, work) {
                Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
                Err(error) => Err(Error::Internal(format!("cannot start a thread: {error}"))),
            }
        })?;
        let costs = Costs {
            counts: progress.snapshot(),
            cpu: cpu_time(),
            wall: clock.elapsed(),
            peak_memory: peak_memory(),
        };
        Ok(found.with(costs))
    }
}
