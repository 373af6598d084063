//! What the engine's thread does: read, verify, draw. Z3 belongs to the thread that uses it first.

use std::cell::{Cell, OnceCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use lapidary_cegar::domain::combined::ExplicitVars;
use lapidary_cegar::{Tracked, precision};
use lapidary_engine::strategy::Shape;
use lapidary_engine::{Reduced, Stage, Unknown, Verdict, portfolio, strategy, verify_reduced};
use lapidary_frontend::c::Arith;
use lapidary_frontend::{Input, Task};
use lapidary_model::Cfa;
use lapidary_model::sts::{Reduction, reduce};
use lapidary_model::text::Names;
use lapidary_solver::limits::{Limits, Watch, attempt};
use lapidary_solver::wrap::{Assisted, Counted, Counts, Propositional, Recorded};
use lapidary_solver::z3::Z3;
use lapidary_solver::{Backend, Stop, smtlib};

use crate::args::{Args, Source};
use crate::clock::Stopwatch;
use crate::failure::{Failure, take_panic};
use crate::files::Files;
use crate::input::{hashed, is_file};
use crate::inside::{self, Answer};
use crate::observe::{Steps, Watcher};
use crate::outcome::{Finding, Found, Property, Size, Snapshot};
use crate::output::reason;
use crate::trace::Trace;
use crate::{log, read, vacuous, witness};

/// Reads and verifies the input.
pub(crate) fn work(
    args: &Args,
    clock: Stopwatch,
    limits: &Limits,
    snapshot: &Mutex<Snapshot>,
) -> Result<Found, Failure> {
    let wants_hash = args.witness.is_some();
    let (input, hash) = hashed(&args.source, |bytes| wants_hash.then(|| witness::hash(bytes)))?;
    let names: Vec<String> = input.properties().into_iter().map(str::to_owned).collect();
    if args.witness.is_some() && names.is_empty() && !input.is_c() {
        let problem = "`--witness` is for C programs, transition systems and circuits";
        return Err(Failure::Usage(problem.into()));
    }
    if args.harness.is_some() && !input.is_c() {
        return Err(Failure::Usage("`--harness` is for C programs".into()));
    }
    if let Some(entry) = input.entry().filter(|entry| args.harness.is_some() && *entry != "main") {
        let problem =
            format!("`--harness` starts programs at `main`, and the property at `{entry}`");
        return Err(Failure::Usage(problem));
    }
    // Before any file is made: what is loaded may be what is saved.
    let loaded = args.load_precision.as_deref().map(read::text).transpose()?;
    let files = Files::new(args)?;
    let mut decisive: Option<(usize, Finding, Option<Stage>)> = None;
    let (mut properties, mut notes, mut unwritten) = (Vec::new(), Vec::new(), None);
    for property in chosen(&args.source, &names)? {
        let loaded = loaded.as_deref();
        let run = Run { args, clock, limits, snapshot, input: &input, property, loaded };
        let (finding, written) = run.verify(&files, &mut notes)?;
        let name = names.get(property).map(String::as_str);
        let evidence = files.write_evidence(name, &finding);
        unwritten = unwritten.or(written.err()).or(evidence.err());
        if let Some(name) = names.get(property) {
            let (name, verdict, reason) = (name.clone(), finding.verdict(), finding.reason());
            properties.push(Property { name, verdict, reason });
        }
        let is_decisive =
            decisive.as_ref().is_none_or(|(_, known, _)| weight(&finding) > weight(known));
        if is_decisive {
            let snapshot = snapshot.lock().unwrap_or_else(PoisonError::into_inner);
            decisive = Some((property, finding, snapshot.deciding()));
        }
    }
    let Some((property, finding, stage)) = decisive else {
        return Err(Failure::Input("error: there is no property to verify".into()));
    };
    snapshot.lock().unwrap_or_else(PoisonError::into_inner).decided = stage;
    let configuration = stage.map_or_else(|| args.config.to_string(), |stage| stage.line());
    let written = match &hash {
        Some(hash) if input.is_c() => files.write_c_witness(&finding, hash, &configuration),
        _ => files.write_witness(&input, property, &finding, limits),
    };
    let written = written.and(files.write_harness(&finding));
    Ok(Found { finding, properties, notes, unwritten: unwritten.or(written.err()) })
}

/// Adds what has not been said.
fn add(notes: &mut Vec<String>, more: impl IntoIterator<Item = String>) {
    for note in more {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
}

/// A program without anything that could be its error.
pub(crate) fn without_property(task: &Task) -> Failure {
    Failure::Input(format!(
        "error: nothing in `{}` says what its error is\n = help: use `assert`, call `reach_error()` where the error is, \
         or name the function that must not be called: `--property FILE.prp`",
        task.source.name()
    ))
}

/// A counterexample to any property decides, and otherwise what is not known.
fn weight(finding: &Finding) -> u8 {
    match finding {
        Finding::Unsafe { .. } => 2,
        Finding::Unknown(_) | Finding::Outside { .. } => 1,
        Finding::Safe { .. } => 0,
    }
}

/// The numbers of the properties to verify.
pub(crate) fn chosen(source: &Source, names: &[String]) -> Result<Vec<usize>, Failure> {
    let wanted = source.property.as_ref().filter(|property| !is_file(property));
    let Some(wanted) = wanted else { return Ok((0..names.len().max(1)).collect()) };
    let by_name = names.iter().position(|name| name == wanted);
    let by_number = wanted.parse().ok().filter(|number: &usize| *number < names.len());
    match by_name.or(by_number) {
        Some(property) => Ok(vec![property]),
        None if names.is_empty() => {
            Err(Failure::Usage("the input has no properties to choose from".into()))
        }
        None => Err(Failure::Usage(format!(
            "there is no property `{wanted}`; there are {}, from 0 (`{}`)",
            names.len(),
            names[0]
        ))),
    }
}

/// The verification of one property.
struct Run<'a> {
    args: &'a Args,
    clock: Stopwatch,
    limits: &'a Limits,
    snapshot: &'a Mutex<Snapshot>,
    input: &'a Input,
    property: usize,
    /// The text of the precision to start from.
    loaded: Option<&'a str>,
}

impl Run<'_> {
    /// What was found, and whether what was learned on the way could be written.
    fn verify(
        &self,
        files: &Files,
        notes: &mut Vec<String>,
    ) -> Result<(Finding, Result<(), Failure>), Failure> {
        let Run { args, clock, limits, snapshot, input, property, loaded } = *self;
        let task = input.task(property).map_err(|error| Failure::Input(error.to_string()))?;
        if let Some(map) = &task.map {
            if !map.has_property {
                return Err(without_property(&task));
            }
            add(notes, map.notes.iter().cloned());
        }
        files.draw(&task)?;
        let size = Size::of(task.cfa());
        let arith = task.map.as_ref().map(|map| map.arith);
        {
            let mut snapshot = snapshot.lock().unwrap_or_else(PoisonError::into_inner);
            (snapshot.size, snapshot.arith) = (Some(size), arith.map(Arith::name));
            snapshot.outside = None;
        }
        if arith == Some(Arith::Unbounded) {
            log::line("warning: numbers without wrap-around are not those of C");
        }

        let counts = Counts::default();
        let steps = Steps::new(args.verbosity, clock);
        steps.tell(&format!("{}: {size}", args.source.file.display()));
        let reduction = task.model.system().and_then(|system| reduce(system).ok()).map(Arc::new);
        if let Some(reduction) = &reduction {
            steps.tell(&format!("reduced: {}", Size::of(reduction.cfa())));
        }
        if !args.is_auto && args.single.is_none() {
            steps.tell(&format!("configuration: {}", args.config));
        }
        // What is about variables that are reduced away is left out when the search starts.
        let start = start(args, loaded, task.cfa())?;
        let mut watcher = Watcher::new(snapshot, &counts, steps)
            .with_graph(args.arg.is_some())
            .with_precision(args.save_precision.is_some().then(|| Names::of(task.cfa())), &start);
        let unrecorded = Rc::default();
        let question =
            Question { args, cfa: task.cfa(), reduction, start: &start, unrecorded: &unrecorded };
        let mut decide = |question: &Question<'_>| {
            guarded(limits, |watch| question.decide(watch, &counts, &mut watcher))
        };
        let answer = inside::decide(&task, decide(&question), |cfa, what| {
            snapshot.lock().unwrap_or_else(PoisonError::into_inner).outside = Some(what.into());
            decide(&Question { cfa, reduction: None, ..question.clone() })
        });
        watcher.count();
        let [graph, precision] = watcher.into_texts();
        let written = files.write_learned(graph.as_deref(), precision.as_deref());
        let recorded = unrecorded.get().map_or(Ok(()), |problem: &String| {
            Err(Failure::Output(format!("cannot record the questions to the solver: {problem}")))
        });
        let written = written.and(recorded);
        if let Answer::Verdict(Verdict::Safe(_)) = answer {
            let vacuous = attempt(limits, |watch| Ok(vacuous::note(&task, watch)));
            add(notes, vacuous.ok().flatten());
        }
        Ok((finding(task, answer)?, written))
    }
}

