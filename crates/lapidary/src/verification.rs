//! The verification of an input: each property in turn, and which of them decides.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;

use lapidary_cegar::domain::combined::ExplicitVars;
use lapidary_cegar::{Tracked, precision};
use lapidary_engine::calls::Effort;
use lapidary_engine::{Stage, Unknown, Verdict};
use lapidary_frontend::{Input, Task};
use lapidary_model::sts::{Reduction, reduce};
use lapidary_model::text::Names;
use lapidary_model::{Cfa, Inlined};
use lapidary_solver::limits::{Limits, Watch, attempt};
use lapidary_solver::wrap::Counts;

use crate::error::{Error, take_panic};
use crate::inside::{self, Answer};
use crate::listener::{Learned, Listener};
use crate::options::{Calls, Options, SavedPrecision, Strategy};
use crate::outcome::{Finding, Found, Property};
use crate::progress::{Progress, Size};
use crate::search::{self, Question};
use crate::source::{chosen, without_property};
use crate::trace::Trace;
use crate::vacuous;
use crate::watcher::Watcher;

/// Verifies the properties of an input in this thread, to which Z3 belongs from then on. Terms may be deep: the thread
/// needs a stack of [`STACK`](lapidary_engine::portfolio::STACK) bytes. [`Verifier`](crate::Verifier) has such a thread.
pub fn verify_input(
    input: &Input,
    options: &Options,
    progress: &Progress,
    listener: &mut dyn Listener,
) -> Result<Found, Error> {
    let names: Vec<String> = input.properties().into_iter().map(str::to_owned).collect();
    let mut decisive: Option<(usize, Finding, Option<Stage>)> = None;
    let (mut properties, mut notes) = (Vec::new(), Vec::new());
    let chosen = chosen(options.property.as_deref(), &names)?;
    let among = (chosen.len() < names.len()).then_some(&chosen[..]);
    for &property in &chosen {
        let run = Run { options, progress, input, property, among };
        let finding = run.verify(&mut notes, listener)?;
        let name = names.get(property);
        listener.found(name.map(String::as_str), &finding);
        if let Some(name) = name {
            let (name, verdict, reason) = (name.clone(), finding.verdict(), finding.reason());
            properties.push(Property { name, verdict, reason });
        }
        let is_decisive =
            decisive.as_ref().is_none_or(|(_, known, _)| weight(&finding) > weight(known));
        if is_decisive {
            decisive = Some((property, finding, progress.snapshot().deciding()));
        }
    }
    let Some((property, finding, stage)) = decisive else {
        return Err(Error::Input("error: there is no property to verify".into()));
    };
    progress.update(|snapshot| snapshot.decided = stage);
    Ok(Found { finding, property, stage, properties, notes })
}

/// Adds what has not been said.
fn add(notes: &mut Vec<String>, more: impl IntoIterator<Item = String>) {
    for note in more {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
}

/// A counterexample to any property decides, and otherwise what is not known.
fn weight(finding: &Finding) -> u8 {
    match finding {
        Finding::Unsafe { .. } => 2,
        Finding::Unknown(_) | Finding::Outside { .. } => 1,
        Finding::Safe { .. } => 0,
    }
}

/// The verification of one property.
struct Run<'a> {
    options: &'a Options,
    progress: &'a Progress,
    input: &'a Input,
    property: usize,
    /// The properties that were chosen, unless all are.
    among: Option<&'a [usize]>,
}

impl Run<'_> {
    fn verify(
        &self,
        notes: &mut Vec<String>,
        listener: &mut dyn Listener,
    ) -> Result<Finding, Error> {
        let Run { options, progress, input, property, among } = *self;
        let task =
            input.task_among(property, among).map_err(|error| Error::Input(error.to_string()))?;
        if let Some(map) = &task.map {
            if !map.has_property {
                return Err(without_property(&task));
            }
            add(notes, map.notes.iter().cloned());
        }
        progress.update(|snapshot| {
            snapshot.size = Some(Size::of(task.cfa()));
            snapshot.arith = task.map.as_ref().map(|map| map.arith.name());
            snapshot.outside = None;
        });
        let reduction = task.model.system().and_then(|system| reduce(system).ok()).map(Arc::new);
        listener.begin(&task, reduction.as_deref())?;
        // What is about variables that are reduced away is left out when the search starts.
        let start = start(options, task.cfa())?;
        let (answer, learned) = self.search(&task, reduction, &start, listener);
        listener.learned(&learned);
        if let Answer::Verdict(Verdict::Safe(_)) = answer {
            let vacuous = attempt(&options.limits, |watch| Ok(vacuous::note(&task, watch)));
            add(notes, vacuous.ok().flatten());
        }
        finding(task, answer)
    }

    /// Searches, and goes on if an execution leaves the model.
    fn search(
        &self,
        task: &Task,
        reduction: Option<Arc<Reduction>>,
        start: &[Tracked],
        listener: &mut dyn Listener,
    ) -> (Answer, Learned) {
        let Run { options, progress, .. } = *self;
        let (counts, unrecorded) = (Counts::default(), Rc::default());
        let names = options.keeps_precision.then(|| Names::of(task.cfa()));
        let mut watcher = Watcher::new(progress, &counts, listener)
            .with_graph(options.keeps_graph)
            .with_precision(names, start);
        let (calls, program) = with_calls(options, task);
        let question = Question {
            options,
            cfa: task.cfa(),
            reduction,
            start,
            has_more: program.is_some(),
            unrecorded: &unrecorded,
        };
        let by_calls = |effort| {
            let program = program?.program();
            let decide = |watch: &Watch| search::by_calls(program, effort, watch, &counts);
            let verdict = guarded(&options.limits, decide);
            (is_decided(&verdict) || calls == Calls::Summaries).then_some(Answer::Verdict(verdict))
        };
        let mut decide = |question: &Question<'_>| {
            guarded(&options.limits, |watch| question.decide(watch, &counts, &mut watcher))
        };
        let mut by_inlining = || {
            inside::decide(task, decide(&question), |cfa, what| {
                progress.update(|snapshot| snapshot.outside = Some(what.into()));
                decide(&Question { cfa, reduction: None, ..question.clone() })
            })
        };
        let answer = match by_calls(Effort::Little) {
            Some(Answer::Verdict(verdict)) if is_decided(&verdict) => Answer::Verdict(verdict),
            Some(other) => by_calls(Effort::All).unwrap_or(other),
            None => match by_inlining() {
                Answer::Verdict(verdict) if is_decided(&verdict) => Answer::Verdict(verdict),
                other => by_calls(Effort::All).unwrap_or(other),
            },
        };
        watcher.count();
        (answer, Learned { unrecorded: unrecorded.get().cloned(), ..watcher.into_learned() })
    }
}

