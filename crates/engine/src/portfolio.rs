//! Several stages of the strategy at once: the first validated answer wins, and the others stop.
//!
//! Each stage has a thread of its own, and with it a Z3 and a judge of its own. They start in the order of the list, at
//! most so many at a time, and none before the one that it goes on from has ended. The thread that called starts
//! them, keeps the books and passes on what they tell, so that an observer hears one thing after another.
//!
//! What a stage does depends on its budget alone, but which one is first depends on the machine: two runs may differ in
//! their evidence, and in what they do not know. That is why nobody gets this without asking for it.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use lapidary_cegar::Tracked;
use lapidary_model::Cfa;
use lapidary_model::sts::Reduction;
use lapidary_solver::limits::{Watch, beside, stack, thread_cpu_time};
use lapidary_solver::{Backend, Result, Stop};

use crate::attempt::{Attempt, Attempted, History, NOTHING_TO_DO, is_final};
use crate::observer::{Event, Observer, Story};
use crate::reduced::{Preparations, Reduced};
use crate::stage::Stage;
use crate::verdict::{Unknown, Verdict};

/// Terms may be deep, and some recursion follows them. Memory that is not used costs nothing.
pub const STACK: usize = 256 << 20;

/// How long a stage that is needed no more may take to stop; then nobody waits for it.
const PATIENCE: Duration = Duration::from_millis(300);

/// Makes solvers in any thread.
pub type Makers = Box<dyn Fn(&Watch) -> Result<Box<dyn Backend>> + Send + Sync>;

/// What is to be decided, and with what. It is owned: a thread that does not stop in time is left behind with it.
pub struct Question {
    /// The automaton.
    pub cfa: Cfa,
    /// A smaller one that is searched instead, if there is one.
    pub reduction: Option<Arc<Reduction>>,
    /// The precision to start from.
    pub start: Vec<Tracked>,
    /// The solvers of the stages.
    pub solvers: Makers,
    /// The solvers that validate.
    pub judges: Makers,
}

/// Decides by the stages, `jobs` of them at a time. Graphs are not drawn.
pub fn decide(
    question: Question,
    stages: &[Stage],
    jobs: usize,
    watch: &Watch,
    observer: &mut dyn Observer,
) -> Verdict {
    let (sender, messages) = mpsc::channel();
    let shared = Shared {
        question,
        preparations: Preparations::default(),
        watch: watch.stoppable(),
        is_curious: observer.is_curious(),
    };
    let mut portfolio = Portfolio {
        shared: Arc::new(shared),
        waiting: stages.iter().copied().enumerate().collect(),
        running: Vec::new(),
        n_begun: 0,
        history: History::default(),
        sender,
    };
    portfolio.run(jobs.max(1), &messages, observer)
}

/// What all threads have in common.
struct Shared {
    question: Question,
    preparations: Preparations,
    watch: Watch,
    is_curious: bool,
}

/// What a stage tells.
struct Message {
    /// How many stages began before it.
    number: usize,
    cpu: Duration,
    content: Content,
}

enum Content {
    Event(Event),
    Refuted(Story),
    Ended(End),
}

/// How a stage ended: with a panic, without a solver, or with a verdict.
struct End {
    result: thread::Result<Result<Attempted>>,
    /// What it tracked, if it came to that.
    tracked: Option<Vec<Tracked>>,
}

/// A stage at work.
#[derive(Clone, Copy)]
struct Running {
    number: usize,
    /// Where it is in the list.
    place: usize,
    stage: Stage,
}

/// The books.
struct Portfolio {
    shared: Arc<Shared>,
    /// The stages that have not begun, with their places in the list.
    waiting: VecDeque<(usize, Stage)>,
    running: Vec<Running>,
    n_begun: usize,
    history: History,
    sender: Sender<Message>,
}