/// The precision to start from, and whether the variables that are to be explicit exist.
fn start(args: &Args, loaded: Option<&str>, cfa: &Cfa) -> Result<Vec<Tracked>, Failure> {
    if let ExplicitVars::Named(names) = args.config.explicit_vars {
        let is_missing = |name: &&&str| cfa.vars().iter().all(|var| var.name() != **name);
        if let Some(name) = names.iter().find(is_missing) {
            return Err(Failure::Usage(format!("there is no variable `{name}` to make explicit")));
        }
    }
    let (Some(path), Some(text)) = (&args.load_precision, loaded) else { return Ok(Vec::new()) };
    precision::text::read(text, &Names::of(cfa))
        .map_err(|problem| Failure::Input(format!("error: `{}`, {problem}", path.display())))
}

/// What the engine is asked.
#[derive(Clone)]
struct Question<'a> {
    args: &'a Args,
    cfa: &'a Cfa,
    reduction: Option<Arc<Reduction>>,
    start: &'a [Tracked],
    /// Why the solver's sessions could not be recorded, if so.
    unrecorded: &'a Rc<OnceCell<String>>,
}

impl Question<'_> {
    fn decide(&self, watch: &Watch, counts: &Counts, watcher: &mut Watcher<'_>) -> Verdict {
        let verdict = match self.args.jobs {
            1 => self.in_turn(watch, counts, watcher),
            jobs => self.at_once(jobs, watch, counts, watcher),
        };
        blamed(self.args, verdict)
    }

    /// Several stages of the strategy at once.
    fn at_once(
        &self,
        jobs: usize,
        watch: &Watch,
        counts: &Counts,
        watcher: &mut Watcher<'_>,
    ) -> Verdict {
        let (of_stages, of_judges) = (counts.clone(), counts.clone());
        let question = portfolio::Question {
            cfa: self.cfa.clone(),
            reduction: self.reduction.clone(),
            start: self.start.to_vec(),
            solvers: Box::new(move |watch| {
                Ok(Box::new(Counted::new(solver(None, watch)?, &of_stages)))
            }),
            judges: Box::new(move |watch| Ok(Box::new(Counted::new(Z3::new(watch)?, &of_judges)))),
        };
        portfolio::decide(question, &self.stages(), jobs, watch, watcher)
    }

    fn stages(&self) -> Vec<Stage> {
        if let Some(stage) = self.args.single {
            return vec![stage];
        }
        let without: Vec<&str> = self.args.without.iter().map(String::as_str).collect();
        let searched = self.reduction.as_ref().map_or(self.cfa, |reduction| reduction.cfa());
        strategy::stages_without(Shape::of(searched), &without)
    }

    /// One configuration, or the stages of the strategy one after the other.
    fn in_turn(&self, watch: &Watch, counts: &Counts, watcher: &mut Watcher<'_>) -> Verdict {
        // The judge has translations of its own, so that not even these are shared with the search.
        let judge = match Z3::new(watch) {
            Ok(judge) => Counted::new(judge, counts),
            Err(stop) => return Verdict::Unknown(stop.into()),
        };
        let (cfa, config) = (self.cfa, &self.args.config);
        let reduced = match self.reduction.as_deref() {
            Some(reduction) => {
                Reduced { smaller: reduction.cfa(), back: reduction, start: self.start }
            }
            None => Reduced::unchanged(cfa, self.start),
        };
        if self.args.is_auto || self.args.single.is_some() {
            // Each stage records in a folder of its own.
            let n_stages = Cell::new(0);
            let solvers = |watch: &Watch| -> Result<Box<dyn Backend>, Stop> {
                n_stages.set(n_stages.get() + 1);
                let part = format!("stage-{:02}", n_stages.get());
                Ok(Box::new(Counted::new(
                    backend(self.args, &part, watch, self.unrecorded)?,
                    counts,
                )))
            };
            strategy::decide(cfa, &reduced, &self.stages(), watch, &solvers, &judge, watcher)
        } else {
            match backend(self.args, "", watch, self.unrecorded) {
                Ok(search) => {
                    let search = Counted::new(search, counts);
                    verify_reduced(cfa, &reduced, config, &search, &judge, watcher)
                }
                Err(stop) => Verdict::Unknown(stop.into()),
            }
        }
    }
}

