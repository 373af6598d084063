//! Hears the engines: keeps the snapshot, the graph and the precision, and passes everything on.

use lapidary_cegar::{Tracked, precision};
use lapidary_engine::observer::Story;
use lapidary_engine::{Event, Observer};
use lapidary_model::text::Names;
use lapidary_solver::limits::cpu_time;
use lapidary_solver::wrap::Counts;

use crate::listener::{Learned, Listener};
use crate::progress::Progress;

/// The observer of the verification of one property.
pub(crate) struct Watcher<'a> {
    progress: &'a Progress,
    counts: Counts,
    listener: &'a mut dyn Listener,
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
    pub(crate) fn new(
        progress: &'a Progress,
        counts: &Counts,
        listener: &'a mut dyn Listener,
    ) -> Self {
        let counts = counts.clone();
        Watcher { progress, counts, listener, n_stages: 0, graph: None, precision: None }
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
    pub(crate) fn into_learned(self) -> Learned {
        Learned {
            graph: self.graph.filter(|text| !text.is_empty()),
            precision: self.precision.map(|precision| precision.text),
            unrecorded: None,
        }
    }

    /// Brings the solver's counts up to date.
    pub(crate) fn count(&mut self) {
        let (calls, time) = (self.counts.calls(), self.counts.time());
        self.progress.update(|snapshot| {
            (snapshot.solver_calls, snapshot.solver_time) = (calls, time);
        });
    }
}

impl Observer for Watcher<'_> {
    fn event(&mut self, event: &Event) {
        self.count();
        self.progress.update(|snapshot| match event {
            Event::Stage(stage) => {
                let number = self.n_stages;
                self.n_stages += 1;
                snapshot.begin(number, *stage, cpu_time());
            }
            Event::Turn { stage, cpu } => snapshot.turn_to(*stage, *cpu),
            _ => snapshot.statistics.event(event),
        });
        self.listener.event(event);
    }

    fn refuted(&mut self, story: &Story) {
        self.progress.update(|snapshot| Observer::refuted(&mut snapshot.statistics, story));
        self.listener.refuted(story);
    }

    fn is_curious(&self) -> bool {
        self.listener.is_curious()
    }

    fn graph(&mut self, dot: &dyn Fn() -> String) {
        if let Some(graph) = &mut self.graph {
            *graph = dot();
        }
        self.listener.graph(dot);
    }

    fn precision(&mut self, tracked: &dyn Fn() -> Vec<Tracked>) {
        if let Some(Precision { names, text }) = &mut self.precision {
            *text = written(names, &tracked());
        }
        self.listener.precision(tracked);
    }
}