impl Portfolio {
    fn run(
        &mut self,
        jobs: usize,
        messages: &Receiver<Message>,
        observer: &mut dyn Observer,
    ) -> Verdict {
        // Without an answer, the verdict is that of the last stage in the list, whichever ended last.
        let mut last: Option<(Running, Duration, Verdict)> = None;
        loop {
            while self.running.len() < jobs
                && let Some((place, stage)) = self.next()
            {
                self.start(place, stage, observer);
            }
            if self.running.is_empty() {
                break;
            }
            // There is a sender among the books, so that there is always a message to wait for.
            let Ok(Message { number, cpu, content }) = messages.recv() else { break };
            observer.event(&Event::Turn { stage: number, cpu });
            let end = match content {
                Content::Event(event) => {
                    observer.event(&event);
                    continue;
                }
                Content::Refuted(story) => {
                    observer.refuted(&story);
                    continue;
                }
                Content::Ended(end) => end,
            };
            let Some(ended) = self.take(number) else { continue };
            let Attempted { verdict, has_diverged } = match end.result {
                Ok(Ok(attempted)) if !is_final(&attempted.verdict) => attempted,
                result => {
                    self.stop(messages, observer);
                    observer.event(&Event::Turn { stage: number, cpu });
                    tell_precision(end.tracked.as_deref(), observer);
                    return result
                        .unwrap_or_else(|panic| resume_unwind(panic))
                        .map_or_else(given_up, |attempted| attempted.verdict);
                }
            };
            tell_precision(end.tracked.as_deref(), observer);
            let tracked = end.tracked.unwrap_or_default();
            self.history.add(&ended.stage, &verdict, has_diverged, tracked);
            if last.as_ref().is_none_or(|(other, ..)| other.place < ended.place) {
                last = Some((ended, cpu, verdict));
            }
        }
        let Some((ended, cpu, verdict)) = last else { return NOTHING_TO_DO };
        observer.event(&Event::Turn { stage: ended.number, cpu });
        verdict
    }

    /// The next stage that can begin, if there is one; those in vain are left out.
    fn next(&mut self) -> Option<(usize, Stage)> {
        let history = &self.history;
        self.waiting.retain(|(_, stage)| !history.is_in_vain(stage));
        let is_under_way =
            |stage: &Stage| self.running.iter().any(|running| running.stage.searches_as(stage));
        let next = self.waiting.iter().position(|(_, stage)| !is_under_way(stage))?;
        self.waiting.remove(next)
    }

    fn start(&mut self, place: usize, stage: Stage, observer: &mut dyn Observer) {
        let number = self.n_begun;
        self.n_begun += 1;
        let now = self.history.changed(&stage);
        observer.event(&Event::Stage(now));
        observer.event(&Event::Turn { stage: number, cpu: Duration::ZERO });
        let start = self.history.tracked(&stage).map(<[Tracked]>::to_vec);
        let teller = Teller {
            number,
            shared: Arc::clone(&self.shared),
            sender: self.sender.clone(),
            tracked: None,
        };
        self.running.push(Running { number, place, stage });
        let thread = thread::Builder::new();
        let thread = thread.name(format!("stage {number}")).stack_size(stack(STACK));
        if let Err(error) = thread.spawn(move || teller.work(&now, start.as_deref())) {
            let stop = Stop::Solver(format!("cannot start a thread: {error}"));
            let end = End { result: Ok(Err(stop)), tracked: None };
            let (cpu, content) = (Duration::ZERO, Content::Ended(end));
            // It cannot fail: whoever receives it is who sends it.
            let _ = self.sender.send(Message { number, cpu, content });
        }
    }

    fn take(&mut self, number: usize) -> Option<Running> {
        let place = self.running.iter().position(|running| running.number == number)?;
        Some(self.running.remove(place))
    }

    /// Stops all stages, and waits until they have stopped, though not for long.
    fn stop(&mut self, messages: &Receiver<Message>, observer: &mut dyn Observer) {
        self.shared.watch.stop();
        while !self.running.is_empty() {
            let Ok(Message { number, cpu, content }) = messages.recv_timeout(PATIENCE) else {
                return;
            };
            observer.event(&Event::Turn { stage: number, cpu });
            if matches!(content, Content::Ended(_)) {
                self.take(number);
            }
        }
    }
}

fn tell_precision(tracked: Option<&[Tracked]>, observer: &mut dyn Observer) {
    if let Some(tracked) = tracked {
        observer.precision(&|| tracked.to_vec());
    }
}

fn given_up(stop: Stop) -> Verdict {
    Verdict::Unknown(Unknown::Stop(stop))
}

/// In the thread of a stage: tells the books what happens.
struct Teller {
    number: usize,
    shared: Arc<Shared>,
    sender: Sender<Message>,
    tracked: Option<Vec<Tracked>>,
}