/// What becomes of calls, and the program if they are to be looked at as such.
fn with_calls<'t>(options: &Options, task: &'t Task) -> (Calls, Option<&'t Inlined>) {
    let Strategy::Auto { calls, .. } = options.strategy else { return (Calls::Inline, None) };
    let program = task.model.program().filter(|program| match calls {
        Calls::Auto => !program.cuts().is_empty(),
        Calls::Inline => false,
        Calls::Summaries => true,
    });
    (calls, program.map(|program| &**program))
}

/// Whether there is nothing more to find out.
fn is_decided(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Safe(_) | Verdict::Unsafe(_) | Verdict::Unknown(Unknown::Internal(_)) => true,
        Verdict::Unknown(_) => false,
    }
}

/// The precision to start from, and whether the variables that are to be explicit exist.
fn start(options: &Options, cfa: &Cfa) -> Result<Vec<Tracked>, Error> {
    let explicit = options.strategy.config().map(|config| config.explicit_vars);
    if let Some(ExplicitVars::Named(names)) = explicit {
        let is_missing = |name: &&&str| cfa.vars().iter().all(|var| var.name() != **name);
        if let Some(name) = names.iter().find(is_missing) {
            return Err(Error::Usage(format!("there is no variable `{name}` to make explicit")));
        }
    }
    let Some(SavedPrecision { name, text }) = &options.start else { return Ok(Vec::new()) };
    precision::text::read(text, &Names::of(cfa))
        .map_err(|problem| Error::Input(format!("error: `{name}`, {problem}")))
}

/// Does `work` within the limits. A panic is an internal error. What fails after a limit was reached fails
/// because of it: a solver that is interrupted, or has no memory left, complains in many ways.
fn guarded(limits: &Limits, work: impl FnOnce(&Watch) -> Verdict) -> Verdict {
    let work = |watch: &Watch| match work(watch) {
        Verdict::Unknown(Unknown::Stop(stop)) => watch.check().and(Err(stop)),
        verdict => Ok(verdict),
    };
    match catch_unwind(AssertUnwindSafe(|| attempt(limits, work))) {
        Ok(Ok(verdict)) => verdict,
        Ok(Err(stop)) => Verdict::Unknown(stop.into()),
        Err(panic) => Verdict::Unknown(Unknown::Internal(take_panic(&*panic))),
    }
}

fn finding(task: Task, answer: Answer) -> Result<Finding, Error> {
    let trace = |execution| {
        Trace::new(task.cfa(), execution).map_err(|error| Error::Internal(error.to_string()))
    };
    Ok(match answer {
        Answer::Verdict(Verdict::Safe(proof)) => Finding::Safe { task, proof },
        Answer::Verdict(Verdict::Unsafe(execution)) => {
            let trace = trace(&execution)?;
            Finding::Unsafe { task, execution, trace }
        }
        Answer::Verdict(Verdict::Unknown(unknown)) => Finding::Unknown(unknown),
        Answer::Outside { execution, what } => {
            let trace = trace(&execution)?;
            Finding::Outside { task, execution, trace, what }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_internal_error() {
        crate::error::remember_panics();
        let verdict = guarded(&Limits::default(), |_| panic!("lost\nmy way"));
        let _ = std::panic::take_hook(); // other tests tell their panics
        let Verdict::Unknown(unknown) = verdict else { panic!("{verdict:?}") };
        let message = unknown.to_string();
        assert!(
            message
                .starts_with("internal error: lost my way (crates/lapidary/src/verification.rs:"),
            "{message}"
        );
    }
}