/// Evidence that is not valid is our bug, unless a solver searched that may have lied about what is
/// unsatisfiable.
fn blamed(args: &Args, verdict: Verdict) -> Verdict {
    match (&args.solver, verdict) {
        (Some(command), Verdict::Unknown(Unknown::Internal(why))) => {
            let problem = format!("the answers of `{command}` led to wrong evidence: {why}");
            Verdict::Unknown(Unknown::Stop(Stop::Solver(problem)))
        }
        (_, verdict) => verdict,
    }
}

/// The solver that was asked for, recorded if that was asked for, in a part of the folder.
fn backend(
    args: &Args,
    part: &str,
    watch: &Watch,
    unrecorded: &Rc<OnceCell<String>>,
) -> Result<Box<dyn Backend>, Stop> {
    let backend = solver(args.solver.as_deref(), watch)?;
    let Some(folder) = &args.record else { return Ok(backend) };
    match Recorded::new(backend, &folder.join(part)) {
        Ok(recorded) => Ok(Box::new(recorded.reporting(unrecorded))),
        Err(error) => {
            let problem = format!("`{}`: {}", folder.display(), reason(&error));
            let _ = unrecorded.set(problem.clone());
            Err(Stop::Solver(format!("cannot be recorded: {problem}")))
        }
    }
}

/// Z3 in process with a SAT solver at its side, or another solver with its help.
pub(crate) fn solver(command: Option<&str>, watch: &Watch) -> Result<Box<dyn Backend>, Stop> {
    let z3 = Z3::new(watch)?;
    Ok(match command {
        None => Box::new(Propositional::new(z3, watch)),
        Some(command) => Box::new(Assisted::new(smtlib::checked(command, watch)?, z3)),
    })
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
        Err(_) => Verdict::Unknown(Unknown::Internal(take_panic())),
    }
}

fn finding(task: Task, answer: Answer) -> Result<Finding, Failure> {
    let trace = |execution| {
        Trace::new(task.cfa(), execution).map_err(|error| Failure::Internal(error.to_string()))
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
        crate::failure::remember_panics();
        let verdict = guarded(&Limits::default(), |_| panic!("lost\nmy way"));
        let _ = std::panic::take_hook(); // other tests tell their panics
        let Verdict::Unknown(unknown) = verdict else { panic!("{verdict:?}") };
        let message = unknown.to_string();
        assert!(
            message.starts_with("internal error: lost my way (crates/cli/src/worker.rs:"),
            "{message}"
        );
    }
}