impl Teller {
    fn work(mut self, stage: &Stage, start: Option<&[Tracked]>) {
        let shared = Arc::clone(&self.shared);
        let work = || beside(&shared.watch, || shared.attempt(stage, start, &mut self));
        // What a panic leaves half done ends with the run.
        let result = catch_unwind(AssertUnwindSafe(work));
        let tracked = self.tracked.take();
        self.send(Content::Ended(End { result, tracked }));
    }

    fn send(&self, content: Content) {
        let message = Message { number: self.number, cpu: thread_cpu_time(), content };
        // If nobody listens any more, another one has won.
        let _ = self.sender.send(message);
    }
}

impl Shared {
    fn reduced<'a>(&'a self, start: &'a [Tracked]) -> Reduced<'a> {
        let Question { cfa, reduction, .. } = &self.question;
        match reduction {
            Some(reduction) => Reduced { smaller: reduction.cfa(), back: &**reduction, start },
            None => Reduced::unchanged(cfa, start),
        }
    }

    fn attempt(
        &self,
        stage: &Stage,
        start: Option<&[Tracked]>,
        observer: &mut dyn Observer,
    ) -> Result<Attempted> {
        let Question { cfa, solvers, judges, .. } = &self.question;
        let reduced = self.reduced(start.unwrap_or(&self.question.start));
        let judge = judges(&self.watch)?;
        let preparations = &self.preparations;
        let attempt = Attempt { cfa, reduced, preparations, solvers, judge: &*judge };
        attempt.run(stage, &self.watch, observer)
    }
}

impl Observer for Teller {
    fn event(&mut self, event: &Event) {
        self.send(Content::Event(event.clone()));
    }

    fn refuted(&mut self, story: &Story) {
        self.send(Content::Refuted(story.clone()));
    }

    fn is_curious(&self) -> bool {
        self.shared.is_curious
    }

    fn precision(&mut self, tracked: &dyn Fn() -> Vec<Tracked>) {
        self.tracked = Some(tracked());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::stages;

    fn books(stages: Vec<Stage>) -> Portfolio {
        let cfa = lapidary_model::CfaBuilder::new("empty", "START").build().expect("well-formed");
        let none = || -> Makers { Box::new(|_| Err(Stop::Solver("none".into()))) };
        let question =
            Question { cfa, reduction: None, start: Vec::new(), solvers: none(), judges: none() };
        let shared = Shared {
            question,
            preparations: Preparations::default(),
            watch: Watch::default(),
            is_curious: false,
        };
        Portfolio {
            shared: Arc::new(shared),
            waiting: stages.into_iter().enumerate().collect(),
            running: Vec::new(),
            n_begun: 0,
            history: History::default(),
            sender: mpsc::channel().0,
        }
    }

    /// Begins what can begin, without doing it.
    fn begin(books: &mut Portfolio) -> Vec<usize> {
        let mut places = Vec::new();
        while let Some((place, stage)) = books.next() {
            books.running.push(Running { number: place, place, stage });
            places.push(place);
        }
        places
    }

    #[test]
    fn a_stage_waits_for_the_one_that_it_goes_on_from() {
        let mut books = books(stages(crate::strategy::Shape::Program));
        // A round, and of those after the rounds the only one that is in no round.
        assert_eq!(begin(&mut books), [0, 1, 2, 3, 4, 5, 25]);
        assert_eq!(begin(&mut books), [0; 0]);
        let ended = books.take(3).expect("it runs");
        let fact = Tracked { at: None, fact: lapidary_cegar::Fact::Predicate(true.into()) };
        let for_want_of_work = NOTHING_TO_DO;
        books.history.add(&ended.stage, &for_want_of_work, false, vec![fact.clone()]);
        assert_eq!(begin(&mut books), [9]);
        assert_eq!(books.history.tracked(&ended.stage), Some(&[fact][..]));
        // What ended for another reason is not tried again.
        let ended = books.take(0).expect("it runs");
        let stuck = Verdict::Unknown(Unknown::NoProgress { length: 3 });
        books.history.add(&ended.stage, &stuck, false, Vec::new());
        assert_eq!(begin(&mut books), [0; 0]);
        assert!(books.waiting.iter().all(|(_, stage)| !stage.searches_as(&ended.stage)));
    }
}
